"""Evidence that two families are all AXps and all CXps: no set S of features hits every CXp and contains no AXp.

A set S is an assignment to the features: feature i is in S, or is not.  Each CXp is a clause that wants one of its members
in S, each AXp one that wants one of its members out.  Two ways to show that the clauses have no model:

*rup*
    Clauses, each of which follows from those before by unit propagation, the last of them empty.  For small families the
    search here finds them; larger ones go to CaDiCaL, whose proof is such a list once its deletions are left out.

*tree*
    The decision tree of M. L. Fredman and L. Khachiyan, "On the complexity of dualization of monotone disjunctive normal
    forms", Journal of Algorithms 21 (1996) 618–628: it branches on a feature of a smallest set that is most frequent in the
    other family, down to an AXp inside S or a CXp outside.  Quasi-polynomial in the number of sets.
"""

from __future__ import annotations

from collections.abc import Sequence

from xpgcheck.errors import InputError, UndecidedError, shown
from xpgcheck.xpg.explanation_graph import indices

METHODS = ("rup", "tree", "none")

SMALL = 40
"""Sets in both families up to which the search here is tried: starting CaDiCaL takes as long as a dozen of its branches."""

BRANCHES = 24
"""Branches that the search may take before CaDiCaL takes over."""

MAX_TREE = 2_000_000
"""Nodes of a decision tree at most."""

SOLVER = "cadical153"


def require_method(method: str) -> None:
    """Raise ``InputError`` where *method* is no way to show completeness."""
    if method not in METHODS:
        raise InputError(f"no evidence of completeness is called {shown(method)}", mend=f"use {', '.join(METHODS)}")


def refutation(axps: Sequence[int], cxps: Sequence[int]) -> list[list[int]] | None:
    """Return the lines of a refutation by unit propagation, or None where the families are not complete.

    Families are of masks; line literal i + 1 says that feature i is in S, −(i + 1) that it is not.
    """
    if 0 in axps or 0 in cxps:
        return [[]]
    if len(axps) + len(cxps) <= SMALL:
        lines = _searched(axps, cxps)
        if lines is not None:
            return lines
    return _from_cadical(axps, cxps)


def _propagated(axps: Sequence[int], cxps: Sequence[int], inside: int, outside: int) -> tuple[int, int] | None:
    """Return what unit propagation makes of the features inside and outside of S, or None for a conflict."""
    again = True
    while again:
        again = False
        for mask in cxps:
            if not mask & inside:
                left = mask & ~outside
                if not left & (left - 1):
                    if not left:
                        return None
                    inside |= left
                    again = True
        for mask in axps:
            if not mask & outside:
                left = mask & ~inside
                if not left & (left - 1):
                    if not left:
                        return None
                    outside |= left
                    again = True
    return inside, outside


def _searched(axps: Sequence[int], cxps: Sequence[int]) -> list[list[int]] | None:
    """Return a refutation by branching and unit propagation; None where it takes many branches, or there is none.

    Decisions D that fail by propagation give the clause ¬D.  Where D and x have failed, ¬(D and x) makes D propagate ¬x; so
    ¬D follows once D and ¬x have failed too, which needs no clause of its own if that was by propagation.
    """
    lines: list[list[int]] = []
    # (inside, outside), None where both branches have failed; the decisions; whether their clause will be needed.
    stack: list[tuple[tuple[int, int] | None, tuple[int, ...], bool]] = [((0, 0), (), True)]
    branches = 0
    while stack:
        state, decisions, wanted = stack.pop()
        if state is None:
            lines.append([-literal for literal in decisions])
            continue
        reached = _propagated(axps, cxps, *state)
        if reached is None:
            if wanted:
                lines.append([-literal for literal in decisions])
            continue
        inside, outside = reached
        branches += 1
        feature = _most_wanted(axps, cxps, inside, outside)
        if feature is None or branches > BRANCHES:
            return None
        literal, bit = feature.bit_length(), feature
        stack.append((None, decisions, True))
        stack.append(((inside, outside | bit), (*decisions, -literal), False))
        stack.append(((inside | bit, outside), (*decisions, literal), True))
    return lines


def _most_wanted(axps: Sequence[int], cxps: Sequence[int], inside: int, outside: int) -> int | None:
    """Return the bit of a feature in a smallest clause that is left; None where none is left, so that there is a model."""
    best = None
    size = 1 << 30
    for family, done, gone in ((cxps, inside, outside), (axps, outside, inside)):
        for mask in family:
            if not mask & done:
                left = mask & ~gone
                count = left.bit_count()
                if count < size:
                    best, size = left, count
    return None if best is None else best & -best


def _from_cadical(axps: Sequence[int], cxps: Sequence[int]) -> list[list[int]] | None:
    clauses = [[i + 1 for i in indices(mask)] for mask in cxps]
    return refutation_of_clauses(clauses + [[-i - 1 for i in indices(mask)] for mask in axps])


def refutation_of_clauses(clauses: Sequence[Sequence[int]]) -> list[list[int]] | None:
    """Return the lines of a refutation by unit propagation that CaDiCaL finds, or None where *clauses* have a model."""
    if any(not clause for clause in clauses):
        return [[]]
    from pysat.solvers import Solver

    with Solver(name=SOLVER, bootstrap_with=clauses, with_proof=True) as solver:
        if solver.solve():
            return None
        proof: list[str] = solver.get_proof()
    # Deletions are left out: more clauses only make more propagation.
    lines = [[int(word) for word in line.split()[:-1]] for line in proof if not line.startswith("d")]
    return lines if lines and not lines[-1] else [*lines, []]


def decision_tree(axps: Sequence[int], cxps: Sequence[int]) -> list[int] | None:
    """Return the nodes of a decision tree in preorder, or None where the families are not complete.

    A number n ≥ 0 branches on feature n, first for n in S and then for n not in S; −k − 1 is a leaf at which the k-th set,
    of the AXps and then the CXps, ends the branch.  Raises ``UndecidedError`` where the tree would be too large.
    """
    nodes: list[int] = []
    first = len(axps)
    stack = [
        (list(zip(axps, range(first), strict=True)), list(zip(cxps, range(first, first + len(cxps)), strict=True)))
    ]
    while stack:
        forbidden, to_hit = stack.pop()
        leaf = next((k for family in (forbidden, to_hit) for mask, k in family if not mask), None)
        if leaf is not None:
            nodes.append(-leaf - 1)
            continue
        if not forbidden or not to_hit:
            return None
        bit = _frequent_feature(forbidden, to_hit)
        nodes.append(bit.bit_length() - 1)
        if len(nodes) > MAX_TREE:
            mend = "use the other evidence of completeness, rup"
            raise UndecidedError(f"the decision tree has more than {MAX_TREE:,} nodes", mend=mend)
        stack.append(([item for item in forbidden if not item[0] & bit], [(s & ~bit, k) for s, k in to_hit]))
        stack.append(([(s & ~bit, k) for s, k in forbidden], [item for item in to_hit if not item[0] & bit]))
    return nodes


_Numbered = list[tuple[int, int]]
"""Sets as masks, each with its number among the claims."""


def _frequent_feature(forbidden: _Numbered, to_hit: _Numbered) -> int:
    """Return the feature of a smallest set that is in most sets of the other family, as a bit.

    Where there is no model, the sum of 2^−|set| is at least 1, so the smallest has at most log₂ n features; and it meets
    every set of the other family, so one of its features is in at least 1/log₂ n of them: this bounds the tree.
    """
    small, other = min(
        ((min([mask for mask, _ in a], key=int.bit_count), b) for a, b in ((forbidden, to_hit), (to_hit, forbidden))),
        key=lambda pair: pair[0].bit_count(),
    )
    best, most = 0, -1
    while small:
        bit = small & -small
        small ^= bit
        count = sum([1 for mask, _ in other if mask & bit])
        if count > most:
            best, most = bit, count
    return best
