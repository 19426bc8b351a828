"""The properties of the reduction on generated formulas, by the search and in the units of all properties."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

from xpgcheck.oracles.propositional.limits import OutOfTime, TooLarge
from xpgcheck.properties.catalogue import Property
from xpgcheck.properties.reduction.cases import FormulaCase
from xpgcheck.properties.reduction.catalogue import chosen
from xpgcheck.properties.reduction.routes import HonestRoutes
from xpgcheck.properties.reduction.strategies import MAX_CLAUSES, MAX_VARIABLES, formula_cases, labels
from xpgcheck.properties.reduction.trials import ReductionTrial
from xpgcheck.properties.running.engine import SHRINK_SECONDS, Ground, failing_on, try_all
from xpgcheck.properties.running.outcomes import PropertyTally, Result
from xpgcheck.properties.running.search import Source
from xpgcheck.properties.running.trying import tallied_or_crash
from xpgcheck.properties.running.units import Unit, in_units
from xpgcheck.properties.verdicts import Inconclusive, NotApplicable, Violation

SMALLER = ((1, 1), (2, 2), (3, 2), (4, 3))
"""Clauses and variables of the formulas among which a smaller counterexample is looked for."""

SMALLER_EXAMPLES = 100
"""Formulas of each of these sizes that are tried."""


def explore_reduction(
    examples: int,
    seed: int = 0,
    jobs: int = 1,
    *,
    properties: Sequence[str] = (),
    make: Callable[[], HonestRoutes] = HonestRoutes,
    first_only: bool = False,
    shrink: bool = True,
    advance: Callable[[int], None] = lambda _: None,
) -> Result[FormulaCase]:
    """Try *properties* (all if empty) on *examples* generated formulas, and return what was found.

    *make* gives the routes; with several *jobs* it is sent to other processes.  A property that fails is shrunk, and left
    out of its unit from then on; with *first_only* the first failure ends its unit.  *advance* is told of each unit's
    formulas.  The result is the same whatever *jobs* is, but for times, and for what is not decided in time.  Raises
    ``InputError`` on an unknown property and ``UndecidedError`` where a process dies.
    """
    names = tuple(p.name for p in chosen(properties))
    explore = functools.partial(_explore, names, make, first_only, shrink, seed)
    return in_units(explore, names, examples, seed, jobs, advance)


def failing_formulas(
    examples: int, seed: int = 0, *, properties: Sequence[str] = (), make: Callable[[], HonestRoutes] = HonestRoutes
) -> frozenset[str]:
    """Return the names of the properties that fail on some of *examples* formulas; nothing is shrunk."""
    return failing_on(_ground(make(), seed), chosen(properties), examples, seed)


def judge(check: Property, trial: Any, tally: PropertyTally) -> Violation | None:
    """Run one property on *trial*, count what came of it in *tally*, and return the violation if there is one."""

    def attempt() -> None:
        try:
            check.check(trial)
        except TooLarge as reason:
            raise NotApplicable(str(reason)) from None
        except OutOfTime:
            raise Inconclusive("no answer in time") from None

    return tallied_or_crash(attempt, tally)


def _explore(
    names: tuple[str, ...], make: Callable[[], HonestRoutes], first_only: bool, shrink: bool, seed: int, unit: Unit
) -> Result[FormulaCase]:
    own_seed, examples, _ = unit
    return try_all(_ground(make(), seed), chosen(names), examples, own_seed, shrink=shrink, first_only=first_only)


def _ground(routes: HonestRoutes, seed: int) -> Ground[FormulaCase]:
    source = Source(
        formula_cases(MAX_CLAUSES, MAX_VARIABLES),
        SHRINK_SECONDS,
        lambda case: case.size[0] <= 1,
        [formula_cases(*most) for most in SMALLER],
        SMALLER_EXAMPLES,
    )
    return Ground(
        source,
        lambda case, _: nullcontext(ReductionTrial(case, routes)),
        judge,
        routes.name,
        f"generated, seed {seed}",
        lambda case: labels(case.formula),
    )
