"""The comparisons that models of other packages make, as exact sets of numbers.

A threshold is a Python float, taken at its exact value; it may be infinite or NaN (with which nothing compares).  On
the finite numbers of a grid.  A missing value is in a set where ``missing`` says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from xpgcheck.model.value_sets import BOTTOM, TOP, Cut, Grid, Interval, IntervalSet, interval_set


def at_most(grid: Grid, threshold: float, missing: bool = False) -> IntervalSet:
    """Return ``{x : x <= threshold}``."""
    return _up_to(grid, threshold, 1, missing)


def less_than(grid: Grid, threshold: float, missing: bool = False) -> IntervalSet:
    """Return ``{x : x < threshold}``."""
    return _up_to(grid, threshold, 0, missing)


def equal_to(grid: Grid, threshold: float, missing: bool = False) -> IntervalSet:
    """Return ``{x : x == threshold}``, which is empty where the threshold is not on the grid."""
    if threshold - threshold != 0:
        return IntervalSet(grid, (), missing)
    number = Fraction(threshold)
    return interval_set(grid, [Interval(number, False, number, False)], missing)


def whole_parts(grid: Grid, codes: Iterable[int], missing: bool = False) -> IntervalSet:
    """Return the numbers whose cast to an integer (towards zero) is one of *codes*, none of them negative."""
    spans = [Interval(Fraction(k) if k else Fraction(-1), not k, Fraction(k + 1), True) for k in sorted(codes)]
    return interval_set(grid, spans, missing)


def complement(values: IntervalSet, missing: bool = False) -> IntervalSet:
    """Return the finite numbers of the grid that are not in *values*; *missing* says of the missing value."""
    return IntervalSet(values.grid, IntervalSet(values.grid, (BOTTOM, TOP)).difference(values).cuts, missing)


def _up_to(grid: Grid, threshold: float, after: int, missing: bool) -> IntervalSet:
    if threshold - threshold != 0:
        return IntervalSet(grid, (BOTTOM, TOP) if threshold > 0 else (), missing)
    cut: Cut = grid.cut(Fraction(threshold), after)
    return IntervalSet(grid, (BOTTOM, cut) if cut > BOTTOM else (), missing)
