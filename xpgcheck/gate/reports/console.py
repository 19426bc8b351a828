"""The report on the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from xpgcheck.gate.reports.finding_texts import finding_lines, headline
from xpgcheck.gate.reports.summary import (
    facts,
    grid,
    held_words,
    name_of,
    properties_of,
    unsupported_words,
    verdict_line,
    verdict_word,
)
from xpgcheck.gate.reports.texts import MAX_COMMAND, line
from xpgcheck.gate.results import Finding, Report, Row
from xpgcheck.judging.verdicts import Outcome

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

MAX_FINDINGS_SHOWN = 20
"""Findings that are printed; files have all of them."""

MAX_BAD_SHOWN = 10
"""Bad input lines that are printed."""

STYLES = {Outcome.HOLDS: "green", Outcome.VIOLATED: "bold red", Outcome.INCONCLUSIVE: "yellow"}
VERDICT_STYLES = {"VIOLATED": "bold red", "HOLDS": "bold green"}


def print_report(report: Report, console: Console) -> None:
    """Print the subject, what was asked against the verdicts, the properties, the findings, and the verdict line last."""
    _line(console, line(name_of(report)), "bold")
    known = facts(report)
    width = max([11, *(len(name) + 2 for name, _ in known)])
    for name, text in known:
        _line(console, f"  {name + ':':<{width}}{line(text)}")
    console.print()
    _counts(report.counts, console)
    if report.projected:
        _line(console, "The same claims taken over features, a separate question without influence on the verdict:")
        _counts(report.projected, console)
    declined = unsupported_words(report)
    if declined:
        _line(console, f"Declined as unsupported: {line(', '.join(declined))}\n", "yellow")
    if report.properties:
        _properties(report, console)
    for number, finding in enumerate(report.findings[:MAX_FINDINGS_SHOWN], 1):
        _finding(number, finding, console)
    if len(report.findings) > MAX_FINDINGS_SHOWN:
        _line(console, f"… and {len(report.findings) - MAX_FINDINGS_SHOWN:,} more findings (in the JSON report)\n")
    _bad(report, console)
    if report.again:
        _line(console, f"again: {line(report.again, MAX_COMMAND)}")
    _line(console, verdict_line(report), VERDICT_STYLES.get(verdict_word(report), "bold yellow"))


def _line(console: Console, text: str, style: str = "") -> None:
    from rich.text import Text

    # Soft: a terminal wraps it, a file and a copied line keep it whole.
    console.print(Text(text, style=style), soft_wrap=True)


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


def _new_table(*titles: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 2, 0, 0), show_edge=False, pad_edge=False)
    for title in titles:
        table.add_column(title, overflow="fold", max_width=40)
    return table


def _grid_table(counts: Mapping[Row, int]) -> Table:
    from rich.text import Text

    table = _new_table("asked")
    cells = grid(counts)
    for verdict in cells.columns:
        # "right prediction" on two lines.
        title = Text(verdict.value.replace(" ", "\n"), style=STYLES[verdict.outcome])
        table.add_column(title, justify="right", no_wrap=True)
    for about, numbers in cells.rows:
        pairs = zip(cells.columns, numbers, strict=True)
        texts = [Text(f"{n:,}", style=STYLES[verdict.outcome]) if n else Text("·", style="dim") for verdict, n in pairs]
        table.add_row(Text(line(about, 120)), *texts)
    return table


def _list_table(counts: Mapping[Row, int]) -> Table:
    from rich.text import Text

    table = _new_table("asked", "verdict")
    table.add_column("claims", justify="right", no_wrap=True)
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
        _line(console, f"property {line(name, 120)}: failed {tally.failed:,}, held {tally.held:,}", "bold red")
    for name, tally in found.open:
        reason = f" ({line(tally.reasons[0])})" if tally.reasons else ""
        _line(console, f"property {line(name, 120)}: open {tally.open:,}, held {tally.held:,}{reason}", "yellow")
    style = "green" if found.held and not found.failed and not found.open else ""
    _line(console, f"{held_words(found)}\n", style)


def _finding(number: int, finding: Finding, console: Console) -> None:
    _line(console, f"{number}. {headline(finding)}", STYLES[finding.outcome])
    for text in finding_lines(finding):
        _line(console, f"   {text}")
    console.print()


def _bad(report: Report, console: Console) -> None:
    if not report.bad_count:
        return
    _line(console, "Lines that were left out:", "bold yellow")
    for text in report.bad[:MAX_BAD_SHOWN]:
        _line(console, f"  {line(text)}")
    rest = report.bad_count - min(len(report.bad), MAX_BAD_SHOWN)
    if rest:
        _line(console, f"  … and {rest:,} more")
    console.print()
