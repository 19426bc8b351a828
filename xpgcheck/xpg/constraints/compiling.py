"""From clauses to a decision graph of what can occur, by cofactors that are remembered.

Features are tested in one order, so that no path tests one twice.  Below a node, what matters of the clauses is which of
them still have to hold: literals on features above have failed there.  So a node is a feature and a set of clauses.
"""

from __future__ import annotations

from collections.abc import Sequence

from xpgcheck.errors import LimitError
from xpgcheck.model.boxes import union_of_cells
from xpgcheck.model.cells import cells
from xpgcheck.model.constraint import ALLOWED, FORBIDDEN, OUTCOMES, Clause, Constraint
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph

MAX_NODES = 50_000
"""Nodes of the graph of a constraint; beyond, clauses go to a solver as they are."""

State = tuple[int, int]
"""A place in the order of features, and the clauses that still have to hold, as a mask."""


def constraint_graph(constraint: Constraint, most: int = MAX_NODES) -> DecisionGraph:
    """Return *constraint* as a decision graph of the classes 'forbidden' and 'allowed'.

    Raises ``LimitError`` beyond *most* nodes.  O(nodes · cells of a feature).
    """
    if constraint.graph is not None and not constraint.clauses:
        return constraint.graph
    return _Compiler(constraint, most).graph()


def _order(clauses: Sequence[Clause]) -> list[int]:
    """Return the features of *clauses*, such that few clauses are begun and not done: greedily, the fewest next."""
    features = {literal.feature for clause in clauses for literal in clause.literals}
    of = {
        feature: {k for k, c in enumerate(clauses) if any(x.feature == feature for x in c.literals)}
        for feature in features
    }
    left = {k: len(clause.literals) for k, clause in enumerate(clauses)}
    begun: set[int] = set()
    order = []
    while features:
        chosen = min(features, key=lambda i: (len(of[i] - begun) - sum(left[k] == 1 for k in of[i]), i))
        features.remove(chosen)
        order.append(chosen)
        for k in of[chosen]:
            begun.add(k)
            left[k] -= 1
    return order


class _Compiler:
    """Makes the graph of one list of clauses."""

    def __init__(self, constraint: Constraint, most: int) -> None:
        self._constraint = constraint
        self._most = most
        clauses = constraint.clauses
        self._features = _order(clauses)
        # The cells of each feature in the order: which clauses hold there, and the values; and the clauses that end here.
        self._cells: list[list[tuple[int, int]]] = []
        self._values = []
        self._last = [0] * len(self._features)
        for position, feature in enumerate(self._features):
            own = [(k, x.values) for k, clause in enumerate(clauses) for x in clause.literals if x.feature == feature]
            split = cells(constraint.features[feature].domain.all_values(), [values for _, values in own])
            held = [0] * len(split.cells)
            for (k, _), ranges in zip(own, split.ranges, strict=True):
                for low, high in ranges:
                    for cell in range(low, high):
                        held[cell] |= 1 << k
            self._cells.append([(mask, 1 << cell) for cell, mask in enumerate(held)])
            self._values.append(split.cells)
            for k, _ in own:
                if (
                    self._features.index(max((x.feature for x in clauses[k].literals), key=self._features.index))
                    == position
                ):
                    self._last[position] |= 1 << k

    def graph(self) -> DecisionGraph:
        """Return the graph; nodes are made from the last feature up, none of whose edges all lead to one node."""
        start = self._skipped((0, (1 << len(self._constraint.clauses)) - 1))
        nodes: dict[str | int, NonTerminal | Terminal] = {}
        number: dict[State, int] = {}
        found = self._reached(start)
        for state in found:
            number[state] = len(number)
        for state in found:
            position, pending = state
            if pending <= 0:
                nodes[number[state]] = Terminal(ALLOWED if pending == 0 else FORBIDDEN)
                continue
            edges = [
                (number[child], union_of_cells(self._values[position], mask))
                for child, mask in self._children(state).items()
            ]
            nodes[number[state]] = NonTerminal(self._features[position], tuple(edges))
        graph = decision_graph("constraints", self._constraint.features, OUTCOMES, nodes, number[start])
        return graph

    def _reached(self, start: State) -> list[State]:
        found = {start: None}
        waiting = [start]
        while waiting:
            for child in self._children(waiting.pop()):
                if child not in found:
                    found[child] = None
                    waiting.append(child)
            if len(found) > self._most:
                problem = f"the constraint as a graph has over {self._most:,} nodes"
                raise LimitError(problem, mend="give fewer clauses, or give the constraint as a graph")
        return list(found)

    def _children(self, state: State) -> dict[State, int]:
        """Return the states that follow, and of each the cells that lead there."""
        position, pending = state
        if pending <= 0:
            return {}
        children: dict[State, int] = {}
        for held, cell in self._cells[position]:
            rest = pending & ~held
            child = (-1, -1) if rest & self._last[position] else self._skipped((position + 1, rest))
            children[child] = children.get(child, 0) | cell
        return children

    def _skipped(self, state: State) -> State:
        """Return *state* at the next feature that some pending clause tests; one state stands for "allowed"."""
        position, pending = state
        if not pending:
            return (-1, 0)
        while not any(held & pending for held, _ in self._cells[position]):
            position += 1
        return position, pending
