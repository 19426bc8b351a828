"""Names and values for people, and nearest values."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from nearest_law import a_nearest_value_is_nearest

from xpgcheck.errors import printable
from xpgcheck.explanations.distances import nearest_value
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean, Categorical, Domain, Float32, Integer, Real, read_value
from xpgcheck.model.value_sets import FiniteSet, Grid, Interval, interval_set
from xpgcheck.model.values import MISSING, Point, Value
from xpgcheck.properties.strategies import cases
from xpgcheck.wording import counted, listed, mend_name, short_value


@pytest.mark.parametrize(
    ("domain", "value", "text"),
    [
        (Boolean(), True, "1"),
        (Categorical(("a\tb",)), "a\tb", "a\\u0009b"),
        (Integer(), -3, "-3"),
        (Real(), Fraction(5, 2), "2.5"),
        (Real(), Fraction(1, 3), "1/3"),
        (Real(), Fraction(0.1), "≈0.1"),
        (Real(), Fraction(10) ** 400 + Fraction(1, 7), "≈1e+400"),
        (Real(), Fraction(-3, 2 * 10**400) - Fraction(1, 3 * 10**430), "≈-1.5e-400"),
        (Real(), Fraction(1, 3 * 10**39), "≈3.33333e-40"),
        (Float32(), Fraction(13421773, 2**27), "0.1"),
        (Float32(), Fraction(100), "100"),
        (Float32(missing=True), MISSING, "missing"),
    ],
)
def test_values_are_short_and_never_wrong(domain: Domain, value: Value, text: str) -> None:
    assert short_value(domain, value) == text
    if isinstance(domain, Float32):
        assert read_value(domain, text) == value


def test_lists_and_counts() -> None:
    assert [listed(["a", "b", "c"][:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert [counted(n, "AXp") for n in (0, 1, 2000)] == ["0 AXps", "1 AXp", "2,000 AXps"]
    assert printable("a[b]") == "a[b]"


def test_an_unknown_name_gets_the_nearest_ones() -> None:
    assert mend_name("AGE", ["Age", "Income"]) == "did you mean 'Age'?"
    assert mend_name("x", [f"feature_{i}" for i in range(9)]).endswith("'feature_4', …")


@given(cases())
def test_nearest_values_are_nearest(case: tuple[DecisionGraph, Point]) -> None:
    a_nearest_value_is_nearest(*case)


def test_past_an_open_end_the_value_is_close_and_short() -> None:
    beyond = interval_set(Grid.DENSE, [Interval(Fraction(5), True, None, True)])
    assert nearest_value(Real(), beyond, Fraction(3)) == Fraction("5.01")
    assert nearest_value(Real(), beyond, Fraction("4.9")) == Fraction("5.001")
    assert nearest_value(Real(), beyond, Fraction(5)) == Fraction("5.01")
    thin = interval_set(Grid.DENSE, [Interval(Fraction(5), True, Fraction("5.1"), True)])
    assert nearest_value(Real(), thin, Fraction(-100)) == Fraction("5.001")
    assert nearest_value(Real(), thin, Fraction(100)) == Fraction("5.099")


def test_among_categories_the_first_of_the_domain_is_taken() -> None:
    domain = Categorical(("z", "b", "a"))
    assert nearest_value(domain, FiniteSet(frozenset(["a", "b"])), "z") == "b"
