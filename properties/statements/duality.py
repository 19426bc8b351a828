"""Minimal-hitting-set duality between the AXps and the CXps that a subject lists, and completeness that follows from it."""

from __future__ import annotations

from collections.abc import Collection

from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import judge_family
from xpgcheck.properties.catalogue import holds
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import Inconclusive, Violation


@holds("Hitting-set duality after Eq. 2", "enumerate")
def axps_are_the_minimal_hitting_sets_of_cxps(trial: Trial) -> None:
    """Every minimal hitting set of the listed CXps is a listed AXp, and nothing else is."""
    require_dual(trial, trial.listed("CXp"), "CXps", trial.listed("AXp"), "AXp")


@holds("Hitting-set duality after Eq. 2", "enumerate")
def cxps_are_the_minimal_hitting_sets_of_axps(trial: Trial) -> None:
    """Every minimal hitting set of the listed AXps is a listed CXp, and nothing else is."""
    require_dual(trial, trial.listed("AXp"), "AXps", trial.listed("CXp"), "CXp")


@holds("Algorithm 4, hitting-set duality", "enumerate")
def the_enumeration_is_complete(trial: Trial) -> None:
    """No AXp and no CXp is missing from the enumeration."""
    axps, cxps = list(dict.fromkeys(trial.listed("AXp"))), list(dict.fromkeys(trial.listed("CXp")))
    judged = judge_family(trial.consensus, axps, cxps)
    if judged.verdict is Verdict.INCONCLUSIVE:
        raise Inconclusive(judged.reason)
    if judged.verdict is not Verdict.COMPLETE:
        lacking = f"missing {judged.missing_kind} {trial.text(judged.missing)}" if judged.missing is not None else ""
        evidence = lacking or (f"{trial.text(judged.member.claim)} is no XP" if judged.member else "not dual")
        raise Violation(judged.verdict.value, f"of {len(axps)} AXps and {len(cxps)} CXps: {evidence}")


def require_dual(
    trial: Trial, given: Collection[frozenset[int]], word: str, family: Collection[frozenset[int]], kind: str
) -> None:
    """Raise a ``Violation`` unless *family* holds exactly the minimal hitting sets of *given*."""
    expected = minimal_hitting_sets(given)
    for claim in family:
        if claim not in expected:
            evidence = f"{kind} {trial.text(claim)} is no minimal hitting set of the {len(given)} {word}"
            raise Violation("not dual", evidence)
    for missing in expected.difference(family):
        evidence = f"{trial.text(missing)} is a minimal hitting set of the {len(given)} {word} and not a listed {kind}"
        raise Violation("not dual", evidence)


def minimal_hitting_sets(family: Collection[frozenset[int]]) -> set[frozenset[int]]:
    """Return the minimal hitting sets by Berge's multiplication, written for reading; of no sets it is {∅}, of {∅} empty."""
    hitting: set[frozenset[int]] = {frozenset()}
    for members in family:
        grown = {h if h & members else h | {i} for h in hitting for i in members or ()}
        hitting = {h for h in grown if not any(other < h for other in grown)}
    return hitting
