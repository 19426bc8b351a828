"""Cases that small grown graphs hardly meet: many XPs of many sizes, and nodes that paths reach with different values left.

* Random Boolean functions of five features as reduced OBDDs: preferences that a greedy order misses, minimal XPs that are
  not smallest, features that few XPs hold.
* Shared graphs that test an ordered feature twice: the cheapest way to a node need not be on the cheapest path.
"""

from __future__ import annotations

import random
from fractions import Fraction

from hypothesis import strategies as st

from xpgcheck.errors import ModelError
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Feature, Integer
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import FiniteSet, Grid, IntervalSet, ValueSet, interval_set
from xpgcheck.model.value_sets import Interval as Span
from xpgcheck.model.values import Point

Case = tuple[DecisionGraph, Point]

BITS = 5


def function_case(seed: int) -> Case:
    """Return a random Boolean function as a reduced OBDD, and a point of it."""
    rng = random.Random(seed)
    table = tuple(rng.random() < 0.4 for _ in range(2**BITS))
    nodes: dict[NodeId, Node] = {}
    names: dict[tuple[bool, ...], NodeId] = {}

    def build(level: int, part: tuple[bool, ...]) -> NodeId:
        if len(set(part)) == 1:
            name = f"class {int(part[0])}"
            nodes[name] = Terminal(int(part[0]))
            return name
        half = len(part) // 2
        if part[:half] == part[half:]:
            return build(level + 1, part[:half])
        if part not in names:
            low, high = build(level + 1, part[:half]), build(level + 1, part[half:])
            names[part] = f"node {len(names)}"
            edges = ((low, FiniteSet(frozenset([False]))), (high, FiniteSet(frozenset([True]))))
            nodes[names[part]] = NonTerminal(level, edges)
        return names[part]

    root = build(0, table)
    graph = decision_graph("function", [Feature(f"f{i}", Boolean()) for i in range(BITS)], ["0", "1"], nodes, root)
    return graph, tuple(rng.random() < 0.5 for _ in range(BITS))


def shared_case(seed: int) -> Case:
    """Return a shared graph that tests x (after y) twice, and a point of it."""
    rng = random.Random(seed)
    while True:
        nodes: dict[NodeId, Node] = {"A": Terminal(0), "B": Terminal(1)}
        nodes["root"] = NonTerminal(1, _split(rng, ["A", "p", "q"]))
        for name in ("p", "q"):
            nodes[name] = NonTerminal(0, _split(rng, ["A", "m", "n"]))
        for name in ("m", "n"):
            nodes[name] = NonTerminal(0, _split(rng, ["A", "B"]))
        graph = decision_graph("shared", [Feature(n, Integer(0, 9)) for n in "xy"], ["A", "B"], nodes, "root")
        try:
            check_assumptions(graph)
        except ModelError:
            continue
        return graph, (rng.choice((0, 9)), rng.choice((0, 9)))


def _split(rng: random.Random, children: list[str]) -> tuple[tuple[NodeId, ValueSet], ...]:
    """Share the values 0 … 9 out among *children*, at least one each, more to the first."""
    owner = [*children, *rng.choices([*children, *children[:1] * 3], k=10 - len(children))]
    rng.shuffle(owner)
    return tuple((child, _numbers([i for i in range(10) if owner[i] == child])) for child in children)


def _numbers(values: list[int]) -> IntervalSet:
    return interval_set(Grid.INTEGERS, [Span(Fraction(v), False, Fraction(v), False) for v in values])


def hard_cases() -> st.SearchStrategy[Case]:
    """Cases of both kinds, by their seeds."""
    return st.one_of(st.integers(0, 2**32).map(function_case), st.integers(0, 2**32).map(shared_case))
