"""Decision graphs (the paper's definition "Decision Graph") and their classification function κ.

A :class:`DecisionGraph` is immutable and well formed by construction: :func:`decision_graph` refuses whatever is not a
DAG with one root, reachable nodes and outgoing literals that are pairwise disjoint; :mod:`xpgcheck.model.assumptions`
then checks the paper's assumptions (i) and (ii).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xpgcheck.arguments import TEXT, TEXTS, Rule, features_of_a_model, takes
from xpgcheck.errors import ModelError, shown
from xpgcheck.model.cells import Cells, cells
from xpgcheck.model.domains import Feature
from xpgcheck.model.graph_errors import (
    EmptyLiteralError,
    LiteralError,
    NodeId,
    OverlapError,
    StructureError,
)
from xpgcheck.model.node_order import Edges, topological_order
from xpgcheck.model.shape import Shape, shape_of
from xpgcheck.model.value_sets import FiniteSet, IntervalSet, Location, ValueSet, disjoint_union
from xpgcheck.model.values import Point


class Literal(NamedTuple):
    """A literal ``x_i ∈ E_i``."""

    feature: int
    values: ValueSet


class Edge(NamedTuple):
    """An edge to the node ``child`` under the literal ``x_i ∈ values``, i being the feature of the edge's start."""

    child: int
    values: ValueSet


@dataclass(frozen=True, slots=True)
class DecisionGraph:
    """A decision graph 𝒢 = (G, ς, φ, λ).

    Nodes are 0 … n−1 in topological order: the root is 0 and every edge goes to a higher number.  ``feature_of`` is φ
    and ``class_of`` is ς, −1 where they are not defined; λ is kept as indices into ``literals``, each distinct literal
    once.  Between two nodes there is at most one edge.  ``node_ids`` are the nodes' names in their source, for messages.

    ``cells[i]`` splits the domain of feature i into the classes that the graph's literals on i cannot tell apart, and
    ``literal_cells`` says of each literal which of them it is made of, as half-open index ranges.
    """

    name: str
    features: tuple[Feature, ...]
    classes: tuple[str, ...]
    feature_of: tuple[int, ...]
    class_of: tuple[int, ...]
    children: tuple[tuple[int, ...], ...]
    literal_ids: tuple[tuple[int, ...], ...]
    literals: tuple[Literal, ...]
    literal_cells: tuple[tuple[tuple[int, int], ...], ...]
    cells: tuple[tuple[ValueSet, ...], ...]
    node_ids: tuple[NodeId, ...]
    shape: Shape

    @property
    def node_count(self) -> int:
        """The number of nodes, terminals counted."""
        return len(self.feature_of)

    def edges(self, node: int) -> tuple[Edge, ...]:
        """Return the outgoing edges of *node* (none of a terminal)."""
        pairs = zip(self.children[node], self.literal_ids[node], strict=True)
        return tuple(Edge(child, self.literals[index].values) for child, index in pairs)

    def is_terminal(self, node: int) -> bool:
        """Tell whether *node* is in T."""
        return self.class_of[node] >= 0

    def depth(self) -> int:
        """Return the number of edges on a longest path.  Linear."""
        level = [0] * self.node_count
        for node, children in enumerate(self.children):
            for child in children:
                level[child] = max(level[child], level[node] + 1)
        return max(level)

    def is_tree(self) -> bool:
        """Tell whether every node but the root has exactly one incoming edge."""
        return self.shape.tree

    def terminal(self, point: Point, located: dict[int, Location] | None = None, start: int = 0) -> int:
        """Return the one terminal that *point* reaches (Proposition 2) from the node *start*, the root.

        *located* has of some features where the point's value is on its line, and gets those of others that are tested: of
        many graphs at one point, each is worked out once.
        Raises ``ValueError`` where no outgoing literal holds, which cannot happen on a graph that satisfies (i).
        """
        node = start
        # Where a number is on its line is worked out once a feature, whatever the number of literals on the way.
        located = {} if located is None else located
        class_of, feature_of, literals = self.class_of, self.feature_of, self.literals
        while class_of[node] < 0:
            feature = feature_of[node]
            for child, index in zip(self.children[node], self.literal_ids[node], strict=True):
                values = literals[index].values
                if isinstance(values, FiniteSet):
                    holds = point[feature] in values.values
                else:
                    if feature not in located:
                        located[feature] = values.grid.locate(point[feature])
                    holds = values.holds_at(located[feature])
                if holds:
                    node = child
                    break
            else:
                raise ValueError(f"no edge of node {self.node_ids[node]!r} holds at {point[feature]!r}")
        return node

    def held(self, point: Point) -> list[bool]:
        """Return of each of ``literals`` whether it holds at *point*.  O(literals · log intervals)."""
        located: dict[int, Location] = {}
        found = []
        for feature, values in self.literals:
            if isinstance(values, FiniteSet):
                found.append(point[feature] in values.values)
            else:
                if feature not in located:
                    located[feature] = values.grid.locate(point[feature])
                found.append(values.holds_at(located[feature]))
        return found

    def kappa(self, point: Point) -> int:
        """Return κ(*point*), the index in ``classes`` of the class of the terminal reached."""
        return self.class_of[self.terminal(point)]

    def __repr__(self) -> str:
        return f"<DecisionGraph {shown(self.name)}: {len(self.features)} features, {self.node_count} nodes>"


@dataclass(frozen=True, slots=True)
class NonTerminal:
    """A non-terminal as a source gives it: the index of its feature and its (child's id, set of values) pairs."""

    feature: int
    edges: tuple[tuple[NodeId, ValueSet], ...]


@dataclass(frozen=True, slots=True)
class Terminal:
    """A terminal as a source gives it: the index of its class."""

    class_index: int


Node = NonTerminal | Terminal


def _are_nodes(nodes: object) -> bool:
    return isinstance(nodes, Mapping) and all(isinstance(node, (NonTerminal, Terminal)) for node in nodes.values())


@takes(
    name=TEXT,
    features=features_of_a_model(Feature),
    classes=TEXTS,
    nodes=Rule(_are_nodes, "a mapping from ids to nodes", "pass a dict of NonTerminal and Terminal objects"),
)
def decision_graph(
    name: str,
    features: Sequence[Feature],
    classes: Sequence[str],
    nodes: Mapping[NodeId, Node],
    root: NodeId | None = None,
) -> DecisionGraph:
    """Build the decision graph of *nodes*; parallel edges become one edge under the union of their literals.

    Children are numbered in the order of the source, breadth first among the topological orders, so that the same source
    always gives the same graph.

    Parameters
    ----------
    name
        The name of the model, for messages.
    features
        The features with their domains.
    classes
        The names of the classes.
    nodes
        A ``NonTerminal`` or a ``Terminal`` for each id.
    root
        The id of the root; may be left out, as it is the only node without incoming edges.

    Returns
    -------
    DecisionGraph
        The graph.  The assumptions (i) and (ii) of the paper are not checked here but by
        :func:`xpgcheck.model.assumptions.check_assumptions`.

    Raises
    ------
    StructureError, LiteralError
        A node breaks the definition; the message says which one.

    Notes
    -----
    Linear in the edges, plus the set operations on each distinct combination of literals of a node.

    Examples
    --------
    >>> from xpgcheck.model.decision_graph import NonTerminal, Terminal
    >>> from xpgcheck.model.domains import Boolean, Feature
    >>> from xpgcheck.model.value_sets import FiniteSet
    >>> edges = ("no", FiniteSet(frozenset([False]))), ("yes", FiniteSet(frozenset([True])))
    >>> nodes = {"top": NonTerminal(0, edges), "no": Terminal(0), "yes": Terminal(1)}
    >>> graph = decision_graph("one test", [Feature("x", Boolean())], ["no", "yes"], nodes)
    >>> graph.classes[graph.kappa((True,))]
    'yes'

    References
    ----------
    Huang, Izza, Ignatiev, Marques-Silva, *On Efficiently Explaining Graph-Based Classifiers*, KR 2021: Definition 2.
    """
    if not features:
        raise ModelError("there are no features", mend="declare at least one feature")
    for what, names in (("feature", [f.name for f in features]), ("class", list(classes))):
        _refuse_twice(what, names)
    _check_references(features, classes, nodes)
    edges_of = {key: _merged_edges(key, node) for key, node in nodes.items()}
    order = topological_order(edges_of, root)
    number = {key: position for position, key in enumerate(order)}
    literals = _Numbering(len(features))
    feature_of, class_of = list[int](), list[int]()
    children, literal_ids = list[tuple[int, ...]](), list[tuple[int, ...]]()
    for key in order:
        node, edges = nodes[key], edges_of[key]
        if isinstance(node, Terminal):
            feature_of.append(-1)
            class_of.append(node.class_index)
            children.append(())
            literal_ids.append(())
        else:
            feature_of.append(node.feature)
            class_of.append(-1)
            children.append(tuple([number[child] for child, _ in edges]))
            literal_ids.append(literals.numbers_of(node.feature, edges))
    index = literals.numbers
    split, literal_cells = _split_domains(features, list(index), literal_ids, order)
    graph = DecisionGraph(
        name,
        tuple(features),
        tuple(classes),
        tuple(feature_of),
        tuple(class_of),
        tuple(children),
        tuple(literal_ids),
        tuple(index),
        literal_cells,
        tuple(part.cells for part in split),
        tuple(order),
        shape_of(len(features), feature_of, children),
    )
    _check_literals(graph)
    return graph


class _Numbering:
    """Numbers literals: equal ones have the same number."""

    def __init__(self, features: int) -> None:
        self.numbers: dict[Literal, int] = {}
        # Sources share sets between nodes: an object seen before is not hashed again.  The sets live as long as this.
        self._seen: list[dict[int, int]] = [{} for _ in range(features)]

    def numbers_of(self, feature: int, edges: Edges) -> tuple[int, ...]:
        seen = self._seen[feature]
        try:
            return tuple([seen[id(values)] for _, values in edges])
        except KeyError:
            for _, values in edges:
                if id(values) not in seen:
                    seen[id(values)] = self.numbers.setdefault(Literal(feature, values), len(self.numbers))
            return tuple([seen[id(values)] for _, values in edges])


def _refuse_twice(what: str, names: list[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ModelError(f"{what} {shown(name)} is declared twice", mend=f"give each {what} its own name")
        seen.add(name)


def _check_references(features: Sequence[Feature], classes: Sequence[str], nodes: Mapping[NodeId, Node]) -> None:
    if not nodes:
        raise StructureError("there are no nodes", mend="declare at least one terminal")
    for key, node in nodes.items():
        if isinstance(node, Terminal):
            if not 0 <= node.class_index < len(classes):
                raise StructureError("its class is not declared", [key], mend="declare the class or correct the node")
            continue
        if not 0 <= node.feature < len(features):
            raise StructureError("its feature is not declared", [key], mend="declare the feature or correct the node")
        if not node.edges:
            raise StructureError("a non-terminal without edges", [key], mend="give it edges, or a class as a terminal")
        for child, _ in node.edges:
            if child not in nodes:
                problem = f"an edge leads to node {shown(child)}, which does not exist"
                raise StructureError(problem, [key], mend="declare that node or correct the edge")


def _merged_edges(key: NodeId, node: Node) -> Edges:
    """Return the edges of *node*, parallel ones as one; none of a terminal."""
    if isinstance(node, Terminal):
        return ()
    edges = node.edges
    if edges[0][0] != edges[1][0] if len(edges) == 2 else len({child for child, _ in edges}) == len(edges):
        return edges
    parts: dict[NodeId, list[ValueSet]] = {}
    for child, values in edges:
        parts.setdefault(child, []).append(values)
    return tuple([(child, _united(sets, key, child)) for child, sets in parts.items()])


def _united(sets: list[ValueSet], key: NodeId, child: NodeId) -> ValueSet:
    united = sets[0] if len(sets) == 1 else disjoint_union(sets)
    if united is None:
        shared = next(
            both
            for first, second in itertools.combinations(sets, 2)
            if not (both := first.intersection(second)).is_empty()
        )
        problem = f"two edges to node {shown(child)} overlap on {shown(shared)}"
        raise StructureError(problem, [key], mend="write one edge, or disjoint literals")
    return united


def _split_domains(
    features: Sequence[Feature],
    literals: Sequence[Literal],
    literal_ids: Sequence[tuple[int, ...]],
    order: Sequence[NodeId],
) -> tuple[list[Cells], tuple[tuple[tuple[int, int], ...], ...]]:
    """Return each feature's cells and each literal's cells, after refusing literals of the wrong kind of set."""
    grouped: list[list[int]] = [[] for _ in features]
    wholes = [feature.domain.all_values() for feature in features]
    for index, literal in enumerate(literals):
        if not _fits(wholes[literal.feature], literal.values):
            domain = features[literal.feature].domain
            node = next(key for key, ids in zip(order, literal_ids, strict=True) if index in ids)
            name = shown(features[literal.feature].name)
            problem = f"a literal of feature {name} is outside its domain {domain}"
            raise LiteralError(problem, node, literal.feature, literal.values, mend="write values of the domain")
        grouped[literal.feature].append(index)
    split = []
    ranges: dict[int, tuple[tuple[int, int], ...]] = {}
    for whole, indices in zip(wholes, grouped, strict=True):
        part = cells(whole, [literals[i].values for i in indices])
        split.append(part)
        ranges.update(zip(indices, part.ranges, strict=True))
    return split, tuple(ranges[i] for i in range(len(literals)))


def _fits(domain: ValueSet, values: ValueSet) -> bool:
    if isinstance(domain, FiniteSet):
        return isinstance(values, FiniteSet) and values.values <= domain.values
    return isinstance(values, IntervalSet) and values.grid is domain.grid


def _check_literals(graph: DecisionGraph) -> None:
    """Refuse empty literals, and ones of a node that overlap: the paper wants them mutually inconsistent."""
    seen: set[tuple[int, ...]] = set()
    for node, ids in enumerate(graph.literal_ids):
        if ids in seen:
            continue
        seen.add(ids)
        spans = sorted((low, high, index) for index in ids for low, high in graph.literal_cells[index])
        empty = next((i for i in ids if not graph.literal_cells[i]), None)
        if empty is not None:
            _refuse_literal(graph, node, EmptyLiteralError, empty, graph.literals[empty].values)
        for (_, end, first), (start, _, second) in itertools.pairwise(spans):
            if start < end:
                shared = graph.literals[first].values.intersection(graph.literals[second].values)
                _refuse_literal(graph, node, OverlapError, second, shared)


def _refuse_literal(graph: DecisionGraph, node: int, kind: type[LiteralError], index: int, values: ValueSet) -> None:
    feature = graph.feature_of[node]
    name = shown(graph.features[feature].name)
    child = graph.node_ids[graph.children[node][graph.literal_ids[node].index(index)]]
    if kind is EmptyLiteralError:
        domain = graph.features[feature].domain
        problem = f"the literal of feature {name} towards node {shown(child)} is empty in its domain {domain}"
        mend = "remove the edge or correct its values"
    else:
        problem = f"the literals of feature {name} overlap on {shown(values)} (towards node {shown(child)})"
        mend = "make the outgoing literals disjoint"
    raise kind(problem, graph.node_ids[node], feature, values, mend=mend)
