"""The machine-readable reports of a cross-check: JSON (with a published schema) and JUnit XML."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from xpgcheck.check.results import Check, CheckFinding, ModelResult, Numbers
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.version import __version__
from xpgcheck.writers.xml_text import xml_text

FORMAT = "xpgcheck-check-report"
VERSION = 1

MAX_FINDINGS = 1000
"""Findings written per model; the counts are always of all."""


def json_report(results: Sequence[ModelResult], options: dict[str, Any]) -> str:
    """Return the report as JSON text; see ``schemas/check-report.schema.json``."""
    report = {
        "format": FORMAT,
        "version": VERSION,
        "xpgcheck": __version__,
        "options": options,
        "violations": sum(result.count(Outcome.VIOLATED) for result in results),
        "inconclusive": sum(result.count(Outcome.INCONCLUSIVE) for result in results),
        "models": [_model(result) for result in results],
    }
    return json.dumps(report, indent=1, ensure_ascii=True) + "\n"


def _model(result: ModelResult) -> dict[str, Any]:
    return {
        "name": result.name,
        "features": result.features,
        "nodes": result.nodes,
        "depth": result.depth,
        "instances": result.instances,
        "instances_from": result.sampled_from,
        "seconds": result.seconds,
        "oracle_seconds": result.judge_seconds,
        "xps": {"avg": result.xps_avg},
        "axp": _numbers(result.axp),
        "cxp": _numbers(result.cxp),
        "violations": result.count(Outcome.VIOLATED),
        "inconclusive": result.count(Outcome.INCONCLUSIVE),
        "checks": {check.name.lower(): result.checks[check] for check in Check},
        "queries": dict(sorted(result.queries.items())),
        "findings": [_finding(finding) for finding in result.findings[:MAX_FINDINGS]],
    }


def _numbers(kind: Numbers) -> dict[str, Any]:
    return {"max": kind.max, "min": kind.min, "avg": kind.avg, "length_percent": kind.length_percent}


def _finding(finding: CheckFinding) -> dict[str, Any]:
    return {
        "outcome": finding.outcome.value,
        "check": finding.check.name.lower(),
        "instance": finding.instance,
        "point": finding.point,
        "claim": finding.claim,
        "verdict": finding.verdict,
        "evidence": finding.evidence,
    }


def junit_report(results: Sequence[ModelResult]) -> bytes:
    """Return the report as JUnit XML: a suite a model, a case a check; inconclusive cases are errors."""
    from junitparser import Error, Failure, JUnitXml, TestCase, TestSuite

    xml = JUnitXml("xpgcheck check")
    for result in results:
        name = xml_text(result.name)
        suite = TestSuite(name)
        for check in Check:
            case = TestCase(check.value, f"xpgcheck.check.{name}")
            findings = [finding for finding in result.findings if finding.check is check]
            bad = [f for f in findings if f.outcome is Outcome.VIOLATED]
            if findings:
                kind = Failure if bad else Error
                problem = kind(f"{len(bad or findings)} {(bad or findings)[0].outcome.value}")
                problem.text = xml_text("\n".join(_line(f) for f in findings[:MAX_FINDINGS]))
                case.result = [problem]
            suite.add_testcase(case)
        suite.time = result.seconds + result.judge_seconds
        xml.add_testsuite(suite)
    text: bytes = xml.tostring()  # type: ignore[no-untyped-call]
    return text


def _line(finding: CheckFinding) -> str:
    return f"instance {finding.instance} ({finding.point}): {finding.claim} is {finding.verdict}: {finding.evidence}"
