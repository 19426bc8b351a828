"""A saved case, judged again: the claims as they were made, or those that a subject makes now."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from xpgcheck.claims.documents import JudgedCase
from xpgcheck.errors import InputError, NothingCheckedError, shown
from xpgcheck.gate.kept import read_case
from xpgcheck.gate.plan import GatePlan
from xpgcheck.gate.results import Finding, Report
from xpgcheck.gate.run import gate
from xpgcheck.judging.panel import open_panel
from xpgcheck.properties.cases import case_of


def judge_again(
    path: Path, solvers: Sequence[str], timeout_ms: int, *, solvers_first: bool = False
) -> tuple[Report, list[str]]:
    """Judge the claims that the case at *path* holds; return the report, and a line for each verdict that is another now.

    Every claim is a finding, right ones too, with all the evidence.  About an ensemble, *solvers* are asked last, unless
    *solvers_first*.  Raises ``InputError`` where the file is no judged
    case: one of a property says nothing without a subject.
    """
    kept = read_case(path)
    if not isinstance(kept, JudgedCase):
        problem = f"a case of the property {shown(kept.property)}, which a subject has to answer"
        raise InputError(problem, place=str(path), mend="add --subject or --command")
    report = Report("xpgcheck replay", kept.subject)
    report.cases["saved"] = 1
    other: list[str] = []
    case = case_of(kept.graph, kept.instance, constraint=kept.constraint)
    opened = open_panel(kept.graph, solvers, timeout_ms, solvers_named=solvers_first, constraint=kept.constraint)
    with opened as judges:
        judge = judges.claims_at(kept.instance)
        for claim, before in zip(kept.claims, kept.verdicts, strict=True):
            judged = judge.judge(claim)
            verdict = judged.verdict.value
            report.counts[claim.kind.value, verdict] += 1
            if judged.projected is not None:
                report.projected[claim.kind.value, judged.projected.verdict.value] += 1
            if before and before != verdict:
                other.append(f"{judged.evidence.text}: {verdict} now, {before} when it was saved")
            origin = f"saved in {path.name}: {kept.origin}" if kept.origin else f"saved in {path.name}"
            finding: Finding[Any] = Finding.of(claim.kind.value, judged, case, origin=origin, stderr=kept.stderr)
            report.findings.append(dataclasses.replace(finding, file=str(path)))
    return report, other


def ask_again(path: Path, plan: GatePlan) -> Report:
    """Ask the subject of *plan* at the case at *path*, of whichever format, and judge what it answers now.

    Raises ``NothingCheckedError`` where it has no method that the case is about.
    """
    read_case(path)
    try:
        report = gate(dataclasses.replace(plan, kept=(path,)))
    except NothingCheckedError as error:
        error.mend = "give a subject with the methods that the case is about"
        raise error.at(str(path)) from None
    report.title = "xpgcheck replay"
    report.findings = [dataclasses.replace(finding, file=str(path)) for finding in report.findings]
    return report
