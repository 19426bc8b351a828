"""A constraint as formulas over the original domains, to stand next to "the class is not c"."""

from __future__ import annotations

from typing import Any

from xpgcheck.model.constraint import Constraint
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.oracles.smt_variables import FeatureVariable, Term


def tested_by(constraint: Constraint | None) -> set[int]:
    """Return the features that *constraint* says something of."""
    return set() if constraint is None else {literal.feature for literal in constraint.literals()}


class ConstraintFormulas:
    """The formulas of one constraint over the variables of its features."""

    def __init__(self, formulas: Any, constraint: Constraint, variables: dict[int, FeatureVariable]) -> None:
        self._formulas = formulas
        self._constraint = constraint
        self._variables = variables
        self._literals: dict[tuple[int, ValueSet], Term] = {}

    def all(self) -> list[Term]:
        """Return what holds at a point exactly if it can occur.  Linear in literals and edges."""
        clauses = [
            self._formulas.Or([self._holds(feature, values) for feature, values in clause.literals])
            for clause in self._constraint.clauses
        ]
        return clauses + (self._of_graph() if self._constraint.graph is not None else [])

    def _of_graph(self) -> list[Term]:
        """Return "the root leads to allowed": a name per node, which implies an edge that holds and the name behind it."""
        graph, formulas = self._constraint.graph, self._formulas
        assert graph is not None
        names = [formulas.Symbol(f"allowed{node}") for node in range(graph.node_count)]
        found = [names[0]]
        for node in range(graph.node_count):
            if graph.class_of[node] >= 0:
                if graph.classes[graph.class_of[node]] != "allowed":
                    found.append(formulas.Not(names[node]))
                continue
            feature = graph.feature_of[node]
            ways = [formulas.And(self._holds(feature, values), names[child]) for child, values in graph.edges(node)]
            found.append(formulas.Implies(names[node], formulas.Or(ways)))
        return found

    def _holds(self, feature: int, values: ValueSet) -> Term:
        key = feature, values
        if key not in self._literals:
            self._literals[key] = self._variables[feature].holds(values)
        return self._literals[key]
