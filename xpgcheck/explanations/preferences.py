"""One AXp or CXp that holds the preferred features where it can, and none of those to be left out.

"Where it can" is exact, not greedy: the first preferred feature is in the XP if any XP holds it, the second if any XP
holds it with the first (where that could be met), and so on.  Algorithms 2 and 3 with preferred features dropped last
settle most cases; what they miss is asked of a SAT solver, with the formula of :mod:`xpgcheck.xpg.membership` for several
features at once.  For an AXp that holds P: a set s of fixed features with σ(s) = 1 and, for each i in P, σ(s with i freed)
= 0.  Any AXp inside s then holds P, because σ is monotone.  For a CXp, with s the features that are not freed, the two
answers of σ are swapped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xpgcheck.explanations.families_shown import Doubt
from xpgcheck.xpg.explanation_graph import ExplanationGraph, indices, mask_of
from xpgcheck.xpg.find_one import shrink_axp, shrink_cxp
from xpgcheck.xpg.traversal import reaches_zero
from xpgcheck.xpg.xps import Kind


@dataclass(frozen=True, slots=True)
class Preferred:
    """The XP found (a mask), and the preferred features that no XP holds together with the earlier ones it does hold."""

    mask: int
    left_out: tuple[int, ...]
    doubt: Doubt | None = None


def preferred_xp(xpg: ExplanationGraph, kind: Kind, prefer: Sequence[int], never: int = 0) -> Preferred | None:
    """Return one XP of *kind* without any feature of *never* (a mask); None where there is none.

    *prefer* are indices of features, the most wanted first; those in *never* do not count.  Linear traversals, and at most
    one SAT call a preferred feature.
    """
    seed = xpg.all_variables & ~never
    if not is_weak(xpg, kind, seed):
        return None
    wanted = [feature for feature in dict.fromkeys(prefer) if not never >> feature & 1]
    order = [f for f in range(len(xpg.variables)) if f not in wanted] + wanted[::-1] if wanted else None
    best = _shrink(xpg, kind, seed, order)
    held = 0
    left_out = []
    for feature in wanted:
        more = held | 1 << feature
        if best & more != more:
            larger = _weak_xp_holding(xpg, kind, more, never)
            if larger is None:
                left_out.append(feature)
                continue
            best = _shrink(xpg, kind, larger, order)
        held = more
    return Preferred(best, tuple(left_out))


def is_weak(xpg: ExplanationGraph, kind: Kind, mask: int) -> bool:
    """Tell whether *mask* is a weak AXp (fixing it suffices) or a weak CXp (freeing it can change the class).  Linear."""
    if kind is Kind.AXP:
        return not reaches_zero(xpg, xpg.all_variables & ~mask)
    return reaches_zero(xpg, mask)


def _shrink(xpg: ExplanationGraph, kind: Kind, seed: int, order: Sequence[int] | None) -> int:
    return shrink_axp(xpg, seed, order) if kind is Kind.AXP else shrink_cxp(xpg, seed, order)


def _weak_xp_holding(xpg: ExplanationGraph, kind: Kind, held: int, never: int) -> int | None:
    """Return a weak XP of *kind* without *never* of which every XP inside holds *held*; None if there is none.

    One SAT call on O((|held| + 1)·(nodes + edges)) clauses.
    """
    from pysat.solvers import Solver

    m, n = len(xpg.variables), xpg.node_count
    # SAT variable v + 1 says that feature v is in the weak XP: fixed for an AXp, free for a CXp.
    sign, base, changed = (1, _closed, _path) if kind is Kind.AXP else (-1, _path, _closed)
    fixed = [sign * (v + 1) for v in range(m)]
    clauses = [[v + 1] for v in indices(held)] + [[-v - 1] for v in indices(never)]
    clauses += base(xpg, fixed, m + 1)
    side = m + n + 1
    for feature in indices(held):
        # In this copy of the graph the feature changes sides.
        clauses.append([-sign * side])
        clauses += changed(xpg, [*fixed[:feature], side, *fixed[feature + 1 :]], side + 1)
        side += n + 1
    with Solver(name="cadical153", bootstrap_with=clauses) as sat:
        if not sat.solve():
            return None
        return mask_of(literal - 1 for literal in sat.get_model()[:m] if literal > 0)


def _closed(xpg: ExplanationGraph, fixed: Sequence[int], first: int) -> list[list[int]]:
    """Return clauses for σ = 1: a set of nodes (SAT variables from *first*) closed under open edges, no 0-terminal in it."""
    clauses = [[first]]
    for node, variable in enumerate(xpg.variable_of):
        if variable < 0:
            clauses += [[-first - node]] if xpg.is_zero[node] else []
            continue
        if xpg.one_child[node] >= 0:
            clauses.append([-first - node, first + xpg.one_child[node]])
        clauses += [[-first - node, fixed[variable], first + child] for child in xpg.zero_children[node]]
    return clauses


def _path(xpg: ExplanationGraph, fixed: Sequence[int], first: int) -> list[list[int]]:
    """Return clauses for σ = 0: nodes (SAT variables from *first*) each with an open edge to another, to a 0-terminal."""
    clauses = [[first]]
    for node, variable in enumerate(xpg.variable_of):
        if variable < 0:
            clauses += [] if xpg.is_zero[node] else [[-first - node]]
            continue
        onward = [first + xpg.one_child[node]] if xpg.one_child[node] >= 0 else []
        clauses.append([-first - node, *onward, *(first + child for child in xpg.zero_children[node])])
        clauses.append([-first - node, *onward, -fixed[variable]])
    return clauses
