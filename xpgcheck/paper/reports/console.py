"""The table on the terminal: a line per row, and under what is not simply so its counterexample or condition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xpgcheck.paper.judging import JudgedRow
from xpgcheck.paper.rows import FAILS, HOLDS, HOLDS_WHEN, INCONCLUSIVE, SKIPPED, Row
from xpgcheck.reports.terminal import new_table, say
from xpgcheck.wording import counted

if TYPE_CHECKING:
    from rich.console import Console

STYLES = {HOLDS: "green", HOLDS_WHEN: "green", FAILS: "yellow", INCONCLUSIVE: "magenta", SKIPPED: "dim"}


def print_table(rows: Sequence[JudgedRow], console: Console, *, evidence: bool) -> None:
    """Print a line per row: its name, place, verdict, and how many checks of which source bear on it.

    Below it what decides the verdicts that are not simply "holds"; with *evidence* every check of every row.
    """
    from rich.text import Text

    table = new_table(["row", "place", "verdict", "checks"])
    for judged in rows:
        counts = Counter(check.check.source for check in judged.checks)
        table.add_row(
            judged.row.id,
            judged.row.place,
            Text(judged.words, style=STYLES.get(judged.verdict, "bold red")),
            ", ".join(f"{count} {name}" for name, count in counts.items()),
        )
    console.print(table)
    console.print()
    for judged in rows:
        lines = evidence_lines(judged) if evidence else reason_lines(judged)
        if lines:
            say(console, f"{judged.row.id}: {judged.words}", "bold")
        for line in lines:
            say(console, f"  {line}")


def evidence_lines(judged: JudgedRow) -> list[str]:
    """Return the statement, a line per check (whose evidence, what about, how much), and what decides the verdict."""
    lines = [judged.row.statement]
    lines += [f"{c.check.source}: {c.check.item}: {c.found.skipped or c.found.amount}" for c in judged.checks]
    return lines + reason_lines(judged)


def reason_lines(judged: JudgedRow) -> list[str]:
    """Return what a verdict other than "holds" rests on: a counterexample, what is open, why nothing was tried."""
    lines = []
    example = judged.counterexample
    if example is not None and judged.verdict != HOLDS:
        lines.append(f"→ {(example.found.counterexample or {}).get('text', '')}")
    if judged.verdict in (INCONCLUSIVE, SKIPPED):
        lines += [
            f"→ {c.check.source}: {c.check.item}: {c.found.skipped or c.found.amount}"
            for c in judged.checks
            if c.found.holds is None
        ]
    return lines


def print_rows(rows: Sequence[Row], console: Console) -> None:
    """Print the statements alone."""
    for row in rows:
        say(console, f"{row.id}  [{row.place}]", "bold")
        say(console, f"    {row.statement}")
        for check in row.checks:
            say(console, f"    {check.source}: {check.item} (red by: {check.red_by})")


def last_line(rows: Sequence[JudgedRow]) -> str:
    """Return the last line: how many rows have which verdict, and whether these are the known ones."""
    counts = Counter(row.verdict for row in rows)
    said = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    other = [row.row.id for row in rows if not row.as_known and row.verdict not in (INCONCLUSIVE, SKIPPED)]
    word = "NOT AS KNOWN" if other else "INCONCLUSIVE" if counts[INCONCLUSIVE] else "AS KNOWN"
    return f"{word}: {counted(len(rows), 'row')}: {said}" + (f"; other than known: {', '.join(other)}" if other else "")
