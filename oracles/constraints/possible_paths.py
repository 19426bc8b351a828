"""Eq. 1 and Eq. 2 of a decision graph under a constraint, by the closed set of what its paths leave.

The *states* are the nodes of the graph with what is left of each feature on the way: fixed features at the instance's
values, others as the literals of the path leave them.  They are closed under every edge that leaves something.  A state at
a terminal of another class goes on through the constraint: its graph edge by edge, its clauses one by one, the first of
whose literals that holds parts what is left.  Where no state is left that has satisfied all, what is fixed is a weak AXp;
where one is, any point of it is a witness.  Nothing is shared with the product that the explainer makes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Answer

MAX_STATES = 50_000
"""States that one question may look at; beyond, it stays open."""

Left = dict[int, ValueSet]
State = tuple[int, int, int, Left]
"""A node of the graph (−1 below it), one of the constraint's graph (−1 above or below it), clauses done, what is left."""


class PossiblePaths:
    """The oracle of one instance of *graph* under *constraint*."""

    name = "closed set of what can occur"
    engine = "closed set"

    def __init__(self, graph: DecisionGraph, constraint: Constraint, point: Point, most: int = MAX_STATES) -> None:
        self._graph = graph
        self._constraint = constraint
        self._point = point
        self._most = most
        self._own = graph.kappa(point)

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Tell whether some point that can occur agrees with the instance on *fixed* and has another class."""
        chosen = frozenset(fixed)
        stack: list[State] = [(0, -1, 0, {})]
        seen: set[tuple[int, int, int, frozenset[tuple[int, ValueSet]]]] = set()
        while stack:
            state = stack.pop()
            key = (*state[:3], frozenset(state[3].items()))
            if key in seen:
                continue
            seen.add(key)
            if len(seen) > self._most:
                return Answer(None, None, self.name, f"more than {self._most:,} states")
            found = self._following(state, chosen)
            if found is None:
                return Answer(True, self._point_of(state[3]), self.name)
            stack += found
        return Answer(False, None, self.name)

    def _following(self, state: State, chosen: frozenset[int]) -> list[State] | None:
        """Return the states that follow *state*; None where it has satisfied everything."""
        node, below, done, left = state
        graph, what = self._graph, self._constraint.graph
        if node >= 0:
            if graph.class_of[node] < 0:
                return [(child, -1, 0, rest) for child, rest in self._edges(graph, node, left, chosen)]
            if graph.class_of[node] == self._own:
                return []
            return [(-1, 0 if what is not None else -1, 0, left)]
        if below >= 0:
            assert what is not None
            if what.class_of[below] < 0:
                return [(-1, child, 0, rest) for child, rest in self._edges(what, below, left, chosen)]
            return [(-1, -1, 0, left)] if what.classes[what.class_of[below]] == "allowed" else []
        if done == len(self._constraint.clauses):
            return None
        return [(-1, -1, done + 1, rest) for rest in self._ways(done, left, chosen)]

    def _edges(self, graph: DecisionGraph, node: int, left: Left, chosen: frozenset[int]) -> Iterator[tuple[int, Left]]:
        feature = graph.feature_of[node]
        for child, values in graph.edges(node):
            rest = self._within(left, feature, values, chosen)
            if rest is not None:
                yield child, rest

    def _ways(self, position: int, left: Left, chosen: frozenset[int]) -> Iterator[Left]:
        """Yield what is left where each literal of a clause is the first that holds."""
        rest: Left | None = left
        for feature, values in self._constraint.clauses[position].literals:
            if rest is None:
                return
            holding = self._within(rest, feature, values, chosen)
            if holding is not None:
                yield holding
            whole = self._constraint.features[feature].domain.all_values()
            rest = self._within(rest, feature, whole.difference(values), chosen)

    def _within(self, left: Left, feature: int, values: ValueSet, chosen: frozenset[int]) -> Left | None:
        """Return *left* with no other values of *feature* than *values*; None where nothing is left."""
        if feature in chosen:
            return left if self._point[feature] in values else None
        before = left.get(feature)
        rest = values.intersection(self._graph.features[feature].domain.all_values() if before is None else before)
        return None if rest.is_empty() else {**left, feature: rest}

    def _point_of(self, left: Mapping[int, ValueSet]) -> Point:
        """Return a point of what is *left* that has the values of the instance where it can."""
        pairs = enumerate(self._point)
        return tuple([own if i not in left or own in left[i] else left[i].representative() for i, own in pairs])
