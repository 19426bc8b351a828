"""Evidence that needs no solver: a closed set of nodes proves that nothing changes the class.

Fix some features at their values in v.  A set of nodes is *closed* when it holds the root and, with a node, every child
to which a compatible edge leads; an edge is compatible when its feature is free, or fixed to a value in its literal.
Every point that agrees with v on the fixed features walks inside a closed set.  So if no terminal in it has another
class than v, none of these points has: the fixed features are a weak AXp (Eq. 1).  This holds for every graph,
whether or not its paths are consistent; the other direction needs assumption (ii), so nothing here ever claims
"changeable".

Only :func:`check_closed_set` has to be trusted: it is handed a set, no matter who made it, and looks at each edge that
leaves it.  It knows nothing of explanation graphs: no node is labelled, nothing is cached between instances, membership
of v's value in the literal itself is what decides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Answer


def closed_set(graph: DecisionGraph, point: Point, fixed: Iterable[int]) -> set[int]:
    """Return the least closed set of nodes with *fixed* at their values in *point*.  O(edges)."""
    chosen = frozenset(fixed)
    nodes = {0}
    stack = [0]
    while stack:
        node = stack.pop()
        feature = graph.feature_of[node]
        for child, values in graph.edges(node):
            if child not in nodes and (feature not in chosen or point[feature] in values):
                nodes.add(child)
                stack.append(child)
    return nodes


def check_closed_set(graph: DecisionGraph, point: Point, fixed: Iterable[int], nodes: Collection[int]) -> str | None:
    """Return why *nodes* does not prove that *fixed* is a weak AXp at *point*, or None where it does.

    Looks at every node and edge of the set once: O(edges).
    """
    inside = frozenset(nodes)
    chosen = frozenset(fixed)
    if 0 not in inside:
        return "the root is not in the set"
    if not all(0 <= node < graph.node_count for node in inside):
        return "the set holds a node that the graph does not have"
    own_class = graph.kappa(point)
    for node in inside:
        class_index = graph.class_of[node]
        if class_index >= 0:
            if class_index != own_class:
                return f"terminal {node} has another class"
            continue
        feature = graph.feature_of[node]
        if inside.issuperset(graph.children[node]):
            continue
        for child, values in graph.edges(node):
            if child not in inside and (feature not in chosen or point[feature] in values):
                return f"the edge from {node} to {child} is compatible and leaves the set"
    return None


class ClosedSetOracle:
    """Answers "not changeable" with a closed set that the checker has accepted, and "unknown" otherwise."""

    name = "closed set"
    engine = "closed set"

    def __init__(self, graph: DecisionGraph, point: Point) -> None:
        self._graph = graph
        self._point = point
        self._class = graph.kappa(point)
        # For each node (all children, the child that v's value takes): membership is looked up once an instance.
        held = graph.held(point)
        self._steps = [
            (feature, children, tuple(child for child, index in zip(children, ids, strict=True) if held[index]))
            for feature, children, ids in zip(graph.feature_of, graph.children, graph.literal_ids, strict=True)
        ]

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Answer False where a closed set proves it, else None.  O(edges), and soon ends on the first other class."""
        chosen = frozenset(fixed)
        nodes = self._closed_set(chosen)
        if isinstance(nodes, int):
            return Answer(None, None, self.name, f"the least closed set has terminal {nodes} of another class")
        problem = check_closed_set(self._graph, self._point, chosen, nodes)
        if problem is not None:
            return Answer(None, None, self.name, f"the checker refused the set: {problem}")
        return Answer(False, None, self.name)

    def _closed_set(self, fixed: frozenset[int]) -> set[int] | int:
        """Return the least closed set, or the first terminal of another class that is in it."""
        steps, classes, own = self._steps, self._graph.class_of, self._class
        nodes = {0}
        stack = [0]
        while stack:
            node = stack.pop()
            feature, children, held = steps[node]
            if feature < 0:
                if classes[node] != own:
                    return node
                continue
            for child in held if feature in fixed else children:
                if child not in nodes:
                    nodes.add(child)
                    stack.append(child)
        return nodes
