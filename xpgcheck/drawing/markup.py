"""SVG elements as text: escaped, numbers short, nothing that runs or loads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from xpgcheck.drawing.colours import INK
from xpgcheck.drawing.placing import Spot


def attributes(pairs: dict[str, str | float]) -> str:
    """Return *pairs* as attributes; an underscore in a name stands for a hyphen, one at its end for nothing."""
    named = ((name.rstrip("_").replace("_", "-"), value) for name, value in pairs.items())
    return "".join(f' {name}="{_value(value)}"' for name, value in named)


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else number(value)


def number(value: float) -> str:
    """Return *value* with one decimal, or none where that is zero."""
    rounded = round(value, 1)
    return f"{rounded:.0f}" if rounded == int(rounded) else f"{rounded:.1f}"


def element(name: str, **pairs: str | float) -> str:
    """Return an empty element."""
    return f"<{name}{attributes(pairs)}/>"


def group(content: Iterable[str], tooltip: str = "", **pairs: str | float) -> str:
    """Return *content* as one group, which a browser shows *tooltip* of."""
    title = [f"<title>{escape(tooltip)}</title>"] if tooltip else []
    return "\n".join([f"<g{attributes(pairs)}>", *title, *content, "</g>"])


def text(content: str, x: float, y: float, size: float, **pairs: str | float) -> str:
    """Return a text, the middle of its line at *y*."""
    # A third of the size from the middle to the base line: what dominant-baseline would say, understood everywhere.
    given = {"x": x, "y": y + size * 0.35, "font_size": size, "fill": INK, **pairs}
    return f"<text{attributes(given)}>{escape(content)}</text>"


def path(points: Sequence[Spot], **pairs: str | float) -> str:
    """Return a polyline as a path."""
    steps = " L".join(f"{number(x)} {number(y)}" for x, y in points)
    return element("path", d=f"M{steps}", fill="none", **pairs)
