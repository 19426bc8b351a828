"""The number of graphs that there have to be, counted without generating them.

By dynamic programming over the nodes in Kahn's order: a node comes when its last parent has come.  Counted are graphs with
named features, values and classes, and nameless nodes.  As each value leads to one child, no renaming of nodes keeps such a
graph, so names of nodes would only multiply by (n - 1)!.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from xpgcheck.paper.bounded.generation import Assumed, Bound

State = tuple[int, ...]
"""Values that one path leaves open: for each feature a mask."""

States = frozenset[State]


def graphs_testing(bound: Bound, nodes: int, tested: int) -> int:
    """Return the number of :func:`decision_graphs` that test at least *tested* features.

    By inclusion and exclusion over the features that are tested.
    """
    exactly: dict[int, int] = {}
    for count in range(bound.features + 1):
        few = replace(bound, features=count)
        within = decision_graphs(few, nodes) if count or not nodes else 0
        exactly[count] = within - sum(math.comb(count, fewer) * exactly[fewer] for fewer in range(count))
    return sum(math.comb(bound.features, count) * exactly[count] for count in range(tested, bound.features + 1))


@lru_cache
def decision_graphs(bound: Bound, nodes: int, assumed: Assumed = Assumed.BOTH) -> int:
    """Return the number of graphs with exactly *nodes* non-terminals of each path of which it is *assumed* what is said.

    Every node that comes has all its parents behind it, so that what its paths leave open is known.
    """
    if not nodes:
        return bound.classes
    start: State = ((1 << bound.values) - 1,) * bound.features
    return _Count(bound, assumed).completions((frozenset({start}),), (), nodes - 1)


class _Count:
    """Completions by (queue, open nodes, nodes to come), each counted once."""

    def __init__(self, bound: Bound, assumed: Assumed) -> None:
        self._bound = bound
        self._covering = assumed is not Assumed.WITHOUT_I
        self._consistent = assumed is not Assumed.WITHOUT_II
        self._known: dict[tuple[tuple[States, ...], tuple[States, ...], int], int] = {}

    def completions(self, queue: tuple[States, ...], opened: tuple[States, ...], fresh: int) -> int:
        """Count the ways on: *queue* waits for rows, *opened* have parents still to come, *fresh* have none so far."""
        if not queue:
            return not opened and not fresh
        # The order of open nodes is only a name.
        opened = tuple(sorted(opened, key=lambda states: sorted(states)))
        key = queue, opened, fresh
        if key not in self._known:
            self._known[key] = sum(
                self.completions((*queue[1:], *closed), left, rest)
                for feature in range(self._bound.features)
                for closed, left, rest in self._steps(queue[0], feature, opened, fresh)
            )
        return self._known[key]

    def _steps(
        self, states: States, feature: int, opened: tuple[States, ...], fresh: int
    ) -> Iterator[tuple[tuple[States, ...], tuple[States, ...], int]]:
        """Yield (nodes closed by this row, left open, fresh nodes left), once a row and choice of closed ones."""
        left_by = {state[feature] for state in states}
        for touched in self._rows(left_by, len(opened), fresh):
            news = sum(place >= len(opened) for place in touched)
            after: list[States] = [*opened, *[frozenset()] * news]
            for place, values in touched.items():
                after[place] |= {self._left(state, feature, values) for state in states}
            for closing in itertools.product((False, True), repeat=len(touched)):
                shut = [place for place, closes in zip(touched, closing, strict=True) if closes]
                stay = tuple(paths for place, paths in enumerate(after) if place not in shut)
                yield tuple(after[place] for place in shut), stay, fresh - news

    def _left(self, state: State, feature: int, values: int) -> State:
        """Return what an edge by *values* leaves open; where paths may be inconsistent, nothing is asked of it."""
        if not self._consistent:
            return state
        return (*state[:feature], state[feature] & values, *state[feature + 1 :])

    def _rows(self, left_by: set[int], places: int, fresh: int) -> Iterator[dict[int, int]]:
        """Yield, for each legal row, the values by node, in the order of first values; *places* and more are fresh nodes."""
        nothing = -1 - self._bound.classes
        for row in itertools.product(range(nothing, places + fresh), repeat=self._bound.values):
            masks: dict[int, int] = {}
            new = places
            legal = True
            for value, target in enumerate(row):
                if target >= new:
                    legal = legal and target == new
                    new = target + 1
                masks[target] = masks.get(target, 0) | 1 << value
            dead = masks.pop(nothing, 0)
            covered = not self._covering or not any(dead & left for left in left_by)
            if legal and covered and masks and all(values & left for values in masks.values() for left in left_by):
                yield {target: values for target, values in masks.items() if target >= 0}
