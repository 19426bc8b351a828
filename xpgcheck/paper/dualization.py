"""The algorithm that the paper's text on Fredman and Khachiyan means: minimal hitting sets one by one, with calls counted.

M. Fredman, L. Khachiyan, On the Complexity of Dualization of Monotone Disjunctive Normal Forms, J. Algorithms 21 (1996),
algorithm A, as a search: which set hits all of some sets, and holds none of the hitting sets found so far?  It branches on a
variable that is in many of them.  All of it takes N^O(log² N) calls for N sets of input and output together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

Sets = Sequence[frozenset[int]]


class Calls:
    """A counter of calls."""

    count = 0


def frequent(first: Sets, second: Sets) -> int:
    """Return a variable that is in the largest share of one of the two families."""
    shares: Counter[int] = Counter()
    for family in (first, second):
        scale = max(len(first), 1) * max(len(second), 1) // max(len(family), 1)
        for variable, count in Counter(v for members in family for v in members).items():
            shares[variable] = max(shares[variable], count * scale)
    return min(shares, key=lambda variable: (-shares[variable], variable))


def hitting(to_hit: Sets, to_avoid: Sets, calls: Calls) -> frozenset[int] | None:
    """Return a set that hits all of *to_hit* and holds none of *to_avoid*; None if there is none."""
    calls.count += 1
    if frozenset() in to_hit or frozenset() in to_avoid:
        return None
    if not to_hit:
        return frozenset()
    if not to_avoid:
        return frozenset().union(*to_hit)
    x = frequent(to_hit, to_avoid)
    with_x = hitting(
        [members for members in to_hit if x not in members], _minimal(members - {x} for members in to_avoid), calls
    )
    if with_x is not None:
        return with_x | {x}
    return hitting(
        _minimal(members - {x} for members in to_hit), [members for members in to_avoid if x not in members], calls
    )


def minimal_hitting_sets(sets: Sets, calls: Calls) -> list[frozenset[int]]:
    """Return all minimal hitting sets of *sets*, each found by what those before it leave open."""
    found: list[frozenset[int]] = []
    while (hit := hitting(sets, found, calls)) is not None:
        for variable in sorted(hit):
            if all(hit - {variable} & members for members in sets):
                hit -= {variable}
        found.append(hit)
    return found


def _minimal(sets: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    kept: list[frozenset[int]] = []
    for members in sorted(set(sets), key=lambda found: (len(found), sorted(found))):
        if not any(smaller <= members for smaller in kept):
            kept.append(members)
    return kept
