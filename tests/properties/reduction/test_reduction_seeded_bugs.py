"""Every seeded bug of the reduction is caught, and every property catches one: by the self-test of all seeded bugs."""

import json

import pytest

from xpgcheck.errors import InputError
from xpgcheck.properties.reduction import formula_bugs
from xpgcheck.properties.reduction.catalogue import all_properties
from xpgcheck.properties.reduction.exploring import explore_reduction, failing_formulas
from xpgcheck.properties.running.loading import load_subject
from xpgcheck.properties.seeded import reduction_bugs, seeded_bug, seeded_bugs
from xpgcheck.properties.selftest import Measured, SelftestSettings, idle_checks, measure
from xpgcheck.properties.selftest_report import json_text, markdown, verdict_line

BUGS = reduction_bugs()
SOON = ("clauses-not-negated", "duplicates-merged", "refutations-not-checked", "another-instance")


@pytest.mark.parametrize("name", SOON)
def test_a_bug_is_caught_soon(name):
    assert explore_reduction(60, 1, make=seeded_bug(name).make, first_only=True, shrink=False).findings


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_every_bug_is_caught(bug):
    assert explore_reduction(1_000, 1, make=bug.make, first_only=True, shrink=False).findings, bug.wrong


@pytest.mark.slow
def test_every_property_catches_a_bug():
    idle = {each.name for each in all_properties()}
    # Most fail on a few formulas; only what is left is looked for on more.
    for formulas in (8, 60):
        for bug in BUGS:
            if idle:
                idle -= set(failing_formulas(formulas, 0, properties=sorted(idle), make=bug.make))
    assert idle == set()


def test_bugs_say_what_is_wrong():
    assert len(BUGS) == 48
    assert {bug.kind for bug in BUGS} == {"reduction"}
    assert not {bug.name for bug in BUGS} & {bug.name for bug in seeded_bugs()}
    for bug in BUGS:
        assert bug.wrong.endswith(".")
        assert bug.make().name == bug.name


def test_a_bug_of_the_reduction_is_no_explainer():
    with pytest.raises(InputError, match="'tautology-dropped' has no decision graphs to explain"):
        load_subject("seeded:tautology-dropped")


def test_the_self_test_measures_it(monkeypatch):
    monkeypatch.setattr(formula_bugs, "LOOKED_AT", 15)
    bug, settings = seeded_bug("tautology-dropped"), SelftestSettings(60)
    (found,) = measure([bug], settings)
    assert found.caught
    assert found.smallest.case.size == (1, 2, 1)
    assert found.caught_by == ("the_reduction_is_linear",)
    idle = idle_checks([found])
    assert len(idle) == len(all_properties()) - 1
    both = [found, Measured(seeded_bug("tautology-kept"), (), (None,), 1)]
    report = json.loads(json_text(both, idle, settings))
    assert "clauses and literals" in report["summary"]
    assert report["bugs"][0]["runs"][0]["formula"] == "(1 -1) over 1 variable"
    text = markdown(both, idle, settings, "this").splitlines()
    assert text[0] == "# Seeded bugs of the reduction"
    rows = [line for line in text if line.startswith("| tautology")]
    assert rows[0].startswith("| tautology-dropped | Tautologies have no term in ψ")
    assert rows[0].endswith("| (1 -1) over 1 variable |")
    assert "| `nothing`, 0 | inf, inf |" in rows[1]
    assert verdict_line([found], (), settings).startswith("CAUGHT: 1 of 1 seeded bugs")
