"""Both families of XPs in one pass from the terminals up, without SAT: the fast method for trees and small graphs.

Reaching a 0-terminal from a node p that tests s_i is the monotone function
``z(p) = z(one) ∨ (¬s_i ∧ ⋁ z(zeros))`` of the freed variables, so its minimal true points, the CXps of the sub-graph,
follow from the children's.  The AXps are the minimal hitting sets of the CXps (Reiter's duality), by Berge's
multiplication on masks.  The families of inner nodes can be much larger than those of the root, so the pass gives up
when it compares more pairs of sets than a budget allows, and Algorithm 4 takes over.
"""

from __future__ import annotations

from collections.abc import Sequence

from xpgcheck.xpg.explanation_graph import ExplanationGraph


def minimal(masks: Sequence[int]) -> list[int]:
    """Return the subset-minimal masks, each once, smallest first.  Quadratic in the number of masks."""
    if len(masks) < 2:
        return list(masks)
    kept: list[int] = []
    for mask in sorted(masks, key=int.bit_count):
        for other in kept:
            if other & mask == other:
                break
        else:
            kept.append(mask)
    return kept


def joined(kept: list[int], freed: list[int]) -> list[int]:
    """Return the minimal masks of two families of minimal masks, where none of *kept* holds one of *freed*.

    So it is on read-once graphs: the variable that all of *freed* hold is in none of *kept*.
    """
    family = kept.copy()
    for mask in freed:
        for other in kept:
            if other & mask == other:
                break
        else:
            family.append(mask)
    return family


def all_cxps(xpg: ExplanationGraph, budget: int) -> list[int] | None:
    """Return the masks of all CXps, smallest first, or None when that takes more than *budget* comparisons of two sets."""
    bit_of, one_child, zero_children = xpg.bit_of, xpg.one_child, xpg.zero_children
    once = xpg.shape.read_once
    none: list[int] = []
    reached = [0]
    families = [reached if zero else none for zero in xpg.is_zero]
    compared = 0
    for node in xpg.shape.upward:
        one = one_child[node]
        family = families[one] if one >= 0 else none
        if family is not reached:
            bit = bit_of[node]
            zeros = zero_children[node]
            if len(zeros) == 1:
                freed = [mask | bit for mask in families[zeros[0]]]
                simple = once
            else:
                freed = [mask | bit for child in zeros for mask in families[child]]
                simple = False
            if freed:
                if simple and not family:
                    family = freed
                else:
                    compared += (len(family) + len(freed)) ** 2
                    if compared > budget:
                        return None
                    family = joined(family, freed) if simple else minimal(family + freed)
        families[node] = family
    return sorted(families[0], key=int.bit_count)


def minimal_hitting_sets(family: list[int], budget: int) -> list[int] | None:
    """Return the minimal hitting sets of *family* (masks), or None when that takes more than *budget* comparisons.

    Berge's multiplication, smallest sets first.  The dual of no sets is {∅}; of {∅} it is empty.
    """
    # What is alone in its set is in every hitting set.
    alone = 0
    for mask in family:
        if mask & (mask - 1):
            break
        alone |= mask
    hitting = [alone]
    compared = 0
    for mask in family:
        if mask & alone:
            continue
        hit = [h for h in hitting if h & mask]
        missed = [h for h in hitting if not h & mask]
        if not missed:
            continue
        compared += len(hit) * len(missed) + len(hitting)
        if compared > budget:
            return None
        grown = []
        rest = mask
        while rest:
            bit = rest & -rest
            rest ^= bit
            # h + bit is minimal unless a set that already hits lies inside it; such a set holds the bit.
            rivals = [h for h in hit if h & bit]
            for h in missed:
                candidate = h | bit
                for rival in rivals:
                    if rival & candidate == rival:
                        break
                else:
                    grown.append(candidate)
        hitting = hit + grown
    return hitting


def smallest_hitting_set(family: Sequence[int], budget: int) -> int | None:
    """Return a hitting set of *family* (masks that are not empty) with as few features as any; always the same one.

    Branch and bound: sets of one feature are hit first; otherwise one feature of a smallest set after the other is taken,
    or done without.  As many disjoint sets as are found are a lower bound.  None after *budget* branches; exponential.
    """
    search = _SmallestHit(budget)
    search.go(sorted(family, key=int.bit_count), 0)
    return None if search.budget < 0 else search.best


class _SmallestHit:
    """The search for a smallest hitting set: the best so far, and how many branches it may still take."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.best = 0
        self._size = 1 << 30

    def go(self, family: list[int], chosen: int) -> None:
        """Look for a smaller hitting set that holds *chosen* and hits *family*, the smallest sets first."""
        self.budget -= 1
        if self.budget < 0:
            return
        while family and not family[0] & family[0] - 1:
            alone = family[0]
            chosen |= alone
            family = [mask for mask in family if not mask & alone]
        used = bound = 0
        for mask in family:
            if not mask & used:
                used |= mask
                bound += 1
        if chosen.bit_count() + bound >= self._size:
            return
        if not family:
            self.best, self._size = chosen, chosen.bit_count()
            return
        for bit in sorted(_bits(family[0]), key=lambda bit: sum(1 for mask in family if mask & bit), reverse=True):
            self.go([mask for mask in family if not mask & bit], chosen | bit)
            family = sorted([mask & ~bit for mask in family], key=int.bit_count)
            if not family[0] or self.budget < 0:
                return


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        found.append(mask & -mask)
        mask &= mask - 1
    return found
