"""Files that version 0.1.0 wrote are read: certificates, claims, kept cases, and journals of campaigns."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

import pytest
from published_schemas import fits_schema

from xpgcheck.cli.main import main

FILES = Path(__file__).parent / "files_of_0_1_0"

HYPOTHESIS = "6.170.17"
"""The version that the journals were begun with; a campaign goes on with no other one."""


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        ("check-certificate {}/explanations.certificate.jsonl --model omdd", 0, "proved: instances 1, complete 1"),
        ("check-certificate {}/judged-case.certificate.jsonl", 0, "proved: instances 1, redundant AXp 1"),
        ("check-certificate {}/muses.certificate.jsonl", 0, "proved: MUSes 2"),
        ("verify {}/claims.jsonl --model omdd -q", 1, "VIOLATED: 3 claims on 3 cases, 3 kinds of violation"),
        ("replay {}/judged-case.json -q", 1, "VIOLATED: 1 claim on 1 case, 1 kind of violation"),
        ("replay {}/judged-case.json --subject ours -q", 0, "HOLDS: 15 claims on 1 case"),
        ("gate ours --corpus {}/judged-case.json --no-models --no-properties --examples 0 -j 1 -q", 0, "HOLDS: "),
        ("properties run --corpus {}/property-case.json --examples 0 -j 1 -q", 0, "HOLDS: 1 property, 1 case"),
    ],
)
def test_a_file_is_read(line: str, status: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([word.format(FILES) for word in line.split()]) == status
    assert said in capsys.readouterr().out


def journal(kind: str, folder: Path) -> Path:
    """Make the journal of *kind* again from its dump, as if the Hypothesis that is here had been there."""
    path = folder / f"{kind}.campaign.sqlite"
    dump = (FILES / f"{kind}.campaign.sql").read_text(encoding="utf-8")
    assert dump.count(HYPOTHESIS) > 0
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.replace(HYPOTHESIS, version("hypothesis")))
    return path


@pytest.mark.parametrize(("kind", "failures"), [("gate", 2), ("properties", 1)])
def test_a_journal_is_read(
    kind: str, failures: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its status is in the words of today, and what failed is written as cases that are read."""
    monkeypatch.chdir(tmp_path)
    journal(kind, tmp_path)
    assert main(["campaign", "status", kind, "--json", "status.json", "-q"]) == 0
    status = json.loads(Path("status.json").read_bytes())
    fits_schema(status, "campaign-status")
    assert [finding["outcome"] for finding in status["findings"]] == ["violated"] * failures
    assert main(["campaign", "resume", kind, "-q"]) == 1
    assert main(["campaign", "merge", "other", f"{kind}.campaign.sqlite"]) == 0
    assert main(["campaign", "report", "other", "-o", "page.html"]) == 0
    assert "violation</span>" not in Path("page.html").read_text(encoding="utf-8")
    assert main(["campaign", "export", "other", "-o", "cases"]) == 0
    cases = sorted(Path("cases").iterdir())
    assert len(cases) == failures
    capsys.readouterr()
    for case in cases:
        assert main(["replay", str(case), "--subject", "ours", "-q"]) == 0
