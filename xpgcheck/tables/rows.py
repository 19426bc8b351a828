"""The rows of a table as points of feature space: of a CSV file, a pandas frame, or any rows one after the other."""

from __future__ import annotations

import bisect
import math
import os
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from xpgcheck.errors import InputError, InstanceError, XpgcheckError, shown
from xpgcheck.explanations.inputs import instance_of
from xpgcheck.model.classifier import Classifier
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.domains import Feature
from xpgcheck.model.value_sets import Grid, IntervalSet, ValueSet
from xpgcheck.model.values import Point, Value
from xpgcheck.readers.files import place_of
from xpgcheck.readers.instances import MAX_KEPT, Assignment, instance_rows, value_of
from xpgcheck.wording import counted, listed
from xpgcheck.xpg.ensembles.places import FeaturePlaces

MAX_LISTED = 5
"""Columns that a message names."""


class TableRow(NamedTuple):
    """A row: its number, counted from 1, its point, and of each feature the cell of its value."""

    number: int
    point: Point
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TableSource:
    """A table as the user gives it, which of its columns are left out, and a constraint that every row has to satisfy."""

    table: object
    drop_columns: Collection[str] = ()
    ignore_extra_columns: bool = False
    constraint: Constraint | None = None

    @property
    def is_file(self) -> bool:
        """True of the path of a file."""
        return isinstance(self.table, (str, os.PathLike))

    @property
    def is_spent_by_reading(self) -> bool:
        """True of rows that can be gone through only once."""
        return isinstance(self.table, Iterator)

    def count(self) -> int | None:
        """Return how many rows there are where that costs nothing; None otherwise."""
        try:
            return None if self.is_file else len(self.table)  # type: ignore[arg-type]
        except TypeError:
            return None

    def points(self, features: Sequence[Feature]) -> Iterator[Point]:
        """Yield the points of the rows.  Raises ``InstanceError`` that names row and column."""
        if isinstance(self.table, (str, os.PathLike)):
            found = instance_rows(
                self.table,
                features,
                drop_columns=self.drop_columns,
                ignore_extra_columns=self.ignore_extra_columns,
            )
            place = place_of(self.table)
            return (_at_row(f"{place}: line {line}", point, self._possible) for line, point in found)
        if hasattr(self.table, "itertuples") and hasattr(self.table, "columns"):
            return self._of_frame(self.table, features)
        if isinstance(self.table, dict) or not isinstance(self.table, Iterable):
            problem = f"an object of type {shown(type(self.table).__name__)} is no table"
            raise InputError(
                problem, place="table", mend="pass the path of a CSV file, a pandas frame or a list of rows"
            )
        return self._of_rows(self.table, features)

    def _possible(self, point: Point) -> Point:
        if self.constraint is not None:
            self.constraint.require(point)
        return point

    def _of_rows(self, rows: Iterable[Any], features: Sequence[Feature]) -> Iterator[Point]:
        def read(row: Any) -> Point:
            return self._possible(instance_of(features, row))

        for number, row in enumerate(rows, 1):
            yield _at_row(f"row {number}", row, read)

    def _of_frame(self, frame: Any, features: Sequence[Feature]) -> Iterator[Point]:
        readers = [_ColumnReader(feature) for feature in features]
        places = self._places([str(name) for name in frame.columns], features)

        def read(row: tuple[Any, ...]) -> Point:
            return self._possible(tuple([own.value(row[place]) for own, place in zip(readers, places, strict=True)]))

        for number, row in enumerate(frame.itertuples(index=False, name=None), 1):
            yield _at_row(f"row {number}", row, read)

    def _places(self, columns: list[str], features: Sequence[Feature]) -> list[int]:
        """Return where the frame has each feature."""
        unknown = [name for name in self.drop_columns if name not in columns]
        if unknown:
            problem = f"there is no column {shown(unknown[0])} to drop"
            raise InstanceError(problem, place="table", mend="correct drop_columns")
        dropped = {place for place, name in enumerate(columns) if name in self.drop_columns}
        found = Assignment.of(columns, features, dropped)
        found.refuse_ambiguous("column", "table")
        if found.missing:
            problem = f"there is no column for {counted(len(found.missing), 'feature')}: {_some(found.missing)}"
            raise InstanceError(problem, place="table", mend="add the column, or correct its name")
        if found.extra and not self.ignore_extra_columns:
            extra = [columns[place] for place in found.extra]
            is_one = len(extra) == 1
            problem = (
                f"the column{'' if is_one else 's'} {_some(extra)} {'is no feature' if is_one else 'are no features'}"
            )
            raise InstanceError(problem, place="table", mend="pass drop_columns=[…], or ignore_extra_columns=True")
        return found.places()


def _at_row(place: str, row: Any, read: Callable[[Any], Point]) -> Point:
    try:
        return read(row)
    except XpgcheckError as error:
        raise error.at(place) from None


def _some(names: Sequence[str]) -> str:
    texts = [shown(name, 60) for name in names[:MAX_LISTED]]
    return listed(texts) + (f" and {len(names) - MAX_LISTED:,} more" if len(names) > MAX_LISTED else "")


class _ColumnReader:
    """Reads the cells of one column; each is read once."""

    def __init__(self, feature: Feature) -> None:
        self._feature = feature
        self._known: dict[Hashable, Value] = {}

    def value(self, raw: Any) -> Value:
        # 1, 1.0 and True are equal, and may be different categories.
        key = type(raw), raw
        try:
            known = self._known.get(key)
        except TypeError:
            return value_of(self._feature, raw)
        if known is None:
            if len(self._known) >= MAX_KEPT:
                self._known.clear()
            known = self._known[key] = value_of(self._feature, raw)
        return known


class CellFinder:
    """Finds the cells of values."""

    def __init__(self, model: Classifier) -> None:
        """Prepare the cells of each feature."""
        self._finders: list[Callable[[Value], int]] = [_finder(split) for split in model.cells]

    def cells(self, point: Point) -> tuple[int, ...]:
        """Return of each value of *point* the cell that it is in."""
        return tuple([find(value) for find, value in zip(self._finders, point, strict=True)])


def _finder(split: Sequence[ValueSet]) -> Callable[[Value], int]:
    """Return what finds the cell of a value of one feature, whose cells are *split*."""
    first = split[0]
    places = FeaturePlaces(split)
    if isinstance(first, IntervalSet) and first.grid in (Grid.FLOAT32, Grid.FLOAT64):
        return _float_finder(split, first.grid, places.count - 1)
    known: dict[Value, int] = {}

    def find(value: Value) -> int:
        cell = known.get(value)
        if cell is None:
            if len(known) >= MAX_KEPT:
                known.clear()
            cell = known[value] = places.of(value)
        return cell

    return find


def _float_finder(split: Sequence[ValueSet], grid: Grid, last: int) -> Callable[[Value], int]:
    """Return the same of a feature of floats: these and the ends of its cells are compared as they are, without ranks."""
    starts = []
    for cell in split:
        if isinstance(cell, IntervalSet) and cell.cuts:
            cut = cell.cuts[0]
            starts.append(-math.inf if cut.infinite else float(grid.binary.from_rank(int(cut.value))))

    def find(value: Value) -> int:
        return bisect.bisect_right(starts, float(value)) - 1 if isinstance(value, Fraction) else last

    return find


def table_rows(source: TableSource, model: Classifier) -> Iterator[TableRow]:
    """Yield the rows of *source* for *model*, one at a time.

    Raises ``InstanceError`` that names the row and the column of a cell that cannot be read, and of a table without rows.
    """
    finder = CellFinder(model)
    number = 0
    for number, point in enumerate(source.points(model.features), 1):
        yield TableRow(number, point, finder.cells(point))
    if not number:
        raise InstanceError("there are no rows", place="table", mend="give a table with at least one row")
