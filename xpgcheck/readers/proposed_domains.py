"""Domains proposed for the columns of a table: what its values look like, for a person to confirm as a schema.

A proposal never bounds a column by the values that happen to be there, and nothing is read by it until it is given back.
"""

from __future__ import annotations

import io
import math
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from xpgcheck.arguments import TEXTS, takes
from xpgcheck.errors import InputError, InstanceError, XpgcheckError, shown
from xpgcheck.model.domains import Boolean, Categorical, Domain, Integer, exact_number
from xpgcheck.model.value_sets import number_text
from xpgcheck.readers.csv_rows import csv_rows
from xpgcheck.readers.files import PathLike, opened_file, place_of
from xpgcheck.readers.names import MAX_NAME_LENGTH, check_name
from xpgcheck.readers.table_schemas import TableSchema

MAX_CATEGORIES = 1_000
"""Different texts up to which a column is proposed as categories."""

MAX_SHOWN = 3
"""Categories that a description names."""

_MISSING = frozenset(("", "nan", "na", "n/a", "<na>", "null", "none", "missing"))
_BOOLEANS = frozenset(("true", "false"))


@takes(drop_columns=TEXTS)
def domains_from(table: object, *, drop_columns: Collection[str] = ()) -> TableSchema:
    """Return the domains that the columns of a table look like they have: a proposal, to be looked at and then stated.

    Whole numbers are proposed as integers without bounds, 0 and 1 (or true and false) as Boolean, up to a thousand texts as
    categories.  Other numbers, and columns with missing values, are left as the model reads them.

    Parameters
    ----------
    table
        The path of a CSV file with a header, a pandas frame, or a list of dicts.
    drop_columns
        Names of columns that are left out.

    Returns
    -------
    TableSchema
        The proposal; ``seen`` says of each column what was there.

    Raises
    ------
    InputError
        The table cannot be read; the message names the place.

    Notes
    -----
    One pass; memory for the categories alone.

    Examples
    --------
    >>> sorted(domains_from([{"age": 41, "student": "yes"}, {"age": 25, "student": "no"}]).seen)
    ['age', 'student']
    """
    columns: dict[str, _Column] = {}
    for row in _rows(table):
        for name, raw in row.items():
            if name not in drop_columns:
                columns.setdefault(name, _Column()).add(raw)
    if not columns:
        raise InputError("there are no rows to propose domains from", place="table", mend="give a table with some")
    found = {name: column.domain() for name, column in columns.items()}
    return TableSchema(found, {name: column.seen() for name, column in columns.items()})


def _rows(table: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of *table* by the names of its columns."""
    if isinstance(table, (str, os.PathLike)):
        yield from _csv(table)
        return
    if hasattr(table, "itertuples") and hasattr(table, "columns"):
        names = [str(name) for name in table.columns]
        for values in table.itertuples(index=False, name=None):
            yield dict(zip(names, values, strict=True))
        return
    if isinstance(table, Mapping) or not isinstance(table, Iterable):
        problem = f"an object of type {shown(type(table).__name__)} is no table"
        raise InputError(problem, place="table", mend="pass the path of a CSV file, a pandas frame or a list of dicts")
    for number, row in enumerate(table, 1):
        if not isinstance(row, Mapping):
            raise InputError("this is no dict", place=f"row {number}", mend="pass rows with the names of their columns")
        yield {str(name): value for name, value in row.items()}


def _csv(path: PathLike) -> Iterator[Mapping[str, str]]:
    with opened_file(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
        try:
            rows = csv_rows(text, InstanceError)
            first = next(rows, None)
            if first is None:
                raise InstanceError("the file is empty", mend="write a header and rows")
            names = first[1]
            for place, name in enumerate(names):
                check_name("column", name, f"line {first[0]}, column {place + 1}")
                if name in names[:place]:
                    problem = f"the column {shown(name)} is there twice"
                    raise InstanceError(problem, place=f"line {first[0]}", mend="give each column its own name")
            for line, cells in rows:
                if len(cells) != len(names):
                    problem = f"there are {len(cells)} cells, the first line has {len(names)}"
                    raise InstanceError(problem, place=f"line {line}", mend="write one cell for each column")
                yield dict(zip(names, cells, strict=True))
        except XpgcheckError as error:
            raise error.at(place_of(path)) from None
        finally:
            text.detach()


class _Column:
    """The cells of one column that were seen so far."""

    def __init__(self) -> None:
        self._count = 0
        self._missing = 0
        self._numbers = 0
        self._whole = 0
        self._booleans = 0
        self._low: Fraction | None = None
        self._high: Fraction | None = None
        self._texts: dict[str, None] | None = {}
        self._known: dict[tuple[type, Any], Fraction | None] = {}

    def add(self, raw: Any) -> None:
        """Look at a cell."""
        self._count += 1
        if type(raw).__name__ in ("NAType", "NaTType"):
            raw = None
        elif hasattr(raw, "dtype") and hasattr(raw, "item"):
            raw = raw.item()
        if _is_missing(raw):
            self._missing += 1
            return
        text = str(raw)
        self._note(text)
        if isinstance(raw, bool) or text.strip().lower() in _BOOLEANS:
            self._booleans += 1
            return
        number = _number(raw)
        if number is None:
            return
        self._numbers += 1
        self._whole += number.denominator == 1
        self._low = number if self._low is None else min(self._low, number)
        self._high = number if self._high is None else max(self._high, number)

    def _note(self, text: str) -> None:
        if self._texts is not None:
            self._texts[text] = None
            if len(self._texts) > MAX_CATEGORIES:
                self._texts = None

    def domain(self) -> Domain | None:
        """Return the domain to propose; None where the column is as the model reads it."""
        there = self._count - self._missing
        if self._missing and there and self._whole == self._numbers == there:
            return Integer(missing=True)
        if self._missing or not there:
            return None
        if self._booleans == there:
            return Boolean()
        if self._numbers == there:
            if self._whole < there:
                return None
            return Boolean() if self._low == 0 and self._high == 1 else Integer()
        if self._texts is None or any(not _is_name(text) for text in self._texts):
            return None
        return Categorical(tuple(sorted(self._texts)))

    def seen(self) -> str:
        """Return what is there, in words."""
        there = self._count - self._missing
        if not there:
            return "no values"
        missing = f", {self._missing:,} of {self._count:,} missing" if self._missing else ""
        if self._booleans == there:
            return f"true and false{missing}"
        if self._numbers == there:
            assert self._low is not None
            assert self._high is not None
            kind = "whole numbers" if self._whole == there else "numbers"
            return f"{kind} from {_short(self._low)} to {_short(self._high)}{missing}"
        if self._texts is None:
            return f"more than {MAX_CATEGORIES:,} different texts{missing}"
        some = ", ".join(shown(text, 40) for text in sorted(self._texts)[:MAX_SHOWN])
        more = ", …" if len(self._texts) > MAX_SHOWN else ""
        return f"{len(self._texts):,} different texts ({some}{more}){missing}"


def _is_missing(raw: Any) -> bool:
    if isinstance(raw, str):
        return raw.strip().lower() in _MISSING
    return raw is None or (isinstance(raw, float) and math.isnan(raw))


def _number(raw: Any) -> Fraction | None:
    try:
        return exact_number(raw) if isinstance(raw, str) else Fraction(raw)
    except (ValueError, OverflowError, TypeError):
        return None


def _short(number: Fraction) -> str:
    text = number_text(number)
    return text if len(text) <= 20 else f"{float(number):.6g}"


def _is_name(text: str) -> bool:
    return bool(text.strip()) and text.isprintable() and len(text) <= MAX_NAME_LENGTH
