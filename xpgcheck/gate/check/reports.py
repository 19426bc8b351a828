"""The machine-readable reports of a cross-check: JSON (with a published schema) and JUnit XML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xpgcheck.gate.check.documents import CheckFindingRecord, CheckReport, KindRecord, ModelRecord, XpsRecord
from xpgcheck.gate.check.results import Check, CheckFinding, ModelResult, Numbers, instance_text
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.reports.documents import record_text
from xpgcheck.reports.junit import junit_text, new_case, new_suite

MAX_FINDINGS = 1000
"""Findings written per model; the counts are always of all."""


def json_report(results: Sequence[ModelResult], options: dict[str, Any]) -> str:
    """Return the report as JSON text; see ``schemas/check-report.schema.json``."""
    report = CheckReport(
        options=options,
        violations=sum(result.count(Outcome.VIOLATED) for result in results),
        inconclusive=sum(result.count(Outcome.INCONCLUSIVE) for result in results),
        models=[_model(result) for result in results],
    )
    return record_text(report)


def _model(result: ModelResult) -> ModelRecord:
    return ModelRecord(
        name=result.name,
        features=result.features,
        nodes=result.nodes,
        depth=result.depth,
        instances=result.instances,
        instances_from=result.sampled_from,
        seconds=result.seconds,
        oracle_seconds=result.judge_seconds,
        xps=XpsRecord(avg=result.xps_avg),
        axp=_numbers(result.axp),
        cxp=_numbers(result.cxp),
        violations=result.count(Outcome.VIOLATED),
        inconclusive=result.count(Outcome.INCONCLUSIVE),
        checks={check.name.lower(): result.checks[check] for check in Check},
        queries=dict(sorted(result.queries.items())),
        findings=[_finding(finding) for finding in result.findings[:MAX_FINDINGS]],
    )


def _numbers(kind: Numbers) -> KindRecord:
    return KindRecord(max=kind.max, min=kind.min, avg=kind.avg, length_percent=kind.length_percent)


def _finding(finding: CheckFinding) -> CheckFindingRecord:
    return CheckFindingRecord(
        outcome=cast("Any", finding.outcome.value),
        check=cast("Any", Check(finding.about).name.lower()),
        instance=finding.case.dice,
        point=instance_text(finding.case),
        claim=finding.claim,
        verdict=finding.verdict,
        evidence=finding.text,
    )


def junit_report(results: Sequence[ModelResult]) -> bytes:
    """Return the report as JUnit XML: one suite per model, one case per check; inconclusive cases are errors."""
    suites = []
    for result in results:
        cases = []
        for check in Check:
            findings = [finding for finding in result.findings if finding.about == check.value]
            bad = [finding for finding in findings if finding.outcome is Outcome.VIOLATED]
            cases.append(
                new_case(
                    check.value,
                    f"check.{result.name}",
                    failed=bool(bad),
                    erred=bool(findings),
                    message=f"{len(bad or findings)} {(bad or findings)[0].outcome.value}" if findings else "",
                    text="\n".join(_line(finding) for finding in findings[:MAX_FINDINGS]),
                )
            )
        suites.append(new_suite(result.name, cases, result.seconds + result.judge_seconds))
    return junit_text("xpgcheck check", suites)


def _line(finding: CheckFinding) -> str:
    where = f"instance {finding.case.dice} ({instance_text(finding.case)})"
    return f"{where}: {finding.claim} is {finding.verdict}: {finding.text}"
