"""The table of a cross-check on the terminal: one row per model with the columns of the paper's Tables 1 and 2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xpgcheck.gate.check.documents import KindRecord, ModelRecord
from xpgcheck.gate.check.results import Check
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.reports.conclusion import STYLES, Conclusion
from xpgcheck.reports.terminal import new_table, say
from xpgcheck.wording import counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

MAX_FINDINGS_SHOWN = 10


def print_report(results: Sequence[ModelRecord], console: Console) -> None:
    """Print the table, what was checked by which oracle, the first findings, and the verdict."""
    for table in _tables(results, console.width):
        console.print(table)
        console.print()
    checks: Counter[str] = Counter()
    queries: Counter[str] = Counter()
    for result in results:
        checks.update(result.checks)
        queries.update(result.queries)
    console.print("Checked:", style="bold")
    for check in Check:
        console.print(f"  {checks[check.name.lower()]:>9,}  {check.value}", markup=False, highlight=False)
    console.print("Questions to the oracles:", style="bold")
    for oracle, count in sorted(queries.items()):
        console.print(f"  {count:>9,}  {oracle}", markup=False, highlight=False)
    findings = [(result.name, finding) for result in results for finding in result.findings]
    if findings:
        console.print("Findings:", style="bold")
    for name, finding in findings[:MAX_FINDINGS_SHOWN]:
        text = (
            f"  {finding.outcome}: {name}, instance {finding.instance} ({_short(finding.point)}): "
            f"{finding.claim} is {finding.verdict}: {_short(finding.evidence)}"
        )
        say(console, text, STYLES[Outcome(finding.outcome)])
    if len(findings) > MAX_FINDINGS_SHOWN:
        console.print(f"  … and {len(findings) - MAX_FINDINGS_SHOWN} more (see --json)")
    console.print(verdict_line(results), style="bold", highlight=False)


def _short(text: str, limit: int = 300) -> str:
    """Cut what would fill the terminal; the JSON report has all of it."""
    return text if len(text) <= limit else f"{text[:limit]}…"


def conclusion(results: Sequence[ModelRecord]) -> Conclusion:
    """Return what the check comes to."""
    return Conclusion.of(sum(r.violations for r in results), sum(r.inconclusive for r in results))


def verdict_line(results: Sequence[ModelRecord]) -> str:
    """Return the last line: how many models and instances, and whether everything holds."""
    violations, inconclusive = sum(r.violations for r in results), sum(r.inconclusive for r in results)
    instances = sum(result.instances for result in results)
    counts = counted(len(results), "model"), counted(instances, "instance"), counted(violations, "violation")
    return conclusion(results).line(*counts, f"{inconclusive} inconclusive")


Cell = Callable[[ModelRecord], "str | Text"]

WIDE = 100
"""Columns of a terminal that the whole table needs; a narrower one gets it in two parts."""


def _tables(results: Sequence[ModelRecord], width: int) -> list[Table]:
    sizes: list[tuple[str, Cell]] = [
        ("#F", lambda r: str(r.features)),
        ("#N", lambda r: str(r.nodes)),
        ("D", lambda r: str(r.depth)),
        ("#I", lambda r: str(r.instances)),
        ("XPs\navg", lambda r: f"{r.xps.avg:.1f}"),
    ]
    axp = _columns("AXp", lambda r: r.axp)
    cxp = _columns("CXp", lambda r: r.cxp)
    rest: list[tuple[str, Cell]] = [
        ("XPs\ns", lambda r: _seconds(r.seconds)),
        ("oracles\ns", lambda r: _seconds(r.oracle_seconds)),
        ("verdict", _verdict),
    ]
    parts = [[*sizes, *axp, *cxp, *rest]] if width >= WIDE else [[*sizes, *axp], [*cxp, *rest]]
    return [_table(results, columns) for columns in parts]


def _table(results: Sequence[ModelRecord], columns: Sequence[tuple[str, Cell]]) -> Table:
    from rich.text import Text

    titles = [title for title, _ in columns]
    words = [title for title in titles if title == "verdict"]
    table = new_table(["model"], titles[: len(titles) - len(words)], words, narrowest=14)
    for result in results:
        table.add_row(Text(result.name), *(cell(result) for _, cell in columns))
    return table


def _columns(word: str, kind: Callable[[ModelRecord], KindRecord]) -> list[tuple[str, Cell]]:
    return [
        (f"{word}\nMx", lambda r: str(kind(r).max)),
        ("\nm", lambda r: str(kind(r).min)),
        ("\navg", lambda r: f"{kind(r).avg:.1f}"),
        ("\n%L", lambda r: f"{kind(r).length_percent:.1f}"),
    ]


def _verdict(result: ModelRecord) -> Text:
    from rich.text import Text

    outcome = Conclusion.of(result.violations, result.inconclusive).outcome
    words = {Outcome.VIOLATED: f"{result.violations} wrong", Outcome.INCONCLUSIVE: f"{result.inconclusive} open"}
    return Text(words.get(outcome, outcome.value), style=STYLES[outcome])


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}" if seconds < 1 else f"{seconds:.1f}"
