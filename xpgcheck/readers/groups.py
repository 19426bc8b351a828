"""Groups of columns that one categorical column was encoded into, of models that come without their pipeline.

A group says of each category what it has in the columns: 1 in one of them and 0 in the others (one-hot, dummies), 0 in all
for a level that was dropped, a number in one column (ordinal), bits in several (binary).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from xpgcheck.columns.encoded import EncodedColumn
from xpgcheck.columns.rewriting import rewritten
from xpgcheck.columns.steps import Lookup, TableCell
from xpgcheck.errors import FormatError, InputError, XpgcheckError, did_you_mean, shown
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Categorical, Feature, exact_number, read_value
from xpgcheck.model.encodings import Encoding
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Missing
from xpgcheck.readers.fields import decode_json
from xpgcheck.readers.files import place_of, read_bytes
from xpgcheck.readers.names import NameLookup, check_name

MAX_BYTES = 16 * 1024 * 1024

SEPARATORS = "_=.-: "
"""What stands between the name of a column and a category in the names of dummies."""

_FORM = (
    'write {"groups": [{"name": "housing", "prefix": "housing_", "dropped": "own"}]}, or "columns" with "codes" instead of '
    '"prefix"'
)


@dataclass(frozen=True, slots=True)
class ColumnGroup:
    """A group as a user says it: a ``prefix`` of columns, or the columns and what each category has in them.

    ``dropped`` is the category that has 0 in all columns.
    """

    name: str
    prefix: str = ""
    columns: tuple[str, ...] = ()
    codes: tuple[tuple[str, tuple[Fraction, ...]], ...] = ()
    dropped: str | None = None
    place: str = ""


def grouped(classifier: DecisionGraph | Ensemble, groups: object) -> DecisionGraph | Ensemble:
    """Return a classifier with each group of its features as one feature, whose values are the categories.

    Parameters
    ----------
    classifier
        A decision graph or an ensemble over encoded columns.
    groups
        The path of a JSON file, a mapping from names to patterns such as ``"housing_*"`` or to what the file has for a
        group, a
        list of patterns, or :class:`ColumnGroup` objects.

    Returns
    -------
    DecisionGraph or Ensemble
        The classifier over the groups; rows may have the categories, or the encoded columns.

    Raises
    ------
    InputError
        A column does not exist, is in two groups, or cannot have a code; the message names the group.

    Examples
    --------
    >>> from xpgcheck.model.decision_graph import NonTerminal, Terminal, decision_graph
    >>> from xpgcheck.model.domains import Boolean, Feature
    >>> from xpgcheck.model.value_sets import FiniteSet
    >>> columns = [Feature(name, Boolean()) for name in ("house_own", "house_rent")]
    >>> edges = ("no", FiniteSet(frozenset([False]))), ("yes", FiniteSet(frozenset([True])))
    >>> nodes = {"top": NonTerminal(0, edges), "no": Terminal(0), "yes": Terminal(1)}
    >>> graph = decision_graph("loan", columns, ["no", "yes"], nodes)
    >>> [feature.name for feature in grouped(graph, ["house_*"]).features]
    ['house']
    """
    found = column_groups(groups)
    names = [feature.name for feature in classifier.features]
    encodings = [(group, _encoding(group, names)) for group in found]
    home: dict[int, int] = {}
    for number, (group, encoding) in enumerate(encodings):
        for column in encoding.columns:
            index = names.index(column)
            if index in home:
                other = found[home[index]].name
                problem = f"the column {shown(column)} is in the group {shown(other)}, too"
                raise InputError(problem, place=_place(group), mend="put each column into one group")
            home[index] = number
    return _rewritten(classifier, encodings, home)


Resolved = tuple[ColumnGroup, Encoding]
"""A group as it was said, and what it is in the model."""


def _rewritten(
    classifier: DecisionGraph | Ensemble, encodings: Sequence[Resolved], home: Mapping[int, int]
) -> DecisionGraph | Ensemble:
    features: list[Feature] = []
    columns: list[EncodedColumn] = []
    position: dict[int, int] = {}
    for index, feature in enumerate(classifier.features):
        number = home.get(index)
        if number is None:
            columns.append(EncodedColumn(len(features)))
            features.append(feature)
            continue
        group, encoding = encodings[number]
        if number not in position:
            position[number] = len(features)
            features.append(_feature(group, encoding))
        place = encoding.columns.index(feature.name)
        codes: dict[TableCell, float | Missing] = {
            name: _code(group, code[place], feature)
            for name, code in zip(encoding.categories, encoding.codes, strict=True)
        }
        # The cells of a single column are its codes already.
        columns.append(EncodedColumn(position[number], (Lookup(codes),) if len(encoding.columns) > 1 else ()))
    twice = next((f.name for i, f in enumerate(features) if f.name in [other.name for other in features[:i]]), None)
    if twice is not None:
        group = next(own for own, _ in encodings if own.name == twice)
        raise InputError(
            f"there is a feature {shown(twice)} already", place=_place(group), mend="give the group another name"
        )
    return rewritten(classifier, columns, features)


def _feature(group: ColumnGroup, encoding: Encoding) -> Feature:
    """Return the feature of *group*; a table may have the codes of a single column instead of its categories."""
    cells = tuple([code[0] for code in encoding.codes]) if len(encoding.columns) == 1 else ()
    return Feature(group.name, Categorical(encoding.categories, cells), encoding)


def _code(group: ColumnGroup, code: Fraction, column: Feature) -> float:
    """Return *code* as a float, after a look whether the domain of its *column* has it."""
    try:
        read_value(column.domain, code)
    except XpgcheckError:
        problem = f"{code} is not a value of the column {shown(column.name)}, which has {column.domain}"
        raise InputError(problem, place=_place(group), mend="correct the codes") from None
    return float(code)


def _place(group: ColumnGroup) -> str:
    return group.place or f"group {shown(group.name)}"


def _encoding(group: ColumnGroup, names: Sequence[str]) -> Encoding:
    """Return the columns, codes and categories of *group* in a model whose features are *names*."""
    place = _place(group)
    if group.prefix:
        columns = [name for name in names if name.startswith(group.prefix) and len(name) > len(group.prefix)]
        if not columns:
            problem = f"no column starts with {shown(group.prefix)}"
            mend = did_you_mean(group.prefix, names) or "correct the prefix"
            raise InputError(problem, place=place, mend=mend)
        codes = one_hot_codes([(name, name[len(group.prefix) :]) for name in columns])
    else:
        columns, codes = _found(group, names), list(group.codes)
    categories = [category for category, _ in codes]
    if group.dropped is not None:
        codes.append((group.dropped, (Fraction(0),) * len(columns)))
        categories.append(group.dropped)
    for category in categories:
        check_name("category", category, place)
    _refuse_alike(group, codes)
    return Encoding(tuple(columns), tuple(categories), tuple([code for _, code in codes]))


def _found(group: ColumnGroup, names: Sequence[str]) -> list[str]:
    lookup = NameLookup(names)
    found = []
    for column in group.columns:
        index = lookup.position(column)
        if index is None:
            mend = did_you_mean(column, names) or "correct the name"
            raise InputError(f"the model has no feature {shown(column)}", place=_place(group), mend=mend)
        found.append(names[index])
    return found


def _refuse_alike(group: ColumnGroup, codes: Sequence[tuple[str, tuple[Fraction, ...]]]) -> None:
    names: set[str] = set()
    known: dict[tuple[Fraction, ...], str] = {}
    for category, code in codes:
        if category in names:
            raise InputError(f"the category {shown(category)} is there twice", place=_place(group), mend="name it once")
        if code in known:
            problem = f"the categories {shown(known[code])} and {shown(category)} have the same code"
            raise InputError(problem, place=_place(group), mend="give each category its own")
        names.add(category)
        known[code] = category


def one_hot_codes(columns: Sequence[tuple[str, str]]) -> list[tuple[str, tuple[Fraction, ...]]]:
    """Return the codes of the categories of *columns*, pairs of a column and its category: 1 in it, 0 in the others."""
    return [
        (category, tuple([Fraction(int(k == place)) for k in range(len(columns))]))
        for place, (_, category) in enumerate(columns)
    ]


def group_of_pattern(pattern: str, name: str | None = None, dropped: str | None = None) -> ColumnGroup:
    """Return the group of the columns that *pattern* means, such as ``housing_*``: its name is ``housing`` if none is
    given.

    Raises ``InputError`` where there is no single ``*`` at the end.
    """
    prefix = pattern.removesuffix("*")
    if prefix == pattern or "*" in prefix or not prefix:
        problem = f"{shown(pattern)} is not the start of some columns"
        raise InputError(problem, place="group", mend="write the start and a star, such as 'housing_*'")
    return ColumnGroup(name or prefix.rstrip(SEPARATORS) or prefix, prefix, dropped=dropped)


def groups_of_options(
    patterns: Sequence[str], dropped: Sequence[str], path: str | os.PathLike[str] | None
) -> list[ColumnGroup]:
    """Return the groups of ``--group`` *patterns*, with *dropped* levels as ``name=level``, and those of the file at
    *path*.

    Raises ``InputError`` where a level is of no group.
    """
    levels = {}
    for text in dropped:
        name, equals, level = text.partition("=")
        if not equals or not name or not level:
            problem = f"{shown(text)} names no level"
            raise InputError(problem, place="--dropped", mend="write the name of a group, '=' and the level")
        levels[name] = level
    found = [group_of_pattern(pattern) for pattern in patterns]
    own = [group.name for group in found]
    for name in levels:
        if name not in own:
            mend = did_you_mean(name, own) or f"the groups are {', '.join(map(shown, own)) or 'those of --groups'}"
            raise InputError(f"there is no --group called {shown(name)}", place="--dropped", mend=mend)
    found = [replace(group, dropped=levels.get(group.name)) for group in found]
    return found if path is None else [*found, *read_groups(path)]


def column_groups(given: object) -> list[ColumnGroup]:
    """Return the groups that *given* says, as :func:`grouped` takes them.  Raises ``InputError``, naming the place."""
    if isinstance(given, (str, os.PathLike)):
        text = os.fspath(given)
        if isinstance(text, str) and text.endswith("*") and not Path(text).exists():
            return [group_of_pattern(text)]
        return read_groups(given)
    if isinstance(given, Mapping):
        if set(given) == {"groups"}:
            return _of_document(given, "groups")
        return [_of_mapping(str(name), value) for name, value in given.items()]
    if isinstance(given, Sequence):
        return [
            own
            if isinstance(own, ColumnGroup)
            else group_of_pattern(own)
            if isinstance(own, str)
            else _record(own, f"[{k}]")
            for k, own in enumerate(given)
        ]
    raise InputError("these are not groups of columns", place="groups", mend="pass {'housing': 'housing_*'}, or a path")


def _of_mapping(name: str, value: object) -> ColumnGroup:
    if isinstance(value, str):
        return group_of_pattern(value, name)
    if isinstance(value, Mapping):
        return _record({"name": name, **value}, f"group {shown(name)}")
    raise InputError(f"{shown(repr(value))} says no columns", place=f"group {shown(name)}", mend=_FORM)


def read_groups(path: str | os.PathLike[str]) -> list[ColumnGroup]:
    """Return the groups in the JSON file at *path* (see docs/columns.md).  Raises ``InputError``, naming file and place."""
    data = read_bytes(path, MAX_BYTES)
    try:
        return _of_document(decode_json(data, "write the file again", Decimal), "$")
    except XpgcheckError as error:
        raise error.at(place_of(path)) from None


def _of_document(document: Any, place: str) -> list[ColumnGroup]:
    groups = document.get("groups") if isinstance(document, Mapping) else None
    if not isinstance(groups, Sequence) or isinstance(groups, str) or not groups or set(document) != {"groups"}:
        raise FormatError("these are not groups of columns", place=place, mend=_FORM)
    return [_record(record, f"{place}.groups[{k}]") for k, record in enumerate(groups)]


_KEYS = {"name", "prefix", "columns", "codes", "dropped"}


def _record(record: object, place: str) -> ColumnGroup:
    if not isinstance(record, Mapping) or not isinstance(record.get("name"), str):
        raise FormatError("this is no group with a name", place=place, mend=_FORM)
    unknown = set(record) - _KEYS
    if unknown:
        problem = f"a group has no {shown(min(map(str, unknown)))}"
        raise FormatError(problem, place=place, mend=f"leave it out; a group has {', '.join(sorted(_KEYS))}")
    name, prefix, dropped = record["name"], record.get("prefix", ""), record.get("dropped")
    check_name("feature", name, f"{place}.name")
    if not isinstance(prefix, str) or not isinstance(dropped, (str, type(None))):
        raise FormatError("prefix and dropped are texts", place=place, mend=_FORM)
    columns = record.get("columns", ())
    if bool(prefix) == bool(columns):
        raise FormatError("a group has either a prefix or columns", place=place, mend=_FORM)
    if prefix:
        if "codes" in record:
            raise FormatError("codes go with columns, not with a prefix", place=place, mend=_FORM)
        return ColumnGroup(name, prefix, dropped=dropped, place=_named(place, name))
    return _of_columns(name, columns, record.get("codes"), dropped, place)


def _of_columns(name: str, columns: object, codes: object, dropped: str | None, place: str) -> ColumnGroup:
    where = _named(place, name)
    if isinstance(columns, Mapping):
        if codes is not None or not all(isinstance(text, str) for pair in columns.items() for text in pair):
            problem = "columns with their categories are texts, and have no codes"
            raise FormatError(problem, place=where, mend='write "columns": {"housing_rent": "rent"}')
        pairs = list(columns.items())
        return ColumnGroup(name, "", tuple(columns), tuple(one_hot_codes(pairs)), dropped, where)
    if isinstance(columns, str):
        columns = [columns]
    if not isinstance(columns, Sequence) or not all(isinstance(column, str) for column in columns):
        raise FormatError("columns are a list of names", place=where, mend=_FORM)
    if not isinstance(codes, Mapping) or not codes:
        problem = "the codes of the categories are missing in the columns"
        raise FormatError(problem, place=where, mend='write "codes": {"low": [0, 1]}, a number for each column')
    if len(set(columns)) < len(columns):
        raise FormatError("a column is there twice", place=where, mend="name each column once")
    found = tuple([(str(category), _numbers(code, len(columns), where)) for category, code in codes.items()])
    return ColumnGroup(name, "", tuple(columns), found, dropped, where)


def _named(place: str, name: str) -> str:
    return place if place.endswith(shown(name)) else f"{place} ({shown(name)})"


def _numbers(code: object, count: int, place: str) -> tuple[Fraction, ...]:
    own = [code] if not isinstance(code, (list, tuple)) else list(code)
    if len(own) != count:
        raise FormatError(f"a code has {len(own)} numbers for {count} columns", place=place, mend="write one a column")
    found = []
    for number in own:
        if isinstance(number, bool) or not isinstance(number, (int, float, str, Decimal)):
            raise FormatError(
                f"{shown(json.dumps(number, default=str))} is no number", place=place, mend="write a number"
            )
        try:
            found.append(exact_number(str(number)))
        except XpgcheckError as error:
            raise FormatError(error.problem, place=place, mend="write a number") from None
    return tuple(found)
