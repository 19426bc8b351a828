"""Sets of values, the ``E_i`` of the literals ``x_i ∈ E_i``: finite sets and unions of intervals, exactly.

An interval set is kept as a sorted run of *cuts*.  A cut is a gap in the ordered line: just before or just after a
number.  ``[2, 5)`` runs from the cut before 2 to the cut before 5; set operations are one merge of two runs, and there is
one representation per set on every :class:`Grid`, so equal sets compare equal.
"""

from __future__ import annotations

import bisect
import enum
import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from xpgcheck.model.ieee754 import BINARY32, BINARY64, BinaryFormat
from xpgcheck.model.values import MISSING, Missing, Value


class Cut(NamedTuple):
    """A gap in the ordered line.  ``infinite`` is −1 or 1 for the two ends, 0 for a gap at ``value``.

    ``value`` is a number, on the grids of floats the rank of one (see :mod:`xpgcheck.model.ieee754`): as exact, and an
    ``int``.
    """

    infinite: int
    value: int | Fraction
    after: int
    """0: the gap just before ``value``; 1: just after it."""


Location = tuple[int, int | Fraction, int] | Missing | None
"""The place of a value on the line; see :meth:`Grid.locate`."""

BOTTOM = Cut(-1, 0, 0)
TOP = Cut(1, 0, 0)


class Grid(enum.Enum):
    """Which numbers exist on the line."""

    DENSE = "all reals"
    INTEGERS = "integers"
    FLOAT32 = "finite IEEE 754 binary32 numbers"
    FLOAT64 = "finite IEEE 754 binary64 numbers"

    def cut(self, value: Fraction | Decimal, after: int) -> Cut:
        """Return the canonical cut just before (``after=0``) or just after (``after=1``) *value*.

        On a discrete grid, every cut between two neighbours is the cut before the upper one.
        """
        if self is Grid.DENSE:
            return Cut(0, _plain(Fraction(value)), after)
        if self is Grid.INTEGERS:
            return Cut(0, math.floor(value) + 1 if after else math.ceil(value), 0)
        floor_rank = self.binary.floor_rank
        if after:
            return self._cut_before(floor_rank(value) + 1)
        # -value would round a Decimal to its context's digits.
        return self._cut_before(-floor_rank(value.copy_negate() if isinstance(value, Decimal) else -value))

    def float_cut(self, value: float, after: int) -> Cut:
        """Return what :meth:`cut` does of a finite binary64 number, on a grid of floats."""
        floor_rank = self.binary.float_floor_rank
        return self._cut_before(floor_rank(value) + 1 if after else -floor_rank(-value))

    def _cut_before(self, rank: int) -> Cut:
        last = self.binary.max_rank
        if rank > last:
            return TOP
        return BOTTOM if rank <= -last else Cut(0, rank, 0)

    def place(self, number: Fraction | int) -> Fraction | int:
        """Return where *number* is among the values of cuts: the number itself, on a grid of floats its rank."""
        if self is Grid.DENSE or self is Grid.INTEGERS:
            return number
        return self.binary.floor_rank(number)

    def locate(self, value: object) -> Location:
        """Return where *value* is on the line: a cut at its place; MISSING of the missing value, None of no number."""
        # Integers first: whether one is a Fraction is asked of its abstract class, which takes three times as long.
        if isinstance(value, (int, Fraction)):
            return (0, self.place(value), 0)
        return MISSING if value is MISSING else None

    @property
    def binary(self) -> BinaryFormat:
        """The binary format whose numbers the grid has."""
        return BINARY32 if self is Grid.FLOAT32 else BINARY64


def _plain(value: Fraction) -> int | Fraction:
    """Return a whole number as an ``int``: equal, and much faster to compare."""
    return value.numerator if value.denominator == 1 else value


class Interval(NamedTuple):
    """One maximal run of numbers; an end that is None is infinite (and then open)."""

    low: Fraction | None
    low_open: bool
    high: Fraction | None
    high_open: bool

    def __str__(self) -> str:
        left = "(-inf" if self.low is None else ("(" if self.low_open else "[") + number_text(self.low)
        right = "inf)" if self.high is None else number_text(self.high) + (")" if self.high_open else "]")
        return f"{left}, {right}"


def number_text(number: Fraction | int) -> str:
    """Return *number* exactly: as an integer or a finite decimal where it is one, else as ``p/q``."""
    number = Fraction(number)
    numerator, denominator = number.numerator, number.denominator
    if denominator == 1:
        return str(numerator)
    twos = (denominator & -denominator).bit_length() - 1
    rest, fives = denominator >> twos, 0
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if rest != 1 or places > 160:
        return f"{numerator}/{denominator}"
    digits = str(abs(numerator) * 10**places // denominator).rjust(places + 1, "0")
    return f"{'-' if numerator < 0 else ''}{digits[:-places]}.{digits[-places:]}"


@dataclass(frozen=True, slots=True)
class FiniteSet:
    """A set of listed values (of a Boolean or categorical feature)."""

    values: frozenset[Value]

    def __contains__(self, value: object) -> bool:
        return value in self.values

    def is_empty(self) -> bool:
        """Tell whether no value is in the set."""
        return not self.values

    def intersection(self, other: ValueSet) -> FiniteSet:
        """Return the values in both sets."""
        return FiniteSet(self.values & as_finite(other).values)

    def difference(self, other: ValueSet) -> FiniteSet:
        """Return the values of this set that are not in *other*."""
        return FiniteSet(self.values - as_finite(other).values)

    def union(self, other: ValueSet) -> FiniteSet:
        """Return the values in either set."""
        return FiniteSet(self.values | as_finite(other).values)

    def representative(self) -> Value:
        """Return one value of the set, always the same.  Raises ``ValueError`` on the empty set."""
        if not self.values:
            raise ValueError("the empty set has no representative")
        return min(self.values, key=str)

    def __str__(self) -> str:
        return "{" + ", ".join(sorted(map(value_text, self.values))) + "}"


@dataclass(frozen=True, slots=True)
class IntervalSet:
    """A finite union of intervals on a grid, and possibly the missing value.

    ``cuts`` is strictly increasing and of even length: the set runs from each even cut to the odd one after it.
    """

    grid: Grid
    cuts: tuple[Cut, ...]
    missing: bool = False

    def __contains__(self, value: object) -> bool:
        return self.holds_at(self.grid.locate(value))

    def holds_at(self, location: Location) -> bool:
        """Tell whether the value that ``grid.locate`` finds at *location* is in the set: located once for many sets."""
        if location is None or location is MISSING:
            return location is not None and self.missing
        return bisect.bisect_right(self.cuts, location) % 2 == 1

    def is_empty(self) -> bool:
        """Tell whether no value is in the set."""
        return not self.cuts and not self.missing

    def intersection(self, other: ValueSet) -> IntervalSet:
        """Return the values in both sets.  Linear in the cuts of both."""
        other = self.same_grid(other)
        return IntervalSet(self.grid, _sweep(self.cuts, other.cuts, 2), self.missing and other.missing)

    def union(self, other: ValueSet) -> IntervalSet:
        """Return the values in either set.  Linear in the cuts of both."""
        other = self.same_grid(other)
        return IntervalSet(self.grid, _sweep(self.cuts, other.cuts, 1), self.missing or other.missing)

    def difference(self, other: ValueSet) -> IntervalSet:
        """Return the values of this set that are not in *other*.  Linear in the cuts of both."""
        other = self.same_grid(other)
        cuts = _sweep(self.cuts, _complement(other.cuts), 2)
        return IntervalSet(self.grid, cuts, self.missing and not other.missing)

    def complement(self, missing: bool = False) -> IntervalSet:
        """Return the numbers of the grid that are not in this set, and the missing value where *missing*."""
        return IntervalSet(self.grid, _complement(self.cuts), missing)

    def representative(self) -> Value:
        """Return one value of the set, always the same and of few digits.  Raises ``ValueError`` on the empty set."""
        if self.cuts:
            return _number_between(self.grid, self.cuts[0], self.cuts[1])
        if self.missing:
            return MISSING
        raise ValueError("the empty set has no representative")

    def intervals(self) -> tuple[Interval, ...]:
        """Return the maximal intervals in increasing order (on a discrete grid, finite ends are closed)."""
        return tuple(_interval(self.grid, low, high) for low, high in zip(self.cuts[::2], self.cuts[1::2], strict=True))

    def __str__(self) -> str:
        parts = [str(interval) for interval in self.intervals()] + (["missing"] if self.missing else [])
        return " ∪ ".join(parts) if parts else "{}"

    def same_grid(self, other: ValueSet) -> IntervalSet:
        """Return *other*, which is a set on the same grid.  Raises ``TypeError``."""
        if not isinstance(other, IntervalSet) or other.grid is not self.grid:
            raise TypeError("sets over different kinds of domain cannot be combined")
        return other


ValueSet = FiniteSet | IntervalSet


def interval_set(grid: Grid, intervals: Iterable[Interval], missing: bool = False) -> IntervalSet:
    """Return the union of *intervals* (in any order, overlapping or not) on *grid*."""
    return set_of_spans(
        grid,
        [
            (
                BOTTOM if low is None else grid.cut(low, int(low_open)),
                TOP if high is None else grid.cut(high, int(not high_open)),
            )
            for low, low_open, high, high_open in intervals
        ],
        missing,
    )


def set_of_spans(grid: Grid, spans: Iterable[tuple[Cut, Cut]], missing: bool = False) -> IntervalSet:
    """Return the union of what lies between pairs of cuts, in any order.  O(s log s) for s spans."""
    cuts: list[Cut] = []
    for start, end in sorted([span for span in spans if span[0] < span[1]]):
        if not cuts or cuts[-1] < start:
            cuts += (start, end)
        elif cuts[-1] < end:
            cuts[-1] = end
    return IntervalSet(grid, tuple(cuts), missing)


def disjoint_union(sets: Sequence[ValueSet]) -> ValueSet | None:
    """Return the union of *sets* (at least one, of one kind), None where two overlap.  O(s log s) for s spans or values."""
    first = sets[0]
    if isinstance(first, FiniteSet):
        values = frozenset(itertools.chain.from_iterable(as_finite(each).values for each in sets))
        return FiniteSet(values) if len(values) == sum(len(as_finite(each).values) for each in sets) else None
    members = [first.same_grid(each) for each in sets]
    spans = sorted(itertools.chain.from_iterable(zip(m.cuts[::2], m.cuts[1::2], strict=True) for m in members))
    apart = all(end <= start for (_, end), (start, _) in itertools.pairwise(spans))
    if not apart or sum(member.missing for member in members) > 1:
        return None
    return set_of_spans(first.grid, spans, any(member.missing for member in members))


def is_partition(whole: ValueSet, parts: Sequence[ValueSet]) -> bool:
    """Tell whether *parts* are non-empty, pairwise disjoint and together *whole*.  Exact; quadratic in the parts at most."""
    rest: ValueSet = whole
    for part in parts:
        if part.is_empty() or not part.difference(rest).is_empty():
            return False
        rest = rest.difference(part)
    return rest.is_empty()


def value_text(value: Value) -> str:
    """Return *value* as the formats write it: 0/1, a category's name, an exact number, ``missing``."""
    if value is MISSING:
        return "missing"
    if isinstance(value, bool):
        return str(int(value))
    return value if isinstance(value, str) else number_text(value)


def as_finite(values: ValueSet) -> FiniteSet:
    """Return *values*, which are a finite set.  Raises ``TypeError``."""
    if not isinstance(values, FiniteSet):
        raise TypeError("sets over different kinds of domain cannot be combined")
    return values


def _sweep(first: tuple[Cut, ...], second: tuple[Cut, ...], enough: int) -> tuple[Cut, ...]:
    """Merge two runs of cuts: where at least *enough* of the two sets (1 or 2) hold, the result holds."""
    events = sorted([(cut, 1 - 2 * (i % 2)) for run in (first, second) for i, cut in enumerate(run)])
    result: list[Cut] = []
    depth = 0
    for position, (cut, step) in enumerate(events):
        before = depth >= enough
        depth += step
        if position + 1 < len(events) and events[position + 1][0] == cut:
            # Both sets change at this cut: what counts is the state before the first and after the second.
            depth += events[position + 1][1]
            events[position + 1] = (cut, 0)
        if before != (depth >= enough):
            result.append(cut)
    return tuple(result)


def _complement(cuts: tuple[Cut, ...]) -> tuple[Cut, ...]:
    inner = cuts[1:] if cuts and cuts[0] == BOTTOM else (BOTTOM, *cuts)
    return inner[:-1] if inner and inner[-1] == TOP else (*inner, TOP)


def covers(cuts: Sequence[Cut], low: Cut) -> bool:
    """Tell whether what follows the cut *low* belongs to the set that *cuts* bound."""
    return bisect.bisect_right(cuts, low) % 2 == 1


def _interval(grid: Grid, low: Cut, high: Cut) -> Interval:
    if grid is Grid.DENSE:
        return Interval(
            None if low.infinite else Fraction(low.value),
            bool(low.infinite or low.after),
            None if high.infinite else Fraction(high.value),
            bool(high.infinite or not high.after),
        )
    first = _first(grid, low)
    last = _last(grid, high)
    return Interval(_fraction(first), first is None, _fraction(last), last is None)


def _fraction(number: int | Fraction | None) -> Fraction | None:
    return None if number is None else Fraction(number)


def _first(grid: Grid, low: Cut) -> int | Fraction | None:
    if low.infinite:
        return None
    return low.value if grid is Grid.INTEGERS else grid.binary.from_rank(int(low.value))


def _last(grid: Grid, high: Cut) -> int | Fraction | None:
    if high.infinite:
        return None
    return high.value - 1 if grid is Grid.INTEGERS else grid.binary.from_rank(int(high.value) - 1)


def _number_between(grid: Grid, low: Cut, high: Cut) -> Value:
    if grid is Grid.INTEGERS:
        if low.infinite:
            return 0 if high.infinite else math.floor(high.value) - 1
        return math.floor(low.value)
    return Fraction(_rational_between(grid, low, high))


def _rational_between(grid: Grid, low: Cut, high: Cut) -> int | Fraction:
    if low.infinite and high.infinite:
        return 0
    if grid in (Grid.FLOAT32, Grid.FLOAT64):
        first, last = _first(grid, low), _last(grid, high)
        return first if first is not None else last if last is not None else 0
    if low.infinite:
        return math.ceil(high.value) - 1
    if not low.after:
        return low.value
    if high.infinite:
        return math.floor(low.value) + 1
    if high.after:
        return high.value
    return simplest_between(Fraction(low.value), Fraction(high.value))


def simplest_between(low: Fraction, high: Fraction) -> int | Fraction:
    """Return the number with the least denominator strictly between *low* and *high*, which are in this order.

    Its text is hardly longer than theirs, which a midpoint's would be.  Down the Stern–Brocot tree, a continued fraction at
    a time: as many steps as the digits of the denominators, at most a few thousand.
    """
    whole: list[int] = []
    while True:
        floor = math.floor(low)
        if floor + 1 < high:
            last = Fraction(floor + 1)
            break
        if low == floor:
            last = floor + Fraction(1, math.floor(1 / (high - floor)) + 1)
            break
        # Both lie in one unit above floor: the inverses of what is left decide, in the other order.
        whole.append(floor)
        low, high = 1 / (high - floor), 1 / (low - floor)
    for floor in reversed(whole):
        last = floor + 1 / last
    return last.numerator if last.denominator == 1 else last
