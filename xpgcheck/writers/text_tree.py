"""Decision graphs as indented text, in the manner of scikit-learn's ``export_text``."""

from __future__ import annotations

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.writers.literal_text import literal_text

DEFAULT_MAX_DEPTH = 100


def tree_text(graph: DecisionGraph, max_depth: int | None = DEFAULT_MAX_DEPTH) -> str:
    """Return *graph* as one line per edge, indented by depth, deterministic.

    A node that several edges lead to is written out once, where it is met first, as ``[node ID]``; elsewhere it is
    referred to.  Below *max_depth* edges (None: no limit) a line says how much is left out.  Without recursion; linear
    in the edges, times the depth for the indentation.
    """
    incoming = [0] * graph.node_count
    for children in graph.children:
        for child in children:
            incoming[child] += 1
    names = [feature.name for feature in graph.features]
    texts = [literal_text(names[li.feature], graph.features[li.feature].domain, li.values) for li in graph.literals]
    lines: list[str] = []
    written: set[int] = set()
    # What is still to be written, last first: the text of an edge to a node, at a depth.
    stack: list[tuple[int, int, str]] = [(0, 0, "")]
    while stack:
        node, depth, edge = stack.pop()
        shared = incoming[node] > 1
        name = f" [node {graph.node_ids[node]}]" if shared and not graph.is_terminal(node) else ""
        if edge:
            again = ", written out above" if node in written and name else ""
            lines.append(f"{_indent(depth - 1)}{edge}{name and f'  {name.strip()}'}{again}")
        if graph.is_terminal(node):
            lines.append(f"{_indent(depth)}class: {graph.classes[graph.class_of[node]]}")
        elif node not in written:
            if max_depth is not None and depth >= max_depth:
                lines.append(f"{_indent(depth)}(left out: what is below node {graph.node_ids[node]})")
                continue
            written.add(node)
            pairs = list(zip(graph.children[node], graph.literal_ids[node], strict=True))
            stack += [(child, depth + 1, texts[literal]) for child, literal in reversed(pairs)]
    return "\n".join(lines) + "\n"


def _indent(depth: int) -> str:
    return "|   " * depth + "|--- "
