"""The properties hold of the project's routes and of the textbook ones; a campaign is the same whatever its processes."""

import contextlib
from dataclasses import dataclass

import pytest

from xpgcheck.errors import InputError
from xpgcheck.oracles.propositional.formulas import Cnf, cnf
from xpgcheck.oracles.propositional.limits import OutOfTime, TooLarge
from xpgcheck.properties.reduction.campaign import UNIT, explore_reduction, judge
from xpgcheck.properties.reduction.cases import FormulaCase, formula_text
from xpgcheck.properties.reduction.catalogue import STATEMENTS, all_properties, chosen, require_equal
from xpgcheck.properties.reduction.families import LARGE_SIZES, SIZES, examine, hard_formula, hard_formulas
from xpgcheck.properties.reduction.outcomes import FormulaFinding, Outcome
from xpgcheck.properties.reduction.routes import HonestRoutes, NotInstalled
from xpgcheck.properties.reduction.textbook import Textbook
from xpgcheck.properties.reduction.trials import SHARES, Trial
from xpgcheck.properties.running.outcomes import Tally
from xpgcheck.properties.verdicts import Inconclusive, NotApplicable, Violation

FAST = ("reduced", "families", "evidence")


def texts(outcome):
    return [str(finding) for finding in outcome.findings]


def test_the_routes_agree():
    outcome = explore_reduction(30, 1)
    assert texts(outcome) == []
    assert outcome.exit_status() == 0
    assert outcome.cases == 30
    assert outcome.formulas["MUSes: optux"] == outcome.formulas["MUS membership: cegar"] == 30
    assert outcome.answers["literal membership: SAT"] > 150
    for name, tally in outcome.tallies.items():
        if name != "depqbf_decides_membership":
            assert tally.held > 0, name


def test_the_textbook_routes_are_right():
    assert texts(explore_reduction(15, 2, make=Textbook)) == []


@pytest.mark.slow
def test_the_routes_agree_on_many_formulas():
    outcome = explore_reduction(250, 3, jobs=2)
    assert texts(outcome) == []
    assert outcome.open == 0
    assert outcome.cases == 250


@pytest.mark.slow
def test_the_textbook_routes_are_right_on_many_formulas():
    assert texts(explore_reduction(120, 4, jobs=2, make=Textbook)) == []


def test_a_campaign_is_the_same_again():
    first, second = (explore_reduction(20, 5, properties=FAST) for _ in range(2))
    assert first.comparable() == second.comparable()
    assert explore_reduction(20, 6, properties=FAST).comparable() != first.comparable()


@dataclass
class Wrong(HonestRoutes):
    """OptUx lists no MUS of a clause alone."""

    def muses(self, route, formula):
        return tuple(mus for mus in super().muses(route, formula) if route != "optux" or len(mus) > 1)


@pytest.mark.slow
def test_jobs_change_nothing():
    for make in (HonestRoutes, Wrong):
        one, two = (explore_reduction(2 * UNIT + 10, 7, jobs, properties=("families",), make=make) for jobs in (1, 2))
        assert one.comparable() == two.comparable()
        assert bool(one.findings) == (make is Wrong)


def test_a_failure_is_shrunk():
    outcome = explore_reduction(200, 1, properties=("every_route_lists_the_same_muses",), make=Wrong)
    (finding,) = outcome.findings
    assert finding.formula == cnf([()])
    assert finding.verdict == "not equal"
    assert finding.evidence == "{1} is among the MUSes of exhaustive, not of optux"
    assert 0 < finding.example <= 200
    assert outcome.exit_status() == 1
    assert str(finding).endswith("on () over 0 variables")


class Failing(HonestRoutes):
    def __init__(self, error):
        self.error = error

    def muses(self, route, formula):
        raise self.error


@pytest.mark.parametrize(
    ("error", "counted"),
    [
        (OutOfTime(), "open"),
        (TooLarge("too large"), "silent"),
        (NotInstalled("x"), "silent"),
        (ZeroDivisionError("by zero"), "failed"),
    ],
)
def test_what_is_no_answer(error, counted):
    tally = Tally()
    trial = Trial(FormulaCase(cnf([(1,), (-1,)])), Failing(error))
    (check,) = chosen(["every_mus_is_minimal"])
    violation = judge(check, trial, tally)
    assert (violation is not None) == (counted == "failed")
    assert getattr(tally, counted) == 1
    assert tally.held + tally.failed + tally.open + tally.silent == 1
    if violation is not None:
        assert violation.verdict == "crash"
        assert "MUSes: exhaustive: ZeroDivisionError: by zero" in violation.evidence
    assert not trial.answers


def test_open_questions_are_inconclusive():
    outcome = explore_reduction(5, 1, properties=("every_mus_is_minimal",), make=lambda: Failing(OutOfTime()))
    assert outcome.open == 5
    assert outcome.exit_status() == 3
    assert outcome.tallies["every_mus_is_minimal"].reasons == ["MUSes: exhaustive: no answer in time"] * 5


def test_a_question_is_asked_once():
    asked = []

    class Counting(HonestRoutes):
        def muses(self, route, formula):
            asked.append(route)
            raise TooLarge("no")

    trial = Trial(FormulaCase(cnf([()])), Counting())
    for _ in range(2):
        with pytest.raises(NotApplicable, match="no route to muses takes the formula"):
            trial.each("muses", ("marco", "optux"))
    assert asked == ["marco", "optux"]


def test_slow_routes_take_turns(monkeypatch):
    monkeypatch.setitem(SHARES, "z3", 4)
    formula = cnf([(1,), (-1,)])
    refused = 0
    for dice in range(100):
        trial = Trial(FormulaCase(formula, dice), HonestRoutes(), thorough=False)
        with contextlib.suppress(NotApplicable):
            assert len(list(trial.some_clauses("z3"))) == 1
            continue
        with pytest.raises(NotApplicable, match="one formula in 4"):
            trial.take_turns("z3")
        refused += 1
        assert list(Trial(FormulaCase(formula, dice), HonestRoutes()).some_clauses("z3")) == [0, 1]
    assert 60 < refused < 90


@pytest.mark.parametrize(
    ("name", "muses", "mcses"), [("PHP 1", 1, 3), ("PHP 2", 1, 9), ("GT 3", 9, 8), ("PAR 1", 1, 6), ("CB 1", 0, 1)]
)
def test_hard_families(name, muses, mcses):
    outcome = examine(name, hard_formulas()[name])
    assert outcome.violations == {}
    assert outcome.open == []
    assert (outcome.muses, outcome.mcses) == (muses, mcses)
    assert outcome.answers["MUSes: exhaustive"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["PHP 3", "PHP 4", "PAR 2", "PAR 3"])
def test_hard_families_by_solvers(name):
    outcome = examine(name, hard_formulas()[name])
    assert outcome.violations == {}
    assert outcome.answers["MUSes: exhaustive"] == 0
    assert {"every_route_lists_the_same_muses", "cegar_decides_membership"} <= set(outcome.held)


def test_sizes_of_families():
    assert len(hard_formulas()) == sum(map(len, SIZES.values()))
    assert set(LARGE_SIZES) == {"GT", "CB"}
    formula = hard_formula("PHP", 2)
    assert (formula.variables, len(formula.clauses)) == (6, 9)


def test_every_property_says_what_it_is_about():
    properties = all_properties()
    assert len({p.name for p in properties}) == len(properties) > 30
    assert {p.group for p in properties} == set(STATEMENTS)
    for found in properties:
        assert found.source
        assert found.statement.endswith((".", ":"))


def test_unknown_names_are_refused():
    with pytest.raises(InputError, match="no property of the reduction is called"):
        explore_reduction(1, properties=("nothing",))


def test_families_that_differ():
    one, two = frozenset({0}), frozenset({1})
    require_equal([one], [one], "MUSes", "a", "b")
    for found, expected, evidence in (
        ([one], [], r"\{1\} is among the MUSes of a, not of b"),
        ([], [two], r"\{2\} is among the MUSes of b, not of a"),
        ([one, one], [one], "a lists a set twice among 2 MUSes"),
    ):
        with pytest.raises(Violation, match=evidence):
            require_equal(found, expected, "MUSes", "a", "b")


def test_outcomes_keep_the_smallest_finding():
    large, small = (
        Outcome(
            {"p": Tally()},
            [FormulaFinding("p", "no", "why", formula, 0, 1)],
        )
        for formula in (cnf([(1,), (2,)]), Cnf(3, ((1,),)))
    )
    large.add(small)
    assert [f.formula.variables for f in large.findings] == [3]
    assert formula_text(Cnf(3, ((1, -2), ()))) == "(1 -2)() over 3 variables"
    assert formula_text(Cnf(1, ())) == "no clause over 1 variable"


def test_a_trial_without_an_answer_in_time_stays_open():
    trial = Trial(FormulaCase(cnf([()])), Failing(OutOfTime()))
    for _ in range(2):
        with pytest.raises(Inconclusive):
            trial.muses("marco")
