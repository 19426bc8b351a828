"""MUSes and MCSes: by the definition, from every subset, and by MARCO."""

from __future__ import annotations

import itertools
import random
import time

import pytest
from odd_formulas import ODD, by_definition, odd_formula

from xpgcheck.oracles.propositional import marco, truth_tables
from xpgcheck.oracles.propositional.clause_families import MusEnumeration, family
from xpgcheck.oracles.propositional.formulas import Cnf, cnf
from xpgcheck.oracles.propositional.limits import Deadline, OutOfTime, TooLarge
from xpgcheck.oracles.propositional.marco import Muses, enumerate_muses
from xpgcheck.oracles.propositional.refutations import family_fault, family_refutation
from xpgcheck.oracles.propositional.truth_tables import mcses_exhaustive, muses_exhaustive


def many_muses(pairs: int) -> Cnf:
    """x_0, and for each pair a choice of two ways from x_i to x_{i+1}; ¬x_n: 2^pairs MUSes."""
    steps = [clause for i in range(1, pairs + 1) for clause in ((-i, i + 1), (-i, i + 1))]
    return cnf([(1,), *steps, (-pairs - 1,)])


@pytest.mark.parametrize("name", ODD)
def test_every_route_finds_the_muses_of_the_odd_ones(name: str) -> None:
    formula = ODD[name]
    muses, mcses = by_definition(formula)
    assert muses_exhaustive(formula) == muses
    assert mcses_exhaustive(formula) == mcses
    assert enumerate_muses(formula) == MusEnumeration(muses, mcses, complete=True)


def test_some_answers_by_hand() -> None:
    assert muses_exhaustive(ODD["equal unit clauses"]) == family([{0, 2}, {1, 2}])
    assert mcses_exhaustive(ODD["equal unit clauses"]) == family([{2}, {0, 1}])
    assert muses_exhaustive(ODD["the empty clause among others"]) == family([{1}, {0, 2}])
    assert (muses_exhaustive(cnf([])), mcses_exhaustive(cnf([]))) == ((), (frozenset(),))


def test_exhaustion_is_the_definition() -> None:
    rng = random.Random(5)
    for _ in range(60):
        formula = odd_formula(rng, 3, 6)
        assert (muses_exhaustive(formula), mcses_exhaustive(formula)) == by_definition(formula), formula


def test_exhaustion_says_what_is_too_large() -> None:
    with pytest.raises(TooLarge, match="15 clauses"):
        muses_exhaustive(cnf([(1,)] * 15))
    for question in (muses_exhaustive, mcses_exhaustive):
        with pytest.raises(TooLarge, match="15 variables"):
            question(cnf([(15,)]))


def test_exhaustion_at_its_limits_takes_moments() -> None:
    formula = Cnf(truth_tables.MAX_VARIABLES, tuple((v, -v % 15 - 15) for v in range(1, 15)))
    started = time.monotonic()
    assert muses_exhaustive(formula) == ()
    assert time.monotonic() - started < 300


def test_the_map_leaves_no_subset_out() -> None:
    formula = ODD["overlapping MUSes"]
    found = enumerate_muses(formula)
    for size in range(len(formula.clauses) + 1):
        for chosen in map(frozenset, itertools.combinations(range(len(formula.clauses)), size)):
            above = any(mus <= chosen for mus in found.muses)
            below = any(not chosen & mcs for mcs in found.mcses)
            assert above != below


@pytest.mark.parametrize("limit", [0, 1, 7, 8])
def test_no_more_are_listed_than_asked_for(limit: int) -> None:
    formula = many_muses(3)
    found = enumerate_muses(formula, limit=limit)
    assert len(found.muses) == limit
    assert found.complete == (limit == 8)
    assert set(found.muses) <= set(muses_exhaustive(formula))
    assert enumerate_muses(cnf([(1,)]), limit=0).complete


def test_the_time_for_a_list_is_kept() -> None:
    found = enumerate_muses(many_muses(30), deadline=Deadline(0.1))
    assert not found.complete
    assert all(len(mus) == 32 for mus in found.muses)
    assert enumerate_muses(many_muses(3), deadline=Deadline(0)) == MusEnumeration((), (), complete=False)


def test_marco_stops_inside_a_hard_question() -> None:
    from pysat.examples.genhard import PHP

    hard = PHP(nof_holes=11)
    started = time.monotonic()
    found = enumerate_muses(cnf(hard.clauses), deadline=Deadline(0.2))
    assert not found.complete
    assert time.monotonic() - started < 300


@pytest.mark.parametrize("seed", [0, 11, 37])
def test_cores_that_are_no_muses_are_shrunk(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    clauses = [tuple(rng.choice((1, -1)) * v for v in rng.sample(range(1, 19), 2)) for _ in range(44)]
    cores: list[frozenset[int]] = []
    shrink = Muses._shrink

    def spied(self: Muses, unsatisfiable: set[int], deadline: Deadline) -> None:
        cores.append(frozenset(unsatisfiable))
        shrink(self, unsatisfiable, deadline)

    monkeypatch.setattr(Muses, "_shrink", spied)
    formula = cnf(clauses, 18)
    found = enumerate_muses(formula)
    assert set(cores) - set(found.muses)
    assert len(cores) == len(found.muses)
    assert found.complete
    assert family_fault(formula, family_refutation(formula, found.muses, found.mcses)) is None


def test_marco_goes_on_where_it_stopped() -> None:
    formula = many_muses(3)
    with Muses(formula) as muses:
        assert not muses.explore(3, Deadline())
        assert len(muses.muses) == 3
        assert muses.explore(None, Deadline())
        assert family(muses.muses) == muses_exhaustive(formula)
        assert len(set(muses.muses)) == len(muses.muses) == 8


def test_a_model_that_does_not_hold_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marco, "clause_holds", lambda clause, point: False)
    with pytest.raises(AssertionError, match="does not satisfy clause"):
        enumerate_muses(cnf([(1,), (-1,)]))


def test_deadlines() -> None:
    assert not Deadline().passed()
    assert Deadline(0).passed()
    Deadline(60).check()
    with pytest.raises(OutOfTime):
        Deadline(0).check()
