"""Subjects for tests of the gate, in Python; also named as ``gate_subjects:NAME``."""

from __future__ import annotations

from xpgcheck.oracles.conditions import condition_graph, conditions_at, conditions_of
from xpgcheck.properties.seeded.textbook import Textbook
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.explanation_graph import explanation_graph
from xpgcheck.xpg.find_one import find_axp


class OverConditions:
    """AXps and CXps over independent conditions, right by that definition."""

    name = "over conditions"
    notion = "conditions"
    version = "1.0"

    def _xpg(self, graph, instance):
        conditions = conditions_of(graph)
        return explanation_graph(condition_graph(graph), conditions_at(conditions, instance) or (False,))

    def axp(self, graph, instance):
        return find_axp(self._xpg(graph, instance))

    def enumerate(self, graph, instance):
        return [(xp.kind.value, xp.features) for xp in enumerate_xps(self._xpg(graph, instance))]


class AsIfWithTheory(OverConditions):
    """The same sets, claimed under the theory that links conditions: some are redundant there."""

    name = "as if with theory"
    notion = "conditions-with-theory"


class CrashesOnConstants(Textbook):
    """Like a published explainer: it raises where no point has another class, and is right elsewhere."""

    name = "crashes on constants"

    def axp(self, graph, instance):
        found = super().axp(graph, instance)
        assert found, "no AXp"
        return found


class Declines:
    """Declines every question."""

    name = "declines"

    def axp(self, graph, instance):
        raise NotImplementedError("only random forests")


class DeclinesSharing(Textbook):
    """Declines graphs that are no trees."""

    name = "trees only"

    def axp(self, graph, instance):
        if not graph.is_tree():
            raise NotImplementedError("only trees")
        return super().axp(graph, instance)


class Wavers(Textbook):
    """Right the first time it is asked of a graph and wrong the second, by the parity of all questions."""

    name = "wavers"

    def __init__(self):
        super().__init__()
        self._asked = 0

    def axp(self, graph, instance):
        self._asked += 1
        return range(len(instance)) if self._asked % 7 == 3 and len(instance) > 2 else super().axp(graph, instance)
