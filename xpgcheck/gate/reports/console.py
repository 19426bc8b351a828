"""The report on the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from xpgcheck.gate.reports.finding_texts import finding_lines, headline
from xpgcheck.gate.reports.summary import (
    conclusion,
    facts,
    grid,
    held_words,
    name_of,
    other_notion,
    properties_of,
    unsupported_words,
    verdict_line,
)
from xpgcheck.gate.results import Finding, Report, Row
from xpgcheck.reports.conclusion import STYLES
from xpgcheck.reports.lines import MAX_COMMAND, line
from xpgcheck.reports.terminal import new_table, say

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

MAX_FINDINGS_SHOWN = 20
"""Findings that are printed; files have all of them."""

MAX_BAD_SHOWN = 10
"""Bad input lines that are printed."""


GAP, WIDEST = 2, 40
"""Between columns of tables, and the widest name in one."""


def print_report(report: Report, console: Console) -> None:
    """Print the subject, what was asked against the verdicts, the properties, the findings, and the verdict line last."""
    say(console, line(name_of(report)), "bold")
    known = facts(report)
    width = max([11, *(len(name) + 2 for name, _ in known)])
    for name, text in known:
        say(console, f"  {name + ':':<{width}}{line(text)}")
    console.print()
    _counts(report.counts, console)
    if report.projected:
        say(
            console,
            f"The same claims {other_notion(report.notion)}, a separate question without influence on the verdict:",
        )
        _counts(report.projected, console)
    declined = unsupported_words(report)
    if declined:
        say(console, f"Declined as unsupported: {line(', '.join(declined))}\n", "yellow")
    if report.properties:
        _properties(report, console)
    for number, finding in enumerate(report.findings[:MAX_FINDINGS_SHOWN], 1):
        _finding(number, finding, console)
    if len(report.findings) > MAX_FINDINGS_SHOWN:
        say(console, f"… and {len(report.findings) - MAX_FINDINGS_SHOWN:,} more findings (in the JSON report)\n")
    _bad(report, console)
    if report.again:
        say(console, f"again: {line(report.again, MAX_COMMAND)}")
    say(console, verdict_line(report), conclusion(report).style)


def _counts(counts: Mapping[Row, int], console: Console) -> None:
    """Print the grid, or one row a count where the terminal is too narrow for it."""
    from rich.measure import Measurement

    if not counts:
        return
    table = _grid_table(counts)
    if Measurement.get(console, console.options.update(max_width=10_000), table).maximum > console.width:
        table = _list_table(counts)
    console.print(table)
    console.print()


def _grid_table(counts: Mapping[Row, int]) -> Table:
    from rich.text import Text

    cells = grid(counts)
    # "right prediction" on two lines.
    titles = [Text(verdict.value.replace(" ", "\n"), style=STYLES[verdict.outcome]) for verdict in cells.columns]
    table = new_table(["asked"], titles, gap=GAP, widest=WIDEST)
    for about, numbers in cells.rows:
        pairs = zip(cells.columns, numbers, strict=True)
        texts = [Text(f"{n:,}", style=STYLES[verdict.outcome]) if n else Text("·", style="dim") for verdict, n in pairs]
        table.add_row(Text(line(about, 120)), *texts)
    return table


def _list_table(counts: Mapping[Row, int]) -> Table:
    from rich.text import Text

    table = new_table(["asked", "verdict"], ["claims"], gap=GAP, widest=WIDEST)
    cells = grid(counts)
    for about, numbers in cells.rows:
        first = True
        for verdict, number in zip(cells.columns, numbers, strict=True):
            if number:
                style = STYLES[verdict.outcome]
                name = Text(line(about, 120) if first else "")
                table.add_row(name, Text(verdict.value, style=style), Text(f"{number:,}", style=style))
                first = False
    return table


def _properties(report: Report, console: Console) -> None:
    found = properties_of(report)
    for name, tally in found.failed:
        say(console, f"property {line(name, 120)}: failed {tally.failed:,}, held {tally.held:,}", "bold red")
    for name, tally in found.open:
        reason = f" ({line(tally.reasons[0])})" if tally.reasons else ""
        say(console, f"property {line(name, 120)}: open {tally.open:,}, held {tally.held:,}{reason}", "yellow")
    style = "green" if found.held and not found.failed and not found.open else ""
    say(console, f"{held_words(found)}\n", style)


def _finding(number: int, finding: Finding, console: Console) -> None:
    say(console, f"{number}. {headline(finding)}", STYLES[finding.outcome])
    for text in finding_lines(finding):
        say(console, f"   {text}")
    console.print()


def _bad(report: Report, console: Console) -> None:
    if not report.bad_count:
        return
    say(console, "Lines that were left out:", "bold yellow")
    for text in report.bad[:MAX_BAD_SHOWN]:
        say(console, f"  {line(text)}")
    rest = report.bad_count - min(len(report.bad), MAX_BAD_SHOWN)
    if rest:
        say(console, f"  … and {rest:,} more")
    console.print()
