"""The reduction itself: ψ has the size, the shape and the values that the proof says."""

from __future__ import annotations

from xpgcheck.oracles.propositional.formulas import clause_holds, dnf_holds, points
from xpgcheck.properties.reduction.catalogue import holds
from xpgcheck.properties.reduction.trials import ReductionTrial
from xpgcheck.properties.verdicts import NotApplicable, Violation

POINTS = 32
"""Points x at which values of ψ are looked at, where there are more."""


@holds("Σ₂ᵖ-hardness, its reduction")
def the_reduction_is_linear(trial: ReductionTrial) -> None:
    """ψ has a term a clause, k + n variables, and k + L literals for a formula of L literals."""
    psi, formula = trial.psi, trial.formula
    found = len(psi.terms), psi.variables, sum(map(len, psi.terms))
    k = trial.count
    right = k, k + formula.variables, k + sum(map(len, formula.clauses))
    if found != right:
        raise Violation("wrong size", f"ψ has {found}, not {right} terms, variables, literals")


@holds("Σ₂ᵖ-hardness, its reduction")
def psi_is_one_exactly_where_a_selected_clause_is_false(trial: ReductionTrial) -> None:
    """ψ(s, x) = 1 exactly where x falsifies a clause that s selects, for one clause and for clauses by the dice."""
    dice = trial.random("selections")
    selections = [frozenset({clause}) for clause in range(trial.count)]
    selections += [frozenset(c for c in range(trial.count) if dice.random() < 0.5) for _ in range(2)]
    for x in trial.some_points("values of ψ", POINTS):
        false = {position for position, clause in enumerate(trial.formula.clauses) if not clause_holds(clause, x)}
        for selected in selections:
            s = tuple(clause in selected for clause in range(trial.count))
            if dnf_holds(trial.psi, (*s, *x)) != bool(selected & false):
                at = "".join(map(str, map(int, x)))
                raise Violation(
                    "wrong value", f"ψ selecting {sorted(c + 1 for c in selected)} at x = {at or 'nothing'}"
                )


@holds("Σ₂ᵖ-hardness, its reduction")
def psi_is_one_at_all_selectors_and_zero_at_none(trial: ReductionTrial) -> None:
    """For an unsatisfiable formula ψ(1, …, 1, x) = 1 and ψ(0, …, 0, x) = 0 for every x."""
    if not trial.unsatisfiable:
        raise NotApplicable("satisfiable")
    for x in points(trial.formula.variables):
        for value in (True, False):
            if dnf_holds(trial.psi, (*(value,) * trial.count, *x)) != value:
                raise Violation("wrong value", f"ψ({int(value)}, …, {int(value)}, x) = {int(not value)} at {x}")
