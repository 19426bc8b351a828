"""Set algebra against membership: a sample of points decides every operation by its definition."""

import math
import operator
import sys
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xpgcheck.errors import InstanceError
from xpgcheck.model.cells import cells
from xpgcheck.model.domains import (
    MAX_NUMBER_LENGTH,
    Categorical,
    Float32,
    Float64,
    Integer,
    Real,
    exact_number,
    read_value,
)
from xpgcheck.model.ieee754 import BINARY32, BINARY64
from xpgcheck.model.literals import read_literal, write_literal
from xpgcheck.model.value_sets import (
    FiniteSet,
    Grid,
    Interval,
    IntervalSet,
    interval_set,
    is_partition,
    number_text,
    simplest_between,
)
from xpgcheck.model.values import MISSING

NUMBERS = [Fraction(n, 4) for n in range(-10, 11)]
ends = st.one_of(st.none(), st.sampled_from(NUMBERS))
intervals = st.builds(
    lambda low, high, lo, ho: Interval(low, lo or low is None, high, ho or high is None),
    ends,
    ends,
    st.booleans(),
    st.booleans(),
)
GRIDS = {
    Grid.DENSE: [Fraction(n, 8) for n in range(-24, 25)],
    Grid.INTEGERS: [Fraction(n) for n in range(-4, 5)],
    # Around every end: the float itself and its two neighbours.
    Grid.FLOAT32: sorted({g for n in NUMBERS for g in (n, BINARY32.above(n), BINARY32.below(n)) if g is not None}),
    Grid.FLOAT64: sorted({g for n in NUMBERS for g in (n, BINARY64.above(n), BINARY64.below(n)) if g is not None}),
}
FLOATS = (Grid.FLOAT32, Grid.FLOAT64)


@st.composite
def families(draw, count):
    grid = draw(st.sampled_from(list(Grid)))
    missing = grid in FLOATS
    return grid, [
        interval_set(grid, draw(st.lists(intervals, max_size=3)), missing and draw(st.booleans())) for _ in range(count)
    ]


def inside(interval, number):
    above = interval.low is None or (number > interval.low if interval.low_open else number >= interval.low)
    below = interval.high is None or (number < interval.high if interval.high_open else number <= interval.high)
    return above and below


@given(st.sampled_from(list(Grid)), st.lists(intervals, max_size=4))
def test_a_union_of_intervals_holds_what_one_of_them_holds(grid, parts):
    union = interval_set(grid, parts)
    for number in GRIDS[grid]:
        assert (number in union) == any(inside(part, number) for part in parts)


@given(families(2))
@pytest.mark.parametrize(
    ("operation", "meaning"),
    [
        ("intersection", operator.and_),
        ("union", operator.or_),
        ("difference", lambda a, b: a and not b),
    ],
)
def test_set_operations_agree_with_membership(operation, meaning, family):
    grid, (first, second) = family
    result = getattr(first, operation)(second)
    for point in [*GRIDS[grid], MISSING]:
        assert (point in result) == meaning(point in first, point in second)


@given(families(2))
def test_equal_sets_have_one_representation(family):
    _, (first, second) = family
    union, other = first.union(second), second.union(first)
    assert union == other
    assert hash(union) == hash(other)
    assert union.difference(first).union(first) == union
    assert first.difference(first).is_empty()


@given(families(1))
def test_a_representative_is_in_the_set_and_only_the_empty_set_has_none(family):
    grid, (values,) = family
    if values.is_empty():
        with pytest.raises(ValueError, match="empty"):
            values.representative()
        return
    value = values.representative()
    assert value in values
    if grid is Grid.INTEGERS:
        assert isinstance(value, int)
    if grid in FLOATS and value is not MISSING:
        assert grid.binary.holds(value)


@given(families(4))
def test_cells_split_the_domain_and_tell_the_sets_apart(family):
    _, (whole, *sets) = family
    split = cells(whole, sets)
    assert is_partition(whole, split.cells)
    for members, ranges in zip(sets, split.ranges, strict=True):
        named = {k for low, high in ranges for k in range(low, high)}
        for k, cell in enumerate(split.cells):
            expected = cell.difference(members).is_empty() if k in named else cell.intersection(members).is_empty()
            assert expected


@given(families(3))
def test_partition_means_nonempty_disjoint_and_covering(family):
    _, parts = family
    whole = parts[0].union(parts[1]).union(parts[2])
    disjoint = all(parts[i].intersection(parts[j]).is_empty() for i in range(3) for j in range(i))
    assert is_partition(whole, parts) == (disjoint and not any(part.is_empty() for part in parts))


def test_finite_sets():
    abc = Categorical(("a", "b", "c")).all_values()
    ab, c = FiniteSet(frozenset("ab")), FiniteSet(frozenset("c"))
    assert is_partition(abc, [ab, c])
    assert not is_partition(abc, [ab])
    assert not is_partition(abc, [ab, abc])
    assert ab.union(c) == abc
    assert abc.difference(ab) == c
    assert ab.intersection(c).is_empty()
    assert ab.representative() == "a"
    # b and c are in the same sets, so no literal tells them apart.
    assert cells(abc, [FiniteSet(frozenset("a"))]).cells == (FiniteSet(frozenset("a")), FiniteSet(frozenset("bc")))


def test_sets_of_different_kinds_do_not_mix():
    numbers = Real().all_values()
    with pytest.raises(TypeError):
        numbers.intersection(Integer().all_values())
    with pytest.raises(TypeError):
        numbers.union(FiniteSet(frozenset()))


def test_neighbouring_float32_thresholds_leave_nothing_between():
    domain = Float32()
    low = Fraction(1)
    high = BINARY32.above(low)
    between = read_literal(domain, [f"({number_text(low)}, {number_text(high)})"])
    assert between.is_empty()
    assert not read_literal(Real(), [f"({number_text(low)}, {number_text(high)})"]).is_empty()


@pytest.mark.parametrize("binary", [BINARY32, BINARY64])
@given(st.data(), st.fractions(0, 1))
def test_float_neighbours(binary, data, part):
    rank = data.draw(st.integers(-binary.max_rank, binary.max_rank - 1))
    lower, upper = binary.from_rank(rank), binary.from_rank(rank + 1)
    between = lower + (upper - lower) * part
    assert binary.floor(between) == (upper if part == 1 else lower)
    assert binary.ceiling(between) == (lower if part == 0 else upper)
    assert binary.above(lower) == upper
    assert binary.below(upper) == lower
    assert binary.holds(between) == (part in (0, 1))
    text = number_text(between)
    if len(text) <= MAX_NUMBER_LENGTH:
        domain = Float32() if binary is BINARY32 else Float64()
        closed, opened, below = (
            read_literal(domain, [t]) for t in (f"[{text}, inf)", f"({text}, inf)", f"(-inf, {text})")
        )
        assert (lower in closed, upper in closed) == (part == 0, True)
        assert (lower in opened, upper in opened) == (False, part != 1)
        assert (lower in below, upper in below) == (part != 0, False)


def test_the_ends_of_the_float32_numbers():
    assert BINARY32.above(BINARY32.highest) is None
    assert BINARY32.below(BINARY32.lowest) is None
    assert BINARY32.floor(BINARY32.highest * 10**9) == BINARY32.highest
    assert BINARY32.ceiling(BINARY32.highest * 10**9) is None
    assert BINARY32.nearest(1e39) is None
    assert BINARY32.nearest(float("nan")) is None
    assert BINARY32.nearest(0.1) == Fraction(13421773, 134217728)


@given(
    st.sampled_from([Integer(), Real(), Float32(missing=True), Float64(missing=True)]),
    st.lists(intervals, max_size=3),
    st.booleans(),
)
def test_a_literal_is_read_back_as_it_was_written(domain, parts, missing):
    grid = domain.all_values().grid
    values = interval_set(grid, parts, missing and grid in FLOATS)
    assert read_literal(domain, write_literal(domain, values)) == values


@given(st.fractions())
def test_a_number_is_read_back_as_it_was_written(number):
    assert exact_number(number_text(number)) == number


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "", "1/0", "0x10", "1e99999", "1_000", "１", "--1", "9" * 401])
def test_what_is_no_number(text):
    with pytest.raises(ValueError, match="number"):
        exact_number(text)


def test_float32_values_are_rounded_as_the_source_rounds_them():
    assert read_value(Float32(), "0.1") == BINARY32.nearest(0.1)
    assert read_value(Float32(missing=True), "nan") is MISSING
    assert isinstance(read_literal(Float32(), ["(-inf, 0.1]"]), IntervalSet)


def test_float64_values_are_taken_as_they_are():
    assert read_value(Float64(), 0.1) == Fraction(0.1)
    assert read_value(Float64(), "0.1") == Fraction(0.1)
    assert read_value(Float64(missing=True), "nan") is MISSING
    assert read_value(Float64(), "1e308") == Fraction(1e308)
    with pytest.raises(InstanceError, match="beyond the float64 numbers"):
        read_value(Float64(), "1e309")
    with pytest.raises(InstanceError, match="the value is missing"):
        read_value(Float64(), "nan")


def test_the_ends_of_the_float64_numbers():
    assert BINARY64.above(BINARY64.highest) is None
    assert BINARY64.below(BINARY64.lowest) is None
    assert BINARY64.highest == Fraction(sys.float_info.max)
    assert BINARY64.from_rank(1) == Fraction(1, 2**1074)
    assert BINARY64.floor(Fraction(1, 2**1075)) == 0
    assert BINARY64.nearest(float("inf")) is None
    assert str(Float64(missing=True).all_values()) == "(-inf, inf) ∪ missing"


@given(st.fractions(-9, 9, max_denominator=40), st.fractions(-9, 9, max_denominator=40))
def test_the_simplest_number_between_two_has_the_least_denominator(a: Fraction, b: Fraction) -> None:
    low, high = min(a, b), max(a, b)
    if low == high:
        return
    found = Fraction(simplest_between(low, high))
    assert low < found < high
    smaller = range(1, found.denominator)
    assert not any(math.floor(low * q) + 1 < high * q for q in smaller)
