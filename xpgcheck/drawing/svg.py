"""The SVG of a placed plan: plain text, the same bytes for the same picture."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from xpgcheck.drawing import legend
from xpgcheck.drawing.colours import PAPER
from xpgcheck.drawing.header import MARGIN, header
from xpgcheck.drawing.markup import attributes, element, group, number
from xpgcheck.drawing.placing import Layout, Route, Spot
from xpgcheck.drawing.plan import Arrow, Box, PicturePlan
from xpgcheck.drawing.shapes import box_parts, label, line
from xpgcheck.drawing.text import FONT
from xpgcheck.xpg.xps import Kind

MIN_WIDTH = 560.0
"""Room for the header above narrow pictures."""


def svg_text(plan: PicturePlan, layout: Layout) -> tuple[str, float, float]:
    """Return the picture as SVG, with its width and height."""
    top = header(plan, max(layout.width, MIN_WIDTH))
    width = max(layout.width, top.width) + 2 * MARGIN
    height = top.height + layout.height + 2 * MARGIN
    shift = (width - layout.width) / 2, top.height + MARGIN
    root: dict[str, str | float] = {
        "xmlns": "http://www.w3.org/2000/svg",
        "width": width,
        "height": height,
        "viewBox": f"0 0 {number(width)} {number(height)}",
        "font_family": FONT,
        "role": "img",
    }
    lines = [
        f"<svg{attributes(root)}>",
        f"<title>{escape(legend.title(plan.view))}</title>",
        element("rect", width=width, height=height, fill=PAPER),
        group(top.parts, class_="header"),
        *_arrows(plan, layout, shift),
        *_boxes(plan, layout, shift),
        "</svg>",
        "",
    ]
    return "\n".join(lines), width, height


def _arrows(plan: PicturePlan, layout: Layout, shift: Spot) -> Iterator[str]:
    """Yield the arrows, the path last so that it lies on top, then all labels: no line crosses a text."""
    pairs = list(zip(plan.arrows, layout.routes, strict=True))
    for arrow, route in sorted(pairs, key=lambda pair: (pair[0].on_path, pair[0].reached)):
        points = [_moved(point, shift) for point in route.points]
        yield group(line(points, arrow.on_path, arrow.reached), arrow.tooltip, class_="edge", **_ends(plan, arrow))
    for arrow, route in pairs:
        if route.label is not None:
            yield _label(plan, arrow, route, shift)


def _label(plan: PicturePlan, arrow: Arrow, route: Route, shift: Spot) -> str:
    assert route.label is not None
    parts = label(arrow.label, _moved(route.label, shift), arrow.width, arrow.on_path, arrow.reached)
    return group(parts, arrow.tooltip, class_="label", **_ends(plan, arrow))


def _ends(plan: PicturePlan, arrow: Arrow) -> dict[str, str | float]:
    ends: dict[str, str | float] = {
        "data_from": str(plan.boxes[arrow.start].node),
        "data_to": str(plan.boxes[arrow.end].node),
    }
    states = _states(path=arrow.on_path, shut=not arrow.reached)
    return {**ends, "data_state": states} if states else ends


def _boxes(plan: PicturePlan, layout: Layout, shift: Spot) -> Iterator[str]:
    fixed = plan.view.xp is not None and plan.view.xp.kind is Kind.AXP
    for box, middle in zip(plan.boxes, layout.middles, strict=True):
        yield group(box_parts(box, _moved(middle, shift), fixed), box.tooltip, class_=box.shape.value, **_identity(box))


def _identity(box: Box) -> dict[str, str | float]:
    pairs: dict[str, str | float] = {"data_node": str(box.node)}
    states = _states(path=box.on_path, shut=not box.reached, marked=box.marked, other=box.other and box.reached)
    return {**pairs, "data_state": states} if states else pairs


def _states(**states: bool) -> str:
    """Return the names of the states that hold, for programs that read the picture."""
    return " ".join(name for name, holds in states.items() if holds)


def _moved(spot: Spot, shift: Spot) -> Spot:
    return spot[0] + shift[0], spot[1] + shift[1]
