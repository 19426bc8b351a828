"""The closest change of a row of a tree, over all its CXps.

A point that differs from the row exactly on a CXp takes a path that these features, and no others, shut to the row.  So a
closest one takes the cells nearest to the row's on one of these paths, and all of them are tried.  Distances are those of
:mod:`xpgcheck.explanations.distances`: cells first, so that numbers are looked at only where as many cells lie between.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from xpgcheck.explanations.distances import Distance, gap, nearest_value
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import IntervalSet, ValueSet
from xpgcheck.model.values import MISSING, Point, Value
from xpgcheck.tables.asked import RowChange
from xpgcheck.xpg.explanation_graph import indices
from xpgcheck.xpg.tree_table import Places, RowCxps, TreeTable


class _Nearest(NamedTuple):
    """The nearest of some cells: how many cells away they are, and which ones, one or two."""

    away: int
    cells: tuple[int, ...]


class _CellLine:
    """The cells of one feature."""

    def __init__(self, split: Sequence[ValueSet]) -> None:
        self.split = split
        self._is_ordered = isinstance(split[0], IntervalSet)
        self._numbers = sum(isinstance(cell, IntervalSet) and bool(cell.cuts) for cell in split)

    def nearest(self, mask: int, own: int, value: Value) -> _Nearest:
        """Return the nearest to *value*, which is in the cell *own*, of the cells in *mask*, which has not that one."""
        lowest = (mask & -mask).bit_length() - 1
        if not self._is_ordered:
            return _Nearest(1, (lowest,))
        if value is MISSING:
            return _Nearest(self._numbers, (lowest,))
        below, above = mask & (1 << own) - 1, mask >> own
        found = []
        if below:
            low = below.bit_length() - 1
            found.append((own - low, low))
        if above:
            high = own + (above & -above).bit_length() - 1
            # To the missing value it is farther than between any two numbers.
            found.append((high - own if high < self._numbers else self._numbers, high))
        count = min(found)[0]
        return _Nearest(count, tuple([cell for away, cell in found if away == count]))

    def between(self, cell: int, value: Value) -> Fraction:
        """Return the distance in numbers from *value* to a cell, for ties."""
        there = self.split[cell]
        if not self._is_ordered or value is MISSING or cell >= self._numbers:
            return Fraction(0)
        return gap(there, value)


class TreeChanges:
    """Finds closest changes of rows of one tree."""

    def __init__(self, graph: DecisionGraph, table: TreeTable) -> None:
        """Look at the cells of each feature."""
        self._graph = graph
        self._table = table
        self._lines = [_CellLine(split) for split in graph.cells]

    def closest(self, point: Point, cells: Places, row: RowCxps) -> RowChange | None:
        """Return a closest change of *point*, which is in *cells*; None where nothing changes the class.

        Of two that are as close, the one of fewer features, then of the first.  O(paths · features).
        """
        least = -1
        closest: list[tuple[tuple[int, ...], int, list[_Nearest]]] = []
        for mask, path in self._table.paths_of(cells, row):
            features = tuple(indices(mask))
            label, left = self._table.paths[path]
            ways = [self._lines[f].nearest(left[f], cells[f], point[f]) for f in features]
            count = sum(way.away for way in ways)
            if least < 0 or count < least:
                least, closest = count, []
            if count == least:
                closest.append((features, label, ways))
        if not closest:
            return None
        best = min((self._measured(point, *each) for each in closest), key=lambda each: each[0])
        (value, _, features), label, chosen = best
        changed = []
        for feature, cell in zip(features, chosen, strict=True):
            own = self._graph.features[feature].domain
            changed.append((feature, nearest_value(own, self._graph.cells[feature][cell], point[feature])))
        return RowChange(tuple(changed), label, Distance(least, value), True)

    def _measured(
        self, point: Point, features: tuple[int, ...], label: int, ways: Sequence[_Nearest]
    ) -> tuple[tuple[Fraction, int, tuple[int, ...]], int, list[int]]:
        """Return how far it is in numbers, with what breaks ties, the class, and the nearest cell of each feature."""
        total = Fraction(0)
        chosen = []
        for feature, way in zip(features, ways, strict=True):
            line, value = self._lines[feature], point[feature]
            away, cell = min([(line.between(cell, value), cell) for cell in way.cells])
            total += away
            chosen.append(cell)
        return (total, len(features), features), label, chosen
