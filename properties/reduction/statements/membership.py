"""MUS membership: CEGAR against the MUSes and their definition."""

from __future__ import annotations

from xpgcheck.properties.reduction.catalogue import clauses_text, holds
from xpgcheck.properties.reduction.trials import ReductionTrial
from xpgcheck.properties.verdicts import Violation


@holds("Definition of MUS membership")
def cegar_decides_membership(trial: ReductionTrial) -> None:
    """CEGAR says of every clause whether it is in one of the MUSes."""
    for clause, said in enumerate(trial.members()):
        listed = any(clause in mus for mus in trial.reference)
        if (said.mus is not None) != listed:
            raise Violation("wrong membership", f"clause {clause + 1} is{'' if listed else ' not'} in a MUS")


@holds("Definition of MUS membership")
def the_mus_that_cegar_hands_out_is_one_with_the_clause(trial: ReductionTrial) -> None:
    """The MUS that CEGAR hands out where it says yes holds the clause, and is one of the MUSes."""
    for clause, said in enumerate(trial.members()):
        if said.mus is not None and (clause not in said.mus or said.mus not in trial.reference):
            raise Violation("wrong witness", f"{clauses_text(said.mus)} is no MUS with clause {clause + 1}")
