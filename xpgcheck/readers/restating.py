"""Models over the domains that a user states for the columns of a table: whole numbers, Booleans, categories, bounds.

What no stated value can take is left out, and nothing else changes: κ of a point is what the model says of the point that
it is read as.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xpgcheck.errors import LimitError
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Domain, Feature
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.restated_sets import RestatedDomain
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.readers.source_trees import tree_graph


def restated(model: DecisionGraph | Ensemble, domains: Mapping[int, Domain]) -> DecisionGraph | Ensemble:
    """Return *model* with the *domains* of some features, by index, in place of its own.

    Raises ``DomainError`` where the model does not take all values of a domain, and ``LimitError`` where a graph that is no
    tree gets too many nodes.  O(n·h) for a tree of n nodes and depth h.
    """
    stated = {
        feature: RestatedDomain(model.features[feature], domain)
        for feature, domain in domains.items()
        if model.features[feature].domain != domain
    }
    if not stated:
        return model
    features = [stated[i].feature if i in stated else own for i, own in enumerate(model.features)]
    if isinstance(model, DecisionGraph):
        return _graph(model, features, stated)
    trees = [_graph(tree, features, stated) for tree in model.trees]
    return ensemble(model.name, features, model.classes, trees, model.rule, model.outputs)


def _graph(graph: DecisionGraph, features: Sequence[Feature], stated: Mapping[int, RestatedDomain]) -> DecisionGraph:
    literals = [stated[feature].values(values) if feature in stated else values for feature, values in graph.literals]
    if graph.is_tree():
        nodes = {graph.node_ids[node]: _node(graph, node, literals) for node in range(graph.node_count)}
        return tree_graph(graph.name, features, graph.classes, nodes, graph.node_ids[0])
    return _shared_graph(graph, features, literals)


def _node(graph: DecisionGraph, node: int, literals: Sequence[ValueSet]) -> Node:
    if graph.is_terminal(node):
        return Terminal(graph.class_of[node])
    pairs = zip(graph.children[node], graph.literal_ids[node], strict=True)
    return NonTerminal(graph.feature_of[node], tuple([(graph.node_ids[child], literals[i]) for child, i in pairs]))


MAX_STATES = 200_000
"""Nodes that a graph which is no tree may have over the stated domains."""

State = tuple[int, tuple[ValueSet, ...]]
"""A node, and what the path to it leaves of each feature that is tested above and again at or below it."""


def _shared_graph(graph: DecisionGraph, features: Sequence[Feature], literals: Sequence[ValueSet]) -> DecisionGraph:
    """Return a graph without the edges that no point takes; a node with one edge left is replaced by its child.

    A node is there once for each combination of what paths leave of the features that it or a node below tests again: once
    where no path tests a feature twice.  Raises ``LimitError`` where that are too many.
    """
    unfolded = _Unfolded(graph, [feature.domain.all_values() for feature in features], literals)
    nodes: dict[NodeId, Node] = {}
    stands_for: dict[State, State] = {}
    for state in sorted(unfolded.edges, key=lambda state: -state[0]):
        edges = [(stands_for[child], values) for child, values in unfolded.edges[state]]
        is_passed = bool(edges) and all(child == edges[0][0] for child, _ in edges)
        stands_for[state] = edges[0][0] if is_passed else state
        if not is_passed:
            nodes[unfolded.name(state)] = (
                NonTerminal(graph.feature_of[state[0]], tuple([(unfolded.name(c), values) for c, values in edges]))
                if edges
                else Terminal(graph.class_of[state[0]])
            )
    root = unfolded.name(stands_for[unfolded.root])
    found = decision_graph(graph.name, features, graph.classes, _reached(nodes, root), root)
    check_assumptions(found)
    return found


def _reached(nodes: Mapping[NodeId, Node], root: NodeId) -> dict[NodeId, Node]:
    """Return the nodes that *root* leads to, itself among them."""
    found: dict[NodeId, Node] = {}
    waiting = [root]
    while waiting:
        key = waiting.pop()
        if key in found:
            continue
        node = found[key] = nodes[key]
        if isinstance(node, NonTerminal):
            waiting += [child for child, _ in node.edges]
    return found


class _Unfolded:
    """The states of a graph over stated domains, and the edges between them that some point takes."""

    def __init__(self, graph: DecisionGraph, wholes: Sequence[ValueSet], literals: Sequence[ValueSet]) -> None:
        self._graph = graph
        self._names: dict[State, NodeId] = {}
        self._used: dict[NodeId, int] = {}
        below = [0] * graph.node_count
        above = [0] * graph.node_count
        for node in range(graph.node_count - 1, -1, -1):
            own = 0 if graph.is_terminal(node) else 1 << graph.feature_of[node]
            below[node] = own
            for child in graph.children[node]:
                below[node] |= below[child]
        for node in range(graph.node_count):
            for child in graph.children[node]:
                above[child] |= above[node] | 1 << graph.feature_of[node]
        self._again = [
            [i for i in range(len(wholes)) if (up & down) >> i & 1] for up, down in zip(above, below, strict=True)
        ]
        self.root: State = (0, ())
        self.edges: dict[State, list[tuple[State, ValueSet]]] = {}
        waiting: list[State] = [self.root]
        while waiting:
            state = waiting.pop()
            if state in self.edges:
                continue
            if len(self.edges) >= MAX_STATES:
                problem = f"over the stated domains, the graph has more than {MAX_STATES:,} nodes"
                raise LimitError(problem, mend="state the domains of fewer features, or of a tree")
            self.edges[state] = self._edges(state, wholes, literals)
            waiting += [child for child, _ in self.edges[state]]

    def _edges(
        self, state: State, wholes: Sequence[ValueSet], literals: Sequence[ValueSet]
    ) -> list[tuple[State, ValueSet]]:
        node, kept = state
        if self._graph.is_terminal(node):
            return []
        left = dict(zip(self._again[node], kept, strict=True))
        feature = self._graph.feature_of[node]
        found = []
        for child, index in zip(self._graph.children[node], self._graph.literal_ids[node], strict=True):
            values = left.get(feature, wholes[feature]).intersection(literals[index])
            if not values.is_empty():
                after = {**left, feature: values}
                rest = tuple([after.get(i, wholes[i]) for i in self._again[child]])
                found.append(((child, rest), literals[index]))
        return found

    def name(self, state: State) -> NodeId:
        """Return the id of a state's node: the graph's own for the first one, with a number for others."""
        if state not in self._names:
            own = self._graph.node_ids[state[0]]
            count = self._used[own] = self._used.get(own, 0) + 1
            name: NodeId = own if count == 1 else f"{own}/{count}"
            while count > 1 and name in self._graph.node_ids:
                name = f"{name}'"
            self._names[state] = name
        return self._names[state]
