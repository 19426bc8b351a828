"""``python -m benchmarks NAME``: one table a benchmark.  Exit status 0 unless a benchmark cannot run at all."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from benchmarks.measure import Cell, Report, SkippedError, machine

NAMES = (
    "enumeration",
    "large",
    "smt",
    "traversal",
    "startup",
    "check",
    "explain",
    "tables",
    "processes",
    "scale",
    "properties",
    "claims",
    "protocol",
    "mus_membership",
    "hardness",
    "campaign",
    "campaign_simulation",
    "certificates",
    "ensemble_certificates",
    "forests",
    "forest_growth",
    "forests_explain",
    "pyxai_peer",
    "boosted",
    "forest_reading",
    "pipelines",
    "dummies",
)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("name", type=click.Choice([*NAMES, "all"]))
@click.option(
    "--json", "json_file", type=click.Path(dir_okay=False, path_type=Path), help="Also write the figures here."
)
def main(name: str, json_file: Path | None) -> None:
    """Run the benchmark NAME, or all of them.  Figures depend on the machine: look at the ratios."""
    console = Console(width=None if Console().is_terminal else 160)
    where = machine()
    packages = ", ".join(f"{package} {version}" for package, version in where["packages"].items())
    console.print(
        f"{where['python']}, {where['machine']}, {where['cores']} cores, load {where['load']}; {packages}",
        highlight=False,
    )
    reports = []
    for each in NAMES if name == "all" else [name]:
        report = measured(each)
        show(console, report)
        reports.append(report.as_json())
    if json_file is not None:
        json_file.write_text(json.dumps({"machine": where, "benchmarks": reports}, indent=2, ensure_ascii=False) + "\n")


def measured(name: str) -> Report:
    """Run one benchmark; one that is skipped gives a report that says why."""
    try:
        report: Report = importlib.import_module(f"benchmarks.{name}").run()
    except SkippedError as reason:
        return Report(name, "", (), skipped=str(reason))
    return report


def show(console: Console, report: Report) -> None:
    """Print a report."""
    console.print(f"\n[bold]{report.name}[/bold]")
    if report.skipped:
        console.print(f"skipped: {report.skipped}", highlight=False)
        return
    console.print(report.method, highlight=False)
    table = Table(box=None, header_style="bold", pad_edge=False)
    for number, column in enumerate(report.columns):
        table.add_column(column, justify="left" if number == 0 else "right")
    for row in report.rows:
        table.add_row(*map(_text, row))
    console.print(table)
    for note in report.notes:
        console.print(note, highlight=False)
    for target in report.targets:
        verdict = "met" if target.met else "not met"
        console.print(
            f"{target.what}: {_text(target.measured)} (target {target.relation} {_text(target.wanted)}): {verdict}",
            highlight=False,
        )


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:.3g}" if cell < 100 else f"{cell:,.0f}"
    return f"{cell:,}" if isinstance(cell, int) else cell


if __name__ == "__main__":
    main(prog_name="python -m benchmarks")
