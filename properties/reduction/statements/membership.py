"""MUS membership: CEGAR against the families and the definition."""

from __future__ import annotations

from xpgcheck.properties.reduction.catalogue import clauses_text, holds
from xpgcheck.properties.reduction.trials import ReductionTrial
from xpgcheck.properties.verdicts import Violation


@holds("Definition of MUS membership")
def membership_by_a_point_is_membership_by_the_family(trial: ReductionTrial) -> None:
    """A clause is in a listed MUS exactly if some point falsifies it and the clauses that hold there refute it."""
    for clause, listed in enumerate(_listed(trial)):
        if trial.tables.in_some_mus(clause) != listed:
            raise Violation("wrong membership", f"clause {clause + 1} is{'' if listed else ' not'} in a listed MUS")


@holds("Definition of MUS membership")
def cegar_decides_membership(trial: ReductionTrial) -> None:
    """CEGAR says of every clause what the exhaustive family says."""
    for clause, (said, listed) in enumerate(zip(trial.members(), _listed(trial), strict=True)):
        if (said.mus is not None) != listed:
            raise Violation("wrong membership", f"clause {clause + 1} is{'' if listed else ' not'} in a MUS")


@holds("Definition of MUS membership")
def the_mus_that_cegar_hands_out_is_one_with_the_clause(trial: ReductionTrial) -> None:
    """Where CEGAR says yes, its MUS holds the clause, and is one by the definition."""
    for clause, said in enumerate(trial.members()):
        if said.mus is not None and (clause not in said.mus or not trial.tables.is_mus(said.mus)):
            raise Violation("wrong witness", f"{clauses_text(said.mus)} is no MUS with clause {clause + 1}")


def _listed(trial: ReductionTrial) -> list[bool]:
    muses = trial.reference
    return [any(clause in mus for mus in muses) for clause in range(trial.count)]
