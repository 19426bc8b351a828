"""Colours that people with any kind of colour vision tell apart, and what tells classes apart where they run out."""

from __future__ import annotations

from typing import NamedTuple

OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#F0E442", "#000000")
"""The palette of M. Okabe and K. Ito, Color Universal Design (2008), the two that differ most first."""

INK, GREY, PAPER, BLACK = "#1B1F24", "#B4B8BD", "#FFFFFF", "#000000"

GREY_TEXT = "#6A7077"
"""Dark enough on white to be read (contrast 5 to 1)."""

MARK, MARK_PALE, MARK_BORDER = "#FFF0B3", "#FFFBEB", "#8A6A00"

STACK = "#F1F3F5"
"""The paper of folded nodes."""


class ClassStyle(NamedTuple):
    """The look of a terminal of a class: its colour, that of its text, and how many bars it has at its left side."""

    fill: str
    ink: str
    bars: int


def class_style(index: int) -> ClassStyle:
    """Return the style of the class of that index: eight colours, then the same with one bar, with two, …"""
    fill = OKABE_ITO[index % len(OKABE_ITO)]
    return ClassStyle(fill, BLACK if luminance(fill) > 0.18 else PAPER, index // len(OKABE_ITO))


def luminance(colour: str) -> float:
    """Return the relative luminance of ``#RRGGBB`` as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
