"""Soundness: an AXp suffices for the prediction, a CXp can change it."""

from __future__ import annotations

from xpgcheck.properties.catalogue import holds
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import Violation


@holds("Eq. 1", "axp")
def an_axp_suffices(trial: Trial) -> None:
    """Every point that agrees with the instance on the one AXp has the class of the instance."""
    require_sufficient(trial, trial.axp())


@holds("Eq. 2", "cxp")
def a_cxp_can_change_the_class(trial: Trial) -> None:
    """Some point that differs from the instance on the one CXp alone has another class; no CXp where κ is constant."""
    found = trial.cxp()
    if found is None:
        if not trial.constant:
            raise Violation("incomplete", "it says there is no CXp, and the classifier is not constant")
    else:
        require_effective(trial, found)


@holds("Eq. 1", "enumerate")
def every_listed_axp_suffices(trial: Trial) -> None:
    """Eq. 1 for every AXp of the enumeration."""
    for claim in trial.listed("AXp"):
        require_sufficient(trial, claim)


@holds("Eq. 2", "enumerate")
def every_listed_cxp_can_change_the_class(trial: Trial) -> None:
    """Eq. 2 for every CXp of the enumeration."""
    for claim in trial.listed("CXp"):
        require_effective(trial, claim)


def require_sufficient(trial: Trial, claim: frozenset[int]) -> None:
    """Raise a ``Violation`` unless *claim* is a weak AXp."""
    if not trial.is_weak_axp(claim):
        witness = trial.consensus.ask(claim).witness
        raise Violation("insufficient", f"AXp {trial.text(claim)}; of another class: {witness}")


def require_effective(trial: Trial, claim: frozenset[int]) -> None:
    """Raise a ``Violation`` unless *claim* is a weak CXp."""
    if not trial.is_weak_cxp(claim):
        raise Violation("ineffective", f"CXp {trial.text(claim)}; no point changes the class")
