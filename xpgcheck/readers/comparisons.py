"""The comparisons that models of other packages make, as exact sets of numbers.

A threshold is a Python float, taken at its exact value; it may be infinite or NaN (with which nothing compares).  The
sets are of the finite numbers of a grid of floats.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from fractions import Fraction

from xpgcheck.model.value_sets import BOTTOM, TOP, Cut, Grid, Interval, IntervalSet, interval_set


def at_most(grid: Grid, threshold: float) -> IntervalSet:
    """Return ``{x : x <= threshold}``."""
    return _up_to(grid, threshold, 1)


def less_than(grid: Grid, threshold: float) -> IntervalSet:
    """Return ``{x : x < threshold}``."""
    return _up_to(grid, threshold, 0)


def equal_to(grid: Grid, threshold: float) -> IntervalSet:
    """Return ``{x : x == threshold}``, which is empty where the threshold is not on the grid."""
    if threshold - threshold != 0:
        return IntervalSet(grid, ())
    number = Fraction(threshold)
    return interval_set(grid, [Interval(number, False, number, False)])


def whole_parts(grid: Grid, codes: Iterable[int]) -> IntervalSet:
    """Return the numbers whose cast to an integer (towards zero) is one of *codes*, none of them negative.

    The codes must be on the grid with all smaller ones: below 2²⁴ of float32, below 2⁵³ of float64.
    """
    cuts: list[Cut] = []
    for code in sorted(set(codes)):
        start = grid.cut(Fraction(code), 0) if code else grid.cut(Fraction(-1), 1)
        if cuts and cuts[-1] == start:
            cuts.pop()
        else:
            cuts.append(start)
        cuts.append(grid.cut(Fraction(code + 1), 0))
    return IntervalSet(grid, tuple(cuts))


def whole_preimage(inside: IntervalSet, low: int, high: int, roundings: Sequence[int]) -> IntervalSet:
    """Return the integers from *low* to *high* that are in *inside* once they are rounded, *roundings* being bits.

    Rounding is to nearest, ties to even, one rounding after the other.  It keeps the order, so that an interval comes from
    an interval, whose ends are found by bisection.
    """

    def first(cut: Cut) -> int:
        """Return the first integer behind *cut* once it is rounded; ``high + 1`` where there is none."""
        if cut.infinite:
            return low if cut.infinite < 0 else high + 1
        start = inside.grid.binary.from_rank(int(cut.value))
        least, most = low, high + 1
        while least < most:
            middle = (least + most) // 2
            if functools.reduce(_rounded, roundings, middle) >= start:
                most = middle
            else:
                least = middle + 1
        return least

    ends = [(first(start), first(end) - 1) for start, end in zip(inside.cuts[::2], inside.cuts[1::2], strict=True)]
    spans = [Interval(Fraction(a), False, Fraction(b), False) for a, b in ends if a <= b]
    return interval_set(Grid.INTEGERS, spans)


def _rounded(number: int, bits: int) -> int:
    """Return *number* rounded to *bits* significant bits, to nearest, ties to even."""
    magnitude = abs(number)
    shift = magnitude.bit_length() - bits
    if shift <= 0:
        return number
    kept, rest = magnitude >> shift, magnitude & ((1 << shift) - 1)
    half = 1 << (shift - 1)
    kept += rest > half or (rest == half and kept & 1)
    return (kept << shift) * (1 if number > 0 else -1)


def sides(inside: IntervalSet, missing: bool = False, missing_inside: bool = False) -> tuple[IntervalSet, IntervalSet]:
    """Return *inside* and the other finite numbers; the missing value, if there is one, is on the side that is said."""
    return (
        IntervalSet(inside.grid, inside.cuts, missing and missing_inside),
        inside.complement(missing and not missing_inside),
    )


def _up_to(grid: Grid, threshold: float, after: int) -> IntervalSet:
    if threshold - threshold != 0:
        return IntervalSet(grid, (BOTTOM, TOP) if threshold > 0 else ())
    cut: Cut = grid.float_cut(threshold, after)
    return IntervalSet(grid, (BOTTOM, cut) if cut > BOTTOM else ())
