"""Which nodes of a large graph are shown, and which are folded into boxes that say how many there are.

Shown first: the path of the instance, a shortest open way to another class (for an XP), then what is reached, the rest
last, each level by level from the root.  What is not shown falls into the connected parts of the hidden sub-graph, and
every part is one box.  A part of one node takes no more room than its box and is shown itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xpgcheck.drawing.view import View
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.xpg.explanation_graph import indices


@dataclass(frozen=True, slots=True)
class Fold:
    """Folded nodes, and the classes of the terminals that they lead to."""

    nodes: tuple[int, ...]
    classes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """The nodes that are shown, in the graph's order, and the folds; together every node of the graph once."""

    nodes: tuple[int, ...]
    folds: tuple[Fold, ...]


def fold(view: View, most: int) -> Shown:
    """Return what of *view* is shown: everything where the graph has at most *most* nodes.  Linear."""
    graph = view.graph
    if graph.node_count <= most:
        return Shown(tuple(range(graph.node_count)), ())
    shown: set[int] = set()
    for node in _by_interest(view):
        shown.add(node)
        if len(shown) == most:
            break
    parts = _parts(graph, shown)
    shown.update(part[0] for part in parts if len(part) == 1)
    masks = _class_masks(graph)
    folds = []
    for part in parts:
        if len(part) > 1:
            mask = 0
            for node in part:
                mask |= masks[node]
            folds.append(Fold(tuple(part), tuple(indices(mask))))
    return Shown(tuple(sorted(shown)), tuple(folds))


def _by_interest(view: View) -> Iterator[int]:
    """Yield nodes, the most telling first; every one after one of its parents."""
    yield from view.taken
    yield from view.way_to_another_class()
    yield from _levels(view, only_open=True)
    yield from _levels(view, only_open=False)


def _levels(view: View, only_open: bool) -> Iterator[int]:
    seen = {0}
    queue = [0]
    for node in queue:
        yield node
        for child in view.graph.children[node]:
            if child not in seen and (not only_open or view.is_open(node, child)):
                seen.add(child)
                queue.append(child)


def _parts(graph: DecisionGraph, shown: set[int]) -> list[list[int]]:
    """Return the weakly connected parts of the hidden nodes, in the order of their first nodes."""
    hidden = [node for node in range(graph.node_count) if node not in shown]
    part_of = {node: node for node in hidden}

    def find(node: int) -> int:
        while part_of[node] != node:
            part_of[node] = part_of[part_of[node]]
            node = part_of[node]
        return node

    for node in hidden:
        for child in graph.children[node]:
            if child not in shown:
                first, second = sorted((find(node), find(child)))
                part_of[second] = first
    parts: dict[int, list[int]] = {}
    for node in hidden:
        parts.setdefault(find(node), []).append(node)
    return list(parts.values())


def _class_masks(graph: DecisionGraph) -> list[int]:
    """Return of each node the mask of the classes that it leads to."""
    masks = [0] * graph.node_count
    for node in range(graph.node_count - 1, -1, -1):
        masks[node] = 1 << graph.class_of[node] if graph.is_terminal(node) else 0
        for child in graph.children[node]:
            masks[node] |= masks[child]
    return masks
