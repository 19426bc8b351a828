"""A decision graph under a constraint: where nothing can occur, the product answers as it does at the instance.

Eq. 1 under a constraint C is Eq. 1 of κ_C, which is κ where C holds and the class c of the instance elsewhere (Gorji and
Rubin have it as the formula C → κ).  So the product of a decision graph and the graph of C is a decision graph whose third
outcome, "cannot occur", counts as c; the algorithms of the paper run on it as they are.

The product follows the decision graph first, and the constraint below its terminals of other classes.  It keeps of each
feature that is tested again what a path leaves of it, so that all its paths are consistent, as assumption (ii) asks.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xpgcheck.errors import LimitError
from xpgcheck.model.boxes import union_of_cells
from xpgcheck.model.cells import cells
from xpgcheck.model.constraint import ALLOWED, Constraint, require_features
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point
from xpgcheck.xpg.constraints.compiling import constraint_graph

MAX_STATES = 200_000
"""Nodes of a product; beyond, the question goes to a solver."""

State = tuple[int, int, tuple[tuple[int, int], ...]]
"""A node of the decision graph, a node of the constraint (−1 above it), and what is left of features, as masks of cells."""


@dataclass(slots=True)
class ConstrainedGraph:
    """A decision graph and a constraint; of each class, :meth:`at` makes the product once, for all its instances."""

    graph: DecisionGraph
    constraint: Constraint
    most: int = MAX_STATES
    _products: dict[int, DecisionGraph] = field(default_factory=dict, init=False, repr=False)
    _parts: _Parts | None = field(default=None, init=False, repr=False)

    def at(self, point: Point) -> DecisionGraph:
        """Return the product for the class of *point*: its κ is that of the graph wherever something can occur.

        Raises ``BrokenError`` where *point* cannot occur, ``ModelError`` where the constraint is over other features, and
        ``LimitError`` where graph or product get too large.
        """
        require_features(self.constraint, self.graph.features)
        self.constraint.require(point)
        own = self.graph.kappa(point)
        if own not in self._products:
            if self._parts is None:
                self._parts = _Parts(self.graph, constraint_graph(self.constraint))
            self._products[own] = _product(self._parts, own, self.most)
        return self._products[own]


class _Parts:
    """Both graphs, with their literals as masks of cells that neither can split, and what is tested below each node."""

    def __init__(self, graph: DecisionGraph, what: DecisionGraph) -> None:
        self.graphs = (graph, what)
        count = len(graph.features)
        own: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        sets: list[list[ValueSet]] = [[] for _ in range(count)]
        for which, each in enumerate(self.graphs):
            for index, literal in enumerate(each.literals):
                own[literal.feature].append((which, index))
                sets[literal.feature].append(literal.values)
        self.masks = ([0] * len(graph.literals), [0] * len(what.literals))
        self.values = []
        self.all: list[int] = []
        for feature, places, literals in zip(graph.features, own, sets, strict=True):
            split = cells(feature.domain.all_values(), literals)
            self.values.append(split.cells)
            self.all.append((1 << len(split.cells)) - 1)
            for (which, index), ranges in zip(places, split.ranges, strict=True):
                self.masks[which][index] = sum((1 << high) - (1 << low) for low, high in ranges)
        constrained = self._below(what, 0)
        self.below = (self._below(graph, constrained[0]), constrained)

    @staticmethod
    def _below(graph: DecisionGraph, at_terminals: int) -> list[int]:
        """Return of each node the features that are tested at it or below it; *at_terminals* come below each terminal."""
        found = [0] * graph.node_count
        for node in range(graph.node_count - 1, -1, -1):
            mask = at_terminals if graph.class_of[node] >= 0 else 1 << graph.feature_of[node]
            for child in graph.children[node]:
                mask |= found[child]
            found[node] = mask
        return found


def _product(parts: _Parts, own: int, most: int) -> DecisionGraph:
    """Return the product in which what cannot occur is of class *own*.  O(states · edges of a node)."""
    start: State = (0, -1, ())
    nodes: dict[str | int, NonTerminal | Terminal] = {}
    number: dict[State | int, int] = {}
    waiting: list[State] = []

    def numbered(state: State | int) -> int:
        if state not in number:
            number[state] = len(number)
            if isinstance(state, int):
                nodes[number[state]] = Terminal(state)
            else:
                waiting.append(state)
        return number[state]

    root = numbered(_settled(parts, own, start))
    while waiting:
        state = waiting.pop()
        if len(number) > most:
            problem = f"the decision graph and its constraint have a product of over {most:,} nodes"
            raise LimitError(problem, mend="give a smaller model or constraint")
        feature, edges = _edges(parts, state)
        merged: dict[int, int] = {}
        for child, mask in edges:
            target = numbered(_settled(parts, own, child))
            merged[target] = merged.get(target, 0) | mask
        made = [(target, union_of_cells(parts.values[feature], mask)) for target, mask in merged.items()]
        nodes[number[state]] = NonTerminal(feature, tuple(made))
    graph = parts.graphs[0]
    return decision_graph(graph.name, graph.features, graph.classes, nodes, root)


def _edges(parts: _Parts, state: State) -> tuple[int, list[tuple[State, int]]]:
    """Return the feature that *state* tests, and the states that follow with the cells that lead there."""
    node, below, left = state
    which, at = (0, node) if below < 0 else (1, below)
    graph = parts.graphs[which]
    feature = graph.feature_of[at]
    rest = dict(left)
    before = rest.get(feature, parts.all[feature])
    edges: list[tuple[State, int]] = []
    for child, index in zip(graph.children[at], graph.literal_ids[at], strict=True):
        mask = before & parts.masks[which][index]
        if mask:
            following = {**rest, feature: mask}
            kept = parts.below[which][child]
            only = tuple(sorted((i, m) for i, m in following.items() if kept >> i & 1 and m != parts.all[i]))
            edges.append(((child, -1, only) if which == 0 else (node, child, only), mask))
    return feature, edges


def _settled(parts: _Parts, own: int, state: State) -> State | int:
    """Return the class at *state* where it is settled, or the state below it that tests something.

    A node that has one edge left is passed over, and so is a terminal of another class: the constraint begins there.
    """
    graph, what = parts.graphs
    while True:
        node, below, left = state
        if below < 0 and graph.class_of[node] >= 0:
            if graph.class_of[node] == own:
                return own
            state = (node, 0, left)
            continue
        if below >= 0 and what.class_of[below] >= 0:
            return graph.class_of[node] if what.class_of[below] == ALLOWED else own
        _, edges = _edges(parts, state)
        if len(edges) > 1:
            return _by_class(parts, state)
        state = edges[0][0]


def _by_class(parts: _Parts, state: State) -> State:
    """Return *state* with any node of its class for the node: below the graph, its class is all that matters."""
    node, below, left = state
    if below < 0:
        return state
    graph = parts.graphs[0]
    return graph.class_of.index(graph.class_of[node]), below, left
