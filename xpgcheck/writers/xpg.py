"""Labelled graphs in the `.xpg` format, which :mod:`xpgcheck.readers.xpg` describes and ``XpGraph`` reads."""

from __future__ import annotations

from xpgcheck.errors import FormatError, InstanceError, shown
from xpgcheck.model.classifier import in_feature_space
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.labelled_graph import LabelledGraph, LabelledNode, labelled_graph
from xpgcheck.model.values import Point
from xpgcheck.readers.names import check_name


def xpg_of(graph: DecisionGraph, point: Point) -> LabelledGraph:
    """Return the labels of the explanation graph of (*graph*, (*point*, κ(*point*))), as an `.xpg` file holds them.

    Edges whose literal holds at *point* are labelled 1, terminals of its class too.  Raises ``InstanceError`` where *point*
    is not in feature space.  Linear.
    """
    if not in_feature_space(graph, point):
        raise InstanceError(
            "the point is not in the model's feature space", mend="give one domain value for each feature"
        )
    holds = [point[literal.feature] in literal.values for literal in graph.literals]
    target = graph.kappa(point)
    nodes: dict[NodeId, LabelledNode] = {}
    for node, key in enumerate(graph.node_ids):
        if graph.is_terminal(node):
            nodes[key] = graph.class_of[node] == target
        else:
            pairs = zip(graph.children[node], graph.literal_ids[node], strict=True)
            edges = tuple((graph.node_ids[child], holds[index]) for child, index in pairs)
            nodes[key] = (graph.feature_of[node], edges)
    return labelled_graph(graph.name, [feature.name for feature in graph.features], nodes, graph.node_ids[0])


def write_xpg(graph: LabelledGraph) -> str:
    """Return *graph* as `.xpg` text, deterministic.

    Nodes keep their ids where all are integers, else they are numbered from 1 in the graph's order.  Variables that no
    node tests have no place in the format; the others keep their order.  Raises ``FormatError`` on a name that would be
    read back differently (spaces at an end or doubled).  Linear, plus sorting.
    """
    ids = list(graph.node_ids)
    if not all(type(key) is int and abs(key) < 10**18 for key in ids):
        ids = list(range(1, graph.node_count + 1))
    terminals = [node for node, variable in enumerate(graph.variable_of) if variable < 0]
    others = [node for node, variable in enumerate(graph.variable_of) if variable >= 0]
    used = sorted({graph.variable_of[node] for node in others})
    for variable in used:
        _check_variable(graph.variables[variable])
    lines = [f"NN: {graph.node_count}", f"Root: {ids[0]}"]
    lines += [_listing("T:", [ids[node] for node in terminals]), "TDef:"]
    lines += [f"{ids[node]} {int(graph.terminal_label[node])}" for node in terminals]
    lines += [_listing("NT:", [ids[node] for node in others]), "NTDef:"]
    lines += [f"{ids[node]} {ids[child]} {int(label)}" for node in others for child, label in graph.edges[node]]
    lines += [f"NV: {len(used)}", "VarDef:"]
    # Readers number variables by where they are first named: sorted, they keep their order.
    ordered = sorted(others, key=lambda node: graph.variable_of[node])
    lines += [f"{ids[node]} {graph.variables[graph.variable_of[node]]}" for node in ordered]
    return "\n".join(lines) + "\n"


def _listing(heading: str, ids: list[str | int]) -> str:
    return " ".join([heading, *map(str, ids)])


def _check_variable(name: str) -> None:
    check_name("variable", name)
    if name != " ".join(name.split()):
        problem = f"the variable {shown(name)} has spaces that .xpg does not keep"
        raise FormatError(problem, mend="remove spaces at its ends and doubled ones")
