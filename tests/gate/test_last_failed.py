"""``gate --last-failed``: what failed by the report of the last run comes first, and alone where it fails again."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from small_forests import majority_of_three

from xpgcheck.cli.main import main
from xpgcheck.gate.cases_on_file import last_run
from xpgcheck.gate.plan import Cases, GatePlan, InProcess
from xpgcheck.gate.reports.json_report import json_report
from xpgcheck.gate.results import Report
from xpgcheck.gate.run import gate
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.properties.ours_constraints import ConstrainedExplainer
from xpgcheck.properties.seeded.textbook import Textbook
from xpgcheck.writers.json_model import classifier_json


class Greedy(Textbook):
    """A CXp of all features; everything else is right."""

    name = "greedy"

    def cxp(self, graph: Any, instance: Any) -> Any:
        return None if super().cxp(graph, instance) is None else range(len(instance))


class AlwaysOne(Textbook):
    """σ is 1 everywhere."""

    name = "always one"

    def sigma(self, graph: Any, instance: Any, fixed: Any) -> bool:
        return True


class ForgetsThem(ConstrainedExplainer):
    """The first feature too, whatever is asked."""

    def axp(self, model: Any, instance: Any) -> Any:
        return {0, *super().axp(model, instance)}


PLAN = GatePlan(InProcess(Textbook()), Cases(8, 0, 12))


def plan_of(subject: Any, **changes: Any) -> GatePlan:
    return dataclasses.replace(PLAN, open=InProcess(subject), **changes)


def written(report: Report, folder: Path) -> Path:
    path = folder / "report.json"
    path.write_text(json_report(report))
    return path


def test_what_failed_is_asked_alone_until_it_is_right(tmp_path: Path) -> None:
    path = written(gate(plan_of(Greedy())), tmp_path)
    last = last_run(path)
    assert [case.about for case in last.cases] == ["cxp"]
    report = gate(plan_of(Greedy(), last=last))
    assert report.outcome() is Outcome.VIOLATED
    assert report.cases == {"that failed last time": 1}
    assert report.claims == 1
    assert report.last_run == "1 of 1 failure in report.json asked again, still wrong or open: nothing else was asked"
    assert [found.origin for found in report.findings] == ["finding 1 of report.json"]
    # The same of its own report, and all of the run as soon as it is right.
    assert [case.about for case in last_run(written(report, tmp_path)).cases] == ["cxp"]
    right = gate(plan_of(Textbook(), last=last))
    assert right.outcome() is Outcome.HOLDS
    assert right.cases == {"that failed last time": 1, "generated": 8}
    assert right.last_run.startswith("1 of 1 failure in report.json (of greedy) asked again, all right now")
    assert gate(plan_of(Textbook(), last=last_run(written(right, tmp_path)))).last_run == (
        "nothing failed in report.json: everything was asked"
    )


def test_a_property_that_failed_is_tried_with_its_dice(tmp_path: Path) -> None:
    plan = plan_of(AlwaysOne(), properties=("sigma_is_one_exactly_for_weak_axps",))
    report = gate(plan)
    (found,) = report.findings
    assert found.is_property
    last = last_run(written(report, tmp_path))
    again = gate(dataclasses.replace(plan, last=last))
    assert again.outcome() is Outcome.VIOLATED
    assert again.properties[found.about].failed == 1
    assert again.findings[0].case.dice == found.case.dice


def test_a_case_under_a_constraint_keeps_it(tmp_path: Path) -> None:
    last = last_run(written(gate(plan_of(ForgetsThem(), cases=Cases(8, 0, 12, models=()))), tmp_path))
    assert last.cases
    assert all(case.case.constraint is not None for case in last.cases)
    report = gate(plan_of(ForgetsThem(), last=last))
    assert report.outcome() is Outcome.VIOLATED
    assert set(report.cases) == {"that failed last time"}
    # Who explains without constraints is not asked there.
    assert gate(plan_of(Textbook(), last=last)).cases == {"generated": 8}


def test_an_ensemble_and_names_that_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    forest = json.loads(classifier_json(majority_of_three()))
    case = {"about": "axp", "outcome": "violated", "instance": dict.fromkeys(("f0", "f1", "f2"), "0"), "graph": forest}
    head = {"format": "xpgcheck-gate-report", "version": 1, "subject": "mine"}
    path.write_text(json.dumps({**head, "findings": [case, {**case, "graph": None}]}))
    last = last_run(path)
    assert (len(last.cases), last.left_out, last.subject) == (1, 1, "mine")
    assert gate(plan_of(Textbook(), last=last)).cases == {"generated": 8}


BAD = {
    "": "Input data was truncated",
    "{}": "`format`",
    '{"format": "judged-case", "version": 1, "findings": []}': "format 'judged-case'",
    '{"format": "xpgcheck-gate-report", "version": 2, "findings": []}': "version 2, not xpgcheck-gate-report version 1",
    '{"format": "xpgcheck-gate-report", "version": 1, "findings": [{"about": "axp"}]}': "`outcome`",
    '{"format": "xpgcheck-gate-report", "version": 1, "findings": [{"about": "axp", "outcome": "violated",'
    ' "instance": {}, "graph": {"format": "pickle"}}]}': "finding 1",
    "[" * 100_000: "no report of a gate",
    "\x80\x04": "no report of a gate",
}


@pytest.mark.parametrize("text", BAD, ids=list(map(str, range(len(BAD)))))
def test_a_bad_report_is_one_line(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(text.encode("latin-1"))
    assert main(["gate", "textbook", "--last-failed", str(path), "--no-models"]) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert said.err.startswith(f"xpgcheck: {path}")
    assert BAD[text] in said.err


def test_the_first_run_has_no_report_yet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["gate", "textbook", "--no-models", "--no-deck", "--examples", "2", "--no-properties", "--jobs", "1"]
    assert main([*words, "--last-failed", "r.json"]) == 2
    assert "there is no such file" in capsys.readouterr().err
    assert main([*words, "--last-failed", "r.json", "--json", "r.json"]) == 0
    assert "there is no r.json yet: everything was asked" in capsys.readouterr().out
    assert main([*words, "--last-failed", "r.json", "--html", "r.json"]) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["r.json"]
