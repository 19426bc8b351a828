"""A subject remembers nothing that it should not: another instance of the same graph, and the same one asked again."""

from __future__ import annotations

from xpgcheck.properties import asking
from xpgcheck.properties.catalogue import holds
from xpgcheck.properties.statements.soundness import require_effective, require_sufficient
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import Violation


@holds("Eq. 1", "axp")
def another_instance_has_an_axp_of_its_own(trial: Trial) -> None:
    """Asked at one instance and then at another of the same graph, the AXp of the other suffices there."""
    trial.axp()
    other = trial.another
    require_sufficient(other, other.axp())


@holds("Eq. 2", "cxp")
def another_instance_has_a_cxp_of_its_own(trial: Trial) -> None:
    """Asked at one instance and then at another of the same graph, the CXp of the other changes the class there."""
    trial.cxp()
    other = trial.another
    found = other.cxp()
    if found is not None:
        require_effective(other, found)


@holds("Eq. 1, Eq. 2", "enumerate")
def another_instance_has_xps_of_its_own(trial: Trial) -> None:
    """Asked at one instance and then at another of the same graph, the XPs listed of the other are weak XPs there."""
    trial.xps()
    other = trial.another
    for kind, claim in other.xps():
        (require_sufficient if kind == "AXp" else require_effective)(other, claim)


@holds("Eq. 1", "axp")
def an_axp_asked_for_again_suffices(trial: Trial) -> None:
    """Asked for one AXp again and again, what comes suffices: the same one or another."""
    for _ in range(2):
        again = trial.asks("axp", (trial.graph, trial.instance), lambda answer: asking.features(answer, trial.count))
        require_sufficient(trial, again)


@holds("Algorithm 4", "enumerate")
def an_enumeration_asked_for_again_lists_the_same(trial: Trial) -> None:
    """Asked for all XPs again and again, the same ones are listed, in whatever order."""
    first, again = (
        trial.asks("enumerate", (trial.graph, trial.instance), lambda answer: asking.xps(answer, trial.count))
        for _ in range(2)
    )
    different = set(first) ^ set(again) | set(first) ^ set(trial.xps())
    for kind, members in sorted(different, key=lambda xp: (xp[0], sorted(xp[1]))):
        raise Violation("not the same", f"{kind} {trial.text(members)} is listed one time and not the other")
