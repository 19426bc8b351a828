"""``xpgcheck gate --cases`` and ``--certificates``: anyone who is called wrong can check that, without us."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from published_schemas import fits_schema

from xpgcheck import check_certificate
from xpgcheck.certificates.judged_claims import ClaimCertifier
from xpgcheck.cli.main import main
from xpgcheck.gate import run as gate_run
from xpgcheck.judging.verdicts import Outcome

FEW = ("--no-deck", "--examples", "20", "--size", "6", "--no-models", "--no-properties")


def gate(*words: object) -> int:
    return main(["gate", *map(str, words), "--quiet"])


def report_of(path: Path) -> dict:
    document = json.loads(path.read_text())
    fits_schema(document, "gate-report")
    return document


def checked_alone(path: Path) -> str:
    words = [sys.executable, "-I", "-S", check_certificate.__file__, str(path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize("subject", ["seeded:ends-at-the-first-drop", "seeded:last-feature-never-freed"])
def test_each_saved_case_has_its_certificate(subject: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # How small a case becomes is asked elsewhere.
    monkeypatch.setattr("xpgcheck.gate.search.SHRINK_SECONDS", 0.0)
    cases, report = tmp_path / "cases", tmp_path / "r.json"
    assert gate(subject, *FEW, "--cases", cases, "--json", report, "--jobs", 1) == 1
    findings = report_of(report)["findings"]
    assert findings
    checked = 0
    for finding in findings:
        (judged,) = finding["judged"]
        certified = judged["claim"]["claim"] != "family" or finding["verdict"] == "incomplete"
        certified &= judged["claim"].get("notion") != "conditions-with-theory"
        certified &= finding["verdict"] not in ("crash", "wrong membership", "prediction mismatch", "timeout")
        assert bool(finding["certificate"]) is certified
        if certified:
            assert finding["certificate"] == finding["file"].removesuffix(".json") + ".certificate.jsonl"
            checked_alone(Path(finding["certificate"]))
            is_about(Path(finding["certificate"]), json.loads(Path(finding["file"]).read_text()))
            checked += 1
    assert checked


def is_about(certificate: Path, case: dict) -> None:
    """Check that *certificate* and *case* are about the same."""
    header, family, _ = map(json.loads, certificate.read_text(encoding="utf-8").splitlines())
    assert header["model"] == case["graph"]
    (claim,) = family["claims"]
    names = [feature["name"] for feature in case["graph"]["features"]]
    said = case["judged"][0]
    if said["verdict"] == claim["verdict"]:
        assert [names[i] for i in claim["features"]] == said["claim"]["features"]


def test_all_claims_at_models_are_certified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate_run, "INSTANCES", 2)
    models = ("--model", "hardware", "--model", "omdd", "--examples", 0, "--sample", 5, "--no-properties")
    names = ("hardware", "hardware-values", "omdd", "omdd-values")
    written = []
    for jobs in (1, 2):
        folder, report = tmp_path / f"c{jobs}", tmp_path / f"r{jobs}.json"
        assert gate("textbook", *models, "--certificates", folder, "--json", report, "--jobs", jobs) in (0, 1)
        written.append({path.name: path.read_bytes() for path in sorted(folder.iterdir())})
        document = report_of(report)
        assert document["certified"] + sum(document["without_certificate"].values()) == document["claims"]
    assert written[0] == written[1]
    assert set(written[0]) == {"index.jsonl", *(f"{name}.certificate.jsonl" for name in names)}
    index = [json.loads(line) for line in written[0]["index.jsonl"].splitlines()]
    assert len(index) == document["claims"]
    counts = Counter((item["asked"], item["verdict"]) for item in index)
    assert counts == {(row["about"], row["verdict"]): row["count"] for row in document["counts"]}
    assert [item["case"].partition(",")[0] for item in index] == sorted(
        item["case"].partition(",")[0] for item in index
    )
    for name in names:
        said = checked_alone(folder / f"{name}.certificate.jsonl")
        lines = sum(item.get("file") == f"{name}.certificate.jsonl" for item in index)
        assert said.startswith(f"proved: instances {lines}")


def test_what_is_refused_becomes_inconclusive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeded: an issuer that points to the wrong nodes.  No claim passes, and none is called wrong, on its word.

    What no certificate speaks of stands without one.
    """
    plain = ClaimCertifier.line

    def wrong(self: ClaimCertifier, *arguments: object) -> str | None:
        line = plain(self, *arguments)  # type: ignore[arg-type]
        return None if line is None else line.replace('"class":"', '"class":"x')

    monkeypatch.setattr(ClaimCertifier, "line", wrong)
    models = ("--model", "omdd", "--examples", 0, "--sample", 5, "--no-properties", "--jobs", 1)
    folder, report = tmp_path / "c", tmp_path / "r.json"
    assert gate("ours", *models, "--certificates", folder, "--json", report) == 3
    document = report_of(report)
    assert document["certified"] == 0
    right = {row["about"] for row in document["counts"] if row["outcome"] == Outcome.HOLDS.value}
    assert right <= {"predict", "member", "inflate", "inflate_cxp"}
    unspoken = {"predictions", "features that are in no XP"}
    assert set(document["without_certificate"]) == {"inconclusive claims", *unspoken}
    assert not any(row["outcome"] == Outcome.VIOLATED.value for row in document["counts"])
    assert [path.name for path in folder.iterdir()] == ["index.jsonl"]
    assert any(
        "checker refuses" in finding["judged"][0]["evidence"].get("reason", "") for finding in document["findings"]
    )


def test_a_saved_finding_whose_certificate_is_refused_becomes_inconclusive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "all_features.py").write_text(
        "class All:\n    name = 'all'\n    def axp(self, graph, instance):\n        return range(len(instance))\n"
    )
    monkeypatch.chdir(tmp_path)
    models = ("--model", "omdd", "--examples", 0, "--sample", 3, "--no-properties", "--jobs", 1)
    report = tmp_path / "r.json"
    assert gate("all_features:All", *models, "--cases", tmp_path / "a", "--json", report) == 1
    (finding,) = report_of(report)["findings"]
    assert "redundant AXp 1" in checked_alone(Path(finding["certificate"]))
    monkeypatch.setattr(ClaimCertifier, "line", lambda *_: None)
    assert gate("all_features:All", *models, "--cases", tmp_path / "b", "--json", report) == 3
    document = report_of(report)
    (finding,) = document["findings"]
    assert (finding["verdict"], finding["certificate"], document["violations"]) == ("inconclusive", "", 0)
    assert sum(row["count"] for row in document["counts"]) == 3


def test_nothing_is_left_behind_where_nothing_is_judged(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    assert gate("ours", "--examples", 0, "--no-models", "--no-properties", "--certificates", folder) == 2
    assert not list(folder.iterdir())
