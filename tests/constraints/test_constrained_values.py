"""Sets of values under constraints: only points that can occur count, for the explainer, the judge and certificates."""

from __future__ import annotations

import itertools
import json
import math
import random
from pathlib import Path
from typing import Any

import pytest
from constraint_samples import NURSE, loans, one_job, written

import xpgcheck
from xpgcheck.certificates.checked import CertifiedLine, CertifierPool
from xpgcheck.check_certificate import check_file
from xpgcheck.cli.main import main
from xpgcheck.explanations.case import case_of
from xpgcheck.judging.claim import Claim, ClaimKind, Notion
from xpgcheck.judging.panel import open_panel
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import shrink_axp, shrink_cxp
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.properties.constraints.strategies import constraint_cases
from xpgcheck.properties.running.search import visit
from xpgcheck.xpg.constraints.ensembles import ConstrainedEnsemble
from xpgcheck.xpg.ensembles.inflation import BoxQuestions
from xpgcheck.xpg.explanation_graph import mask_of

MAX_POINTS = 500


def small(case: Any) -> bool:
    model, constraint = case.graph, case.constraint
    settled = not isinstance(model, Ensemble) or (model.is_settled(case.instance) and not model.tally.slack)
    return settled and math.prod(map(len, constraint.cells_with(model))) <= MAX_POINTS


def test_our_sets_are_right_and_certified() -> None:
    counts = dict.fromkeys((ClaimKind.INFLATED_AXP, ClaimKind.INFLATED_CXP, ClaimKind.INFLATED_CHANGE), 0)
    pool = CertifierPool()

    def look(case: Any) -> None:
        if not small(case):
            return
        model, instance, constraint = case.graph, case.instance, case.constraint
        explainer = case_of(model, instance, constraint=constraint).explainer
        with open_panel(model, solver_last=True, constraint=constraint) as panel:
            judge = panel.claims_at(instance)
            consensus = judge.frame(Notion.CONSTRAINTS).consensus
            everything = frozenset(range(len(model.features)))
            boxes = [
                (ClaimKind.INFLATED_AXP, explainer.values_of_axp(mask_of(shrink_axp(consensus, everything) or ())))
            ]
            if consensus.ask(()).changeable:
                cxp = shrink_cxp(consensus, everything)
                assert cxp is not None
                boxes.append((ClaimKind.INFLATED_CXP, explainer.values_of_cxp(mask_of(cxp))))
                changed = consensus.ask(everything - cxp).witness
                assert changed is not None
                boxes.append((ClaimKind.INFLATED_CHANGE, explainer.values_of_change(mask_of(cxp), changed)))
            for kind, box in boxes:
                assert box is not None
                claim = Claim(kind, Notion.CONSTRAINTS, box=tuple(sorted(box.items(), key=lambda pair: pair[0])))
                judged = judge.judge(claim)
                assert judged.verdict is Verdict.INFLATED, judged.evidence
                free = kind is ClaimKind.INFLATED_CHANGE  # a point that cannot occur is no change
                assert free or all(constraint.allows(point) for _, _, point in judged.evidence.pieces)
                assert isinstance(pool.certified(model, instance, judged, constraint), CertifiedLine)
                counts[kind] += 1

    visit(constraint_cases(10), look, 80, 0)
    assert min(counts.values()) > 20


def test_questions_of_boxes_know_what_can_occur() -> None:
    """Ensembles of both rules, where a box has gaps, and a constraint tests what no tree does."""
    asked = 0

    def look(case: Any) -> None:
        nonlocal asked
        if not small(case):
            return
        constraint, instance = case.constraint, case.instance
        under = ConstrainedEnsemble(case.graph, constraint)
        model, dice = under.ensemble, random.Random(asked)
        own, cells = model.kappa(instance), model.cells
        at = [next(k for k, cell in enumerate(s) if v in cell) for s, v in zip(cells, instance, strict=True)]
        values = [[cell.representative() for cell in split] for split in cells]
        for _ in range(4):
            box = {i: dice.randrange(1 << len(s)) | 1 << at[i] for i, s in enumerate(cells) if dice.random() < 0.7}
            inside = [[v for k, v in enumerate(row) if box.get(i, -1) >> k & 1] for i, row in enumerate(values)]
            wanted = any(model.kappa(p) != own and constraint.allows(p) for p in itertools.product(*inside))
            found = BoxQuestions(model, instance, decider=under.decider).other(box)
            assert (found is not None) is wanted
            asked += 1

    visit(constraint_cases(10), look, 250, 7)
    assert asked > 300


def test_what_explain_says() -> None:
    """A change stays one where a nurse cannot be a pilot: such a point is not a change."""
    found = xpgcheck.explain(loans(), NURSE, constraints=one_job())
    assert "class grant with job_nurse = 0 (not 1) and job_pilot = 1 (not 0)" in str(found)
    axp = found.axps[0]
    assert {name: str(values) for name, values in found.inflate(axp).items()} == {
        name: "{0}" if name == "owner" else "{1}" for name in axp
    }


def test_claims_on_file_and_their_certificates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, constraint = written(tmp_path)
    instance = {"owner": 0, "job_clerk": 0, "job_nurse": 1, "job_pilot": 0}
    claims: list[dict[str, Any]] = [
        {"claim": "inflated AXp", "values": {"owner": [0], "job_nurse": [1]}},
        {"claim": "inflated AXp", "values": {"owner": [0], "job_nurse": [0, 1]}},
        {"claim": "inflated CXp", "values": {"job_nurse": [0], "job_pilot": [1]}},
        {"claim": "inflated CXp", "values": {"owner": [0]}},
        {"claim": "inflated change", "values": {"job_nurse": [0], "job_pilot": [1]}},
        {"claim": "inflated change", "values": {"job_nurse": [0, 1], "job_pilot": [1]}},
        {"claim": "inflated change", "values": {"job_nurse": [0], "job_pilot": [0]}},
        {"claim": "inflated change", "values": {"job_nurse": [1], "job_pilot": [1]}},
    ]
    lines = [json.dumps({"model": "loans.json", "instance": instance, "notion": "constraints", **c}) for c in claims]
    (tmp_path / "claims.jsonl").write_text("".join(line + "\n" for line in lines))
    folder, out = tmp_path / "certificates", tmp_path / "out.jsonl"
    words = ["verify", str(tmp_path / "claims.jsonl"), "--constraints", constraint, "--certificates", str(folder)]
    assert main([*words, "--output", str(out)]) == 1
    verdicts = [json.loads(line)["verdict"] for line in out.read_text().splitlines()]
    right = ["inflated", "insufficient", "inflated", "ineffective", "inflated"]
    assert verdicts == [*right, "ineffective", "ineffective", "ineffective"]
    (file,) = folder.glob("*.certificate.jsonl")
    outcome = check_file(str(file))
    assert outcome.status == 0, outcome.message
    assert {kind: number for kind, number in outcome.counts.items() if kind.startswith("inflated")} == {
        "inflated AXp": 1,
        "inflated CXp": 1,
        "inflated change": 1,
    }
