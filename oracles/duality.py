"""Are two families of sets each other's minimal hitting sets?  Decided without a solver.

AXps are the minimal hitting sets (MHSes) of the CXps and the other way round, so two families that are all the XPs are
dual.  This is the algorithm A of M. L. Fredman and L. Khachiyan, "On the complexity of dualization of monotone
disjunctive normal forms", Journal of Algorithms 21 (1996) 618–628: n^{O(log² n)} for n sets in all, quasi-polynomial.

A *witness* against duality is a set S that contains no AXp and whose complement contains no CXp.  S or its complement
then holds an XP that neither family lists: were S a weak AXp, it would contain one; were it not, its complement would
be a weak CXp.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum


class NotDualKind(Enum):
    """Which condition of duality fails."""

    DUPLICATE = "duplicate"
    NOT_MINIMAL = "not minimal"
    DISJOINT = "disjoint"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class NotDual:
    """Reason that two families are not dual.

    ``first`` and ``second`` are the sets at fault: the set listed twice (both the same); a set and one of its family
    that contains it; an AXp and a CXp without a common feature; or for ``MISSING`` the witness S and its complement.
    """

    kind: NotDualKind
    first: frozenset[int]
    second: frozenset[int]


def dual(axps: Collection[Iterable[int]], cxps: Collection[Iterable[int]], universe: int) -> NotDual | None:
    """Return None where the families over the features 0 … *universe* − 1 are dual, else why they are not.

    A constant classifier's families, {∅} and {}, are dual.  Raises ``ValueError`` on a feature outside the universe.

    References: Fredman & Khachiyan 1996, algorithm A; the paper's remarks on MHS duality after Eq. 2.
    """
    first, second = _masks(axps, universe), _masks(cxps, universe)
    for family in (first, second):
        fault = _antichain_fault(family)
        if fault is not None:
            return fault
    for axp in first:
        for cxp in second:
            if not axp & cxp:
                return NotDual(NotDualKind.DISJOINT, _set(axp), _set(cxp))
    everything = (1 << universe) - 1
    witness = _search(first, second, everything)
    if witness is None:
        return None
    return NotDual(NotDualKind.MISSING, _set(witness), _set(everything & ~witness))


def _masks(family: Collection[Iterable[int]], universe: int) -> list[int]:
    masks = []
    for members in family:
        mask = 0
        for feature in members:
            if not 0 <= feature < universe:
                raise ValueError(f"feature {feature} is outside the universe of {universe}")
            mask |= 1 << feature
        masks.append(mask)
    return masks


def _set(mask: int) -> frozenset[int]:
    return frozenset(i for i in range(mask.bit_length()) if mask >> i & 1)


def _antichain_fault(family: list[int]) -> NotDual | None:
    ordered = sorted(family, key=int.bit_count)
    for position, small in enumerate(ordered):
        for large in ordered[position + 1 :]:
            if small & large == small:
                kind = NotDualKind.DUPLICATE if small == large else NotDualKind.NOT_MINIMAL
                return NotDual(kind, _set(small), _set(large))
    return None


def _search(axps: list[int], cxps: list[int], universe: int) -> int | None:
    """Return an S that contains no set of *axps* and meets every set of *cxps*, or None.

    Each subproblem fixes some features inside S (``inside``) or outside; the families are then restricted to the
    rest, and stay antichains that meet pairwise.  A stack instead of recursion: the depth may reach the number of
    features.
    """
    stack = [(axps, cxps, universe, 0)]
    while stack:
        forbidden, to_hit, rest, inside = stack.pop()
        found = _settle(forbidden, to_hit, rest)
        if found is not None:
            if found >= 0:
                return found | inside
            continue
        bit = _branching_feature(forbidden, to_hit)
        rest &= ~bit
        # x in S: shorter forbidden sets, fewer sets to hit.  x not in S: the other way round.
        stack.append((_shrunk(forbidden, bit), [s for s in to_hit if not s & bit], rest, inside | bit))
        stack.append(([s for s in forbidden if not s & bit], _shrunk(to_hit, bit), rest, inside))
    return None


_NONE = -1


def _settle(forbidden: list[int], to_hit: list[int], rest: int) -> int | None:
    """Return an S within *rest*, or −1 where there is none, or None where the subproblem has to be split."""
    if 0 in forbidden or 0 in to_hit:
        return _NONE
    if not to_hit:
        return 0
    if not forbidden:
        return rest
    if len(forbidden) == 1:
        # S = everything but x for an x of the one forbidden set: fails only where {x} has to be hit.
        spare = _first_bit_not_in(forbidden[0], to_hit)
        return rest & ~spare if spare else _NONE
    if len(to_hit) == 1:
        spare = _first_bit_not_in(to_hit[0], forbidden)
        return spare or _NONE
    longest = max(max(map(int.bit_count, forbidden)), max(map(int.bit_count, to_hit)))
    # A random S fails at one of the sets with a probability of at most the sum of 2^−|set|.
    if sum(1 << (longest - s.bit_count()) for family in (forbidden, to_hit) for s in family) < 1 << longest:
        return _by_expectation(forbidden, to_hit, rest)
    return None


def _first_bit_not_in(mask: int, family: list[int]) -> int:
    """Return a bit of *mask* that is not a member of *family* on its own (0: all are)."""
    singletons = 0
    for members in family:
        if members & (members - 1) == 0:
            singletons |= members
    left = mask & ~singletons
    return left & -left


def _by_expectation(forbidden: list[int], to_hit: list[int], rest: int) -> int:
    """Return an S by the method of conditional expectations, where less than one fault is expected at random."""
    chosen = 0
    while rest:
        bit = rest & -rest
        rest &= ~bit
        longest = max((s.bit_count() for family in (forbidden, to_hit) for s in family), default=0)
        # Taking x in doubles the weight of the forbidden sets with x and drops the sets to hit with x.
        gain = sum(1 << (longest - s.bit_count()) for s in to_hit if s & bit)
        loss = sum(1 << (longest - s.bit_count()) for s in forbidden if s & bit)
        if gain >= loss:
            chosen |= bit
            forbidden, to_hit = [s & ~bit for s in forbidden], [s for s in to_hit if not s & bit]
        else:
            forbidden, to_hit = [s for s in forbidden if not s & bit], [s & ~bit for s in to_hit]
    return chosen


def _branching_feature(forbidden: list[int], to_hit: list[int]) -> int:
    """Return the feature of a shortest set that is most frequent in the other family.

    A shortest set has at most log₂ n features (else :func:`_settle` had found an S) and meets every set of the other
    family, so some feature of it is in at least 1/log₂ n of them: this is what bounds the search.
    """
    shortest, other = min(
        ((min(a, key=int.bit_count), b) for a, b in ((forbidden, to_hit), (to_hit, forbidden))),
        key=lambda pair: pair[0].bit_count(),
    )
    best, most = 0, -1
    while shortest:
        bit = shortest & -shortest
        shortest &= ~bit
        count = sum(1 for s in other if s & bit)
        if count > most:
            best, most = bit, count
    return best


def _shrunk(family: list[int], bit: int) -> list[int]:
    """Take *bit* out of every set; drop the sets that then contain another."""
    shorter = [s & ~bit for s in family if s & bit]
    others = [s for s in family if not s & bit]
    for small in shorter:
        others = [s for s in others if s & small != small]
    return shorter + others
