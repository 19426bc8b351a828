"""Models over the domains that a user states for the columns of a table: whole numbers, Booleans, categories, bounds.

What no stated value can take is left out, and nothing else changes: κ of a point is what the model says of the point that
it is read as.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xpgcheck.errors import ModelError, shown
from xpgcheck.model.assumptions import InconsistentPathError, UncoveredError, check_assumptions
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Domain, Feature
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.restated_sets import RestatedDomain
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.readers.source_trees import tree_graph


def restated(model: DecisionGraph | Ensemble, domains: Mapping[int, Domain]) -> DecisionGraph | Ensemble:
    """Return *model* with the *domains* of some features, by index, in place of its own.

    Raises ``DomainError`` where the model does not take all values of a domain, and ``ModelError`` where a graph that is no
    tree has paths that no point takes any more.  O(n·h) for a tree of n nodes and depth h.
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


def _shared_graph(graph: DecisionGraph, features: Sequence[Feature], literals: Sequence[ValueSet]) -> DecisionGraph:
    """Return a graph without the edges whose literals are empty; a node with one edge left is replaced by its child."""
    stands_for = list(range(graph.node_count))
    kept: dict[int, list[tuple[int, ValueSet]]] = {}
    for node in range(graph.node_count - 1, -1, -1):
        pairs = zip(graph.children[node], graph.literal_ids[node], strict=True)
        edges = [(stands_for[child], literals[i]) for child, i in pairs if not literals[i].is_empty()]
        if edges and all(child == edges[0][0] for child, _ in edges):
            stands_for[node] = edges[0][0]
        kept[node] = edges
    nodes: dict[NodeId, Node] = {}
    waiting = [stands_for[0]]
    while waiting:
        node = waiting.pop()
        key = graph.node_ids[node]
        if key in nodes:
            continue
        if graph.is_terminal(node):
            nodes[key] = Terminal(graph.class_of[node])
            continue
        edges = kept[node]
        nodes[key] = NonTerminal(graph.feature_of[node], tuple([(graph.node_ids[child], s) for child, s in edges]))
        waiting += [child for child, _ in edges]
    found = decision_graph(graph.name, features, graph.classes, nodes, graph.node_ids[stands_for[0]])
    try:
        check_assumptions(found)
    except (InconsistentPathError, UncoveredError) as error:
        name = features[error.feature].name
        problem = "over the stated domains, a path that tests a feature twice can be taken by no point"
        mend = f"leave {shown(name)} as the model has it, or state the domains of a tree"
        raise ModelError(problem, place=f"feature {shown(name)}", mend=mend) from None
    return found
