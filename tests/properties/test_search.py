"""The search on numbers: what is shrunk, what is left out, what is said of failures that come and go, when it ends."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import strategies as st

from xpgcheck.properties.running import search as searching
from xpgcheck.properties.running.search import Source, search_cases, visit


@dataclass(frozen=True)
class Number:
    value: int
    fine: bool = False

    @property
    def size(self) -> tuple[int]:
        return (self.value,)


def numbers(most: int = 1_000) -> st.SearchStrategy[Number]:
    return st.integers(0, most).map(Number)


NUMBERS = Source(numbers(), 600.0)

FAILS: dict[str, Callable[[int], bool]] = {
    "large": lambda n: n >= 100,
    "odd": lambda n: n % 2 == 1,
    "tiny": lambda n: n < 3,
}


class Asked:
    """Says by the predicates *fails* what fails on a number, and keeps what it was asked."""

    def __init__(self, **fails: Callable[[int], bool]) -> None:
        self.fails = fails
        self.counted: list[int] = []
        self.shrinking: list[tuple[int, str]] = []

    def __call__(self, case: Number, pinned: str | None) -> list[tuple[str, str]]:
        if pinned is None:
            self.counted.append(case.value)
        else:
            self.shrinking.append((case.value, pinned))
        return [(key, f"{case.value} is {key}") for key, fails in self.fails.items() if case.fine or fails(case.value)]


def found(asked: Asked, source: Source[Number] = NUMBERS, examples: int = 60, **how: Any) -> list[Any]:
    return list(search_cases(source, asked, examples, 1, **how))


def test_of_each_key_the_smallest_case_is_found_once() -> None:
    """Whatever else fails on smaller cases, and though it goes on failing."""
    asked = Asked(**FAILS)
    failing = found(asked)
    assert sorted((one.key, one.case.value) for one in failing) == [("large", 100), ("odd", 1), ("tiny", 0)]
    assert all(one.payload == f"{one.case.value} is {one.key}" and not one.flaky for one in failing)
    assert {pinned for _, pinned in asked.shrinking} == set(FAILS)


def test_every_example_is_counted_and_nothing_of_shrinking() -> None:
    asked = Asked(**FAILS)
    for one in found(asked):
        first = next(at for at, value in enumerate(asked.counted, 1) if FAILS[one.key](value))
        # If several keys come up on one case, the others wait for the next one.
        assert one.example >= first
        assert FAILS[one.key](asked.counted[one.example - 1])
    assert len(asked.counted) == 60
    assert found(Asked()) == found(Asked(**FAILS), examples=0) == []


def test_each_part_of_a_search_has_a_seed_of_its_own() -> None:
    asked = Asked(large=FAILS["large"])
    (one,) = found(asked)
    expected: list[Number] = []
    visit(NUMBERS.cases, expected.append, 60 - one.example, 1 + (1 << 32))
    assert asked.counted[one.example :] == [case.value for case in expected]


def test_without_shrinking_the_first_case_is_kept_as_it_came() -> None:
    asked = Asked(large=FAILS["large"])
    (one,) = found(asked, Source(numbers(), 600.0, lambda case: False, [numbers(5)], 10), shrink=False)
    assert one.case.value == asked.counted[one.example - 1] > 100
    assert {value for value, _ in asked.shrinking} == {one.case.value}


def test_a_case_that_is_not_small_is_looked_for_among_smaller_ones() -> None:
    """With its key pinned; the example is still the one on which it came up first."""
    fine = st.integers(5, 80).map(lambda value: Number(value, fine=True))
    asked = Asked(large=FAILS["large"], never=lambda n: False)
    (one,) = found(asked, Source(numbers(), 600.0, lambda case: case.value < 50, [numbers(9), fine], 20))
    assert (one.key, one.case) == ("large", Number(5, fine=True))
    assert one.example == found(Asked(large=FAILS["large"]))[0].example
    assert len(asked.counted) == 60


@pytest.mark.parametrize(("small", "others"), [(False, (300, 400)), (True, (5, 80))])
def test_a_case_that_is_small_or_smaller_than_the_others_stays(small: bool, others: tuple[int, int]) -> None:
    fine = st.integers(*others).map(lambda value: Number(value, fine=True))
    (one,) = found(Asked(large=FAILS["large"]), Source(numbers(), 600.0, lambda case: small, [fine], 20))
    assert one.case == Number(100)


def test_what_does_not_fail_again_is_flaky() -> None:
    asked = Asked(wavers=lambda n: not asked.shrinking)
    (one,) = found(asked)
    assert one.flaky.startswith("Flaky")


def test_when_the_time_is_up_the_smallest_so_far_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = itertools.count()
    monkeypatch.setattr(searching, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
    asked = Asked(between=lambda n: 100 <= n <= 900_000)
    # The cases that Hypothesis takes for simpler are larger here, so the smallest is not what it tries last.
    falling = st.integers(0, 10**6).map(lambda value: Number(10**6 - value))
    (one,) = found(asked, Source(falling, 20.0))
    tried = [value for value, _ in asked.shrinking]
    failing = [value for value in (asked.counted[one.example - 1], *tried) if 100 <= value <= 900_000]
    assert len(tried) == 20
    assert one.case.value == min(failing) < failing[-1]
