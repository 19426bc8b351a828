"""Every seeded bug of the reduction is caught, and every property catches one."""

import pytest

from xpgcheck.errors import InputError
from xpgcheck.properties.reduction.campaign import explore_reduction, failing
from xpgcheck.properties.reduction.cases import formula_size
from xpgcheck.properties.reduction.catalogue import all_properties
from xpgcheck.properties.reduction.seeded import MODULES, seeded_bug, seeded_bugs, table
from xpgcheck.properties.reduction.seeded.table import Measured, idle_properties, markdown, measure

BUGS = seeded_bugs()
SOON = (
    "clauses-not-negated",
    "duplicates-merged",
    "subset-test-reversed",
    "refutations-not-checked",
    "another-instance",
)
EXAMPLES = 1_000


@pytest.mark.parametrize("name", SOON)
def test_a_bug_is_caught_soon(name):
    outcome = explore_reduction(120, 1, make=seeded_bug(name).make, first_only=True, shrink=False)
    assert outcome.findings


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_every_bug_is_caught(bug):
    outcome = explore_reduction(EXAMPLES, 1, make=bug.make, first_only=True, shrink=False)
    assert outcome.findings, bug.wrong


@pytest.mark.slow
def test_every_property_catches_a_bug():
    idle = {each.name for each in all_properties()}
    # Most fail on a few formulas; only what is left is looked for on more.
    for formulas in (8, 60):
        for bug in BUGS:
            if idle:
                idle -= set(failing(formulas, 0, properties=sorted(idle), make=bug.make))
    assert idle == set()


def test_bugs_say_what_is_wrong():
    assert len(BUGS) >= 12
    assert len({bug.name for bug in BUGS}) == len(BUGS)
    assert {bug.module for bug in BUGS} == set(MODULES)
    for bug in BUGS:
        assert bug.wrong.endswith(".")
        assert bug.make().name == bug.name


def test_an_unknown_bug():
    with pytest.raises(InputError, match="no seeded bug of the reduction is called"):
        seeded_bug("nothing")


def test_the_table(monkeypatch):
    monkeypatch.setattr(table, "LOOKED_AT", 15)
    (found,) = measure([seeded_bug("tautology-dropped")], examples=60, seeds=1)
    assert found.caught
    assert formula_size(found.smallest.formula) == (1, 2, 1)
    assert found.caught_by == ("the_reduction_is_linear",)
    text = markdown([found, Measured("x", "It is | wrong.", (), (None,))]).splitlines()
    assert len(text) == 4
    assert text[2].startswith("| tautology-dropped | Tautologies have no term in ψ")
    assert text[2].endswith("| (1 -1) over 1 variable |")
    assert text[3] == "| x | It is \\| wrong. | nothing | inf |  |"
    assert len(idle_properties([found])) > 20
