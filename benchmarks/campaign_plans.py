"""Plans of campaigns to be measured, and a journal for them that is thrown away."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from xpgcheck.campaign.journal import Journal
from xpgcheck.campaign.plan import Plan
from xpgcheck.oracles.pysmt_backend import available_solvers
from xpgcheck.properties.catalogue import able, chosen
from xpgcheck.properties.ours import Project
from xpgcheck.properties.subjects import abilities


def property_plan(examples: int | None, unit: int, seed: int = 0, size: int = 40) -> Plan:
    """Return the plan of *examples* cases of all properties, *unit* of them a unit; without cvc5, of those without SMT."""
    smt = "cvc5" in available_solvers()
    properties = able(chosen((), smt=smt), abilities(Project()))
    options = {
        "subject": "ours",
        "properties": [item.name for item in properties],
        "size": size,
        "seed": seed,
        "timeout": 10.0,
        "examples": examples,
        "unit": unit,
        "smt_every": 1,
        "models": [],
        "stretch": 1,
    }
    return Plan("properties", options)


@contextlib.contextmanager
def passing_journal(plan: Plan) -> Iterator[Journal]:
    """Give a new journal of *plan*, in the temporary folder."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal.create(Path(folder, "bench.campaign.sqlite"), plan) as journal,
    ):
        yield journal
