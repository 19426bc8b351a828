"""A smallest AXp and a smallest CXp, by implicit hitting sets.

A smallest AXp is a minimum hitting set of all CXps (Proposition 1's duality), and the CXps need not be known first: a
minimum hitting set of those known so far is an AXp as soon as fixing it suffices, and otherwise the features outside it
hold a CXp that it misses (Algorithm 3 finds it).  The same with the kinds swapped.  Minimum hitting sets are PySAT's
``Hitman`` (Ignatiev, Morgado, Marques-Silva), which asks the MaxSAT solver RC2.

Each step adds an XP that no former step had, so the loop ends; exponentially many steps at worst, few as a rule.
"""

from __future__ import annotations

from xpgcheck.xpg.explanation_graph import ExplanationGraph, indices, mask_of
from xpgcheck.xpg.find_one import shrink_axp, shrink_cxp
from xpgcheck.xpg.traversal import reaches_zero
from xpgcheck.xpg.xps import Kind


def smallest_xp(xpg: ExplanationGraph, kind: Kind, never: int = 0) -> int | None:
    """Return an AXp or a CXp with as few features as any that has none of *never* (masks); None where there is none."""
    everything = xpg.all_variables
    if not is_weak(xpg, kind, everything & ~never):
        return None
    from pysat.examples.hitman import Hitman

    with Hitman(solver="m22", htype="sorted") as hitman:
        while True:
            candidate = mask_of(hitman.get())
            if is_weak(xpg, kind, candidate):
                return candidate
            missed = everything & ~candidate
            other = shrink_cxp(xpg, missed) if kind is Kind.AXP else shrink_axp(xpg, missed)
            hitman.hit(list(indices(other & ~never)))


def is_weak(xpg: ExplanationGraph, kind: Kind, mask: int) -> bool:
    """Tell whether *mask* is a weak AXp (fixing it suffices) or a weak CXp (freeing it can change the class).  Linear."""
    if kind is Kind.AXP:
        return not reaches_zero(xpg, xpg.all_variables & ~mask)
    return reaches_zero(xpg, mask)
