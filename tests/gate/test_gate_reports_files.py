"""The reports for programs, JSON and JUnit XML, and that files are whole or not there."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from gate_report_samples import HOSTILE, LEGAL, conditions_report, full_report, hostile_report, right_report
from junitparser import Error, Failure, JUnitXml, Skipped
from published_schemas import fits_schema

from xpgcheck.errors import InputError
from xpgcheck.gate.reports import json_report as json_module
from xpgcheck.gate.reports import junit, write_reports
from xpgcheck.gate.reports.json_report import json_report
from xpgcheck.gate.reports.junit import junit_report
from xpgcheck.gate.results import Finding, Report
from xpgcheck.judging.claim import Claim, ClaimKind
from xpgcheck.judging.judged import Evidence, Judged
from xpgcheck.judging.verdicts import Outcome, Verdict
from xpgcheck.readers.json_model import parse_json
from xpgcheck.reports import junit as kit_junit
from xpgcheck.schemas import schema


def legal_report() -> Report:
    return hostile_report(LEGAL)


REPORTS = (full_report, right_report, conditions_report, legal_report)


def read(report: Report) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(json_report(report))
    fits_schema(document, "gate-report")
    return document


def problems_of_json(report: Report, document: dict[str, Any]) -> list[str]:
    """Return where a document says something else than *report*."""
    counts = {(row["about"], row["verdict"]): row["count"] for row in document["counts"]}
    pairs = [
        ("counts", counts, dict(report.counts)),
        ("claims", document["claims"], sum(report.counts.values())),
        ("outcome", document["outcome"], report.outcome().value),
        ("exit_status", document["exit_status"], report.exit_status()),
        ("findings", len(document["findings"]), len(report.findings)),
        ("properties", {p["name"]: p["failed"] for p in document["properties"]}, _failed(report)),
        ("bad_count", document["bad_count"], report.bad_count),
    ]
    wrong = [name for name, said, right in pairs if said != right]
    for found, finding in zip(document["findings"], report.findings, strict=False):
        graph = parse_json(json.dumps(found["graph"]).encode())
        same = (found["about"], found["file"], found["stderr"]) == (finding.about, finding.file, finding.stderr)
        if not same or graph != finding.case.graph:
            wrong.append("finding")
    return wrong


def _failed(report: Report) -> dict[str, int]:
    return {name: tally.failed for name, tally in report.properties.items()}


@pytest.mark.parametrize("make", REPORTS)
def test_the_json_is_the_report(make: Any) -> None:
    report = make()
    assert problems_of_json(report, read(report)) == []
    assert json_report(report) == json_report(make())
    assert json_report(report).isascii()


def test_names_that_no_file_may_hold_lose_the_graph_alone() -> None:
    document = read(hostile_report())
    assert {found["graph"] is None for found in document["findings"]} == {True}
    assert document["findings"][0]["judged"][0]["claim"]["features"][0] == HOSTILE[0]


def test_the_json_has_the_evidence() -> None:
    document = read(full_report())
    by_verdict = {found["verdict"]: found for found in document["findings"]}
    (judged,) = by_verdict["insufficient"]["judged"]
    assert judged["claim"] == {"claim": "AXp", "features": ["Age"]}
    assert judged["evidence"]["witness"]["Age"] == "O"
    assert judged["evidence"]["correct"] == {"kind": "AXp", "members": ["Age", "Credit"]}
    assert by_verdict["violated"]["is_property"]
    assert document["projected"] == [{"about": "axp", "verdict": "redundant", "outcome": "violated", "count": 7}]


def test_every_kind_of_evidence_is_in_the_schema() -> None:
    """The evidence of a report that has it all, so that no field is forgotten in the schema."""
    report = full_report()
    finding = report.findings[0]
    everything = Evidence(
        "text",
        witness=finding.case.instance,
        needed={0: finding.case.instance},
        needless=frozenset([1]),
        closed_set=frozenset([0]),
        closed_sets={1: frozenset([0])},
        correct=finding.judged[0].evidence.correct,
        missing=finding.judged[0].evidence.correct,
        clash=(frozenset([0]), frozenset([0, 1])),
        reason="reason",
        confirmed_by=("z3",),
        joining={0: finding.case.graph.cells[0][0]},
        idle={0: finding.case.graph.cells[0][0]},
        pieces=((0, finding.case.graph.cells[0][0], finding.case.instance),),
    )
    claim = Claim(ClaimKind.AXP, members=frozenset([0, 1]))
    inner = Judged(claim, Verdict.REDUNDANT, everything)
    outer = Judged(claim, Verdict.REDUNDANT, everything, projected=inner)
    report.findings = [Finding("axp", "redundant", Outcome.VIOLATED, "", finding.case, (outer,))]
    (found,) = read(report)["findings"]
    assert set(found["judged"][0]["evidence"]) == set(schema("gate-report")["$defs"]["EvidenceRecord"]["properties"])


def test_a_wrong_document_is_no_gate_report() -> None:
    for change in ({"version": 2}, {"outcome": "fine"}, {"claims": -1}, {"extra": 1}, {"counts": [{"about": "axp"}]}):
        with pytest.raises(jsonschema.ValidationError):
            fits_schema({**read(right_report()), **change}, "gate-report")


def suites(report: Report) -> dict[str, dict[str, Any]]:
    """Return the results of the test cases, by suite and name, as another library reads them."""
    xml = JUnitXml.fromroot(JUnitXml.fromstring(junit_report(report))._elem)
    return {suite.name: {case.name: case for case in suite} for suite in xml}


def problems_of_junit(report: Report, found: dict[str, dict[str, Any]]) -> list[str]:
    """Return the things asked, and the properties, whose test case says something else than *report*."""
    wrong = []
    for about in {about for about, _ in report.counts}:
        outcomes = {Verdict(verdict).outcome for own, verdict in report.counts if own == about}
        expected = [Failure] if Outcome.VIOLATED in outcomes else [Error] if Outcome.INCONCLUSIVE in outcomes else []
        wrong += [about] if [type(item) for item in found["claims"][about].result] != expected else []
    for name, tally in report.properties.items():
        case = found["properties"][name]
        expected = [Failure] if tally.failed else [Error] if tally.open else [] if tally.held else [Skipped]
        wrong += [name] if [type(item) for item in case.result] != expected else []
    texts = "".join(case.result[0].text or "" for suite in found.values() for case in suite.values() if case.result)
    wrong += [f.file for f in report.findings if f.file and f"xpgcheck replay '{f.file}'" not in texts]
    return wrong


def test_junit_has_a_case_for_each_thing_asked_and_each_property() -> None:
    report = full_report()
    found = suites(report)
    assert list(found) == ["claims", "properties", "input"]
    assert problems_of_junit(report, found) == []
    claims = found["claims"]
    assert list(claims) == [*("predict", "axp", "cxp", "axp_inside", "cxp_inside", "enumerate", "tree_cxps", "member")]
    assert claims["axp"].result[0].message == "22 of 44 claims wrong, 21 open"
    assert "AXp {Age, Credit} is right" in claims["axp"].result[0].text
    assert claims["cxp_inside"].result[0].message == "declined 40 times as unsupported"
    (error,) = found["input"]["every line is read"].result
    assert isinstance(error, Error)
    assert "there is no feature 'x'" in error.text


def test_junit_of_what_is_open_or_was_never_asked() -> None:
    report = right_report()
    report.abilities = ("axp", "xpg")
    report.counts["AXp", "inconclusive"] = 1
    report.counts["CXp", "CXp"] = 1
    found = suites(report)
    assert list(found) == ["claims"]
    assert [type(item) for item in found["claims"]["AXp"].result] == [Error]
    assert found["claims"]["CXp"].result == []
    (skipped,) = found["claims"]["axp"].result
    assert isinstance(skipped, Skipped)
    assert skipped.message == "never asked"


def test_junit_of_hostile_names_is_xml() -> None:
    found = suites(hostile_report())
    assert HOSTILE[0] in found["claims"]
    assert HOSTILE[2] in found["properties"]


def test_files_are_written_whole(tmp_path: Path) -> None:
    report = full_report()
    files = {key: tmp_path / key for key in ("json_file", "junit_file", "html_file", "markdown_file")}
    write_reports(report, **files)
    assert json.loads(files["json_file"].read_text()) == json.loads(json_report(report))
    assert files["junit_file"].read_bytes() == junit_report(report)
    assert files["markdown_file"].read_text(encoding="utf-8").startswith("## ❌ my")
    assert files["html_file"].read_text(encoding="utf-8").endswith("</html>\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(files)


def test_nothing_is_written_that_is_not_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_reports(right_report())
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_reports(right_report(), json_file=tmp_path / "none" / "report.json")


def test_text_that_no_encoding_holds_is_written(tmp_path: Path) -> None:
    """A subject can write anything to its standard error, also half a character."""
    report = full_report()
    case = report.findings[0].case
    broken = "half \ud83d of a character \x00"
    claim = Claim(ClaimKind.AXP)
    judged = Judged(claim, Verdict.INCONCLUSIVE, Evidence(broken, reason=broken))
    report.findings = [Finding(broken, broken, Outcome.VIOLATED, broken, case, (judged,), stderr=broken, file=broken)]
    report.subject = report.title = report.again = broken
    report.bad = [broken]
    names = ("json_file", "junit_file", "html_file", "markdown_file")
    write_reports(report, **{name: tmp_path / name for name in names})
    assert all((tmp_path / name).stat().st_size for name in names)
    from rich.console import Console

    from xpgcheck.gate.reports.console import print_report

    stream = io.StringIO()
    print_report(report, Console(file=stream, width=100))
    stream.getvalue().encode("utf-8")


# Seeded bugs: each is caught by a check above.


def test_a_wrong_count_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    report = full_report()
    right = json_module.grid
    monkeypatch.setattr(json_module, "grid", lambda counts: right({key: n + (n == 2) for key, n in counts.items()}))
    assert problems_of_json(report, read(report)) == ["counts"]


def test_findings_that_are_left_out_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    report = full_report()
    monkeypatch.setattr(json_module, "MAX_FINDINGS", 3)
    assert problems_of_json(report, read(report)) == ["findings"]


def test_a_missing_replay_command_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    report = full_report()
    monkeypatch.setattr(junit, "finding_lines", lambda finding: [finding.text])
    assert len(problems_of_junit(report, suites(report))) == sum(1 for finding in report.findings if finding.file)


def test_a_violation_that_passes_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    report = full_report()
    right = junit.new_case
    monkeypatch.setattr(junit, "new_case", lambda *names, failed=False, **other: right(*names, **other))
    assert {"axp", "no_axp_is_missed"} <= {*problems_of_junit(report, suites(report))}


def test_characters_that_xml_does_not_have_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from xml.etree.ElementTree import ParseError

    monkeypatch.setattr(kit_junit, "xml_text", lambda text: text)
    with pytest.raises((ParseError, ValueError)):
        suites(hostile_report())
