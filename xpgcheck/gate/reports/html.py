"""The report as one HTML page that needs nothing else: no script, no font, no picture from elsewhere."""

from __future__ import annotations

from xpgcheck.gate.reports.html_finding import finding_view
from xpgcheck.gate.reports.summary import (
    ASKED_WORDS,
    OUTCOME_WORDS,
    by_outcome,
    conclusion,
    facts,
    held_words,
    name_of,
    properties_of,
    unsupported_words,
    verdict_line,
)
from xpgcheck.gate.results import Report
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.reports.lines import MAX_COMMAND, line
from xpgcheck.reports.pages import page

MAX_FINDINGS = 100
"""Findings on the page, each with its picture; the JSON report has all."""

MAX_BAD = 200
"""Bad input lines on the page."""


def html_report(report: Report) -> str:
    """Return *report* as a page.  Every text of others is escaped by the template engine and kept on one line."""
    comes_to = conclusion(report)
    shown = report.findings[:MAX_FINDINGS]
    return page(
        "xpgcheck.gate.reports",
        "report.html.j2",
        report=report,
        name=line(name_of(report), 200),
        outcome=comes_to.shown,
        word=comes_to.word,
        outcome_words=OUTCOME_WORDS,
        verdict=verdict_line(report).partition(": ")[2],
        facts=[(name, line(text, 1_000)) for name, text in facts(report)],
        counts=by_outcome(report.counts),
        projected=by_outcome(report.projected),
        asked_words=ASKED_WORDS,
        unsupported=line(", ".join(unsupported_words(report)), 1_000),
        properties=properties_of(report) if report.properties else None,
        statements=_statements(report),
        properties_outcomes={"failed": Outcome.VIOLATED, "open": Outcome.INCONCLUSIVE},
        held=held_words(properties_of(report)),
        findings=[finding_view(number, finding, report.subject) for number, finding in enumerate(shown, 1)],
        more_findings=len(report.findings) - len(shown),
        bad=[line(text, 1_000) for text in report.bad[:MAX_BAD]],
        again=line(report.again, MAX_COMMAND),
    )


def _statements(report: Report) -> dict[str, str]:
    """Return what the properties of *report* say, of those that are in the table of properties."""
    if not report.properties:
        return {}
    from xpgcheck.properties.catalogue import all_properties

    return {item.name: item.statement for item in all_properties() if item.name in report.properties}
