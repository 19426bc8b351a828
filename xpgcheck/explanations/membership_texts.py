"""Is a feature in some AXp, and in some CXp?  Each yes with one that was checked."""

from __future__ import annotations

from xpgcheck.errors import printable
from xpgcheck.explanations.case import ExplainedInstance
from xpgcheck.xpg.xps import Kind


def membership_text(case: ExplainedInstance, feature: str, place: str = "") -> str:
    """Say of the feature called *feature* in which AXp and CXp it is, if in any.

    No enumeration: what it takes is said where it is done (``membership`` of the case's explainer).
    Raises ``InputError``, naming *place*, on an unknown name, and ``UndecidedError`` where it stays open.
    """
    found = case.explainer.membership(case.index(feature, place))
    if found is None:
        return f"{printable(feature)} is in no AXp and no CXp"
    said = []
    for kind in (Kind.AXP, Kind.CXP):
        mask, checked = found[kind]
        members = ", ".join(map(printable, case.names_in(mask)))
        said.append(f"the {kind.value} {{{members}}} ({checked})")
    return f"{printable(feature)} is in {said[0]} and in {said[1]}"
