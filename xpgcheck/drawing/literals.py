"""Literals as short texts for edges: ``≤ 2.45``, ``= own``, ``∈ {a, b, +3}``; the full text is the edge's tooltip."""

from __future__ import annotations

from fractions import Fraction

from xpgcheck.drawing.text import fitted
from xpgcheck.explanations.texts import printable
from xpgcheck.model.decision_graph import DecisionGraph, Literal
from xpgcheck.model.domains import Categorical, Domain
from xpgcheck.model.value_sets import FiniteSet, Interval, IntervalSet, number_text

MAX_WIDTH = 150.0
"""The widest label of an edge."""

LABEL_SIZE = 11.5

FEWEST_DIGITS = 4


def short_literals(graph: DecisionGraph) -> tuple[str, ...]:
    """Return a short text of each of *graph*'s literals.

    Numbers are rounded to the fewest digits (four or more) that still tell all bounds of their feature apart.
    """
    digits = [_digits(graph, feature) for feature in range(len(graph.features))]
    return tuple(
        fitted(printable(_short(graph.features[li.feature].domain, li, digits[li.feature])), LABEL_SIZE, MAX_WIDTH)
        for li in graph.literals
    )


def rounds(graph: DecisionGraph) -> bool:
    """Tell whether any number is not shown in full."""
    digits = [_digits(graph, feature) for feature in range(len(graph.features))]
    return any(
        _number(bound, digits[feature]) != number_text(bound)
        for feature in range(len(graph.features))
        for bound in _bounds(graph, feature)
    )


def _bounds(graph: DecisionGraph, feature: int) -> list[Fraction]:
    """Return the distinct numbers in the literals of *feature*; its cells hold them all."""
    found = {
        bound
        for cell in graph.cells[feature]
        if isinstance(cell, IntervalSet)
        for span in cell.intervals()
        for bound in (span.low, span.high)
        if bound is not None
    }
    return sorted(found)


def _digits(graph: DecisionGraph, feature: int) -> int:
    bounds = {bound for bound in _bounds(graph, feature)}
    for digits in range(FEWEST_DIGITS, 17):
        if len({_number(bound, digits) for bound in bounds}) == len(bounds):
            return digits
    return 17


def _number(number: Fraction, digits: int) -> str:
    exact = number_text(number)
    if len(exact.lstrip("-").replace(".", "")) <= digits:
        return exact
    try:
        text = f"{float(number):.{digits}g}"
    except OverflowError:
        return f"{exact[:digits]}…"
    # A whole number keeps all of its digits as long as that is no longer than an exponent.
    return exact if number.denominator == 1 and len(exact) <= len(text) + 2 else text


def _short(domain: Domain, literal: Literal, digits: int) -> str:
    values = literal.values
    if isinstance(values, FiniteSet):
        listed = (
            [value for value in domain.values if value in values]
            if isinstance(domain, Categorical)
            else [str(int(value)) for value in (False, True) if value in values]
        )
        return f"= {listed[0]}" if len(listed) == 1 else _set(listed)
    parts = [_interval(interval, digits) for interval in values.intervals()]
    if values.missing:
        parts.append("missing")
    return " or ".join(parts)


def _set(listed: list[str]) -> str:
    shown = listed[:3] if len(listed) > 4 else listed
    rest = [f"+{len(listed) - len(shown)}"] if len(shown) < len(listed) else []
    return f"∈ {{{', '.join([*(value[:20] for value in shown), *rest])}}}"


def _interval(interval: Interval, digits: int) -> str:
    low, high = interval.low, interval.high
    if low is None and high is None:
        return "any number"
    if low is None and high is not None:
        return f"{'<' if interval.high_open else '≤'} {_number(high, digits)}"
    if high is None and low is not None:
        return f"{'>' if interval.low_open else '≥'} {_number(low, digits)}"
    assert low is not None
    assert high is not None
    if low == high:
        return f"= {_number(low, digits)}"
    left, right = "(" if interval.low_open else "[", ")" if interval.high_open else "]"
    return f"{left}{_number(low, digits)}, {_number(high, digits)}{right}"
