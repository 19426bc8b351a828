"""Values at the borders of cells: what explainers that round or compare wrongly take for others."""

from __future__ import annotations

import functools
from fractions import Fraction

from xpgcheck.model.value_sets import FiniteSet, Grid, IntervalSet, ValueSet
from xpgcheck.model.values import MISSING, Value

NEAR = Fraction(1, 1 << 20)
"""The distance of an instance from an open end of reals."""


@functools.lru_cache(maxsize=4096)
def border_values(cell: ValueSet) -> tuple[Value, ...]:
    """Return values of *cell*, its representative first: the ends of its intervals and their neighbours inside.

    A neighbour is the next number of the cell's grid, on the line of reals a number close by.  Kept by cell.
    """
    found: list[Value] = [cell.representative()]
    if isinstance(cell, FiniteSet):
        found.append(max(cell.values, key=str))
    else:
        found += [value for value in _ends(cell) if value in cell]
    return tuple(dict.fromkeys(found))


def _ends(cell: IntervalSet) -> list[Value]:
    ends: list[Value] = []
    for interval in cell.intervals():
        low, high = interval.low, interval.high
        if cell.grid is Grid.INTEGERS:
            ends += [int(end) + step for end in (low, high) if end is not None for step in (0, 1, -1)]
        elif cell.grid is Grid.DENSE:
            ends += [end + step for end in (low, high) if end is not None for step in (0, NEAR, -NEAR)]
        else:
            binary = cell.grid.binary
            for end in (binary.lowest if low is None else low, binary.highest if high is None else high):
                ends += [near for near in (end, binary.above(end), binary.below(end)) if near is not None]
    if cell.missing:
        ends.append(MISSING)
    return ends
