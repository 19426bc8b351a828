"""Prime implicants of DNFs by consensus: against the definition, from every term."""

from __future__ import annotations

import random

import pytest
from explained_by_definition import ODD_DNFS, odd_dnf, primes_by_definition
from odd_formulas import odd_formula

from xpgcheck.oracles.propositional import prime_implicants as module
from xpgcheck.oracles.propositional.formulas import cnf, dnf
from xpgcheck.oracles.propositional.limits import TooLarge
from xpgcheck.oracles.propositional.prime_implicants import prime_implicants, sorted_terms
from xpgcheck.oracles.propositional.reduction import selector_dnf


@pytest.mark.parametrize("name", ODD_DNFS)
def test_the_odd_ones(name: str) -> None:
    formula = ODD_DNFS[name]
    assert prime_implicants(formula) == sorted_terms(primes_by_definition(formula))


def test_some_answers_by_hand() -> None:
    assert prime_implicants(dnf([(1, 2), (-1, 3)])) == ((1, 2), (-1, 3), (2, 3))
    assert prime_implicants(dnf([(1,), (-1,)])) == ((),)
    assert prime_implicants(dnf([(1, -1)])) == ()
    assert prime_implicants(selector_dnf(cnf([(1,), (-1,), (2,)]))) == ((1, 2), (1, -4), (2, 4), (3, -5))


def test_consensus_is_the_definition_on_random_formulas() -> None:
    rng = random.Random(1)
    sizes = set()
    for _ in range(60):
        formula = odd_dnf(rng, 4, 7) if rng.random() < 0.6 else selector_dnf(odd_formula(rng, 2, 4))
        primes = prime_implicants(formula)
        assert primes == sorted_terms(primes_by_definition(formula)), formula
        sizes.add(len(primes))
    assert {0, 1} < sizes
    assert max(sizes) > 5


def test_too_many_terms_at_once_are_declined(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(3)
    terms = [[rng.choice((1, -1)) * v for v in rng.sample(range(1, 26), 4)] for _ in range(60)]
    monkeypatch.setattr(module, "MAX_CANDIDATES", 1_000)
    with pytest.raises(TooLarge, match="over 1000 terms at once by consensus"):
        prime_implicants(dnf(terms))
    monkeypatch.setattr(module, "MAX_TERMS", 3)
    assert len(prime_implicants(dnf([(1,), (2,), (3,)]))) == 3
    with pytest.raises(TooLarge, match="4 terms at once by consensus, of which 3"):
        prime_implicants(dnf([(1,), (2,), (3,), (4,)]))


def test_a_variable_in_clashing_terms_alone_does_not_count() -> None:
    assert prime_implicants(dnf([*((v, -v) for v in range(1, 40)), (40,)])) == ((40,),)


def test_terms_stand_in_one_order() -> None:
    assert sorted_terms([(2, 1, 1), (-1,), (1,), (1, 2), ()]) == ((), (1,), (-1,), (1, 2))
