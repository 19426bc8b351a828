"""``xpgcheck schema``."""

from __future__ import annotations

from importlib import resources

import click

SCHEMAS = {
    "decision-graph": "models",
    "ensemble": "models of several trees",
    "constraints": "what can occur, for --constraints",
    "check-report": "what --json of check writes",
    "explanations": "what --json of explain writes",
    "table-schema": "what --schema reads and domains writes",
    "table-summary": "what --json of explain --all writes",
    "explained-row": "lines of what explain --all writes to .jsonl",
    "run-report": "what --json of properties run writes",
    "property-case": "kept cases of properties run",
    "gate-report": "what --json of gate, verify and replay writes",
    "judged-case": "saved findings",
    "claims": "what verify reads",
    "judged-claim": "what verify writes with --output",
    "line-protocol": "questions and answers of subjects in any language",
    "test-vectors": "what vectors writes",
    "published-claim": "what --output of paper ensembles writes",
    "paper-report": "what --json of paper writes",
    "campaign-status": "what --json of campaign shows",
    "reduction-report": "what --json of reduction writes",
    "certificate": "what certify writes and check-certificate reads",
}

HELP = "Print the JSON Schema of the format NAME, one of these.\n\n\b\n" + "\n".join(
    f"{name:16}  {of}" for name, of in SCHEMAS.items()
)
"""The list is laid out here ("\\b"), as click would break names at their hyphens."""


@click.command("schema", help=HELP)
@click.argument("name", metavar="NAME", type=click.Choice(tuple(SCHEMAS)))
def command(name: str) -> int:
    """Print the schema called *name*."""
    text = resources.files("xpgcheck").joinpath("schemas").joinpath(f"{name}.schema.json").read_text(encoding="utf-8")
    click.echo(text, nl=False)
    return 0
