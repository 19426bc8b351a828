"""The properties of ensembles on generated cases, by the search of all properties."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from xpgcheck.properties.cases import EnsembleCase
from xpgcheck.properties.catalogue import Property
from xpgcheck.properties.ensembles.routes import HonestEnsembleRoutes
from xpgcheck.properties.ensembles.statements import all_properties
from xpgcheck.properties.ensembles.strategies import ensemble_cases
from xpgcheck.properties.ensembles.trials import EnsembleTrial
from xpgcheck.properties.running.engine import SHRINK_SECONDS, Ground, failing_on, try_all
from xpgcheck.properties.running.outcomes import Result, Tally
from xpgcheck.properties.running.search import Source
from xpgcheck.properties.running.trying import tallied_or_crash
from xpgcheck.properties.running.units import Unit
from xpgcheck.properties.verdicts import Violation


def explore_ensembles(
    examples: int,
    seed: int = 0,
    *,
    make: Callable[[], HonestEnsembleRoutes] = HonestEnsembleRoutes,
    properties: Sequence[str] = (),
    first_only: bool = False,
    shrink: bool = True,
) -> Result[EnsembleCase]:
    """Try *properties* (all if empty) on *examples* generated ensembles; a property that fails is shrunk, and left out then.

    *make* gives the routes.  With *first_only* the first failure is the end.  Deterministic in its arguments.
    """
    return try_all(_ground(make(), seed), _chosen(properties), examples, seed, shrink=shrink, first_only=first_only)


def explore_unit(properties: Sequence[str], seed: int, unit: Unit) -> Result[EnsembleCase]:
    """Try *properties* (names) on one *unit* of a run with *seed*, as it is repeated: by its own seed."""
    result = explore_ensembles(unit[1], unit[0], properties=properties)
    result.findings = [replace(found, origin=f"generated, seed {seed}") for found in result.findings]
    return result


def failing_ensembles(
    examples: int,
    seed: int = 0,
    *,
    make: Callable[[], HonestEnsembleRoutes] = HonestEnsembleRoutes,
    properties: Sequence[Property] = (),
) -> frozenset[str]:
    """Return the names of those of *properties* (all if empty) that fail on some of *examples* ensembles, unshrunk."""
    return failing_on(_ground(make(), seed), properties or all_properties(), examples, seed)


def _chosen(names: Sequence[str]) -> list[Property]:
    return [check for check in all_properties() if not names or check.name in names]


def judge(check: Property, trial: Any, tally: Tally) -> Violation | None:
    """Run one property on *trial*, count what came of it in *tally*, and return the violation if there is one."""
    return tallied_or_crash(lambda: check.check(trial), tally)


def _ground(routes: HonestEnsembleRoutes, seed: int) -> Ground[EnsembleCase]:
    return Ground(
        Source(ensemble_cases(kinds=_kinds(routes.rules)), SHRINK_SECONDS),
        lambda case, _: EnsembleTrial(case, routes),
        judge,
        routes.name,
        f"generated, seed {seed}",
    )


def _kinds(rules: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds of ensembles with one of *rules*, "votes" or "sums"."""
    return tuple(kind for kind, rule in (("majority", "votes"), ("sum", "sums")) if rule in rules)
