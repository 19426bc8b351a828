"""The properties of constraints on generated cases, by the search of all properties."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from xpgcheck.properties.cases import Case, EnsembleCase
from xpgcheck.properties.catalogue import Property
from xpgcheck.properties.constraints.routes import HonestConstraintRoutes
from xpgcheck.properties.constraints.statements import all_properties
from xpgcheck.properties.constraints.strategies import constraint_cases
from xpgcheck.properties.constraints.trials import ConstraintTrial
from xpgcheck.properties.running.engine import SHRINK_SECONDS, Ground, failing_on, try_all
from xpgcheck.properties.running.outcomes import Result, Tally
from xpgcheck.properties.running.search import Source
from xpgcheck.properties.running.trying import tallied_or_crash
from xpgcheck.properties.running.units import Unit
from xpgcheck.properties.verdicts import Violation

MadeRoutes = Callable[[], HonestConstraintRoutes]


def explore_constraints(
    examples: int,
    seed: int = 0,
    *,
    make: MadeRoutes = HonestConstraintRoutes,
    properties: Sequence[str] = (),
    checks: Sequence[Property] = (),
    first_only: bool = False,
    shrink: bool = True,
) -> Result[Case | EnsembleCase]:
    """Try *properties* (all if empty) on *examples* generated cases; one that fails is shrunk, and left out then.

    In place of names, *checks* are properties, which may be others than those of this package.  *make* gives the routes.
    With *first_only* the first failure is the end.  Deterministic in its arguments.
    """
    chosen = checks or [check for check in all_properties() if not properties or check.name in properties]
    return try_all(_ground(make(), seed), chosen, examples, seed, shrink=shrink, first_only=first_only)


def explore_checks(
    checks: Sequence[Property], seed: int, unit: Unit, make: MadeRoutes = HonestConstraintRoutes
) -> Result[Case | EnsembleCase]:
    """Try *checks* on one *unit* of a run with *seed*, as it is repeated: by its own seed."""
    result = explore_constraints(unit[1], unit[0], make=make, checks=checks)
    result.findings = [replace(found, origin=f"generated, seed {seed}") for found in result.findings]
    return result


def failing_constraints(
    examples: int,
    seed: int = 0,
    *,
    make: MadeRoutes = HonestConstraintRoutes,
    properties: Sequence[Property] = (),
) -> frozenset[str]:
    """Return the names of those of *properties* (all if empty) that fail on some of *examples* cases, unshrunk."""
    return failing_on(_ground(make(), seed), properties or all_properties(), examples, seed)


def judge(check: Property, trial: Any, tally: Tally) -> Violation | None:
    """Run one property on *trial*, count what came of it in *tally*, and return the violation if there is one."""
    return tallied_or_crash(lambda: check.check(trial), tally)


def _ground(routes: HonestConstraintRoutes, seed: int) -> Ground[Case | EnsembleCase]:
    return Ground(
        Source(constraint_cases(kinds=routes.kinds), SHRINK_SECONDS),
        lambda case, _: ConstraintTrial(case, routes),
        judge,
        routes.name,
        f"generated, seed {seed}",
    )
