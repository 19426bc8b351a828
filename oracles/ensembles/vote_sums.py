"""The sums of an ensemble over the original domains: each tree an if-then-else of integers, its votes or what it adds.

For :class:`xpgcheck.oracles.smt_sessions.SmtSession`, as the two formulations of :mod:`xpgcheck.oracles.smt_encoding`
are for single graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from xpgcheck.model.combination import Lead
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.oracles.smt_variables import FeatureVariable, Term


class VoteVariables:
    """The variables of every feature that some tree tests, and the literals as formulas."""

    def __init__(self, formulas: Any, ensemble: Ensemble, others: Collection[int] = ()) -> None:
        """Make the variables, those of the features *others* too."""
        self.formulas = formulas
        tested = sorted({literal.feature for tree in ensemble.trees for literal in tree.literals}.union(others))
        self.of = {i: FeatureVariable(formulas, i, ensemble.features[i].domain) for i in tested}
        self._literals: dict[tuple[int, ValueSet], Term] = {}

    def bounds(self) -> list[Term]:
        """Return what keeps every variable in its domain."""
        return [bound for variable in self.of.values() for bound in variable.bounds]

    def holds(self, feature: int, values: ValueSet) -> Term:
        """Return the literal that *feature* is in *values*."""
        key = feature, values
        if key not in self._literals:
            self._literals[key] = self.of[feature].holds(values)
        return self._literals[key]


class VoteSums:
    """ "The class is not c": some other class has at least as many votes, or more where c comes first among equals."""

    def __init__(self, variables: VoteVariables, ensemble: Ensemble) -> None:
        self._variables = variables
        self._ensemble = ensemble
        self._sums: list[Term] | None = None

    def common(self) -> Sequence[Term]:
        """Return the formulas that do not depend on the class: the domains."""
        return self._variables.bounds()

    def other_class(self, class_index: int) -> tuple[Term, list[Term]]:
        """Return an assumption and the formulas that make it mean "the class is not *class_index*"."""
        formulas = self._variables.formulas
        if self._sums is None:
            self._sums = [
                formulas.Plus([self._vote(tree, c) for tree in self._ensemble.trees])
                for c in range(len(self._ensemble.classes))
            ]
        own = self._sums[class_index]
        beaten = [
            formulas.GT(votes, own) if rival > class_index else formulas.GE(votes, own)
            for rival, votes in enumerate(self._sums)
            if rival != class_index
        ]
        selector = formulas.Symbol(f"not_class_{class_index}")
        return selector, [formulas.Implies(selector, formulas.Or(beaten))]

    def _vote(self, tree: DecisionGraph, class_index: int) -> Term:
        """Return 1 where *tree* votes for the class, else 0."""
        formulas = self._variables.formulas
        return chosen_by(self._variables, tree, [formulas.Int(int(c == class_index)) for c in range(len(tree.classes))])


class GainSums:
    """ "The class is not c", of an ensemble whose trees are summed: some other class is ahead of c by what it takes.

    Of each rival, one sum over the trees: by how much each answer brings the rival ahead of c, in whole numbers.
    """

    def __init__(self, variables: VoteVariables, ensemble: Ensemble) -> None:
        self._variables = variables
        self._ensemble = ensemble
        self._ahead: dict[tuple[int, int], Term] = {}

    def common(self) -> Sequence[Term]:
        """Return the formulas that do not depend on the class: the domains."""
        return self._variables.bounds()

    def other_class(self, class_index: int) -> tuple[Term, list[Term]]:
        """Return an assumption and the formulas that make it mean "the class is not *class_index*, for certain"."""
        return self._beaten(class_index, "not_class", lambda lead: lead.must)

    def perhaps_other_class(self, class_index: int) -> tuple[Term, list[Term]]:
        """Return likewise "the class is not *class_index*, or rounding decides that"."""
        return self._beaten(class_index, "perhaps_not_class", lambda lead: lead.may)

    def _beaten(self, own: int, name: str, needed: Callable[[Lead], int]) -> tuple[Term, list[Term]]:
        formulas, tally = self._variables.formulas, self._ensemble.tally
        rivals = [rival for rival in range(len(self._ensemble.classes)) if rival != own]
        terms = [formulas.GE(self._sum(own, rival), formulas.Int(needed(tally.lead(own, rival)))) for rival in rivals]
        selector = formulas.Symbol(f"{name}_{own}")
        return selector, [formulas.Implies(selector, formulas.Or(terms))]

    def _sum(self, own: int, rival: int) -> Term:
        """Return by how much *rival* is ahead of *own*."""
        known = self._ahead.get((own, rival))
        if known is None:
            formulas, tally = self._variables.formulas, self._ensemble.tally
            gains = [
                chosen_by(self._variables, tree, [formulas.Int(row[rival] - row[own]) for row in rows])
                for tree, rows in zip(self._ensemble.trees, tally.rows, strict=True)
            ]
            start = formulas.Int(tally.base[rival] - tally.base[own])
            known = self._ahead[own, rival] = formulas.Plus([start, *gains])
        return known


def chosen_by(variables: VoteVariables, tree: DecisionGraph, terms: Sequence[Term]) -> Term:
    """Return of *terms*, one for each class of *tree*, that of the terminal reached; a node's last edge is its "else"."""
    formulas: Any = variables.formulas
    stands_for: list[Term] = [None] * tree.node_count
    for node in range(tree.node_count - 1, -1, -1):
        if tree.class_of[node] >= 0:
            stands_for[node] = terms[tree.class_of[node]]
            continue
        *edges, last = tree.edges(node)
        term = stands_for[last.child]
        for child, values in reversed(edges):
            term = formulas.Ite(variables.holds(tree.feature_of[node], values), stands_for[child], term)
        stands_for[node] = term
    return stands_for[0]
