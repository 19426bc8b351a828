"""Feature membership: is a feature in some AXp, in some CXp?"""

from __future__ import annotations

from xpgcheck.properties.catalogue import holds
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import Violation


@holds("Proposition 1", "enumerate")
def a_feature_is_in_some_axp_exactly_if_in_some_cxp(trial: Trial) -> None:
    """The features of the listed AXps are those of the listed CXps."""
    in_axps, in_cxps = (frozenset().union(*trial.listed(kind)) for kind in ("AXp", "CXp"))
    if in_axps != in_cxps:
        evidence = f"{trial.text(in_axps ^ in_cxps)} in XPs of one kind only"
        raise Violation("wrong membership", evidence)


@holds("Definition 1", "member", "enumerate")
def membership_is_what_the_enumeration_says(trial: Trial) -> None:
    """Asked of each feature, membership is what the listed XPs say."""
    listed = frozenset().union(*(members for _, members in trial.xps()))
    for i in range(trial.count):
        said = trial.says("member", i)
        if said != (i in listed):
            evidence = (
                f"{trial.text([i])} is{'' if i in listed else ' not'} in a listed XP, and membership says otherwise"
            )
            raise Violation("wrong membership", evidence)


@holds("Definition 1, Proposition 1, Eq. 2", "member")
def membership_is_what_the_definition_says(trial: Trial) -> None:
    """Asked of each feature, membership is whether the feature is in some CXp, over every combination of cells."""
    relevant = frozenset().union(*trial.definition.minimal_changes())
    for i in range(trial.count):
        if trial.says("member", i) != (i in relevant):
            evidence = f"{trial.text([i])} is{'' if i in relevant else ' not'} in a CXp, and membership says otherwise"
            raise Violation("wrong membership", evidence)
