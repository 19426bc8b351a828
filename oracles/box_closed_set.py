"""Evidence that needs no solver, over conditions with theory: a set of nodes closed in a box.

Conditions that come out as at v leave a set of values of each feature; the points that agree with v on them are the
product of these sets, a *box*.  A set of nodes is *closed in the box* when it holds the root and, with a node, every
child whose literal meets what the box leaves of the node's feature.  Every point of the box walks inside a closed set.
So if no terminal in it has another class than v, the conditions are a weak AXp.

An edge may meet the box while the path that leads there does not, so in general only the "no" counts.  Where all
literals are intervals without the missing value, as in trees of thresholds, the least closed set is exact: intervals
that meet pairwise have a common value, so a consistent path whose edges all meet the box has a point of it.

Only :func:`check_closed_set_within` has to be trusted.  It works with exact sets of values; the oracle's search for a closed
set works with the graph's cells, and shares nothing with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Answer
from xpgcheck.oracles.conditions import Condition


def box_of(
    graph: DecisionGraph, conditions: Sequence[Condition], point: Point, fixed: Iterable[int]
) -> dict[int, ValueSet]:
    """Return, of each feature with a condition in *fixed*, its values at which these come out as at *point*.

    Of every other feature the box has the whole domain.  One set operation a fixed condition.
    """
    box: dict[int, ValueSet] = {}
    for condition in [conditions[i] for i in fixed]:
        feature = condition.feature
        left = box[feature] if feature in box else graph.features[feature].domain.all_values()
        narrow = left.intersection if condition.holds(point) else left.difference
        box[feature] = narrow(condition.values)
    return box


def closed_set_in_box(
    graph: DecisionGraph, conditions: Sequence[Condition], point: Point, fixed: Iterable[int]
) -> set[int]:
    """Return the least set of nodes that is closed in the box of *fixed*.  O(edges) set operations."""
    return closed_set_within(graph, box_of(graph, conditions, point, fixed))


def closed_set_within(graph: DecisionGraph, box: Mapping[int, ValueSet]) -> set[int]:
    """Return the least set of nodes that is closed in *box*, which has sets of values of some features.

    O(edges) set operations.
    """
    nodes = {0}
    stack = [0]
    while stack:
        node = stack.pop()
        left = box.get(graph.feature_of[node])
        for child, values in graph.edges(node):
            if child not in nodes and (left is None or not left.intersection(values).is_empty()):
                nodes.add(child)
                stack.append(child)
    return nodes


def check_closed_set_in_box(
    graph: DecisionGraph,
    conditions: Sequence[Condition],
    point: Point,
    fixed: Iterable[int],
    nodes: Collection[int],
) -> str | None:
    """Return why *nodes* does not prove that *fixed* is a weak AXp with theory at *point*, or None where it does.

    Looks at every node and edge of the set once: O(edges) set operations, and only for edges that leave it.
    """
    return check_closed_set_within(graph, box_of(graph, conditions, point, fixed), graph.kappa(point), nodes)


def check_closed_set_within(
    graph: DecisionGraph, box: Mapping[int, ValueSet], own_class: int, nodes: Collection[int]
) -> str | None:
    """Return why *nodes* does not prove that all points of *box* have *own_class*, or None where it does.

    Costs what :func:`check_closed_set_in_box` does.
    """
    inside = frozenset(nodes)
    if 0 not in inside:
        return "the root is not in the set"
    if not all(0 <= node < graph.node_count for node in inside):
        return "the set holds a node that the graph does not have"
    for node in inside:
        class_index = graph.class_of[node]
        if class_index >= 0:
            if class_index != own_class:
                return f"terminal {node} has another class"
            continue
        left = box.get(graph.feature_of[node])
        for child, values in graph.edges(node):
            if child not in inside and (left is None or not left.intersection(values).is_empty()):
                return f"the edge from {node} to {child} is compatible and leaves the set"
    return None


class BoxMasks:
    """The tables of one graph's boxes, as bits of cells: made once, for every instance.

    Bit k of a mask stands for the k-th of the feature's cells, whose values no literal of the graph tells apart.
    """

    def __init__(self, graph: DecisionGraph, conditions: Sequence[Condition]) -> None:
        """Take *conditions* as ``conditions_of(graph)`` gives them.  O(literals and their ranges of cells)."""
        self.graph = graph
        self.conditions = tuple(conditions)
        masks = [sum((1 << high) - (1 << low) for low, high in ranges) for ranges in graph.literal_cells]
        self.whole = [(1 << len(cells)) - 1 for cells in graph.cells]
        literals = {
            (literal.feature, literal.values): mask for literal, mask in zip(graph.literals, masks, strict=True)
        }
        self.true = [literals[condition.feature, condition.values] for condition in conditions]
        self.edges = [
            tuple((child, masks[index]) for child, index in zip(children, ids, strict=True))
            for children, ids in zip(graph.children, graph.literal_ids, strict=True)
        ]


class ClosedSetInBoxOracle:
    """Answers "not changeable" with a set closed in the box that the checker has accepted, and "unknown" otherwise."""

    name = "closed set"
    engine = "closed set"

    def __init__(self, masks: BoxMasks, point: Point) -> None:
        self._masks = masks
        self._point = point
        self._class = masks.graph.kappa(point)
        # For each condition: its feature, and the cells at which it has the same truth value as at the instance.
        self._kept = [
            (c.feature, true if c.holds(point) else masks.whole[c.feature] & ~true)
            for c, true in zip(masks.conditions, masks.true, strict=True)
        ]

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Answer False where a closed set proves it, else None.  O(edges), and soon ends on the first other class."""
        chosen = frozenset(fixed)
        nodes = self._closed_set(chosen)
        if isinstance(nodes, int):
            return Answer(None, None, self.name, f"the least closed set has terminal {nodes} of another class")
        masks = self._masks
        problem = check_closed_set_in_box(masks.graph, masks.conditions, self._point, chosen, nodes)
        if problem is not None:
            return Answer(None, None, self.name, f"the checker refused the set: {problem}")
        return Answer(False, None, self.name)

    def _closed_set(self, fixed: frozenset[int]) -> set[int] | int:
        """Return the least closed set, or the first terminal of another class that is in it."""
        graph, left = self._masks.graph, self._masks.whole.copy()
        for i in fixed:
            feature, kept = self._kept[i]
            left[feature] &= kept
        nodes = {0}
        stack = [0]
        while stack:
            node = stack.pop()
            if graph.class_of[node] >= 0:
                if graph.class_of[node] != self._class:
                    return node
                continue
            own = left[graph.feature_of[node]]
            for child, mask in self._masks.edges[node]:
                if own & mask and child not in nodes:
                    nodes.add(child)
                    stack.append(child)
        return nodes
