"""``python -m xpgcheck.paper.bounded``: all laws on every decision graph up to a size, as tables.

Exit 0 where all laws hold (and the ablations are as stated), 1 where something fails, 3 where something is left open.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import click

from xpgcheck.errors import InputError
from xpgcheck.paper.bounded.evidence import outcome, read_bound, run_unit, units
from xpgcheck.paper.outcome import Outcome
from xpgcheck.processes import pooled


@click.command(context_settings={"show_default": True})
@click.option("--bound", metavar="N,M,D,K", help="Non-terminals, features, values, classes (default: all sizes).")
@click.option("--shares", type=click.IntRange(0), default=0, help="Shares that the bound is cut into (0: by its size).")
@click.option("--only", type=click.IntRange(1), metavar="COUNT", help="The first COUNT units alone.")
@click.option("--quick", is_flag=True, help="Small sizes, some seconds.")
@click.option("--jobs", type=click.IntRange(1), default=1, help="Processes.")
def main(bound: str | None, shares: int, only: int | None, quick: bool, jobs: int) -> None:
    """Check all laws on every decision graph up to a size, at every instance."""
    started = time.perf_counter()
    try:
        read_bound(bound or "0,1,1,1")
    except InputError as error:
        raise click.UsageError(str(error)) from None
    chosen = units(bound, shares, quick)[:only]
    results: dict[str, dict[str, Any]] = {}
    names = {str(arguments): name for name, arguments in chosen}
    work = [arguments for _, arguments in chosen]
    finished = pooled(run_unit, work, jobs) if jobs > 1 else ((arguments, run_unit(arguments)) for arguments in work)
    for arguments, result in finished:
        name = names[str(arguments)]
        results[name] = result
        click.echo(f"{name}: {result['seconds']:.0f} s", err=True)
    found = outcome(results)
    click.echo(_text(found))
    seconds = sum(result["seconds"] for result in results.values())
    click.echo(f"{len(results)} units, {jobs} jobs, {seconds:.0f} s in units, {time.perf_counter() - started:.0f} s")
    sys.exit(1 if found.holds is False else 3 if found.holds is None else 0)


def _text(found: Outcome) -> str:
    lines = []
    for table in ("laws", "counts", "ablations"):
        rows = [row for row in found.details if row["table"] == table]
        columns = [column for column in rows[0] if column != "table"] if rows else []
        if rows:
            lines += [f"| {' | '.join(columns)} |", f"|{' --- |' * len(columns)}"]
            lines += [f"| {' | '.join(_cell(row[column]) for column in columns)} |" for row in rows]
            lines.append("")
    lines += [f"{name}: {count:,}" for name, count in found.counts.items()]
    lines += ["", found.limits, "HOLDS" if found.holds else "OPEN" if found.holds is None else "FAILS"]
    if found.counterexample is not None:
        lines.append(str(found.counterexample))
    return "\n".join(lines)


def _cell(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) else "" if value is None else str(value)


if __name__ == "__main__":
    main()
