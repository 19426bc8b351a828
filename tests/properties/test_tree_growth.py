"""Proposition 6: the work of listing all CXps of a tree grows as a polynomial, fitted over sizes."""

from __future__ import annotations

import math
import statistics

import pytest

from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Feature
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.xpg.explanation_graph import explanation_graph
from xpgcheck.xpg.trees import Steps, tree_cxps

NO, YES = FiniteSet(frozenset([False])), FiniteSet(frozenset([True]))


def comb(tests: int) -> DecisionGraph:
    """Return a chain of tests, each on its own feature and with a terminal of class 1 aside."""
    nodes: dict[NodeId, Node] = {tests: Terminal(0)}
    for i in range(tests):
        nodes[i] = NonTerminal(i, ((i + 1, NO), (f"t{i}", YES)))
        nodes[f"t{i}"] = Terminal(1)
    return decision_graph("comb", [Feature(f"f{i}", Boolean()) for i in range(tests)], ["a", "b"], nodes, 0)


def bush(depth: int) -> DecisionGraph:
    """Return a complete tree, every level on its own feature, whose class is 1 where some value is."""
    nodes: dict[NodeId, Node] = {}
    for level in range(depth):
        for k in range(2**level):
            node = 2**level + k
            nodes[node] = NonTerminal(level, ((2 * node, NO), (2 * node + 1, YES)))
    for k in range(2**depth):
        nodes[2**depth + k] = Terminal(int(k > 0))
    return decision_graph("bush", [Feature(f"f{i}", Boolean()) for i in range(depth)], ["a", "b"], nodes, 1)


def exponent(sizes: list[int], steps: list[int]) -> float:
    """Return the slope of the line that fits the logarithms best: the degree of the polynomial."""
    return statistics.linear_regression([math.log(n) for n in sizes], [math.log(s) for s in steps]).slope


@pytest.mark.parametrize(
    "trees", [[comb(n) for n in (8, 16, 32, 64, 128, 256)], [bush(d) for d in range(3, 11)]], ids=["combs", "bushes"]
)
def test_the_work_on_trees_grows_with_the_square_at_most(trees: list[DecisionGraph]) -> None:
    sizes, steps = [], []
    for graph in trees:
        counted = Steps()
        xpg = explanation_graph(graph, tuple([False] * len(graph.features)))
        cxps = tree_cxps(xpg, counted)
        assert len(cxps) <= sum(xpg.is_zero)
        sizes.append(graph.node_count)
        steps.append(counted.visited + counted.compared)
    assert exponent(sizes, steps) < 2.1
    assert all(s <= n + n * n for n, s in zip(sizes, steps, strict=True))


def test_an_exponential_is_told_from_a_polynomial() -> None:
    sizes = [8, 16, 32, 64]
    assert exponent(sizes, [2**n for n in sizes]) > 5
    assert exponent(sizes, [7 * n**3 for n in sizes]) == pytest.approx(3)
