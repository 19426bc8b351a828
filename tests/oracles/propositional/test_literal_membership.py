"""Whether a literal is in some prime implicant, by one SAT call: against the prime implicants themselves."""

from __future__ import annotations

import random
import time

import pytest
from explained_by_definition import ODD_DNFS, primes_by_definition

from xpgcheck.oracles.propositional import literal_membership
from xpgcheck.oracles.propositional.formulas import Dnf, clashes, cnf, dnf, dnf_holds
from xpgcheck.oracles.propositional.limits import Deadline, OutOfTime
from xpgcheck.oracles.propositional.literal_membership import critical_point, prime_implicant_with
from xpgcheck.oracles.propositional.reduction import selector, selector_dnf


def wrong_answers(formula: Dnf, primes: set[frozenset[int]]) -> list[int]:
    """Return the literals of which the answer is not what *primes*, all of them, say."""
    wrong = []
    for literal in (sign * v for v in range(1, formula.variables + 1) for sign in (1, -1)):
        found = prime_implicant_with(formula, literal)
        if found is None:
            right = not any(literal in prime for prime in primes)
        else:
            right = literal in found and frozenset(found) in primes and list(found) == sorted(found, key=abs)
        if not right:
            wrong.append(literal)
    return wrong


@pytest.mark.parametrize("name", ODD_DNFS)
def test_the_odd_ones(name: str) -> None:
    formula = ODD_DNFS[name]
    assert wrong_answers(formula, primes_by_definition(formula)) == []


def test_reading_b_is_no_tautology_for_large_formulas() -> None:
    rng = random.Random(2)
    clauses = [[rng.choice((1, -1)) * v for v in rng.choices(range(1, 61), k=3)] for _ in range(100)]
    psi = selector_dnf(cnf([*clauses, (5, -5)]))
    started = time.process_time()
    for position, clause in enumerate([*clauses, (5, -5)]):
        found = prime_implicant_with(psi, selector(position))
        assert (found is None) == clashes(tuple(clause))
    assert time.process_time() - started < 60


def test_the_point_changes_with_the_literal() -> None:
    formula = dnf([(1, 2), (-1, 3)])
    for literal in (1, -1, 2, 3):
        point = critical_point(formula, literal)
        assert point is not None
        v = abs(literal) - 1
        assert point[v] == (literal > 0)
        assert dnf_holds(formula, point)
        assert not dnf_holds(formula, (*point[:v], not point[v], *point[v + 1 :]))
    assert critical_point(formula, -2) is None


@pytest.mark.parametrize("literal", [0, 3, -3])
def test_a_literal_over_no_variable(literal: int) -> None:
    with pytest.raises(ValueError, match=f"literal {literal} is not over the variables 1 … 2"):
        prime_implicant_with(dnf([(1, 2)]), literal)


def test_time_that_is_over() -> None:
    with pytest.raises(OutOfTime):
        prime_implicant_with(dnf([(1, 2)]), 1, deadline=Deadline(0))


class TestMistakesShow:
    def test_f_not_asked_to_be_1(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The flipped test alone: the point is replayed, and a 0 there is seen."""
        monkeypatch.setattr(literal_membership, "solved", lambda solver, assumptions, deadline: bool(solver.solve()))
        monkeypatch.setattr(literal_membership, "_point", lambda solver, variables: (True, False))
        with pytest.raises(AssertionError, match="does not show that 1 is needed"):
            prime_implicant_with(dnf([(1, 2)]), 1)

    def test_a_term_that_is_no_implicant(self) -> None:
        with pytest.raises(AssertionError, match="not an implicant"):
            literal_membership._shrunk(dnf([(1, 2)]), {1}, 1, Deadline())

    def test_a_literal_that_can_be_spared(self) -> None:
        with pytest.raises(AssertionError, match="shown to be needed, and is not"):
            literal_membership._shrunk(dnf([(1,)], 3), {1, 2, 3}, 2, Deadline())

    def test_a_point_that_does_not_show_the_need(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(literal_membership, "_point", lambda solver, variables: (True, True))
        with pytest.raises(AssertionError, match="does not show that 2 is needed"):
            literal_membership._shrunk(dnf([(1, 2)]), {1, 2}, 1, Deadline())

    def test_no_shrinking(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(literal_membership, "_shrunk", lambda formula, implicant, literal, deadline: implicant)
        formula = dnf([(1, 2, 3), (1, 2, -3)])
        assert wrong_answers(formula, primes_by_definition(formula)) == [1, 2]
