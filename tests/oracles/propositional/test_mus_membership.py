"""MUS membership by CEGAR against the definition; witnesses and refutations, and each way to spoil them."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

import pytest
from odd_formulas import ODD, by_definition, odd_formula

from xpgcheck.oracles.propositional import limits
from xpgcheck.oracles.propositional.formulas import Cnf, Literals, Point, clause_holds, cnf, points
from xpgcheck.oracles.propositional.limits import Deadline, OutOfTime
from xpgcheck.oracles.propositional.membership_cegar import (
    MusMembership,
    MusWith,
    NoEvidence,
    mus_with,
    no_clauses,
    no_evidence,
    no_fault,
)

APART = cnf([(1,), (-1,), (2,), (-2, 3), (2, -3), (1, 3)])
"""Clauses 0 and 1 are a MUS; the others are in none."""


def formulas(name: str, count: int) -> list[Cnf]:
    return [*ODD.values(), *(odd_formula(random.Random(f"{name} {seed}")) for seed in range(count))]


def random_3cnf(variables: int, clauses: int, seed: object) -> Cnf:
    rng = random.Random(f"3-CNF {seed}")
    chosen = [rng.sample(range(1, variables + 1), 3) for _ in range(clauses)]
    return cnf([tuple(rng.choice((v, -v)) for v in clause) for clause in chosen], variables)


def alternatives(pairs: int) -> Cnf:
    """A chain of implications with two ways at each link: 2^pairs MUSes, and a clause in none at its end."""
    links = [(-link, link + 1) for link in range(1, pairs + 1) for _ in range(2)]
    return cnf([(1,), *links, (-pairs - 1,), (1, pairs + 2)])


def holds(formula: Cnf, point: Point) -> bool:
    return all(clause_holds(clause, point) for clause in formula.clauses)


class Steps(Deadline):
    """A deadline that passes after so many looks at it."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self.steps = steps

    def passed(self) -> bool:
        self.steps -= 1
        return self.steps < 0


def right(formula: Cnf, clause: int, asked: MusMembership, muses: Iterable[frozenset[int]]) -> bool:
    try:
        said = asked.mus_with(clause, Steps(2_000))
    except (AssertionError, OutOfTime):
        return False
    if said.mus is not None:
        return clause in said.mus and said.mus in muses
    if any(clause in mus for mus in muses):
        return False
    try:
        return no_fault(formula, clause, no_evidence(formula, clause, said.counterexamples)) is None
    except ValueError:
        return False


def test_an_answer_does_not_depend_on_earlier_questions() -> None:
    for formula in formulas("alone", 40):
        order = list(range(len(formula.clauses)))
        random.Random(repr(formula)).shuffle(order)
        with MusMembership(formula) as asked:
            together = {clause: asked.mus_with(clause).mus is not None for clause in order}
        assert together == {clause: mus_with(formula, clause).mus is not None for clause in order}


def test_questions_share_what_they_learn() -> None:
    formula = alternatives(10)
    with MusMembership(formula) as asked:
        first = asked.mus_with(0)
        learned = len(asked.counterexamples)
        assert first.mus is not None
        for clause in first.mus:
            assert asked.mus_with(clause).mus == first.mus
        assert len(asked.counterexamples) == learned
        answers = [asked.mus_with(clause).mus is not None for clause in range(len(formula.clauses))]
        assert len(asked.counterexamples) <= 2 * len(formula.clauses)
    assert answers == [True] * (len(answers) - 1) + [False]


def test_counterexamples_leave_correction_sets_that_are_minimal() -> None:
    formula = random_3cnf(6, 36, "grown")
    with MusMembership(formula) as asked:
        for clause in range(len(formula.clauses)):
            asked.mus_with(clause)
        assert asked.counterexamples
        held = [frozenset(i for i, c in enumerate(formula.clauses) if clause_holds(c, x)) for x in points(6)]
        for x in asked.counterexamples:
            mine = frozenset(i for i, c in enumerate(formula.clauses) if clause_holds(c, x))
            assert not any(mine < other for other in held)


def test_the_counterexamples_of_a_no_are_those_it_needs() -> None:
    for formula in formulas("needed", 60):
        with MusMembership(formula) as asked:
            for clause in range(len(formula.clauses)):
                said = asked.mus_with(clause)
                assert set(said.counterexamples) <= set(asked.counterexamples)
                assert all(clause_holds(formula.clauses[clause], x) for x in said.counterexamples)
                assert len(set(said.counterexamples)) == len(said.counterexamples)


@pytest.mark.parametrize("name", ["no clause", "no clause, variables"])
def test_a_formula_without_clauses_has_none_to_ask_about(name: str) -> None:
    with MusMembership(ODD[name]) as asked:
        assert asked.model() == (False,) * ODD[name].variables
    with pytest.raises(ValueError, match="0 clauses, and none at position 0"):
        mus_with(ODD[name], 0)


def test_a_satisfiable_formula_is_refuted_by_one_point() -> None:
    formula = ODD["satisfiable"]
    for clause in range(2):
        said = mus_with(formula, clause)
        assert said.mus is None
        (model,) = said.counterexamples
        assert holds(formula, model)
        assert no_clauses(formula, clause, said.counterexamples)[-1] == ()


def test_a_tautology_needs_no_counterexample() -> None:
    assert mus_with(ODD["a tautology between"], 1) == MusWith(None, ())
    assert no_evidence(ODD["a tautology between"], 1, ()).counterexamples == ()


def test_the_empty_clause_is_a_mus_alone_and_keeps_others_out_of_none() -> None:
    formula = ODD["the empty clause among others"]
    assert mus_with(formula, 1).mus == {1}
    assert mus_with(formula, 0).mus == {0, 2}


def test_equal_clauses_are_members_each_for_itself() -> None:
    formula = ODD["equal unit clauses"]
    assert [mus_with(formula, clause).mus for clause in range(2)] == [{0, 2}, {1, 2}]


def test_the_model_of_a_formula() -> None:
    for formula in formulas("model", 60):
        with MusMembership(formula) as asked:
            model = asked.model(Deadline(60))
            assert (model is not None) == any(holds(formula, point) for point in points(formula.variables))
            assert model is None or holds(formula, model)


@pytest.mark.parametrize("clause", [-1, 6])
def test_a_clause_that_the_formula_lacks_is_refused_by_name(clause: int) -> None:
    problem = f"6 clauses, and none at position {clause} "
    with pytest.raises(ValueError, match=problem):
        mus_with(APART, clause)
    with pytest.raises(ValueError, match=problem):
        no_evidence(APART, clause, ())
    assert problem in (no_fault(APART, clause, NoEvidence((), ((),))) or "")


def test_out_of_time_is_said_and_does_no_harm() -> None:
    formula = random_3cnf(12, 70, "time")
    with MusMembership(formula) as asked:
        with pytest.raises(OutOfTime):
            asked.mus_with(0, Deadline(0))
        with pytest.raises(OutOfTime):
            asked.model(Deadline(0))
        assert (asked.mus_with(0).mus is None) == (mus_with(formula, 0).mus is None)


def test_interrupted_at_any_moment_the_next_answer_is_right() -> None:
    for formula in formulas("interrupted", 30):
        muses, _ = by_definition(formula)
        with MusMembership(formula) as asked:
            for clause in range(len(formula.clauses)):
                for steps in range(1, 60, 7):
                    with suppress(OutOfTime):
                        asked.mus_with(clause, Steps(steps))
                assert right(formula, clause, asked, muses), (formula, clause)


def test_a_hundred_clauses_with_a_million_muses_take_seconds() -> None:
    formula = alternatives(49)
    started = time.process_time()
    with MusMembership(formula) as asked:
        answers = [asked.mus_with(clause).mus is not None for clause in range(len(formula.clauses))]
    assert answers == [True] * 100 + [False]
    assert time.process_time() - started < 30


def test_a_model_that_is_none_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MusMembership, "_point", lambda self, _: (False,) * self.formula.variables)
    with pytest.raises(AssertionError, match="does not satisfy clause 0"), MusMembership(cnf([(1,), (2,)])) as asked:
        asked.mus_with(0)


def no_of(formula: Cnf, clause: int) -> NoEvidence:
    said = mus_with(formula, clause)
    assert said.mus is None
    return no_evidence(formula, clause, said.counterexamples)


def test_the_clauses_of_a_no_are_these() -> None:
    formula = cnf([(1, -2), (-1, 1), (), (2, 2)])
    found = no_clauses(formula, 0, [(True, True), (True, False), (False, True)])
    assert found == ((-1,), (2,), (-4, -1, 1), (-5,), (-6, 2, 2), (5,), (5, 6))


def test_the_clauses_of_a_no_hold_of_every_mus_with_the_clause() -> None:
    checked = 0
    for formula in formulas("sound", 80):
        muses, _ = by_definition(formula)
        everywhere = list(points(formula.variables))
        for mus in muses:
            for clause in mus:
                rest = [formula.clauses[other] for other in mus if other != clause]
                y = next(y for y in everywhere if all(clause_holds(other, y) for other in rest))
                at = (*y, *(position in mus for position in range(len(formula.clauses))))
                assert all(clause_holds(c, at) for c in no_clauses(formula, clause, everywhere)), (formula, mus, clause)
                with pytest.raises(ValueError, match=f"do not show that clause {clause} "):
                    no_evidence(formula, clause, everywhere)
                checked += 1
    assert checked > 100


def test_evidence_of_a_no_is_refused_of_a_member() -> None:
    evidence = no_of(APART, 2)
    assert no_fault(APART, 2, evidence) is None
    for clause in (0, 1):
        assert "is not RUP" in (no_fault(APART, clause, evidence) or "")


def test_spoilt_evidence_of_a_no_is_refused() -> None:
    formula = cnf([*random_3cnf(5, 40, "spoilt").clauses, (6,), (-6, 1, 2), (7, -6)])
    clause = 42
    evidence = no_of(formula, clause)
    assert len(evidence.counterexamples) > 1
    assert no_fault(formula, clause, evidence) is None
    lines: tuple[Literals, ...] = evidence.refutation
    flipped = tuple(not value for value in evidence.counterexamples[0])
    spoilt = {
        "values, not 7": replace(evidence, counterexamples=((True,) * 6, *evidence.counterexamples[1:])),
        "the last line is not the empty clause": replace(evidence, refutation=lines[:-1]),
        "0 is no literal": replace(evidence, refutation=((0,), *lines)),
        "() is not RUP": replace(evidence, refutation=((),), counterexamples=()),
        "is not RUP": replace(evidence, counterexamples=(flipped,) * len(evidence.counterexamples)),
    }
    for problem, other in spoilt.items():
        fault = no_fault(formula, clause, other)
        assert fault is not None
        assert problem in fault
    assert no_fault(formula, clause, replace(evidence, counterexamples=evidence.counterexamples * 2)) is None


def test_evidence_of_a_no_keeps_to_its_time() -> None:
    evidence = no_of(APART, 2)
    with pytest.raises(OutOfTime):
        no_fault(APART, 2, evidence, deadline=Deadline(0))
    with pytest.raises(OutOfTime):
        no_evidence(APART, 2, evidence.counterexamples, deadline=Deadline(0))
    in_time = no_evidence(APART, 2, evidence.counterexamples, deadline=Deadline(60))
    assert no_fault(APART, 2, in_time) is None


def test_solvers_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = MusMembership(APART)
    with pytest.raises(RuntimeError, match="mine"), asked:
        raise RuntimeError("mine")
    assert asked._outer.solver is None
    assert asked._inner.solver is None
    monkeypatch.setattr(limits, "CONFLICTS", 1)
    assert mus_with(random_3cnf(8, 60, "budget"), 0).mus == mus_with(random_3cnf(8, 60, "budget"), 0).mus
