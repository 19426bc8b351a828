"""The report as JUnit XML: a test case for each thing asked and for each property; wrong fails, open is an error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from xpgcheck.gate.questions import ASKED
from xpgcheck.gate.reports.finding_texts import finding_lines, headline
from xpgcheck.gate.reports.summary import in_order, name_of
from xpgcheck.gate.results import Finding, Report
from xpgcheck.judging.verdicts import Outcome, Verdict
from xpgcheck.properties.running.outcomes import Tally
from xpgcheck.wording import counted
from xpgcheck.writers.xml_text import xml_text

if TYPE_CHECKING:
    from junitparser import TestCase, TestSuite

MAX_SHOWN = 50
"""Findings, and bad lines, that one test case shows."""


def junit_report(report: Report) -> bytes:
    """Return *report* as JUnit XML, with the suites ``claims``, ``properties`` and ``input``, each where it has a case."""
    from junitparser import JUnitXml

    xml = JUnitXml("xpgcheck")
    subject = name_of(report)
    claims = [_claims_case(about, report, subject) for about in _asked(report)]
    claims += [
        _case(name, f"claims.{subject}", skipped=f"passed over: {reason}")
        for name, reason in report.passed_over.items()
    ]
    properties = [_property_case(name, tally, report, subject) for name, tally in report.properties.items()]
    lines = [_input_case(report, subject)] if report.bad_count else []
    spent = sum(tally.seconds for tally in report.properties.values())
    for name, cases, seconds in (
        ("claims", claims, max(report.seconds - spent, 0.0)),
        ("properties", properties, spent),
        ("input", lines, 0.0),
    ):
        if cases:
            xml.add_testsuite(_suite(name, cases, seconds, report))
    text: bytes = xml.tostring()  # type: ignore[no-untyped-call]
    return text


def _suite(name: str, cases: Iterable[TestCase], seconds: float, report: Report) -> TestSuite:
    from junitparser import TestSuite

    suite = TestSuite(name)
    for key in ("subject", "version", "notion", "again"):
        if getattr(report, key):
            suite.add_property(key, xml_text(getattr(report, key)))
    for case in cases:
        suite.add_testcase(case)
    suite.time = round(seconds, 6)
    return suite


def _asked(report: Report) -> list[str]:
    """Return all that was asked, or could have been."""
    counted_ones = {about for about, _ in report.counts}
    return in_order(counted_ones | set(report.unsupported) | (set(report.abilities) & set(ASKED)))


def _claims_case(about: str, report: Report, subject: str) -> TestCase:
    outcomes: Counter[Outcome] = Counter()
    for (own, verdict), count in report.counts.items():
        if own == about:
            outcomes[Verdict(verdict).outcome] += count
    findings = [finding for finding in report.findings if finding.about == about and not finding.is_property]
    wrong, still_open = outcomes[Outcome.VIOLATED], outcomes[Outcome.INCONCLUSIVE]
    words = f"{wrong:,} of {counted(sum(outcomes.values()), 'claim')} wrong, {still_open:,} open"
    if not sum(outcomes.values()):
        declined = report.unsupported[about]
        words = f"declined {counted(declined, 'time')} as unsupported" if declined else "never asked"
        return _case(about, f"claims.{subject}", skipped=words)
    return _case(about, f"claims.{subject}", failed=bool(wrong), erred=bool(still_open), words=words, findings=findings)


def _property_case(name: str, tally: Tally, report: Report, subject: str) -> TestCase:
    findings = [finding for finding in report.findings if finding.about == name and finding.is_property]
    words = f"failed {counted(tally.failed, 'time')}, held {tally.held:,}, open {tally.open:,}"
    if not (tally.failed or tally.open or tally.held):
        case = _case(name, f"properties.{subject}", skipped="no case of which it says something")
    else:
        case = _case(
            name,
            f"properties.{subject}",
            failed=bool(tally.failed),
            erred=bool(tally.open),
            words=words,
            findings=findings,
            more=[f"open: {reason}" for reason in tally.reasons],
        )
    case.time = round(tally.seconds, 6)
    return case


def _input_case(report: Report, subject: str) -> TestCase:
    words = f"{counted(report.bad_count, 'bad line')} left out"
    return _case("every line is read", f"input.{subject}", erred=True, words=words, more=report.bad[:MAX_SHOWN])


def _case(
    name: str,
    place: str,
    *,
    failed: bool = False,
    erred: bool = False,
    words: str = "",
    skipped: str = "",
    findings: Sequence[Finding] = (),
    more: Sequence[str] = (),
) -> TestCase:
    from junitparser import Error, Failure, Skipped, TestCase

    case = TestCase(xml_text(name), xml_text(f"xpgcheck.{place}"))
    if skipped:
        case.result = [Skipped(xml_text(skipped))]
    elif failed or erred:
        problem = (Failure if failed else Error)(words)
        lines = [part for finding in findings[:MAX_SHOWN] for part in (headline(finding), *finding_lines(finding), "")]
        problem.text = xml_text("\n".join([*lines, *more]))
        case.result = [problem]
    return case
