"""Hypothesis strategies: decision graphs that are valid by construction, and points of their feature space.

A graph is grown as a consistent tree over the *atoms* of each domain (a partition into a few sets): every node splits the
atoms that its path leaves of one feature.  Merging equal sub-graphs then gives sharing together with repeated features.
Ordered diagrams come from levels: an edge leads to a node of a later feature, so no path tests a feature twice.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

from xpgcheck.model.decision_graph import DecisionGraph, Node, NodeId, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Domain, Feature, Float32, Float64, Integer, Real
from xpgcheck.model.value_sets import FiniteSet, Grid, Interval, IntervalSet, ValueSet, interval_set
from xpgcheck.model.values import Point, Value

_NUMBERS = [Fraction(n, d) for d in (1, 2, 3) for n in range(-3, 4)]


@dataclass(frozen=True, slots=True)
class Atoms:
    """A feature and a partition of its domain, from which literals are put together."""

    feature: Feature
    parts: tuple[ValueSet, ...]


def domains() -> st.SearchStrategy[Domain]:
    """Every kind of domain: with one value, bounded and unbounded, open and closed, with missing values."""
    bound = st.sampled_from(sorted(set(_NUMBERS)))
    return st.one_of(
        st.just(Boolean()),
        st.sampled_from([2, 3, 4, 1]).map(lambda n: Categorical(tuple("abcd"[:n]))),
        st.sampled_from([Integer(), Integer(0, 2), Integer(-1, 3), Integer(low=0), Integer(high=0), Integer(2, 2)]),
        st.builds(
            lambda low, width, open_low, open_high: Real(low, low + width, open_low, open_high),
            bound,
            st.sampled_from([Fraction(1, 2), Fraction(2)]),
            st.booleans(),
            st.booleans(),
        ),
        st.sampled_from([Real(), Real(low=Fraction(0)), Real(high=Fraction(1), high_open=True)]),
        st.sampled_from([Float32(), Float32(missing=True), Float64(), Float64(missing=True)]),
    )


@st.composite
def atoms(draw: st.DrawFn, name: str) -> Atoms:
    """A feature called *name* with its domain split into at most five parts."""
    domain = draw(domains())
    whole = domain.all_values()
    if isinstance(whole, FiniteSet):
        parts: list[ValueSet] = [FiniteSet(frozenset([value])) for value in sorted(whole.values, key=str)]
        return Atoms(Feature(name, domain), tuple(parts))
    cuts = draw(st.lists(st.tuples(st.sampled_from(_NUMBERS), st.booleans()), min_size=1, max_size=3, unique=True))
    rest: ValueSet = whole
    parts = []
    for number, closed in sorted(cuts):
        below = interval_set(whole.grid, [Interval(None, True, number, not closed)])
        parts.append(rest.intersection(below))
        rest = rest.difference(below)
    if whole.missing:
        rest = rest.difference(IntervalSet(whole.grid, (), missing=True))
        parts.append(IntervalSet(whole.grid, (), missing=True))
    parts.append(rest)
    return Atoms(Feature(name, domain), tuple(part for part in parts if not part.is_empty()))


def _union(parts: Sequence[ValueSet]) -> ValueSet:
    union = parts[0]
    for part in parts[1:]:
        union = union.union(part)
    return union


@st.composite
def _split(draw: st.DrawFn, left: frozenset[int], total: int) -> list[tuple[frozenset[int], frozenset[int]]]:
    """Split the atoms *left* into groups; each is given with the atoms of its literal, which may hold others as well."""
    order = draw(st.permutations(sorted(left)))
    ways = draw(st.integers(min(2, len(order)), min(3, len(order))))
    groups: list[set[int]] = [{order[i]} for i in range(ways)]
    for atom in order[ways:]:
        groups[draw(st.integers(0, ways - 1))].add(atom)
    literals = [set(group) for group in groups]
    if draw(st.booleans()):
        # As learners write them: literals that also hold values which cannot arrive.
        for atom in sorted(set(range(total)) - left):
            literals[draw(st.integers(0, ways - 1))].add(atom)
    return [(frozenset(g), frozenset(w)) for g, w in zip(groups, literals, strict=True)]


@st.composite
def grown_graphs(
    draw: st.DrawFn, max_features: int = 4, max_inner: int = 8, share: bool | None = None
) -> DecisionGraph:
    """A graph grown as a consistent tree of at most *max_inner* non-terminals; equal sub-graphs merged if *share*."""
    parts = [draw(atoms(f"f{i}")) for i in range(draw(st.sampled_from([2, *range(1, max_features + 1)])))]
    classes = draw(st.sampled_from([2, 3, 2, 3, 2, 1]))
    merge = draw(st.booleans()) if share is None else share
    nodes: dict[NodeId, Node] = {}
    names: dict[object, NodeId] = {}
    leaves = itertools.count()
    budget = draw(st.sampled_from([*range(2, max_inner + 1), 1, 0]))

    def add(key: object, node: Node) -> NodeId:
        if merge and key in names:
            return names[key]
        name = names[key] = len(nodes)
        nodes[name] = node
        return name

    def grow(left: tuple[frozenset[int], ...], depth: int) -> NodeId:
        nonlocal budget
        splittable = [i for i, values in enumerate(left) if len(values) > 1]
        if budget <= 0 or depth > 7 or not splittable or (depth and draw(st.integers(0, 5)) == 5):
            # Leaves take turns, so that the simplest graphs are not constant.
            index = (draw(st.integers(0, classes - 1)) + next(leaves)) % classes
            return add(("class", index), Terminal(index))
        budget -= 1
        feature = draw(st.sampled_from(splittable))
        edges = []
        for group, literal in draw(_split(left[feature], len(parts[feature].parts))):
            child = grow((*left[:feature], group, *left[feature + 1 :]), depth + 1)
            edges.append((child, _union([parts[feature].parts[a] for a in sorted(literal)])))
        return add((feature, tuple(edges)), NonTerminal(feature, tuple(edges)))

    root = grow(tuple(frozenset(range(len(p.parts))) for p in parts), 0)
    return decision_graph("grown", [p.feature for p in parts], [f"c{k}" for k in range(classes)], nodes, root)


@st.composite
def ordered_graphs(draw: st.DrawFn, max_features: int = 5, max_width: int = 3) -> DecisionGraph:
    """A read-once ordered diagram (OBDD, OMDD and their like over any domains), at most *max_width* nodes a level."""
    parts = [draw(atoms(f"f{i}")) for i in range(draw(st.sampled_from([2, *range(1, max_features + 1)])))]
    classes = draw(st.sampled_from([2, 3, 2, 3, 2, 1]))
    nodes: dict[NodeId, Node] = {f"t{k}": Terminal(k) for k in range(classes)}
    below: list[NodeId] = list(nodes)
    for feature in range(len(parts) - 1, -1, -1):
        level: list[NodeId] = []
        for position in range(1 if feature == 0 else draw(st.integers(1, max_width))):
            whole = frozenset(range(len(parts[feature].parts)))
            edges = tuple(
                (draw(st.sampled_from(below)), _union([parts[feature].parts[a] for a in sorted(group)]))
                for group, _ in draw(_split(whole, len(whole)))
            )
            name = f"{feature}.{position}"
            nodes[name] = NonTerminal(feature, edges)
            level.append(name)
        below = [*below, *level]
    root = "0.0"
    return decision_graph(
        "ordered", [p.feature for p in parts], [f"c{k}" for k in range(classes)], _reachable(nodes, root), root
    )


def _reachable(nodes: dict[NodeId, Node], root: NodeId) -> dict[NodeId, Node]:
    kept: dict[NodeId, Node] = {}
    stack = [root]
    while stack:
        name = stack.pop()
        if name not in kept:
            node = kept[name] = nodes[name]
            if isinstance(node, NonTerminal):
                stack.extend(child for child, _ in node.edges)
    return kept


def graphs() -> st.SearchStrategy[DecisionGraph]:
    """Decision graphs of every kind: trees, shared graphs with repeated features, ordered diagrams, constant ones."""
    return st.one_of(grown_graphs(), ordered_graphs())


def trees() -> st.SearchStrategy[DecisionGraph]:
    """Decision trees."""
    return grown_graphs(share=False)


@st.composite
def points(draw: st.DrawFn, graph: DecisionGraph) -> Point:
    """A point of *graph*'s feature space, one that its literals' borders care about."""
    values: list[Value] = []
    for cells in graph.cells:
        cell = draw(st.sampled_from(cells))
        candidates = [cell.representative()]
        if isinstance(cell, IntervalSet) and cell.cuts:
            ends = [end for i in cell.intervals() for end in (i.low, i.high) if end is not None and end in cell]
            candidates += [int(end) if cell.grid is Grid.INTEGERS else end for end in ends]
        values.append(draw(st.sampled_from(candidates)))
    return tuple(values)


@st.composite
def cases(draw: st.DrawFn, source: st.SearchStrategy[DecisionGraph] | None = None) -> tuple[DecisionGraph, Point]:
    """A decision graph and an instance of it."""
    graph = draw(source if source is not None else graphs())
    return graph, draw(points(graph))
