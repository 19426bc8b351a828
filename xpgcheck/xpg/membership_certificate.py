"""Certificates of membership: "feature i is in some AXp" (or CXp) with an assignment that proves it (Proposition 8).

The proof that membership is in NP guesses an assignment u over S with u_i = 1 and checks, by Algorithm 1 alone, that
σ(u) = 1 and that σ is 0 after each single change of a 1 of u to 0.  Then the 1s of u are an AXp that holds i.

Where the printed proof leaves something to the reader, this module takes it so:

* It guesses values "of S∖{s_i}" and calls u a point of 𝕊: u is over all of S, and u_i is given.
* Each change is made to u itself and taken back.  Changes that pile up would prove nothing after the first one, because
  σ is monotone (Proposition 4).  Monotonicity is also why single changes settle subset minimality.
* It speaks of PIs, that is of AXps.  The certificate of a CXp is the same turned round: u_i = 0, σ(u) = 0, and σ is 1
  after each single change of a 0 of u to 1.  The 0s of u are the CXp.
* One run for u and one a change: at most m + 1 runs.  That i is in *some* AXp would need two of them, u and the change
  of u_i; the others make the 1s of u an AXp.
* A constant classifier has σ = 1 everywhere, and the only AXp ∅: no feature has a certificate of either kind.  The same
  holds of a feature that no node tests, because changing it changes no path.

Algorithm 1 answers whether a terminal labelled 0 is reached, so σ = 1 is its answer *no*.
"""

from __future__ import annotations

from dataclasses import dataclass

from xpgcheck.errors import InputError, shown
from xpgcheck.xpg.explanation_graph import ExplanationGraph, features_of, mask_of
from xpgcheck.xpg.find_one import shrink_axp, shrink_cxp
from xpgcheck.xpg.membership_search import axp_with, cxp_with
from xpgcheck.xpg.traversal import reaches_zero
from xpgcheck.xpg.trees import tree_cxps
from xpgcheck.xpg.xps import Kind


@dataclass(frozen=True, slots=True)
class MembershipCertificate:
    """The claim that ``feature`` (an index) is in some XP of the kind ``kind``, with the assignment u that shows it.

    u is over ``variables`` features and is 1 exactly at ``fixed``.
    """

    kind: Kind
    feature: int
    fixed: frozenset[int]
    variables: int

    @property
    def explanation(self) -> frozenset[int]:
        """The XP that u represents: its 1s for an AXp, its 0s for a CXp.  O(m)."""
        return self.fixed if self.kind is Kind.AXP else frozenset(range(self.variables)) - self.fixed

    @property
    def traversals(self) -> int:
        """Runs of Algorithm 1 to accept this: one for u and one for each feature of the XP.  At most m + 1."""
        return 1 + len(self.explanation)


@dataclass(slots=True)
class Traversals:
    """A counter of runs of Algorithm 1."""

    count: int = 0


def membership_certificate(
    xpg: ExplanationGraph, feature: int, kind: Kind | str = Kind.AXP
) -> MembershipCertificate | None:
    """Return a certificate that *feature* (an index) is in some XP of *kind* ("AXp" or "CXp"), or None if it is in none.

    Polynomial for tree XpGs (Proposition 9), at most one SAT query for others; no enumeration by Algorithm 4.  By
    Proposition 1 there is one for both kinds or for neither.  Raises ``InputError`` for a feature or a kind that there
    is not.
    """
    wanted = _kind(kind)
    m = len(xpg.variables)
    if not 0 <= feature < m:
        raise InputError(f"feature index {feature} is not in 0 … {m - 1}", mend="name a feature of the model")
    if xpg.is_tree():
        cxp = next((cxp for cxp in tree_cxps(xpg) if feature in cxp), None)
        explanation = cxp if cxp is None or wanted is Kind.CXP else _other_kind(xpg, feature, cxp, wanted)
    else:
        explanation = axp_with(xpg, feature) if wanted is Kind.AXP else cxp_with(xpg, feature)
    if explanation is None:
        return None
    fixed = explanation if wanted is Kind.AXP else frozenset(range(m)) - explanation
    return MembershipCertificate(wanted, feature, fixed, m)


def certificate_fault(
    xpg: ExplanationGraph, certificate: MembershipCertificate, traversals: Traversals | None = None
) -> str | None:
    """Return why *certificate* does not prove its claim about *xpg*, or None where it does (the proof of Proposition 8).

    At most m + 1 runs of Algorithm 1, counted in *traversals*, and nothing else: O(m·(nodes + edges)).
    """
    m = len(xpg.variables)
    if not isinstance(certificate.kind, Kind):
        return f"the kind {certificate.kind!r} is neither Kind.AXP nor Kind.CXP"
    if certificate.variables != m:
        return f"the assignment is over {certificate.variables} features and the explanation graph over {m}"
    outside = sorted(i for i in {certificate.feature, *certificate.fixed} if not 0 <= i < m)
    if outside:
        return f"feature index {outside[0]} is not in 0 … {m - 1}"
    # σ at u, and at u after a change: 1 and 0 for an AXp, 0 and 1 for a CXp.
    axp = certificate.kind is Kind.AXP
    explanation = certificate.explanation
    if certificate.feature not in explanation:
        return f"{_name(xpg, certificate.feature)} is {'free' if axp else 'fixed'}, so it is not in the {_word(axp)}"
    counter = Traversals() if traversals is None else traversals
    free = xpg.all_variables & ~mask_of(certificate.fixed)
    if _sigma(xpg, free, counter) != axp:
        return f"σ(u) is {int(not axp)}: " + (
            "the fixed features do not suffice" if axp else "the free features cannot change the prediction"
        )
    for changed in sorted(explanation):
        if _sigma(xpg, free ^ 1 << changed, counter) == axp:
            return f"σ stays {int(axp)} when {_name(xpg, changed)} is {'freed' if axp else 'fixed'} too: not minimal"
    return None


def _sigma(xpg: ExplanationGraph, free: int, traversals: Traversals) -> bool:
    """σ by one run of Algorithm 1."""
    traversals.count += 1
    return not reaches_zero(xpg, free)


def _other_kind(xpg: ExplanationGraph, feature: int, xp: frozenset[int], wanted: Kind) -> frozenset[int]:
    """Return an XP of the kind *wanted* that holds *feature*, from one of the other kind that does (Proposition 1).

    Fixing all but a CXp does not suffice, and does together with a member i of it.  An AXp inside that set cannot miss i.
    For an AXp, the same with "free" for "fixed".
    """
    seed = xpg.all_variables & ~mask_of(xp) | 1 << feature
    return features_of(shrink_axp(xpg, seed) if wanted is Kind.AXP else shrink_cxp(xpg, seed))


def _kind(kind: Kind | str) -> Kind:
    try:
        return Kind(kind)
    except ValueError:
        raise InputError(f"{shown(kind)} is not a kind of explanation", mend='say "AXp" or "CXp"') from None


def _word(axp: bool) -> str:
    return "AXp" if axp else "CXp"


def _name(xpg: ExplanationGraph, feature: int) -> str:
    return f"feature {shown(xpg.variables[feature])}"
