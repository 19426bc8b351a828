"""Sets of values in words: intervals, ends of domains and of floats, categories."""

from __future__ import annotations

from fractions import Fraction

import pytest

from xpgcheck.model.domains import Boolean, Categorical, Domain, Float32, Integer, Real
from xpgcheck.model.literals import read_literal
from xpgcheck.wording import condition_text

LETTERS = Categorical(tuple("abcdefghijkl"))


@pytest.mark.parametrize(
    ("domain", "items", "text"),
    [
        (Real(), ["(-inf, 5)"], "x < 5"),
        (Real(), ["[2, inf)"], "x ≥ 2"),
        (Real(), ["(2.45, 4.95]"], "2.45 < x ≤ 4.95"),
        (Real(), ["[2, 5)"], "2 ≤ x < 5"),
        (Real(), ["3"], "x = 3"),
        (Real(), ["(-inf, inf)"], "x is any number"),
        (Real(), ["(-inf, 1)", "(2, 3)"], "x < 1 or 2 < x < 3"),
        (Real(), ["(-inf, 29.850000381469727]"], "x ≤ about 29.85"),
        (Real(), ["(29.850000381469727, 30)"], "about 29.85 < x < 30"),
        (Integer(0, 10), ["[0, 5]"], "x ≤ 5"),
        (Integer(0, 10), ["[5, 10]"], "x ≥ 5"),
        (Integer(0, 10), ["[0, 10]"], "x is any number"),
        (Float32(), ["(-inf, 0.8]"], "x < 0.8"),
        (Float32(), ["(0.8, inf)"], "x ≥ 0.8"),
        (Float32(), ["(-inf, 0.75]"], "x ≤ 0.75"),
        (Float32(), ["(0.75, inf)"], "x > 0.75"),
        (Float32(missing=True), ["(-inf, 0.75]", "missing"], "x ≤ 0.75 or missing"),
        (Float32(missing=True), ["missing"], "x is missing"),
        (Boolean(), [1], "x = 1"),
        (LETTERS, ["a"], "x = a"),
        (LETTERS, ["a", "c", "b"], "x = a, b or c"),
        (LETTERS, list("abcdefghij"), "x is any of 12 categories but k and l"),
        (LETTERS, list("abcdefghijkl"), "x is any category"),
    ],
)
def test_a_set_of_values_is_said_in_words(domain: Domain, items: list[object], text: str) -> None:
    assert condition_text("x", domain, read_literal(domain, items)) == text


def test_ends_of_floats_are_exact() -> None:
    # 0.8 is no binary32 number: the largest one below it is the end of "x < 0.8", and the next one that of "x ≥ 0.8".
    below = read_literal(Float32(), ["(-inf, 0.8]"])
    assert Float32().binary.floor(Fraction(4, 5)) in below
    assert Float32().binary.above(Fraction(4, 5)) not in below
