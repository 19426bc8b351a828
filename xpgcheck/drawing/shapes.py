"""The look of boxes and arrows; the legend shows the same."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from xpgcheck.drawing.colours import GREY, GREY_TEXT, INK, MARK, MARK_BORDER, MARK_PALE, PAPER, STACK, class_style
from xpgcheck.drawing.literals import LABEL_SIZE
from xpgcheck.drawing.markup import element, number, path, text
from xpgcheck.drawing.placing import Spot
from xpgcheck.drawing.plan import LABEL_HEIGHT, NODE_SIZE, RING, Box, NodeShape

THIN, BOLD = 1.3, 3.0

DASHES = "4 3"

BEHIND = 5.0
"""The distance by which the second sheet of a fold looks out behind the first."""

Pairs = dict[str, str | float]


def line_style(on_path: bool, reached: bool) -> Pairs:
    """Return how an edge is drawn: bold on the path, grey and dashed where an XP shuts it."""
    if on_path:
        return {"stroke": INK, "stroke_width": BOLD}
    if reached:
        return {"stroke": INK, "stroke_width": THIN}
    return {"stroke": GREY, "stroke_width": THIN, "stroke_dasharray": DASHES}


def line(points: Sequence[Spot], on_path: bool, reached: bool) -> list[str]:
    """Return a polyline with an arrow's head at its end."""
    (x0, y0), (x1, y1) = points[-2:]
    length = math.hypot(x1 - x0, y1 - y0)
    head = min(9.0 if on_path else 7.0, length)
    if not length:
        return [path(points, **line_style(on_path, reached))]
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    base = x1 - dx * head, y1 - dy * head
    half = head * 0.45
    corners = [(x1, y1), (base[0] - dy * half, base[1] + dx * half), (base[0] + dy * half, base[1] - dx * half)]
    return [
        path([*points[:-1], base], **line_style(on_path, reached)),
        element(
            "polygon",
            points=" ".join(f"{number(x)},{number(y)}" for x, y in corners),
            fill=INK if reached else GREY,
        ),
    ]


def label(content: str, middle: Spot, width: float, on_path: bool, reached: bool) -> list[str]:
    """Return the text of an edge on a patch of paper that keeps lines off it."""
    pairs: Pairs = {"text_anchor": "middle", "fill": INK if reached else GREY_TEXT}
    if on_path:
        pairs["font_weight"] = "bold"
    height = LABEL_HEIGHT
    return [
        element(
            "rect", x=middle[0] - width / 2, y=middle[1] - height / 2, width=width, height=height, rx=3, fill=PAPER
        ),
        text(content, middle[0], middle[1], LABEL_SIZE, **pairs),
    ]


def box_parts(box: Box, middle: Spot, fixed: bool) -> Iterator[str]:
    """Yield the elements of *box*; *fixed* says that the XP fixes its own features (an AXp)."""
    if box.shape is NodeShape.TERMINAL:
        yield from _terminal(box, middle)
    elif box.shape is NodeShape.FOLD:
        yield from _fold(box, middle, fixed)
    else:
        yield from _inner(box, middle, fixed)


def _frame(middle: Spot, width: float, height: float, **pairs: str | float) -> str:
    x, y = middle[0] - width / 2, middle[1] - height / 2
    return element("rect", x=x, y=y, width=width, height=height, **pairs)


def _border(box: Box) -> Pairs:
    return line_style(box.on_path, box.reached)


def _inner(box: Box, middle: Spot, fixed: bool) -> Iterator[str]:
    fill = (MARK if box.reached else MARK_PALE) if box.marked else PAPER
    border = _border(box)
    if box.marked and box.reached and not box.on_path:
        border = {"stroke": MARK_BORDER, "stroke_width": 2}
    yield _frame(middle, box.width, box.height, rx=9, fill=fill, **border)
    x = middle[0]
    if box.marked:
        yield dot((middle[0] - box.width / 2 + 12, middle[1]), fixed)
        x += 6
    yield _name(box, (x, middle[1]), INK if box.reached else GREY_TEXT)


def _terminal(box: Box, middle: Spot) -> Iterator[str]:
    style = class_style(box.class_index)
    width, height = box.width, box.height
    if box.other and box.reached:
        yield _frame(middle, width, height, rx=4, fill=PAPER, stroke=INK, stroke_width=1.6)
        width, height = width - 2 * RING, height - 2 * RING
    paint: Pairs = {"fill": style.fill} if box.reached else {"fill": style.fill, "fill_opacity": "0.18"}
    yield _frame(middle, width, height, rx=2, **paint, **_border(box))
    ink = style.ink if box.reached else GREY_TEXT
    left = middle[0] - width / 2
    for bar in range(style.bars):
        yield element("rect", x=left + 5 + 6 * bar, y=middle[1] - height / 2 + 4, width=3, height=height - 8, fill=ink)
    yield _name(box, (middle[0] + 3 * style.bars, middle[1]), ink)


def _fold(box: Box, middle: Spot, fixed: bool) -> Iterator[str]:
    border = {**_border(box), "stroke_dasharray": DASHES}
    width, height = box.width - BEHIND, box.height - BEHIND
    for shift in (BEHIND / 2, -BEHIND / 2):
        yield _frame((middle[0] + shift, middle[1] + shift), width, height, rx=3, fill=STACK, **border)
    x, y = middle[0] - BEHIND / 2, middle[1] - BEHIND / 2
    if box.marked:
        yield dot((x - width / 2 + 10, y - 8), fixed)
    ink = INK if box.reached else GREY_TEXT
    yield text(box.lines[0], x + (6 if box.marked else 0), y - 8, NODE_SIZE, text_anchor="middle", fill=ink)
    yield text(box.lines[1], x, y + 8, LABEL_SIZE, text_anchor="middle", fill=ink)


def _name(box: Box, middle: Spot, ink: str) -> str:
    pairs: Pairs = {"text_anchor": "middle", "fill": ink}
    if box.on_path or box.marked:
        pairs["font_weight"] = "bold"
    return text(box.lines[0], middle[0], middle[1], NODE_SIZE, **pairs)


def dot(middle: Spot, fixed: bool) -> str:
    """Return the dot that marks a feature of the XP: full where it is fixed (an AXp), a ring where it is free (a CXp)."""
    fill = MARK_BORDER if fixed else PAPER
    return element("circle", cx=middle[0], cy=middle[1], r=4.2, fill=fill, stroke=MARK_BORDER, stroke_width=2)
