"""The report in a job of GitHub Actions: annotations by workflow commands, and the summary of the job."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from xpgcheck.errors import InputError
from xpgcheck.gate.reports.finding_texts import finding_lines, headline
from xpgcheck.gate.reports.markdown import markdown_report
from xpgcheck.gate.reports.places import CheckoutRoot, place_of_finding
from xpgcheck.gate.reports.summary import name_of
from xpgcheck.gate.results import Report
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.wording import counted

MOST = 10
"""Annotations of a kind that GitHub shows of a step."""

SUMMARY = "GITHUB_STEP_SUMMARY"


def github_annotations(report: Report) -> Iterator[str]:
    """Yield a workflow command for each finding: an error where something is wrong, a warning where it is open.

    Of each kind at most ``MOST``, as GitHub shows no more; the last one then says how many there are.
    """
    root = CheckoutRoot.here()
    for word, outcome in (("error", Outcome.VIOLATED), ("warning", Outcome.INCONCLUSIVE)):
        findings = [finding for finding in report.findings if finding.outcome is outcome]
        shown = findings if len(findings) <= MOST else findings[: MOST - 1]
        for finding in shown:
            place, where = place_of_finding(report, finding), []
            if place is not None:
                where = [f"file={_property(root.path_to(place.file))}", *([f"line={place.line}"] * bool(place.line))]
            title = f"title={_property(f'{name_of(report)}: {headline(finding)}')}"
            yield f"::{word} {','.join([*where, title])}::{_data(chr(10).join(finding_lines(finding)))}"
        if len(shown) < len(findings):
            yield f"::{word}::{counted(len(findings) - len(shown), 'more finding')} in the report"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


@contextmanager
def commands_stopped(write: Callable[[str], object]) -> Iterator[None]:
    """Have nothing that is printed in the body taken for a workflow command: names and errors are the subject's."""
    token = secrets.token_hex(16)
    write(f"::stop-commands::{token}")
    try:
        yield
    finally:
        write(f"::{token}::")


def add_to_summary(report: Report) -> None:
    """Add the Markdown report to the summary of the job, if this is one.  Raises ``InputError`` where that fails."""
    path = os.environ.get(SUMMARY)
    if not path:
        return
    try:
        with open(path, "a", encoding="utf-8") as file:
            file.write(markdown_report(report) + "\n")
    except OSError as error:
        problem = f"the summary of the job cannot be written ({error.strerror})"
        raise InputError(problem, place=path, mend=f"unset {SUMMARY}, or leave --github out") from None
