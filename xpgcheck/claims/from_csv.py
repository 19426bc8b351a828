"""Explanations logged as CSV, one a row, as the lines of a claims file."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from xpgcheck.errors import FormatError, InputError, InstanceError, XpgcheckError, shown
from xpgcheck.judging.claim import ClaimKind
from xpgcheck.model.classifier import Classifier
from xpgcheck.model.domains import Categorical, read_cell
from xpgcheck.model.value_sets import value_text
from xpgcheck.model.values import Point, Value
from xpgcheck.readers.csv_rows import csv_rows
from xpgcheck.readers.instances import Assignment
from xpgcheck.readers.names import NameLookup

KINDS = {"axp": ClaimKind.AXP, "cxp": ClaimKind.CXP}
"""The kinds that a row can be of, in lower case."""


@dataclass(frozen=True, slots=True)
class LogColumns:
    """Which columns of the log say what, by their names in the header.

    ``members`` holds the set: features by name or by index (counted from ``base``), with ``separator`` between them;
    ``none`` is what a cell says where it claims that there is none.  The kind of all rows is ``kind``, or that in the column
    ``kind_column``.  ``class_column`` holds the class that the explainer predicts: a claim of its own.  ``row_column`` holds
    the number of the instance (counted from 1) where the values are not in the log.  ``id_column`` is echoed.
    """

    members: str
    kind: ClaimKind | None = None
    kind_column: str | None = None
    class_column: str | None = None
    row_column: str | None = None
    id_column: str | None = None
    separator: str = ";"
    none: str | None = None
    base: int = 0


def claims_of_log(
    file: BinaryIO, graph: Classifier, columns: LogColumns, *, instances: Sequence[Point] | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the claims of the rows of *file*, as records of a claims file without a model.

    *file* is CSV in UTF-8 with a header; columns that nothing asks for are ignored.  The instance of a row are the columns
    of the features' names; with *instances*, the one that its ``row_column`` numbers.  One row is held at a time.

    Raises ``InputError`` and its like naming line and column.
    """
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    try:
        rows = csv_rows(text, FormatError)
        first = next(rows, None)
        if first is None:
            raise FormatError("the file is empty", mend="write a header and one line for each explanation")
        reader = _Reader(first[1], graph, columns, instances)
        for line, cells in rows:
            yield from reader.claims(line, cells)
    finally:
        # The file is its owner's to close.
        text.detach()


class _Reader:
    """Reads the rows below one header."""

    def __init__(
        self, header: list[str], graph: Classifier, columns: LogColumns, instances: Sequence[Point] | None
    ) -> None:
        self._header = header
        self._columns_of = NameLookup(header)
        self._graph = graph
        self._columns = columns
        self._instances = instances
        self._features = NameLookup([feature.name for feature in graph.features])
        self._classes = Categorical(graph.classes)
        wanted = [columns.members, columns.kind_column, columns.class_column, columns.row_column, columns.id_column]
        self._place_of = {name: self._place(name) for name in wanted if name is not None}
        self._values = [] if instances is not None else self._feature_columns()

    def _place(self, name: str) -> int:
        """Return the position of the column that is called *name*."""
        _, found = self._columns_of.matches(name)
        if not found:
            mend = "correct the header, or say which column it is"
            raise FormatError(f"there is no column {shown(name)}", place="line 1", mend=mend)
        if len({self._header[place] for place in found}) > 1:
            error = self._columns_of.ambiguous(name, found)
            raise FormatError(f"the column {error.problem}", place="line 1", mend=error.mend)
        if len(found) > 1:
            raise FormatError(
                f"the column {shown(name)} is there twice", place="line 1", mend="give each column one name"
            )
        return found[0]

    def _feature_columns(self) -> list[int]:
        """Return the position of the column of each feature."""
        found = Assignment.of(self._header, self._graph.features)
        found.refuse_ambiguous("column", "line 1")
        for name in found.missing:
            mend = "correct the header, or say which column it is"
            raise FormatError(f"there is no column {shown(name)}", place="line 1", mend=mend)
        return found.places()

    def claims(self, line: int, cells: list[str]) -> list[dict[str, Any]]:
        """Return the claims of one row."""
        try:
            return list(self._claims(cells))
        except XpgcheckError as error:
            raise error.at(f"line {line}") from None

    def _claims(self, cells: list[str]) -> Iterator[dict[str, Any]]:
        if len(cells) != len(self._header):
            problem = f"there are {len(cells)} cells, the header has {len(self._header)}"
            raise FormatError(problem, mend="write one cell for each column")
        columns = self._columns
        record: dict[str, Any] = {"instance": self._instance(cells)}
        if columns.id_column is not None:
            record["id"] = self._cell(cells, columns.id_column)
        yield {**record, "claim": self._kind(cells).value, "features": self._members(cells)}
        if columns.class_column is not None:
            yield {**record, "claim": ClaimKind.PREDICTION.value, "class": self._class(cells, columns.class_column)}

    def _cell(self, cells: list[str], column: str) -> str:
        return cells[self._place_of[column]].strip()

    def _column(self, name: str) -> str:
        return f"column {self._place_of[name] + 1} ({shown(name)})"

    def _instance(self, cells: list[str]) -> dict[str, str]:
        features = self._graph.features
        if self._instances is None:
            point = [self._value(i, cells[place]) for i, place in enumerate(self._values)]
        else:
            assert self._columns.row_column is not None
            column = self._columns.row_column
            text = self._cell(cells, column)
            number = int(text) if text.isascii() and text.isdigit() and len(text) < 20 else 0
            if not 1 <= number <= len(self._instances):
                mend = f"number the instances from 1 to {len(self._instances)}"
                raise InputError(f"there is no instance {shown(text)}", place=self._column(column), mend=mend)
            point = list(self._instances[number - 1])
        return {feature.name: value_text(value) for feature, value in zip(features, point, strict=True)}

    def _value(self, feature: int, text: str) -> Value:
        own = self._graph.features[feature]
        try:
            return read_cell(own.domain, text)
        except InputError as error:
            place = f"column {self._values[feature] + 1} ({shown(own.name)})"
            raise InstanceError(error.problem, place=place, mend=error.mend) from None

    def _kind(self, cells: list[str]) -> ClaimKind:
        column = self._columns.kind_column
        if column is None:
            assert self._columns.kind is not None
            return self._columns.kind
        text = self._cell(cells, column)
        if text.lower() not in KINDS:
            raise FormatError(f"{shown(text)} is no kind", place=self._column(column), mend="write AXp or CXp")
        return KINDS[text.lower()]

    def _members(self, cells: list[str]) -> list[str] | None:
        columns = self._columns
        text = self._cell(cells, columns.members)
        if columns.none is not None and text == columns.none:
            return None
        found = [self._feature(part.strip()) for part in text.split(columns.separator)] if text else []
        twice = next((name for name in found if found.count(name) > 1), None)
        if twice is not None:
            problem = f"the set names {shown(twice)} twice"
            raise FormatError(problem, place=self._column(columns.members), mend="name each feature once")
        return found

    def _feature(self, text: str) -> str:
        features, base = self._graph.features, self._columns.base
        try:
            known = self._features.position(text)
        except InputError as error:
            raise error.at(self._column(self._columns.members)) from None
        if known is not None:
            return features[known].name
        if text.isascii() and text.isdigit() and len(text) < 20 and 0 <= int(text) - base < len(features):
            return features[int(text) - base].name
        mend = f"name features, or number them from {base}, with {shown(self._columns.separator)} between them"
        raise InputError(f"there is no feature {shown(text)}", place=self._column(self._columns.members), mend=mend)

    def _class(self, cells: list[str], column: str) -> str:
        text = self._cell(cells, column)
        try:
            return str(read_cell(self._classes, text))
        except InstanceError:
            mend = f"write one of {', '.join(map(shown, self._graph.classes))}"
            raise InputError(f"there is no class {shown(text)}", place=self._column(column), mend=mend) from None
