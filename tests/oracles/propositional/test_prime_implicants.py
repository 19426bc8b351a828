"""Prime implicants of DNFs: by the definition, from every term, by consensus and by Primer."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest
from explained_by_definition import ODD_DNFS, odd_dnf, primes_by_definition
from odd_formulas import odd_formula

from xpgcheck.oracles.propositional import primes_by_consensus, primes_exhaustive
from xpgcheck.oracles.propositional.formulas import Cnf, Dnf, Literals, clashes, cnf, dnf
from xpgcheck.oracles.propositional.limits import Deadline, OutOfTime, TooLarge
from xpgcheck.oracles.propositional.primes_by_consensus import prime_implicants_by_consensus
from xpgcheck.oracles.propositional.primes_by_pysat import prime_implicants_by_pysat
from xpgcheck.oracles.propositional.primes_exhaustive import prime_implicants_exhaustive
from xpgcheck.oracles.propositional.reduction import selector, selector_dnf
from xpgcheck.oracles.propositional.terms import sorted_terms

Route = Callable[[Dnf], tuple[Literals, ...]]
ROUTES: tuple[Route, ...] = (prime_implicants_exhaustive, prime_implicants_by_consensus, prime_implicants_by_pysat)


def random_cnf(rng: random.Random, variables: int, clauses: int) -> Cnf:
    return cnf(
        (
            [rng.choice((1, -1)) * v for v in rng.sample(range(1, variables + 1), rng.randint(1, 3))]
            for _ in range(clauses)
        ),
        variables,
    )


@pytest.mark.parametrize("name", ODD_DNFS)
@pytest.mark.parametrize("route", ROUTES)
def test_the_odd_ones(route: Route, name: str) -> None:
    formula = ODD_DNFS[name]
    assert route(formula) == sorted_terms(primes_by_definition(formula))


@pytest.mark.parametrize("route", ROUTES)
def test_some_answers_by_hand(route: Route) -> None:
    assert route(dnf([(1, 2), (-1, 3)])) == ((1, 2), (-1, 3), (2, 3))
    assert route(dnf([(1,), (-1,)])) == ((),)
    assert route(dnf([(1, -1)])) == ()
    assert route(selector_dnf(cnf([(1,), (-1,), (2,)]))) == ((1, 2), (1, -4), (2, 4), (3, -5))


def test_exhaustion_is_the_definition() -> None:
    rng = random.Random(1)
    for _ in range(60):
        formula = odd_dnf(rng, 4, 7)
        assert prime_implicants_exhaustive(formula) == sorted_terms(primes_by_definition(formula)), formula


@pytest.mark.parametrize("seed", range(4))
def test_every_route_agrees_on_random_formulas(seed: int) -> None:
    rng = random.Random(seed)
    sizes = set()
    for _ in range(50):
        formula = odd_dnf(rng) if rng.random() < 0.5 else selector_dnf(odd_formula(rng))
        primes = prime_implicants_exhaustive(formula)
        assert prime_implicants_by_consensus(formula) == primes, formula
        assert prime_implicants_by_pysat(formula) == primes, formula
        sizes.add(len(primes))
    assert {0, 1} < sizes
    assert max(sizes) > 8


@pytest.mark.slow
def test_every_route_agrees_on_thousands_of_random_formulas() -> None:
    rng = random.Random(7)
    for round_ in range(3_000):
        formula = odd_dnf(rng, 7, 12) if round_ % 2 else selector_dnf(odd_formula(rng, 8, 12))
        primes = prime_implicants_exhaustive(formula)
        assert prime_implicants_by_consensus(formula) == primes, formula
        assert prime_implicants_by_pysat(formula) == primes, formula


def test_12_selectors_and_8_variables_take_moments() -> None:
    psi = selector_dnf(random_cnf(random.Random(4), 8, 12))
    started = time.monotonic()
    primes = prime_implicants_exhaustive(psi)
    assert time.monotonic() - started < 1
    assert prime_implicants_by_consensus(psi) == primes
    assert len(primes) > 20


def test_reading_b_is_no_tautology() -> None:
    rng = random.Random(2)
    elsewhere = 0
    for _ in range(100):
        formula = odd_formula(rng)
        in_some = {literal for prime in prime_implicants_exhaustive(selector_dnf(formula)) for literal in prime}
        for position, clause in enumerate(formula.clauses):
            assert (selector(position) in in_some) == (not clashes(clause)), (formula, position)
            assert -selector(position) not in in_some
            elsewhere += clashes(clause)
    assert elsewhere > 10


class TestTooLarge:
    def test_exhaustion(self) -> None:
        both = [(literal,) for v in range(1, 13) for literal in (v, -v)]
        with pytest.raises(TooLarge, match="12 variables of both signs"):
            prime_implicants_exhaustive(dnf(both))
        with pytest.raises(TooLarge, match="21 variables of one sign"):
            prime_implicants_exhaustive(dnf([tuple(range(1, 22))]))
        with pytest.raises(TooLarge, match=r"3\^11 · 2\^11"):
            prime_implicants_exhaustive(dnf([*both[:22], tuple(range(12, 23))]))
        assert prime_implicants_exhaustive(dnf([(v,) for v in range(1, 21)])) == tuple((v,) for v in range(1, 21))

    def test_a_variable_in_clashing_terms_alone_does_not_count(self) -> None:
        clashing = [(v, -v) for v in range(1, 40)]
        assert prime_implicants_exhaustive(dnf([*clashing, (40,)])) == ((40,),)

    def test_consensus(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(primes_by_consensus, "MAX_CANDIDATES", 1_000)
        rng = random.Random(3)
        terms = [[rng.choice((1, -1)) * v for v in rng.sample(range(1, 26), 4)] for _ in range(60)]
        with pytest.raises(TooLarge, match="over 1000 terms at once by consensus"):
            prime_implicants_by_consensus(dnf(terms))

    def test_consensus_of_many_terms(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(primes_by_consensus, "MAX_TERMS", 3)
        assert len(prime_implicants_by_consensus(dnf([(1,), (2,), (3,)]))) == 3
        with pytest.raises(TooLarge, match="4 terms at once by consensus, of which 3"):
            prime_implicants_by_consensus(dnf([(1,), (2,), (3,), (4,)]))

    def test_primer(self) -> None:
        formula = ODD_DNFS["a consensus"]
        assert len(prime_implicants_by_pysat(formula, 3)) == 3
        with pytest.raises(TooLarge, match="over 2 prime implicants"):
            prime_implicants_by_pysat(formula, 2)
        with pytest.raises(TooLarge, match="over 0 prime implicants"):
            prime_implicants_by_pysat(dnf([()]), 0)
        with pytest.raises(OutOfTime):
            prime_implicants_by_pysat(formula, deadline=Deadline(0))


class TestMistakesShow:
    """What the routes are compared on tells mistakes of theirs: each of these makes some answer another."""

    def differences(self) -> int:
        rng = random.Random(10)
        formulas = [*ODD_DNFS.values(), *(odd_dnf(rng, 4, 7) for _ in range(50))]
        return sum(prime_implicants_exhaustive(f) != prime_implicants_by_consensus(f) for f in formulas)

    def test_none_without_a_mistake(self) -> None:
        assert self.differences() == 0

    def test_no_absorption(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(primes_by_consensus, "_absorbed", list)
        assert self.differences() > 3

    def test_unate_literals_not_minimal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(primes_exhaustive, "_minimal", lambda subsets, columns: subsets)
        assert self.differences() > 3

    def test_supersets_without_the_term(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(primes_exhaustive, "_supersets", lambda members: 1)
        assert self.differences() > 3


def test_terms_stand_in_one_order() -> None:
    assert sorted_terms([(2, 1, 1), (-1,), (1,), (1, 2), ()]) == ((), (1,), (-1,), (1, 2))
