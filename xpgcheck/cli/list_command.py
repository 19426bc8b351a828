"""``xpgcheck properties list``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from xpgcheck.cli.bundles import command_error
from xpgcheck.cli.spelling import Decorator, option, renamed, say
from xpgcheck.cli.vocabulary import bug_option, property_option, smt_option

if TYPE_CHECKING:
    from xpgcheck.properties.catalogue import Property


@click.command("list")
@property_option()
@smt_option(True)
@option("--bugs", is_flag=True, help="List the seeded bugs of 'xpgcheck properties selftest' instead.")
@bug_option()
@option(
    "--ensembles", is_flag=True, help="List the properties, or the seeded bugs, of the judges of ensembles instead."
)
@option("--under-constraints", is_flag=True, help="List those of the routes under constraints instead.")
def command(
    names: tuple[str, ...],
    smt: bool,
    bugs: bool,
    bug_names: tuple[str, ...],
    ensembles: bool,
    under_constraints: bool,
) -> int:
    """List the properties: name, statement, place in the paper, and the abilities that a subject needs."""
    if ensembles and under_constraints:
        raise command_error("--ensembles and --under-constraints", "leave one of them out")
    if bug_names and (ensembles or under_constraints):
        own = "--ensembles" if ensembles else "--under-constraints"
        raise command_error("--bug is for explainers and oracles of graphs", f"leave --bug or {own} out")
    if bug_names and not bugs:
        raise command_error("--bug is for the list of seeded bugs", "add --bugs")
    if bugs and names:
        raise command_error("--property is for the list of properties", "leave --bugs out")
    from xpgcheck.properties.needed import require_hypothesis

    require_hypothesis()
    if bugs:
        from xpgcheck.properties.seeded import chosen_bugs, constraint_bugs, ensemble_bugs

        of_routes = ensemble_bugs if ensembles else constraint_bugs
        show_bugs(of_routes() if ensembles or under_constraints else chosen_bugs(bug_names))
    elif ensembles:
        from xpgcheck.properties.ensembles.statements import chosen as chosen_of_ensembles

        show_properties(chosen_of_ensembles(names))
    elif under_constraints:
        from xpgcheck.gate.constraint_certificates import chosen as chosen_of_constraints

        show_properties(chosen_of_constraints(names))
    else:
        from xpgcheck.properties.catalogue import chosen

        show_properties(chosen(names, smt=smt))
    return 0


def show_properties(properties: Iterable[Property]) -> None:
    """Print each of *properties* in two lines."""
    for item in properties:
        needs = f"; needs {', '.join(sorted(item.needs))}" if item.needs else ""
        click.echo(f"{item.name}\n    {item.statement} [{item.source}{needs}]")


def show_bugs(bugs: Iterable[Any]) -> None:
    """Print each of the seeded *bugs* in two lines."""
    for bug in bugs:
        click.echo(f"{bug.name}  ({bug.kind})\n    {bug.wrong}")


def old_list_option(instead: str) -> Decorator:
    """Return ``--list``, hidden: the command *instead* lists now."""

    def tell(context: click.Context, parameter: click.Parameter, value: bool) -> bool:
        if value:
            say(renamed(f"'{context.command_path} --list'", f"'xpgcheck properties {instead}'"))
        return value

    return option("--list", "listing", is_flag=True, hidden=True, callback=tell)
