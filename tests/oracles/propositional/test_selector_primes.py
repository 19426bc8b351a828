"""Prime implicants of ∀x. ψ over the selectors: the MUSes, by exhaustion and by expansion and hitting sets."""

from __future__ import annotations

import itertools
import random

import pytest
from odd_formulas import ODD, by_definition, odd_formula

from xpgcheck.oracles.propositional import selector_primes
from xpgcheck.oracles.propositional.families import family
from xpgcheck.oracles.propositional.formulas import Dnf, cnf, dnf
from xpgcheck.oracles.propositional.limits import Deadline, OutOfTime, TooLarge
from xpgcheck.oracles.propositional.reduction import selector_dnf
from xpgcheck.oracles.propositional.selector_primes import (
    expanded,
    minimal_hitting_sets,
    selector_primes_by_expansion,
    selector_primes_exhaustive,
)
from xpgcheck.oracles.propositional.subsets import mcses_exhaustive, muses_exhaustive

ENUMERATORS = ("lbx", "mcsls", "sorted", "sat")


@pytest.mark.parametrize("name", ODD)
def test_they_are_the_muses_of_the_odd_ones(name: str) -> None:
    formula = ODD[name]
    psi, count = selector_dnf(formula), len(formula.clauses)
    muses, mcses = by_definition(formula)
    assert selector_primes_exhaustive(psi, count) == muses
    assert selector_primes_by_expansion(psi, count) == muses
    assert expanded(psi, count) == mcses


@pytest.mark.parametrize("seed", range(4))
def test_they_are_the_muses_of_random_formulas(seed: int) -> None:
    rng = random.Random(seed)
    several = 0
    for _ in range(50):
        formula = odd_formula(rng)
        psi, count = selector_dnf(formula), len(formula.clauses)
        muses = muses_exhaustive(formula)
        assert selector_primes_exhaustive(psi, count) == muses, formula
        assert selector_primes_by_expansion(psi, count) == muses, formula
        several += len(muses) > 1
    assert several > 5


@pytest.mark.slow
def test_they_are_the_muses_of_thousands_of_random_formulas() -> None:
    rng = random.Random(6)
    for _ in range(4_000):
        formula = odd_formula(rng, 8, 12)
        psi, count = selector_dnf(formula), len(formula.clauses)
        assert expanded(psi, count) == mcses_exhaustive(formula), formula
        muses = muses_exhaustive(formula)
        assert selector_primes_exhaustive(psi, count) == muses, formula
        assert selector_primes_by_expansion(psi, count) == muses, formula


def test_a_selector_on_two_terms() -> None:
    """Not of the reduction's making, but a DNF that the routes take."""
    psi = dnf([(1, 3), (1, -3), (2,)])
    assert selector_primes_exhaustive(psi, 2) == selector_primes_by_expansion(psi, 2) == family([{0}, {1}])


@pytest.mark.parametrize("route", [selector_primes_exhaustive, selector_primes_by_expansion])
@pytest.mark.parametrize(
    ("psi", "selectors", "problem"),
    [
        (dnf([(1, 2), (3,)]), 2, "position 0 has not exactly one selector"),
        (dnf([(1,), (3,)]), 2, "position 1 has not exactly one selector"),
        (dnf([(1,), (-2, 3)]), 2, r"position 1 .*\[-2\]"),
        (dnf([(1, -1)]), 1, "position 0"),
        (dnf([(1,)]), 2, "2 selectors among 1 variables"),
        (dnf([(1,)]), -1, "-1 selectors"),
    ],
)
def test_terms_without_their_selector(route: object, psi: Dnf, selectors: int, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        route(psi, selectors)  # type: ignore[operator]


@pytest.mark.parametrize("htype", ENUMERATORS)
class TestHittingSets:
    def test_trivial_cases(self, htype: str) -> None:
        assert minimal_hitting_sets([], htype=htype) == (frozenset(),)
        assert minimal_hitting_sets([frozenset()], htype=htype) == ()
        assert minimal_hitting_sets([frozenset(), frozenset({1})], htype=htype) == ()
        assert minimal_hitting_sets([frozenset({0})], htype=htype) == (frozenset({0}),)
        assert minimal_hitting_sets([frozenset({0, 1})] * 2, htype=htype) == family([{0}, {1}])
        assert minimal_hitting_sets([frozenset({0, 1}), frozenset({1, 2})], htype=htype) == family([{1}, {0, 2}])

    def test_random_ones_by_definition(self, htype: str) -> None:
        rng = random.Random(8)
        for _ in range(25):
            sets = [frozenset(rng.sample(range(6), rng.randint(1, 3))) for _ in range(rng.randint(1, 6))]
            hitting = [
                frozenset(chosen)
                for size in range(7)
                for chosen in itertools.combinations(range(6), size)
                if all(members & set(chosen) for members in sets)
            ]
            minimal = family(h for h in hitting if not any(other < h for other in hitting))
            assert minimal_hitting_sets(sets, htype=htype) == minimal, sets


class TestLimits:
    def test_of_exhaustion(self) -> None:
        with pytest.raises(TooLarge, match="17 selectors"):
            selector_primes_exhaustive(selector_dnf(cnf([(1,)] * 17)), 17)
        with pytest.raises(TooLarge, match="15 variables"):
            selector_primes_exhaustive(selector_dnf(cnf([tuple(range(1, 16))])), 1)
        # Variables that do not occur cost nothing.
        assert selector_primes_exhaustive(selector_dnf(cnf([(), (40,)], 90)), 2) == family([{0}])

    def test_of_the_expansion(self, monkeypatch: pytest.MonkeyPatch) -> None:
        formula = cnf([(-v, v + 1) for v in range(1, 8)])
        monkeypatch.setattr(selector_primes, "MAX_BRANCHES", 5)
        with pytest.raises(TooLarge, match="over 5 branches"):
            selector_primes_by_expansion(selector_dnf(formula), 7)
        monkeypatch.undo()
        pairs = cnf([clause for v in range(1, 5) for clause in ((v,), (-v,))])
        monkeypatch.setattr(selector_primes, "MAX_CLAUSES", 15)
        with pytest.raises(TooLarge, match="over 15 clauses"):
            selector_primes_by_expansion(selector_dnf(pairs), 8)

    def test_of_hitting_sets(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(selector_primes, "MAX_PRIMES", 2)
        assert len(minimal_hitting_sets([frozenset({1, 2})])) == 2
        with pytest.raises(TooLarge, match="over 2 minimal"):
            minimal_hitting_sets([frozenset({1, 2, 3})])
        with pytest.raises(OutOfTime):
            minimal_hitting_sets([frozenset({1, 2})], deadline=Deadline(0))

    def test_a_hundred_clauses_end_soon(self) -> None:
        rng = random.Random(1)
        formula = cnf([[rng.choice((1, -1)) * v for v in rng.sample(range(1, 21), 3)] for _ in range(90)])
        with pytest.raises(TooLarge):
            selector_primes_by_expansion(selector_dnf(formula), 90)


def test_mistakes_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hitting sets that are not minimal, and points left out: each makes some answer of the two routes another."""

    def differences() -> int:
        return sum(
            selector_primes_exhaustive(selector_dnf(f), len(f.clauses))
            != selector_primes_by_expansion(selector_dnf(f), len(f.clauses))
            for f in ODD.values()
        )

    assert differences() == 0
    with monkeypatch.context() as patch:
        patch.setattr(selector_primes, "minimal_hitting_sets", lambda sets, deadline: [frozenset().union(*sets)])
        assert differences() > 3
    with monkeypatch.context() as patch:
        whole = selector_primes._left_by_points
        patch.setattr(selector_primes, "_left_by_points", lambda terms, xs: sorted(whole(terms, xs))[1:])
        assert differences() > 3
