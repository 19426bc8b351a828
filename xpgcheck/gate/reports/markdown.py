"""The report as GitHub's Markdown, for the summary of a job or a comment: tables first, then the findings, folded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xpgcheck.gate.reports.finding_texts import facts_of, graph_lines, headline, origin_text, replay_command
from xpgcheck.gate.reports.summary import (
    OUTCOME_WORDS,
    by_outcome,
    conclusion,
    facts,
    held_words,
    name_of,
    other_notion,
    properties_of,
    unsupported_words,
    verdict_line,
)
from xpgcheck.gate.results import Finding, Report, Row
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.reports.lines import tail
from xpgcheck.reports.markdown import code, code_block, escaped

MAX_BYTES = 60_000
"""A comment may have 65,536 characters, a job's summary a MiB; a page of this length loads at once."""

MAX_ROWS = 100
"""Rows of a table, and bad lines, that are shown."""

SIGNS = {Outcome.HOLDS: "✅", Outcome.VIOLATED: "❌", Outcome.INCONCLUSIVE: "❔"}

_NOTE = "\n*{} more {} left out here; the JSON and HTML reports have everything.*\n"


def markdown_report(report: Report) -> str:
    """Return *report* as Markdown of at most ``MAX_BYTES`` bytes.  What does not fit is left out, and a note says so."""
    room = MAX_BYTES - 200
    parts: list[str] = []
    left_out = 0
    for part in _parts(report):
        size = len(part.encode()) + 1
        if size > room:
            left_out += 1
            continue
        room -= size
        parts.append(part)
    if left_out:
        parts.append(_NOTE.format(left_out, "part is" if left_out == 1 else "parts are"))
    return "\n".join(parts)


def _parts(report: Report) -> Iterator[str]:
    """Yield the parts of the report, the most important ones first."""
    yield f"## {SIGNS[conclusion(report).shown]} {escaped(name_of(report), 120)}\n\n**{verdict_line(report)}**\n"
    yield "".join(f"- {name}: {escaped(text)}\n" for name, text in facts(report))
    if report.counts:
        yield _table(report.counts)
    if report.projected:
        yield f"The same claims {other_notion(report.notion)}, a separate question without influence on the verdict:\n"
        yield _table(report.projected)
    declined = unsupported_words(report)
    if declined:
        yield f"Declined as unsupported: {escaped(', '.join(declined))}.\n"
    if report.properties:
        yield _properties(report)
    if report.bad_count:
        yield _bad(report)
    if report.again:
        yield f"Again: {code(report.again)}\n"
    if report.findings:
        yield "### Findings\n"
    for number, finding in enumerate(report.findings, 1):
        yield _finding(number, finding)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _table(counts: Mapping[Row, int]) -> str:
    cells = by_outcome(counts)
    head = _row(["asked", *(f"{SIGNS[outcome]} {OUTCOME_WORDS[outcome]}" for outcome in cells.outcomes)])
    rule = _row(["---" for _ in range(len(cells.outcomes) + 1)])
    rows = [
        _row(
            [
                escaped(row.about, 120),
                *(", ".join(f"{n:,} {verdict.value}" for verdict, n in row.counts[o]) for o in cells.outcomes),
            ]
        )
        for row in cells.rows[:MAX_ROWS]
    ]
    return head + rule + "".join(rows)


def _properties(report: Report) -> str:
    found = properties_of(report)
    rows = [
        _row([f"{SIGNS[outcome]} {escaped(name, 120)}", *(f"{n:,}" for n in (tally.failed, tally.open, tally.held))])
        for outcome, group in ((Outcome.VIOLATED, found.failed), (Outcome.INCONCLUSIVE, found.open))
        for name, tally in group
    ]
    head = _row(["property", "failed", "open", "held"]) + _row(["---", "---:", "---:", "---:"]) if rows else ""
    gap = "\n" if rows else ""
    return f"{head}{''.join(rows[:MAX_ROWS])}{gap}{held_words(found)}.\n"


def _bad(report: Report) -> str:
    shown = report.bad[:MAX_ROWS]
    rest = report.bad_count - len(shown)
    lines = code_block([*shown, *([f"… and {rest:,} more"] if rest else [])])
    return f"<details><summary>{report.bad_count:,} bad lines left out</summary>\n\n{lines}\n\n</details>\n"


def _finding(number: int, finding: Finding) -> str:
    lines = [
        f"<details><summary>{number}. {SIGNS[finding.outcome]} {escaped(headline(finding))}</summary>",
        "",
        escaped(finding.text, 1_000),
        "",
        *(f"- {name}: {escaped(text)}" for name, text in facts_of(finding) if name not in ("saved", "again")),
        f"- from: {escaped(origin_text(finding))}",
    ]
    if finding.file:
        lines += [f"- saved: {code(finding.file)}", f"- again: {code(replay_command(finding.file))}"]
    lines += ["", code_block(graph_lines(finding))]
    if finding.stderr.strip():
        lines += ["", "Standard error:", "", code_block(tail(finding.stderr))]
    return "\n".join([*lines, "", "</details>", ""])
