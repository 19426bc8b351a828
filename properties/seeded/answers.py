"""Wrong explainers: what is handed out, in what form, and under which names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean, Categorical
from xpgcheck.model.values import Point
from xpgcheck.properties.seeded.bugs import explainer
from xpgcheck.properties.seeded.textbook import Features, Textbook, Xpg, one_reached


@explainer
class _NamesForIndices(Textbook):
    """The AXp is a list of names of features, not of their indices."""

    def axp(self, graph: DecisionGraph, instance: Point) -> Any:
        return [graph.features[feature].name for feature in super().axp(graph, instance)]


@explainer
class _CountedFromOne(Textbook):
    """Features are counted from 1."""

    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        return frozenset(feature + 1 for feature in super().axp(graph, instance))


@explainer
class _IndicesAsFloats(Textbook):
    """The AXp's features are floats."""

    def axp(self, graph: DecisionGraph, instance: Point) -> Any:
        return [float(feature) for feature in super().axp(graph, instance)]


@explainer
class _FeatureForEachTest(Textbook):
    """The AXp names a feature once for each test of it on the consistent path."""

    def axp(self, graph: DecisionGraph, instance: Point) -> Any:
        found = super().axp(graph, instance)
        path = [graph.feature_of[node] for node in one_reached(self.xpg(graph, instance).edges)]
        return [feature for feature in path if feature in found] + sorted(found.difference(path))


@explainer
class _PairsForFeatures(Textbook):
    """The AXp is a list of (feature, value) pairs."""

    def axp(self, graph: DecisionGraph, instance: Point) -> Any:
        return [(feature, instance[feature]) for feature in super().axp(graph, instance)]


@explainer
class _OneXpForAList(Textbook):
    """The enumeration hands out a single pair, not a list of them, where there is one XP."""

    def enumerate(self, graph: DecisionGraph, instance: Point) -> Any:
        found = [*super().enumerate(graph, instance)]
        return found if len(found) > 1 else found[0]


@explainer
class _OtherWordsForKinds(Textbook):
    """The enumeration calls its XPs 'abductive' and 'contrastive', not AXp and CXp."""

    def enumerate(self, graph: DecisionGraph, instance: Point) -> Iterator[tuple[str, Features]]:
        words = {"AXp": "abductive", "CXp": "contrastive"}
        return ((words[kind], found) for kind, found in super().enumerate(graph, instance))


@explainer
class _NumbersFirst(Textbook):
    """The features are regrouped, numbers before categories, and indices are not mapped back."""

    def enumerate(self, graph: DecisionGraph, instance: Point) -> Iterator[tuple[str, Features]]:
        order = sorted(range(len(graph.features)), key=lambda i: self._is_category(graph, i))
        for kind, found in super().enumerate(graph, instance):
            yield kind, frozenset(order.index(feature) for feature in found)

    def _is_category(self, graph: DecisionGraph, feature: int) -> bool:
        return isinstance(graph.features[feature].domain, (Boolean, Categorical))


@explainer
class _OrderOfFirstTests(Textbook):
    """Features are numbered in the order in which nodes first test them, and not mapped back."""

    def mapped(self, graph: DecisionGraph, instance: Point) -> Xpg:
        xpg = super().mapped(graph, instance)
        order = list(dict.fromkeys(feature for feature in xpg.variable_of if feature >= 0))
        return xpg._replace(variable_of=tuple(order.index(f) if f >= 0 else f for f in xpg.variable_of))


@explainer
class _ClassesSortedByName(Textbook):
    """The class predicted is its place among the sorted names of the classes."""

    def predict(self, graph: DecisionGraph, instance: Point) -> int:
        return sorted(graph.classes).index(graph.classes[super().predict(graph, instance)])


@explainer
class _MajorityPredicted(Textbook):
    """The class predicted is the one that most terminals have."""

    def predict(self, graph: DecisionGraph, instance: Point) -> int:
        found = [index for index in graph.class_of if index >= 0]
        return max(sorted(set(found)), key=found.count)


@explainer
class _ClassOfTheFirstTerminal(Textbook):
    """The class predicted is that of the first terminal of the graph."""

    def predict(self, graph: DecisionGraph, instance: Point) -> int:
        return next(index for index in graph.class_of if index >= 0)


@explainer
class _NamePredicted(Textbook):
    """The class predicted is its name, not its index."""

    def predict(self, graph: DecisionGraph, instance: Point) -> Any:
        return graph.classes[super().predict(graph, instance)]


@explainer
class _ClassesForTerminals(Textbook):
    """The terminals reached are told by their classes."""

    def terminals(self, graph: DecisionGraph, instance: Point) -> list[int]:
        return [graph.class_of[node] for node in super().terminals(graph, instance)]


@explainer
class _AllThatHoldsSomewhere(Textbook):
    """A terminal counts as reached where the edge that leads to it holds, reached or not itself."""

    def terminals(self, graph: DecisionGraph, instance: Point) -> list[int]:
        edges = self.xpg(graph, instance).edges
        return sorted({child for out in edges for child, label in out if label and graph.is_terminal(child)})
