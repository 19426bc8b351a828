"""Claims files: JSON Lines, one claim per line, read in constant memory.

A first line ``{"format": "xpgcheck-claims", "version": 1}`` may go before the claims, with the subject that they are of.
``schemas/claims.schema.json`` describes the lines.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO, TypeVar

import msgspec

from xpgcheck.claims.logged import DECODER as LOGGED
from xpgcheck.claims.logged import is_logged
from xpgcheck.claims.pyxai_log import begins_pyxai_log, claims_of_pyxai
from xpgcheck.claims.reading import ClaimRecord
from xpgcheck.claims.xdl_log import begins_xdl_log, claims_of_xdl
from xpgcheck.errors import FormatError, LimitError, XpgcheckError, is_plain, shown
from xpgcheck.readers.files import PathLike, decode_utf8, opened_file, place_of
from xpgcheck.readers.json_records import NumberText

FORMAT = "xpgcheck-claims"
VERSION = 1

MAX_LINE = 1024 * 1024
"""Bytes that one line may have."""

STDIN = "-"
STANDARD_INPUT = "standard input"


class ClaimLine(ClaimRecord, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of a claims file: a claim, the instance that it is of, and the model unless there is only one.

    ``id`` and ``subject`` are echoed.  Numbers with a fraction or an exponent are kept as they are written.
    """

    instance: dict[str, Any] | list[Any]
    model: str | None = None
    id: str | int | None = None
    subject: str = ""


class LoggedLine(ClaimLine, kw_only=True):
    """A line of a log (:mod:`xpgcheck.claims.logged`): a claimed XP, the class that was predicted, and its witness."""

    predicted: str | int | None = None
    witness: dict[str, Any] | list[Any] | None = None


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """The first line of a claims file that has a header."""

    format: str
    version: int
    subject: str = ""


class _MaybeHeader(msgspec.Struct):
    format: Any = msgspec.UNSET


_LINE = msgspec.json.Decoder(ClaimLine, float_hook=NumberText)
_HEADER = msgspec.json.Decoder(Header)
_MAYBE = msgspec.json.Decoder(_MaybeHeader, float_hook=NumberText)

Decoded = TypeVar("Decoded")

RawLine = tuple[int, bytes | XpgcheckError]
"""A line's number, and its bytes without the line end, or why they are not read."""


def place_of_claims(path: PathLike) -> str:
    """Return what messages call the claims file at *path*."""
    return STANDARD_INPUT if str(path) == STDIN else place_of(path)


@contextlib.contextmanager
def opened(path: PathLike) -> Iterator[BinaryIO]:
    """Open the claims file at *path*, or the standard input for ``-``.  Raises ``InputError`` that names the file."""
    if str(path) == STDIN:
        yield sys.stdin.buffer
        return
    with opened_file(path) as file:
        yield file


def raw_lines(file: BinaryIO, max_line: int = MAX_LINE) -> Iterator[RawLine]:
    """Yield the lines of *file* that are not blank, numbered from 1; of one over *max_line* bytes a ``LimitError``.

    A byte order mark before the first line is dropped, and CRLF ends a line too.  Holds one line at a time.  Where the first
    line begins a log of another form, its claims are yielded as lines of a log, or why one cannot be read.
    """
    lines = _lines_of(file, max_line)
    first = next(lines, None)
    if first is None:
        return
    begun = first[1] if isinstance(first[1], bytes) else b""
    whole = itertools.chain([first], lines)
    if begins_pyxai_log(begun):
        yield from claims_of_pyxai(whole)
    elif begins_xdl_log(begun):
        yield from claims_of_xdl(whole)
    else:
        yield from whole


def _lines_of(file: BinaryIO, max_line: int) -> Iterator[RawLine]:
    number = 0
    while line := file.readline(max_line + 2):
        number += 1
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        ended = line.endswith(b"\n")
        line = line.rstrip(b"\r\n") if ended else line
        if len(line) > max_line:
            while not ended and (rest := file.readline(max_line)):
                ended = rest.endswith(b"\n")
            problem = f"the line has over {max_line:,} bytes"
            yield number, LimitError(problem, mend="split the claim, or write it shorter")
        elif line.strip():
            yield number, line


def count_lines(path: PathLike) -> int:
    """Return the number of line ends in the file at *path*: about how many claims there are.  Reads it once."""
    with opened(path) as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))


def header_of(line: bytes) -> Header | None:
    """Return the header that the first *line* is; None where it has no key ``format``, and so is a claim.

    Raises ``FormatError`` where it is the header of something else.
    """
    try:
        if _MAYBE.decode(line).format is msgspec.UNSET:
            return None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError):
        return None
    try:
        header = _HEADER.decode(line)
    except msgspec.ValidationError as error:
        raise _explained(str(error)) from None
    if header.format != FORMAT:
        raise FormatError(f"the format is {shown(header.format)}", mend=f"the format that is read is '{FORMAT}'")
    if header.version != VERSION:
        raise FormatError(f"the version is {header.version}", mend=f"the version that is read is {VERSION}")
    return header


def decode_line(line: bytes) -> ClaimLine:
    """Return the record of one line, of a claims file or of a log.

    Raises ``FormatError`` on what is not UTF-8, not JSON, nested too deeply, unknown, missing, wrongly typed, or written
    twice.  Linear.
    """
    if not is_logged(line):
        return _decoded(_LINE, line)
    record = _decoded(LOGGED, line)
    kind = record.kind()
    features = record.axp if record.cxp is msgspec.UNSET else record.cxp
    return LoggedLine(
        claim=kind.value,
        features=features,
        instance=record.instance,
        model=record.model,
        id=record.id,
        predicted=None if record.class_name is msgspec.UNSET else record.class_name,
        witness=None if record.witness is msgspec.UNSET else record.witness,
    )


def _decoded(decoder: msgspec.json.Decoder[Decoded], line: bytes) -> Decoded:
    try:
        record = decoder.decode(line)
    except UnicodeDecodeError:
        raise _not_utf8() from None
    except RecursionError:
        raise FormatError("the JSON is nested too deeply", mend="follow the schema of claims") from None
    except msgspec.ValidationError as error:
        raise _explained(str(error), line) from None
    except msgspec.DecodeError as error:
        raise _not_json(line, str(error)) from None
    except ValueError:
        raise FormatError("an integer has too many digits", mend="write at most 400 digits") from None
    try:
        json.loads(line, object_pairs_hook=_keys_once, parse_int=str, parse_float=str)
    except RecursionError:
        raise FormatError("the JSON is nested too deeply", mend="follow the schema of claims") from None
    return record


def _keys_once(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise FormatError(f"the key {shown(twice)} is written twice", mend="write each key once")


def _not_utf8() -> FormatError:
    return FormatError("the line is not UTF-8 text", mend="save the file as UTF-8")


def _not_json(line: bytes, message: str) -> FormatError:
    if b"\0" in line[:4] or line.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _not_utf8()
    try:
        decode_utf8(line)
    except FormatError:
        return _not_utf8()
    position = re.search(r"\(byte (\d+)\)", message)
    if position is None:
        return FormatError("the JSON breaks off", mend="write one whole JSON object a line")
    offset = int(position[1])
    if re.match(rb"[ ,\[:]*-?(NaN|Inf)", line[max(0, offset - 1) : offset + 6]):
        return FormatError("NaN and infinities are not JSON numbers", mend="write finite numbers, null for missing")
    reason = message.split(": ")[-1].split(" (byte")[0]
    return FormatError(
        f"this is not JSON ({reason})", place=f"column {offset + 1}", mend="write one JSON object a line"
    )


def _explained(message: str, line: bytes = b"") -> FormatError:
    """Turn a complaint of msgspec into a problem with its place inside the line."""
    problem, _, place = message.partition(" - at `")
    place = place.rstrip("`").removeprefix("$").removeprefix(".")
    quoted = re.findall("`([^`]*)`", problem)
    mend = "follow the schema of claims ('xpgcheck schema claims')"
    if problem.startswith("Object missing required field"):
        problem, mend = f"the field {shown(quoted[0])} is missing", "add it"
    elif problem.startswith("Object contains unknown field"):
        problem, mend = f"the field {shown(''.join(quoted))} is unknown", "remove it or correct its name"
        if quoted == ["format"] and FORMAT.encode() in line:
            problem, mend = "a header after the first line", "remove it"
    elif problem.startswith("Expected") and len(quoted) == 2:
        problem, mend = f"this is of type {quoted[1]}", f"write a value of type {' or '.join(quoted[0].split(' | '))}"
    return FormatError(problem if is_plain(problem) else shown(problem), place=place, mend=mend)
