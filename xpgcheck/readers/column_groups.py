"""Groups of encoded columns as users say them: patterns, mappings, and JSON of format ``groups``, version 1."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from xpgcheck.errors import FormatError, InputError, XpgcheckError, did_you_mean, shown
from xpgcheck.model.domains import exact_number
from xpgcheck.readers.fields import decode_json
from xpgcheck.readers.files import place_of, read_bytes
from xpgcheck.readers.json_records import NumberText
from xpgcheck.readers.names import check_name

MAX_BYTES = 16 * 1024 * 1024

GROUPS_FORMAT = "groups"

SEPARATORS = "_=.-: "
"""Characters that stand between the name of a column and a category in the names of dummies."""

_FORM = 'write a prefix, or columns with codes (\'xpgcheck schema groups\'): {"name": "housing", "prefix": "housing_"}'


class ColumnGroupRecord(msgspec.Struct, forbid_unknown_fields=True):
    """A group: the start of its columns' names, the category of each column, or columns and the codes of categories."""

    name: str
    prefix: str | UnsetType = UNSET
    columns: dict[str, str] | list[str] | UnsetType = UNSET
    codes: dict[str, list[Any]] | UnsetType = UNSET
    dropped: str | UnsetType = UNSET


class GroupsDocument(msgspec.Struct, forbid_unknown_fields=True):
    """A whole file: groups of the columns of a model that one categorical column each was encoded into."""

    format: Literal["groups"]
    version: Literal[1]
    groups: list[ColumnGroupRecord]


Code = tuple[str, tuple[Fraction, ...]]
"""A category, and the numbers that it has in the columns of its group."""


@dataclass(frozen=True, slots=True)
class ColumnGroup:
    """A group as a user says it: a ``prefix`` of columns, or the columns and what each category has in them.

    ``dropped`` is the category that has 0 in all columns, ``place`` where the group was said.
    """

    name: str
    prefix: str = ""
    columns: tuple[str, ...] = ()
    codes: tuple[Code, ...] = ()
    dropped: str | None = None
    place: str = ""


def one_hot_codes(categories: Sequence[str]) -> list[Code]:
    """Return the codes of *categories*, one a column: 1 in it, 0 in the others."""
    count = len(categories)
    return [(own, tuple([Fraction(int(k == place)) for k in range(count)])) for place, own in enumerate(categories)]


def group_of_pattern(pattern: str, name: str | None = None, dropped: str | None = None) -> ColumnGroup:
    """Return the group of the columns that *pattern* means, such as ``housing_*``: its name is ``housing`` if none is given.

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
    """Return the groups of ``--group`` *patterns*, with *dropped* levels as ``name=level``, and those of the file at *path*.

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
    """Return the groups that *given* says: a path, a pattern, a list of patterns, or a mapping from names to what is said.

    A mapping may also be what a file has.  Raises ``InputError``, naming the place.
    """
    if isinstance(given, (str, os.PathLike)):
        text = os.fspath(given)
        if isinstance(text, str) and text.endswith("*") and not Path(text).exists():
            return [group_of_pattern(text)]
        return read_groups(given)
    if isinstance(given, Mapping):
        if isinstance(given.get("groups"), (list, tuple)):
            return _of_document({"format": GROUPS_FORMAT, "version": 1, **given})
        return [_of_value(str(name), value) for name, value in given.items()]
    if isinstance(given, Sequence):
        return [own if isinstance(own, ColumnGroup) else _of_value(None, own) for own in given]
    raise InputError("these are not groups of columns", place="groups", mend="pass {'housing': 'housing_*'}, or a path")


def _of_value(name: str | None, value: object) -> ColumnGroup:
    if isinstance(value, str):
        return group_of_pattern(value, name)
    place = "group" if name is None else f"group {shown(name)}"
    if not isinstance(value, Mapping):
        raise InputError(f"{shown(repr(value))} says no columns", place=place, mend=_FORM)
    own = {"name": name, **value} if name is not None else dict(value)
    return _group(_converted(own, ColumnGroupRecord, place), place)


def read_groups(path: str | os.PathLike[str]) -> list[ColumnGroup]:
    """Return the groups in the JSON file at *path*.  Raises ``InputError``, naming the file and the place in it."""
    data = read_bytes(path, MAX_BYTES)
    try:
        return _of_document(decode_json(data, "write the file again", NumberText))
    except XpgcheckError as error:
        raise error.at(place_of(path)) from None


def _of_document(document: object) -> list[ColumnGroup]:
    if not isinstance(document, Mapping) or document.get("format") != GROUPS_FORMAT:
        problem = "this is not a file of groups"
        raise FormatError(
            problem, place="$.format", mend=f'write "format": "{GROUPS_FORMAT}" (\'xpgcheck schema groups\')'
        )
    found = _converted(dict(document), GroupsDocument, "$").groups
    if not found:
        raise FormatError("there are no groups", place="$.groups", mend=_FORM)
    return [_group(record, f"$.groups[{k}] ({shown(record.name)})") for k, record in enumerate(found)]


def _converted(document: dict[str, Any], kind: type[Any], place: str) -> Any:
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        problem, _, inside = str(error).partition(" - at `")
        where = place + inside.rstrip("`").removeprefix("$") if inside else place
        raise FormatError(shown(problem)[1:-1], place=where, mend=_FORM) from None


def _group(record: ColumnGroupRecord, place: str) -> ColumnGroup:
    check_name("feature", record.name, place)
    dropped = None if isinstance(record.dropped, UnsetType) else record.dropped
    codes, columns = record.codes, record.columns
    if isinstance(record.prefix, UnsetType) is isinstance(columns, UnsetType):
        raise FormatError("a group has either a prefix or columns", place=place, mend=_FORM)
    if isinstance(codes, UnsetType) is isinstance(columns, list):
        problem = "a list of columns has codes, and nothing else has"
        raise FormatError(problem, place=place, mend='write "codes": {"low": [0, 1]}, a number for each column')
    if isinstance(columns, UnsetType):
        prefix = str(record.prefix)
        if not prefix:
            raise FormatError("the prefix is empty", place=place, mend=_FORM)
        return ColumnGroup(record.name, prefix, dropped=dropped, place=place)
    if not columns:
        raise FormatError("there are no columns", place=place, mend=_FORM)
    if isinstance(columns, dict):
        own = one_hot_codes(list(columns.values()))
        return ColumnGroup(record.name, "", tuple(columns), tuple(own), dropped, place)
    if len(set(columns)) < len(columns):
        raise FormatError("a column is there twice", place=place, mend="name each column once")
    assert not isinstance(codes, UnsetType)
    found = tuple([(category, _numbers(code, len(columns), place)) for category, code in codes.items()])
    return ColumnGroup(record.name, "", tuple(columns), found, dropped, place)


def _numbers(code: list[Any], count: int, place: str) -> tuple[Fraction, ...]:
    if len(code) != count:
        raise FormatError(f"a code has {len(code)} numbers for {count} columns", place=place, mend="write one a column")
    other = next((own for own in code if isinstance(own, bool) or not isinstance(own, (int, float, str))), None)
    if other is not None or None in code:
        raise FormatError(f"{shown(repr(other))} is no number", place=place, mend="write a number")
    try:
        return tuple([exact_number(str(number)) for number in code])
    except XpgcheckError as error:
        raise FormatError(error.problem, place=place, mend="write a number") from None
