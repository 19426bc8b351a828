"""Two formulations of "the class is not c" over the original domains, to be asserted once and asked many times.

Each yields formulas to assert and, for a class, one *assumption* under which every model is a point of another class.
They go in opposite directions, so that a slip in one does not repeat in the other:

:class:`NestedChoice` ("ite")
    From the terminals up: node r stands for the formula "from r, the class is not c", which is ⊤ or ⊥ at a terminal and
    an if-then-else over the literals of r's edges at a non-terminal; shared nodes are shared formulas.

:class:`Activation` ("activation")
    From the root down, as the paper's ε: a Boolean a_r per node; a_r implies that some parent is active and the literal
    of the edge between them holds, and some terminal of another class is active.

Both are linear in the edges.  Neither uses recursion: nodes are numbered topologically.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.oracles.smt_variables import FeatureVariable, Term

NESTING_LIMIT = 200
"""Levels of if-then-else before a node gets a name of its own: solvers recurse on deep formulas."""


class Variables:
    """The variables of every feature that a graph tests, and its literals as formulas."""

    def __init__(self, formulas: Any, graph: DecisionGraph, others: Collection[int] = ()) -> None:
        """Make the variables, those of the features *others* too."""
        self.formulas = formulas
        self.graph = graph
        tested = sorted({feature for feature in graph.feature_of if feature >= 0}.union(others))
        self.of = {i: FeatureVariable(formulas, i, graph.features[i].domain) for i in tested}
        self._literals: dict[object, Term] = {}

    def bounds(self) -> list[Term]:
        """Return what keeps every variable in its domain."""
        return [bound for variable in self.of.values() for bound in variable.bounds]

    def literals(self, node: int) -> list[tuple[int, Term]]:
        """Return (child, literal as a formula) for each outgoing edge of *node*."""
        feature = self.graph.feature_of[node]
        found = []
        for child, values in self.graph.edges(node):
            key = (feature, values)
            if key not in self._literals:
                self._literals[key] = self.of[feature].holds(values)
            found.append((child, self._literals[key]))
        return found


class NestedChoice:
    """ "The class is not c" as nested if-then-else."""

    def __init__(self, variables: Variables, nesting_limit: int = NESTING_LIMIT) -> None:
        self._variables = variables
        self._nesting_limit = nesting_limit

    def common(self) -> Sequence[Term]:
        """Return the formulas that do not depend on the class: the domains."""
        return self._variables.bounds()

    def other_class(self, class_index: int) -> tuple[Term, list[Term]]:
        """Return an assumption and the formulas that make it mean "the class is not *class_index*".

        The last edge of a node is its "else": assumption (i) on decision graphs, on which exact replay does not rely.
        """
        graph, formulas = self._variables.graph, self._variables.formulas
        stands_for: list[Term] = [None] * graph.node_count
        level = [0] * graph.node_count
        definitions: list[Term] = []
        for node in range(graph.node_count - 1, -1, -1):
            if graph.class_of[node] >= 0:
                stands_for[node] = formulas.Bool(graph.class_of[node] != class_index)
                continue
            edges = self._variables.literals(node)
            term = stands_for[edges[-1][0]]
            for child, literal in reversed(edges[:-1]):
                term = formulas.Ite(literal, stands_for[child], term)
            level[node] = 1 + max(level[child] for child, _ in edges)
            if level[node] >= self._nesting_limit:
                # One direction is enough: the formula is only ever used positively.
                name = formulas.Symbol(f"n{class_index}_{node}")
                definitions.append(formulas.Implies(name, term))
                term, level[node] = name, 0
            stands_for[node] = term
        selector = formulas.Symbol(f"not_class_{class_index}")
        return selector, [*definitions, formulas.Implies(selector, stands_for[0])]


class Activation:
    """ "Some terminal of another class is active", with one Boolean a node."""

    def __init__(self, variables: Variables) -> None:
        self._variables = variables

    def common(self) -> Sequence[Term]:
        """Return the domains and, for each node but the root, "active only if some parent is, and the edge holds"."""
        graph, formulas = self._variables.graph, self._variables.formulas
        reasons: list[list[Term]] = [[] for _ in range(graph.node_count)]
        for node in range(graph.node_count):
            if graph.class_of[node] < 0:
                for child, literal in self._variables.literals(node):
                    reasons[child].append(formulas.And(self._active(node), literal))
        support = [formulas.Implies(self._active(node), formulas.Or(reasons[node])) for node in range(1, len(reasons))]
        return [*self._variables.bounds(), *support]

    def other_class(self, class_index: int) -> tuple[Term, list[Term]]:
        """Return an assumption and the formulas that make it mean "the class is not *class_index*"."""
        graph, formulas = self._variables.graph, self._variables.formulas
        others = [self._active(n) for n in range(graph.node_count) if graph.class_of[n] not in (-1, class_index)]
        selector = formulas.Symbol(f"not_class_{class_index}")
        return selector, [formulas.Implies(selector, formulas.Or(others))]

    def _active(self, node: int) -> Term:
        return self._variables.formulas.Symbol(f"a{node}")
