"""The tables that the documents quote."""

import pytest

from xpgcheck.properties.reduction import __main__ as tables
from xpgcheck.properties.reduction.families import hard_formula
from xpgcheck.properties.reduction.outcomes import Outcome


def test_campaign(capsys):
    assert tables.main(["campaign", "--examples", "5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "| property | about | held | said nothing | open | failed |"
    assert "| MUSes: optux | 5 | 5 |" in lines
    assert lines[-1].startswith("5 formulas, seed 0, 1 jobs")


def test_a_campaign_that_fails(capsys, monkeypatch):
    def failed(examples, seed, jobs):
        outcome = Outcome.of(p.name for p in tables.all_properties())
        outcome.cases = 1
        outcome.tallies["every_mus_is_minimal"].open = 1
        return outcome

    monkeypatch.setattr(tables, "explore_reduction", failed)
    assert tables.main(["campaign"]) == 3
    assert "| A listed MUS is satisfiable without any one of its clauses. | Definition of a MUS | 0 | 0 | 1 | 0 |" in (
        capsys.readouterr().out
    )


def test_readings(capsys):
    assert tables.main(["readings"]) == 0
    assert "(1)(-1)(2)(1 -2 3)(-1 -2 -3) over 3 variables | 3 |  |" in capsys.readouterr().out


def test_families(capsys, monkeypatch):
    monkeypatch.setattr(tables, "hard_formulas", lambda large=False: {"PHP 1": hard_formula("PHP", 1)})
    assert tables.main(["families", "--large"]) == 0
    assert capsys.readouterr().out.splitlines()[2].startswith("| PHP 1 | 2 | 3 | 1 | 3 | ")


def test_seeded_bugs_that_are_not_caught(capsys, monkeypatch):
    monkeypatch.setattr(tables, "measure", lambda **_: [])
    assert tables.main(["seeded"]) == 1
    assert "no seeded bug makes this property fail: the_reduction_is_linear" in capsys.readouterr().out


def test_nothing_of_that_name():
    with pytest.raises(SystemExit):
        tables.main(["nothing"])
