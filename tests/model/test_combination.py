"""Sums of what terminals weigh: exact, by the machine's own arithmetic, and where the two may differ."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from fractions import Fraction

import pytest

from xpgcheck.errors import ModelError
from xpgcheck.model.combination import Arithmetic, Lead, Row, Sum, Threshold, average, tally_of_sums, tally_of_votes
from xpgcheck.model.decision_graph import NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Feature
from xpgcheck.model.ensemble import ensemble
from xpgcheck.model.value_sets import FiniteSet

FEATURES = (Feature("a", Boolean()), Feature("b", Boolean()))


def single(value: float) -> float:
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


def row(*numbers: float) -> Row:
    return tuple(Fraction(number) for number in numbers)


def added(terms: list[float], cast: Callable[[float], float]) -> float:
    total = 0.0
    for term in terms:
        total = cast(total + term)
    return total


@pytest.mark.parametrize("arithmetic", [Arithmetic.BINARY32, Arithmetic.BINARY64])
def test_sums_beyond_the_slack_are_those_of_the_machine_in_any_order(arithmetic: Arithmetic) -> None:
    cast = single if arithmetic is Arithmetic.BINARY32 else float
    settled = unsettled = 0
    chance = random.Random(5)
    for _ in range(300):
        trees, scores = chance.randint(1, 30), chance.randint(2, 4)
        size = chance.choice([1.0, 1e-6, 1e6])
        rows = [
            [cast(chance.choice([0.1, 0.2, 0.3, size * chance.random()])) for _ in range(scores)] for _ in range(trees)
        ]
        if chance.random() < 0.7:
            for other in rows:
                other[1] = other[0]
            chance.shuffle(rows)
            first = [other[0] for other in rows]
            chance.shuffle(first)
            for other, value in zip(rows, first, strict=True):
                other[0] = value
        rule = Sum(row(*[0.0] * scores), None, arithmetic)
        tally = tally_of_sums(rule, [[row(*other)] for other in rows])
        exact = tally.sums([0] * trees)
        own = [added([other[k] for other in rows], cast) for k in range(scores)]
        assert rule.machine([row(*other) for other in rows]) == own.index(max(own))
        if tally.is_settled(exact):
            settled += 1
            for _ in range(5):
                chance.shuffle(rows)
                sums = [added([other[k] for other in rows], cast) for k in range(scores)]
                assert sums.index(max(sums)) == tally.winner(exact)
        else:
            unsettled += 1
    assert settled > 100
    assert unsettled > 100


def test_sums_that_are_exact_in_the_machine_leave_no_slack() -> None:
    rows = [[row(0.25, 0.75), row(1, 0)]] * 10
    assert tally_of_sums(average(2, Arithmetic.BINARY64), rows).slack == 0
    assert tally_of_sums(average(2, Arithmetic.BINARY64), [[row(0.1, 0.9)]] * 10).slack > 0
    assert tally_of_sums(average(2), [[(Fraction(1, 3), Fraction(2, 3))]] * 10).slack == 0
    large = [[row(2.0**30, 1.0)], [row(2.0**-10, 1.0)]]
    assert tally_of_sums(Sum(row(0, 0), None, Arithmetic.BINARY64), large).slack == 0
    assert tally_of_sums(Sum(row(0, 0), None, Arithmetic.BINARY32), large).slack > 0


@pytest.mark.parametrize(
    ("inclusive", "value", "winner"), [(False, 0.5, 0), (True, 0.5, 1), (False, 0.75, 1), (True, 0.25, 0)]
)
def test_a_threshold_is_compared_as_it_says(inclusive: bool, value: float, winner: int) -> None:
    rule = Sum(row(0.25), Threshold(Fraction(3, 4), inclusive))
    tally = tally_of_sums(rule, [[row(value)]])
    assert tally.winner(tally.sums([0])) == rule.machine([row(value)]) == winner
    assert tally.lead(0, 1) == (Lead(0, 0) if inclusive else Lead(1, 1))
    assert tally.lead(1, 0) == (Lead(1, 1) if inclusive else Lead(0, 0))


@pytest.mark.parametrize("arithmetic", [Arithmetic.BINARY32, Arithmetic.BINARY64])
@pytest.mark.parametrize("divided", [False, True])
def test_what_is_settled_holds_of_numbers_that_are_too_small_to_have_all_digits(
    arithmetic: Arithmetic, divided: bool
) -> None:
    """An average of such numbers may be rounded to 0, and to that of another class."""
    chance, settled = random.Random(7), 0
    assert arithmetic.format is not None
    least = arithmetic.format.from_rank(1)
    for _ in range(300):
        trees, threshold = chance.randint(1, 5), chance.choice([None, Threshold(Fraction(0), False)])
        scores = 2 if threshold is None else 1
        numbers = [0, 1, 1, 2, 3, -1, -2, Fraction(1, 2), Fraction(1, 3), 1 << 20, 1 << 60]
        rows = [tuple([least * chance.choice(numbers) for _ in range(scores)]) for _ in range(trees)]
        rule = Sum((Fraction(0),) * scores, threshold, arithmetic, divided=divided)
        tally = tally_of_sums(rule, [[own] for own in rows])
        exact = tally.sums([0] * trees)
        if tally.is_settled(exact):
            settled += 1
            assert tally.winner(exact) == rule.machine(rows), (rows, rule)
    assert settled > 50


def test_a_sum_of_zeros_is_exact() -> None:
    rule = Sum(row(0), Threshold(Fraction(0), False), Arithmetic.BINARY64, divided=True)
    assert tally_of_sums(rule, [[row(0)]] * 3).slack == 0


def test_a_quotient_may_be_rounded_onto_a_threshold() -> None:
    third = single(1 / 3)
    rule = Sum(row(0), Threshold(Fraction(third), True), Arithmetic.BINARY32, divided=True)
    rows = [[row(1)], [row(0)], [row(0)]]
    tally = tally_of_sums(rule, rows)
    # The exact third is below the float that the machine's quotient is.
    assert tally.winner(tally.sums([0, 0, 0])) == 0
    assert rule.machine([each[0] for each in rows]) == 1
    assert not tally.is_settled(tally.sums([0, 0, 0]))


def test_leads_tell_what_may_win_from_what_must() -> None:
    assert tally_of_votes(3, 2).lead(0, 1) == Lead(1, 1)
    assert tally_of_votes(3, 2).lead(1, 0) == Lead(0, 0)
    rule = Sum(row(0), Threshold(Fraction(0)), doubt=Fraction(1, 8))
    tally = tally_of_sums(rule, [[row(0.5)]])
    assert (tally.unit, tally.slack, tally.lead(0, 1)) == (Fraction(1, 8), 1, Lead(-1, 2))
    assert not tally.is_settled([0, 1])
    assert tally.is_settled([0, 2])


def test_kappa_of_a_sum_follows_the_machine_near_a_tie() -> None:
    # 0.1 + 0.2 is over 0.3 in binary64 and, of these very numbers, not exactly.
    def tree(name: str) -> object:
        return decision_graph(name, FEATURES, ("small",), {0: Terminal(0)})

    def split(name: str) -> object:
        edges = ((1, FiniteSet(frozenset([False]))), (2, FiniteSet(frozenset([True]))))
        nodes = {0: NonTerminal(0, edges), 1: Terminal(0), 2: Terminal(1)}
        return decision_graph(name, FEATURES, ("low", "high"), nodes)

    rule = Sum(row(0.0), Threshold(Fraction(0.3)), Arithmetic.BINARY64)
    outputs = [[row(0.1)], [row(0.2), row(5.0)]]
    built = ensemble("near", FEATURES, ("no", "yes"), [tree("t"), split("s")], rule, outputs)  # type: ignore[list-item]
    assert built.kappa((False, False)) == int(0.1 + 0.2 > 0.3)
    assert not built.is_settled((False, False))
    assert built.is_settled((True, False))
    assert built.kappa((True, False)) == 1


def test_sums_that_fit_nothing_are_refused() -> None:
    tree = decision_graph("t", FEATURES, ("answer",), {0: Terminal(0)})
    wrong = [
        (Sum(row(0, 0)), [], "outputs of 0 trees"),
        (Sum(row(0, 0)), [[row(1)]], "one row of 2 numbers"),
        (Sum(row(0, 0)), [[]], "one row of 2 numbers"),
        (Sum(row(0)), [[row(1)]], "1 numbers for 2 scores"),
        (Sum(row(0, 0), None, Arithmetic.BINARY32), [[row(3e38, 0)]], "may exceed"),
    ]
    for rule, outputs, problem in wrong:
        with pytest.raises(ModelError, match=problem):
            ensemble("wrong", FEATURES, ("no", "yes"), [tree], rule, outputs)
    with pytest.raises(ModelError, match="threshold with 3 classes"):
        ensemble("wrong", FEATURES, ("a", "b", "c"), [tree], Sum(row(0), Threshold(Fraction(0))), [[row(1)]])
