"""Universal Binary JSON (draft 12), the part of it that XGBoost writes: its typed arrays hold numbers.

Nothing here knows of models; :func:`decode` gives what ``json.loads`` would.  Arrays of numbers become lists.
"""

from __future__ import annotations

import struct
from typing import Any

from xpgcheck.errors import FormatError

MAX_DEPTH = 64
"""Containers inside each other; XGBoost's models have about ten."""

_NUMBERS = {b"i": ">b", b"U": ">B", b"I": ">h", b"l": ">i", b"L": ">q", b"d": ">f", b"D": ">d"}
_STRUCTS = {mark: struct.Struct(code) for mark, code in _NUMBERS.items()}
_CONSTANTS = {b"Z": None, b"T": True, b"F": False}


def decode(data: bytes) -> Any:
    """Return the one value that *data* holds.  Raises ``FormatError`` with the place where it is damaged."""
    reader = _Reader(data)
    try:
        value = reader.value(reader.mark(), 0)
    except (struct.error, IndexError, UnicodeDecodeError, MemoryError):
        raise reader.damaged() from None
    if reader.position != len(data):
        raise reader.damaged()
    return value


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0

    def damaged(self) -> FormatError:
        place = f"byte {min(self.position, len(self.data))}"
        return FormatError("the UBJSON is damaged or cut off here", place=place, mend="write the model again")

    def mark(self) -> bytes:
        mark = self.data[self.position : self.position + 1]
        if not mark:
            raise self.damaged()
        self.position += 1
        return mark

    def value(self, mark: bytes, depth: int) -> Any:
        if mark in _STRUCTS:
            return self._number(mark)
        if mark in _CONSTANTS:
            return _CONSTANTS[mark]
        if mark == b"S":
            return self._text()
        if depth > MAX_DEPTH:
            raise self.damaged()
        if mark == b"{":
            return self._object(depth)
        if mark == b"[":
            return self._array(depth)
        raise self.damaged()

    def _number(self, mark: bytes) -> int | float:
        code = _STRUCTS[mark]
        (number,) = code.unpack_from(self.data, self.position)
        self.position += code.size
        return number  # type: ignore[no-any-return]

    def _length(self, mark: bytes | None = None) -> int:
        mark = mark or self.mark()
        length = self._number(mark) if mark in b"iUIlL" else -1
        if not isinstance(length, int) or not 0 <= length <= len(self.data):
            raise self.damaged()
        return length

    def _text(self, mark: bytes | None = None) -> str:
        length = self._length(mark)
        text = self.data[self.position : self.position + length]
        if len(text) < length:
            raise self.damaged()
        self.position += length
        return text.decode()

    def _object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while (mark := self.mark()) != b"}":
            key = self._text(mark)
            if key in found:
                raise self.damaged()
            found[key] = self.value(self.mark(), depth + 1)
        return found

    def _array(self, depth: int) -> list[Any]:
        mark = self.mark()
        if mark == b"$":
            kind = self.mark()
            if self.mark() != b"#" or kind not in _STRUCTS:
                raise self.damaged()
            length, width = self._length(), _STRUCTS[kind].size
            numbers = struct.unpack_from(f">{length}{_NUMBERS[kind][1]}", self.data, self.position)
            self.position += length * width
            return list(numbers)
        if mark == b"#":
            return [self.value(self.mark(), depth + 1) for _ in range(self._length())]
        found = []
        while mark != b"]":
            found.append(self.value(mark, depth + 1))
            mark = self.mark()
        return found
