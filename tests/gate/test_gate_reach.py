"""``xpgcheck properties selftest --gate``: what catches broken explainers, kept as it is found, and gone on with."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from xpgcheck.cli.main import main
from xpgcheck.gate import reach
from xpgcheck.gate.reach import DECK, DEFAULT, MANY, Reached
from xpgcheck.gate.reach_report import ReachReport
from xpgcheck.properties.seeded import seeded_bug

WORDS = ["properties", "selftest", "--gate", "-j", "1"]
TWO = ["--bug", "axp-cut-at-6", "--bug", "literals-one-by-one"]


def test_what_the_deck_catches_is_not_asked_again() -> None:
    found = reach.caught(seeded_bug("axp-cut-at-6"), 5_000)
    assert (found.by, found.about, found.verdict, found.many) == (DECK, "axp", "insufficient", True)


@pytest.mark.parametrize(
    ("default", "many", "expected"),
    [
        (("axp", "redundant"), ("axp", "redundant"), (DEFAULT, True)),
        (("axp", "redundant"), None, (DEFAULT, False)),
        (None, ("cxp", "redundant"), (MANY, True)),
        (None, None, ("", False)),
    ],
)
def test_both_runs_are_made_where_the_deck_does_not_catch(
    monkeypatch: pytest.MonkeyPatch, default: Any, many: Any, expected: tuple[str, bool]
) -> None:
    monkeypatch.setattr(reach, "by_the_deck", lambda bug, subject: [])
    monkeypatch.setattr(reach, "_random", lambda bug, examples, seed, opened: default if examples == 100 else many)
    bug = seeded_bug("axp-cut-at-6")
    found = reach.caught(bug, 1_000)
    assert (found.by, found.many) == expected
    measured = ReachReport([bug], {bug.name: found}, 1_000)
    assert measured.is_enough is bool(default)
    assert measured.line().startswith("REACHED" if default else "MISSED")
    assert ("missed: `axp-cut-at-6`" in measured.markdown()) is not bool(default)


def test_a_run_that_is_stopped_goes_on_with_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tried: list[str] = []

    def stopped(bugs: Sequence[Any], examples: int, jobs: int) -> Iterator[Reached]:
        for bug in bugs:
            tried.append(bug.name)
            yield Reached(bug.name, DECK, "axp", "insufficient", many=True)
            if len(tried) == 1:
                raise KeyboardInterrupt

    monkeypatch.setattr(reach, "reach", stopped)
    file = tmp_path / "reach.json"
    assert main([*WORDS, *TWO, "--json", str(file)]) == 130
    said = f"xpgcheck: interrupted: 1 of 2 broken explainers are tried; add --resume to go on from {file}\n"
    assert capsys.readouterr().err == said
    assert [bug["name"] for bug in json.loads(file.read_text())["bugs"]] == ["axp-cut-at-6"]
    assert main([*WORDS, *TWO, "--json", str(file), "--resume", "--markdown", str(tmp_path / "reach.md")]) == 0
    assert tried == ["axp-cut-at-6", "literals-one-by-one"]
    out = capsys.readouterr().out
    assert "REACHED: of 2 broken explainers 2 by the deck alone, 2 by the default run (100.0 %), 2 by --examples" in out
    assert "| all | 2 | 2 | 2 | 2 |" in (tmp_path / "reach.md").read_text()
    assert main([*WORDS, *TWO, "--json", str(file), "--resume", "--examples", "600"]) == 2
    assert "a run with another version, deck or number of --examples; repeat these" in capsys.readouterr().err
    file.write_text("{}")
    assert main([*WORDS, *TWO, "--json", str(file), "--resume"]) == 2
    assert "no report of --gate; leave --resume out" in capsys.readouterr().err


def test_resume_needs_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*WORDS, "--resume"]) == 2
    assert "--resume goes on with --gate from the file of --json" in capsys.readouterr().err
