"""Points of a box of another class, by every path that some point of the box takes.

What the box and the literals of a path leave of each feature is kept on the way down; a terminal that is reached with
something left of every feature has a point.  Nothing is shared with the explainer's masks of cells.
"""

from __future__ import annotations

from collections.abc import Mapping

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Answer

MAX_STEPS = 100_000
"""Nodes that one question may look at, each as often as paths lead to it; beyond, it stays open."""


class BoxPaths:
    """The oracle of boxes of one graph, by its paths."""

    name = "paths in the box"
    engine = "paths in the box"

    def __init__(self, graph: DecisionGraph) -> None:
        self._graph = graph

    def changeable(self, box: Mapping[int, ValueSet], inside: Point) -> Answer:
        """Tell whether some point of *box* has another class than *inside*, which is in it.  O(paths) set operations."""
        graph = self._graph
        own = graph.kappa(inside)
        stack: list[tuple[int, dict[int, ValueSet]]] = [(0, dict(box))]
        for _ in range(MAX_STEPS):
            if not stack:
                return Answer(False, None, self.name)
            node, left = stack.pop()
            if graph.class_of[node] >= 0:
                if graph.class_of[node] != own:
                    return Answer(True, self._point(left, inside), self.name)
                continue
            feature = graph.feature_of[node]
            for child, values in graph.edges(node):
                both = left[feature].intersection(values) if feature in left else values
                if not both.is_empty():
                    stack.append((child, {**left, feature: both}))
        return Answer(None, None, self.name, f"more than {MAX_STEPS:,} steps on paths")

    def _point(self, left: Mapping[int, ValueSet], inside: Point) -> Point:
        """Return a point of what is *left* that has the values of *inside* where it can."""
        pairs = enumerate(inside)
        return tuple([v if i not in left or v in left[i] else left[i].representative() for i, v in pairs])
