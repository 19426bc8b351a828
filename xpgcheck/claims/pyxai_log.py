"""Logs of PyXAI's forests as published with arXiv 2511.03169: records of several lines, as lines of a log of our own.

.. code-block:: text

    i: 0.0,1.0,2.5
    pred: 0
    expl: [2, 3]
    s: 2
    wit: 0.0,0.0,1.0
    pred of wit: 1
    rtime: 0.0379

Features are numbered from 1.  A record with ``wit:`` claims a CXp, ``None`` being no witness; one without it claims an AXp.
``expl: timeout`` is an explainer that did not answer.  What the other lines say is not read; times of the whole log may
follow the records.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from xpgcheck.errors import FormatError, XpgcheckError, shown
from xpgcheck.readers.files import decode_utf8

FIRST = "i"
FIELDS = (FIRST, "pred", "expl", "s", "wit", "pred of wit", "rtime")
TOTALS = ("max time", "min time", "avg time")

_MEND = "write the lines i:, pred:, expl: and, of a CXp, wit:"

Numbered = tuple[int, bytes | XpgcheckError]
"""A line with its number, or why it is not read."""


def begins_pyxai_log(line: bytes) -> bool:
    """Tell whether *line* is the first one of such a log."""
    return re.match(rb"\s*i:", line) is not None


def claims_of_pyxai(lines: Iterable[Numbered]) -> Iterator[Numbered]:
    """Yield for each record the line of a log that says the same (:mod:`xpgcheck.claims.logged`), by its first number.

    Of what is no such record the ``FormatError``, with the number of the line.  Holds one record at a time.
    """
    reader = _Reader()
    for number, data in lines:
        yield from reader.take(number, data)
    yield from reader.ended()


class _Reader:
    """The record that is being read, if any."""

    def __init__(self) -> None:
        self._record: _Record | None = None

    def take(self, number: int, data: bytes | XpgcheckError) -> Iterator[Numbered]:
        """Yield the record that a line ends, and what is wrong with the line."""
        try:
            if not isinstance(data, bytes):
                raise data
            name, text = _field(decode_utf8(data))
        except XpgcheckError as error:
            if self._record is not None:
                self._record.broken = True
            yield number, error
            return
        if name == FIRST:
            yield from self.ended()
            self._record = _Record(number)
        if self._record is None:
            yield number, FormatError("a record begins without 'i:'", mend=_MEND)
        elif name not in TOTALS:
            problem = self._record.add(name, text, number)
            if problem is not None:
                yield number, problem

    def ended(self) -> Iterator[Numbered]:
        """Yield the record, unless one of its lines was refused."""
        if self._record is not None and not self._record.broken:
            yield self._record.claim()


def _field(line: str) -> tuple[str, str]:
    name, colon, text = line.partition(":")
    name = name.strip()
    if not colon or name not in (*FIELDS, *TOTALS):
        raise FormatError(f"this is not a line of a log of PyXAI: {shown(line.strip(), 60)}", mend=_MEND)
    return name, text.strip()


class _Record:
    """The lines of one record.  ``broken`` tells that one of them was refused: then it claims nothing."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.broken = False
        self._fields: dict[str, tuple[int, str]] = {}

    def add(self, name: str, text: str, number: int) -> FormatError | None:
        """Take a line; return what is wrong with it, if anything."""
        if name in self._fields:
            self.broken = True
            return FormatError(f"'{name}:' is there twice in one record", mend="begin each record with 'i:'")
        self._fields[name] = number, text
        return None

    def claim(self) -> Numbered:
        """Return the line of a log that says the same, or what is wrong."""
        number = self.number
        try:
            for name in (FIRST, "pred", "expl"):
                if name not in self._fields:
                    raise FormatError(f"the record has no '{name}:'", mend="add it, or leave the record out")
            read: dict[str, Any] = {}
            for name, read_ in ((FIRST, _point), ("pred", _class), ("expl", _features), ("wit", _witness)):
                if name in self._fields:
                    number, text = self._fields[name]
                    read[name] = read_(text)
            number = self._fields["expl"][0]
            _check_features(read["expl"], len(read[FIRST]))
        except FormatError as error:
            return number, error
        return self.number, msgspec.json.encode(_document(read, is_cxp="wit" in self._fields))


def _document(read: dict[str, Any], *, is_cxp: bool) -> dict[str, Any]:
    kind = "cxp" if is_cxp else "axp"
    if read["expl"] is None:
        return {"instance": read[FIRST], "claim": "CXp" if is_cxp else "AXp", "failed": "timeout"}
    document = {"instance": read[FIRST], "class": read["pred"], kind: [feature - 1 for feature in read["expl"]]}
    return document if read.get("wit") is None else {**document, "witness": read["wit"]}


def _point(text: str) -> list[str]:
    cells = [cell.strip() for cell in text.strip("[]").split(",")]
    if not all(cells):
        raise FormatError(f"{shown(text, 60)} is not a list of values", mend="write values with commas between them")
    # Whatever the feature's domain, 1.0 is the number 1.
    return [re.sub(r"\A([-+]?\d+)\.0+\Z", r"\1", cell) for cell in cells]


def _class(text: str) -> int:
    if re.fullmatch(r"\d{1,9}", text) is None:
        raise FormatError(f"the class {shown(text, 60)} is no number", mend="write the index of the class, from 0")
    return int(text)


def _features(text: str) -> list[int] | None:
    inside = text.strip("[]()").strip()
    if inside.lower() == "timeout":
        return None
    cells = [cell.strip() for cell in inside.split(",")] if inside else []
    if not text or not all(re.fullmatch(r"\d{1,9}", cell) for cell in cells):
        raise FormatError(f"{shown(text, 60)} is not a list of features", mend="write it as [1, 4], or timeout")
    return [int(cell) for cell in cells]


def _witness(text: str) -> list[str] | None:
    return None if text.strip("[]").lower() in ("", "none") else _point(text)


def _check_features(features: list[int] | None, count: int) -> None:
    for feature in features or ():
        if not 1 <= feature <= count:
            mend = f"features are numbered from 1, and the instance has {count} values"
            raise FormatError(f"there is no feature {feature}", mend=mend)
