"""Wrong explainers: one AXp and one CXp, their seeds, and deletion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.properties.seeded.bugs import explainer
from xpgcheck.properties.seeded.textbook import Features, Textbook, Xpg, one_reached


@explainer
class _SeedIgnored(Textbook):
    """Algorithms 2 and 3 start from all features, whatever the seed."""

    def axp_inside(self, graph: DecisionGraph, instance: Point, seed: Features) -> Features:
        return self.axp(graph, instance)

    def cxp_inside(self, graph: DecisionGraph, instance: Point, seed: Features) -> Features:
        xpg = self.xpg(graph, instance)
        return self.shrunk_cxp(xpg, xpg.everything)


@explainer
class _SeedEnlarged(Textbook):
    """The features of the consistent path are added to the seed of an AXp."""

    def axp_inside(self, graph: DecisionGraph, instance: Point, seed: Features) -> Features:
        xpg = self.xpg(graph, instance)
        return self.shrunk_axp(xpg, seed | tested_on_the_way(xpg))


@explainer
class _SeedReturned(Textbook):
    """The seed of an AXp comes back as it is."""

    def axp_inside(self, graph: DecisionGraph, instance: Point, seed: Features) -> Features:
        return seed


@explainer
class _CxpSeedUntested(Textbook):
    """The CXp is looked for among the features that the consistent path does not test (XpGraph 0.0.1)."""

    def cxp(self, graph: DecisionGraph, instance: Point) -> Features | None:
        xpg = self.xpg(graph, instance)
        if not self.is_weak_cxp(xpg, xpg.everything):
            return None
        seed = xpg.everything - tested_on_the_way(xpg)
        assert self.is_weak_cxp(xpg, seed)
        return self.shrunk_cxp(xpg, seed)


@explainer
class _CxpSeedOfThePath(Textbook):
    """The CXp is looked for among the features that the consistent path tests."""

    def cxp(self, graph: DecisionGraph, instance: Point) -> Features | None:
        xpg = self.xpg(graph, instance)
        return self.shrunk_cxp(xpg, tested_on_the_way(xpg)) if self.is_weak_cxp(xpg, xpg.everything) else None


@explainer
class _EndsAtTheFirstDrop(Textbook):
    """Deletion ends when a feature has been dropped."""

    def shrunk(self, seed: Features, is_weak: Callable[[Features], bool]) -> Features:
        return next((seed - {i} for i in self.order(seed) if is_weak(seed - {i})), seed)


@explainer
class _EndsAtTheFirstNeeded(Textbook):
    """Deletion ends at the first feature that cannot be dropped."""

    def shrunk(self, seed: Features, is_weak: Callable[[Features], bool]) -> Features:
        kept = seed
        for feature in self.order(seed):
            if not is_weak(kept - {feature}):
                break
            kept -= {feature}
        return kept


@explainer
class _TriedAgainstTheSeed(Textbook):
    """Whether a feature can be dropped is asked of the whole seed, not of what is left of it."""

    def shrunk(self, seed: Features, is_weak: Callable[[Features], bool]) -> Features:
        return frozenset(i for i in seed if not is_weak(seed - {i}))


@explainer
class _DropsInPairs(Textbook):
    """Two features are dropped at a time, and what is left is not tried one by one."""

    def shrunk(self, seed: Features, is_weak: Callable[[Features], bool]) -> Features:
        kept, order = seed, self.order(seed)
        for start in range(0, len(order), 2):
            if is_weak(kept.difference(order[start : start + 2])):
                kept = kept.difference(order[start : start + 2])
        return kept


@explainer
class _LastFeatureNotTried(Textbook):
    """Deletion tries all features of the seed but the last."""

    def order(self, seed: Features) -> list[int]:
        return sorted(seed)[:-1]


@explainer
class _FirstFeatureNotTried(Textbook):
    """Deletion counts features from 1: feature 0 is never tried."""

    def order(self, seed: Features) -> list[int]:
        return sorted(seed - {0})


@explainer
class _UntestedFeaturesKept(Textbook):
    """Deletion tries the features of the consistent path; others of the seed of an AXp stay."""

    def shrunk_axp(self, xpg: Xpg, seed: Features) -> Features:
        tested = tested_on_the_way(xpg)
        return super().shrunk_axp(xpg, seed & tested) | (seed - tested)


@explainer
class _NeverEmpty(Textbook):
    """The last feature of an AXp is kept, whether it is needed or not."""

    def is_weak_axp(self, xpg: Xpg, features: Features) -> bool:
        return bool(features) and super().is_weak_axp(xpg, features)


@explainer
class _PathForAnAxp(Textbook):
    """The AXp is all that the consistent path tests, with nothing dropped (a rule read off the path)."""

    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        return tested_on_the_way(self.xpg(graph, instance))


@explainer
class _NecessaryForSufficient(Textbook):
    """The AXp is the set of features that change the class on their own."""

    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        xpg = self.xpg(graph, instance)
        return frozenset(i for i in xpg.everything if self.is_weak_cxp(xpg, frozenset((i,))))


@explainer
class _FirstFeaturesThatSuffice(Textbook):
    """The AXp is grown feature by feature until it suffices, and never shrunk."""

    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        xpg = self.xpg(graph, instance)
        prefixes = (frozenset(range(k)) for k in range(xpg.features + 1))
        return next(prefix for prefix in prefixes if self.is_weak_axp(xpg, prefix))


@explainer
class _DropsWhatIsNeeded(Textbook):
    """Algorithm 2 with the test negated: what is needed is dropped, what is not is kept."""

    def shrunk_axp(self, xpg: Xpg, seed: Features) -> Features:
        return self.shrunk(seed, lambda features: not self.is_weak_axp(xpg, features))


@explainer
class _CxpIsTheRest(Textbook):
    """The CXp is what the AXp leaves."""

    def cxp(self, graph: DecisionGraph, instance: Point) -> Features | None:
        xpg = self.xpg(graph, instance)
        return xpg.everything - self.shrunk_axp(xpg, xpg.everything) or None


@explainer
class _CxpOfSomePath(Textbook):
    """The CXp is what some path to a terminal labelled 0 needs freed, with nothing dropped."""

    def cxp(self, graph: DecisionGraph, instance: Point) -> Features | None:
        xpg = self.xpg(graph, instance)
        stack: list[tuple[int, Features]] = [(0, frozenset())]
        while stack:
            node, freed = stack.pop()
            if xpg.label_of[node] is False:
                return freed
            stack += [(child, self.freed_after(xpg, node, label, freed)) for child, label in xpg.edges[node]]
        return None


@explainer
class _CxpOfTheNearestTerminal(Textbook):
    """The CXp is read off the shortest path to a terminal labelled 0, with nothing dropped."""

    def cxp(self, graph: DecisionGraph, instance: Point) -> Features | None:
        xpg = self.xpg(graph, instance)
        queue: list[tuple[int, Features]] = [(0, frozenset())]
        while queue:
            node, freed = queue.pop(0)
            if xpg.label_of[node] is False:
                return freed
            queue += [(child, self.freed_after(xpg, node, label, freed)) for child, label in xpg.edges[node]]
        return None


@explainer
class _ConstantHasACxp(Textbook):
    """The CXp of a constant classifier is feature 0 (XpGraph)."""

    def cxp(self, graph: DecisionGraph, instance: Point) -> Features | None:
        found = super().cxp(graph, instance)
        return frozenset((0,)) if found is None else found


@explainer
class _ConstantHasAnEmptyCxp(Textbook):
    """The CXp of a constant classifier is the empty set, not none."""

    def cxp(self, graph: DecisionGraph, instance: Point) -> Features | None:
        return super().cxp(graph, instance) or frozenset()


@explainer
class _ConstantCrashes(Textbook):
    """Ends in an error where the classifier is constant (XpGraph)."""

    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        xpg = self.xpg(graph, instance)
        assert self.is_weak_cxp(xpg, xpg.everything)
        return super().axp(graph, instance)


@explainer
class _EmptyAxpIsNone(Textbook):
    """The empty AXp of a constant classifier is taken for no answer, as both are false."""

    def axp(self, graph: DecisionGraph, instance: Point) -> Any:
        return super().axp(graph, instance) or None


@explainer
class _NoCxpOfOneFeature(Textbook):
    """There is said to be no CXp where a single feature would do."""

    def cxp(self, graph: DecisionGraph, instance: Point) -> Features | None:
        found = super().cxp(graph, instance)
        return found if found is not None and len(found) > 1 else None


def tested_on_the_way(xpg: Xpg) -> Features:
    """Return the features that the consistent path tests."""
    return frozenset(xpg.variable_of[node] for node in one_reached(xpg.edges) if xpg.variable_of[node] >= 0)
