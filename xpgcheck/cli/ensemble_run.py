"""``xpgcheck properties run --ensembles`` and ``--under-constraints``: routes of this project on generated cases."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from xpgcheck.cli.again import repeated_command
from xpgcheck.cli.bundles import command_error

if TYPE_CHECKING:
    from xpgcheck.cli.run_command import RunOptions


def refuse_options_of_graphs(asked: RunOptions) -> None:
    """Refuse options that say something of decision graphs and their subjects alone."""
    given = {
        "--subject": asked.subject != "ours",
        "--size": asked.size is not None,
        "--corpus": asked.corpus is not None,
        "--record": asked.record,
        "--smt": asked.smt is not None,
        "--json": asked.json_file is not None,
        "--statistics": asked.statistics,
    }
    own = "--ensembles" if asked.ensembles else "--under-constraints"
    for name in (name for name, is_given in given.items() if is_given):
        raise command_error(f"{name} is for decision graphs", f"leave {name} or {own} out")


def run_on_routes(asked: RunOptions, examples: int) -> int:
    """Try the properties of the judges of ensembles, or of routes under constraints, on *examples* generated cases.

    Prints what came of it, and returns the exit status.
    """
    own: Any
    if asked.ensembles:
        from xpgcheck.properties.ensembles import exploring as own
        from xpgcheck.properties.ensembles.statements import chosen
    else:
        from xpgcheck.gate import constraint_certificates as own

        chosen = own.chosen
    from xpgcheck.properties.running import report
    from xpgcheck.properties.running.units import in_units
    from xpgcheck.reports.terminal import console
    from xpgcheck.runs.progress import bar, cores

    properties = chosen(asked.names)
    names = tuple(check.name for check in properties)
    with bar(examples, "trying cases", not asked.quiet) as advance:
        unit = functools.partial(own.SEARCH.explore_unit, names, asked.seed)
        result = in_units(unit, names, examples, asked.seed, asked.jobs or cores(), advance)
    if not asked.quiet:
        report.print_report(result, properties, console())
        own_flag = {"ensembles" if asked.ensembles else "under_constraints": True}
        again = repeated_command("xpgcheck properties run", **own_flag, examples=examples, seed=asked.seed)
        click.echo(f"again: {again}")
    asked_for = [[check.name for check in properties if name in (check.name, check.group)] for name in asked.names]
    click.echo(report.verdict_line(result, len(properties), asked_for))
    return result.exit_status(asked_for)
