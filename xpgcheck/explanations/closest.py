"""A closest point of another class for a CXp: best-first search over the paths that freeing its features opens.

Every point of another class that agrees with the instance outside a CXp differs from it on all of the CXp's features:
the ones on which it differs are a weak CXp.  What is minimized is the sum of the features' distances
(:mod:`xpgcheck.explanations.distances`).

The search walks the decision graph itself, with the values that the path so far leaves of each feature of the CXp; the
cost of a state is the least distance to what is left, which only grows along a path, so the first terminal of another
class taken from the queue is closest.  Linear (times a logarithm) on trees and where no path tests a feature twice.  In
general a node may come with exponentially many sets of values left; after ``budget`` states the point of any path is
taken and marked as not shown to be closest.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from xpgcheck.errors import ModelError
from xpgcheck.explanations.distances import NONE, Distance, distances, nearest_value
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import IntervalSet, ValueSet
from xpgcheck.model.values import MISSING, Point, Value
from xpgcheck.xpg.explanation_graph import ExplanationGraph, indices

BUDGET = 100_000
"""States taken from the queue for one CXp (about half a second)."""

Masks = tuple[int, ...]
"""The cells that are left of each feature of the CXp: bit k stands for its k-th cell."""


@dataclass(frozen=True, slots=True)
class ClosestPoint:
    """A point that differs from the instance exactly on a CXp, and its class; ``proven`` if no closer one exists."""

    point: Point
    prediction: str
    distance: Distance
    proven: bool


class ClosestSearch:
    """Closest points of one case; what several CXps need is worked out once."""

    def __init__(self, graph: DecisionGraph, point: Point, xpg: ExplanationGraph, budget: int = BUDGET) -> None:
        """Prepare the search from *point*, whose explanation graph is *xpg*."""
        self._graph = graph
        self._point = point
        self._xpg = xpg
        self._budget = budget
        self._target = graph.kappa(point)
        self._ranked: dict[int, _Ranking] = {}
        self._below = None if xpg.is_tree() else _tested_below(xpg)
        self._first_test = self._first_tests()

    def closest(self, cxp: int) -> ClosestPoint:
        """Return a closest point for the CXp *cxp* (a mask), replayed by κ.

        Raises ``ModelError`` where the graph breaks assumption (ii): freeing the CXp reaches a terminal of another class by
        a path that no point takes.
        """
        features = tuple(indices(cxp))
        masks = self._search(cxp, features)
        proven = masks is not None
        if masks is None:
            masks = self._any_path(cxp, features)
        return self._replayed(features, masks, proven)

    def _search(self, cxp: int, features: tuple[int, ...]) -> Masks | None:
        """Return the cells left by a cheapest path to a 0-terminal; None when the budget is spent."""
        place = {feature: position for position, feature in enumerate(features)}
        variable_of, is_zero = self._xpg.variable_of, self._xpg.is_zero
        children, literal_ids = self._graph.children, self._graph.literal_ids
        whole = tuple((1 << len(self._graph.cells[feature])) - 1 for feature in features)
        count = itertools.count(1)
        start = self._run(self._parting(features), cxp)
        heap: list[tuple[int, Fraction, int, int, Masks]] = [(0, Fraction(0), 0, start, whole)]
        seen: set[tuple[int, Masks]] = set()
        for _ in range(self._budget):
            if not heap:
                break
            cells, value, _, node, masks = heapq.heappop(heap)
            variable = variable_of[node]
            if variable < 0:
                if is_zero[node]:
                    return masks
                continue
            if self._seen(seen, node, masks, features):
                continue
            position, ranking = place[variable], self._ranking(variable)
            left = masks[position]
            before = ranking.away[ranking.nearest(left)]
            for child, literal in zip(children[node], literal_ids[node], strict=True):
                rest = left & self._literal_mask(literal)
                if rest:
                    after = ranking.away[ranking.nearest(rest)]
                    masks_there = masks if rest == left else (*masks[:position], rest, *masks[position + 1 :])
                    cost = (cells + after.cells - before.cells, value + after.value - before.value)
                    heapq.heappush(heap, (*cost, next(count), self._run(child, cxp), masks_there))
        if heap:
            return None
        raise _broken("a CXp opens only paths that no point takes: the graph breaks assumption (ii)")

    def _first_tests(self) -> dict[int, int]:
        """Return the first node at which the instance's own path tests each feature, in the path's order."""
        first: dict[int, int] = {}
        variable_of, one_child = self._xpg.variable_of, self._xpg.one_child
        node = 0
        while node >= 0 and variable_of[node] >= 0:
            first.setdefault(variable_of[node], node)
            node = one_child[node]
        return first

    def _parting(self, features: tuple[int, ...]) -> int:
        """Return the first node at which a point that differs from the instance on *features* alone can leave its path.

        The root where the instance's path tests none of them.  Nodes are numbered topologically, so the first is the least.
        """
        return min([self._first_test[f] for f in features if f in self._first_test], default=0)

    def _run(self, node: int, cxp: int) -> int:
        """Return where the instance's own edges lead from *node* until a feature of *cxp* is tested."""
        bit_of, one_child = self._xpg.bit_of, self._xpg.one_child
        while bit_of[node] and not bit_of[node] & cxp:
            node = one_child[node]
            if node < 0:
                raise _broken("no edge holds at the instance: the graph breaks assumption (i)")
        return node

    def _seen(self, seen: set[tuple[int, Masks]], node: int, masks: Masks, features: tuple[int, ...]) -> bool:
        """Tell whether *node* was taken before with the same values left of the features tested at or below it."""
        if self._below is None:
            return False
        below = self._below[node]
        key = (node, tuple(mask if below >> f & 1 else 0 for f, mask in zip(features, masks, strict=True)))
        if key in seen:
            return True
        seen.add(key)
        return False

    def _any_path(self, cxp: int, features: tuple[int, ...]) -> Masks:
        """Return the cells left by some path to a 0-terminal, found by depth-first search with marks.  Linear."""
        came_from: dict[int, tuple[int, int]] = {}
        stack = [0]
        while stack:
            node = stack.pop()
            if not self._xpg.bit_of[node]:
                if self._xpg.is_zero[node]:
                    break
                continue
            for child, literal in zip(self._graph.children[node], self._graph.literal_ids[node], strict=True):
                own = child == self._xpg.one_child[node]
                if child not in came_from and (own or self._xpg.bit_of[node] & cxp):
                    came_from[child] = (node, literal)
                    stack.append(child)
        left = {feature: (1 << len(self._graph.cells[feature])) - 1 for feature in features}
        while node:
            node, literal = came_from[node]
            if self._xpg.variable_of[node] in left:
                left[self._xpg.variable_of[node]] &= self._literal_mask(literal)
        return tuple(left.values())

    def _replayed(self, features: tuple[int, ...], masks: Masks, proven: bool) -> ClosestPoint:
        """Return the nearest point in the cells left, after evaluating the graph on it."""
        point = list(self._point)
        total = NONE
        for feature, mask in zip(features, masks, strict=True):
            ranking = self._ranking(feature)
            nearest = ranking.nearest(mask)
            cell, away = self._graph.cells[feature][nearest], ranking.away[nearest]
            point[feature] = nearest_value(self._graph.features[feature].domain, cell, self._point[feature])
            total = Distance(total.cells + away.cells, total.value + away.value)
        found = tuple(point)
        # κ from where the point can leave the instance's path: up to there both have the same values.
        reached = self._graph.class_of[self._graph.terminal(found, start=self._parting(features))]
        if reached == self._target:
            raise _broken("a path to another class does not replay: the graph breaks an assumption")
        return ClosestPoint(found, self._graph.classes[reached], total, proven)

    def _ranking(self, feature: int) -> _Ranking:
        """Return how near the feature's cells are to the instance."""
        known = self._ranked.get(feature)
        if known is None:
            known = self._ranked[feature] = _Ranking.of(self._graph.cells[feature], self._point[feature])
        return known

    def _literal_mask(self, literal: int) -> int:
        """Return the cells of a literal.  Not kept: all of them would take a bit for each literal and cell."""
        mask = 0
        for low, high in self._graph.literal_cells[literal]:
            mask |= (1 << high) - (1 << low)
        return mask


@dataclass(frozen=True, slots=True)
class _Ranking:
    """The distances from the instance to the cells of one feature, and its own cell."""

    away: list[Distance]
    own: int
    ordered: bool
    """Whether distances grow from the own cell on to either side: on an ordered feature that has a number."""

    @classmethod
    def of(cls, cells: Sequence[ValueSet], value: Value) -> _Ranking:
        """Return the ranking of *cells*, of one feature, as seen from *value*.  Linear."""
        away = distances(cells, value)
        own = next(position for position, cell in enumerate(cells) if value in cell)
        return cls(away, own, isinstance(cells[0], IntervalSet) and value is not MISSING)

    def nearest(self, mask: int) -> int:
        """Return the nearest of the cells in *mask*, the first of several.  O(cells) bits, with no loop over them."""
        if mask >> self.own & 1:
            return self.own
        above = mask >> self.own if self.ordered else mask
        below = mask & (1 << self.own) - 1 if self.ordered else 0
        if not above:
            return below.bit_length() - 1
        upper = (self.own if self.ordered else 0) + (above & -above).bit_length() - 1
        if not below:
            return upper
        return min(below.bit_length() - 1, upper, key=self.away.__getitem__)


def _broken(problem: str) -> ModelError:
    return ModelError(problem, mend="pass the graph through check_assumptions first")


def _tested_below(xpg: ExplanationGraph) -> list[int]:
    """Return of each node the mask of the features tested at or below it.  Linear."""
    below = list(xpg.bit_of)
    for node in range(xpg.node_count - 1, -1, -1):
        for child in (xpg.one_child[node], *xpg.zero_children[node]):
            if child >= 0:
                below[node] |= below[child]
    return below
