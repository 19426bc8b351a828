"""``xpgcheck properties selftest``: every seeded bug is caught, and what is not caught fails the run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from xpgcheck.cli.main import main
from xpgcheck.properties import seeded
from xpgcheck.properties.corpus import read_corpus
from xpgcheck.properties.running import graph_bugs
from xpgcheck.properties.seeded import SeededBug, seeded_bugs
from xpgcheck.properties.seeded.textbook import Textbook
from xpgcheck.properties.selftest import SelftestSettings

FEW = ("seed-ignored", "majority-vote")
"""A wrong explainer and a wrong oracle."""


def test_a_few_bugs_are_caught_and_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(graph_bugs, "LOOKED_AT", 15)
    monkeypatch.setattr(graph_bugs, "LOOKED_AT_BY_SMT", 2)
    words = [word for name in FEW for word in ("--bug", name)]
    document = ["--markdown", str(tmp_path / "bugs.md")]
    report_file, kept = tmp_path / "report.json", tmp_path / "kept"
    assert (
        main(
            [
                "properties",
                "selftest",
                *words,
                "-j",
                "1",
                "--json",
                str(report_file),
                "--show",
                "--cases",
                str(kept),
                *document,
            ]
        )
        == 0
    )
    out = capsys.readouterr().out
    assert "CAUGHT: 2 of 2 seeded bugs with 1 seed (2 of 2 runs, at most 1,000 cases each)" in out
    assert "wrong explainer" in out
    assert "wrong oracle" in out
    assert "Algorithms 2 and 3 start from all features, whatever the seed." in out
    report = json.loads(report_file.read_text())
    assert [bug["name"] for bug in report["bugs"]] == list(FEW)
    assert all(bug["caught"] and bug["caught_by"] for bug in report["bugs"])
    table = (tmp_path / "bugs.md").read_text()
    assert "| seed-ignored | Algorithms 2 and 3 start from all features, whatever the seed. | `" in table
    for path, case in read_corpus(kept):
        assert "seeded bug" in str(getattr(case, "origin", path))


def test_what_no_property_catches_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    right = SeededBug("nothing-wrong", "explainer", "Nothing is wrong.", Textbook)
    monkeypatch.setattr(seeded, "chosen_bugs", lambda names: (right,))
    monkeypatch.setattr(graph_bugs, "LOOKED_AT", 5)
    monkeypatch.setattr(graph_bugs, "LOOKED_AT_BY_SMT", 1)
    assert main(["properties", "selftest", "--examples", "20", "-j", "1"]) == 1
    out = capsys.readouterr().out
    assert "MISSED: 0 of 1 seeded bugs" in out
    assert "no seeded bug makes this property fail: sigma_is_monotone" in out


def test_an_unknown_bug_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["properties", "selftest", "--bug", "seed-ignord"]) == 2
    assert capsys.readouterr().err == "xpgcheck: no seeded bug is called 'seed-ignord'; did you mean 'seed-ignored'?\n"


def test_the_list_has_every_bug_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["properties", "list", "--bugs"]) == 0
    out = capsys.readouterr().out
    for bug in seeded_bugs():
        assert f"{bug.name}  ({bug.kind})\n    {bug.wrong}\n" in out


@pytest.mark.slow
@pytest.mark.parametrize("bug", seeded_bugs(), ids=lambda bug: bug.name)
def test_every_seeded_bug_is_caught_within_a_thousand_cases(bug: SeededBug) -> None:
    assert graph_bugs.GROUND.first(bug, 0, SelftestSettings(shrunk=0, first_seed=2)) is not None, (
        f"{bug.name}: {bug.wrong}"
    )
