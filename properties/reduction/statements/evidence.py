"""Evidence: what is right is accepted, and what shows something else is refused."""

from __future__ import annotations

from dataclasses import replace

from xpgcheck.oracles.propositional.clause_families import Family
from xpgcheck.oracles.propositional.membership_cegar import NoEvidence
from xpgcheck.oracles.propositional.refutations import MusEvidence
from xpgcheck.properties.reduction.catalogue import clauses_text, holds
from xpgcheck.properties.reduction.trials import ReductionTrial
from xpgcheck.properties.verdicts import NotApplicable, Violation

SOME = 4
"""MUSes, and clauses, of a formula whose evidence is made and looked at."""


@holds("Evidence of a MUS")
def a_mus_has_evidence_that_checks(trial: ReductionTrial) -> None:
    """The evidence of a MUS (a refutation, and a model a deletion) is accepted."""
    for mus in _some_muses(trial):
        fault = trial.routes.mus_fault(trial.formula, _mus_evidence(trial, mus))
        if fault is not None:
            raise Violation("refused", f"{clauses_text(mus)}: {fault}")


@holds("Evidence of a MUS")
def no_refutation_is_accepted_of_satisfiable_clauses(trial: ReductionTrial) -> None:
    """The refutation of a MUS is refused for the MUS without a clause, and so is the empty clause alone."""
    for mus in _some_muses(trial):
        evidence = _mus_evidence(trial, mus)
        for left_out in sorted(mus):
            rest = [trial.formula.clauses[clause] for clause in sorted(mus - {left_out})]
            for lines in (evidence.refutation, ((),)):
                if trial.routes.rup_fault(rest, lines) is None:
                    raise Violation(
                        "accepted", f"{clauses_text(mus - {left_out})} is satisfiable, and {lines} accepted"
                    )


@holds("Evidence of a MUS")
def evidence_of_what_is_no_mus_is_refused(trial: ReductionTrial) -> None:
    """The evidence of a MUS is refused of the MUS without a clause, and of the MUS and another clause."""
    for mus in _some_muses(trial):
        evidence = _mus_evidence(trial, mus)
        models = dict(zip(evidence.clauses, evidence.models, strict=True))
        some_point = (False,) * trial.formula.variables
        for changed in [mus - {clause} for clause in sorted(mus)] + [
            mus | {c} for c in range(trial.count) if c not in mus
        ]:
            clauses = tuple(sorted(changed))
            points = tuple(models.get(clause, some_point) for clause in clauses)
            if trial.routes.mus_fault(trial.formula, replace(evidence, clauses=clauses, models=points)) is None:
                raise Violation("accepted", f"{clauses_text(changed)} is no MUS, and accepted as one")


@holds("Evidence of a family")
def the_families_have_evidence_that_checks(trial: ReductionTrial) -> None:
    """The evidence that all MUSes and all MCSes are listed is accepted, and is none without one of them."""
    muses, mcses = trial.reference, trial.mcses
    formula, routes = trial.formula, trial.routes
    evidence = trial.ask("family evidence", lambda: routes.family_evidence(formula, muses, mcses))
    fault = routes.family_fault(formula, evidence)
    if fault is not None:
        raise Violation("refused", fault)
    for position in range(min(len(muses), SOME)):
        fewer = replace(evidence, muses=evidence.muses[:position] + evidence.muses[position + 1 :])
        if routes.family_fault(formula, fewer) is None:
            raise Violation("accepted", f"a family without {clauses_text(muses[position])} is accepted as complete")


@holds("Evidence of non-membership")
def a_clause_in_no_mus_has_evidence_that_checks(trial: ReductionTrial) -> None:
    """The counterexamples of CEGAR where it says no make evidence that is accepted."""
    refused = [clause for clause, said in enumerate(trial.members()) if said.mus is None]
    if not refused:
        raise NotApplicable("every clause is in a MUS")
    for clause in refused:
        fault = trial.routes.no_fault(trial.formula, clause, _no_evidence(trial, clause))
        if fault is not None:
            raise Violation("refused", f"clause {clause + 1}: {fault}")


@holds("Evidence of non-membership")
def no_evidence_of_non_membership_is_accepted_of_a_member(trial: ReductionTrial) -> None:
    """Evidence that another clause is in no MUS, or the empty clause alone, is refused of a clause that is in one."""
    said = trial.members()
    point = (False,) * trial.formula.variables
    for clause in range(trial.count):
        if not trial.tables.in_some_mus(clause):
            continue
        others = [other for other in range(trial.count) if said[other].mus is None and other != clause]
        for evidence in (NoEvidence((point,), ((),)), *(_no_evidence(trial, other) for other in others[:SOME])):
            if trial.routes.no_fault(trial.formula, clause, evidence) is None:
                raise Violation("accepted", f"clause {clause + 1} is in a MUS, and shown to be in none")


def _some_muses(trial: ReductionTrial) -> Family:
    if not trial.reference:
        raise NotApplicable("no MUS")
    return trial.reference[:SOME]


def _mus_evidence(trial: ReductionTrial, mus: frozenset[int]) -> MusEvidence:
    return trial.ask("MUS evidence", lambda: trial.routes.mus_evidence(trial.formula, mus), mus)


def _no_evidence(trial: ReductionTrial, clause: int) -> NoEvidence:
    points = trial.members()[clause].counterexamples
    try:
        return trial.ask("no evidence", lambda: trial.routes.no_evidence(trial.formula, clause, points), clause)
    except Violation as crash:
        raise Violation("no evidence", f"clause {clause + 1}: {crash.evidence}") from crash
