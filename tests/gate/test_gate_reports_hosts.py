"""The reports for code hosts: SARIF that follows its schema, and annotations and summaries of GitHub Actions."""

from __future__ import annotations

import dataclasses
import functools
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from gate_report_samples import LEGAL, conditions_report, full_report, hostile_report, right_report

from xpgcheck.cli.main import main
from xpgcheck.gate.reports.github import MOST, commands_stopped, github_annotations
from xpgcheck.gate.reports.places import place_of_subject
from xpgcheck.gate.reports.sarif import MEANINGS, fingerprint, sarif_report
from xpgcheck.gate.results import Report, SourcePlace
from xpgcheck.judging.verdicts import Outcome, Verdict

SCHEMA = Path(__file__).with_name("sarif-2.1.0-rtm.5.json")
"""The schema of SARIF 2.1.0, from the npm package @microsoft/jest-sarif 1.0.0-beta.0 (MIT), without its descriptions."""


@functools.cache
def sarif_validator() -> Any:
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft4Validator.check_schema(schema)
    return jsonschema.Draft4Validator(schema)


def sarif(report: Report) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(sarif_report(report))
    sarif_validator().validate(document)
    (run,) = document["runs"]
    return run


def hostile() -> Report:
    return hostile_report(LEGAL)


@pytest.mark.parametrize("make", [full_report, right_report, conditions_report, hostile])
def test_sarif_follows_the_schema_and_has_every_finding(make: Any) -> None:
    report = make()
    run = sarif(report)
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(run["results"]) == len(report.findings)
    for result, finding in zip(run["results"], report.findings, strict=True):
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] == {Outcome.VIOLATED: "error"}.get(finding.outcome, "warning")
        assert result["occurrenceCount"] == finding.times
        assert "locations" not in result
    prints = {result["partialFingerprints"]["finding/v1"] for result in run["results"]}
    assert len(prints) == len({(f.about, f.verdict, f.way, f.is_property) for f in report.findings})
    notes = run["invocations"][0].get("toolExecutionNotifications", [])
    assert len(notes) == len(report.bad)


def test_the_schema_can_refuse() -> None:
    document = json.loads(sarif_report(full_report()))
    del document["runs"][0]["results"][0]["message"]
    assert not sarif_validator().is_valid(document)


def test_every_verdict_that_is_not_right_has_its_meaning() -> None:
    assert set(MEANINGS) == {verdict.value for verdict in Verdict if verdict.outcome is not Outcome.HOLDS}


def test_a_fingerprint_stays_when_the_case_changes() -> None:
    first, second = full_report().findings[:2]
    other = dataclasses.replace(first, case=second.case, text="another", times=7, origin="elsewhere", example=3)
    assert fingerprint(other) == fingerprint(first) != fingerprint(second)


def test_places_are_below_the_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "part one" / "src" / "mine"
    folder.mkdir(parents=True)
    (folder / "explainer.py").write_text("import nothing_of_that_name\n\n\nclass Mine:\n    pass\n")
    (folder / "__init__.py").write_text("def broken(:\n")
    (tmp_path / "part one" / "a.js").write_text("")
    monkeypatch.chdir(tmp_path / "part one")
    assert place_of_subject("mine.explainer:Mine.made", None) == SourcePlace("src/mine/explainer.py", 4)
    assert place_of_subject("mine.explainer:other", None) == SourcePlace("src/mine/explainer.py", 1)
    assert place_of_subject("mine:broken", None) == SourcePlace("src/mine/__init__.py", 1)
    assert place_of_subject(None, "node a.js --fast") == SourcePlace("a.js")
    (tmp_path / "part one" / "adapter.py").write_text("")
    for spec in ("ours", "seeded:../a", "os:path", "mine.nowhere:f", "adapter:mine"):
        assert place_of_subject(spec, None) is None
    report = full_report()
    report.source = place_of_subject("mine.explainer:Mine", None)
    report.findings[0] = dataclasses.replace(report.findings[0], origin="loan, instance 1 of rows")
    report.model_files = {"loan": "models/loan.json"}
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    result = sarif(report)["results"][0]
    (place,) = result["locations"]
    artifact = {"uri": "part%20one/src/mine/explainer.py", "uriBaseId": "%SRCROOT%"}
    assert place["physicalLocation"] == {"artifactLocation": artifact, "region": {"startLine": 4}}
    (model,) = result["relatedLocations"]
    assert model["physicalLocation"]["artifactLocation"]["uri"] == "part%20one/models/loan.json"
    assert next(github_annotations(report)).startswith("::error file=part one/src/mine/explainer.py,line=4,title=")
    # A line of a file of claims comes first; what lies elsewhere keeps its whole path.
    report.source = SourcePlace("/elsewhere/claims.jsonl")
    report.findings[0] = dataclasses.replace(report.findings[0], line=12)
    physical = sarif(report)["results"][0]["locations"][0]["physicalLocation"]
    assert physical == {"artifactLocation": {"uri": "file:///elsewhere/claims.jsonl"}, "region": {"startLine": 12}}


def test_annotations_are_commands_whatever_is_in_them() -> None:
    report = hostile_report(LEGAL)
    report.source = SourcePlace("a,b:c%.py", 3)
    report.findings = report.findings[:MOST]
    lines = list(github_annotations(report))
    assert len(lines) == MOST
    for line in lines:
        assert re.fullmatch(r"::(error|warning) (file=a%2Cb%3Ac%25\.py,line=3,)title=[^:,\n\r]+::[^\n\r]+", line), line
    found = full_report()
    found.findings = [found.findings[0]] * 30
    *shown, last = list(github_annotations(found))
    assert len(shown) == MOST - 1
    assert last.endswith("::21 more findings in the report")


def test_what_is_printed_is_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ZeroDivisionError), commands_stopped(print):
        raise ZeroDivisionError
    first, last = capsys.readouterr().out.split()
    token = first.removeprefix("::stop-commands::")
    assert len(token) == 32
    assert last == f"::{token}::"


def test_a_job_gets_both(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    claims, summary = tmp_path / "claims.jsonl", tmp_path / "summary.md"
    claims.write_text(
        '{"model": "hardware", "instance": {"Age": "O", "Income": "L", "Student": "Y", "Credit": "P"},'
        ' "claim": "AXp", "features": ["Age"]}\n'
    )
    summary.write_text("before\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert main(["verify", "claims.jsonl", "--github", "--sarif", "out.sarif", "-q"]) == 1
    annotation, stop, verdict, resume = capsys.readouterr().out.splitlines()
    assert annotation.startswith("::error file=claims.jsonl,line=1,title=xpgcheck verify%3A AXp%3A insufficient::")
    assert stop.startswith("::stop-commands::")
    assert verdict.startswith("VIOLATED")
    assert resume == f"::{stop.removeprefix('::stop-commands::')}::"
    assert summary.read_text().startswith("before\n## ")
    result = json.loads((tmp_path / "out.sarif").read_text())["runs"][0]["results"][0]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    assert main(["verify", "claims.jsonl", "--github", "-q"]) == 2
    assert "the summary of the job cannot be written" in capsys.readouterr().err
