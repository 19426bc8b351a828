"""Literals ``x_i ∈ E_i`` as the formats write their sets of values, read and written exactly."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction

from xpgcheck.errors import InstanceError, ValueSetError, shown
from xpgcheck.model.domains import (
    Boolean,
    Categorical,
    Domain,
    Float32,
    Float64,
    Integer,
    Real,
    read_value,
    said_text,
    written_number,
)
from xpgcheck.model.value_sets import (
    BOTTOM,
    TOP,
    Cut,
    FiniteSet,
    Grid,
    ValueSet,
    number_text,
    set_of_spans,
)

_INTERVAL = re.compile(r"\s*([\[(])\s*([^,\s]+)\s*,\s*([^,\s]+)\s*([\])])\s*")
_SPAN_MEND = "write an interval such as '(-inf, 5/2]' or a number"


def read_literal(domain: Domain, items: Iterable[object]) -> ValueSet:
    """Return the set that *items* list: values of a Boolean or categorical domain, numbers and intervals of an ordered one.

    An interval is written ``"[low, high)"`` with ``[ ]`` closed and ``( )`` open ends and ``-inf``/``inf`` unbounded ones.
    The set may reach outside the domain's bounds, not outside a list of categories.  Raises ``ValueSetError``.
    """
    if isinstance(domain, (Boolean, Categorical)):
        # A literal names categories: what cells of a table are read as does not matter.
        named = Categorical(domain.values) if isinstance(domain, Categorical) else domain
        try:
            return FiniteSet(frozenset(read_value(named, item) for item in items))
        except InstanceError as error:
            raise ValueSetError(error.problem, mend=error.mend) from None
    grid = _GRIDS[type(domain)]
    spans: list[tuple[Cut, Cut]] = []
    missing = False
    for item in items:
        if isinstance(item, str) and item.strip() == "missing" and not isinstance(domain, Real):
            missing = True
        else:
            spans.append(_read_span(grid, item))
    return set_of_spans(grid, spans, missing)


_GRIDS = {Integer: Grid.INTEGERS, Real: Grid.DENSE, Float32: Grid.FLOAT32, Float64: Grid.FLOAT64}


def _read_span(grid: Grid, item: object) -> tuple[Cut, Cut]:
    if isinstance(item, bool) or not isinstance(item, (str, int, Fraction, Decimal)):
        raise ValueSetError(f"{said_text(item)} is not a set of numbers", mend=_SPAN_MEND)
    text = item if isinstance(item, str) else number_text(Fraction(item))
    match = _INTERVAL.fullmatch(text)
    if not match:
        return _read_cut(grid, text, 0), _read_cut(grid, text, 1)
    left, low, high, right = match.groups()
    if (low == "-inf" and left == "[") or (high == "inf" and right == "]"):
        raise ValueSetError(f"{shown(text)} has a closed infinite end", mend="open that end with a round bracket")
    return (
        BOTTOM if low == "-inf" else _read_cut(grid, low, int(left == "(")),
        TOP if high == "inf" else _read_cut(grid, high, int(right == "]")),
    )


@functools.lru_cache(maxsize=1024)
def _read_cut(grid: Grid, text: str, after: int) -> Cut:
    """Return the cut before or after the number that *text* writes; the edges of a node ask for one number often."""
    return grid.cut(written_number(text), after)


def write_literal(domain: Domain, values: ValueSet) -> list[str | int]:
    """Return *values* as :func:`read_literal` reads them back, in the order of the domain."""
    if isinstance(values, FiniteSet):
        if isinstance(domain, Categorical):
            return [value for value in domain.values if value in values]
        return [int(value) for value in (False, True) if value in values]
    texts: list[str | int] = []
    for span in values.intervals():
        single = span.low is not None and span.low == span.high
        texts.append(number_text(span.low) if single and span.low is not None else str(span))
    return [*texts, "missing"] if values.missing else texts
