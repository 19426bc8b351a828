"""Pictures as a program reads them: boxes, labels, edges and texts with the room that they take."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from xml.etree import ElementTree

from xpgcheck.drawing.text import text_width

NAMESPACE = "{http://www.w3.org/2000/svg}"

BOXES = ("inner", "terminal", "fold")


@dataclass(frozen=True)
class Room:
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Room) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def inside(self, other: Room) -> bool:
        slack = 0.11  # numbers are written with one decimal
        return (
            self.left >= other.left - slack
            and self.top >= other.top - slack
            and self.right <= other.right + slack
            and self.bottom <= other.bottom + slack
        )

    def shrunk(self, by: float) -> Room:
        return Room(self.left + by, self.top + by, self.right - by, self.bottom - by)


@dataclass(frozen=True)
class Item:
    """A group of the picture: what it is, its ``data-`` attributes, states, texts and the room of its rectangles."""

    kind: str
    data: dict[str, str]
    states: frozenset[str]
    texts: tuple[str, ...]
    tooltip: str
    room: Room | None
    element: ElementTree.Element


class Drawn:
    """A parsed picture."""

    def __init__(self, svg: str) -> None:
        self.root = ElementTree.fromstring(svg)
        _, _, width, height = map(float, self.root.attrib["viewBox"].split())
        self.page = Room(0, 0, width, height)
        self.items = [_item(group) for group in self.root.iter(f"{NAMESPACE}g") if "class" in group.attrib]

    def of(self, *kinds: str) -> list[Item]:
        return [item for item in self.items if item.kind in kinds]

    @property
    def nodes(self) -> dict[int, Item]:
        return {int(item.data["node"]): item for item in self.of("inner", "terminal")}

    @property
    def edges(self) -> dict[tuple[int, int], Item]:
        return {(int(item.data["from"]), int(item.data["to"])): item for item in self.of("edge")}

    def text_rooms(self) -> Iterator[tuple[str, Room]]:
        for element in self.root.iter(f"{NAMESPACE}text"):
            size, x, y = (float(element.attrib[name]) for name in ("font-size", "x", "y"))
            content = element.text or ""
            width = text_width(content, size, bold=element.get("font-weight") == "bold")
            left = x - width / 2 if element.get("text-anchor") == "middle" else x
            yield content, Room(left, y - size * 0.8, left + width, y + size * 0.25)

    def overlaps(self) -> list[tuple[str, str]]:
        """Pairs of boxes and labels that cover one another, and of texts of the header that do."""
        rooms = [(f"{item.kind} {item.texts}", item.room) for item in self.of(*BOXES, "label") if item.room]
        return [(a, b) for (a, first), (b, second) in combinations(rooms, 2) if first.shrunk(0.1).meets(second)]


def _item(group: ElementTree.Element) -> Item:
    data = {name.removeprefix("data-"): value for name, value in group.attrib.items() if name.startswith("data-")}
    rects = [
        Room(x, y, x + width, y + height)
        for rect in group.iter(f"{NAMESPACE}rect")
        for x, y, width, height in [[float(rect.attrib[name]) for name in ("x", "y", "width", "height")]]
    ]
    room = None
    if rects:
        room = Room(
            min(r.left for r in rects),
            min(r.top for r in rects),
            max(r.right for r in rects),
            max(r.bottom for r in rects),
        )
    title = group.find(f"{NAMESPACE}title")
    return Item(
        group.attrib["class"],
        data,
        frozenset(data.get("state", "").split()),
        tuple(text.text or "" for text in group.iter(f"{NAMESPACE}text")),
        (title.text or "") if title is not None else "",
        room,
        group,
    )


def numbers(path: str) -> list[float]:
    """Return the numbers in the data of a path."""
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", path)]
