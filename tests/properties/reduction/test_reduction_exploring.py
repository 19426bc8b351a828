"""The properties hold of the project's routes; what is found does not depend on processes."""

from dataclasses import dataclass

import pytest

from xpgcheck.errors import InputError
from xpgcheck.oracles.propositional.formulas import Cnf, cnf
from xpgcheck.oracles.propositional.limits import OutOfTime, TooLarge
from xpgcheck.properties.reduction.cases import FormulaCase, formula_text
from xpgcheck.properties.reduction.catalogue import STATEMENTS, all_properties, chosen, require_equal
from xpgcheck.properties.reduction.exploring import explore_reduction, judge
from xpgcheck.properties.reduction.routes import HonestRoutes
from xpgcheck.properties.reduction.trials import ReductionTrial
from xpgcheck.properties.running import units
from xpgcheck.properties.running.outcomes import Failure, PropertyTally, Result
from xpgcheck.properties.verdicts import Inconclusive, NotApplicable, Violation

ONE = ("marco_lists_the_muses",)


def comparable(result):
    tallies = {name: (t.held, t.failed, t.open, t.silent) for name, t in result.tallies.items()}
    return tallies, result.findings, result.cases, result.labels


def test_the_routes_agree():
    """On 20,000 formulas in the environment ``reduction`` of tox."""
    found = explore_reduction(30, 1)
    assert found.findings == []
    assert found.exit_status() == 0
    assert found.cases == 30
    assert all(tally.held for tally in found.tallies.values())


@dataclass
class Wrong(HonestRoutes):
    """MARCO lists no MUS of a clause alone."""

    def muses(self, formula):
        return tuple(mus for mus in super().muses(formula) if len(mus) > 1)


def test_what_is_found_is_the_same_again_whatever_the_processes(monkeypatch):
    monkeypatch.setattr(units, "UNIT", 12)
    one, two = (explore_reduction(30, 7, jobs, properties=ONE, make=Wrong) for jobs in (1, 2))
    assert comparable(one) == comparable(two)
    assert one.findings
    assert comparable(explore_reduction(30, 8, properties=ONE)) != comparable(one)


def test_a_failure_is_shrunk():
    found = explore_reduction(200, 1, properties=("marco_lists_the_muses",), make=Wrong)
    (finding,) = found.findings
    assert finding.case.formula == cnf([()])
    assert finding.verdict == "not equal"
    assert finding.evidence == "{1} is among the MUSes of the definition, not of MARCO"
    assert 0 < finding.example <= 200
    assert found.exit_status() == 1


class Failing(HonestRoutes):
    def __init__(self, error):
        self.error = error

    def muses(self, formula):
        raise self.error


@pytest.mark.parametrize(
    ("error", "counted"),
    [(OutOfTime(), "open"), (TooLarge("too large"), "silent"), (ZeroDivisionError("by zero"), "failed")],
)
def test_what_is_no_answer(error, counted):
    tally = PropertyTally()
    trial = ReductionTrial(FormulaCase(cnf([(1,), (-1,)])), Failing(error))
    (check,) = chosen(["marco_lists_the_muses"])
    violation = judge(check, trial, tally)
    assert (violation is not None) == (counted == "failed")
    assert getattr(tally, counted) == 1
    assert tally.held + tally.failed + tally.open + tally.silent == 1
    if violation is not None:
        assert violation.verdict == "crash"
        assert "MUSes: ZeroDivisionError: by zero" in violation.evidence


def test_open_questions_are_inconclusive():
    found = explore_reduction(5, 1, properties=ONE, make=lambda: Failing(OutOfTime()))
    assert found.open == 5
    assert found.exit_status() == 3
    assert found.tallies[ONE[0]].reasons == ["MUSes: no answer in time"] * 5


@pytest.mark.parametrize(("error", "reason"), [(TooLarge("no"), NotApplicable), (OutOfTime(), Inconclusive)])
def test_a_question_is_asked_once_and_stays_without_an_answer(error, reason):
    asked = []

    class Counting(Failing):
        def muses(self, formula):
            asked.append(formula)
            raise self.error

    trial = ReductionTrial(FormulaCase(cnf([()])), Counting(error))
    for _ in range(2):
        with pytest.raises(reason, match="MUSes: no"):
            _ = trial.muses
    assert len(asked) == 1


def test_every_property_says_what_it_is_about():
    properties = all_properties()
    assert len({p.name for p in properties}) == len(properties) > 20
    assert {p.group for p in properties} == set(STATEMENTS)
    assert all(found.source and found.statement.endswith((".", ":")) for found in properties)


def test_unknown_names_are_refused():
    with pytest.raises(InputError, match="no property of the reduction is called 'nothing'"):
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


def test_of_findings_the_smallest_is_kept():
    cases = FormulaCase(cnf([(1,), (2,)])), FormulaCase(Cnf(3, ((1,),)))
    large, small = (Result({}, [Failure("p", "s", "no", "why", case, 1, "")]) for case in cases)
    large.add(small)
    assert [f.case.formula.variables for f in large.findings] == [3]
    assert formula_text(Cnf(3, ((1, -2), ()))) == "(1 -2)() over 3 variables"
    assert formula_text(Cnf(1, ())) == "no clause over 1 variable"
