"""Classifiers over encoded columns, rewritten over the original ones.

κ of the rewritten classifier at an original point is κ of the given one at the encoded point.  Several columns of one
original column are tests of one feature.  What a path leaves open of a feature is carried along: an edge that no value
takes is left out with what is below it, and a node with one edge left is replaced by the child that it leads to.  So both
assumptions on decision graphs hold of the result, and nothing has to be constrained afterwards.

A tree stays a tree, with at most as many nodes: each node is reached by one path.  A node that several paths share is kept
once for each combination of what they leave open of the features that are tested again below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xpgcheck.columns.encoded import EncodedColumn, preimage
from xpgcheck.errors import LimitError, XpgcheckError, shown
from xpgcheck.model.boxes import union_of_cells
from xpgcheck.model.cells import cells
from xpgcheck.model.decision_graph import DecisionGraph, Literal, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Categorical, Feature
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import ValueSet

MAX_STATES = 1_000_000
"""Nodes of a rewritten graph, over which it is given up."""


def rewritten(
    classifier: DecisionGraph | Ensemble,
    columns: Sequence[EncodedColumn],
    features: Sequence[Feature],
    limit: int = MAX_STATES,
) -> DecisionGraph | Ensemble:
    """Return *classifier*, whose features are *columns*, one each in order, over the original *features*.

    Raises ``InstanceError`` where a value of an original feature has no value in an encoded domain, ``ModelError`` where a
    column does not keep the order of numbers, both with the name of the original feature, and ``LimitError`` where a graph
    that is no tree would have over *limit* nodes.  For trees O(n·h) meetings of sets of cells for n nodes and depth h.
    """
    work = _Rewriting(classifier.features, tuple(columns), tuple(features), limit)
    if isinstance(classifier, DecisionGraph):
        return work.graph(classifier)
    trees = [work.graph(tree) for tree in classifier.trees]
    return ensemble(classifier.name, features, classifier.classes, trees, classifier.rule, classifier.outputs)


State = tuple[int, tuple[tuple[int, int], ...]]
"""A node, and of features that are tested below it the mask of the cells that a path leaves open, where not all are."""


@dataclass(slots=True)
class _Visit:
    """A node on the path, entered with what is open; ``kept`` collects the edges that can be taken."""

    state: State
    feature: int
    pending: list[tuple[int, int, dict[int, int]]]
    kept: list[tuple[NodeId, int]] = field(default_factory=list)


class _Rewriting:
    """Rewrites graphs over the same columns; what literals become is worked out once."""

    def __init__(
        self,
        encoded: tuple[Feature, ...],
        columns: tuple[EncodedColumn, ...],
        features: tuple[Feature, ...],
        limit: int,
    ) -> None:
        self._encoded = encoded
        self._columns = columns
        self._features = features
        self._limit = limit
        self._known: dict[Literal, ValueSet] = {}

    def _preimage(self, literal: Literal) -> ValueSet:
        found = self._known.get(literal)
        if found is None:
            column = self._columns[literal.feature]
            original, encoded = self._features[column.original], self._encoded[literal.feature]
            try:
                found = preimage(column, original.domain, encoded.domain, literal.values)
            except XpgcheckError as error:
                raise error.at(f"column {shown(original.name)}") from None
            self._known[literal] = found
        return found

    def graph(self, graph: DecisionGraph) -> DecisionGraph:
        """Return *graph* over the original features."""
        return _Rewritten(
            graph,
            [column.original for column in self._columns],
            [self._preimage(literal) for literal in graph.literals],
            self._features,
            self._limit,
        ).graph()


class _Rewritten:
    """One graph on its way."""

    def __init__(
        self,
        graph: DecisionGraph,
        originals: Sequence[int],
        sets: Sequence[ValueSet],
        features: tuple[Feature, ...],
        limit: int,
    ) -> None:
        self._graph = graph
        self._sets = sets
        self._features = features
        self._limit = limit
        self._feature_of = [-1 if feature < 0 else originals[feature] for feature in graph.feature_of]
        self._cells: list[tuple[ValueSet, ...]] = []
        self._masks = [0] * len(sets)
        self._split(originals)
        self._below = self._tested_below()
        self._nodes: dict[NodeId, Node] = {}
        self._done: dict[State, NodeId] = {}
        self._unions: dict[tuple[int, int], ValueSet] = {}

    def _split(self, originals: Sequence[int]) -> None:
        """Split each feature's domain into cells, and write each literal as a mask of them."""
        indices: list[list[int]] = [[] for _ in self._features]
        for index, literal in enumerate(self._graph.literals):
            indices[originals[literal.feature]].append(index)
        for feature, own in zip(self._features, indices, strict=True):
            split = cells(feature.domain.all_values(), [self._sets[index] for index in own])
            self._cells.append(split.cells)
            for index, ranges in zip(own, split.ranges, strict=True):
                self._masks[index] = sum((1 << high) - (1 << low) for low, high in ranges)

    def _tested_below(self) -> list[int]:
        """Return of each node the mask of the features that are tested at it or below it."""
        below = [0] * self._graph.node_count
        for node in range(self._graph.node_count - 1, -1, -1):
            feature = self._feature_of[node]
            below[node] = 0 if feature < 0 else 1 << feature
            for child in self._graph.children[node]:
                below[node] |= below[child]
        return below

    def _state(self, node: int, left: dict[int, int]) -> State:
        below = self._below[node]
        return node, tuple(sorted([(feature, mask) for feature, mask in left.items() if below >> feature & 1]))

    def graph(self) -> DecisionGraph:
        """Return the whole graph.  Without recursion."""
        path: list[_Visit] = []
        arrived = self._entered(0, {}, path)
        while path:
            visit = path[-1]
            if arrived is not None:
                visit.kept.append((arrived, visit.pending.pop()[1]))
                arrived = None
            if visit.pending:
                node, _, left = visit.pending[-1]
                arrived = self._entered(node, left, path)
            else:
                path.pop()
                arrived = self._finished(visit)
        assert arrived is not None
        graph = self._graph
        return decision_graph(graph.name, self._features, graph.classes, self._nodes, arrived)

    def _entered(self, node: int, left: dict[int, int], path: list[_Visit]) -> NodeId | None:
        """Return what stands for *node* where *left* is open; None where it is put on the *path* to find out."""
        state = self._state(node, left)
        known = self._done.get(state)
        if known is not None:
            return known
        graph = self._graph
        if graph.class_of[node] >= 0:
            return self._added(state, Terminal(graph.class_of[node]))
        feature = self._feature_of[node]
        open_cells = left.get(feature, (1 << len(self._cells[feature])) - 1)
        pending = []
        # Taken from the end: the first edge first.
        for child, index in zip(reversed(graph.children[node]), reversed(graph.literal_ids[node]), strict=True):
            mask = open_cells & self._masks[index]
            if mask:
                pending.append((child, index, left if mask == open_cells else {**left, feature: mask}))
        path.append(_Visit(state, feature, pending))
        return None

    def _finished(self, visit: _Visit) -> NodeId:
        """Add the node of *visit*, unless all its edges lead to one node, and return what stands for it."""
        feature = visit.feature
        if all(child == visit.kept[0][0] for child, _ in visit.kept):
            self._done[visit.state] = visit.kept[0][0]
            return visit.kept[0][0]
        open_cells = dict(visit.state[1]).get(feature, (1 << len(self._cells[feature])) - 1)
        edges = tuple([(child, self._literal(feature, index, open_cells)) for child, index in visit.kept])
        return self._added(visit.state, NonTerminal(feature, edges))

    def _literal(self, feature: int, index: int, open_cells: int) -> ValueSet:
        """Return the literal *index*: of categories those that are open, of numbers all, as learners write them."""
        if not isinstance(self._features[feature].domain, Categorical):
            return self._sets[index]
        key = feature, self._masks[index] & open_cells
        found = self._unions.get(key)
        if found is None:
            found = self._unions[key] = union_of_cells(self._cells[feature], key[1])
        return found

    def _added(self, state: State, node: Node) -> NodeId:
        if len(self._nodes) >= self._limit:
            problem = f"the graph over the original columns has over {self._limit:,} nodes"
            raise LimitError(problem, mend="order the columns so that those of one group are tested together")
        name = self._graph.node_ids[state[0]]
        number = 2
        while name in self._nodes:
            name, number = f"{self._graph.node_ids[state[0]]}/{number}", number + 1
        self._nodes[name] = node
        self._done[state] = name
        return name
