"""Claims under constraints: a notion of its own, judged under the constraint that they name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from constraint_samples import NURSE, loans, one_job, written

from xpgcheck.check_certificate import check_file
from xpgcheck.cli.main import main
from xpgcheck.errors import InputError
from xpgcheck.judging.claim import Claim, ClaimKind, Notion
from xpgcheck.judging.panel import Panel
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.constraint import BrokenError, constraint_of_graph
from xpgcheck.writers.json_constraints import constraint_json
from xpgcheck.xpg.constraints.compiling import constraint_graph

INSTANCE = {"owner": 0, "job_clerk": 0, "job_nurse": 1, "job_pilot": 0}


def _verified(folder: Path, capsys: pytest.CaptureFixture[str], *claims: dict[str, Any], given: bool = True) -> Any:
    _, constraint = written(folder)
    lines = [json.dumps({"model": "loans.json", "instance": INSTANCE, **claim}) for claim in claims]
    (folder / "claims.jsonl").write_text("".join(line + "\n" for line in lines))
    words = ["verify", str(folder / "claims.jsonl"), "--output", str(folder / "out.jsonl")]
    status = main(words + (["--constraints", constraint] if given else []))
    out = folder / "out.jsonl"
    judged = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    return status, [line["verdict"] for line in judged], judged, capsys.readouterr()


def test_each_notion_is_judged_by_its_own_definition(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    less, more = ["owner", "job_nurse"], ["owner", "job_nurse", "job_pilot"]
    status, verdicts, judged, _ = _verified(
        tmp_path,
        capsys,
        {"claim": "AXp", "features": less},
        {"claim": "AXp", "features": more},
        {"claim": "AXp", "notion": "constraints", "features": less},
        {"claim": "AXp", "notion": "constraints", "features": more},
        {"claim": "CXp", "features": ["job_pilot"]},
        {"claim": "CXp", "notion": "constraints", "features": ["job_pilot"]},
        {"claim": "CXp", "notion": "constraints", "features": ["job_nurse", "job_pilot"]},
    )
    assert status == 1
    assert verdicts == ["insufficient", "AXp", "AXp", "redundant", "CXp", "ineffective", "CXp"]
    # The same claim without the constraint is a question of its own.
    assert judged[2]["projected"]["verdict"] == "insufficient"
    assert "notion" not in judged[2]["projected"]["claim"]


def test_families_and_memberships_under_a_constraint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cxps = [["owner"], ["job_nurse", "job_pilot"], ["job_clerk", "job_nurse"]]
    member = {"claim": "membership", "notion": "constraints"}
    _, verdicts, judged, _ = _verified(
        tmp_path,
        capsys,
        {"claim": "family", "notion": "constraints", "axps": [["owner", "job_nurse"]], "cxps": cxps},
        {"claim": "family", "notion": "constraints", "cxps": cxps},
        {**member, "feature": "job_nurse", "member": True},
        {**member, "feature": "owner", "member": False},
    )
    assert verdicts == ["incomplete", "complete", "right membership", "wrong membership"]
    assert judged[0]["evidence"]["missing"]["members"] == ["owner", "job_clerk", "job_pilot"]


def test_a_claim_names_its_constraint_by_the_digest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claim = {"claim": "AXp", "notion": "constraints", "features": ["owner", "job_nurse"]}
    status, verdicts, judged, _ = _verified(tmp_path, capsys, {**claim, "under": one_job().digest})
    assert (status, verdicts) == (0, ["AXp"])
    assert judged[0]["claim"]["under"] == one_job().digest
    status, _, _, said = _verified(tmp_path, capsys, {**claim, "under": "sha256:0"})
    assert status == 2
    assert "line 1: the claim is made under another constraint, sha256:0" in said.err
    status, _, _, said = _verified(tmp_path, capsys, {"claim": "AXp", "features": ["owner"], "under": "sha256:0"})
    assert (status, "'under' in a claim of the notion features" in said.err) == (2, True)


def test_without_the_constraint_there_is_no_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claim = {"claim": "AXp", "notion": "constraints", "features": ["owner", "job_nurse"]}
    status, _, _, said = _verified(tmp_path, capsys, claim, given=False)
    assert status == 2
    assert "line 1: the claim is made under a constraint, and none was given; give it (--constraints FILE)" in said.err


def test_a_finding_is_saved_with_its_constraint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, constraint = written(tmp_path)
    claim = {
        "claim": "AXp",
        "notion": "constraints",
        "features": ["owner"],
        "model": "loans.json",
        "instance": INSTANCE,
    }
    (tmp_path / "claims.jsonl").write_text(json.dumps(claim) + "\n")
    words = ["verify", str(tmp_path / "claims.jsonl"), "--constraints", constraint, "--cases", str(tmp_path / "cases")]
    assert main(words) == 1
    (case,) = (tmp_path / "cases").glob("*.json")
    assert main(["replay", str(case)]) == 1
    out = capsys.readouterr().out
    assert "insufficient" in out
    assert "xpgcheck:" not in out


def test_what_the_judge_says_of_instances_that_cannot_occur() -> None:
    with Panel(loans(), solver_last=True, constraint=one_job()) as panel:
        judge = panel.claims_at((False, True, True, False))
        claim = Claim(ClaimKind.AXP, Notion.CONSTRAINTS, frozenset([0]))
        with pytest.raises(BrokenError, match="clause 2"):
            judge.judge(claim)
        # Without the constraint it is a point like any other.
        assert judge.judge(Claim(ClaimKind.AXP, members=frozenset([0, 2, 3]))).verdict is Verdict.AXP
    with Panel(loans(), solver_last=True) as panel, pytest.raises(InputError, match="none was given"):
        panel.claims_at(NURSE).judge(claim)


def test_certificates_of_judged_claims_name_the_constraint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, constraint = written(tmp_path)
    claims = [
        {"claim": "AXp", "features": ["owner", "job_nurse", "job_pilot"]},
        {"claim": "AXp", "notion": "constraints", "features": ["owner", "job_nurse"]},
        {"claim": "AXp", "notion": "constraints", "features": ["owner", "job_nurse", "job_pilot"]},
        {"claim": "CXp", "notion": "constraints", "features": ["job_pilot"]},
        {"claim": "CXp", "notion": "constraints", "features": ["owner"]},
    ]
    lines = [json.dumps({"model": "loans.json", "instance": INSTANCE, **claim}) for claim in claims]
    (tmp_path / "claims.jsonl").write_text("".join(line + "\n" for line in lines))
    folder = tmp_path / "certificates"
    words = ["verify", str(tmp_path / "claims.jsonl"), "--constraints", constraint, "--certificates", str(folder)]
    assert main(words) == 1
    files = sorted(folder.glob("*.certificate.jsonl"))
    counts = {("constraints" in path.read_text().split("\n")[0]): check_file(str(path)) for path in files}
    assert {own: outcome.status for own, outcome in counts.items()} == {False: 0, True: 0}
    found = {kind: number for kind, number in counts[True].counts.items() if number}
    assert found == {"instances": 4, "AXp": 1, "redundant AXp": 1, "ineffective CXp": 1, "CXp": 1}
    capsys.readouterr()
    # Claims that hold under constraints say nothing about claims without them.
    (under,) = (path for path in files if "constraints" in path.read_text().split("\n")[0])
    assert main(["verify", str(tmp_path / "claims.jsonl"), "--constraints", constraint, "--evidence", str(under)]) == 2
    assert "it is about what holds under constraints" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["clauses", "graph"])
def test_certify_under_a_constraint(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, constraint = written(tmp_path)
    if kind == "graph":
        graph = constraint_of_graph(constraint_graph(one_job()))
        Path(constraint).write_text(constraint_json(graph))
    instance = ["--instance", "owner=0, job_clerk=0, job_nurse=1, job_pilot=0"]
    target = tmp_path / "c.jsonl"
    assert main(["certify", model, *instance, "--constraints", constraint, "-o", str(target)]) == 0
    assert "2 AXps and 3 CXps of 1 instance, which are all" in capsys.readouterr().out
    assert main(["check-certificate", str(target), "--model", model]) == 0
    header, line, end = target.read_text().splitlines(keepends=True)
    rules = json.loads(header)["constraints"]
    assert len(rules) == (4 if kind == "clauses" else 1)
    assert json.loads(line)["notion"] == "constraints"
    capsys.readouterr()
    impossible = "owner=0, job_clerk=0, job_nurse=0, job_pilot=0"
    assert main(["certify", model, "--instance", impossible, "--constraints", constraint, "-o", str(target)]) == 2
    assert "the instance breaks the constraint" in capsys.readouterr().err
    for wrong, problem in (
        (line.replace('"notion":"constraints"', '"notion":"features"'), "family.notion is 'features'"),
        (line.replace('"instance":[0,0,1,0]', '"instance":[0,0,1,1]'), "the constraints forbid it"),
    ):
        target.write_text(header + wrong + end)
        assert main(["check-certificate", str(target)]) in (1, 2)
        said = capsys.readouterr()
        assert problem in said.out + said.err


def test_a_constraint_of_one_model_is_none_of_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, constraint = written(tmp_path)
    own = {"claim": "AXp", "notion": "constraints", "features": ["owner", "job_nurse"], "model": "loans.json"}
    other = {"model": "omdd", "instance": [0, 0, 0], "claim": "AXp", "features": ["x1"]}
    lines = [{**own, "instance": INSTANCE}, other]
    claims = tmp_path / "claims.jsonl"
    claims.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["verify", str(claims), "--constraints", constraint, "--quiet"]) in (0, 1)
    claims.write_text(json.dumps({**other, "notion": "constraints"}) + "\n")
    assert main(["verify", str(claims), "--constraints", constraint]) == 2
    assert "line 1: " in (said := capsys.readouterr().err)
    assert "the model has no feature 'job_clerk'" in said
    claims.write_text(json.dumps(other) + "\n")
    assert main(["verify", str(claims), "--constraints", constraint]) == 2
    assert "no claim is made under constraints" in capsys.readouterr().err
