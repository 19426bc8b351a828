"""Laws of pictures, each by the definition and not by the code that draws."""

from __future__ import annotations

import itertools
import re

from svg_reading import BOXES, NAMESPACE, Drawn, numbers

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.xpg.xps import XP, Kind


def steps(graph: DecisionGraph, point: Point) -> list[int]:
    """The nodes that *point* visits."""
    nodes = [0]
    while not graph.is_terminal(nodes[-1]):
        value = point[graph.feature_of[nodes[-1]]]
        nodes.append(next(edge.child for edge in graph.edges(nodes[-1]) if value in edge.values))
    return nodes


def open_edges(graph: DecisionGraph, point: Point, xp: XP) -> set[tuple[int, int]]:
    """The edges on open ways from the root: their literal holds, or their feature is free."""
    free = set(range(len(graph.features))) - xp.features if xp.kind is Kind.AXP else set(xp.features)
    reached, found = {0}, set()
    for node in range(graph.node_count):
        if node in reached:
            for edge in graph.edges(node):
                feature = graph.feature_of[node]
                if feature in free or point[feature] in edge.values:
                    reached.add(edge.child)
                    found.add((node, edge.child))
    return found


def every_node_once(drawn: Drawn, graph: DecisionGraph) -> None:
    shown = [int(item.data["node"]) for item in drawn.of("inner", "terminal")]
    assert sorted(shown) == list(range(graph.node_count))
    edges = [(int(item.data["from"]), int(item.data["to"])) for item in drawn.of("edge")]
    assert sorted(edges) == sorted((n, child) for n, children in enumerate(graph.children) for child in children)
    assert len(drawn.of("label")) == len(edges)
    for node, item in drawn.nodes.items():
        assert (item.kind == "terminal") == graph.is_terminal(node)


def path_is_bold(drawn: Drawn, graph: DecisionGraph, point: Point | None) -> None:
    nodes = [] if point is None else steps(graph, point)
    assert {edge for edge, item in drawn.edges.items() if "path" in item.states} == set(itertools.pairwise(nodes))
    assert {node for node, item in drawn.nodes.items() if "path" in item.states} == set(nodes)
    for item in drawn.of("edge"):
        (way,) = item.element.iter(f"{NAMESPACE}path")
        assert (float(way.attrib["stroke-width"]) > 2) == ("path" in item.states)


def marks_are_the_features(drawn: Drawn, graph: DecisionGraph, xp: XP | None) -> None:
    features = frozenset() if xp is None else xp.features
    for node, item in drawn.nodes.items():
        marked = graph.feature_of[node] in features
        assert ("marked" in item.states) == marked
        assert bool(list(item.element.iter(f"{NAMESPACE}circle"))) == marked


def grey_is_not_reached(drawn: Drawn, graph: DecisionGraph, point: Point, xp: XP) -> None:
    found = open_edges(graph, point, xp)
    assert {edge for edge, item in drawn.edges.items() if "shut" not in item.states} == found
    reached = {0} | {child for _, child in found}
    assert {node for node, item in drawn.nodes.items() if "shut" not in item.states} == reached
    for item in drawn.of("edge"):
        (way,) = item.element.iter(f"{NAMESPACE}path")
        assert ("stroke-dasharray" in way.attrib) == ("shut" in item.states)
    own = graph.kappa(point)
    others = {node for node in reached if graph.is_terminal(node) and graph.class_of[node] != own}
    assert {node for node, item in drawn.nodes.items() if "other" in item.states} == others


def nothing_overlaps(drawn: Drawn) -> None:
    assert drawn.overlaps() == []


def everything_is_inside(drawn: Drawn) -> None:
    for content, room in drawn.text_rooms():
        assert room.inside(drawn.page), content
    for item in drawn.of(*BOXES, "label"):
        assert item.room is not None
        assert item.room.inside(drawn.page), item
    for way in drawn.root.iter(f"{NAMESPACE}path"):
        xs, ys = numbers(way.attrib["d"])[::2], numbers(way.attrib["d"])[1::2]
        assert min(xs) >= 0
        assert max(xs) <= drawn.page.right
        assert min(ys) >= 0
        assert max(ys) <= drawn.page.bottom


def texts_fit_their_boxes(drawn: Drawn) -> None:
    for item in drawn.of(*BOXES, "label"):
        assert item.room is not None
        own = [room for content, room in drawn.text_rooms() if content in item.texts and room.meets(item.room)]
        assert own or not any(item.texts)
        for room in own:
            assert room.left >= item.room.left - 0.2
            assert room.right <= item.room.right + 0.2


def ends_touch(drawn: Drawn) -> None:
    """An edge starts at the border of its start and ends at that of its end."""
    rooms = {item.data["node"]: item.room for item in drawn.of(*BOXES)}
    for item in drawn.of("edge"):
        (way,) = item.element.iter(f"{NAMESPACE}path")
        corners = [numbers(p.attrib["points"]) for p in item.element.iter(f"{NAMESPACE}polygon")]
        x, y, *_ = numbers(way.attrib["d"])
        for (px, py), key in (((x, y), "from"), ((corners[0][0], corners[0][1]), "to")):
            room = rooms[item.data[key]]
            assert room is not None
            # The ring of a terminal lies 4 inside its box; the first sheet of a fold 5.
            assert room.left - 0.2 <= px <= room.right + 0.2
            assert room.top - 0.2 <= py <= room.bottom + 0.2


def nothing_runs(svg: str, drawn: Drawn) -> None:
    """Only shapes and texts: no script, style sheet, link or entity, whatever the names in the model are."""
    tags = {element.tag.removeprefix(NAMESPACE) for element in drawn.root.iter()}
    assert tags <= {"svg", "title", "g", "rect", "path", "polygon", "circle", "text"}
    names = {name for element in drawn.root.iter() for name in element.attrib}
    assert not [name for name in names if name.startswith("on") or "href" in name or name in ("style", "id")]
    assert not re.search(r"<!|<\?|url\(", svg)
    svg.encode("utf-8")
