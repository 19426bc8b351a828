"""Small graphs for subjects in processes of their own."""

from __future__ import annotations

from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Feature
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import FiniteSet

GOOD = (False, True)
"""An instance that hostile subjects answer well."""

BAD = (True, True)
"""One that they misbehave at."""


def small_graph(extra: int = 0) -> DecisionGraph:
    """Return a graph that tests "other"; hostile subjects look at "bad"; *extra* features are tested by nobody."""
    zero, one = FiniteSet(frozenset([False])), FiniteSet(frozenset([True]))
    nodes: dict[NodeId, Node] = {0: NonTerminal(1, ((1, zero), (2, one))), 1: Terminal(0), 2: Terminal(1)}
    features = [Feature("bad", Boolean()), Feature("other", Boolean())]
    features += [Feature(f"extra {number}", Boolean()) for number in range(extra)]
    return decision_graph("small", features, ["no", "yes"], nodes, 0)
