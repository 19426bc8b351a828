"""The width of a text without a font at hand, and texts that are cut or wrapped to a width.

Widths are those of DejaVu Sans, which is wider than Helvetica, Arial and Segoe UI: what fits here fits there.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

FONT = "DejaVu Sans, Verdana, Segoe UI, Helvetica, Arial, sans-serif"

BOLDER = 1.13
"""The factor by which bold text is wider."""

_ASCII = (
    "32 41 46 84 64 96 78 28 40 40 50 84 32 37 32 34 64 64 64 64 64 64 64 64 64 64 34 34 84 84 84 54 "
    "100 69 69 70 77 64 58 78 76 30 30 66 56 87 75 79 61 79 70 64 62 74 69 99 69 62 69 40 34 40 84 50 "
    "50 62 64 55 64 62 36 64 64 28 28 58 28 98 64 62 64 64 42 53 40 64 60 82 60 60 53 64 34 64 84"
)
"""Widths of the characters from space to tilde, in hundredths of the font's size."""

_WIDTHS = {chr(32 + index): int(width) / 100 for index, width in enumerate(_ASCII.split())}
_WIDTHS |= {"≤": 0.84, "≥": 0.84, "≈": 0.84, "∈": 0.9, "…": 1.0, "ß": 0.66}

_COMBINING = ("Mn", "Me", "Cf")


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return at most how wide *text* is set in *size*."""
    return sum(map(_width, text)) * size * (BOLDER if bold else 1)


def _width(character: str) -> float:
    known = _WIDTHS.get(character)
    if known is not None:
        return known
    if unicodedata.category(character) in _COMBINING:
        return 0
    base = unicodedata.normalize("NFD", character)[0]
    if base in _WIDTHS:
        return _WIDTHS[base]
    # Wide letters and emoji; then the widest of the European alphabets.
    return 1.4 if unicodedata.east_asian_width(character) in "WF" else 1.1


def fitted(text: str, size: float, width: float, bold: bool = False) -> str:
    """Return *text*, its middle left out where it is wider than *width*: the two ends tell similar names apart."""
    if text_width(text, size, bold) <= width:
        return text
    kept = 1
    while kept < len(text) and text_width(_cut(text, kept + 1), size, bold) <= width:
        kept += 1
    return _cut(text, kept)


def _cut(text: str, kept: int) -> str:
    head = text[: (kept + 1) // 2].rstrip()
    tail = text[len(text) - kept // 2 :].lstrip() if kept > 1 else ""
    while tail and unicodedata.category(tail[0]) in _COMBINING:
        tail = tail[1:]
    return f"{head}…{tail}"


def isolated(text: str) -> str:
    """Return *text* so that letters written from right to left do not reorder what stands next to them."""
    return f"\u2068{text}\u2069" if any(unicodedata.bidirectional(c) in ("R", "AL") for c in text) else text


def wrapped(words: Iterable[str], size: float, width: float) -> Iterator[str]:
    """Yield lines of *words* (each no wider than a line) with spaces between."""
    line = ""
    for word in words:
        longer = f"{line} {word}" if line else word
        if line and text_width(longer, size) > width:
            yield line
            longer = word
        line = longer
    if line:
        yield line
