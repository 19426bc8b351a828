"""Routes that lie, evidence that does not check and limits: none of them becomes an answer."""

import pytest

from xpgcheck.judging.verdicts import Outcome
from xpgcheck.oracles.propositional.formulas import cnf
from xpgcheck.oracles.propositional.limits import OutOfTime
from xpgcheck.oracles.propositional.membership_cegar import MusMembership, MusWith
from xpgcheck.oracles.propositional.reduction import selector_dnf
from xpgcheck.paper.reduction import mus_membership, readings
from xpgcheck.paper.reduction import study as study_module
from xpgcheck.paper.reduction.answers import Reading, RouteAnswer, settled
from xpgcheck.paper.reduction.study import StudyLimits, study
from xpgcheck.paper.reduction.verdicts import exit_status, outcome_of

FORMULA = cnf([(1,), (-1,), (2,)])
LARGE = cnf([(1,), (-1,), *((v, v + 1) for v in range(2, 215))])


def verdict(found, reading):
    return next(verdict for verdict in found.readings if verdict.reading is reading)


def test_the_honest_answers():
    found = study("f", FORMULA)
    assert [clause.in_mus.answer for clause in found.clauses] == [True, True, False]
    assert [verdict(found, r).outcome for r in Reading] == [
        Outcome.HOLDS,
        Outcome.VIOLATED,
        Outcome.VIOLATED,
        Outcome.VIOLATED,
        Outcome.HOLDS,
        Outcome.HOLDS,
    ]
    assert found.disagreements == []
    assert [exit_status(found, [r]) for r in Reading] == [0, 1, 1, 1, 0, 0]


@pytest.mark.parametrize("clause", [0, 2])
def test_a_list_that_says_the_opposite_of_cegar(monkeypatch, clause):
    honest = MusMembership.mus_with
    other = MusWith(None, ()) if clause == 0 else MusWith(frozenset({0, 1, 2}), ())
    monkeypatch.setattr(MusMembership, "mus_with", lambda self, j, d=None: other if j == clause else honest(self, j, d))
    found = study("f", FORMULA)
    assert found.clauses[clause].in_mus.answer is None
    assert found.clauses[clause].in_mus.disagreement
    assert exit_status(found, [Reading.A]) == 3
    assert "disagreement" in found.disagreements[0]


def test_a_mus_that_is_none_is_not_believed_however_many_routes_say_so(monkeypatch):
    too_much = frozenset({0, 1, 2})
    honest = study_module.enumerate_muses
    monkeypatch.setattr(MusMembership, "mus_with", lambda self, clause, deadline=None: MusWith(too_much, ()))
    monkeypatch.setattr(
        study_module,
        "enumerate_muses",
        lambda *a, **k: type(honest(*a, **k))((too_much,), honest(*a, **k).mcses, complete=False),
    )
    found = study("f", LARGE, [2])
    (clause,) = found.clauses
    assert clause.mus is None
    assert clause.in_mus.answer is not True
    assert any(route.route == mus_membership.EVIDENCE and "no MUS" in route.reason for route in clause.in_mus.routes)


def test_a_refutation_that_does_not_check_leaves_a_no_to_others(monkeypatch):
    monkeypatch.setattr(mus_membership, "no_fault", lambda *a, **k: "line 1 is not RUP")
    (clause,) = study("f", FORMULA, [2]).clauses
    assert clause.no is None
    assert clause.in_mus.answer is False
    assert any(route.reason == "line 1 is not RUP" for route in clause.in_mus.routes)


def test_a_list_that_lacks_a_mus_is_a_disagreement(monkeypatch):
    honest = study_module.enumerate_muses

    def short(*arguments, **options):
        found = honest(*arguments, **options)
        return type(found)(found.muses[1:], found.mcses, complete=True)

    monkeypatch.setattr(study_module, "enumerate_muses", short)
    found = study("f", FORMULA)
    assert found.family is None
    assert any("not shown to be" in fault for fault in found.faults)
    assert exit_status(found, [Reading.A]) == 3


@pytest.mark.parametrize("formula", [FORMULA, LARGE])
def test_reading_a_is_asked_of_the_dnf_itself(monkeypatch, formula):
    def wrong(given):
        psi = selector_dnf(given)
        swapped = [(psi.terms[2][0], *psi.terms[1][1:]), (psi.terms[1][0], *psi.terms[2][1:])]
        return type(psi)(psi.variables, (psi.terms[0], *swapped, *psi.terms[3:]))

    monkeypatch.setattr(study_module, "selector_dnf", wrong)
    found = study("f", formula, [0, 1])
    assert verdict(found, Reading.A).outcome is not Outcome.HOLDS


def test_a_formula_read_back_from_its_dnf():
    for formula in (FORMULA, LARGE, cnf([(), (1, -1), (2, 2)]), cnf([])):
        assert readings.read_back(selector_dnf(formula), len(formula.clauses)) == formula


def test_time_that_is_over_before_it_began():
    found = study("f", FORMULA, limits=StudyLimits(seconds=0.0))
    assert {clause.in_mus.answer for clause in found.clauses} <= {None, True, False}
    assert outcome_of(found, [Reading.A]) in (Outcome.INCONCLUSIVE, Outcome.HOLDS)
    assert found.satisfiable is None
    assert any("time" in note for note in found.notes)


def test_evidence_that_takes_too_long(monkeypatch):
    def late(*_, **__):
        raise OutOfTime

    monkeypatch.setattr(mus_membership, "mus_evidence", late)
    monkeypatch.setattr(study_module, "family_refutation", late)
    found = study("f", FORMULA, [0])
    assert found.clauses[0].in_mus.answer is None
    assert found.clauses[0].in_mus.reason == "no evidence of the yes was accepted"


@pytest.mark.parametrize(
    ("answers", "options", "believed"),
    [
        ((True, True), {}, True),
        ((True, True), {"yes_on_evidence": True}, None),
        ((True,), {"shown": True, "yes_on_evidence": True}, True),
        ((False, False), {"yes_on_evidence": True}, False),
        ((False,), {}, None),
        ((True, False), {"shown": True}, None),
        ((False, False), {"shown": True}, None),
        ((None, None), {}, None),
        ((), {}, None),
    ],
)
def test_what_is_believed(answers, options, believed):
    assert settled([RouteAnswer(str(k), answer) for k, answer in enumerate(answers)], **options).answer is believed


def test_a_proved_list_settles_a_no_that_no_route_answers(monkeypatch):
    def late(*_, **__):
        raise OutOfTime

    monkeypatch.setattr(MusMembership, "mus_with", late)
    found = study("f", LARGE, [0, 2])
    assert [clause.in_mus.answer for clause in found.clauses] == [True, False]
    assert found.clauses[0].mus is not None
    assert {route.route: route.answer for route in found.clauses[1].in_mus.routes}[mus_membership.WHOLE] is False


def test_an_incomplete_list_that_is_called_complete_settles_nothing(monkeypatch):
    monkeypatch.setattr(MusMembership, "mus_with", lambda self, clause, deadline=None: MusWith(None, ()))
    monkeypatch.setattr(
        study_module,
        "enumerate_muses",
        lambda *_, **__: study_module.MusEnumeration((), (frozenset({0}), frozenset({1})), complete=True),
    )
    found = study("f", LARGE, [0])
    assert found.family is None
    assert found.clauses[0].in_mus.answer is not False or found.disagreements
    assert exit_status(found, [Reading.A]) == 3


def test_the_evidence_of_a_list_is_checked(monkeypatch):
    monkeypatch.setattr(study_module, "family_fault", lambda *_, **__: "line 1 is not RUP")
    found = study("f", FORMULA)
    assert found.family is None
    assert all(route.route != mus_membership.WHOLE for clause in found.clauses for route in clause.in_mus.routes)
    assert exit_status(found, [Reading.A]) == 3


def test_cegar_that_denies_a_clause_of_a_proved_list_is_a_disagreement(monkeypatch):
    monkeypatch.setattr(MusMembership, "mus_with", lambda self, clause, deadline=None: MusWith(None, ()))
    found = study("f", LARGE, [0])
    assert found.clauses[0].in_mus.answer is None
    assert found.clauses[0].in_mus.disagreement
    assert exit_status(found, [Reading.A]) == 3
