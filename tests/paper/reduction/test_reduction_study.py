"""Studies of formulas whose answers are known: by hand, and of small ones by going through everything here."""

from __future__ import annotations

import itertools
import random

import pytest

from xpgcheck.judging.verdicts import Outcome
from xpgcheck.oracles.propositional.formulas import Cnf, cnf
from xpgcheck.paper.reduction import mus_membership
from xpgcheck.paper.reduction.answers import Reading, Study
from xpgcheck.paper.reduction.study import StudyLimits, study
from xpgcheck.paper.reduction.verdicts import WORDS, exit_status

ALL = tuple(Reading)


def outcomes(found: Study) -> str:
    """One letter a reading: h, f or i."""
    return "".join(WORDS[verdict.outcome][0] for verdict in found.readings)


@pytest.mark.parametrize(
    ("clauses", "muses", "members", "readings"),
    [
        # Of each: the clauses, the MUSes, the clauses in some MUS, and A, B, C, C-some, C-every, D; clauses from 1.
        ([()], [{1}], "y", "hhhhhh"),
        ([(), ()], [{1}, {2}], "yy", "hhhhhh"),
        ([(1, -1)], [], "n", "hhhhhh"),
        ([(1,)], [], "n", "hfffhh"),
        ([(), (1,)], [{1}], "yn", "hfffhh"),
        ([(), (1, -1)], [{1}], "yn", "hhhhhh"),
        ([(1,), (-1,)], [{1, 2}], "yy", "hhhhhh"),
        ([(1,), (-1,), (2,)], [{1, 2}], "yyn", "hfffhh"),
        ([(1,), (1,), (-1,)], [{1, 3}, {2, 3}], "yyy", "hhhhhh"),
        ([(1, 1), (-1,)], [{1, 2}], "yy", "hhhhhh"),
        ([(1,), (-1,), (1, 2)], [{1, 2}], "yyn", "hfffhh"),
        ([(1, 2), (-1, 2), (1, -2), (-1, -2)], [{1, 2, 3, 4}], "yyyy", "hhhhhh"),
        # The smallest formula of reading C at every x₀.
        ([(1,), (-1,), (2,), (1, -2, 3), (-1, -2, -3)], [{1, 2}], "yynnn", "hffffh"),
    ],
)
def test_known_answers(clauses: list[tuple[int, ...]], muses: list[set[int]], members: str, readings: str) -> None:
    found = study("f", cnf(clauses))
    assert [{clause + 1 for clause in mus} for mus in found.muses] == muses
    assert found.complete
    assert found.satisfiable is (not muses)
    assert "".join("y" if clause.in_mus.answer else "n" for clause in found.clauses) == members
    assert outcomes(found) == readings
    assert found.disagreements == []
    assert exit_status(found, [Reading.A, Reading.D]) == 0


def test_unused_variables_change_no_answer_and_double_the_points() -> None:
    clauses = [(1,), (-1,), (2,)]
    bare, wide = study("f", cnf(clauses)), study("f", cnf(clauses, 5))
    assert outcomes(wide) == outcomes(bare)
    assert [len(clause.at_points) for clause in wide.clauses] == [32, 32, 32]
    assert [sum(map(bool, clause.at_points)) for clause in wide.clauses] == [32, 32, 16]


def test_points_over_the_limit_are_not_asked() -> None:
    found = study("f", cnf([(1,), (-1,)], 60))
    assert outcomes(found) == "hhiiih"
    assert {v.evidence for v in found.readings if v.outcome is Outcome.INCONCLUSIVE} == {"not asked"}
    assert any(note.startswith("reading C: ") for note in found.notes)


def satisfied(clauses: list[tuple[int, ...]], values: dict[int, bool]) -> bool:
    return all(any(values[abs(literal)] == (literal > 0) for literal in clause) for clause in clauses)


def unsatisfiable(clauses: list[tuple[int, ...]], variables: int, fixed: dict[int, bool]) -> bool:
    free = [v for v in range(1, variables + 1) if v not in fixed]
    return not any(
        satisfied(clauses, {**fixed, **dict(zip(free, values, strict=True))})
        for values in itertools.product((False, True), repeat=len(free))
    )


def in_a_minimal_one(elements: int, fails: list[bool], element: int) -> bool:
    """Whether *element* is in a minimal set (a bit mask) of those that *fails* marks; supersets of marked sets are."""
    return any(
        fails[subset] and subset >> element & 1 and not any(fails[subset & ~(1 << e)] for e in bits(subset))
        for subset in range(1 << elements)
    )


def bits(subset: int) -> list[int]:
    return [k for k in range(subset.bit_length()) if subset >> k & 1]


def by_definition(formula: Cnf) -> dict[str, list[bool]]:
    """A and membership from all subsets of clauses; C from all subsets of clauses and variables at each x₀."""
    k, n = len(formula.clauses), formula.variables
    chosen = [[formula.clauses[j] for j in bits(subset)] for subset in range(1 << k)]
    found = {"mus": [False] * k}
    fails = [unsatisfiable(clauses, n, {}) for clauses in chosen]
    found["mus"] = [in_a_minimal_one(k, fails, j) for j in range(k)]
    for number, point in enumerate(itertools.product((False, True), repeat=n)):
        at = [
            # Clauses outside do not hold the class at 1: their selectors may be 0.
            unsatisfiable(
                chosen[subset & ((1 << k) - 1)], n, {v + 1: point[v] for v in range(n) if subset >> k + v & 1}
            )
            for subset in range(1 << (k + n))
        ]
        found[f"C{number}"] = [at[-1] and in_a_minimal_one(k + n, at, j) for j in range(k)]
    return found


@pytest.mark.parametrize("seed", range(12))
def test_small_random_formulas_as_their_definitions_say(seed: int) -> None:
    chance = random.Random(seed)
    n = chance.randint(1, 3)
    literals = [sign * v for v in range(1, n + 1) for sign in (1, -1)]
    clauses = [chance.choices(literals, k=chance.choice((0, 1, 1, 2, 2, 3))) for _ in range(chance.randint(1, 5))]
    formula = cnf(clauses, n)
    found, known = study("f", formula), by_definition(formula)
    assert [clause.in_mus.answer for clause in found.clauses] == known["mus"]
    assert [clause.selected[Reading.A].answer for clause in found.clauses] == known["mus"]
    assert [clause.selected[Reading.D].answer for clause in found.clauses] == known["mus"]
    no_tautology = [not any(-x in clause for x in clause) for clause in clauses]
    assert [clause.selected[Reading.B].answer for clause in found.clauses] == no_tautology
    at_points = [list(answers) for answers in zip(*(clause.at_points for clause in found.clauses), strict=True)]
    assert at_points == [known[f"C{number}"] for number in range(1 << n)]
    for reading, of in ((Reading.C_SOME, any), (Reading.C_EVERY, all)):
        assert [clause.selected[reading].answer for clause in found.clauses] == [
            of(answers) for answers in zip(*at_points, strict=True)
        ]
    assert found.disagreements == []


def test_the_number_of_muses_is_limited_and_membership_is_not() -> None:
    formula = cnf([(v,) for v in range(1, 9)] + [(-v,) for v in range(1, 9)] + [(9,)], 20)
    found = study("f", formula, limits=StudyLimits(muses=3))
    assert (len(found.muses), found.complete, found.family) == (3, False, None)
    assert [clause.in_mus.answer for clause in found.clauses] == [True] * 16 + [False]
    assert found.clauses[16].no is not None
    assert all(clause.mus is not None for clause in found.clauses[:16])
    assert any("the limit of their number is reached" in note for note in found.notes)


@pytest.mark.parametrize("core", [[(1,), (-1,)]])
def test_a_list_that_is_proved_settles_large_formulas(core: list[tuple[int, ...]]) -> None:
    """Without a question a clause: each takes time linear in the formula."""
    count = mus_membership.CEGAR_CLAUSES + 100
    found = study("f", cnf([*core, *((v, v + 1) for v in range(2, count))]), limits=StudyLimits(3.0))
    assert found.family is not None
    assert [clause.clause for clause in found.clauses if clause.in_mus.answer] == list(range(len(core)))
    assert all(clause.in_mus.answer is not None for clause in found.clauses)
    assert found.readings[0].outcome is Outcome.HOLDS
    assert any(note.startswith("CEGAR: ") for note in found.notes)


@pytest.mark.slow
def test_the_time_is_kept_on_the_largest_formulas() -> None:
    """What is asked once a clause may not take time linear in the formula once the time is over: that took hours."""
    from pysat.examples.genhard import PHP

    hard = [tuple(clause) for clause in PHP(10).clauses]
    first = max(abs(x) for clause in hard for x in clause) + 1
    formula = cnf(hard + [(v, v + 1) for v in range(first, first + 50_000 - len(hard))])
    found = study("f", formula, limits=StudyLimits(5.0))
    assert found.seconds < 60
    assert exit_status(found, [Reading.A]) == 3
    assert "out of time" in found.readings[0].evidence
