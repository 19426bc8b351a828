"""Decision graphs in DOT, the language of Graphviz and of what reads it."""

from __future__ import annotations

from collections.abc import Collection

from xpgcheck.errors import InstanceError, printable
from xpgcheck.model.classifier import in_feature_space
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.writers.literal_text import condition_text

ESCAPE = "\\\\u{:04x}"
"""Graphviz reads backslashes."""


def dot_text(
    graph: DecisionGraph,
    point: Point | None = None,
    marked: Collection[int] = (),
    shut: Collection[tuple[int, int]] = (),
) -> str:
    """Return *graph* as a DOT digraph, deterministic: features on nodes, literals on edges, classes in boxes.

    With *point*, the path that it takes is bold and its terminal has a double border.  Nodes that test a *marked* feature
    are filled; *shut* edges (start, end) are grey and dashed.  Nodes are called n0, n1, … in the
    graph's order; their ids in the source are their tooltips.  Raises ``InstanceError`` where *point* is not in feature
    space.  Linear.
    """
    if point is not None and not in_feature_space(graph, point):
        raise InstanceError(
            "the point is not in the model's feature space", mend="give one domain value for each feature"
        )
    taken = _path(graph, point) if point is not None else {}
    lines = [
        f"digraph {_quoted(graph.name)} {{",
        "  rankdir=TB;",
        '  node [shape=ellipse, fontname="Helvetica"];',
        '  edge [fontname="Helvetica"];',
    ]
    for node in range(graph.node_count):
        tooltip = f"tooltip={_quoted(f'node {graph.node_ids[node]}')}"
        if graph.is_terminal(node):
            border = ", peripheries=2" if node in taken else ""
            label = _quoted(graph.classes[graph.class_of[node]])
            lines.append(f"  n{node} [label={label}, shape=box{border}, {tooltip}];")
        else:
            styles = [*(["bold"] if node in taken else []), *(["filled"] if graph.feature_of[node] in marked else [])]
            weight = f", style={_style(styles)}" if styles else ""
            weight += ', fillcolor="#FFF0B3"' if "filled" in styles else ""
            label = _quoted(graph.features[graph.feature_of[node]].name)
            lines.append(f"  n{node} [label={label}{weight}, {tooltip}];")
    texts = [condition_text(graph.features[li.feature].domain, li.values) for li in graph.literals]
    labels = [_quoted(text) for text in texts]
    for node in range(graph.node_count):
        for child, literal in zip(graph.children[node], graph.literal_ids[node], strict=True):
            weight = ", style=bold, penwidth=2" if taken.get(node) == child else ""
            weight += ', style=dashed, color=gray, fontcolor="gray40"' if (node, child) in shut else ""
            lines.append(f"  n{node} -> n{child} [label={labels[literal]}{weight}];")
    return "\n".join([*lines, "}", ""])


def _path(graph: DecisionGraph, point: Point) -> dict[int, int]:
    """Return the child that *point* takes at each node it visits; −1 at its terminal."""
    node, taken = 0, {}
    while not graph.is_terminal(node):
        value = point[graph.feature_of[node]]
        child = next(edge.child for edge in graph.edges(node) if value in edge.values)
        taken[node] = child
        node = child
    return {**taken, node: -1}


def _style(styles: list[str]) -> str:
    return styles[0] if len(styles) == 1 else f'"{",".join(styles)}"'


def _quoted(text: str) -> str:
    """Return *text* as a DOT string that is shown as it is: Graphviz also reads backslashes and HTML entities in it."""
    literal = text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    return f'"{printable(literal, ESCAPE)}"'
