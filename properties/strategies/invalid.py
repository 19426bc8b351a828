"""Strategies for what is no decision graph: sources that break one rule of the definition, and only that one."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from hypothesis import strategies as st

from xpgcheck.errors import ModelError
from xpgcheck.model.assumptions import InconsistentPathError, UncoveredError
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal
from xpgcheck.model.domains import Boolean, Categorical, Integer, Real
from xpgcheck.model.graph_errors import (
    CycleError,
    EmptyLiteralError,
    LiteralError,
    NodeId,
    OverlapError,
    RootError,
    StructureError,
    UnreachableError,
)
from xpgcheck.model.value_sets import FiniteSet, Grid, Interval, IntervalSet, ValueSet, interval_set
from xpgcheck.model.values import Point
from xpgcheck.properties.borders import border_values
from xpgcheck.properties.cases import Case
from xpgcheck.properties.strategies.atoms import below
from xpgcheck.properties.strategies.growing import GraphSource
from xpgcheck.properties.strategies.kinds import DEFAULT_SIZE, sources
from xpgcheck.properties.strategies.ladders import reachable

Assumption = Literal["i", "ii"]

Breaker = Callable[[st.DrawFn, GraphSource], GraphSource]

_NEW = "new"
"""A name that no generated node has."""


def _tests(source: GraphSource) -> list[tuple[NodeId, NonTerminal]]:
    return [(name, node) for name, node in source.nodes.items() if isinstance(node, NonTerminal)]


def _pick(draw: st.DrawFn, source: GraphSource) -> tuple[NodeId, NonTerminal]:
    found = _tests(source)
    return found[draw(below(len(found)))]


def _pick_edge(draw: st.DrawFn, source: GraphSource) -> tuple[NodeId, NonTerminal, int]:
    name, node = _pick(draw, source)
    return name, node, draw(below(len(node.edges)))


def _with(source: GraphSource, changed: dict[NodeId, Node], root: NodeId | None = None) -> GraphSource:
    """Return *source* with nodes changed or added, and without those that the root no longer reaches."""
    root = source.root if root is None else root
    assert root is not None
    return replace(source, nodes=reachable({**source.nodes, **changed}, root), root=root)


def _with_edge(node: NonTerminal, position: int, edge: tuple[NodeId, ValueSet]) -> NonTerminal:
    return NonTerminal(node.feature, (*node.edges[:position], edge, *node.edges[position + 1 :]))


def _uncovered(draw: st.DrawFn, source: GraphSource) -> GraphSource:
    """Remove an edge: its values could arrive, as every path is consistent."""
    name, node, position = _pick_edge(draw, source)
    return _with(source, {name: NonTerminal(node.feature, node.edges[:position] + node.edges[position + 1 :])})


def _inconsistent(draw: st.DrawFn, source: GraphSource) -> GraphSource:
    """Test an edge's feature again behind it, with one literal for the values that the edge excludes."""
    name, node, position = _pick_edge(draw, source)
    child, values = node.edges[position]
    whole = source.features[node.feature].domain.all_values()
    again = NonTerminal(node.feature, ((child, values), (_NEW, whole.difference(values))))
    terminal = Terminal(draw(below(len(source.classes))))
    return _with(source, {name: _with_edge(node, position, ("again", values)), "again": again, _NEW: terminal})


def _overlapping(draw: st.DrawFn, source: GraphSource) -> GraphSource:
    """Give an edge a value of another edge of its node as well, one that leads elsewhere."""
    found = [
        (name, node, first, second)
        for name, node in _tests(source)
        for first, (child, _) in enumerate(node.edges)
        for second, (other, _) in enumerate(node.edges)
        if child != other
    ]
    name, node, first, second = found[draw(below(len(found)))]
    child, values = node.edges[first]
    other = node.edges[second][1]
    domain = source.features[node.feature].domain.all_values()
    shared = _single(other.intersection(domain)) if draw(below(2)) else other
    return _with(source, {name: _with_edge(node, first, (child, values.union(shared)))})


def _single(values: ValueSet) -> ValueSet:
    """Return the set of the one representative of *values*."""
    value = values.representative()
    if isinstance(values, FiniteSet):
        return FiniteSet(frozenset([value]))
    if not isinstance(value, (int, Fraction)):
        return IntervalSet(values.grid, (), missing=True)
    return interval_set(values.grid, [Interval(Fraction(value), False, Fraction(value), False)])


def _empty(draw: st.DrawFn, source: GraphSource) -> GraphSource:
    """Add an edge under no value, or where the domain has bounds under values beyond them."""
    name, node = _pick(draw, source)
    domain = source.features[node.feature].domain
    whole = domain.all_values()
    nothing: ValueSet = whole.difference(whole)
    high = domain.high if isinstance(domain, (Integer, Real)) else None
    if high is not None and isinstance(whole, IntervalSet) and draw(below(2)):
        nothing = interval_set(whole.grid, [Interval(Fraction(high), True, None, True)])
    terminal = Terminal(draw(below(len(source.classes))))
    return _with(source, {name: NonTerminal(node.feature, (*node.edges, (_NEW, nothing))), _NEW: terminal})


def _foreign(draw: st.DrawFn, source: GraphSource) -> GraphSource:
    """Give an edge a set over another kind of domain."""
    name, node, position = _pick_edge(draw, source)
    finite = isinstance(source.features[node.feature].domain, (Boolean, Categorical))
    other: ValueSet = FiniteSet(frozenset(["elsewhere"]))
    if finite and draw(below(2)):
        other = interval_set(Grid.DENSE, [Interval(Fraction(0), False, None, True)])
    # A node of its own, so that no parallel edge is united with the foreign set.
    terminal = Terminal(draw(below(len(source.classes))))
    return _with(source, {name: _with_edge(node, position, (_NEW, other)), _NEW: terminal})


def _cyclic(draw: st.DrawFn, source: GraphSource) -> GraphSource:
    """Lead an edge back to a node that reaches it."""
    name, node, position = _pick_edge(draw, source)
    above = [other for other in source.nodes if name in reachable(dict(source.nodes), other)]
    back = above[draw(below(len(above)))]
    return _with(source, {name: _with_edge(node, position, (back, node.edges[position][1]))})


def _two_roots(draw: st.DrawFn, source: GraphSource) -> GraphSource:
    """Add a node that no edge leads to, and name no root."""
    return replace(_unreachable(draw, source), root=None)


def _unreachable(draw: st.DrawFn, source: GraphSource) -> GraphSource:
    """Add a node that no edge leads to, a terminal or a second way into the graph."""
    added: Node = Terminal(draw(below(len(source.classes))))
    if draw(below(2)):
        added = _pick(draw, source)[1]
    return replace(source, nodes={**source.nodes, _NEW: added})


def _nowhere(draw: st.DrawFn, source: GraphSource) -> GraphSource:
    """Lead an edge to a node that does not exist."""
    name, node, position = _pick_edge(draw, source)
    changed = _with(source, {name: _with_edge(node, position, (_NEW, node.edges[position][1])), _NEW: Terminal(0)})
    return replace(changed, nodes={key: value for key, value in changed.nodes.items() if key != _NEW})


def _no_class(draw: st.DrawFn, source: GraphSource) -> GraphSource:
    """Give a terminal a class beyond those declared, or a negative one."""
    names = [name for name, node in source.nodes.items() if isinstance(node, Terminal)]
    name = names[draw(below(len(names)))]
    return _with(source, {name: Terminal(-1 if draw(below(2)) else len(source.classes))})


def _no_feature(draw: st.DrawFn, source: GraphSource) -> GraphSource:
    """Test a feature beyond those declared."""
    name, node = _pick(draw, source)
    return _with(source, {name: NonTerminal(len(source.features), node.edges)})


_BREAKERS: dict[str, tuple[Breaker, type[ModelError]]] = {
    "uncovered": (_uncovered, UncoveredError),
    "inconsistent": (_inconsistent, InconsistentPathError),
    "overlap": (_overlapping, OverlapError),
    "empty literal": (_empty, EmptyLiteralError),
    "foreign literal": (_foreign, LiteralError),
    "cycle": (_cyclic, CycleError),
    "two roots": (_two_roots, RootError),
    "unreachable": (_unreachable, UnreachableError),
    "edge to nowhere": (_nowhere, StructureError),
    "class undeclared": (_no_class, StructureError),
    "feature undeclared": (_no_feature, StructureError),
}

INVALID: dict[str, type[ModelError]] = {name: error for name, (_, error) in _BREAKERS.items()}
"""The rules that a source can break, each with the error that refuses it.

``"uncovered"`` is assumption (i) and ``"inconsistent"`` assumption (ii): the graph can be built, and
:func:`~xpgcheck.model.assumptions.check_assumptions` refuses it.  All others are refused as the graph is built.
"""


@st.composite
def _broken(draw: st.DrawFn, broken: str, size: int) -> GraphSource:
    return _BREAKERS[broken][0](draw, draw(sources(max(size - 2, 6), tests=True)))


def invalid_sources(broken: str, size: int = DEFAULT_SIZE) -> st.SearchStrategy[GraphSource]:
    """Return a strategy for sources of at most *size* nodes (8 or more) that break one rule of ``INVALID`` and no other.

    Raises ``ValueError`` on a rule that is not known.
    """
    if broken not in _BREAKERS:
        raise ValueError(f"no rule {broken!r}; the rules are {', '.join(INVALID)}")
    return _broken(broken, size)


@st.composite
def _lawless(draw: st.DrawFn, source: st.SearchStrategy[GraphSource]) -> DecisionGraph:
    return draw(source).build("lawless")


@functools.cache
def lawless_graphs(assumption: Assumption, size: int = DEFAULT_SIZE) -> st.SearchStrategy[DecisionGraph]:
    """Return a strategy for graphs of at most *size* nodes that break assumption (i) only, or (ii) only."""
    return _lawless(invalid_sources("uncovered" if assumption == "i" else "inconsistent", size))


@st.composite
def lawless_cases(draw: st.DrawFn, assumption: Assumption, size: int = DEFAULT_SIZE) -> Case:
    """Cases on :func:`lawless_graphs`, at an instance that reaches a terminal: κ has a value there."""
    graph = draw(lawless_graphs(assumption, size))
    left = [set(range(len(cells))) for cells in graph.cells]
    node = 0
    while not graph.is_terminal(node):
        feature = graph.feature_of[node]
        ways = []
        for child, index in zip(graph.children[node], graph.literal_ids[node], strict=True):
            rest = left[feature].intersection(
                *[{k for low, high in graph.literal_cells[index] for k in range(low, high)}]
            )
            if rest:
                ways.append((child, rest))
        node, left[feature] = ways[draw(below(len(ways)))]
    return Case(graph, _point_in(draw, graph, left), draw(st.integers(0, (1 << 32) - 1)))


def _point_in(draw: st.DrawFn, graph: DecisionGraph, left: list[set[int]]) -> Point:
    values = []
    for cells, kept in zip(graph.cells, left, strict=True):
        choices = [value for index in sorted(kept) for value in border_values(cells[index])]
        values.append(choices[draw(below(len(choices)))])
    return tuple(values)
