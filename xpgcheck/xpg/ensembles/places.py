"""The places of features, and the paths of an ensemble's trees in them.

Values of a feature that no tree can tell apart are one *place*; sets of places are bits of a number.  A *path* leads from a
root to a terminal, and holds at the points that are at some of its places on every feature that it tests.
"""

from __future__ import annotations

import bisect
import copy
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xpgcheck.errors import LimitError
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import FiniteSet, IntervalSet, ValueSet
from xpgcheck.model.values import Value

MAX_PATHS = 500_000
"""Paths of all trees up to which an ensemble is explained."""


class FeaturePlaces:
    """The places of one feature: numbers from the least on, the missing value last; categories as the model lists them."""

    def __init__(self, cells: Sequence[ValueSet]) -> None:
        """Number *cells*, which split the domain of the feature."""
        self._cells = cells
        self.count = len(cells)
        self.all = (1 << self.count) - 1
        self._starts = [cell.cuts[0] for cell in cells if isinstance(cell, IntervalSet) and cell.cuts]
        self._ends = [cell.cuts[1] for cell in cells if isinstance(cell, IntervalSet) and cell.cuts]
        self._bits: dict[ValueSet, int] = {}

    def of(self, value: Value) -> int:
        """Return the place of *value*, which is in the domain."""
        first = self._cells[0]
        if isinstance(first, IntervalSet):
            location = first.grid.locate(value)
            return bisect.bisect_right(self._starts, location) - 1 if isinstance(location, tuple) else self.count - 1
        return next(place for place, cell in enumerate(self._cells) if value in cell)

    def value(self, place: int) -> Value:
        """Return a value at *place*."""
        return self._cells[place].representative()

    def bits(self, values: ValueSet) -> int:
        """Return the places of *values*, a set that some literal of the ensemble has."""
        known = self._bits.get(values)
        if known is None:
            known = self._bits[values] = self._found(values)
        return known

    def _found(self, values: ValueSet) -> int:
        if isinstance(values, FiniteSet):
            return sum(1 << place for place, cell in enumerate(self._cells) if cell.representative() in values.values)
        found = 1 << self.count - 1 if values.missing and len(self._starts) < self.count else 0
        for low, high in zip(values.cuts[::2], values.cuts[1::2], strict=True):
            first, behind = bisect.bisect_left(self._starts, low), bisect.bisect_right(self._ends, high)
            found |= (1 << behind) - (1 << first) if first < behind else 0
        return found


class TerminalPath(NamedTuple):
    """A path to a terminal: the answer there, and of each feature that it tests the places where it holds."""

    answer: int
    places: dict[int, int]


Rows = dict[int, tuple[int, int]]
"""A row of places for each feature: from the first to before the second."""


def rows_of(path: TerminalPath) -> list[Rows]:
    """Return the boxes that a path is made of: each a row of places of every feature that it tests."""
    found: list[Rows] = [{}]
    for feature, bits in path.places.items():
        own = runs(bits)
        found = [{**rows, feature: row} for rows in found for row in own]
    return found


Step = int | tuple[int, tuple[tuple[int, int], ...]]
"""A node of a tree: its answer, or its feature with the places of each edge and where it leads."""


class EnsemblePlaces:
    """The places of an ensemble's features, and the paths of its trees."""

    def __init__(self, ensemble: Ensemble) -> None:
        """Follow every path of *ensemble*.  Raises ``LimitError`` where they are too many."""
        self.ensemble = ensemble
        self.features = [FeaturePlaces(cells) for cells in ensemble.cells]
        self._walks = [self._walk(tree) for tree in ensemble.trees]
        self.paths: list[list[TerminalPath]] = []
        self.rules: list[list[tuple[bool, dict[int, int]]]] = []
        """The paths of each rule of a constraint: whether something can occur there, and places as those of paths."""
        left = MAX_PATHS
        for tree in ensemble.trees:
            self.paths.append(self.paths_of(tree, left))
            left -= len(self.paths[-1])

    def within(self, box: Mapping[int, int], inside: Sequence[int]) -> EnsemblePlaces:
        """Return the places as they look from *box*, which has of some features places as bits, that of *inside* in them.

        Paths are those that some point of the box takes; places outside stand for that of *inside*.
        """
        found = copy.copy(self)
        found.paths = [[path for own in paths if (path := _narrowed(own, box))] for paths in self.paths]
        found._walks = [[self._step_within(step, box, inside) for step in walk] for walk in self._walks]
        found.rules = [
            [(occurs, own.places) for occurs, tested in rule if (own := _narrowed(TerminalPath(0, tested), box))]
            for rule in self.rules
        ]
        return found

    def _step_within(self, step: Step, box: Mapping[int, int], inside: Sequence[int]) -> Step:
        if not isinstance(step, tuple) or step[0] not in box:
            return step
        feature, edges = step
        outside, own = self.features[feature].all & ~box[feature], inside[feature]
        return feature, tuple(
            [(bits & box[feature] | (outside if bits >> own & 1 else 0), child) for bits, child in edges]
        )

    def votes(self, places: Sequence[int]) -> list[int]:
        """Return what ``ensemble.votes`` does at a point whose values are at *places*."""
        found = []
        for walk in self._walks:
            step = walk[0]
            while isinstance(step, tuple):
                feature, edges = step
                place = places[feature]
                for bits, child in edges:
                    if bits >> place & 1:
                        step = walk[child]
                        break
            found.append(step)
        return found

    def _walk(self, tree: DecisionGraph) -> list[Step]:
        """Return the nodes of *tree* with the places of their literals."""
        found: list[Step] = []
        for node, feature in enumerate(tree.feature_of):
            if feature < 0:
                found.append(tree.class_of[node])
                continue
            own = self.features[feature]
            edges = zip(tree.literal_ids[node], tree.children[node], strict=True)
            found.append((feature, tuple([(own.bits(tree.literals[index].values), child) for index, child in edges])))
        return found

    def possible(self, places: Sequence[int]) -> bool:
        """Tell whether something can occur at *places*, as the rules have it."""
        return not any(
            not occurs and all(bits >> places[feature] & 1 for feature, bits in tested.items())
            for rule in self.rules
            for occurs, tested in rule
        )

    def paths_of(self, tree: DecisionGraph, most: int) -> list[TerminalPath]:
        """Return the paths of *tree* that hold somewhere.  No recursion.  Raises ``LimitError`` beyond *most*."""
        found: list[TerminalPath] = []
        stack: list[tuple[int, dict[int, int]]] = [(0, {})]
        while stack:
            node, places = stack.pop()
            if tree.class_of[node] >= 0:
                found.append(TerminalPath(tree.class_of[node], places))
                continue
            feature = tree.feature_of[node]
            own = self.features[feature]
            before = places.get(feature, own.all)
            for child, index in zip(tree.children[node], tree.literal_ids[node], strict=True):
                left = before & own.bits(tree.literals[index].values)
                if left:
                    stack.append((child, {**places, feature: left} if left != own.all else places))
            if len(stack) + len(found) > most:
                problem = f"the trees have over {MAX_PATHS:,} paths from roots to terminals"
                raise LimitError(problem, mend="explain an ensemble of fewer or smaller trees")
        return found


def _narrowed(path: TerminalPath, box: Mapping[int, int]) -> TerminalPath | None:
    """Return *path* with what *box* leaves of its places, None where that is nothing."""
    tested = {feature: bits & box.get(feature, bits) for feature, bits in path.places.items()}
    return TerminalPath(path.answer, tested) if all(tested.values()) else None


def runs(bits: int) -> list[tuple[int, int]]:
    """Return the runs of places in *bits*: from the first to before the second."""
    found = []
    start = 0
    while bits:
        gap = (bits & -bits).bit_length() - 1
        bits >>= gap
        length = (~bits & (bits + 1)).bit_length() - 1
        found.append((start + gap, start + gap + length))
        bits >>= length
        start += gap + length
    return found
