"""Sets of subsets as one Python integer: bit m says whether the subset whose members are the bits of m is in it.

For the routes that look at every subset.  The routes by solvers, which they are compared with, do not use this.
"""

from __future__ import annotations

from collections.abc import Iterator


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
