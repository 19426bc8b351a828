"""The families of MUSes and MCSes: by their definitions, dual to each other, and the same by every route."""

from __future__ import annotations

from xpgcheck.oracles.propositional.truth_tables import minimal_hitting_sets
from xpgcheck.properties.reduction.catalogue import clauses_text, holds, require_equal
from xpgcheck.properties.reduction.trials import ReductionTrial
from xpgcheck.properties.verdicts import NotApplicable, Violation

PAIRS = 20_000
"""Pairs of a MUS and an MCS up to which families are dualized here."""


@holds("Definition of a MUS")
def every_mus_is_unsatisfiable(trial: ReductionTrial) -> None:
    """No point satisfies a listed MUS."""
    for route, muses in trial.each("muses"):
        for mus in muses:
            if not trial.tables.unsatisfiable(mus):
                raise Violation("satisfiable", f"{clauses_text(mus)}, a MUS by {route}, is satisfiable")


@holds("Definition of a MUS")
def every_mus_is_minimal(trial: ReductionTrial) -> None:
    """A listed MUS is satisfiable without any one of its clauses."""
    for route, muses in trial.each("muses"):
        for mus in muses:
            for clause in sorted(mus):
                if trial.tables.unsatisfiable(mus - {clause}):
                    raise Violation("redundant", f"{clauses_text(mus)}, a MUS by {route}, does not need {clause + 1}")


@holds("Definition of a MUS")
def marco_lists_the_muses(trial: ReductionTrial) -> None:
    """MARCO lists the MUSes that the truth of every subset of the clauses gives."""
    expected = trial.muses("exhaustive")
    require_equal(trial.muses("marco"), expected, "MUSes", "MARCO", "the definition")


@holds("Definition of an MCS")
def every_mcs_is_a_minimal_correction_set(trial: ReductionTrial) -> None:
    """What a listed MCS leaves is satisfiable, and not together with any one of its clauses."""
    for route, mcses in trial.each("mcses"):
        for mcs in mcses:
            if not trial.tables.is_mcs(mcs):
                raise Violation("no MCS", f"{clauses_text(mcs)}, an MCS by {route}, is none")


@holds("Definition of an MCS")
def marco_lists_the_mcses(trial: ReductionTrial) -> None:
    """MARCO lists the MCSes that the truth of every subset of the clauses gives."""
    expected = trial.mcses("exhaustive")
    require_equal(trial.mcses("marco"), expected, "MCSes", "MARCO", "the definition")


@holds("MUS/MCS duality")
def muses_are_the_minimal_hitting_sets_of_mcses(trial: ReductionTrial) -> None:
    """The MUSes are exactly the minimal hitting sets of the MCSes."""
    _require_small(trial)
    require_equal(trial.muses("marco"), minimal_hitting_sets(trial.mcses("marco")), "MUSes", "MARCO", "its MCSes' dual")


@holds("MUS/MCS duality")
def mcses_are_the_minimal_hitting_sets_of_muses(trial: ReductionTrial) -> None:
    """The MCSes are exactly the minimal hitting sets of the MUSes."""
    _require_small(trial)
    require_equal(trial.mcses("marco"), minimal_hitting_sets(trial.muses("marco")), "MCSes", "MARCO", "its MUSes' dual")


def _require_small(trial: ReductionTrial) -> None:
    if len(trial.muses("marco")) * len(trial.mcses("marco")) > PAIRS:
        raise NotApplicable(f"over {PAIRS} pairs of a MUS and an MCS")


@holds("Definition of a MUS, clauses by position")
def equal_clauses_stand_for_each_other(trial: ReductionTrial) -> None:
    """A MUS with a clause replaced by an equal one is a listed MUS, and none has two equal clauses."""
    muses = set(trial.muses("marco"))
    kinds = [frozenset(clause) for clause in trial.formula.clauses]
    if len(set(kinds)) == trial.count:
        raise NotApplicable("no clause twice")
    for mus in sorted(muses, key=sorted):
        for clause in sorted(mus):
            for other in range(trial.count):
                if other == clause or kinds[other] != kinds[clause]:
                    continue
                if other in mus:
                    raise Violation(
                        "redundant", f"{clauses_text(mus)} has the equal clauses {clause + 1} and {other + 1}"
                    )
                if (mus - {clause}) | {other} not in muses:
                    raise Violation("missing", f"{clauses_text((mus - {clause}) | {other})} is not listed")
