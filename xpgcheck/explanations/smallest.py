"""A smallest AXp and a smallest CXp, by implicit hitting sets.

A smallest AXp is a minimum hitting set of all CXps (Proposition 1's duality), and the CXps need not be known first: a
minimum hitting set of those known so far is an AXp as soon as fixing it suffices, and otherwise the features outside it
hold a CXp that it misses (Algorithm 3 finds it).  The same with the kinds swapped.  Minimum hitting sets are PySAT's
``Hitman`` (Ignatiev, Morgado, Marques-Silva), which asks the MaxSAT solver RC2.

Each step adds an XP that no former step had, so the loop ends; exponentially many steps at worst, few as a rule.
"""

from __future__ import annotations

from typing import Protocol

from xpgcheck.xpg.explanation_graph import indices, mask_of
from xpgcheck.xpg.xps import Kind


class WeakXps(Protocol):
    """Tells weak XPs of one prediction, and finds the XPs inside them."""

    @property
    def everything(self) -> int:
        """All features."""

    def is_weak(self, kind: Kind, mask: int) -> bool:
        """Tell whether *mask* is a weak XP of *kind*."""

    def inside(self, kind: Kind, seed: int) -> int:
        """Return an XP of *kind* inside the weak XP *seed*."""


def smallest_xp(finder: WeakXps, kind: Kind, never: int = 0) -> int | None:
    """Return an AXp or a CXp with as few features as any that has none of *never* (masks); None where there is none."""
    everything = finder.everything
    if not finder.is_weak(kind, everything & ~never):
        return None
    from pysat.examples.hitman import Hitman

    other = Kind.CXP if kind is Kind.AXP else Kind.AXP
    with Hitman(solver="m22", htype="sorted") as hitman:
        while True:
            candidate = mask_of(hitman.get())
            if finder.is_weak(kind, candidate):
                return candidate
            hitman.hit(list(indices(finder.inside(other, everything & ~candidate) & ~never)))
