"""Rows that have the columns that a feature was encoded into, instead of the feature: the columns become its category."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from xpgcheck.errors import InputError, InstanceError, XpgcheckError, shown
from xpgcheck.model.domains import Boolean, Feature, Real, read_cell
from xpgcheck.model.encodings import Encoding
from xpgcheck.readers.names import NameLookup


@dataclass(frozen=True, slots=True)
class EncodedGroup:
    """A feature that a table has as columns, with their positions there."""

    feature: Feature
    encoding: Encoding
    positions: tuple[int, ...]

    def category(self, cells: Sequence[object]) -> str:
        """Return the category that *cells*, a whole row, say.  Raises ``InstanceError`` that names the columns."""
        own = [cells[position] for position in self.positions]
        numbers = [self._number(column, cell) for column, cell in zip(self.encoding.columns, own, strict=True)]
        found = self.encoding.category(numbers)
        if found is None:
            raise self._no_category(numbers)
        return found

    def _number(self, column: str, cell: object) -> Fraction:
        try:
            try:
                value = read_cell(Boolean(), cell)
            except XpgcheckError:
                value = read_cell(Real(), cell)
        except XpgcheckError as error:
            raise InstanceError(
                error.problem, place=f"column {shown(column)}", mend="write the code, such as 0 or 1"
            ) from None
        assert isinstance(value, (int, Fraction))
        return Fraction(value)

    def _no_category(self, numbers: Sequence[Fraction]) -> InstanceError:
        name = shown(self.feature.name)
        pairs = list(zip(self.encoding.columns, numbers, strict=True))
        if self.encoding.is_one_hot:
            ones = [shown(column) for column, number in pairs if number == 1]
            other = next((pair for pair in pairs if pair[1] not in (0, 1)), None)
            if other is not None:
                problem = f"{other[1]} is neither 0 nor 1, in a column of the group {name}"
                return InstanceError(problem, place=f"column {shown(other[0])}", mend="write 0 or 1")
            if len(ones) > 1:
                problem = f"{' and '.join(ones[:2])} are both 1, and a row has one category of {name}"
                return InstanceError(problem, place=f"group {name}", mend="write 1 in one of them")
            problem = f"no column of the group {name} is 1"
            return InstanceError(
                problem, place=f"group {name}", mend="write 1 in one, or name the level that was dropped"
            )
        listed = ", ".join(f"{column} = {number}" for column, number in pairs[:4]) + (", …" if len(pairs) > 4 else "")
        return InstanceError(
            f"{shown(listed)} is the code of no category", place=f"group {name}", mend="correct the row"
        )


@dataclass(frozen=True, slots=True)
class EncodedTable:
    """A table in which some features are columns of their own encodings: names and rows without them."""

    groups: tuple[EncodedGroup, ...]
    kept: tuple[int, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, names: Sequence[str], features: Sequence[Feature]) -> EncodedTable | None:
        """Return the table whose columns are *names*, all those of a group among them; None where there is no such group."""
        groups = []
        taken: set[int] = set()
        own = None
        for feature in features:
            if feature.encoding is None or feature.encoding.columns == (feature.name,):
                continue
            own = own or NameLookup(names)
            found = [own.position(column) for column in feature.encoding.columns]
            positions = tuple([position for position in found if position is not None])
            if len(positions) == len(found):
                groups.append(EncodedGroup(feature, feature.encoding, positions))
                taken.update(positions)
            elif positions and own.position(feature.name) is None:
                gone = next(c for c, position in zip(feature.encoding.columns, found, strict=True) if position is None)
                problem = f"there is no column {shown(gone)} of the group {shown(feature.name)}"
                raise InstanceError(
                    problem, mend=f"add it, or write the column {shown(feature.name)} instead of the group"
                )
        if not groups:
            return None
        kept = tuple([position for position in range(len(names)) if position not in taken])
        return cls(tuple(groups), kept, (*(names[i] for i in kept), *(group.feature.name for group in groups)))

    def row(self, cells: Sequence[object]) -> list[object]:
        """Return the cells of a row in the order of ``names``.  Raises ``InstanceError`` that names the group."""
        return [*(cells[i] for i in self.kept), *(group.category(cells) for group in self.groups)]


Row = tuple[int, list[str]]
"""A line of a table, counted from 1, and its cells."""


def decoded_rows(
    first: Row, rows: Iterator[Row], features: Sequence[Feature]
) -> tuple[Row, Iterator[Row], Sequence[int]]:
    """Return the header *first* and the *rows* of a table, columns that a feature was encoded into as that feature.

    The numbers are those that the columns have in the table, from 0.

    Raises ``InstanceError`` with the line, then and while rows are taken.
    """
    if all(feature.encoding is None for feature in features):
        return first, rows, range(len(first[1]))
    try:
        table = EncodedTable.of(first[1], features)
    except InputError as error:
        raise error.at(f"line {first[0]}") from None
    if table is None:
        return first, rows, range(len(first[1]))
    numbers = [*table.kept, *(group.positions[0] for group in table.groups)]
    return (first[0], list(table.names)), _decoded(table, len(first[1]), rows), numbers


def _decoded(table: EncodedTable, width: int, rows: Iterator[Row]) -> Iterator[Row]:
    for line, cells in rows:
        if len(cells) != width:
            problem = f"there are {len(cells)} cells, the first line has {width}"
            raise InstanceError(problem, place=f"line {line}", mend="write one cell for each column")
        try:
            yield line, [str(cell) for cell in table.row(cells)]
        except InputError as error:
            raise error.at(f"line {line}") from None


def without_encodings(raw: Mapping[str, object], features: Sequence[Feature]) -> Mapping[str, object]:
    """Return *raw*, by the features' own names where it has the columns of their encodings.  Raises ``InstanceError``."""
    table = EncodedTable.of(list(raw), features)
    return raw if table is None else dict(zip(table.names, table.row(list(raw.values())), strict=True))


def encoded_names(features: Sequence[Feature]) -> list[str]:
    """Return the columns of a table in which every feature that has an encoding is encoded."""
    return [
        name
        for feature in features
        for name in ((feature.name,) if feature.encoding is None else feature.encoding.columns)
    ]
