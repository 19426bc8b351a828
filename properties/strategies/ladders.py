"""Chains of diamonds and ladders: ordered graphs of few nodes and very many paths."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from xpgcheck.model.decision_graph import Node, NonTerminal, Terminal
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.properties.strategies.atoms import MAX_PARTS, Atoms, below, partitions


def ladder(
    draw: st.DrawFn, atoms: Sequence[Atoms], classes: int, rejoin: bool, budget: int
) -> tuple[dict[NodeId, Node], NodeId]:
    """Return the nodes and the root of a graph with one level per feature, at most two nodes on each.

    With *rejoin* every second level is one node (a chain of diamonds): k diamonds give 2^k paths at least.  Else edges cross
    (as in the OBDD of a parity).  At most *budget* non-terminals, and one terminal per class.
    """
    levels = [feature for feature, entry in enumerate(atoms) if len(entry.parts) > 1]
    widths: list[int] = []
    for level in range(len(levels)):
        width = 2 if level % 2 or (level and not rejoin) else 1
        if sum(widths) + width > budget:
            break
        widths.append(width)
    if not widths:
        return {"t0": Terminal(0)}, "t0"
    nodes: dict[NodeId, Node] = {f"t{index}": Terminal(index) for index in range(classes)}
    terminals: list[NodeId] = list(nodes)
    following: list[NodeId] = terminals
    for level in range(len(widths) - 1, -1, -1):
        feature = levels[level]
        bottom = following is terminals
        # An edge of a wide level may end, else all paths would pass every diamond.
        targets = following if bottom or widths[level] == 1 else [*following, *terminals]
        ways = partitions(atoms[feature].full, MAX_PARTS)
        names: list[NodeId] = []
        for place in range(widths[level]):
            groups = ways[draw(below(len(ways)))] if len(ways) > 1 else ways[0]
            edges = []
            for position, group in enumerate(groups):
                # The first node's first edges are settled: they keep the graph from being constant.
                settled = place == 0 and (position == 0 or (position == 1 and bottom and classes > 1))
                choice = 0 if settled or len(targets) == 1 else draw(below(len(targets)))
                edges.append((targets[(choice + place + position) % len(targets)], atoms[feature].union(group)))
            name = f"{level}.{place}"
            nodes[name] = NonTerminal(feature, tuple(edges))
            names.append(name)
        following = names
    return reachable(nodes, following[0]), following[0]


def reachable(nodes: dict[NodeId, Node], root: NodeId) -> dict[NodeId, Node]:
    """Return those of *nodes* that *root* reaches, in their order.  Linear."""
    reached: set[NodeId] = set()
    stack = [root]
    while stack:
        name = stack.pop()
        if name not in reached:
            reached.add(name)
            node = nodes[name]
            if isinstance(node, NonTerminal):
                stack.extend(child for child, _ in node.edges)
    return {name: node for name, node in nodes.items() if name in reached}
