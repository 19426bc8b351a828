"""All XPs of an ensemble in the manner of Algorithm 4: a SAT solver proposes seeds, a question says which kind one holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from xpgcheck.xpg.ensembles.deciding import Allowance
from xpgcheck.xpg.ensembles.explained import UNLIMITED, ExplainedEnsemble, FoundXp
from xpgcheck.xpg.explanation_graph import indices
from xpgcheck.xpg.xps import Kind

MOST_OPEN = 50
"""Seeds that may stay open before the enumeration ends: each may stand for many more."""


class KindOfXp(NamedTuple):
    """An XP that was found, and its kind."""

    kind: Kind
    found: FoundXp


class EnsembleEnumeration:
    """An enumeration of the XPs of an ensemble at an instance, to be iterated once; none comes twice.

    ``complete`` becomes true where it ends because there are no more; ``reason`` says why it ended before, or what stayed
    open on the way.
    """

    def __init__(self, explained: ExplainedEnsemble, allowance: Allowance = UNLIMITED) -> None:
        """Prepare the enumeration; it ends when *allowance* is used up."""
        self.complete = False
        self.reason = ""
        self._explained = explained
        self._allowance = allowance

    def __iter__(self) -> Iterator[KindOfXp]:
        from pysat.solvers import Solver

        with Solver(name="minisat22") as seeds:
            features = len(self._explained.ensemble.features)
            # Free where nothing is said: seeds fix as few features as they can.
            seeds.set_phases([-feature - 1 for feature in range(features)])
            left_open = 0
            while left_open < MOST_OPEN:
                if self._allowance.is_over():
                    self.reason = "the time is over"
                    return
                if not seeds.solve():
                    self.complete = not left_open
                    return
                fixed = _fixed(seeds.get_model() or [], features)
                found = self._xp_of(fixed)
                if found is None:
                    left_open += 1
                    seeds.add_clause([-(i + 1) if fixed >> i & 1 else i + 1 for i in range(features)])
                    continue
                _block(seeds, found)
                if found.found.open:
                    left_open += 1
                yield found

    def _xp_of(self, fixed: int) -> KindOfXp | None:
        """Return the XP that the seed *fixed* holds, or leaves free; None where that stays open."""
        explained = self._explained
        decision = explained.decide(fixed, self._allowance)
        if decision.changed is None:
            self.reason = decision.reason
            return None
        kind = Kind.CXP if decision.changed else Kind.AXP
        seed = fixed if kind is Kind.AXP else explained.everything & ~fixed
        found = explained.shrink(kind, seed, allowance=self._allowance)
        if found.open:
            self.reason = found.reason
        return KindOfXp(kind, found)


def _fixed(model: list[int], features: int) -> int:
    return sum(1 << literal - 1 for literal in model if 0 < literal <= features)


def _block(seeds: Any, xp: KindOfXp) -> None:
    """Keep later seeds from fixing a whole AXp, and from leaving a whole CXp free."""
    sign = -1 if xp.kind is Kind.AXP else 1
    literals = [sign * (feature + 1) for feature in indices(xp.found.mask)]
    # The clause of the empty AXp is the empty clause, which not every solver takes.
    seeds.append_formula([literals] if literals else [[1], [-1]])
