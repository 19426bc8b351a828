"""Boxes: a set of values for each of some features, and the classifier as it looks from inside one.

What holds at every point of a box is what holds at every point of :func:`confined`, which sends each value outside to that
of a point inside: a judge of classifiers can judge a box.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xpgcheck.errors import InputError
from xpgcheck.model.constraint import Clause, Constraint
from xpgcheck.model.decision_graph import DecisionGraph, Literal, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Feature, contains
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.model.value_sets import Cut, FiniteSet, IntervalSet, ValueSet
from xpgcheck.model.values import Point, Value

Box = Mapping[int, ValueSet]
"""The values in the box, by the feature's index; of features that are not named, all values are in it."""


def retracted(point: Point, box: Box, inside: Point) -> Point:
    """Return *point* with the values of *inside* wherever its own are outside *box*."""
    pairs = enumerate(zip(point, inside, strict=True))
    return tuple([own if i not in box or own in box[i] else other for i, (own, other) in pairs])


def confined(classifier: DecisionGraph | Ensemble, box: Box, inside: Point) -> DecisionGraph | Ensemble:
    """Return the classifier that answers at each point what *classifier* does at that point :func:`retracted` into *box*.

    *inside* is a point of the box.  A literal keeps its values in the box; the one that holds at *inside* gets all others,
    too.  Paths that no point of the box takes may have become inconsistent.  Raises ``InputError`` where *inside* is not in
    the box.  Linear in the nodes, but for the set operations.
    """
    for feature, values in box.items():
        own = classifier.features[feature]
        if inside[feature] not in values or not contains(own.domain, inside[feature]):
            raise InputError("the point is not in the box", place=f"feature {own.name!r}", mend="give a point inside")
    if isinstance(classifier, DecisionGraph):
        return _confined_graph(classifier, box, inside)
    trees = [_confined_graph(tree, box, inside) for tree in classifier.trees]
    return ensemble(
        classifier.name, classifier.features, classifier.classes, trees, classifier.rule, classifier.outputs
    )


def confined_constraint(constraint: Constraint, box: Box, inside: Point) -> Constraint:
    """Return the constraint that allows each point that *constraint* allows once it is :func:`retracted` into *box*.

    *inside* is a point of the box that can occur.  Linear, but for the set operations.
    """
    clauses = []
    for clause in constraint.clauses:
        kept = [(i, _confined_set(values, constraint.features, i, box, inside)) for i, values in clause.literals]
        literals = tuple(Literal(i, values) for i, values in kept if not values.is_empty())
        clauses.append(Clause(literals, clause.name))
    graph = None if constraint.graph is None else _confined_graph(constraint.graph, box, inside)
    return Constraint(constraint.features, tuple(clauses), graph)


def _confined_set(values: ValueSet, features: Sequence[Feature], i: int, box: Box, inside: Point) -> ValueSet:
    """Return *values* of a feature in the box, and with that of *inside* all outside."""
    if i not in box:
        return values
    own = box[i]
    kept = values.intersection(own)
    if inside[i] in values:
        kept = kept.union(features[i].domain.all_values().difference(own))
    return kept


def _confined_graph(graph: DecisionGraph, box: Box, inside: Point) -> DecisionGraph:
    known: list[ValueSet | None] = []
    for feature, values in graph.literals:
        kept = _confined_set(values, graph.features, feature, box, inside)
        known.append(None if kept.is_empty() else kept)
    nodes: dict[int | str, NonTerminal | Terminal] = {}
    waiting = [0]
    while waiting:
        node = waiting.pop()
        if node in nodes:
            continue
        if graph.class_of[node] >= 0:
            nodes[node] = Terminal(graph.class_of[node])
            continue
        edges = []
        for child, index in zip(graph.children[node], graph.literal_ids[node], strict=True):
            values_left = known[index]
            if values_left is not None:
                edges.append((child, values_left))
                waiting.append(child)
        # Without edges no point of the box comes here, whatever class stands here then.
        nodes[node] = NonTerminal(graph.feature_of[node], tuple(edges)) if edges else Terminal(graph.kappa(inside))
    return decision_graph(graph.name, graph.features, graph.classes, nodes, 0)


def union_of_cells(split: tuple[ValueSet, ...], mask: int) -> ValueSet:
    """Return the union of the cells of a feature whose bits are in *mask*, which is not 0.  Linear."""
    chosen = [cell for k, cell in enumerate(split) if mask >> k & 1]
    first = chosen[0]
    if isinstance(first, FiniteSet):
        return FiniteSet(frozenset().union(*(cell.values for cell in chosen if isinstance(cell, FiniteSet))))
    cuts: list[Cut] = []
    missing = False
    for cell in chosen:
        assert isinstance(cell, IntervalSet)
        missing = missing or cell.missing
        if cuts and cell.cuts and cuts[-1] == cell.cuts[0]:
            cuts[-1:] = cell.cuts[1:]
        else:
            cuts += cell.cuts
    return IntervalSet(first.grid, tuple(cuts), missing)


def cell_index(split: tuple[ValueSet, ...], value: Value) -> int:
    """Return which cell of a feature has *value*.  Linear in the cells."""
    return next(k for k, cell in enumerate(split) if value in cell)
