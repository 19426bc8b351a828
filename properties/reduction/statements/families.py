"""The families of MUSes and MCSes: what the enumerator lists is what the definitions say, no set more or less."""

from __future__ import annotations

from xpgcheck.properties.reduction.catalogue import holds, require_equal
from xpgcheck.properties.reduction.trials import ReductionTrial


@holds("Definition of a MUS")
def marco_lists_the_muses(trial: ReductionTrial) -> None:
    """MARCO lists the MUSes that the truth of every subset of the clauses gives."""
    require_equal(trial.muses, trial.all_muses, "MUSes", "MARCO", "the definition")


@holds("Definition of an MCS")
def marco_lists_the_mcses(trial: ReductionTrial) -> None:
    """MARCO lists the MCSes that the truth of every subset of the clauses gives."""
    require_equal(trial.mcses, trial.all_mcses, "MCSes", "MARCO", "the definition")
