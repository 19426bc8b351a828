"""The machine-readable reports of a check: JSON (with a published schema) and JUnit XML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from xpgcheck.gate.check.documents import CheckFindingRecord, CheckReport, ModelRecord
from xpgcheck.gate.check.results import Check
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.reports.documents import record_text
from xpgcheck.reports.junit import junit_text, new_case, new_suite

MAX_FINDINGS = 1000
"""Findings written per model; the counts are always of all."""


def json_report(results: Sequence[ModelRecord], options: dict[str, Any]) -> str:
    """Return the report as JSON text; see ``schemas/check-report.schema.json``."""
    report = CheckReport(
        options=options,
        violations=sum(result.violations for result in results),
        inconclusive=sum(result.inconclusive for result in results),
        models=[replace(result, findings=result.findings[:MAX_FINDINGS]) for result in results],
    )
    return record_text(report)


def junit_report(results: Sequence[ModelRecord]) -> bytes:
    """Return the report as JUnit XML: one suite per model, one case per check; inconclusive cases are errors."""
    suites = []
    for result in results:
        cases = []
        for check in Check:
            findings = [finding for finding in result.findings if finding.check == check.name.lower()]
            bad = [finding for finding in findings if finding.outcome == Outcome.VIOLATED.value]
            cases.append(
                new_case(
                    check.value,
                    f"check.{result.name}",
                    failed=bool(bad),
                    erred=bool(findings),
                    message=f"{len(bad or findings)} {(bad or findings)[0].outcome}" if findings else "",
                    text="\n".join(_line(finding) for finding in findings[:MAX_FINDINGS]),
                )
            )
        suites.append(new_suite(result.name, cases, result.seconds + result.oracle_seconds))
    return junit_text("xpgcheck check", suites)


def _line(finding: CheckFindingRecord) -> str:
    return f"instance {finding.instance} ({finding.point}): {finding.claim} is {finding.verdict}: {finding.evidence}"
