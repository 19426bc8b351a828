"""``xpgcheck schema``."""

from __future__ import annotations

from importlib import resources

import click

SCHEMAS = ("decision-graph", "check-report", "explanations", "run-report", "property-case")


@click.command("schema", short_help="Print a JSON Schema of this package's formats.")
@click.argument("name", type=click.Choice(SCHEMAS))
def command(name: str) -> int:
    """Print the JSON Schema of a format.

    decision-graph: models; check-report, explanations and run-report: what --json of these commands writes;
    property-case: kept cases of 'xpgcheck run'.
    """
    text = resources.files("xpgcheck").joinpath("schemas").joinpath(f"{name}.schema.json").read_text(encoding="utf-8")
    click.echo(text, nl=False)
    return 0
