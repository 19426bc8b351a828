"""Wrong explainers: is a feature in some AXp, in some CXp?"""

from __future__ import annotations

from typing import Any

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.properties.seeded.bugs import explainer
from xpgcheck.properties.seeded.one_xp import tested_on_the_way
from xpgcheck.properties.seeded.textbook import Textbook, Xpg


@explainer
class _MemberIfTested(Textbook):
    """A feature is said to be in some XP where some node tests it."""

    def is_member(self, xpg: Xpg, feature: int) -> bool:
        return feature in xpg.variable_of


@explainer
class _MemberIfOnThePath(Textbook):
    """A feature is said to be in some XP where the consistent path tests it."""

    def is_member(self, xpg: Xpg, feature: int) -> bool:
        return feature in tested_on_the_way(xpg)


@explainer
class _MemberOfOneAxp(Textbook):
    """One AXp is computed, and looked into."""

    def is_member(self, xpg: Xpg, feature: int) -> bool:
        return feature in self.shrunk_axp(xpg, xpg.everything)


@explainer
class _MemberOfEveryAxp(Textbook):
    """A feature is said to be in some AXp where it is in all of them: where all others do not suffice."""

    def is_member(self, xpg: Xpg, feature: int) -> bool:
        return not self.is_weak_axp(xpg, xpg.everything - {feature})


@explainer
class _MemberOfAWeakAxp(Textbook):
    """One half of the query is left out: a weak AXp with the feature is enough, needed there or not."""

    def is_member(self, xpg: Xpg, feature: int) -> bool:
        return self.is_weak_axp(xpg, xpg.everything)


@explainer
class _MemberOfSomePath(Textbook):
    """A feature is said to be in some CXp where some path to a terminal labelled 0 needs it freed, minimal or not."""

    def is_member(self, xpg: Xpg, feature: int) -> bool:
        stack = [(0, False)]
        while stack:
            node, freed = stack.pop()
            if freed and xpg.label_of[node] is False:
                return True
            stack += [(c, freed or (not label and xpg.variable_of[node] == feature)) for c, label in xpg.edges[node]]
        return False


@explainer
class _MemberOfACxpOnly(Textbook):
    """A feature is said to be in no XP where it is in every AXp: those are taken to be decided elsewhere."""

    def is_member(self, xpg: Xpg, feature: int) -> bool:
        return super().is_member(xpg, feature) and self.is_weak_axp(xpg, xpg.everything - {feature})


@explainer
class _NoneForNo(Textbook):
    """Membership answers None for no: the function ends without a return."""

    def member(self, graph: DecisionGraph, instance: Point, feature: int) -> Any:
        return super().member(graph, instance, feature) or None


@explainer
class _CountForYes(Textbook):
    """Membership answers with the number of XPs that the feature is in."""

    def member(self, graph: DecisionGraph, instance: Point, feature: int) -> Any:
        return sum(1 for _, found in self.enumerate(graph, instance) if feature in found)
