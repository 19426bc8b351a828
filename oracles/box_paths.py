"""Points of a box of another class, by every path that some point of the box takes.

Under a constraint a path goes on below a terminal: through the graph of what can occur, and over each clause in turn, where
some literal of it holds.

What the box and the literals of a path leave of each feature is kept on the way down; a terminal that is reached with
something left of every feature has a point.  Nothing is shared with the explainer's masks of cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xpgcheck.model.constraint import Constraint
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

    def __init__(self, graph: DecisionGraph, constraint: Constraint | None = None) -> None:
        self._graph = graph
        self._constraint = constraint
        self._steps = 0

    def changeable(self, box: Mapping[int, ValueSet], inside: Point) -> Answer:
        """Tell whether some point of *box* has another class than *inside*, which is in it.  O(paths) set operations."""
        graph = self._graph
        own = graph.kappa(inside)
        stack: list[tuple[int, dict[int, ValueSet]]] = [(0, dict(box))]
        self._steps = 0
        while stack and self._steps < MAX_STEPS:
            self._steps += 1
            node, left = stack.pop()
            if graph.class_of[node] < 0:
                stack += _edges(graph, node, left)
            elif graph.class_of[node] != own:
                occurs = self._occurring(left)
                if occurs is not None:
                    return Answer(True, self._point(occurs, inside), self.name)
        if self._steps >= MAX_STEPS:
            return Answer(None, None, self.name, f"more than {MAX_STEPS:,} steps on paths")
        return Answer(False, None, self.name)

    def _occurring(self, left: dict[int, ValueSet]) -> dict[int, ValueSet] | None:
        """Return a part of what is *left* all of which can occur; None where nothing of it can, or steps are used up."""
        if self._constraint is None:
            return left
        what, clauses = self._constraint.graph, self._constraint.clauses
        stack = [(0 if what is not None else -1, 0, left)]
        while stack and self._steps < MAX_STEPS:
            self._steps += 1
            node, done, left = stack.pop()
            if what is not None and node >= 0:
                if what.class_of[node] < 0:
                    stack += [(child, 0, rest) for child, rest in _edges(what, node, left)]
                elif what.classes[what.class_of[node]] == "allowed":
                    stack.append((-1, 0, left))
            elif done == len(clauses):
                return left
            else:
                for feature, values in clauses[done].literals:
                    both = left[feature].intersection(values) if feature in left else values
                    if not both.is_empty():
                        stack.append((-1, done + 1, {**left, feature: both}))
        return None

    def _point(self, left: Mapping[int, ValueSet], inside: Point) -> Point:
        """Return a point of what is *left* that has the values of *inside* where it can."""
        pairs = enumerate(inside)
        return tuple([v if i not in left or v in left[i] else left[i].representative() for i, v in pairs])


def _edges(graph: DecisionGraph, node: int, left: dict[int, ValueSet]) -> Iterator[tuple[int, dict[int, ValueSet]]]:
    """Yield the children of *node* to which something of what is *left* goes on, and what does."""
    feature = graph.feature_of[node]
    for child, values in graph.edges(node):
        both = left[feature].intersection(values) if feature in left else values
        if not both.is_empty():
            yield child, {**left, feature: both}
