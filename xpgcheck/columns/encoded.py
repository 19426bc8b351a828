"""Encoded columns: each is a function of one original column, by steps, and literals on it are literals on that column.

The preimage of a literal ``x_j ∈ E_j`` on an encoded column is the set of original values that the steps send into E_j.
For categories it is found value by value.  For numbers the steps are monotone, so that an interval comes from an interval,
whose ends are found by bisection over the binary64 numbers with the steps' own arithmetic, cast to binary32 included
where the model casts (:mod:`xpgcheck.columns.bisection`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from xpgcheck.columns.bisection import LAST, first_rank, number_of_rank
from xpgcheck.columns.steps import Fill, IsMissing, Lookup, Monotone, Step, TableCell, applied
from xpgcheck.errors import InstanceError
from xpgcheck.model.domains import Boolean, Categorical, Domain, Float32, Float64, read_value
from xpgcheck.model.value_sets import BOTTOM, TOP, Cut, FiniteSet, Grid, IntervalSet, ValueSet, set_of_spans
from xpgcheck.model.values import MISSING, Value


@dataclass(frozen=True, slots=True)
class EncodedColumn:
    """A column that a model tests: what ``steps`` make of the original column ``original``, an index."""

    original: int
    steps: tuple[Step, ...] = ()

    def then(self, *steps: Step) -> EncodedColumn:
        """Return the column that *steps* make of this one."""
        return EncodedColumn(self.original, (*self.steps, *steps))

    def value(self, cell: TableCell) -> TableCell:
        """Return what the column has where the original one has *cell*.  Raises ``InstanceError`` where it has nothing."""
        for step in self.steps:
            cell = applied(step, cell)
        return cell


def cells_of(domain: Categorical) -> list[tuple[str, TableCell]]:
    """Return each value of *domain* with the cell of a table that it stands for."""
    return list(zip(domain.values, domain.cells or domain.values, strict=True))


def preimage(column: EncodedColumn, original: Domain, encoded: Domain, values: ValueSet) -> ValueSet:
    """Return the values of the *original* domain that *column* sends into *values*, a set of the *encoded* domain.

    Raises ``InstanceError`` where a value of *original* has no value in *encoded*, and ``ModelError`` where a step does not
    keep the order of numbers.  O(steps) for a category, O(64 · steps) for the end of an interval.
    """
    if not column.steps and original == encoded:
        return values
    if isinstance(original, Categorical):
        own = cells_of(original)
        return FiniteSet(frozenset(name for name, cell in own if _read(encoded, column.value(cell)) in values))
    if isinstance(original, Boolean):
        held = [value for value in (False, True) if _read(encoded, column.value(value)) in values]
        return FiniteSet(frozenset(held))
    if not isinstance(original, Float64):
        raise TypeError(f"no literals are carried over to {original}")
    missing = original.missing and _holds(encoded, values, column.value(MISSING))
    numbers = _numbers(column.steps, encoded, values)
    for step_number, step in enumerate(column.steps):
        # A number that stands for a missing value goes a way of its own.
        if isinstance(step, (Fill, IsMissing)) and isinstance(step.mark, float):
            assert not any(isinstance(before, Monotone) for before in column.steps[:step_number])
            mark = IntervalSet(Grid.FLOAT64, _around(step.mark))
            numbers = numbers.difference(mark)
            if _holds(encoded, values, column.value(step.mark)):
                numbers = numbers.union(mark)
    return IntervalSet(Grid.FLOAT64, numbers.cuts, missing)


def _around(number: float) -> tuple[Cut, ...]:
    return Grid.FLOAT64.float_cut(number, 0), Grid.FLOAT64.float_cut(number, 1)


def _read(domain: Domain, cell: TableCell) -> Value:
    """Return the value of *domain* that *cell*, of an encoded column, is."""
    return read_value(domain, float(cell) if isinstance(cell, Fraction) else cell)


def _holds(domain: Domain, values: ValueSet, cell: TableCell) -> bool:
    """Tell whether *cell* is one of *values*; a number beyond the finite ones lies beyond all ends."""
    if isinstance(domain, (Float32, Float64)) and isinstance(cell, float) and isinstance(values, IntervalSet):
        return _inside(values.cuts, _place(domain, cell))
    return _read(domain, cell) in values


def _inside(cuts: Sequence[Cut], place: int) -> bool:
    return any(_from(low, place) and not _from(high, place) for low, high in zip(cuts[::2], cuts[1::2], strict=True))


def _from(cut: Cut, place: int) -> bool:
    """Tell whether the number at *place*, a rank or one beyond all of them, lies behind *cut*."""
    return cut.infinite < 0 or (not cut.infinite and place >= cut.value)


def _place(domain: Float32 | Float64, number: float) -> int:
    """Return the rank of *number* in *domain*, rounded to it; one beyond the last one where it is infinite there."""
    binary = domain.binary
    beyond = binary.max_rank + 1
    if number - number != 0:
        return beyond if number > 0 else -beyond
    try:
        rounded = binary.rounded(number)
    except OverflowError:
        return beyond if number > 0 else -beyond
    if rounded - rounded != 0:
        return beyond if rounded > 0 else -beyond
    return binary.float_floor_rank(rounded)


def _numbers(steps: Sequence[Step], encoded: Domain, values: ValueSet) -> IntervalSet:
    """Return the binary64 numbers that *steps* send into *values*; numbers that stand for missing values apart."""
    position = next((k for k, step in enumerate(steps) if isinstance(step, (Lookup, IsMissing))), None)
    if position is None:
        if not isinstance(encoded, (Float32, Float64)) or not isinstance(values, IntervalSet):
            raise InstanceError(f"numbers are not values of {encoded}", mend="encode the column with categories")
        return _between(_monotone(steps), encoded, values.cuts)
    first, rest = steps[position], EncodedColumn(0, tuple(steps[position + 1 :]))
    if not isinstance(first, Lookup):
        # No number is missing.
        whole = Float64().all_values()
        return whole if _holds(encoded, values, rest.value(0.0)) else IntervalSet(Grid.FLOAT64, ())
    return _looked_up(_monotone(steps[:position]), first, lambda code: _holds(encoded, values, rest.value(code)))


def _looked_up(steps: tuple[Monotone, ...], lookup: Lookup, wanted: Callable[[TableCell], bool]) -> IntervalSet:
    """Return the numbers whose code, of what *steps* make of them, is *wanted*."""
    found, known = IntervalSet(Grid.FLOAT64, ()), IntervalSet(Grid.FLOAT64, ())
    for cell, code in lookup.codes.items():
        if isinstance(cell, (str, bool)) or cell is MISSING:
            continue
        these = _between(steps, Float64(), _around(float(cell)))
        known = known.union(these)
        if wanted(code):
            found = found.union(these)
    if lookup.otherwise is not None and wanted(lookup.otherwise):
        found = found.union(known.complement())
    return found


def _monotone(steps: Sequence[Step]) -> tuple[Monotone, ...]:
    return tuple([step for step in steps if isinstance(step, Monotone)])


def _between(steps: tuple[Monotone, ...], domain: Float32 | Float64, cuts: Sequence[Cut]) -> IntervalSet:
    """Return the numbers that *steps*, rounded to *domain*, send between the pairs of *cuts*."""
    ends = [_end(steps, domain, cut) for cut in cuts]
    pairs = list(zip(ends[::2], ends[1::2], strict=True))
    return set_of_spans(Grid.FLOAT64, [(high, low) for low, high in pairs] if _decreasing(steps) else pairs)


def _decreasing(steps: Sequence[Monotone]) -> bool:
    return sum(step.decreasing for step in steps) % 2 == 1


@functools.lru_cache(maxsize=100_000)
def _end(steps: tuple[Monotone, ...], domain: Float32 | Float64, cut: Cut) -> Cut:
    """Return the cut that parts the numbers which *steps* send behind *cut* from all others; both sides of a test ask it."""
    turned = _decreasing(steps)
    if cut.infinite:
        return TOP if (cut.infinite > 0) is not turned else BOTTOM

    def changed(number: float) -> bool:
        for step in steps:
            number = step.of_number(number)
        return _from(cut, _place(domain, number)) is not turned

    return _cut(first_rank(changed))


def _cut(rank: int) -> Cut:
    """Return the cut before the number of *rank*."""
    if rank > LAST:
        return TOP
    return BOTTOM if rank <= -LAST else Grid.FLOAT64.float_cut(number_of_rank(rank), 0)
