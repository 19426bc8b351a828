"""``xpgcheck schema``."""

from __future__ import annotations

from importlib import resources

import click

SCHEMAS = (
    "decision-graph",
    "check-report",
    "explanations",
    "run-report",
    "property-case",
    "gate-report",
    "judged-case",
    "claims",
    "judged-claim",
    "line-protocol",
    "test-vectors",
    "paper-report",
    "campaign-status",
    "reduction-report",
    "certificate",
)


@click.command("schema")
@click.argument("name", type=click.Choice(SCHEMAS))
def command(name: str) -> int:
    """Print the JSON Schema of a format.

    decision-graph: models; check-report, explanations and run-report: what --json of these commands writes;
    property-case: kept cases of 'xpgcheck properties run'; gate-report: what --json of gate, verify and replay writes;
    judged-case: saved findings; claims and judged-claim: what verify reads and writes with --output; line-protocol:
    questions and answers of subjects in any language; test-vectors: what vectors writes;
    paper-report and reduction-report: what --json of these writes; campaign-status: what --json of campaign shows;
    certificate: what certify writes and check-certificate reads.
    """
    text = resources.files("xpgcheck").joinpath("schemas").joinpath(f"{name}.schema.json").read_text(encoding="utf-8")
    click.echo(text, nl=False)
    return 0
