"""Sets of values of a domain as sets of another one, whose values are read as values of the first.

A table has ages 17, 18, …, and the model compares float32 numbers: an age is read as the float32 nearest to the float64
nearest to it.  The ages that pass a test are those whose reading passes it.  Reading keeps the order, so the ages of an
interval are an interval; its ends are the midpoints at which rounding changes, and are exact.
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction

from xpgcheck.errors import DomainError, InputError, shown
from xpgcheck.model.domains import Boolean, Categorical, Domain, Feature, Integer, Real, read_value
from xpgcheck.model.ieee754 import BINARY64
from xpgcheck.model.value_sets import BOTTOM, TOP, Cut, FiniteSet, Grid, IntervalSet, ValueSet, set_of_spans
from xpgcheck.model.values import MISSING, Missing, Value

_FLOATS = (Grid.FLOAT32, Grid.FLOAT64)


class RestatedDomain:
    """A feature whose values are stated to be those of another domain."""

    def __init__(self, feature: Feature, domain: Domain) -> None:
        """Take *domain* in place of the feature's own.  Raises ``DomainError`` where a value of it cannot be read as one."""
        self._own = feature.domain
        self._domain = domain
        self.feature = dataclasses.replace(feature, domain=domain)
        self._read: dict[Value, Value] = {}
        try:
            self._check()
        except InputError as error:
            mend = "state a domain whose values the model takes, or leave the column out"
            problem = f"the model reads {self._own}, and {domain} is stated: {error.problem}"
            raise DomainError(problem, place=f"feature {shown(feature.name)}", mend=mend) from None

    def _check(self) -> None:
        if isinstance(self._domain, (Boolean, Categorical)):
            for value, raw in _raw_values(self._domain):
                self._read[value] = read_value(self._own, raw)
            return
        if isinstance(self._own, (Boolean, Categorical)):
            raise DomainError("numbers are no categories", mend="")
        if getattr(self._domain, "missing", False) and not getattr(self._own, "missing", False):
            raise DomainError("it takes no missing value", mend="")
        if isinstance(self._own, Integer) and not isinstance(self._domain, Integer):
            raise DomainError("it takes whole numbers alone", mend="")
        if isinstance(self._domain, (Integer, Real)):
            for end in (self._domain.low, self._domain.high):
                if end is not None and not (isinstance(self._own, Real) and Fraction(end) in self._closed()):
                    read_value(self._own, end)
        whole = self._domain.all_values()
        # The bounds of the model's own domain have to bound the stated one.
        if (
            isinstance(self._own, (Integer, Real))
            and not whole.difference(self._mapped(self._own.all_values())).is_empty()
        ):
            raise DomainError("some of its values are outside", mend="")

    def _closed(self) -> IntervalSet:
        """Return the model's own reals with their ends: an open end of what is stated may be there."""
        assert isinstance(self._own, Real)
        return Real(self._own.low, self._own.high).all_values()

    def values(self, own: ValueSet) -> ValueSet:
        """Return the values of the stated domain that are read as one of *own*.  Linear in its pieces."""
        if isinstance(self._domain, (Boolean, Categorical)):
            return FiniteSet(frozenset(value for value, read in self._read.items() if read in own))
        return self._mapped(own).intersection(self._domain.all_values())

    def _mapped(self, own: ValueSet) -> IntervalSet:
        assert isinstance(own, IntervalSet)
        whole = self._domain.all_values()
        assert isinstance(whole, IntervalSet)
        cuts = [mapped_cut(cut, own.grid, whole.grid) for cut in own.cuts]
        return set_of_spans(whole.grid, list(zip(cuts[::2], cuts[1::2], strict=True)), own.missing and whole.missing)


def mapped_cut(cut: Cut, own: Grid, stated: Grid) -> Cut:
    """Return the cut before the first number of the grid *stated* that is read as one behind *cut*, of the grid *own*.

    A number is read as the float64 nearest to it, ties to even, and then as the float32 nearest to that, where *own* has
    these numbers; as it is where *own* has it.
    """
    if cut in (BOTTOM, TOP) or own is stated:
        return cut
    if own not in _FLOATS:
        return stated.cut(Fraction(cut.value), cut.after)
    number = own.binary.from_rank(int(cut.value))
    if stated is Grid.FLOAT32:
        return stated.cut(number, 0)
    if own is Grid.FLOAT32:
        middle = (own.binary.from_rank(int(cut.value) - 1) + number) / 2
        rounded = own.binary.nearest(float(middle))
        is_read_up = rounded is not None and rounded >= number
        above = BINARY64.above(middle)
        assert above is not None
        number = middle if is_read_up else above
    if stated is Grid.FLOAT64:
        return stated.cut(number, 0)
    below = BINARY64.below(number)
    assert below is not None
    middle = (below + number) / 2
    # The quotient of integers is rounded once, ties to even.
    return stated.cut(middle, 0 if Fraction(middle.numerator / middle.denominator) >= number else 1)


def _raw_values(domain: Boolean | Categorical) -> list[tuple[Value, object]]:
    """Return the values of *domain*, each with what a table has for it."""
    if isinstance(domain, Boolean):
        return [(False, 0), (True, 1)]
    cells: tuple[object, ...] = domain.cells or domain.values
    return [
        (value, MISSING if isinstance(cell, Missing) else cell)
        for value, cell in zip(domain.values, cells, strict=True)
    ]
