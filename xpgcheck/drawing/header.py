"""The header of a picture, set in lines: title, instance, the XP's sentence, legend and notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from xpgcheck.drawing import legend
from xpgcheck.drawing.colours import GREY_TEXT
from xpgcheck.drawing.legend import Key
from xpgcheck.drawing.markup import group, text
from xpgcheck.drawing.plan import Box, NodeShape, PicturePlan, cut
from xpgcheck.drawing.shapes import box_parts, line
from xpgcheck.drawing.text import fitted, text_width, wrapped
from xpgcheck.drawing.view import View
from xpgcheck.xpg.xps import Kind

MARGIN = 20.0

MAX_LINE = 1_100.0
"""The longest line of text, also above a wide picture."""

TITLE_SIZE, TEXT_SIZE = 17.0, 12.5

MAX_CLASSES = 12
"""Classes in the legend; the terminals name them all."""

_SWATCH = 28.0


@dataclass(slots=True)
class PictureHeader:
    """The elements of the header, and the room that they take."""

    parts: list[str] = field(default_factory=list)
    width: float = 0.0
    height: float = MARGIN

    def line(self, content: str, size: float, full: str = "", **pairs: str | float) -> None:
        """Add a line of text, with *full* as its tooltip."""
        element = text(content, MARGIN, self.height + size / 2, size, **pairs)
        self.parts.append(group([element], full) if full else element)
        self.width = max(self.width, text_width(content, size, bold="font_weight" in pairs))
        self.height += size + 7


def header(plan: PicturePlan, room: float) -> PictureHeader:
    """Return the header of *plan* for a picture that is *room* wide; wider only where one item is."""
    view, top, room = plan.view, PictureHeader(), min(room, MAX_LINE)
    full = cut(legend.title(view))
    top.line(fitted(full, TITLE_SIZE, room, bold=True), TITLE_SIZE, full, font_weight="bold")
    if view.point is not None:
        everything = cut(", ".join(legend.equations(view, range(len(view.graph.features)))))
        for content in wrapped(legend.instance_words(view), TEXT_SIZE, room):
            top.line(content, TEXT_SIZE, everything)
    for content in wrapped(legend.xp_sentence(view).split(" "), TEXT_SIZE, room / 1.13):
        top.line(content, TEXT_SIZE, font_weight="bold")
    top.height += 5
    _legend(plan, top, room)
    for note in legend.notes(plan):
        for content in wrapped(note.split(" "), TEXT_SIZE - 1, room):
            top.line(content, TEXT_SIZE - 1, fill=GREY_TEXT)
    return top


def _legend(plan: PicturePlan, top: PictureHeader, room: float) -> None:
    x, y = MARGIN, top.height + 9
    for swatch, content in _items(plan):
        width = _SWATCH + 8 + text_width(content, TEXT_SIZE) + 20
        if x > MARGIN and x + width - 20 > room + MARGIN:
            x, y = MARGIN, y + 24
        parts = swatch(x, y) if swatch else []
        shift = _SWATCH + 8 if swatch else 0
        top.parts.append(group([*parts, text(content, x + shift, y, TEXT_SIZE)], class_="key"))
        x += width
        top.width = max(top.width, x - 20 - MARGIN)
    top.height = y + 18


Swatch = Callable[[float, float], list[str]]


def _items(plan: PicturePlan) -> Iterator[tuple[Swatch | None, str]]:
    view = plan.view
    present = sorted({index for index in view.graph.class_of if index >= 0})
    for index in present[:MAX_CLASSES]:
        yield _class_swatch(index), legend.class_words(view, [index])
    if len(present) > MAX_CLASSES:
        yield None, f"… {len(present) - MAX_CLASSES} more classes"
    for key in legend.legend_keys(plan):
        yield _key_swatch(key, view), key.value


def _class_swatch(index: int) -> Swatch:
    return _box_swatch(Box(NodeShape.TERMINAL, -1, ("",), "", _SWATCH, 16, index), fixed=False)


def _box_swatch(box: Box, fixed: bool) -> Swatch:
    return lambda x, y: list(box_parts(box, (x + _SWATCH / 2, y), fixed))


def _key_swatch(key: Key, view: View) -> Swatch:
    if key in (Key.FIXED, Key.FREED):
        box = Box(NodeShape.INNER, -1, ("",), "", _SWATCH, 16, marked=True)
        return _box_swatch(box, fixed=view.xp is not None and view.xp.kind is Kind.AXP)
    if key is Key.OTHER:
        other = next(i for i in view.reached_classes if i != view.target)
        return _box_swatch(Box(NodeShape.TERMINAL, -1, ("",), "", _SWATCH, 18, other, other=True), fixed=False)
    if key is Key.FOLD:
        return _box_swatch(Box(NodeShape.FOLD, -1, ("", ""), "", _SWATCH, 20), fixed=False)
    on_path, reached = key is Key.PATH, key is not Key.SHUT
    return lambda x, y: line([(x, y), (x + _SWATCH, y)], on_path, reached)
