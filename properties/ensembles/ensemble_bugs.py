"""Where wrong routes of the judges of ensembles have to be caught: by their properties, on generated ensembles."""

from __future__ import annotations

from xpgcheck.properties.cases import EnsembleCase
from xpgcheck.properties.ensembles.exploring import explore_ensembles, failing_ensembles
from xpgcheck.properties.ensembles.statements import all_properties
from xpgcheck.properties.running.outcomes import Failure
from xpgcheck.properties.seeded import SeededBug
from xpgcheck.properties.selftest import BugGround, BugsPage, SelftestSettings

LOOKED_AT = 60
"""Ensembles on which every property is tried, to see all that catch a bug."""


def _failing(bug: SeededBug, settings: SelftestSettings) -> frozenset[str]:
    return failing_ensembles(LOOKED_AT, settings.first_seed, make=bug.make)


def _first(bug: SeededBug, seed: int, settings: SelftestSettings) -> Failure[EnsembleCase] | None:
    shrink, own_seed = seed < settings.shrunk, settings.first_seed + seed
    result = explore_ensembles(settings.examples, own_seed, make=bug.make, first_only=True, shrink=shrink)
    return next(iter(result.findings), None)


GROUND = BugGround(
    {"ensemble": "route"},
    ("non-terminals", "features"),
    BugsPage(
        "Seeded bugs of the judges of ensembles",
        "Routes",
        "forests.md",
        LOOKED_AT,
        "non-terminals and features of the largest counterexample after shrinking",
    ),
    all_properties,
    _failing,
    _first,
)
