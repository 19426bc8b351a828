"""The properties of constraints on generated cases, and the ground of wrong routes under constraints."""

from __future__ import annotations

from hypothesis.strategies import SearchStrategy

from xpgcheck.properties.cases import Case, EnsembleCase
from xpgcheck.properties.constraints.routes import ROUTES, HonestConstraintRoutes
from xpgcheck.properties.constraints.statements import all_properties
from xpgcheck.properties.constraints.strategies import constraint_cases
from xpgcheck.properties.constraints.trials import ConstraintTrial
from xpgcheck.properties.running.routes import LOOKED_AT, RouteSearch
from xpgcheck.properties.selftest import BugsPage


def _cases(routes: HonestConstraintRoutes) -> SearchStrategy[Case | EnsembleCase]:
    return constraint_cases(kinds=routes.kinds)


SEARCH = RouteSearch(HonestConstraintRoutes, ROUTES, _cases, ConstraintTrial, all_properties)

GROUND = SEARCH.bug_ground(
    "constraint",
    "route",
    BugsPage(
        "Seeded bugs of the routes under constraints",
        "Routes",
        "../reference/constraints.md",
        LOOKED_AT,
        "non-terminals and features of the largest counterexample after shrinking",
    ),
)
