"""``python -m xpgcheck.paper.symbolic``: one theorem for all graphs of a size, or all the evidence.

Exit 0 where it is proved, 1 where a counterexample is found, 2 on wrong options, 3 where it is left open.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from xpgcheck.errors import XpgcheckError
from xpgcheck.paper.outcome import Outcome
from xpgcheck.paper.symbolic.evidence import outcome, proof_units, run_unit, units
from xpgcheck.paper.symbolic.graphs import Kind, Size
from xpgcheck.paper.symbolic.plans import LARGEST, Goal
from xpgcheck.paper.symbolic.smtlib import smtlib
from xpgcheck.paper.symbolic.theorems import THEOREMS, theorem
from xpgcheck.processes import pooled
from xpgcheck.writers.atomic import write_atomically

KEYS = [found.key for found in THEOREMS]


def _size(context: click.Context, parameter: click.Parameter, value: str) -> Size:
    """Return *value* as a size; a usage error where it is none, or larger than what formulas are built for."""
    parts = value.split(",")
    if len(parts) != 3 or not all(part.strip().isdecimal() for part in parts):
        raise click.BadParameter(f"{value!r} is not three numbers n,m,d, as in 6,4,2")
    size = Size(*map(int, parts))
    if min(size.nodes, size.features) < 1 or size.values < 2:
        raise click.BadParameter(f"{value}: there must be a non-terminal, a feature, and two values")
    if size.nodes > LARGEST.nodes or size.values > LARGEST.values or size.values**size.features > LARGEST.points:
        limits = f"{LARGEST.nodes} non-terminals, {LARGEST.values} values, {LARGEST.points} points"
        raise click.BadParameter(f"{value}: at most {limits}")
    return size


@click.command(help=__doc__)
@click.option("--theorem", "key", type=click.Choice(KEYS), help="One theorem (default: all the evidence).")
@click.option(
    "--size",
    metavar="N,M,D",
    callback=_size,
    default="6,4,2",
    show_default=True,
    help="Non-terminals, features, values.",
)
@click.option("--kind", type=click.Choice([kind.value for kind in Kind]), default="read-once", show_default=True)
@click.option("--two-solvers", is_flag=True, help="Ask a second solver, and check no proofs.")
@click.option("--smtlib", "path", type=click.Path(dir_okay=False, path_type=Path), help="Only write what is proved.")
@click.option("--quick", is_flag=True, help="All the evidence: at small sizes.")
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def main(
    key: str | None,
    size: Size,
    kind: str,
    two_solvers: bool,
    path: Path | None,
    quick: bool,
    jobs: int,
    as_json: bool,
) -> None:
    """Run what is asked for."""
    try:
        if path is not None:
            _export(key or "necessary", size, Kind(kind), path)
            return
        chosen = units(quick=quick)
        if key is not None:
            chosen = proof_units([Goal(key, Kind(kind), size, jobs, 1, not two_solvers)])
        found = outcome(_run(chosen, jobs))
    except XpgcheckError as error:
        click.echo(f"Error: {error}", err=True)
        raise SystemExit(error.exit_status) from None
    _print(found, as_json=as_json)
    raise SystemExit({True: 0, False: 1, None: 3}[found.holds])


def _export(key: str, size: Size, kind: Kind, path: Path) -> None:
    found = theorem(key)
    parts = found.parts(size)
    for part in parts:
        place = path if len(parts) == 1 else path.with_name(f"{path.stem}-{part}{path.suffix}")
        write_atomically(place, smtlib(found, size, kind, part))
        click.echo(place)


def _run(chosen: list[tuple[str, dict[str, Any]]], jobs: int) -> dict[str, dict[str, Any]]:
    done: Iterable[tuple[dict[str, Any], dict[str, Any]]]
    names = {json.dumps(arguments): name for name, arguments in chosen}
    work = [arguments for _, arguments in chosen]
    done = pooled(run_unit, work, jobs) if jobs > 1 else ((arguments, run_unit(arguments)) for arguments in work)
    results = {}
    for arguments, result in done:
        name = names[json.dumps(arguments)]
        results[name] = result
        click.echo(f"{name}: {'open' if result['fine'] is None else 'fine' if result['fine'] else 'fails'}", err=True)
    return results


def _print(found: Outcome, *, as_json: bool) -> None:
    if as_json:
        shown = {field: getattr(found, field) for field in found.__slots__}
        click.echo(json.dumps(shown, indent=1, ensure_ascii=False))
        return
    click.echo("| theorem | graphs | n,m,d | variables | clauses | cubes | lines | confirmed | seconds | verdict |")
    click.echo("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for row in found.details:
        if row["what"] == "proof":
            cells = [row["theorem"], row["kind"], ",".join(map(str, row["size"]))]
            cells += [f"{row[key]:,}" for key in ("variables", "clauses")]
            cells += ["none" if row["without_cases"] else f"{row['cubes']:,}", f"{row['lines']:,}"]
            click.echo(f"| {' | '.join([*cells, row['confirmed'], str(row['seconds']), row['verdict']])} |")
    for row in found.details:
        if row["what"] == "counterexample":
            differs = row.get("counterexample", {}).get("differs")
            click.echo(f"without an assumption ({row['kind']}), '{row['theorem']}' is {row['verdict']}: {differs}")
        elif row["what"] == "mutation":
            click.echo(f"without the clauses '{row['group']}' ({row['kind']}), '{row['theorem']}': {row['verdict']}")
    for fault in found.faults:
        click.echo(f"open: {fault}")
    if found.counterexample is not None:
        click.echo(json.dumps(found.counterexample, ensure_ascii=False))
    click.echo(found.limits)
    click.echo(f"holds: {found.holds}")


if __name__ == "__main__":
    main()
