"""The table of a cross-check on the terminal: one row a model with the columns of the paper's Tables 1 and 2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xpgcheck.check.results import Check, ModelResult, Numbers, Outcome

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

MAX_FINDINGS_SHOWN = 10


def console() -> Console:
    """Return the console to print on; where the output is not a terminal, lines are as long as they need to be."""
    from rich.console import Console

    plain = Console()
    return plain if plain.is_terminal else Console(width=200)


def print_report(results: Sequence[ModelResult], console: Console) -> None:
    """Print the table, what was checked by which oracle, the first findings, and the verdict."""
    from rich.text import Text

    console.print(_table(results))
    checks: Counter[Check] = Counter()
    queries: Counter[str] = Counter()
    for result in results:
        checks.update(result.checks)
        queries.update(result.queries)
    console.print()
    console.print("Checked:", style="bold")
    for check in Check:
        console.print(f"  {checks[check]:>9,}  {check.value}", markup=False, highlight=False)
    console.print("Questions to the oracles:", style="bold")
    for oracle, count in sorted(queries.items()):
        console.print(f"  {count:>9,}  {oracle}", markup=False, highlight=False)
    findings = [(result.name, finding) for result in results for finding in result.findings]
    if findings:
        console.print("Findings:", style="bold")
    for name, finding in findings[:MAX_FINDINGS_SHOWN]:
        colour = "red" if finding.outcome is Outcome.VIOLATION else "yellow"
        text = (
            f"  {finding.outcome.value}: {name}, instance {finding.instance} ({finding.point}): {finding.claim} is "
            f"{finding.verdict}: {finding.evidence}"
        )
        console.print(Text(text, style=colour), soft_wrap=True)
    if len(findings) > MAX_FINDINGS_SHOWN:
        console.print(f"  … and {len(findings) - MAX_FINDINGS_SHOWN} more (see --json)")
    console.print(verdict_line(results), style="bold", highlight=False)


def verdict_line(results: Sequence[ModelResult]) -> str:
    """Return the last line: how many models and instances, and whether everything holds."""
    violations = sum(result.count(Outcome.VIOLATION) for result in results)
    inconclusive = sum(result.count(Outcome.INCONCLUSIVE) for result in results)
    instances = sum(result.instances for result in results)
    word = "VIOLATED" if violations else "INCONCLUSIVE" if inconclusive else "HOLDS"
    models = f"{len(results)} model{'s' if len(results) != 1 else ''}"
    return f"{word}: {models}, {instances:,} instances, {violations} violations, {inconclusive} inconclusive"


def _table(results: Sequence[ModelResult]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False, pad_edge=False)
    table.add_column("model", overflow="fold", min_width=6)
    for title in ("#F", "#N", "D", "#I", "XPs\navg", "AXp\nMx", "\nm", "\navg", "\n%L", "CXp\nMx", "\nm", "\navg", "\n%L"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("XPs\ns", justify="right", no_wrap=True)
    table.add_column("oracle\ns", justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for result in results:
        violations, inconclusive = result.count(Outcome.VIOLATION), result.count(Outcome.INCONCLUSIVE)
        verdict = (
            Text(f"{violations} wrong", style="bold red")
            if violations
            else Text(f"{inconclusive} open", style="yellow")
            if inconclusive
            else Text("holds", style="green")
        )
        table.add_row(
            Text(result.name),
            *map(str, (result.features, result.nodes, result.depth, result.instances)),
            f"{result.xps_avg:.1f}",
            *_columns(result.axp),
            *_columns(result.cxp),
            _seconds(result.seconds),
            _seconds(result.judge_seconds),
            verdict,
        )
    return table


def _columns(kind: Numbers) -> tuple[str, str, str, str]:
    return str(kind.max), str(kind.min), f"{kind.avg:.1f}", f"{kind.length_percent:.1f}"


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}" if seconds < 1 else f"{seconds:.1f}"
