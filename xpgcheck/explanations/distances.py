"""The distance of a value from another, as the model sees it, and the nearest value of a cell.

A *cell* of a feature is a set of values that no literal of the model tells apart.  On an ordered feature, the distance
from a value to a cell is the number of cells from the value's own to it, that is how many of the model's thresholds lie
between; then, for ties, the distance in numbers to the cell's near end.  On an unordered feature every other cell is one
away.  To or from the missing value it is farther than between any two numbers: as many as there are cells of numbers.
Distances of several features are added.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from xpgcheck.model.domains import Categorical, Domain
from xpgcheck.model.value_sets import FiniteSet, Grid, Interval, IntervalSet, ValueSet
from xpgcheck.model.values import MISSING, Value


class Distance(NamedTuple):
    """A distance: cells first, numbers for ties."""

    cells: int
    value: Fraction


NONE = Distance(0, Fraction(0))


def distances(cells: Sequence[ValueSet], value: Value) -> list[Distance]:
    """Return the distance from *value* to each of a feature's *cells* (in the order of a decision graph).  Linear."""
    if isinstance(cells[0], FiniteSet):
        return [NONE if value in cell else Distance(1, Fraction(0)) for cell in cells]
    numbers = sum(bool(cell.cuts) for cell in cells if isinstance(cell, IntervalSet))
    own = next(position for position, cell in enumerate(cells) if value in cell)
    far = Distance(numbers, Fraction(0))
    found = []
    for position, cell in enumerate(cells):
        if position == own:
            found.append(NONE)
        elif value is MISSING or position >= numbers:
            found.append(far)
        else:
            found.append(Distance(abs(position - own), gap(cell, value)))
    return found


def nearest_value(domain: Domain, cell: ValueSet, value: Value) -> Value:
    """Return the value of *cell* nearest to *value*, itself where the cell holds it.

    Among categories the first of the domain.  Where the near end of an interval of reals is open there is no nearest
    number: the first multiple of a power of ten past the end is taken, the power being at most a hundredth of the distance
    to the end and of the interval's width.
    """
    if value in cell:
        return value
    if isinstance(cell, FiniteSet):
        order = domain.values if isinstance(domain, Categorical) else (False, True)
        return next(candidate for candidate in order if candidate in cell)
    if not cell.cuts or value is MISSING:
        return cell.representative()
    number, below = _number(value), _lies_below(cell, value)
    (span,) = cell.intervals()
    end = span.low if below else span.high
    assert end is not None
    if span.low_open if below else span.high_open:
        return _past(end, 1 if below else -1, _fine(span, abs(end - number), end))
    return int(end) if cell.grid is Grid.INTEGERS else end


def gap(cell: ValueSet, value: Value) -> Fraction:
    """Return the distance in numbers from *value*, a number, to the near end of *cell*, an interval that has it not."""
    assert isinstance(cell, IntervalSet)
    (span,) = cell.intervals()
    end = span.low if _lies_below(cell, value) else span.high
    assert end is not None
    return abs(end - _number(value))


def _lies_below(cell: IntervalSet, value: Value) -> bool:
    """Tell whether *value*, which is not in *cell*, is below it.

    Asked of the cuts: a number and the open end of an interval can be equal.
    """
    number = _number(value)
    return (0, cell.grid.place(number), 0) < cell.cuts[0]


def _number(value: Value) -> Fraction:
    assert isinstance(value, (int, Fraction))
    return Fraction(value)


def _fine(span: Interval, gap: Fraction, end: Fraction) -> Fraction:
    """Return the largest power of ten that is at most a hundredth of *gap* and of the width of *span*, where these count."""
    sizes = [gap] if gap else []
    if span.low is not None and span.high is not None:
        sizes.append(span.high - span.low)
    scale = min(sizes, default=max(abs(end), Fraction(1))) / 100
    power = Fraction(10) ** (len(str(scale.numerator)) - len(str(scale.denominator)) + 1)
    while power > scale:
        power /= 10
    return power


def _past(end: Fraction, direction: int, power: Fraction) -> Fraction:
    """Return the first multiple of *power* that lies past *end* in *direction* (1 or −1)."""
    steps = direction * end // power
    return direction * (steps + 1) * power
