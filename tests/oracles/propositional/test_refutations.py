"""Refutations and the evidence made of them: right ones are accepted, and each way to spoil one is refused."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from odd_formulas import ODD, odd_formula
from plain_propagation import first_fault

from xpgcheck.oracles.propositional.clause_families import family
from xpgcheck.oracles.propositional.formulas import cnf
from xpgcheck.oracles.propositional.limits import Deadline, OutOfTime
from xpgcheck.oracles.propositional.refutations import (
    FamilyEvidence,
    MusEvidence,
    family_fault,
    family_refutation,
    mus_evidence,
    mus_fault,
)
from xpgcheck.oracles.propositional.rup import refutation, rup_fault
from xpgcheck.oracles.propositional.truth_tables import mcses_exhaustive, muses_exhaustive

UNSATISFIABLE = [name for name, formula in ODD.items() if muses_exhaustive(formula)]
SATISFIABLE = [name for name in ODD if name not in UNSATISFIABLE]
OVERLAPPING = ODD["overlapping MUSes"]


@pytest.mark.parametrize("name", UNSATISFIABLE)
def test_of_the_odd_ones(name: str) -> None:
    clauses = ODD[name].clauses
    lines = refutation(clauses)
    assert lines[-1] == ()
    assert rup_fault(clauses, lines) is None
    assert first_fault(clauses, lines) is None


@pytest.mark.parametrize("name", SATISFIABLE)
def test_satisfiable_clauses_have_none(name: str) -> None:
    with pytest.raises(ValueError, match="satisfiable"):
        refutation(ODD[name].clauses)
    assert rup_fault(ODD[name].clauses, [()]) == "line 1: () is not RUP"


def test_the_empty_clause_is_its_own_refutation() -> None:
    assert refutation([(1, 2), ()]) == ((),)
    assert rup_fault([(1, 2), ()], [()]) is None


def test_the_last_line_has_to_be_the_empty_clause() -> None:
    clauses = [(1,), (-1,)]
    assert rup_fault(clauses, []) == "the last line is not the empty clause"
    assert rup_fault(clauses, [(), (1,)]) == "the last line is not the empty clause"


def test_0_is_no_literal() -> None:
    assert rup_fault([(1,), (-1,)], [(0,), ()]) == "line 1: 0 is no literal"
    assert rup_fault([(1, 0), (-1,)], [()]) == "the clauses hold 0, which is no literal"


def test_the_line_at_fault_is_named() -> None:
    clauses = [(1, 2), (1, -2), (-1, 2), (-1, -2)]
    assert rup_fault(clauses, [(1,), ()]) is None
    assert rup_fault(clauses, [(1, 3), (1,), ()]) is None
    assert rup_fault(clauses, [()]) == "line 1: () is not RUP"
    assert rup_fault(clauses[:3], [(1, 3), (3,), (1,), ()]) == "line 2: (3) is not RUP"
    assert rup_fault(clauses[:3], [(1,), ()]) == "line 2: () is not RUP"


def test_a_variable_of_the_lines_alone_proves_nothing() -> None:
    assert rup_fault([(1, 2)], [(7,), (-7,), ()]) == "line 1: (7) is not RUP"
    assert rup_fault([(1,), (-1,)], [(9, -9), ()]) is None


def test_the_checker_agrees_with_a_naive_one_on_random_lines() -> None:
    rng = random.Random(1)
    verdicts = {True: 0, False: 0}
    for _ in range(1_500):
        formula = odd_formula(rng, 5, 12)
        clauses = [clause for clause in formula.clauses if clause]
        lines = [
            tuple(rng.choice((1, -1)) * rng.randint(1, 6) for _ in range(rng.randint(1, 3)))
            for _ in range(rng.randint(0, 4))
        ]
        lines.append(())
        fault, expected = rup_fault(clauses, lines), first_fault(clauses, lines)
        assert (fault is None) == (expected is None), (clauses, lines)
        assert fault is None or fault.startswith(f"line {expected}:"), (clauses, lines)
        verdicts[fault is None] += 1
    assert min(verdicts.values()) > 100


@pytest.mark.parametrize(("family_name", "size"), [("PHP", 6), ("GT", 7), ("CB", 4), ("PAR", 4)])
def test_hard_families(family_name: str, size: int) -> None:
    from pysat.examples import genhard

    clauses = [tuple(clause) for clause in getattr(genhard, family_name)(size).clauses]
    lines = refutation(clauses)
    assert rup_fault(clauses, lines) is None
    assert rup_fault(clauses[1:], lines) is not None


@pytest.mark.parametrize("made", [lambda: None, Deadline, lambda: Deadline(600)])
def test_refutations_that_can_be_interrupted_are_accepted_too(made: Callable[[], Deadline | None]) -> None:
    deadline = made()
    from pysat.examples.genhard import GT, PHP

    for hard in (PHP(5).clauses, GT(6).clauses, [[1], [-1]], [[]]):
        clauses = [tuple(clause) for clause in hard]
        assert rup_fault(clauses, refutation(clauses, deadline=deadline)) is None
    for formula in (OVERLAPPING, ODD["satisfiable"], ODD["the empty clause among others"]):
        muses, mcses = muses_exhaustive(formula), mcses_exhaustive(formula)
        assert family_fault(formula, family_refutation(formula, muses, mcses, deadline=deadline)) is None
    with pytest.raises(ValueError, match="satisfiable"):
        refutation([(1, 2)], deadline=deadline)


def test_a_refutation_that_takes_long_is_given_up() -> None:
    from pysat.examples.genhard import PHP

    started = time.monotonic()
    with pytest.raises(OutOfTime):
        refutation(PHP(12).clauses, deadline=Deadline(0.3))
    assert time.monotonic() - started < 300


def test_out_of_time() -> None:
    with pytest.raises(OutOfTime):
        refutation([(1,), (-1,)], deadline=Deadline(0))
    with pytest.raises(OutOfTime):
        mus_evidence(OVERLAPPING, {0, 1}, deadline=Deadline(0))
    with pytest.raises(OutOfTime):
        family_refutation(OVERLAPPING, [{0, 1}], [], deadline=Deadline(0))
    with pytest.raises(OutOfTime):
        rup_fault([(1,), (-1,)], [()], deadline=Deadline(0))


def test_checking_is_fast_enough() -> None:
    from pysat.examples.genhard import PHP

    clauses = [tuple(clause) for clause in PHP(nof_holes=6).clauses]
    lines = refutation(clauses)
    started = time.process_time()
    assert rup_fault(clauses, lines) is None
    assert (time.process_time() - started) / len(lines) < 1e-3


def mutated_mus() -> dict[str, tuple[MusEvidence, str]]:
    formula = OVERLAPPING
    mus = mus_evidence(formula, {0, 2, 3})
    wrong_model = tuple(not value for value in mus.models[0])
    return {
        "no such clause": (replace(mus, clauses=(0, 2, 99)), "not ascending positions"),
        "a negative position": (replace(mus, clauses=(-1, 2, 3)), "not ascending positions"),
        "not ascending": (replace(mus, clauses=(2, 0, 3)), "not ascending positions"),
        "a clause twice": (replace(mus, clauses=(0, 2, 2, 3)), "not ascending positions"),
        "a model too few": (replace(mus, models=mus.models[1:]), "3 clauses, but 2 models"),
        "models in another order": (replace(mus, models=mus.models[::-1]), "does not satisfy clause"),
        "a short model": (replace(mus, models=(mus.models[0][:-1], *mus.models[1:])), "has 2 values, not 3"),
        "a wrong model": (replace(mus, models=(wrong_model, *mus.models[1:])), "without clause 0 does not satisfy"),
        "a superset": (replace(mus, clauses=(0, 1, 2, 3)), "4 clauses, but 3 models"),
        "a subset": (replace(mus, clauses=(0, 2), models=mus.models[:2]), "does not satisfy clause|refutation"),
        "no refutation": (replace(mus, refutation=()), "the last line is not the empty clause"),
    }


@pytest.mark.parametrize("name", mutated_mus())
def test_spoilt_evidence_of_a_mus_is_refused(name: str) -> None:
    evidence, reason = mutated_mus()[name]
    fault = mus_fault(OVERLAPPING, evidence)
    assert fault is not None
    assert any(part in fault for part in reason.split("|")), fault


def test_a_spoilt_refutation_of_a_mus_is_refused() -> None:
    formula = cnf([(1, 2), (1, -2), (-1, 2), (-1, -2)])
    mus = mus_evidence(formula, range(4))
    assert mus_fault(formula, mus) is None
    assert mus_fault(formula, replace(mus, refutation=((),))) == "the refutation: line 1: () is not RUP"


def test_what_is_no_mus_has_no_evidence() -> None:
    with pytest.raises(ValueError, match="stays unsatisfiable without clause"):
        mus_evidence(OVERLAPPING, {0, 1, 2})
    with pytest.raises(ValueError, match="it is satisfiable"):
        mus_evidence(OVERLAPPING, {0, 2})
    with pytest.raises(ValueError, match="it is satisfiable"):
        mus_evidence(cnf([]), [])
    with pytest.raises(ValueError, match="not positions"):
        mus_evidence(OVERLAPPING, {17})


def test_evidence_of_each_family() -> None:
    rng = random.Random(3)
    formulas = [*ODD.values(), *(odd_formula(rng) for _ in range(150))]
    for formula in formulas:
        muses, mcses = muses_exhaustive(formula), mcses_exhaustive(formula)
        evidence = family_refutation(formula, muses, mcses)
        assert (family(e.clauses for e in evidence.muses), evidence.mcses) == (muses, mcses)
        assert family_fault(formula, evidence) is None, formula


def test_a_family_that_lacks_a_set_has_no_evidence() -> None:
    muses, mcses = muses_exhaustive(OVERLAPPING), mcses_exhaustive(OVERLAPPING)
    assert len(muses) > 1
    for lacking in (muses[1:], muses[:-1]):
        with pytest.raises(ValueError, match="lack a MUS or an MCS"):
            family_refutation(OVERLAPPING, lacking, mcses)
    with pytest.raises(ValueError, match="lack a MUS or an MCS"):
        family_refutation(OVERLAPPING, muses, mcses[1:])
    with pytest.raises(ValueError, match="no correction set"):
        family_refutation(OVERLAPPING, muses, [*mcses, {4}])
    with pytest.raises(ValueError, match="is no MUS"):
        family_refutation(OVERLAPPING, [*muses, {0, 1, 2}], mcses)


def mutated_family() -> dict[str, tuple[FamilyEvidence, str]]:
    good = family_refutation(OVERLAPPING, muses_exhaustive(OVERLAPPING), mcses_exhaustive(OVERLAPPING))
    wrong_model = tuple(not value for value in good.models[0])
    superset = good.mcses[0] | {5} if 5 not in good.mcses[0] else good.mcses[0] | {1}
    bad_mus = replace(good.muses[0], models=())
    return {
        "a MUS out": (replace(good, muses=good.muses[1:]), ""),
        "an MCS out": (replace(good, mcses=good.mcses[1:], models=good.models[1:]), "the refutation"),
        "a MUS twice": (replace(good, muses=(*good.muses, good.muses[0])), "listed twice"),
        "a MUS broken": (replace(good, muses=(bad_mus, *good.muses[1:])), "MUS 0: 2 clauses, but 0 models"),
        "an MCS twice": (
            replace(good, mcses=(*good.mcses, good.mcses[0]), models=(*good.models, good.models[0])),
            "listed twice",
        ),
        "a model out": (replace(good, models=good.models[1:]), "MCSes, but"),
        "a wrong model": (replace(good, models=(wrong_model, *good.models[1:])), "MCS 0: the model does not satisfy"),
        "a short model": (replace(good, models=((), *good.models[1:])), "MCS 0: the model has 0 values"),
        "an MCS that is not minimal": (replace(good, mcses=(superset, *good.mcses[1:])), "it is not minimal"),
        "no such clause": (replace(good, mcses=(frozenset({99}), *good.mcses[1:])), "not positions"),
        "no refutation": (replace(good, refutation=((),)), "the refutation that no other exists: line 1"),
    }


@pytest.mark.parametrize("name", mutated_family())
def test_spoilt_evidence_of_a_family_is_refused(name: str) -> None:
    evidence, reason = mutated_family()[name]
    fault = family_fault(OVERLAPPING, evidence)
    assert fault is not None
    assert reason in fault
