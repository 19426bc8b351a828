"""Features and literals as SMT terms over the original domains.

=============  =========================================================================
domain         variable
=============  =========================================================================
Boolean        a Boolean
Categorical    an Int, the position of the category, from 0 to k−1
Integer        an Int with the domain's bounds
Real           a Real with the domain's bounds, open or closed
Float32        an Int, the number's rank among the finite numbers of that width; where
Float64        values can be missing, also a Boolean that says so
=============  =========================================================================

Literals are built from ``x ≤ c`` and ``x < c`` alone, so that neighbouring literals share their atoms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from xpgcheck.model.domains import Boolean, Categorical, Domain, Float32, Float64, Integer, Real, has_missing
from xpgcheck.model.value_sets import FiniteSet, Interval, ValueSet
from xpgcheck.model.values import MISSING, Value
from xpgcheck.oracles.float_ranks import ranks_of

Term = Any
Reading = bool | int | Fraction
"""The value of a variable in a solver's answer."""


class FeatureVariable:
    """The SMT variables of one feature.

    ``symbols`` are the variables, ``bounds`` what must hold of them for the feature to be in its domain.
    """

    def __init__(self, formulas: Any, index: int, domain: Domain) -> None:
        from pysmt import typing as types

        self.domain = domain
        self._formulas = formulas
        self._missing: Term | None = None
        kinds = {Boolean: types.BOOL, Real: types.REAL}
        self._main: Term = formulas.Symbol(f"x{index}", kinds.get(type(domain), types.INT))
        self.symbols: tuple[Term, ...] = (self._main,)
        if has_missing(domain):
            self._missing = formulas.Symbol(f"m{index}", types.BOOL)
            self.symbols = (self._main, self._missing)
        self._positions = {v: k for k, v in enumerate(domain.values)} if isinstance(domain, Categorical) else {}
        self.bounds: tuple[Term, ...] = tuple(self._bounds())

    def holds(self, values: ValueSet) -> Term:
        """Return the literal ``x ∈ values``."""
        if isinstance(self.domain, Boolean):
            return self._either([v for v in (False, True) if v in values], self.equals)
        if isinstance(values, FiniteSet):
            runs = _runs(sorted(self._positions[str(v)] for v in values.values))
            return self._either(runs, lambda run: self._run(*run))
        numbers = self._either(values.intervals(), self._inside)
        if self._missing is None:
            return numbers
        if values.missing:
            return self._formulas.Or(self._missing, numbers)
        return self._formulas.And(self._formulas.Not(self._missing), numbers)

    def equals(self, value: Value) -> Term:
        """Return ``x = value``."""
        return self._formulas.And([self._is(self.symbols[k], reading) for k, reading in self.pins(value)])

    def pins(self, value: Value) -> list[tuple[int, Reading]]:
        """Return which of ``symbols`` (by position) has to be what for the feature to be *value*."""
        if isinstance(self.domain, Boolean):
            return [(0, bool(value))]
        if value is MISSING:
            return [(1, True)]
        main: tuple[int, Reading] = 0, self._code(value)
        return [main] if self._missing is None else [(1, False), main]

    def _is(self, symbol: Term, reading: Reading) -> Term:
        if isinstance(reading, bool):
            return symbol if reading else self._formulas.Not(symbol)
        return self._formulas.Equals(symbol, self._constant(reading))

    def value(self, readings: list[Reading]) -> Value:
        """Return the value of the feature where its ``symbols`` have the values *readings*."""
        reading = readings[0]
        if isinstance(self.domain, Boolean):
            return bool(reading)
        if isinstance(self.domain, Categorical):
            return self.domain.values[int(reading)]
        if self._missing is not None and readings[1]:
            return MISSING
        if isinstance(self.domain, Integer):
            return int(reading)
        if isinstance(self.domain, Real):
            return Fraction(reading)
        return ranks_of(self.domain).number_at(int(reading))

    def _code(self, value: Any) -> int | Fraction:
        """Return the number that stands for *value* in the solver."""
        if isinstance(self.domain, Categorical):
            return self._positions[value]
        if isinstance(self.domain, (Float32, Float64)):
            return ranks_of(self.domain).rank_of(value)
        return Fraction(value) if isinstance(self.domain, Real) else int(value)

    def _bounds(self) -> Iterator[Term]:
        """The domain as constraints."""
        domain = self.domain
        if isinstance(domain, Categorical):
            yield self._between(0, len(domain.values) - 1)
        elif isinstance(domain, (Float32, Float64)):
            last = ranks_of(domain).last
            yield self._between(-last, last)
        elif isinstance(domain, Integer):
            yield self._inside(Interval(_exact(domain.low), False, _exact(domain.high), False))
        elif isinstance(domain, Real):
            yield self._inside(Interval(domain.low, domain.low_open, domain.high, domain.high_open))

    def _inside(self, interval: Interval) -> Term:
        """The ends of an interval are exact; on a discrete grid finite ones are closed and on the grid."""
        parts = []
        if interval.low is not None:
            low = self._code(interval.low)
            parts.append(self._above(low) if interval.low_open else self._at_least(low))
        if interval.high is not None:
            high = self._code(interval.high)
            parts.append(self._below(high) if interval.high_open else self._at_most(high))
        return self._formulas.And(parts)

    def _run(self, first: int, last: int) -> Term:
        """Positions *first* to *last* of a categorical domain, whose own bounds are not repeated."""
        parts = [self._at_least(first)] if first > 0 else []
        if last < len(self._positions) - 1:
            parts.append(self._at_most(last))
        return self._formulas.And(parts)

    def _between(self, first: int, last: int) -> Term:
        return self._formulas.And(self._at_least(first), self._at_most(last))

    def _at_most(self, number: int | Fraction) -> Term:
        return self._formulas.LE(self._main, self._constant(number))

    def _at_least(self, number: int | Fraction) -> Term:
        if isinstance(self.domain, Real):
            return self._formulas.LE(self._constant(number), self._main)
        # Over the integers, x ≥ n is ¬(x ≤ n − 1): the same atom as in the literal before it.
        return self._formulas.Not(self._at_most(number - 1))

    def _above(self, number: int | Fraction) -> Term:
        return self._formulas.Not(self._at_most(number))

    def _below(self, number: int | Fraction) -> Term:
        return self._formulas.Not(self._at_least(number))

    def _constant(self, number: int | Fraction) -> Term:
        if isinstance(self.domain, Real):
            return self._formulas.Real(Fraction(number))
        return self._formulas.Int(int(number))

    def _either(self, items: Any, term: Callable[[Any], Term]) -> Term:
        return self._formulas.Or([term(item) for item in items])


def _exact(number: int | None) -> Fraction | None:
    return None if number is None else Fraction(number)


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Return the maximal runs of consecutive integers in the sorted *numbers*."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs
