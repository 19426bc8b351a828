"""From a text of rows to the project's decision graphs: one terminal per class, or for trees a leaf an edge.

σ, κ and Eq. 1 and Eq. 2 ask of a terminal nothing but its class, so terminals of one class may be one; but only where they
are not can most trees be trees.
"""

from __future__ import annotations

import functools

from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Categorical, Feature
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.model.values import Point
from xpgcheck.paper.bounded.generation import NODE, NOTHING, Bound, Rows


def merged(bound: Bound, rows: Rows) -> DecisionGraph:
    """Return the graph of *rows* with one terminal per class."""
    return _graph(bound, rows, own_leaves=False)


def with_leaves(bound: Bound, rows: Rows) -> DecisionGraph | None:
    """Return the tree of *rows*, each edge to a class with a leaf of its own; None where the rows are no tree.

    None too where that is the graph with one terminal per class.
    """
    parents = [0] * len(rows)
    edges = 0
    classes = set()
    for row in rows:
        for target in set(row[1:]):
            if target < NODE:
                edges += 1
                classes.add(target)
            elif target < NOTHING:
                parents[target - NODE] += 1
    if edges == len(classes) or any(count != 1 for count in parents[1:]):
        return None
    return _graph(bound, rows, own_leaves=True)


def instance(bound: Bound) -> Point:
    """Return (0, …, 0)."""
    return ("0",) * bound.features


@functools.lru_cache(maxsize=100)
def points(bound: Bound) -> tuple[Point, ...]:
    """Return all points, numbered as :func:`xpgcheck.paper.bounded.truth.points_having` numbers them."""
    return tuple(
        tuple(str(number // bound.values**feature % bound.values) for feature in range(bound.features))
        for number in range(bound.values**bound.features)
    )


def _graph(bound: Bound, rows: Rows, *, own_leaves: bool) -> DecisionGraph:
    nodes: dict[NodeId, Node] = {}
    if not rows:
        nodes["class 0"] = Terminal(0)
    for number, row in enumerate(rows):
        edges: dict[int, int] = {}
        for value, target in enumerate(row[1:]):
            if target != NOTHING:
                edges[target] = edges.get(target, 0) | 1 << value
        named = []
        for target, values in edges.items():
            name = f"node {target - NODE}" if target >= NODE else f"class {target}"
            if target < NODE:
                name = f"{name} of node {number}" if own_leaves else name
                nodes[name] = Terminal(target)
            named.append((name, _values(values)))
        nodes[f"node {number}"] = NonTerminal(row[0], tuple(named))
    return decision_graph("bounded", _features(bound), _classes(bound.classes), nodes, "node 0" if rows else None)


@functools.lru_cache(maxsize=1_000)
def _values(mask: int) -> FiniteSet:
    return FiniteSet(frozenset(str(value) for value in range(mask.bit_length()) if mask >> value & 1))


@functools.lru_cache(maxsize=100)
def _features(bound: Bound) -> tuple[Feature, ...]:
    domain = Categorical(tuple(map(str, range(bound.values))))
    return tuple(Feature(f"x{feature + 1}", domain) for feature in range(bound.features))


@functools.lru_cache(maxsize=100)
def _classes(count: int) -> tuple[str, ...]:
    return tuple(f"c{number}" for number in range(count))
