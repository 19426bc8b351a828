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


@holds("Propositions 8 and 9", "member", "enumerate")
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


@holds("Definition 1, Proposition 1", "member")
def a_member_makes_a_difference_to_some_weak_axp(trial: Trial) -> None:
    """A feature is in some AXp exactly if some weak AXp is none without it; an irrelevant one never makes a difference."""
    differs: set[int] = set()
    for fixed in trial.subsets:
        for i in fixed - differs:
            if trial.is_weak_axp(fixed) and not trial.is_weak_axp(fixed - {i}):
                differs.add(i)
    for i in sorted(differs):
        if not trial.says("member", i):
            evidence = f"{trial.text([i])} makes a difference to a weak AXp, and membership says no"
            raise Violation("wrong membership", evidence)
    tested = set(trial.graph.feature_of)
    for i in range(trial.count):
        if i not in tested and trial.says("member", i):
            evidence = f"{trial.text([i])} is never tested, and membership says yes"
            raise Violation("wrong membership", evidence)
