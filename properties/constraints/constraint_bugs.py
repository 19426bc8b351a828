"""Wrong routes under constraints, to be caught by their properties, on generated cases."""

from __future__ import annotations

from typing import Any

from xpgcheck.properties.cases import Case, EnsembleCase
from xpgcheck.properties.catalogue import Property
from xpgcheck.properties.constraints.exploring import explore_constraints, failing_constraints
from xpgcheck.properties.constraints.routes import ROUTES, HonestConstraintRoutes
from xpgcheck.properties.constraints.statements import all_properties
from xpgcheck.properties.running.outcomes import Failure
from xpgcheck.properties.seeded import SeededBug
from xpgcheck.properties.selftest import BugGround, BugsPage, SelftestSettings

LOOKED_AT = 60
"""Cases on which every property is tried, to see all that catch a bug."""


def properties_of(bug: SeededBug) -> tuple[Property, ...]:
    """Return the properties that ask a route that *bug* has made wrong: the others are those of right routes."""
    wrong: Any = bug.make
    touched = {route for route in ROUTES if getattr(wrong, route) is not getattr(HonestConstraintRoutes, route)}
    return tuple(check for check in all_properties() if touched & check.needs)


def _failing(bug: SeededBug, settings: SelftestSettings) -> frozenset[str]:
    return failing_constraints(LOOKED_AT, settings.first_seed, make=bug.make, properties=properties_of(bug))


def _first(bug: SeededBug, seed: int, settings: SelftestSettings) -> Failure[Case | EnsembleCase] | None:
    shrink, own_seed = seed < settings.shrunk, settings.first_seed + seed
    result = explore_constraints(
        settings.examples,
        own_seed,
        make=bug.make,
        properties=[check.name for check in properties_of(bug)],
        first_only=True,
        shrink=shrink,
    )
    return next(iter(result.findings), None)


GROUND = BugGround(
    {"constraint": "route"},
    ("non-terminals", "features"),
    BugsPage(
        "Seeded bugs of the routes under constraints",
        "Routes",
        "../reference/constraints.md",
        LOOKED_AT,
        "non-terminals and features of the largest counterexample after shrinking",
    ),
    all_properties,
    _failing,
    _first,
)
