"""Is there an XP of an ensemble that holds these features?  By seeds that are refuted until one is right.

An AXp holds P iff it is inside a set of fixed features that suffices, and no longer does without any one i of P.  A SAT
solver proposes such sets.  One that does not suffice leaves a CXp free, which the next ones have to hit; one that suffices
without i holds an AXp, which the next ones must not fix whole.  So each refutation is an XP (Proposition 8 has one SAT query
for graphs; of an ensemble each step is a question of its own).  For a CXp, the same with "free" for "fixed".
"""

from __future__ import annotations

from xpgcheck.errors import UndecidedError
from xpgcheck.xpg.ensembles.deciding import Allowance
from xpgcheck.xpg.ensembles.explained import UNLIMITED, ExplainedEnsemble, FoundXp, mend_of
from xpgcheck.xpg.explanation_graph import indices
from xpgcheck.xpg.xps import Kind


def xp_holding(
    explained: ExplainedEnsemble, kind: Kind, held: int, never: int = 0, allowance: Allowance = UNLIMITED
) -> FoundXp | None:
    """Return an XP of *kind* that has all features *held* and none of *never* (masks); None where there is none.

    Raises ``UndecidedError`` where that stays open.  Exponentially many questions at worst.
    """
    from pysat.solvers import Solver

    features = len(explained.ensemble.features)
    other = Kind.CXP if kind is Kind.AXP else Kind.AXP
    with Solver(name="minisat22") as seeds:
        seeds.append_formula([[i + 1] for i in indices(held)] + [[-i - 1] for i in indices(never)])
        seeds.set_phases([-i - 1 for i in range(features)])
        while seeds.solve():
            seed = sum(1 << literal - 1 for literal in seeds.get_model() or () if 0 < literal <= features)
            if not _decided(explained, kind, seed, allowance):
                missed = _inside(explained, other, explained.everything & ~seed, allowance) & ~never
                seeds.append_formula([[i + 1 for i in indices(missed)]] if missed else [[1], [-1]])
                continue
            for i in indices(held):
                if _decided(explained, kind, seed & ~(1 << i), allowance):
                    whole = _inside(explained, kind, seed & ~(1 << i), allowance)
                    seeds.append_formula([[-j - 1 for j in indices(whole)]] if whole else [[1], [-1]])
                    break
            else:
                # Every XP inside holds them.
                return explained.shrink(kind, seed, allowance=allowance)
    return None


def _decided(explained: ExplainedEnsemble, kind: Kind, mask: int, allowance: Allowance) -> bool:
    """Tell whether *mask* is a weak XP of *kind*.  Raises ``UndecidedError``."""
    found = explained.decide(explained.fixed_by(kind, mask), allowance)
    if found.changed is None:
        problem = f"which features some {kind.value} holds stays open: {found.reason}"
        raise UndecidedError(problem, mend=mend_of(found.reason))
    return found.changed is (kind is Kind.CXP)


def _inside(explained: ExplainedEnsemble, kind: Kind, seed: int, allowance: Allowance) -> int:
    """Return an XP of *kind* inside the weak XP *seed*, or what is left of it where it stays open: it is weak, too."""
    return explained.shrink(kind, seed, allowance=allowance).mask
