"""The properties of ensembles on generated cases, and the ground of wrong routes of the judges of ensembles."""

from __future__ import annotations

from hypothesis.strategies import SearchStrategy

from xpgcheck.properties.cases import EnsembleCase
from xpgcheck.properties.ensembles.routes import HonestEnsembleRoutes
from xpgcheck.properties.ensembles.statements import all_properties
from xpgcheck.properties.ensembles.strategies import ensemble_cases
from xpgcheck.properties.ensembles.trials import EnsembleTrial
from xpgcheck.properties.running.routes import LOOKED_AT, RouteSearch
from xpgcheck.properties.selftest import BugsPage

ROUTES = ("clauses", "boxes", "integers", "cells", "sums")
"""The methods that a seeded bug may override, next to κ."""


def _cases(routes: HonestEnsembleRoutes) -> SearchStrategy[EnsembleCase]:
    kinds = (("majority", "votes"), ("sum", "sums"))
    return ensemble_cases(kinds=tuple(kind for kind, rule in kinds if rule in routes.rules))


SEARCH = RouteSearch(HonestEnsembleRoutes, ROUTES, _cases, EnsembleTrial, all_properties)

GROUND = SEARCH.bug_ground(
    "ensemble",
    "route",
    BugsPage(
        "Seeded bugs of the judges of ensembles",
        "Routes",
        "../explanation/forests.md",
        LOOKED_AT,
        "non-terminals and features of the largest counterexample after shrinking",
    ),
)
