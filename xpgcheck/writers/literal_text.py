"""Literals in words, the same in every format that people read: ``age < 25``, ``housing = own``, ``x in {a, b}``."""

from __future__ import annotations

from xpgcheck.model.domains import Boolean, Categorical, Domain
from xpgcheck.model.value_sets import FiniteSet, Interval, ValueSet, number_text


def literal_text(name: str, domain: Domain, values: ValueSet) -> str:
    """Return the literal ``name ∈ values`` as plain text; numbers are exact, categories in the order of the domain."""
    return f"{name} {condition_text(domain, values)}"


def condition_text(domain: Domain, values: ValueSet) -> str:
    """Return what a literal says of its feature, without the feature's name."""
    if isinstance(values, FiniteSet):
        listed = _listed(domain, values)
        return f"= {listed[0]}" if len(listed) == 1 else f"in {{{', '.join(listed)}}}"
    parts = [_interval(interval) for interval in values.intervals()]
    if values.missing:
        parts.append("is missing")
    if not parts:
        return "in {}"
    if values.cuts and len(values.cuts) > 2:
        intervals = " or ".join(str(interval) for interval in values.intervals())
        parts = [f"in {intervals}", *(["is missing"] if values.missing else [])]
    return " or ".join(parts)


def _listed(domain: Domain, values: FiniteSet) -> list[str]:
    if isinstance(domain, Categorical):
        return [value for value in domain.values if value in values]
    assert isinstance(domain, Boolean)
    return [str(int(value)) for value in (False, True) if value in values]


def _interval(interval: Interval) -> str:
    if interval.low is None and interval.high is None:
        return "is a number"
    if interval.low == interval.high and interval.low is not None:
        return f"= {number_text(interval.low)}"
    if interval.low is None and interval.high is not None:
        return f"{'<' if interval.high_open else '<='} {number_text(interval.high)}"
    if interval.high is None and interval.low is not None:
        return f"{'>' if interval.low_open else '>='} {number_text(interval.low)}"
    return f"in {interval}"
