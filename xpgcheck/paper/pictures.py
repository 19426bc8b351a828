"""Pictures of counterexamples, kept with a unit's result: graphs that break an assumption are not read again."""

from __future__ import annotations

import base64

from xpgcheck.errors import XpgcheckError
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point

MAX_NODES = 30
MAX_LENGTH = 100_000


def picture(graph: DecisionGraph, point: Point) -> str:
    """Return the graph with the path of *point* as SVG; "" without the extra ``draw``, or where no path can be followed."""
    from xpgcheck.drawing.api import draw

    try:
        found = draw(graph, point, max_nodes=MAX_NODES).svg
    except (XpgcheckError, ValueError):
        return ""
    return found if len(found) <= MAX_LENGTH else ""


def address(svg: str) -> str:
    """Return *svg* as the address of an image.  A browser runs no script of an image, whatever the journal had in it."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode() if svg else ""
