"""Verdicts and their lines from answers made by hand: what holds, what fails first, what stays open and why."""

from __future__ import annotations

from typing import Any

import pytest

from xpgcheck.judging.verdicts import Outcome
from xpgcheck.oracles.propositional.formulas import cnf
from xpgcheck.paper.reduction.answers import ClauseStudy, Reading, ReadingVerdict, RouteAnswer, Settled, Study
from xpgcheck.paper.reduction.clause_texts import clause_text, point_text, set_text, term_text
from xpgcheck.paper.reduction.console import muses_lines, verdict_line
from xpgcheck.paper.reduction.verdicts import exit_status, outcome_of, verdict_on
from xpgcheck.properties.reduction.catalogue import clauses_text

FORMULA = cnf([(1,), (-1,), (2,)])
YES, NO, OPEN = Settled(True), Settled(False), Settled(None, reason="CEGAR: out of time")


def clause(number: int, member: Settled, at_points: tuple[bool | None, ...] = (), **said: Settled) -> ClauseStudy:
    selected = {Reading(name.replace("_", "-")): answer for name, answer in said.items()}
    return ClauseStudy(number, member, selected=selected, at_points=at_points)


@pytest.mark.parametrize(
    ("members", "selected", "outcome", "fails", "opens"),
    [
        ((YES, NO), (YES, NO), Outcome.HOLDS, (), ()),
        ((YES, NO), (NO, NO), Outcome.VIOLATED, (0,), ()),
        ((YES, NO), (YES, YES), Outcome.VIOLATED, (1,), ()),
        ((YES, OPEN), (YES, YES), Outcome.INCONCLUSIVE, (), (1,)),
        ((YES, YES), (YES, OPEN), Outcome.INCONCLUSIVE, (), (1,)),
        ((OPEN, NO), (YES, YES), Outcome.VIOLATED, (1,), (0,)),
        ((), (), Outcome.HOLDS, (), ()),
    ],
)
@pytest.mark.parametrize("reading", [Reading.A, Reading.B, Reading.D])
def test_a_reading_holds_where_it_says_what_is_right(
    reading: Reading,
    members: tuple[Settled, ...],
    selected: tuple[Settled, ...],
    outcome: Outcome,
    fails: tuple[int, ...],
    opens: tuple[int, ...],
) -> None:
    studies = [
        clause(k, member, **{reading.value: said})
        for k, (member, said) in enumerate(zip(members, selected, strict=True))
    ]
    found = verdict_on(reading, FORMULA, studies)
    assert (found.outcome, found.fails_at, found.open_at, found.asked) == (outcome, fails, opens, len(members))
    assert bool(found.evidence) is (outcome is not Outcome.HOLDS)


@pytest.mark.parametrize(
    ("member", "at_points", "outcome"),
    [
        (YES, (True, True, True, True), Outcome.HOLDS),
        (NO, (False, False, False, False), Outcome.HOLDS),
        (NO, (False, None, True, False), Outcome.VIOLATED),
        (YES, (True, None, True, True), Outcome.INCONCLUSIVE),
        (OPEN, (True, True, True, True), Outcome.INCONCLUSIVE),
        (YES, (), Outcome.INCONCLUSIVE),
    ],
)
def test_reading_c_is_asked_at_each_point(
    member: Settled, at_points: tuple[bool | None, ...], outcome: Outcome
) -> None:
    assert verdict_on(Reading.C, FORMULA, [clause(2, member, at_points)]).outcome is outcome


@pytest.mark.parametrize(
    ("reading", "study", "evidence"),
    [
        (
            Reading.B,
            ClauseStudy(2, NO, selected={Reading.B: YES}, prime_implicant=(3, -5)),
            "clause 3, (x2), is in no MUS; s_3 ∧ ¬x2 is a PI of ψ",
        ),
        (
            Reading.C,
            ClauseStudy(2, NO, selected={}, axp=frozenset({2, 4}), at_points=(True, False, True, False)),
            "clause 3, (x2), is in no MUS; s_3 is in an AXp, {s_3, x2} at x₀ = (0,0) (and 1 more of 4 x₀)",
        ),
        (
            Reading.C,
            ClauseStudy(0, YES, selected={}, axp=frozenset({0, 1}), at_points=(True, True, True, False)),
            "clause 1, (x1), is in a MUS; s_1 is in no AXp at x₀ = (1,1)",
        ),
        (Reading.A, clause(0, YES, A=NO), "clause 1, (x1), is in a MUS; s_1 is not selected"),
        (Reading.A, clause(0, OPEN, A=NO), "clause 1, in some MUS? CEGAR: out of time"),
        (Reading.A, clause(0, YES, A=OPEN), "clause 1, selected? CEGAR: out of time"),
        (Reading.C_SOME, clause(0, YES), "not asked"),
        (Reading.C, clause(0, YES), "not asked"),
    ],
)
def test_why(reading: Reading, study: ClauseStudy, evidence: str) -> None:
    assert verdict_on(reading, FORMULA, [study]).evidence == evidence


def made(outcomes: dict[Reading, Outcome], members: tuple[Settled, ...] = (YES,), **known: Any) -> Study:
    readings = tuple(ReadingVerdict(reading, outcome, 1) for reading, outcome in outcomes.items())
    clauses = tuple(clause(k, member) for k, member in enumerate(members))
    given: dict[str, Any] = {"satisfiable": False, "complete": True, "faults": (), **known}
    return Study("f", FORMULA, model=None, muses=(), mcses=(), family=None, clauses=clauses, readings=readings, **given)


HOLDING = {Reading.A: Outcome.HOLDS, Reading.B: Outcome.VIOLATED, Reading.D: Outcome.INCONCLUSIVE}
DISPUTED = Settled(None, (RouteAnswer("a", True), RouteAnswer("b", False)), "disagreement: a say yes, b no")


@pytest.mark.parametrize(
    ("required", "options", "status"),
    [
        ([Reading.A], {}, 0),
        ([Reading.B], {}, 1),
        ([Reading.D], {}, 3),
        ([Reading.A, Reading.D], {}, 3),
        ([Reading.D, Reading.B, Reading.A], {}, 1),
        ([Reading.A], {"members": (YES, OPEN)}, 3),
        ([Reading.A], {"members": (YES, DISPUTED)}, 3),
        ([Reading.A], {"faults": ("the list of MUSes is called complete, and is not shown to be",)}, 3),
        ([Reading.B], {"members": (YES, OPEN)}, 1),
    ],
)
def test_the_exit_status(required: list[Reading], options: dict[str, Any], status: int) -> None:
    found = made(HOLDING, **options)
    assert exit_status(found, required) == status
    word = {0: "HOLDS", 1: "VIOLATED", 3: "INCONCLUSIVE"}[status]
    assert verdict_line(found, required).startswith(f"{word}: reading")
    assert outcome_of(found, required) is {0: Outcome.HOLDS, 1: Outcome.VIOLATED, 3: Outcome.INCONCLUSIVE}[status]


def test_the_last_line_counts() -> None:
    line = verdict_line(made(HOLDING, (YES, NO, OPEN)), [Reading.A, Reading.B])
    assert line == "VIOLATED: readings A, B; 1 of 3 clauses in some MUS, 1 open; 0.0 s"


def test_a_list_that_is_not_proved_is_not_called_so() -> None:
    assert muses_lines(made(HOLDING)) == ["0 MUSes, all by MARCO's word; 0 MCSes"]
    assert muses_lines(made(HOLDING, complete=False)) == ["0 MUSes, not all; 0 MCSes"]
    assert muses_lines(made(HOLDING, satisfiable=True)) == ["MUSes: none"]


def test_texts() -> None:
    assert clause_text(()) == "⊥"
    assert clause_text((1, -2)) == "(x1 ∨ ¬x2)"
    assert clause_text(tuple(range(1, 20))).endswith("x12 ∨ …)")
    assert term_text(FORMULA, ()) == "⊤"
    assert term_text(FORMULA, (-4, 3)) == "s_3 ∧ ¬x1"
    assert set_text(FORMULA, {4, 0}) == "{s_1, x2}"
    assert clauses_text({2, 0}) == "{1, 3}"
    assert point_text((True, False)) == "(1,0)"
