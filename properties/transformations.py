"""Changes of a decision graph that change no explanation, or only the names in it.

Each returns a new decision graph, equal to one that is built and checked afresh.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from xpgcheck.model.assumptions import InconsistentPathError, check_assumptions
from xpgcheck.model.decision_graph import DecisionGraph, Literal, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Feature
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import FiniteSet, Interval, ValueSet, interval_set
from xpgcheck.model.values import MISSING
from xpgcheck.properties.verdicts import NotApplicable

MAX_UNFOLDED = 300
"""Nodes up to which a graph is unfolded into its tree."""


def source(graph: DecisionGraph) -> dict[NodeId, Node]:
    """Return the nodes of *graph* as :func:`~xpgcheck.model.decision_graph.decision_graph` takes them, by number."""
    nodes: dict[NodeId, Node] = {}
    for node in range(graph.node_count):
        if graph.is_terminal(node):
            nodes[node] = Terminal(graph.class_of[node])
        else:
            nodes[node] = NonTerminal(graph.feature_of[node], tuple(graph.edges(node)))
    return nodes


def with_features_permuted(graph: DecisionGraph, order: Sequence[int]) -> DecisionGraph:
    """Return *graph* with feature ``order[k]`` in place k, under another name."""
    place = {feature: k for k, feature in enumerate(order)} | {-1: -1}
    features = [Feature(f"x{k}", graph.features[feature].domain) for k, feature in enumerate(order)]
    return _with_features(graph, features, place, [graph.cells[feature] for feature in order])


def _with_features(
    graph: DecisionGraph,
    features: Sequence[Feature],
    place: Mapping[int, int],
    cells: Sequence[tuple[ValueSet, ...]],
) -> DecisionGraph:
    """Return *graph* over other *features*, feature i of it being ``place[i]`` among them: equal to one built afresh."""
    return replace(
        graph,
        features=tuple(features),
        feature_of=tuple([place[feature] for feature in graph.feature_of]),
        literals=tuple([Literal(place[literal.feature], literal.values) for literal in graph.literals]),
        cells=tuple(cells),
    )


def with_classes_permuted(graph: DecisionGraph, order: Sequence[int]) -> DecisionGraph:
    """Return *graph* with class ``order[k]`` in place k: equal to one built afresh."""
    place = {index: k for k, index in enumerate(order)} | {-1: -1}
    return replace(
        graph,
        classes=tuple([graph.classes[k] for k in order]),
        class_of=tuple([place[index] for index in graph.class_of]),
    )


def with_nodes_permuted(graph: DecisionGraph, dice: random.Random) -> DecisionGraph:
    """Return *graph* with other names of its nodes, and nodes and edges in another order."""
    nodes = list(source(graph).items())
    dice.shuffle(nodes)
    shuffled: dict[NodeId, Node] = {}
    for key, node in nodes:
        if isinstance(node, NonTerminal):
            edges = [(f"n{child}", values) for child, values in node.edges]
            dice.shuffle(edges)
            node = NonTerminal(node.feature, tuple(edges))
        shuffled[f"n{key}"] = node
    return decision_graph(graph.name, graph.features, graph.classes, shuffled, "n0")


def with_equal_nodes_merged(graph: DecisionGraph) -> DecisionGraph:
    """Return *graph* with one node for all that start the same sub-graph, terminals of one class among them."""
    known: dict[object, NodeId] = {}
    kept: dict[NodeId, Node] = {}
    merged: dict[NodeId, NodeId] = {}
    nodes = source(graph)
    for key in reversed(range(graph.node_count)):
        node = nodes[key]
        if isinstance(node, NonTerminal):
            node = _merged_edges(node.feature, [(merged[child], values) for child, values in node.edges])
        signature = (node.feature, frozenset(node.edges)) if isinstance(node, NonTerminal) else node.class_index
        merged[key] = known.setdefault(signature, key)
        if merged[key] == key:
            kept[key] = node
    return decision_graph(graph.name, graph.features, graph.classes, kept, merged[0])


def _merged_edges(feature: int, edges: list[tuple[NodeId, ValueSet]]) -> NonTerminal:
    values_to: dict[NodeId, ValueSet] = {}
    for child, values in edges:
        values_to[child] = values_to[child].union(values) if child in values_to else values
    return NonTerminal(feature, tuple(values_to.items()))


def with_a_node_split(graph: DecisionGraph, dice: random.Random) -> DecisionGraph:
    """Return *graph* with a node that has several parents made two.  Raises ``NotApplicable`` on a tree."""
    parents = Counter(child for children in graph.children for child in children)
    shared = [node for node, count in parents.items() if count > 1]
    if not shared:
        raise NotApplicable("no node has two parents")
    chosen = dice.choice(shared)
    nodes = source(graph)
    parent = dice.choice([p for p, children in enumerate(graph.children) if chosen in children])
    nodes["twin"] = nodes[chosen]
    above = nodes[parent]
    assert isinstance(above, NonTerminal)
    edges = tuple(("twin" if child == chosen else child, values) for child, values in above.edges)
    nodes[parent] = NonTerminal(above.feature, edges)
    return decision_graph(graph.name, graph.features, graph.classes, nodes, 0)


def with_a_feature_added(graph: DecisionGraph, place: int) -> DecisionGraph:
    """Return *graph* with a Boolean feature that no node tests, as feature *place*."""
    added = Feature("added", Boolean())
    features = [*graph.features[:place], added, *graph.features[place:]]
    places = {feature: feature + (feature >= place) for feature in range(len(graph.features))} | {-1: -1}
    cells = [*graph.cells[:place], (added.domain.all_values(),), *graph.cells[place:]]
    return _with_features(graph, features, places, cells)


def with_a_literal_refined(graph: DecisionGraph, dice: random.Random) -> DecisionGraph:
    """Return *graph* with the values of one edge shared between it and a new one, to a twin of its child.

    Raises ``NotApplicable`` where no literal can be split, or where all values that arrive are in one part.
    """
    edges = [(node, position) for node, children in enumerate(graph.children) for position in range(len(children))]
    dice.shuffle(edges)
    for chosen, position in edges:
        parts = _two_parts(graph.literals[graph.literal_ids[chosen][position]].values)
        if parts is not None:
            return _refined(graph, chosen, position, *parts)
    raise NotApplicable("no literal can be split")


def _refined(graph: DecisionGraph, chosen: int, position: int, first: ValueSet, second: ValueSet) -> DecisionGraph:
    nodes = source(graph)
    node = nodes[chosen]
    assert isinstance(node, NonTerminal)
    child = node.edges[position][0]
    nodes["twin"] = nodes[child]
    edges = (*node.edges[:position], (child, first), ("twin", second), *node.edges[position + 1 :])
    nodes[chosen] = NonTerminal(node.feature, edges)
    refined = decision_graph(graph.name, graph.features, graph.classes, nodes, 0)
    try:
        check_assumptions(refined)
    except InconsistentPathError:
        raise NotApplicable("one part of the literal cannot arrive") from None
    return refined


def _two_parts(values: ValueSet) -> tuple[ValueSet, ValueSet] | None:
    """Split a literal after one of its values; None where there is nothing after it."""
    if isinstance(values, FiniteSet):
        first: ValueSet = FiniteSet(frozenset([values.representative()]))
    else:
        middle = values.representative()
        if middle is MISSING:
            return None
        first = values.intersection(interval_set(values.grid, [Interval(None, True, Fraction(middle), False)]))
    second = values.difference(first)
    return None if second.is_empty() else (first, second)


def unfolded(graph: DecisionGraph) -> DecisionGraph:
    """Return the tree of *graph*'s paths.  Raises ``NotApplicable`` where it is a tree, or has too many paths."""
    if graph.is_tree():
        raise NotApplicable("the graph is a tree")
    nodes: dict[NodeId, Node] = {}
    stack = [(0, 0)]
    count = 1
    while stack:
        name, node = stack.pop()
        if graph.is_terminal(node):
            nodes[name] = Terminal(graph.class_of[node])
            continue
        edges: list[tuple[NodeId, ValueSet]] = []
        for child, values in graph.edges(node):
            edges.append((count, values))
            stack.append((count, child))
            count += 1
        if count > MAX_UNFOLDED:
            raise NotApplicable(f"its tree has more than {MAX_UNFOLDED} nodes")
        nodes[name] = NonTerminal(graph.feature_of[node], tuple(edges))
    return decision_graph(graph.name, graph.features, graph.classes, nodes, 0)
