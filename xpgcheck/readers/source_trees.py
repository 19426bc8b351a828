"""Trees as learners leave them, made into decision graphs: what no point can visit is left out.

Learners leave edges that no value can take: thresholds on one feature along a path may have no number of the domain
between them, a threshold may be infinite, a node may send only the missing value to one side.  The paper's assumption
(ii) does not allow such edges: each is left out with what is below it, and a node with one edge left is replaced by the
child that it leads to.  That changes no prediction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xpgcheck.errors import FormatError, shown
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Feature
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import Cut, IntervalSet, ValueSet
from xpgcheck.readers.pauses import no_cycle_collection


def tree_graph(
    name: str, features: Sequence[Feature], classes: Sequence[str], nodes: Mapping[NodeId, Node], root: NodeId
) -> DecisionGraph:
    """Return the decision graph of the tree *nodes*, without the edges that no point of feature space takes.

    The literals of a node must be disjoint and cover the domain.  Nodes that the root does not reach are left out.
    Raises ``FormatError`` where *nodes* is no tree.  O(n·h) for n nodes and depth h.
    """
    with no_cycle_collection():
        if _is_visited_everywhere(features, nodes, root):
            return decision_graph(name, features, classes, nodes, root)
        graph = decision_graph(name, features, classes, _visited_nodes(features, nodes, root))
        check_assumptions(graph)
    return graph


Bounds = tuple[Cut, Cut, bool]
"""Values of a feature that a path leaves open: its numbers from a cut to a cut, and whether the missing value."""


def _is_visited_everywhere(features: Sequence[Feature], nodes: Mapping[NodeId, Node], root: NodeId) -> bool:
    """Tell whether *nodes* are a tree of thresholds whose edges are all taken by some point; False where that is not seen.

    So it is with nearly every tree: it is a decision graph as it stands, and both assumptions hold.  Each node has to send
    the numbers up to a cut one way, all others the other way, the missing value one of them.  Linear, no recursion.
    """
    wholes: dict[int, Bounds] = {}
    left_open: dict[int, Bounds] = {}
    reached = 0
    # A node and what is open of the feature above it there; or, without a node, what to restore.
    pending: list[tuple[NodeId | None, int, Bounds | None]] = [(root, -1, None)]
    while pending:
        key, feature, bounds = pending.pop()
        if bounds is not None:
            left_open[feature] = bounds
        if key is None:
            continue
        node = nodes.get(key)
        reached += 1
        if node is None or reached > len(nodes):
            return False
        if isinstance(node, Terminal):
            continue
        feature = node.feature
        if feature not in wholes:
            whole = _bounds(features[feature]) if 0 <= feature < len(features) else None
            if whole is None:
                return False
            wholes[feature] = left_open[feature] = whole
        split = _split(node, wholes[feature]) if len(node.edges) == 2 else None
        if split is None:
            return False
        start, end, missing = before = left_open[feature]
        low, high, cut, missing_low = split
        middle = min(max(cut, start), end)
        to_low, to_high = missing and missing_low, missing and not missing_low
        if not ((start < middle or to_low) and (middle < end or to_high)):
            return False
        pending.append((None, feature, before))
        pending.append((high, feature, (middle, end, to_high)))
        pending.append((low, feature, (start, middle, to_low)))
    return reached == len(nodes)


def _split(node: NonTerminal, whole: Bounds) -> tuple[NodeId, NodeId, Cut, bool] | None:
    """Return the children of *node* for low and high numbers, the cut, and whether the missing value is with the low ones.

    *whole* is the domain.  None where the node does not split it so in two.
    """
    (low, values), (high, others) = node.edges
    if not isinstance(values, IntervalSet) or not isinstance(others, IntervalSet):
        return None
    if others.cuts < values.cuts:
        low, values, high, others = high, others, low, values
    below, above, (start, end, missing) = values.cuts, others.cuts, whole
    if len(below) != 2 or len(above) != 2 or below[1] != above[0] or below[0] > start or above[1] < end:
        return None
    with_low = values.missing
    # The missing value goes one way if there is one, and none if there is not.
    return (low, high, below[1], with_low) if with_low + others.missing == missing else None


def _bounds(feature: Feature) -> Bounds | None:
    """Return the domain of *feature*; None where it is not an interval of numbers."""
    whole = feature.domain.all_values()
    if isinstance(whole, IntervalSet) and len(whole.cuts) == 2:
        return whole.cuts[0], whole.cuts[1], whole.missing
    return None


@dataclass(slots=True)
class _Visit:
    """A non-terminal on the path; ``kept`` collects the edges that can be taken, to the nodes that stand for their ends."""

    key: NodeId
    node: NonTerminal
    before: ValueSet
    pending: list[tuple[NodeId, ValueSet, ValueSet]]
    kept: list[tuple[NodeId, ValueSet]] = field(default_factory=list)


def _visited_nodes(features: Sequence[Feature], nodes: Mapping[NodeId, Node], root: NodeId) -> dict[NodeId, Node]:
    """Return the nodes that some point visits, those with one edge left replaced by its end.  No recursion."""
    found: dict[NodeId, Node] = {}
    seen: set[NodeId] = set()
    left_open: list[ValueSet] = [feature.domain.all_values() for feature in features]
    first = _entered(nodes, root, seen)
    if isinstance(first, Terminal):
        return {root: first}
    path = [_visit(root, first, left_open)]
    while True:
        visit = path[-1]
        if visit.pending:
            child, literal, values = visit.pending[-1]
            node = _entered(nodes, child, seen)
            if isinstance(node, Terminal):
                found[child] = node
                visit.pending.pop()
                visit.kept.append((child, literal))
                continue
            left_open[visit.node.feature] = values
            path.append(_visit(child, node, left_open))
            continue
        left_open[visit.node.feature] = visit.before
        path.pop()
        stands_for = _keep(visit, found)
        if not path:
            return found
        _, literal, _ = path[-1].pending.pop()
        path[-1].kept.append((stands_for, literal))


def _entered(nodes: Mapping[NodeId, Node], key: NodeId, seen: set[NodeId]) -> Node:
    """Return the node *key*, which no path may have led to yet."""
    node = nodes.get(key)
    if node is None:
        raise FormatError(f"there is no node {shown(key)}", mend="the file is damaged; write it again")
    if key in seen:
        raise FormatError(f"two paths lead to node {shown(key)}", mend="the file is damaged; write it again")
    seen.add(key)
    return node


def _visit(key: NodeId, node: NonTerminal, left_open: list[ValueSet]) -> _Visit:
    if not 0 <= node.feature < len(left_open):
        problem = f"node {shown(key)} tests feature {node.feature} of {len(left_open)}"
        raise FormatError(problem, mend="the file is damaged; write it again")
    before = left_open[node.feature]
    pending = []
    # Taken from the end: the first edge first.
    for child, literal in reversed(node.edges):
        values = _meet(before, literal)
        if not values.is_empty():
            pending.append((child, literal, values))
    return _Visit(key, node, before, pending)


def _meet(first: ValueSet, second: ValueSet) -> ValueSet:
    """Return the intersection; the usual case, two intervals, without the general merge."""
    if isinstance(first, IntervalSet) and isinstance(second, IntervalSet):
        ours, others = first.cuts, second.cuts
        if len(ours) == 2 == len(others):
            low = ours[0] if ours[0] > others[0] else others[0]
            high = ours[1] if ours[1] < others[1] else others[1]
            missing = first.missing and second.missing
            # Mostly one is inside the other: no new set is made.
            if low is others[0] and high is others[1] and missing is second.missing:
                return second
            return IntervalSet(first.grid, (low, high) if low < high else (), missing)
        return first.intersection(second)
    return first.intersection(second)


def _keep(visit: _Visit, found: dict[NodeId, Node]) -> NodeId:
    """Add the node of *visit* unless it has but one edge left; return the node that stands for it."""
    node = visit.node
    if len(visit.kept) == 1:
        return visit.kept[0][0]
    elif len(visit.kept) == len(node.edges) and all(
        a == b for (a, _), (b, _) in zip(visit.kept, node.edges, strict=True)
    ):
        found[visit.key] = node
    else:
        found[visit.key] = NonTerminal(node.feature, tuple(visit.kept))
    return visit.key
