"""Enumeration: no XP twice, and one SAT call an XP and one more."""

from __future__ import annotations

from collections import Counter

from xpgcheck.properties.catalogue import holds
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import Violation


@holds("Algorithm 4", "enumerate")
def no_xp_is_listed_twice(trial: Trial) -> None:
    """The enumeration lists each XP once."""
    for (kind, members), times in Counter(trial.xps()).items():
        if times != 1:
            raise Violation("duplicate", f"{kind} {trial.text(members)} is listed {times} times")


@holds("Algorithm 4", "enumerate", "sat_calls")
def sat_calls_are_xps_and_one(trial: Trial) -> None:
    """A full enumeration takes one SAT call an XP, and one that says there are no more."""
    calls, listed = trial.counts("sat_calls"), len(trial.xps())
    if calls != listed + 1:
        raise Violation("wrong count", f"{calls} SAT calls for {listed} XPs")


@holds("Algorithms 2 and 4", "enumerate", "axp")
def the_one_axp_is_listed(trial: Trial) -> None:
    """The one AXp is one of the enumeration."""
    claim = trial.axp()
    if claim not in trial.listed("AXp"):
        raise Violation("incomplete", f"AXp {trial.text(claim)} is not listed")


@holds("Algorithms 3 and 4", "enumerate", "cxp")
def the_one_cxp_is_listed(trial: Trial) -> None:
    """The one CXp is one of the enumeration; there is none where none is listed."""
    claim, listed = trial.cxp(), trial.listed("CXp")
    if claim is None:
        if listed:
            raise Violation("incomplete", f"it says there is no CXp, and lists {len(listed)}")
    else:
        if claim not in listed:
            raise Violation("incomplete", f"CXp {trial.text(claim)} is not listed")
