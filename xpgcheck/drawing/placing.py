"""The places of boxes, labels and arrows: a layered layout by graphlay, the one module that knows of it.

Every label takes part in the layout as a box of its own between the two ends of its edge, so that no label covers another
one, nor a node.  Both directions are tried: trees with many leaves are wide from the top down, and fit a page from left
to right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xpgcheck.drawing.plan import LABEL_HEIGHT, PicturePlan
from xpgcheck.errors import MissingPackageError
from xpgcheck.extras import install

Spot = tuple[float, float]

PAGE_WIDTH, PAGE_HEIGHT = 1_400.0, 1_000.0
"""A picture that is no wider runs from the top down; otherwise the direction that shrinks less on such a page is taken."""


MANY = 250
"""Boxes and labels of a shared graph above which fewer orders are tried: the time is more than quadratic."""


@dataclass(frozen=True, slots=True)
class Route:
    """The way of an arrow: its bends from the border of its start to that of its end, and the middle of its label."""

    points: tuple[Spot, ...]
    label: Spot | None


@dataclass(frozen=True, slots=True)
class Layout:
    """The middles of the boxes and the routes of the arrows of a plan, from (0, 0) to (``width``, ``height``)."""

    width: float
    height: float
    downwards: bool
    middles: tuple[Spot, ...]
    routes: tuple[Route, ...]


def place(plan: PicturePlan) -> Layout:
    """Return a layout of *plan*, the same for the same plan.  Raises ``MissingPackageError`` without graphlay."""
    down = _layout(plan, downwards=True)
    if down.width <= PAGE_WIDTH:
        return down
    right = _layout(plan, downwards=False)
    return down if _shrinks(down) <= _shrinks(right) else right


def _shrinks(layout: Layout) -> float:
    return max(layout.width / PAGE_WIDTH, layout.height / PAGE_HEIGHT)


def _layout(plan: PicturePlan, downwards: bool) -> Layout:
    nodes: list[dict[str, Any]] = [_node(box.width, box.height) for box in plan.boxes]
    edges: list[dict[str, Any]] = []
    label_of: list[int | None] = []
    for arrow in plan.arrows:
        if not arrow.label:
            label_of.append(None)
            edges.append(_edge(arrow.start, arrow.end))
            continue
        label = len(nodes)
        label_of.append(label)
        nodes.append(_node(arrow.width, LABEL_HEIGHT))
        edges += [_edge(arrow.start, label), _edge(label, arrow.end)]
    tree = len(plan.arrows) == len(plan.boxes) - 1
    found = _graphlay(nodes, edges, tree, downwards)
    low, high = found["bounds"]["min"], found["bounds"]["max"]

    def spot(at: dict[str, float]) -> Spot:
        return at["x"] - low["x"], at["y"] - low["y"]

    middles = [spot(node["center"]) for node in found["nodes"]]
    ways = iter([tuple(map(spot, edge["points"])) for edge in found["edges"]])
    routes = []
    for number in label_of:
        way = next(ways)
        if number is None:
            routes.append(Route(way, None))
        else:
            routes.append(Route((*way, *next(ways)), middles[number]))
    size = high["x"] - low["x"], high["y"] - low["y"]
    return Layout(*size, downwards, tuple(middles[: len(plan.boxes)]), tuple(routes))


def _node(width: float, height: float) -> dict[str, Any]:
    return {"size": {"width": width, "height": height}, "shape": "box"}


def _edge(start: int, end: int) -> dict[str, Any]:
    return {"source": start, "target": end}


def _graphlay(
    nodes: Sequence[dict[str, Any]], edges: Sequence[dict[str, Any]], tree: bool, downwards: bool
) -> dict[str, Any]:
    """Return graphlay's layout: its tidy trees keep the order of the children, its layers have the fewest crossings."""
    try:
        import graphlay
    except ImportError:
        raise MissingPackageError("graphlay is not installed", mend=install("draw")) from None
    graph = {"nodes": list(nodes), "edges": list(edges)}
    direction = "topbottom" if downwards else "leftright"
    if tree:
        gaps = {"sibling_gap": 12, "subtree_gap": 18} if downwards else {"sibling_gap": 6, "subtree_gap": 10}
        options: dict[str, Any] = {"direction": direction, "row_gap": 16, **gaps}
        found: dict[str, Any] = graphlay.layout_tree(graph, options=options).raw
        return found
    options = {
        "direction": direction,
        "spacing": {"layer_gap": 18, "node_gap": 18, "dummy_gap": 14, "port_gap": 10, "port_stroke_clear": 6},
        "routing": {"style": "diagonal"},
        "coords": {"branch_style": "symmetric"},
        "effort": "balanced" if len(nodes) <= MANY else "fast",
    }
    found = graphlay.layout(graph, options=options).raw
    return found
