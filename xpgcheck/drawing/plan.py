"""The boxes and arrows of a picture, with their texts and sizes, before they have a place."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from xpgcheck.drawing.colours import class_style
from xpgcheck.drawing.folding import Fold, Shown, fold
from xpgcheck.drawing.literals import LABEL_SIZE, short_literals
from xpgcheck.drawing.text import fitted, text_width
from xpgcheck.drawing.view import View
from xpgcheck.errors import printable
from xpgcheck.wording import counted
from xpgcheck.writers.literal_text import literal_text

NODE_SIZE = 13.0
NODE_HEIGHT = 28.0
FOLD_HEIGHT = 40.0
LABEL_HEIGHT = 18.0
MAX_NAME_WIDTH = 170.0
MAX_TOOLTIP = 2_000

RING = 4.0
"""The room between the two borders of a terminal of another class that is reached."""


class NodeShape(enum.Enum):
    """The meaning of a box."""

    INNER = "inner"
    TERMINAL = "terminal"
    FOLD = "fold"


@dataclass(frozen=True, slots=True)
class Box:
    """A node or a fold.  ``node`` is the node's number in the graph; of a fold, that of its first node.

    ``reached`` says that it is active under the XP (always, without one); ``other`` that it is a terminal of another
    class than the instance's; ``marked`` that it tests a feature of the XP.
    """

    shape: NodeShape
    node: int
    lines: tuple[str, ...]
    tooltip: str
    width: float
    height: float
    class_index: int = -1
    on_path: bool = False
    reached: bool = True
    marked: bool = False
    other: bool = False


@dataclass(frozen=True, slots=True)
class Arrow:
    """An edge between two boxes (indices); ``label`` is empty where it stands for several edges into a fold."""

    start: int
    end: int
    label: str
    tooltip: str
    width: float
    on_path: bool
    reached: bool


@dataclass(frozen=True, slots=True)
class PicturePlan:
    """The boxes and arrows of a picture.

    Nodes come first, in the graph's order, then the folds, which no arrow leaves: all arrows go to higher indices.
    ``folded`` is how many nodes are in folds; ``rounded`` says that some label has a rounded number.
    """

    view: View
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    folded: int
    rounded: bool


def plan(view: View, most: int) -> PicturePlan:
    """Return what is drawn of *view*, at most about *most* nodes of it."""
    shown = fold(view, most)
    boxes = [*(_node_box(view, node) for node in shown.nodes), *(_fold_box(view, part) for part in shown.folds)]
    used = [literal for node in shown.nodes for literal in view.graph.literal_ids[node]]
    texts, rounded = short_literals(view.graph, used)
    folded = sum(len(part.nodes) for part in shown.folds)
    return PicturePlan(view, tuple(boxes), tuple(_arrows(view, shown, texts)), folded, rounded)


def _node_box(view: View, node: int) -> Box:
    graph = view.graph
    terminal = graph.is_terminal(node)
    name = graph.classes[graph.class_of[node]] if terminal else graph.features[graph.feature_of[node]].name
    what = f"class {name}" if terminal else f"{name}: {graph.features[graph.feature_of[node]].domain}"
    line = fitted(printable(name), NODE_SIZE, MAX_NAME_WIDTH, bold=True)
    marked = not terminal and view.is_marked(node)
    other = terminal and view.xp is not None and graph.class_of[node] != view.target
    # Room for the dot of a marked node and for the bars of a class beyond the eighth.
    side = 14 if marked else 6 * class_style(graph.class_of[node]).bars if terminal else 0
    ring = 2 * RING if other and view.active[node] else 0.0
    return Box(
        NodeShape.TERMINAL if terminal else NodeShape.INNER,
        node,
        (line,),
        tooltip(f"node {graph.node_ids[node]}: {what}"),
        max(34.0, text_width(line, NODE_SIZE, bold=True) + 18 + side) + ring,
        NODE_HEIGHT + ring,
        graph.class_of[node],
        node in view.taken,
        bool(view.active[node]),
        marked,
        other,
    )


def _fold_box(view: View, part: Fold) -> Box:
    names = [printable(view.graph.classes[index]) for index in part.classes]
    classes = "class " + names[0] if len(names) == 1 else f"{len(names)} classes: {', '.join(names)}"
    lines = (f"… {counted(len(part.nodes), 'more node')}", fitted(classes, LABEL_SIZE, MAX_NAME_WIDTH))
    width = max(text_width(lines[0], NODE_SIZE, bold=True), text_width(lines[1], LABEL_SIZE)) + 22
    reached = any(view.active[node] for node in part.nodes)
    marked = any(view.is_marked(node) for node in part.nodes)
    on_path = any(node in view.taken for node in part.nodes)
    full = tooltip(f"{counted(len(part.nodes), 'node')} not shown, which lead to {classes}")
    return Box(NodeShape.FOLD, part.nodes[0], lines, full, width + 14, FOLD_HEIGHT, -1, on_path, reached, marked)


def _arrows(view: View, shown: Shown, texts: dict[int, str]) -> list[Arrow]:
    graph = view.graph
    place = {node: index for index, node in enumerate(shown.nodes)}
    for index, part in enumerate(shown.folds, len(shown.nodes)):
        place.update(dict.fromkeys(part.nodes, index))
    arrows = []
    for start, node in enumerate(shown.nodes):
        merged: dict[int, list[tuple[int, int]]] = {}
        for child, literal in zip(graph.children[node], graph.literal_ids[node], strict=True):
            merged.setdefault(place[child], []).append((child, literal))
        for end, edges in merged.items():
            label = texts[edges[0][1]] if len(edges) == 1 else ""
            full = "\n".join(
                tooltip(literal_text(graph.features[li.feature].name, graph.features[li.feature].domain, li.values))
                for li in (graph.literals[literal] for _, literal in edges)
            )
            on_path = any(view.taken.get(node) == child for child, _ in edges)
            reached = any(view.is_open(node, child) for child, _ in edges)
            width = text_width(label, LABEL_SIZE, bold=on_path) + 8 if label else 0.0
            arrows.append(Arrow(start, end, label, full, width, on_path, reached))
    return arrows


def tooltip(text: str) -> str:
    """Return *text* for a tooltip: control characters escaped, very long texts cut."""
    return cut(printable(text))


def cut(text: str) -> str:
    """Return *text*, printable but for what :func:`xpgcheck.drawing.text.isolated` adds, cut where it is very long."""
    return text if len(text) <= MAX_TOOLTIP else text[: MAX_TOOLTIP - 1] + "…"
