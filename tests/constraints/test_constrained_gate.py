"""Explainers asked under constraints: by the gate, over the line protocol, and our own by ``check``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from constraint_samples import JOBS, NURSE, loans, one_job, written

from xpgcheck.cli.main import main
from xpgcheck.gate.plan import Cases, GatePlan, InProcess
from xpgcheck.gate.run import gate
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.model.constraint import ConstrainedModel
from xpgcheck.properties.ours_constraints import ConstrainedExplainer
from xpgcheck.subjects.remote import RemoteSubject

HERE = Path(__file__).parent


def test_our_explainer_holds_on_generated_cases() -> None:
    report = gate(GatePlan(InProcess(ConstrainedExplainer()), Cases(12, 0, 10, models=())))
    assert report.notion == "constraints"
    assert report.outcome() is Outcome.HOLDS
    assert report.claims > 40


def test_an_explainer_that_forgets_them_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HERE))
    from constraint_subjects import ForgetsThem

    report = gate(GatePlan(InProcess(ForgetsThem()), Cases(40, 0, 10)))
    found = {(finding.about, finding.verdict) for finding in report.findings}
    assert ("axp", "redundant") in found
    assert {about for about, _ in found} <= {"axp", "cxp"}
    case = next(finding.case for finding in report.findings if finding.about == "axp")
    assert case.constraint is not None


def test_the_gate_asks_at_instances_that_can_occur(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(HERE))
    model, constraint = written(tmp_path)
    words = ["--model", model, "--constraints", constraint, "--examples", "0", "--sample", "100", "--jobs", "1"]
    cases, certificates = tmp_path / "cases", tmp_path / "certificates"
    assert main(["gate", "ours-under-constraints", *words, "--certificates", str(certificates)]) == 0
    out = capsys.readouterr().out
    # The model does not test who is a clerk: of the 8 combinations of cells, 4 have one job.
    assert "HOLDS: " in out
    assert " on 4 cases" in out
    (written_file,) = certificates.glob("*.certificate.jsonl")
    assert main(["check-certificate", str(written_file), "--model", model]) == 0
    capsys.readouterr()
    assert main(["gate", "constraint_subjects:ForgetsThem", *words, "--cases", str(cases)]) == 1
    assert "taken without the constraint" in capsys.readouterr().out
    case = next(iter(cases.glob("axp-redundant-*[0-9a-f].json")))
    assert json.loads(case.read_text())["constraints"]["clauses"][0]["name"] == "some job"
    assert main(["replay", str(case), "--subject", "ours-under-constraints", "-q"]) == 0


def test_notions_are_not_mixed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, constraint = written(tmp_path)
    words = ["--model", model, "--examples", "0", "--jobs", "1"]
    assert main(["gate", "ours", *words, "--constraints", constraint]) == 2
    assert "xpgcheck explains without constraints; leave --constraints out" in capsys.readouterr().err
    assert main(["gate", "ours-under-constraints", *words]) == 2
    assert "explains under constraints, and there are none of 'loans'; give them: --constraints FILE" in (
        capsys.readouterr().err
    )
    assert main(["gate", "ours-under-constraints", "--constraints", constraint]) == 2
    assert "--constraints needs one --model" in capsys.readouterr().err


def test_an_instance_that_cannot_occur_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, constraint = written(tmp_path)
    table = tmp_path / "rows.csv"
    table.write_text(",".join(["owner", *(f"job_{job}" for job in JOBS)]) + "\n1,0,1,0\n0,1,1,0\n")
    assert main(["check", model, "--instances", str(table), "--constraints", constraint]) == 2
    said = capsys.readouterr().err
    assert "instance 2 of the distinct rows of 'rows.csv': the instance breaks the constraint: clause 2" in said


def test_our_explainer_is_checked_under_a_constraint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, constraint = written(tmp_path)
    assert main(["check", model, "--constraints", constraint, "--jobs", "1"]) == 0
    assert "4 instances" in capsys.readouterr().out
    never = tmp_path / "never.json"
    literals = [[{"feature": "owner", "in": [value]}] for value in (0, 1)]
    never.write_text(json.dumps({"format": "constraints", "version": 1, "clauses": [{"any": own} for own in literals]}))
    assert main(["check", model, "--constraints", str(never)]) == 2
    assert "nothing satisfies the constraint: 2 clauses are in conflict" in capsys.readouterr().err


def test_the_protocol_sends_the_constraint_with_the_model() -> None:
    with RemoteSubject.of_python("ours-under-constraints") as subject:
        assert subject.notion == "constraints"
        graph, constraint = loans(), one_job()
        for _ in range(2):
            # A new object for each case, of which the parts are the same: sent once.
            model = ConstrainedModel(graph, constraint)
            assert set(subject.axp(model, NURSE)) in ({0, 2}, {0, 1, 3})
        assert len(subject.enumerate(model, NURSE)) == 5
