"""Wrong explainers that can do little, so that no other ability gives them away."""

from __future__ import annotations

from collections.abc import Iterable

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.properties.seeded.bugs import explainer
from xpgcheck.properties.seeded.textbook import Features, Textbook


class _FewAbilities:
    """One AXp, one CXp, and all XPs: what most explainers offer."""

    def __init__(self) -> None:
        self.textbook = Textbook()

    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        """Return one AXp."""
        return self.textbook.axp(graph, instance)

    def cxp(self, graph: DecisionGraph, instance: Point) -> Features | None:
        """Return one CXp."""
        return self.textbook.cxp(graph, instance)

    def enumerate(self, graph: DecisionGraph, instance: Point) -> Iterable[tuple[str, Features]]:
        """Return all XPs."""
        return self.textbook.enumerate(graph, instance)


@explainer
class _AnswersKeptByGraph(_FewAbilities):
    """The first instance of a graph is the one that is explained, whatever others come."""

    def __init__(self) -> None:
        super().__init__()
        self._first: tuple[DecisionGraph, Point] | None = None

    def _instance(self, graph: DecisionGraph, instance: Point) -> Point:
        if self._first is None or self._first[0] is not graph:
            self._first = graph, instance
        return self._first[1]

    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        return super().axp(graph, self._instance(graph, instance))

    def cxp(self, graph: DecisionGraph, instance: Point) -> Features | None:
        return super().cxp(graph, self._instance(graph, instance))

    def enumerate(self, graph: DecisionGraph, instance: Point) -> Iterable[tuple[str, Features]]:
        return super().enumerate(graph, self._instance(graph, instance))


@explainer
class _RightTheFirstTime(_FewAbilities):
    """The answer to a repeated question is empty, like a generator that was read to its end."""

    def __init__(self) -> None:
        super().__init__()
        self._asked: list[tuple[DecisionGraph, Point, str]] = []

    def _again(self, graph: DecisionGraph, instance: Point, what: str) -> bool:
        key = graph, instance, what
        again = any(g is graph and v == instance and w == what for g, v, w in self._asked)
        self._asked = [*self._asked[-5:], key]
        return again

    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        return frozenset() if self._again(graph, instance, "axp") else super().axp(graph, instance)

    def enumerate(self, graph: DecisionGraph, instance: Point) -> Iterable[tuple[str, Features]]:
        return () if self._again(graph, instance, "all") else super().enumerate(graph, instance)


@explainer
class _MemberWithoutExplaining:
    """A feature is a member where it is tested, and nothing else is offered that would contradict it."""

    def member(self, graph: DecisionGraph, instance: Point, feature: int) -> bool:
        """Tell whether *feature* is tested."""
        return feature in graph.feature_of


@explainer
class _GraphChanged(_FewAbilities):
    """The graph is made constant before it is explained, so that nothing is ever needed."""

    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        own = graph.kappa(instance)
        object.__setattr__(graph, "class_of", tuple(own if c >= 0 else c for c in graph.class_of))
        return frozenset()
