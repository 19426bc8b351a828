"""``xpgcheck properties``: what the paper states, tried on generated graphs."""

from __future__ import annotations

import click

from xpgcheck.cli.groups import LazyGroup

SECTIONS = {
    "Commands": {
        "run": "Try what the paper states on generated decision graphs, with any explainer in Python.",
        "selftest": "See that every seeded bug, a wrong explainer or oracle, is caught by some property.",
        "ablations": "Leave out an assumption of the paper, and see which properties fail.",
        "list": "List the properties, or the seeded bugs.",
    }
}


@click.group("properties", cls=LazyGroup, sections=SECTIONS)
def command() -> None:
    """Try what the paper states, as named properties, on generated decision graphs."""
