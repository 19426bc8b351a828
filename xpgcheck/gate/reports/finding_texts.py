"""A finding in lines of text: what the console, JUnit XML and Markdown say of it."""

from __future__ import annotations

import shlex

from xpgcheck.gate.reports.claim_texts import evidence_lines
from xpgcheck.gate.results import Finding
from xpgcheck.judging.judged import Judged
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.properties.running.report import case_lines
from xpgcheck.reports.lines import MAX_COMMAND, line, tail
from xpgcheck.wording import counted

MAX_JUDGED = 5
"""Judged claims of a finding that are shown, those that do not hold first."""


def headline(finding: Finding) -> str:
    """Return what was asked and the verdict, and how often it was given."""
    times = f" ({counted(finding.times, 'time')})" if finding.times > 1 else ""
    return f"{line(finding.about, 120)}: {line(finding.verdict, 120)}{times}"


def origin_text(finding: Finding) -> str:
    """Return where the case comes from and how large it is."""
    nodes, features, _ = finding.size
    size = f"{counted(nodes, 'non-terminal')}, {counted(features, 'feature')}"
    where = [
        f"line {finding.line:,}" if finding.line else "",
        f"case {finding.example:,}" if finding.example else "",
        line(finding.origin, 200),
    ]
    return f"{', '.join(part for part in where if part) or 'a case'}: {size}"


def shown_judged(finding: Finding) -> list[Judged]:
    """Return the judged claims that a report for people shows."""
    order = (Outcome.VIOLATED, Outcome.INCONCLUSIVE, Outcome.HOLDS)
    return sorted(finding.judged, key=lambda judged: order.index(judged.outcome))[:MAX_JUDGED]


def graph_lines(finding: Finding) -> list[str]:
    """Return the case as text: the graph as a tree, and the instance."""
    return [line(part) for part in case_lines(finding.case)]


def facts_of(finding: Finding) -> list[tuple[str, str]]:
    """Return the claims with their evidence, the saved case and the command that judges it again."""
    found: list[tuple[str, str]] = []
    for judged in shown_judged(finding):
        if len(finding.judged) > 1:
            found.append(("verdict", judged.verdict.value))
        found += evidence_lines(judged, finding.case)
    if finding.file:
        found += [
            ("saved", line(finding.file, MAX_COMMAND)),
            ("again", line(replay_command(finding.file), MAX_COMMAND)),
        ]
    if finding.certificate:
        found.append(("certificate", line(finding.certificate, MAX_COMMAND)))
    return found


def finding_lines(finding: Finding) -> list[str]:
    """Return all of a finding but its headline."""
    lines = [line(finding.text, 2_000)] if finding.text else []
    lines += [origin_text(finding), *(f"  {part}" for part in graph_lines(finding))]
    pairs = facts_of(finding)
    width = max((len(name) for name, _ in pairs), default=0)
    lines += [f"{name:<{width}}  {text}" for name, text in pairs]
    if finding.stderr.strip():
        lines += ["standard error:", *(f"  {part}" for part in tail(finding.stderr))]
    return lines


def replay_command(file: str) -> str:
    """Return the command that judges a saved case again; "" without one."""
    return f"xpgcheck replay {shlex.quote(file)}" if file else ""
