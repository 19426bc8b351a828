"""Wrong routes of the judges of ensembles, to be caught by their properties, on generated ensembles."""

from __future__ import annotations

from typing import Any

from xpgcheck.properties.cases import EnsembleCase
from xpgcheck.properties.catalogue import Property
from xpgcheck.properties.ensembles.exploring import explore_ensembles, failing_ensembles
from xpgcheck.properties.ensembles.routes import HonestEnsembleRoutes
from xpgcheck.properties.ensembles.statements import all_properties
from xpgcheck.properties.running.outcomes import Failure
from xpgcheck.properties.seeded import SeededBug
from xpgcheck.properties.selftest import BugGround, BugsPage, SelftestSettings

ROUTES = ("clauses", "boxes", "integers", "cells", "sums")

LOOKED_AT = 60
"""Ensembles on which every property is tried, to see all that catch a bug."""


def properties_of(bug: SeededBug) -> tuple[Property, ...]:
    """Return the properties that ask a route that *bug* has made wrong: the others are those of right routes.

    All of them where it is κ that is wrong.
    """
    wrong: Any = bug.make
    touched = {route for route in ROUTES if getattr(wrong, route) is not getattr(HonestEnsembleRoutes, route)}
    return tuple(check for check in all_properties() if not touched or touched & check.needs)


def _failing(bug: SeededBug, settings: SelftestSettings) -> frozenset[str]:
    return failing_ensembles(LOOKED_AT, settings.first_seed, make=bug.make, properties=properties_of(bug))


def _first(bug: SeededBug, seed: int, settings: SelftestSettings) -> Failure[EnsembleCase] | None:
    shrink, own_seed = seed < settings.shrunk, settings.first_seed + seed
    result = explore_ensembles(
        settings.examples,
        own_seed,
        make=bug.make,
        properties=[check.name for check in properties_of(bug)],
        first_only=True,
        shrink=shrink,
    )
    return next(iter(result.findings), None)


GROUND = BugGround(
    {"ensemble": "route"},
    ("non-terminals", "features"),
    BugsPage(
        "Seeded bugs of the judges of ensembles",
        "Routes",
        "../explanation/forests.md",
        LOOKED_AT,
        "non-terminals and features of the largest counterexample after shrinking",
    ),
    all_properties,
    _failing,
    _first,
)
