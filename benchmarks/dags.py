"""Random decision graphs for benchmarks: ordered, shared, with Boolean, integer and real features."""

from __future__ import annotations

import random
from fractions import Fraction

from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Domain, Feature, Integer, Real
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import FiniteSet, Interval, IntervalSet, ValueSet, interval_set
from xpgcheck.model.values import Point

LEVELS = 20
CLASSES = 3


def random_dag(nodes: int, seed: int = 0) -> DecisionGraph:
    """Return an ordered graph over ``LEVELS`` features with about *nodes* nodes, each level as wide as the next."""
    rng = random.Random(seed)
    domains: list[Domain] = [(Boolean(), Integer(0, 9), Real())[level % 3] for level in range(LEVELS)]
    below: list[NodeId] = [f"class {k}" for k in range(CLASSES)]
    made: dict[NodeId, Node] = {name: Terminal(k) for k, name in enumerate(below)}
    for level in range(LEVELS - 1, -1, -1):
        width = 1 if level == 0 else min(2**level, max(1, nodes // LEVELS))
        names: list[NodeId] = [f"{level}.{position}" for position in range(width)]
        # Every node below gets a parent, as far as there are edges.
        ends = rng.sample(below, min(len(below), 2 * width))
        ends += [rng.choice(below) for _ in range(2 * width - len(ends))]
        for position, name in enumerate(names):
            left, right = _split(domains[level], rng)
            first, second = ends[2 * position], ends[2 * position + 1]
            if first == second:
                second = rng.choice([other for other in below if other != first])
            made[name] = NonTerminal(level, ((first, left), (second, right)))
        below = names
    reached: dict[NodeId, Node] = {}
    stack = list(below)
    while stack:
        name = stack.pop()
        if name not in reached:
            node = reached[name] = made[name]
            if isinstance(node, NonTerminal):
                stack.extend(child for child, _ in node.edges)
    features = [Feature(f"f{level}", domain) for level, domain in enumerate(domains)]
    return decision_graph(f"DAG {nodes}", features, [f"c{k}" for k in range(CLASSES)], reached, below[0])


def random_points(graph: DecisionGraph, count: int, seed: int = 0) -> list[Point]:
    """Draw *count* points, a cell at a time."""
    rng = random.Random(seed)
    return [tuple(rng.choice(cells).representative() for cells in graph.cells) for _ in range(count)]


def _split(domain: Domain, rng: random.Random) -> tuple[ValueSet, ValueSet]:
    if isinstance(domain, Boolean):
        return FiniteSet(frozenset([False])), FiniteSet(frozenset([True]))
    whole = domain.all_values()
    assert isinstance(whole, IntervalSet)
    cut = Fraction(rng.randint(0, 8)) if isinstance(domain, Integer) else Fraction(rng.randint(-20, 20), 4)
    below = whole.intersection(interval_set(whole.grid, [Interval(None, True, cut, False)]))
    return below, whole.difference(below)
