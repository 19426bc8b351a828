"""Points as rows of numbers, and a classifier as a function of such rows: what most explainers of tables take.

A Boolean value is 0 or 1, a category its position in the domain, a number itself.  Rows are exact both ways: what an
explainer is shown is the point, and what it answers is a point of the feature space or none.
"""

from __future__ import annotations

import math
import os
import random
from collections.abc import Iterable, Sequence
from fractions import Fraction

from xpgcheck.errors import InstanceError
from xpgcheck.model.boxes import cell_index
from xpgcheck.model.classifier import Classifier
from xpgcheck.model.domains import Boolean, Categorical, Domain, Integer, read_value
from xpgcheck.model.value_sets import FiniteSet, Interval, IntervalSet, ValueSet, interval_set
from xpgcheck.model.values import MISSING, Point, Value
from xpgcheck.readers.instances import read_instances

_MEND = "give rows of values of the features' domains"

NO_CLASS = -1
"""The class of a row that is not in feature space."""

ROWS_FILE = "XPGCHECK_ROWS"
"""The environment variable that names a CSV file with the rows of the models that are asked about."""

DRAWN = 1_000
"""Rows that are drawn from the domains where no table is given."""

MAX_KNOWN = 1_000_000
"""Combinations of cells whose classes are kept."""


class NumberRows:
    """The points of *classifier* as rows of numbers."""

    def __init__(self, classifier: Classifier) -> None:
        self.classifier = classifier
        self._domains = [feature.domain for feature in classifier.features]
        self._read: list[dict[float, tuple[Value, int] | None]] = [{} for _ in self._domains]
        self._classes: dict[tuple[int, ...], int] = {}

    @property
    def categories(self) -> dict[int, tuple[str, ...]]:
        """The names of the values of each Boolean or categorical feature, by the number that stands for each."""
        return {i: names for i, domain in enumerate(self._domains) if (names := _names(domain)) is not None}

    def row(self, point: Point) -> list[float]:
        """Return *point* as a row.

        Raises ``NotImplementedError`` where a value is missing or a number that is not a binary64 number.
        """
        return [_number(domain, value) for domain, value in zip(self._domains, point, strict=True)]

    def point(self, row: Iterable[float]) -> Point:
        """Return the point that *row* is: numbers are read as the domain does, those of integers rounded first.

        Raises ``InstanceError`` where a number is not a value of its feature.
        """
        found = []
        for feature, number in zip(range(len(self._domains)), row, strict=True):
            read = self._value(feature, float(number))
            if read is None:
                name = self.classifier.features[feature].name
                raise InstanceError(f"{number} is not a value of its domain", place=f"feature {name!r}", mend=_MEND)
            found.append(read[0])
        return tuple(found)

    def classes(self, rows: Iterable[Iterable[float]]) -> list[int]:
        """Return κ of each row, an index of a class; ``NO_CLASS`` of a row that is no point.

        κ is asked once for each combination of cells.
        """
        return [self._class_of([self._value(i, float(x)) for i, x in enumerate(row)]) for row in rows]

    def _class_of(self, read: Sequence[tuple[Value, int] | None]) -> int:
        values = [each for each in read if each is not None]
        if len(values) < len(self._domains):
            return NO_CLASS
        key = tuple([cell for _, cell in values])
        found = self._classes.get(key)
        if found is None:
            if len(self._classes) >= MAX_KNOWN:
                self._classes.clear()
            found = self._classes[key] = self.classifier.kappa(tuple([value for value, _ in values]))
        return found

    def _value(self, feature: int, number: float) -> tuple[Value, int] | None:
        """Return the value that *number* is, and its cell; None where it is none."""
        known = self._read[feature]
        if number not in known:
            if len(known) >= MAX_KNOWN:
                known.clear()
            value = _value(self._domains[feature], number)
            known[number] = None if value is None else (value, cell_index(self.classifier.cells[feature], value))
        return known[number]

    def between(
        self,
        feature: int,
        low: float | Fraction | None = None,
        high: float | Fraction | None = None,
        *,
        low_open: bool = True,
        high_open: bool = False,
    ) -> ValueSet:
        """Return the values of *feature* from *low* to *high*, as rules have them: ``low < x <= high``; None is no end.

        Of a Boolean or categorical feature they are those whose numbers lie there.
        """
        ends = [None if end is None or math.isinf(end) else Fraction(end) for end in (low, high)]
        interval = Interval(ends[0], low_open, ends[1], high_open)
        domain = self._domains[feature]
        names = _names(domain)
        if names is not None:
            return self.one_of(feature, [k for k in range(len(names)) if _lies_in(k, interval)])
        whole = domain.all_values()
        assert isinstance(whole, IntervalSet)
        return whole.intersection(interval_set(whole.grid, [interval]))

    def one_of(self, feature: int, numbers: Iterable[float]) -> ValueSet:
        """Return the values of a Boolean or categorical *feature* that *numbers* stand for."""
        domain = self._domains[feature]
        values = [_value(domain, float(number)) for number in numbers]
        return FiniteSet(frozenset(value for value in values if value is not None))

    def drawn(self, count: int = DRAWN, seed: int = 0) -> list[Point]:
        """Return *count* points: for each feature one value of a cell that is drawn, each cell as likely as another.

        Of a feature without a value that is a number (:meth:`row`) raises ``NotImplementedError``.
        """
        dice = random.Random(seed)
        choices = [[values for cell in cells if (values := _floats_in(cell))] for cells in self.classifier.cells]
        for feature, found in zip(self.classifier.features, choices, strict=True):
            if not found:
                raise NotImplementedError(f"no value of {feature.name!r} is a binary64 number")
        return [tuple([dice.choice(dice.choice(cells)) for cells in choices]) for _ in range(count)]

    def table(self, rows: Sequence[Point] | None = None) -> list[Point]:
        """Return *rows*, else those of the file that ``XPGCHECK_ROWS`` names, else :meth:`drawn` ones.

        Raises ``InputError`` where the file is not a table of these features.
        """
        if rows is not None:
            return list(rows)
        file = os.environ.get(ROWS_FILE)
        return list(read_instances(file, self.classifier.features)) if file else self.drawn()


def _names(domain: Domain) -> tuple[str, ...] | None:
    if isinstance(domain, Boolean):
        return ("0", "1")
    return domain.values if isinstance(domain, Categorical) else None


def _lies_in(number: int, interval: Interval) -> bool:
    low, low_open, high, high_open = interval
    above = low is None or number > low or (number == low and not low_open)
    return above and (high is None or number < high or (number == high and not high_open))


def _number(domain: Domain, value: Value) -> float:
    if isinstance(domain, Categorical):
        return float(domain.values.index(str(value)))
    if value is MISSING or isinstance(value, str):
        raise NotImplementedError("a missing value")
    number = _nearest(Fraction(value))
    if number is None or Fraction(number) != value:
        raise NotImplementedError(f"the number {value} is no binary64 number")
    return number


def _value(domain: Domain, number: float) -> Value | None:
    """Return the value of *domain* that *number* stands for, None where there is none."""
    if not math.isfinite(number):
        return None
    names = _names(domain)
    if names is not None:
        position = round(number)
        if position != number or not 0 <= position < len(names):
            return None
        return bool(position) if isinstance(domain, Boolean) else names[position]
    try:
        return read_value(domain, round(number) if isinstance(domain, Integer) else number)
    except InstanceError:
        return None


def _nearest(number: Fraction) -> float | None:
    try:
        return float(number)
    except OverflowError:
        return None


def _floats_in(cell: ValueSet) -> list[Value]:
    """Return values of *cell* that are binary64 numbers, at most one, or all of a feature without an order."""
    if isinstance(cell, FiniteSet):
        return sorted(cell.values, key=str)
    value = cell.representative() if cell.cuts else MISSING
    near = _nearest(Fraction(value)) if isinstance(value, int | Fraction) else None
    if near is None:
        return []
    for number in (near, math.nextafter(near, -math.inf), math.nextafter(near, math.inf)):
        exact = Fraction(number)
        if exact in cell:
            return [int(exact) if isinstance(value, int) else exact]
    return []
