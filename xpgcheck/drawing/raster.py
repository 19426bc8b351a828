"""SVG to PNG by resvg, the one module that knows of it."""

from __future__ import annotations

import math
from functools import cache

from xpgcheck.errors import InputError, MissingPackageError
from xpgcheck.extras import install

MAX_SIDE = 10_000.0
MAX_AREA = 9_000_000.0
"""Pixels in a picture: about half a second of drawing, and a file of a megabyte."""

_BLANK = '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24">{}</svg>'


def png_bytes(svg: str, width: float, height: float) -> bytes:
    """Return *svg*, of that size, as PNG: twice as many pixels where that keeps it below the limits, or fewer.

    Raises ``MissingPackageError`` without resvg-py, and ``InputError`` where the system has no font to write with.
    """
    if not _has_fonts():
        raise InputError(
            "this system has no fonts for a PNG picture",
            mend="install some (on Debian: fonts-dejavu-core) or write SVG",
        )
    return _render(svg, scale(width, height))


def scale(width: float, height: float) -> float:
    """Return how many pixels a unit of the picture gets."""
    return min(2.0, MAX_SIDE / width, MAX_SIDE / height, math.sqrt(MAX_AREA / (width * height)))


@cache
def _has_fonts() -> bool:
    # Without fonts resvg leaves texts out silently.
    letter = '<text x="4" y="18" font-family="DejaVu Sans, Verdana, Segoe UI, Helvetica, Arial, sans-serif">M</text>'
    return _render(_BLANK.format(letter), 1) != _render(_BLANK.format(""), 1, fonts=False)


def _render(svg: str, zoom: float, *, fonts: bool = True) -> bytes:
    """Render *svg*; looking for the *fonts* of the system takes longer than a small picture."""
    try:
        import resvg_py
    except ImportError:
        raise MissingPackageError("resvg-py is not installed", mend=install("draw")) from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom, skip_system_fonts=not fonts))
