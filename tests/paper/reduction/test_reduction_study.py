"""Studies of formulas whose answers are known: by hand, and of small ones by going through everything here."""

from __future__ import annotations

import random

import pytest

from xpgcheck.judging.verdicts import Outcome
from xpgcheck.oracles.propositional.classifier_axps import axps_exhaustive
from xpgcheck.oracles.propositional.formulas import Cnf, cnf, points
from xpgcheck.oracles.propositional.reduction import selector_dnf
from xpgcheck.oracles.propositional.truth_tables import muses_exhaustive
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
        # Each has the clauses, the MUSes, the clauses in some MUS, and A, B, C, C-some, C-every, D; clauses from 1.
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


def by_definition(formula: Cnf) -> dict[str, list[bool]]:
    """A and membership from all subsets of clauses; C from every point, at each x₀."""
    count = range(len(formula.clauses))
    found = {"mus": [any(clause in mus for mus in muses_exhaustive(formula)) for clause in count]}
    for number, x0 in enumerate(points(formula.variables)):
        axps = axps_exhaustive(selector_dnf(formula), (True,) * len(count) + x0)
        found[f"C{number}"] = [any(clause in axp for axp in axps) for clause in count]
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
    """Without a question per clause: each takes time linear in the formula."""
    count = mus_membership.CEGAR_CLAUSES + 100
    found = study("f", cnf([*core, *((v, v + 1) for v in range(2, count))]), limits=StudyLimits(3.0))
    assert found.family is not None
    assert [clause.clause for clause in found.clauses if clause.in_mus.answer] == list(range(len(core)))
    assert all(clause.in_mus.answer is not None for clause in found.clauses)
    assert found.readings[0].outcome is Outcome.HOLDS
    assert any(note.startswith("CEGAR: ") for note in found.notes)


@pytest.mark.slow
def test_the_time_is_kept_on_the_largest_formulas() -> None:
    """A question per clause may not take time linear in the formula once the time is over: that took hours."""
    from pysat.examples.genhard import PHP

    hard = [tuple(clause) for clause in PHP(10).clauses]
    first = max(abs(x) for clause in hard for x in clause) + 1
    formula = cnf(hard + [(v, v + 1) for v in range(first, first + 50_000 - len(hard))])
    found = study("f", formula, limits=StudyLimits(5.0))
    assert found.seconds < 60
    assert exit_status(found, [Reading.A]) == 3
    assert "out of time" in found.readings[0].evidence
