"""Prime implicants of ∀x. ψ over the selectors: the MUSes."""

from __future__ import annotations

import pytest
from odd_formulas import ODD, by_definition

from xpgcheck.oracles.propositional import selector_primes as module
from xpgcheck.oracles.propositional.clause_families import family
from xpgcheck.oracles.propositional.formulas import Dnf, cnf, dnf
from xpgcheck.oracles.propositional.limits import TooLarge
from xpgcheck.oracles.propositional.reduction import selector_dnf
from xpgcheck.oracles.propositional.selector_primes import selector_primes
from xpgcheck.oracles.propositional.truth_tables import muses_exhaustive


@pytest.mark.parametrize("name", ODD)
def test_they_are_the_muses_of_the_odd_ones(name: str) -> None:
    formula = ODD[name]
    assert selector_primes(selector_dnf(formula), len(formula.clauses)) == by_definition(formula)[0]


def test_a_selector_on_two_terms() -> None:
    """Not of the reduction's making, but a DNF that is taken."""
    assert selector_primes(dnf([(1, 3), (1, -3), (2,)]), 2) == family([{0}, {1}])


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
def test_terms_without_their_selector(psi: Dnf, selectors: int, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        selector_primes(psi, selectors)


def test_what_is_too_large_is_declined() -> None:
    with pytest.raises(TooLarge, match="17 selectors"):
        selector_primes(selector_dnf(cnf([(1,)] * 17)), 17)
    with pytest.raises(TooLarge, match="15 variables"):
        selector_primes(selector_dnf(cnf([tuple(range(1, 16))])), 1)
    # Variables that do not occur cost nothing.
    assert selector_primes(selector_dnf(cnf([(), (40,)], 90)), 2) == family([{0}])


def test_points_left_out_show(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = module._left_by_points
    monkeypatch.setattr(module, "_left_by_points", lambda terms, xs: sorted(whole(terms, xs))[1:])
    wrong = [f for f in ODD.values() if selector_primes(selector_dnf(f), len(f.clauses)) != muses_exhaustive(f)]
    assert len(wrong) > 3
