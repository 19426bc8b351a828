"""Sets of subsets as one Python integer: bit m says whether the subset whose members are the bits of m is in it.

For the routes that look at every subset.  The routes by solvers, which they are compared with, do not use this.
"""

from __future__ import annotations

from collections.abc import Iterator

from xpgcheck.oracles.propositional.clause_families import Family, family


def holding(position: int, count: int) -> int:
    """Return the set of all subsets of *count* members that hold the one at *position*.  O(count) bit operations."""
    column = 1
    for other in range(count):
        shifted = column << (1 << other)
        column = shifted if other == position else column | shifted
    return column


def set_bits(number: int) -> Iterator[int]:
    """Yield the positions of the bits of *number* that are 1, ascending.  Linear in its length."""
    # Taking off the lowest bit again and again would be quadratic.
    digits = bin(number)[:1:-1]
    position = digits.find("1")
    while position >= 0:
        yield position
        position = digits.find("1", position + 1)


def left_fixed(letting_in: int, features: int) -> Family:
    """Return the AXps: what is left fixed of *features* where as many as can be are free.

    *letting_in* are the sets of features in which some point of the other class differs: with those free, and so with more,
    it is let in.  O(features) operations on 2^features bits.
    """
    columns = [holding(feature, features) for feature in range(features)]
    for feature, with_feature in enumerate(columns):
        letting_in |= (letting_in & ~with_feature) << (1 << feature)
    # The free sets that let none in, and to which no feature can be added.
    maximal = ((1 << (1 << features)) - 1) & ~letting_in
    for feature, with_feature in enumerate(columns):
        maximal &= with_feature | (letting_in & with_feature) >> (1 << feature)
    everything = frozenset(range(features))
    return family(everything.difference(set_bits(free)) for free in set_bits(maximal))
