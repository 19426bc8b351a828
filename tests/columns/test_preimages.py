"""Preimages of literals: exact at the ends of intervals, whatever the arithmetic of the steps."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from xpgcheck.columns.bisection import LAST, first_rank, number_of_rank
from xpgcheck.columns.encoded import EncodedColumn, preimage
from xpgcheck.columns.steps import Bins, Clip, Exceeds, Fill, IsMissing, Lookup, Minus, Over, Plus, Times
from xpgcheck.errors import InstanceError, ModelError
from xpgcheck.model.domains import Boolean, Categorical, Float32, Float64, Real
from xpgcheck.model.ieee754 import BINARY64
from xpgcheck.model.value_sets import FiniteSet, Grid
from xpgcheck.model.values import MISSING
from xpgcheck.readers.comparisons import at_most, sides


def rank(number: float) -> int:
    return BINARY64.float_floor_rank(number)


def numbers_around(values) -> list[float]:
    """The ends of a set of numbers, and their two neighbours on either side."""
    ends = [end for span in values.intervals() for end in (span.low, span.high) if end is not None]
    ranks = {rank(float(end)) + step for end in ends for step in (-2, -1, 0, 1, 2)}
    return [number_of_rank(r) for r in sorted(ranks) if abs(r) <= LAST]


@pytest.mark.parametrize("number", [0.0, 5e-324, -5e-324, 1.0, -1.5, 1.7976931348623157e308, -1.7976931348623157e308])
def test_ranks_are_those_of_the_model(number):
    assert number_of_rank(rank(number)) == number


def test_bisection_finds_the_first_number():
    assert number_of_rank(first_rank(lambda x: x >= 0.1)) == 0.1
    assert first_rank(lambda x: True) == -LAST
    assert first_rank(lambda x: False) == LAST + 1
    assert number_of_rank(first_rank(lambda x: x + 1e16 > 1e16)) == math.nextafter(1.0, 2.0)


def test_a_condition_that_changes_twice_is_refused():
    with pytest.raises(ModelError, match="does not keep the order of numbers"):
        first_rank(lambda x: x >= 1.0 and x != math.nextafter(1.0, 2.0))


def test_a_condition_that_changes_the_other_way_is_refused():
    for holds in (lambda x: x <= 1.0, lambda x: x < -1e300 or x > 1.0):
        with pytest.raises(ModelError, match="does not keep the order of numbers"):
            first_rank(holds)


def steps_of(rng: random.Random):
    def any_number():
        return rng.choice((1, -1)) * rng.choice((rng.random(), rng.random() * 1e3, 10.0 ** rng.randint(-9, 9)))

    kinds = (
        lambda: (Minus(any_number()), Over(any_number())),
        lambda: (Times(any_number()), Plus(any_number())),
        lambda: (Times(any_number()), Plus(any_number()), Clip(-0.25, 0.75)),
        lambda: (Over(any_number()),),
        lambda: (Bins(tuple(sorted(any_number() for _ in range(4)))),),
        lambda: (Minus(any_number()), Exceeds(any_number())),
        lambda: (),
    )
    return tuple(step for _ in range(rng.randint(1, 2)) for step in rng.choice(kinds)())


def test_ends_are_exact():
    """The images of an end and of its neighbours pass the test exactly where the preimage says so."""
    rng = random.Random(5)
    asked = 0
    for _ in range(150):
        column = EncodedColumn(0, steps_of(rng))
        encoded = rng.choice((Float32(), Float64()))
        threshold = rng.choice((0.0, 0.5, 1.0, rng.gauss(0, 1), rng.gauss(0, 1e4)))
        low, high = sides(at_most(encoded.all_values().grid, threshold))
        below, above = preimage(column, Float64(), encoded, low), preimage(column, Float64(), encoded, high)
        assert below.complement() == above
        for number in [*numbers_around(below), 0.0, 40.0, -40.0, 1e9, -1e9]:
            image = column.value(number)
            cast = encoded.binary.nearest(image)
            passes = image <= threshold if cast is None else cast <= threshold
            assert (Fraction(number) in below) is passes, (column, threshold, number)
            asked += 1
    assert asked > 1000


def test_the_cast_of_the_model_is_part_of_the_function():
    """Numbers that binary32 rounds down to the threshold pass it."""
    (span,) = preimage(EncodedColumn(0), Float64(), Float32(), at_most(Grid.FLOAT32, 1.0)).intervals()
    assert float(span.high) == 1 + 2.0**-24


def test_a_missing_value_goes_where_its_fill_goes():
    low, high = sides(at_most(Grid.FLOAT32, 0.5))
    column = EncodedColumn(0, (Fill(MISSING, 3.0), Minus(3.0)))
    assert MISSING in preimage(column, Float64(missing=True), Float32(), low)
    assert MISSING not in preimage(column, Float64(missing=True), Float32(), high)
    left, right = sides(at_most(Grid.FLOAT32, 0.5), missing=True, missing_inside=False)
    column = EncodedColumn(0, (Minus(3.0),))
    assert MISSING not in preimage(column, Float64(missing=True), Float32(missing=True), left)
    assert MISSING in preimage(column, Float64(missing=True), Float32(missing=True), right)


def test_a_number_that_stands_for_a_missing_value():
    low, high = sides(at_most(Grid.FLOAT32, 0.0))
    for column in (EncodedColumn(0, (Fill(-999.0, 5.0),)), EncodedColumn(0, (IsMissing(-999.0),))):
        below, above = (preimage(column, Float64(), Float32(), side) for side in (low, high))
        assert Fraction(-999) in above
        assert Fraction(-999) not in below
        assert below.complement() == above
        assert Fraction(-998) in below


def test_the_indicator_of_a_bin():
    column = EncodedColumn(0, (Bins((1.0, 2.0)), Lookup({0.0: 0.0, 1.0: 1.0, 2.0: 0.0})))
    one = sides(at_most(Grid.FLOAT32, 0.5))[1]
    (span,) = preimage(column, Float64(), Float32(), one).intervals()
    assert (float(span.low), float(span.high)) == (1.0, math.nextafter(2.0, 1.0))


def test_categories_one_by_one():
    domain = Categorical(("a", "b", "missing"), ("a", "b", MISSING))
    column = EncodedColumn(0, (Fill(MISSING, "b"), Lookup({"a": 0.0, "b": 1.0})))
    low, high = sides(at_most(Grid.FLOAT32, 0.5))
    assert preimage(column, domain, Float32(), low) == FiniteSet(frozenset("a"))
    assert preimage(column, domain, Float32(), high) == FiniteSet(frozenset(("b", "missing")))
    with pytest.raises(InstanceError, match="'c' is not a category"):
        column.value("c")


def test_identities():
    assert preimage(EncodedColumn(0), Boolean(), Boolean(), FiniteSet(frozenset((True,)))) == FiniteSet(
        frozenset((True,))
    )
    whole = Real().all_values()
    assert preimage(EncodedColumn(0), Real(), Real(), whole) is whole


def test_exact_arithmetic_would_find_other_ends():
    """The end of what rounds to the threshold is not where the equation is solved: why it is searched for."""
    rng = random.Random(7)
    other = 0
    for _ in range(100):
        mean, scale, threshold = rng.gauss(40, 9), rng.random() * 20, rng.gauss(0, 1)
        column = EncodedColumn(0, (Minus(mean), Over(scale)))
        (span,) = preimage(column, Float64(), Float32(), at_most(Grid.FLOAT32, threshold)).intervals()
        solved = Fraction(threshold) * Fraction(scale) + Fraction(mean)
        other += BINARY64.floor(solved) != span.high
    assert other > 90


@pytest.mark.parametrize("encoded", [Float32(), Float64()])
def test_numbers_that_overflow_lie_beyond_all_ends(encoded):
    low, high = sides(at_most(encoded.all_values().grid, 0.5))
    for column in (EncodedColumn(0, (Over(1e-300),)), EncodedColumn(0, (Over(-1e-300),)), EncodedColumn(0)):
        below, above = (preimage(column, Float64(), encoded, side) for side in (low, high))
        turned = column.steps != () and column.steps[0].decreasing
        for number in (1e300, -1e300, 1.7976931348623157e308, 1e39, -1e39):
            assert (Fraction(number) in above) is ((number > 0) is not turned), (column, number)
            assert (Fraction(number) in below) is not (Fraction(number) in above)
