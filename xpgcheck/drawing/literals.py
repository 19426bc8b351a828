"""Literals as short texts for edges: ``≤ 2.45``, ``= own``, ``∈ {a, b, +3}``; the full text is the edge's tooltip."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from xpgcheck.drawing.text import fitted
from xpgcheck.errors import printable
from xpgcheck.model.decision_graph import DecisionGraph, Literal
from xpgcheck.model.domains import Categorical, Domain
from xpgcheck.model.ieee754 import BinaryFormat
from xpgcheck.model.value_sets import FiniteSet, Grid, Interval, IntervalSet, number_text

MAX_WIDTH = 150.0
"""The widest label of an edge."""

LABEL_SIZE = 11.5

FEWEST_DIGITS, MOST_DIGITS = 5, 17


def short_literals(graph: DecisionGraph, wanted: Iterable[int]) -> tuple[dict[int, str], bool]:
    """Return a short text of each of the *wanted* literals (indices), and whether any number in them is rounded.

    Between two neighbours of a float32 or float64 domain, the shortest number says the same as the exact bound.  Others
    are rounded to the fewest digits (five or more) that still tell all bounds of their feature apart.
    """
    spans = {index: _spans(graph.literals[index]) for index in sorted(set(wanted))}
    bounds: dict[int, set[Fraction]] = {}
    for index, intervals in spans.items():
        ends = [end for span in intervals for end in (span.low, span.high) if end is not None]
        bounds.setdefault(graph.literals[index].feature, set()).update(ends)
    digits = {feature: _digits(numbers) for feature, numbers in bounds.items()}
    texts = {}
    for index, intervals in spans.items():
        literal = graph.literals[index]
        text = _short(graph.features[literal.feature].domain, literal, intervals, digits[literal.feature])
        texts[index] = fitted(printable(text), LABEL_SIZE, MAX_WIDTH)
    rounded = any(_is_rounded(end, digits[feature]) for feature, numbers in bounds.items() for end in numbers)
    return texts, rounded


def _spans(literal: Literal) -> list[Interval]:
    values = literal.values
    if not isinstance(values, IntervalSet):
        return []
    if values.grid not in (Grid.FLOAT32, Grid.FLOAT64):
        return list(values.intervals())
    return [_loosened(values.grid.binary, span) for span in values.intervals()]


def _loosened(binary: BinaryFormat, span: Interval) -> Interval:
    """Return an interval with the same numbers of the format whose ends are short: ``> 0.5``, not its successor."""
    if span.low == span.high and span.low is not None:
        return span
    low, low_open, high, high_open = span
    if low is not None and (under := binary.below(low)) is not None:
        end = _shortest(under, low)
        low_open, low = end < low, end
    if high is not None and (over := binary.above(high)) is not None:
        end = _shortest(high, over)
        high_open, high = end == over, end
    return Interval(low, low_open, high, high_open)


def _shortest(low: Fraction, high: Fraction) -> Fraction:
    """Return a number from *low* to *high* with as few digits as any."""
    for digits in range(1, MOST_DIGITS + 1):
        for end in (low, high):
            number = Fraction(f"{float(end):.{digits}g}")
            if low <= number <= high:
                return number
    return low


def _digits(numbers: set[Fraction]) -> int:
    for digits in range(FEWEST_DIGITS, MOST_DIGITS):
        if len({_number(number, digits) for number in numbers}) == len(numbers):
            return digits
    return MOST_DIGITS


def _number(number: Fraction, digits: int) -> str:
    exact = number_text(number)
    if len(exact.lstrip("-0.").replace(".", "")) <= digits and len(exact) <= digits + 4:
        return exact
    try:
        text = f"{float(number):.{digits}g}"
    except OverflowError:
        return f"{exact[:digits]}…"
    # A whole number keeps all of its digits as long as that is not much longer.
    return exact if number.denominator == 1 and len(exact) <= len(text) + 2 else text


def _is_rounded(number: Fraction, digits: int) -> bool:
    text = _number(number, digits)
    return text.endswith("…") or Fraction(text) != number


def _short(domain: Domain, literal: Literal, spans: list[Interval], digits: int) -> str:
    values = literal.values
    if isinstance(values, FiniteSet):
        listed = (
            [value for value in domain.values if value in values]
            if isinstance(domain, Categorical)
            else [str(int(value)) for value in (False, True) if value in values]
        )
        return f"= {listed[0]}" if len(listed) == 1 else _set(listed)
    parts = [_interval(span, digits) for span in spans]
    if values.missing:
        parts.append("missing")
    return " or ".join(parts)


def _set(listed: list[str]) -> str:
    shown = listed[:3] if len(listed) > 4 else listed
    rest = [f"+{len(listed) - len(shown)}"] if len(shown) < len(listed) else []
    return f"∈ {{{', '.join([*shown, *rest])}}}"


def _interval(span: Interval, digits: int) -> str:
    low, high = span.low, span.high
    if low is not None and low == high:
        return f"= {_number(low, digits)}"
    if low is not None and high is not None:
        left, right = "(" if span.low_open else "[", ")" if span.high_open else "]"
        return f"{left}{_number(low, digits)}, {_number(high, digits)}{right}"
    if high is not None:
        return f"{'<' if span.high_open else '≤'} {_number(high, digits)}"
    if low is not None:
        return f"{'>' if span.low_open else '≥'} {_number(low, digits)}"
    return "any number"
