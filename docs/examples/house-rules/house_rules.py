"""Properties of a house: what explanations have to be like here, in addition to being right."""

from xpgcheck.properties.catalogue import holds
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import Violation

MOST = 4


@holds("house rule 1", "axp")
def an_axp_is_short(trial: Trial) -> None:
    """An AXp that is shown to a customer names at most four features."""
    found = trial.axp()
    if len(found) > MOST:
        raise Violation("too long", f"AXp {trial.text(found)} names {len(found)} features, at most {MOST} are shown")


@holds("house rule 2", "axp", "cxp")
def the_axp_and_the_cxp_meet(trial: Trial) -> None:
    """The AXp and the CXp that are shown together have a feature in common, as every two of them have."""
    cxp = trial.cxp()
    if cxp is not None and not trial.axp() & cxp:
        raise Violation("disjoint", f"AXp {trial.text(trial.axp())} and CXp {trial.text(cxp)} share no feature")
