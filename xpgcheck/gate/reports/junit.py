"""The report as JUnit XML: a test case for each thing asked and for each property; wrong fails, open is an error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xpgcheck.gate.questions import ASKED
from xpgcheck.gate.reports.finding_texts import finding_lines, headline
from xpgcheck.gate.reports.summary import in_order, name_of
from xpgcheck.gate.results import Finding, Report
from xpgcheck.judging.verdicts import Outcome, Verdict
from xpgcheck.properties.running.outcomes import PropertyTally
from xpgcheck.reports.junit import junit_text, new_case, new_suite
from xpgcheck.wording import counted

if TYPE_CHECKING:
    from junitparser import TestCase

MAX_SHOWN = 50
"""Findings, and bad lines, that one test case shows."""


def junit_report(report: Report) -> bytes:
    """Return *report* as JUnit XML: the suites ``claims``, ``models``, ``properties``, ``input``, where they have cases."""
    subject = name_of(report)
    claims = [_claims_case(about, report, subject) for about in _asked(report)]
    claims += [
        new_case(name, f"claims.{subject}", skipped=f"passed over: {reason}")
        for name, reason in report.passed_over.items()
    ]
    properties = [_property_case(name, tally, report, subject) for name, tally in report.properties.items()]
    models = [_model_case(name, report, subject) for name in dict.fromkeys(name for name, _ in report.by_model)]
    lines = [_input_case(report, subject)] if report.bad_count else []
    spent = sum(tally.seconds for tally in report.properties.values())
    about = {key: getattr(report, key) for key in ("subject", "version", "notion", "again")}
    suites = (
        ("claims", claims, max(report.seconds - spent, 0.0)),
        ("models", models, 0.0),
        ("properties", properties, spent),
        ("input", lines, 0.0),
    )
    return junit_text("xpgcheck", (new_suite(name, cases, spent, about) for name, cases, spent in suites if cases))


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
        return new_case(about, f"claims.{subject}", skipped=words)
    return new_case(
        about,
        f"claims.{subject}",
        failed=bool(wrong),
        erred=bool(still_open),
        message=words,
        text=_text(findings),
    )


def _model_case(model: str, report: Report, subject: str) -> TestCase:
    outcomes: Counter[Outcome] = Counter()
    for (own, verdict), count in report.by_model.items():
        if own == model:
            outcomes[Verdict(verdict).outcome] += count
    wrong, still_open = outcomes[Outcome.VIOLATED], outcomes[Outcome.INCONCLUSIVE]
    words = f"{wrong:,} of {counted(sum(outcomes.values()), 'claim')} wrong, {still_open:,} open"
    own_failures = [
        f"{f.origin}: {f.about} {f.verdict}: {f.text}" for f in report.failures if f.origin.startswith(f"{model}, ")
    ]
    findings = [finding for finding in report.findings if finding.origin.startswith(f"{model}, ")]
    return new_case(
        model,
        f"models.{subject}",
        failed=bool(wrong),
        erred=bool(still_open),
        message=words,
        text=_text(findings, own_failures[:MAX_SHOWN]),
    )


def _property_case(name: str, tally: PropertyTally, report: Report, subject: str) -> TestCase:
    findings = [finding for finding in report.findings if finding.about == name and finding.is_property]
    words = f"failed {counted(tally.failed, 'time')}, held {tally.held:,}, open {tally.open:,}"
    if not (tally.failed or tally.open or tally.held):
        silent = "no case of which it says something"
        return new_case(name, f"properties.{subject}", skipped=silent, seconds=tally.seconds)
    return new_case(
        name,
        f"properties.{subject}",
        failed=bool(tally.failed),
        erred=bool(tally.open),
        message=words,
        text=_text(findings, [f"open: {reason}" for reason in tally.reasons]),
        seconds=tally.seconds,
    )


def _input_case(report: Report, subject: str) -> TestCase:
    words = f"{counted(report.bad_count, 'bad line')} left out"
    text = _text((), report.bad[:MAX_SHOWN])
    return new_case("every line is read", f"input.{subject}", erred=True, message=words, text=text)


def _text(findings: Sequence[Finding], more: Sequence[str] = ()) -> str:
    lines = [part for finding in findings[:MAX_SHOWN] for part in (headline(finding), *finding_lines(finding), "")]
    return "\n".join([*lines, *more])
