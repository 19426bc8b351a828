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
from xpgcheck.model.value_sets import BOTTOM, TOP, Cut, IntervalSet, ValueSet
from xpgcheck.readers.pauses import no_cycle_collection


def tree_graph(
    name: str, features: Sequence[Feature], classes: Sequence[str], nodes: Mapping[NodeId, Node], root: NodeId
) -> DecisionGraph:
    """Return the decision graph of the tree *nodes*, without the edges that no point of feature space takes.

    The literals of a node must be disjoint and cover the domain.  Nodes that the root does not reach are left out.
    Raises ``FormatError`` where *nodes* is no tree.  O(n·h) for n nodes and depth h.
    """
    with no_cycle_collection():
        graph = decision_graph(name, features, classes, _visited_nodes(features, nodes, root))
        check_assumptions(graph)
    return graph


def is_free_of_idle_edges(
    left: Sequence[int],
    right: Sequence[int],
    tests: Sequence[tuple[int, Cut, bool] | None],
    features: int,
    missing: bool,
) -> bool:
    """Tell whether the arrays are a tree over *features* features with the root 0, every edge of which some point takes.

    ``tests[node]`` is the feature of *node*, the cut below which its numbers go left, and whether the missing value does,
    which domains have where *missing*; None at a leaf.  Such a tree needs neither :func:`tree_graph` nor a check of the
    assumptions.  False also where this is not found out: where a child is no node or reached twice, say.  Linear, without
    recursion.
    """
    low: dict[int, Cut] = {}
    high: dict[int, Cut] = {}
    absent: set[int] = set()
    """Features whose missing value went another way."""
    reached = 0
    count = len(left)
    # A node to visit, or what to restore of a feature: its bounds, and whether its missing value had gone.
    pending: list[tuple[int, int, Cut, Cut, bool]] = [(0, -1, BOTTOM, TOP, False)]
    while pending:
        node, feature, start, end, gone = pending.pop()
        if feature >= 0:
            low[feature], high[feature] = start, end
            if gone:
                absent.add(feature)
            else:
                absent.discard(feature)
        if node < 0:
            continue
        reached += 1
        if not 0 <= node < count or reached > count:
            return False
        test = tests[node]
        if test is None:
            continue
        feature, cut, missing_left = test
        if not 0 <= feature < features:
            return False
        start, end, gone = low.get(feature, BOTTOM), high.get(feature, TOP), feature in absent
        here = missing and not gone
        middle = min(max(cut, start), end)
        if not (start < middle or (here and missing_left)) or not (middle < end or (here and not missing_left)):
            return False
        pending.append((-1, feature, start, end, gone))
        pending.append((right[node], feature, middle, end, gone or missing_left))
        pending.append((left[node], feature, start, middle, gone or not missing_left))
    return reached == count


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
