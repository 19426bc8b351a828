"""Wrong explainers: values, domains and literals."""

from __future__ import annotations

import math
import struct
from fractions import Fraction
from typing import Any

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean, Categorical, Domain, Integer
from xpgcheck.model.value_sets import FiniteSet, Grid, Interval, IntervalSet, ValueSet, number_text
from xpgcheck.model.values import MISSING, Point, Value
from xpgcheck.properties.seeded.bugs import explainer
from xpgcheck.properties.seeded.textbook import Textbook, Xpg


@explainer
class _OpenEndsClosed(Textbook):
    """Ends are compared by ≤ where < is meant: a value on an open end is in both literals."""

    def is_above(self, number: Any, low: Fraction, is_open: bool) -> bool:
        return bool(number >= low)

    def is_below(self, number: Any, high: Fraction, is_open: bool) -> bool:
        return bool(number <= high)


@explainer
class _ClosedEndsOpen(Textbook):
    """Upper ends are compared by < where ≤ is meant: a value on a closed end is in neither literal."""

    def is_below(self, number: Any, high: Fraction, is_open: bool) -> bool:
        return bool(number < high)


@explainer
class _LowerEndsSwapped(Textbook):
    """Lower ends are taken as open where they are closed, and as closed where they are open."""

    def is_above(self, number: Any, low: Fraction, is_open: bool) -> bool:
        return bool(number >= low if is_open else number > low)


@explainer
class _ThresholdsAsFloats(Textbook):
    """Numbers and thresholds are rounded to binary32 before they are compared."""

    def number(self, value: Value) -> Any:
        return _binary32(value)

    def is_above(self, number: Any, low: Fraction, is_open: bool) -> bool:
        return super().is_above(number, _binary32(low), is_open)

    def is_below(self, number: Any, high: Fraction, is_open: bool) -> bool:
        return super().is_below(number, _binary32(high), is_open)


def _binary32(value: Any) -> Fraction:
    # What does not fit is out of the way of every threshold, and stays as it is.
    if abs(value) > 1e38:
        return Fraction(value)
    return Fraction(struct.unpack("f", struct.pack("f", float(value)))[0])


@explainer
class _ThresholdsCutToWholeNumbers(Textbook):
    """The decimals of thresholds are cut off."""

    def is_above(self, number: Any, low: Fraction, is_open: bool) -> bool:
        return super().is_above(number, Fraction(math.trunc(low)), is_open)

    def is_below(self, number: Any, high: Fraction, is_open: bool) -> bool:
        return super().is_below(number, Fraction(math.trunc(high)), is_open)


@explainer
class _NumbersWithoutSign(Textbook):
    """The sign of a value is lost."""

    def number(self, value: Value) -> Any:
        return abs(value) if isinstance(value, (int, Fraction)) else value


@explainer
class _NumbersAsText(Textbook):
    """Numbers are compared as text: -1 comes before -2."""

    def number(self, value: Value) -> Any:
        return number_text(value) if isinstance(value, (int, Fraction)) else value

    def is_above(self, number: Any, low: Fraction, is_open: bool) -> bool:
        text = number_text(low)
        return bool(number > text if is_open else number >= text)

    def is_below(self, number: Any, high: Fraction, is_open: bool) -> bool:
        text = number_text(high)
        return bool(number < text if is_open else number <= text)


@explainer
class _ZeroIsNoBound(Textbook):
    """An end at 0 is taken for no end at all, as both are false."""

    def is_between(self, number: Any, interval: Interval) -> bool:
        low, low_open, high, high_open = interval
        return super().is_between(number, Interval(low or None, low_open, high or None, high_open))


@explainer
class _NoBoundIsZero(Textbook):
    """An infinite end is read as 0."""

    def is_between(self, number: Any, interval: Interval) -> bool:
        low, low_open, high, high_open = interval
        return super().is_between(number, Interval(low or Fraction(0), low_open, high or Fraction(0), high_open))


@explainer
class _IntegersEndEarly(Textbook):
    """The highest integer of a bounded literal is left out, as a range of Python does."""

    def intervals(self, literal: IntervalSet) -> tuple[Interval, ...]:
        spans = super().intervals(literal)
        return tuple(span._replace(high_open=True) for span in spans) if literal.grid is Grid.INTEGERS else spans


@explainer
class _LastIntervalOfALiteral(Textbook):
    """Only the last interval of a literal that is several (parallel edges) is kept."""

    def intervals(self, literal: IntervalSet) -> tuple[Interval, ...]:
        return super().intervals(literal)[-1:]


@explainer
class _HullOfALiteral(Textbook):
    """A literal that is several intervals is taken to run from its lowest to its highest end."""

    def intervals(self, literal: IntervalSet) -> tuple[Interval, ...]:
        spans = super().intervals(literal)
        return (Interval(*spans[0][:2], *spans[-1][2:]),) if spans else ()


@explainer
class _MissingIsZero(Textbook):
    """The missing value is compared as the number 0."""

    def takes_missing(self, literal: IntervalSet) -> bool:
        return any(self.is_between(Fraction(0), interval) for interval in self.intervals(literal))


@explainer
class _MissingGoesEverywhere(Textbook):
    """The missing value is in every literal."""

    def takes_missing(self, literal: IntervalSet) -> bool:
        return True


@explainer
class _MissingGoesNowhere(Textbook):
    """The missing value is in no literal."""

    def takes_missing(self, literal: IntervalSet) -> bool:
        return False


@explainer
class _LastCategoryUnknown(Textbook):
    """The last category of a domain is in no literal."""

    def is_listed(self, domain: Domain, value: Value, literal: FiniteSet) -> bool:
        known = domain.values[:-1] if isinstance(domain, Categorical) and len(domain.values) > 1 else (value,)
        return value in known and value in literal.values


@explainer
class _OneCategoryOfALiteral(Textbook):
    """Only the first of the categories that a literal lists counts (one-hot columns taken as tests of one value)."""

    def is_listed(self, domain: Domain, value: Value, literal: FiniteSet) -> bool:
        return value == literal.representative() if isinstance(domain, Categorical) else value in literal.values


@explainer
class _FalseAsText(Textbook):
    """Booleans are read from text, of which 'False' is as true as 'True'."""

    def is_listed(self, domain: Domain, value: Value, literal: FiniteSet) -> bool:
        return (bool(str(value)) if isinstance(domain, Boolean) else value) in literal.values


@explainer
class _NoOneValueDomain(Textbook):
    """Ends in a division by zero where a domain has one value."""

    def mapped(self, graph: DecisionGraph, instance: Point) -> Xpg:
        for feature in graph.features:
            1 // (_sizes(feature.domain) - 1)
        return super().mapped(graph, instance)


def _sizes(domain: Domain) -> int:
    if isinstance(domain, Categorical):
        return len(domain.values)
    if isinstance(domain, Integer) and domain.low is not None and domain.high is not None:
        return domain.high - domain.low + 1
    return 2


@explainer
class _IntegersShifted(Textbook):
    """Integers are compared by their place in a bounded domain, not by their value."""

    def holds(self, domain: Domain, value: Value, literal: ValueSet) -> bool:
        if isinstance(domain, Integer) and domain.low is not None and isinstance(value, int):
            value -= domain.low
        return super().holds(domain, value, literal)


@explainer
class _MissingCrashes(Textbook):
    """Ends in an error where a value is missing."""

    def takes_missing(self, literal: IntervalSet) -> bool:
        raise TypeError(f"'<' not supported between instances of '{type(MISSING).__name__}' and 'Fraction'")
