"""Is a feature in some AXp, and in some CXp?  Each yes with a certificate that Algorithm 1 has checked (Proposition 8)."""

from __future__ import annotations

from xpgcheck.errors import UndecidedError, printable
from xpgcheck.explanations.case import ExplainedInstance
from xpgcheck.xpg.explanation_graph import mask_of
from xpgcheck.xpg.membership_certificate import Traversals, certificate_fault, membership_certificate
from xpgcheck.xpg.xps import Kind


def membership_text(case: ExplainedInstance, feature: str, place: str = "") -> str:
    """Say of the feature called *feature* in which AXp and CXp it is, if in any.

    No enumeration: polynomial for trees, one SAT query for other graphs; then at most m + 1 runs of Algorithm 1 a kind.
    Raises ``InputError``, naming *place*, on an unknown name.
    """
    index = case.index(feature, place)
    found = []
    for kind in (Kind.AXP, Kind.CXP):
        certificate = membership_certificate(case.xpg, index, kind)
        if certificate is None:
            return f"{printable(feature)} is in no AXp and no CXp"
        runs = Traversals()
        fault = certificate_fault(case.xpg, certificate, runs)
        if fault is not None:
            raise UndecidedError(f"the certificate for {feature} does not check: {fault}", mend="report this")
        members = ", ".join(map(printable, case.names_in(mask_of(certificate.explanation))))
        found.append(f"the {kind.value} {{{members}}} (checked by {runs.count} runs of Algorithm 1)")
    return f"{printable(feature)} is in {found[0]} and in {found[1]}"
