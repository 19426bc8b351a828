"""Graphs that carry only the labels of an explanation graph, as `.xpg` files store them: domains and literals are lost.

The plain data of the paper's definition "Explanation Graph", before anything is computed from it: both the explainer and
the oracle of σ start from here, each with its own code.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xpgcheck.errors import ModelError, shown
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.shape import Shape, shape_of

LabelledNode = bool | tuple[int, tuple[tuple[NodeId, bool], ...]]


@dataclass(frozen=True, slots=True)
class LabelledGraph:
    """An XpG as data: node 0 is the root, edges go to higher numbers.

    ``variable_of`` is υ (−1 at terminals); ``edges`` holds (child, α_E) pairs; ``terminal_label`` is α_V at terminals.
    ``variables`` are the names of S.
    """

    name: str
    variables: tuple[str, ...]
    variable_of: tuple[int, ...]
    edges: tuple[tuple[tuple[int, bool], ...], ...]
    terminal_label: tuple[bool, ...]
    node_ids: tuple[NodeId, ...]
    shape: Shape

    @property
    def node_count(self) -> int:
        """The number of nodes, terminals counted."""
        return len(self.variable_of)

    def depth(self) -> int:
        """Return the number of edges on a longest path.  Linear."""
        level = [0] * self.node_count
        for node, edges in enumerate(self.edges):
            for child, _ in edges:
                level[child] = max(level[child], level[node] + 1)
        return max(level)

    def is_tree(self) -> bool:
        """Tell whether every node but the root has exactly one incoming edge."""
        return self.shape.tree


class LabelError(ModelError):
    """The graph breaks the definition of explanation graphs at ``node``."""

    def __init__(self, problem: str, node: NodeId, *, mend: str) -> None:
        super().__init__(problem, place=f"node {shown(node)}", mend=mend)
        self.node = node


def labelled_graph(
    name: str, variables: Sequence[str], nodes: Mapping[NodeId, LabelledNode], root: NodeId
) -> LabelledGraph:
    """Build the labelled graph of *nodes*: a terminal is its label, a non-terminal its variable and (child, label) pairs.

    Checks the definition: a DAG with the one root *root*, reachable nodes, at most one outgoing edge labelled 1 a node
    (i), and the path of 1-edges from the root ends in a terminal labelled 1 (ii).  Parallel edges become one, labelled 1
    where one of them is.  Raises ``LabelError``.  Linear.
    """
    if root not in nodes:
        raise LabelError("the root is not a node", root, mend="declare that node or correct the root")
    merged: dict[NodeId, dict[NodeId, bool]] = {}
    incoming = dict.fromkeys(nodes, 0)
    for key, node in nodes.items():
        merged[key] = {}
        if isinstance(node, bool):
            continue
        variable, edges = node
        if not 0 <= variable < len(variables):
            raise LabelError("its variable is not declared", key, mend="declare the variable")
        if not edges:
            raise LabelError("a non-terminal without edges", key, mend="give it edges or a label as a terminal")
        for child, label in edges:
            if child not in nodes:
                raise LabelError(f"an edge leads to {shown(child)}, which is no node", key, mend="declare that node")
            if child not in merged[key]:
                incoming[child] += 1
            merged[key][child] = merged[key].get(child, False) or label
        if sum(merged[key].values()) > 1:
            raise LabelError("more than one outgoing edge is labelled 1", key, mend="label at most one edge 1")
    order = _topological(merged, incoming, root)
    number = {key: position for position, key in enumerate(order)}
    variable_of = tuple(-1 if isinstance(nodes[key], bool) else nodes[key][0] for key in order)  # type: ignore[index]
    graph = LabelledGraph(
        name,
        tuple(variables),
        variable_of,
        tuple(tuple((number[child], label) for child, label in merged[key].items()) for key in order),
        tuple(nodes[key] is True for key in order),
        tuple(order),
        shape_of(len(variables), variable_of, [[number[child] for child in merged[key]] for key in order]),
    )
    _check_consistent_path(graph)
    return graph


def _topological(
    edges: Mapping[NodeId, Mapping[NodeId, bool]], incoming: dict[NodeId, int], root: NodeId
) -> list[NodeId]:
    others = [key for key, count in incoming.items() if not count and key != root]
    if others:
        raise LabelError(
            "no edge leads to it and it is not the root", others[0], mend="keep one root, all nodes reached"
        )
    order: list[NodeId] = []
    queue = deque([root] if not incoming[root] else [])
    while queue:
        key = queue.popleft()
        order.append(key)
        for child in edges[key]:
            incoming[child] -= 1
            if not incoming[child]:
                queue.append(child)
    if len(order) < len(edges):
        stuck = next(key for key, count in incoming.items() if count)
        raise LabelError("it is on a cycle or below one", stuck, mend="remove an edge of the cycle")
    return order


def _check_consistent_path(graph: LabelledGraph) -> None:
    node = 0
    while graph.variable_of[node] >= 0:
        following = next((child for child, label in graph.edges[node] if label), None)
        if following is None:
            raise LabelError(
                "no outgoing edge is labelled 1, but the 1-labelled path reaches it",
                graph.node_ids[node],
                mend="label the edge that the instance takes with 1",
            )
        node = following
    if not graph.terminal_label[node]:
        raise LabelError(
            "the 1-labelled path ends in a terminal labelled 0", graph.node_ids[node], mend="label that terminal 1"
        )
