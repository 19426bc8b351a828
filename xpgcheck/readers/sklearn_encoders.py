"""Encoders and discretizers of scikit-learn as steps: what stands for each category, or for the numbers of a bin."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from xpgcheck.columns.encoded import EncodedColumn
from xpgcheck.columns.steps import Bins, Exceeds, Lookup, TableCell
from xpgcheck.errors import InputError, shown
from xpgcheck.model.values import MISSING, Missing
from xpgcheck.readers.fields import damaged
from xpgcheck.readers.fitted_parts import FittedPart, RawCell
from xpgcheck.readers.sklearn_columns import (
    EncodedColumns,
    Known,
    check_known,
    check_width,
    note_categories,
    plain_cell,
)

WIDE = (
    "float64",
    "int64",
    "int32",
    "int16",
    "int8",
    "uint64",
    "uint32",
    "uint16",
    "uint8",
    "bool",
    "int",
    "float",
    "object",
)
"""Types of encoded columns that are calculated with in binary64."""


def one_hot(part: FittedPart, table: EncodedColumns, known: Known) -> EncodedColumns:
    """Return *table* through a ``OneHotEncoder``: a column for each category, or group of infrequent ones, not dropped."""
    categories = _categories(part, table)
    groups = _groups(part, categories)
    dropped = _dropped(part, len(categories))
    found: list[EncodedColumn] = []
    for column, own, group, drop in zip(table.columns, categories, groups, dropped, strict=True):
        note_categories(column, own, known)
        for place in range(max(group.numbers, default=-1) + 1):
            if place == drop:
                continue
            codes = {cell: float(number == place) for cell, number in zip(own, group.numbers, strict=True)}
            lookup = Lookup(codes, _unknown_one_hot(part, place, group.infrequent))
            check_known(column, lookup)
            found.append(column.then(lookup))
    return EncodedColumns(tuple(found), part.constant("sparse_output") is not False, _is_single(part, "dtype"))


def _unknown_one_hot(part: FittedPart, place: int, infrequent: int | None) -> float | None:
    """Return what the column *place* has for an unknown category; None where it is refused."""
    way = part.constant("handle_unknown")
    if way == "error":
        return None
    if way == "ignore":
        return 0.0
    if way in ("infrequent_if_exist", "warn"):
        return float(place == infrequent)
    raise InputError(f"handle_unknown is {shown(way)}", mend="fit it with 'error', 'ignore' or 'infrequent_if_exist'")


def _categories(part: FittedPart, table: EncodedColumns) -> list[list[TableCell]]:
    """Return the categories of each column.  Raises ``InputError`` where two are alike to a table."""
    found: list[list[TableCell]] = []
    for number, own in enumerate(part.lists("categories_")):
        if own is None:
            raise damaged("the categories are not there", "categories_")
        cells = [plain_cell(raw) for raw in own]
        if len(set(cells)) < len(cells):
            problem = f"column {number} has two categories that a table writes alike"
            raise InputError(problem, mend="have one kind of missing value (None or NaN), and fit again")
        found.append(cells)
    check_width(table, len(found), part.kind)
    return found


@dataclass(frozen=True, slots=True)
class _Groups:
    """The number of each category of a column; ``infrequent`` is that of all infrequent ones, if there are such."""

    numbers: list[int]
    infrequent: int | None = None


def _groups(part: FittedPart, categories: Sequence[Sequence[TableCell]]) -> list[_Groups]:
    """Return of each column the numbers of its categories, infrequent ones having the last one together."""
    mappings: list[list[RawCell] | None] = [None] * len(categories)
    if part.constant("_infrequent_enabled") is True:
        mappings = part.lists("_default_to_infrequent_mappings")
    found = []
    for own, mapping in itertools.zip_longest(categories, mappings):
        if own is None or (mapping is not None and len(mapping) > len(own)):
            raise damaged("the infrequent categories are not there", part.kind)
        numbers = [int(number) for number in mapping or () if isinstance(number, int)]
        # The missing value of an OrdinalEncoder, which comes last, is in no group.
        numbers += range(len(numbers), len(own))
        found.append(_Groups(numbers, None if mapping is None else max(numbers[: len(mapping)], default=None)))
    return found


def _dropped(part: FittedPart, count: int) -> list[int | None]:
    key = "_drop_idx_after_grouping" if part.has("_drop_idx_after_grouping") else "drop_idx_"
    if not part.has(key):
        return [None] * count
    raw = part.constants(key)
    found = [int(number) for number in raw if isinstance(number, (int, float)) and float(number).is_integer()]
    if len(raw) != count or len(found) != sum(number is not None for number in raw):
        raise damaged("the categories that are dropped are not there", key)
    own = iter(found)
    return [None if number is None else next(own) for number in raw]


def ordinal(part: FittedPart, table: EncodedColumns, known: Known) -> EncodedColumns:
    """Return *table* through an ``OrdinalEncoder``: the number of each category, and what stands for none and unknown."""
    categories = _categories(part, table)
    groups = _groups(part, categories)
    raw = part.lists("categories_")
    found: list[EncodedColumn] = []
    otherwise: float | Missing | None = None
    if part.constant("handle_unknown") == "use_encoded_value":
        otherwise = _code(part.constant("unknown_value"))
    for column, own, given, group in zip(table.columns, categories, raw, groups, strict=True):
        note_categories(column, own, known)
        codes: dict[TableCell, float | Missing] = {}
        for cell, value, number in zip(own, given or (), group.numbers, strict=True):
            # None is a category among others, NaN is not.
            missing = cell is MISSING and value is not None
            codes[cell] = _code(part.constant("encoded_missing_value")) if missing else float(number)
        lookup = Lookup(codes, otherwise)
        check_known(column, lookup)
        found.append(column.then(lookup))
    return EncodedColumns(tuple(found), False, _is_single(part, "dtype"))


def _code(raw: RawCell) -> float | Missing:
    cell = plain_cell(raw)
    if cell is MISSING:
        return MISSING
    if isinstance(cell, (int, float)):
        return float(cell)
    raise damaged(f"{shown(repr(raw))} is no code", "encoded value")


def bins(part: FittedPart, table: EncodedColumns, known: Known) -> EncodedColumns:
    """Return *table* through a ``KBinsDiscretizer``: the number of inner edges that are at most x, or a column a bin."""
    if part.dtype("dtype") not in ("", "float64"):
        problem = f"it casts numbers to {part.dtype('dtype')}"
        raise InputError(problem, mend="leave its dtype at None")
    _refuse_narrow(table)
    edges = part.lists("bin_edges_")
    check_width(table, len(edges), part.kind)
    encode = part.constant("encode")
    found: list[EncodedColumn] = []
    for column, own in zip(table.columns, edges, strict=True):
        inner = tuple([float(edge) for edge in own or () if isinstance(edge, (int, float))])[1:-1]
        if list(inner) != sorted(inner):
            raise damaged("the edges do not increase", "bin_edges_")
        binned = column.then(Bins(inner))
        if encode == "ordinal":
            found.append(binned)
            continue
        for place in range(len(inner) + 1):
            codes: dict[TableCell, float | Missing] = {
                float(number): float(number == place) for number in range(len(inner) + 1)
            }
            found.append(binned.then(Lookup(codes)))
    return EncodedColumns(tuple(found), encode == "onehot", False)


def binarizer(part: FittedPart, table: EncodedColumns, known: Known) -> EncodedColumns:
    """Return *table* through a ``Binarizer``: 1 where x is over its threshold, else 0."""
    threshold = part.constant("threshold")
    if isinstance(threshold, bool) or not isinstance(threshold, (int, float)):
        raise damaged("the threshold is no number", "threshold")
    _refuse_narrow(table)
    return EncodedColumns(
        tuple([column.then(Exceeds(float(threshold))) for column in table.columns]), table.sparse, table.single
    )


def _refuse_narrow(table: EncodedColumns) -> None:
    if table.single:
        problem = "it compares in float32, as an encoder before it has that type"
        raise InputError(problem, mend="leave the encoder's dtype at float64")


def _is_single(part: FittedPart, key: str) -> bool:
    """Tell whether encoded columns are binary32.  Raises ``InputError`` where they are of another narrow type."""
    name = part.dtype(key)
    if name == "float32":
        return True
    if name not in WIDE:
        raise InputError(f"its dtype is {name}", mend="leave it at float64")
    return False
