"""Minimality: no feature of an XP can be left out."""

from __future__ import annotations

from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import judge_axp, judge_cxp
from xpgcheck.properties.catalogue import holds
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import Inconclusive, Violation


@holds("Eq. 1", "axp")
def an_axp_is_minimal(trial: Trial) -> None:
    """No feature of the one AXp can be left out of it."""
    require_minimal(trial, "AXp", trial.axp())


@holds("Eq. 2", "cxp")
def a_cxp_is_minimal(trial: Trial) -> None:
    """No feature of the one CXp can be left out of it."""
    found = trial.cxp()
    if found is not None:
        require_minimal(trial, "CXp", found)


@holds("Eq. 1", "enumerate")
def every_listed_axp_is_minimal(trial: Trial) -> None:
    """No feature of any AXp of the enumeration can be left out of it."""
    for claim in trial.listed("AXp"):
        require_minimal(trial, "AXp", claim)


@holds("Eq. 2", "enumerate")
def every_listed_cxp_is_minimal(trial: Trial) -> None:
    """No feature of any CXp of the enumeration can be left out of it."""
    for claim in trial.listed("CXp"):
        require_minimal(trial, "CXp", claim)


def require_minimal(trial: Trial, kind: str, claim: frozenset[int]) -> None:
    """Raise a ``Violation`` if *claim* is a weak XP of *kind* from which a feature can be left out."""
    judgement = (judge_axp if kind == "AXp" else judge_cxp)(trial.consensus, claim)
    if judgement.verdict is Verdict.REDUNDANT:
        needless = trial.text(judgement.needless)
        inside = "" if judgement.inside is None else f"; the {kind} inside it is {trial.text(judgement.inside)}"
        raise Violation("redundant", f"{kind} {trial.text(claim)}; needless: {needless}{inside}")
    if judgement.verdict is Verdict.INCONCLUSIVE:
        raise Inconclusive(judgement.reason)
