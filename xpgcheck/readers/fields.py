"""Reading the fields of decoded JSON one by one, each of its type, with the place of whatever is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from xpgcheck.errors import FormatError, LimitError, shown
from xpgcheck.readers.files import decode_utf8

T = TypeVar("T")

_INTEGERS = {int, bool}
_NUMBERS = {int, bool, float}
"""The types of decoded numbers."""


def damaged(problem: str, place: str) -> FormatError:
    """Return the error for a file that its own program would not have written."""
    return FormatError(problem, place=place, mend="the file is damaged; write it again")


def decode_json(data: bytes, again: str, parse_float: Callable[[str], Any] = float) -> Any:
    """Return the JSON in *data*, with NaN and infinities where a library writes them; *again* says how to write it.

    *parse_float* makes what a number with a fraction or an exponent comes to.

    Raises ``FormatError`` where this is not JSON, not UTF-8, or has a key twice in an object, ``LimitError`` where it is
    nested too deeply.
    """
    text = decode_utf8(data)
    try:
        return json.loads(text, object_pairs_hook=written_once, parse_float=parse_float)
    except RecursionError:
        raise LimitError("the JSON is nested too deeply", mend=f"{again}, of a model that is less deep") from None
    except FormatError:
        raise
    except ValueError:
        raise FormatError("this is not JSON, or cut off", mend=again) from None


def written_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of *pairs*, a hook of ``json.loads``.  Raises ``FormatError`` where a key comes twice."""
    once = dict(pairs)
    if len(once) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise FormatError(f"the key {shown(twice)} is written twice", mend="write each key once")
    return once


def plain(text: str) -> str:
    """Return *text*, a number; ``ValueError`` where only Python would read it: 1_0, digits of other scripts."""
    if "_" in text or not text.isascii():
        raise ValueError(text)
    return text


class Fields:
    """A JSON object and its place."""

    def __init__(self, value: object, place: str) -> None:
        if not isinstance(value, dict):
            raise damaged("this is not an object", place)
        self._value = value
        self.place = place

    def get(self, key: str) -> Any:
        """Return the value of *key*, of any type."""
        if key not in self._value:
            raise damaged(f"the field {shown(key)} is missing", self.place)
        return self._value[key]

    def fields(self, key: str) -> Fields:
        """Return the object at *key*."""
        return Fields(self.get(key), f"{self.place}.{key}")

    def items(self, key: str) -> list[Any]:
        """Return the array at *key*."""
        return self._typed(key, self.get(key), list)

    def text(self, key: str) -> str:
        """Return the text at *key*."""
        return self._typed(key, self.get(key), str)

    def number(self, key: str) -> float:
        """Return the number at *key* as a double."""
        raw = self.get(key)
        if isinstance(raw, bool) or not isinstance(raw, (int, float)):
            raise damaged("this is not a number", f"{self.place}.{key}")
        try:
            return float(raw)
        except OverflowError:
            raise damaged("this number is too large", f"{self.place}.{key}") from None

    def optional(self, key: str, kind: type[T]) -> T | None:
        """Return the value at *key*, or None where there is none."""
        return self._typed(key, self._value[key], kind) if self._value.get(key) is not None else None

    def whole(self, key: str, default: int | None = None) -> int:
        """Return the integer at *key*, which may be written as a text."""
        raw = self._value.get(key, default)
        try:
            if isinstance(raw, bool) or not isinstance(raw, (int, str)):
                raise TypeError
            return int(plain(raw)) if isinstance(raw, str) else raw
        except (ValueError, TypeError):
            raise damaged(f"{shown(repr(raw))} is not an integer", f"{self.place}.{key}") from None

    def integers(self, key: str, default: list[int] | None = None) -> list[int]:
        """Return the integers (or Booleans) of the array at *key*."""
        raw = self._value.get(key, default)
        items = self._typed(key, raw, list)
        if not {*map(type, items)} <= _INTEGERS:
            raise damaged("this is not an array of integers", f"{self.place}.{key}")
        return items

    def numbers(self, key: str) -> list[float]:
        """Return the numbers of the array at *key*."""
        items = self.items(key)
        if not {*map(type, items)} <= _NUMBERS:
            raise damaged("this is not an array of numbers", f"{self.place}.{key}")
        try:
            return list(map(float, items))
        except OverflowError:
            raise damaged("a number is too large", f"{self.place}.{key}") from None

    def _typed(self, key: str, raw: object, kind: type[T]) -> T:
        if not isinstance(raw, kind):
            raise damaged(f"this is not of type {kind.__name__}", f"{self.place}.{key}")
        return raw
