"""Properties of routes: tried on generated cases, and the ground on which wrong routes have to be caught.

Judges of ensembles and everything under constraints share this.  Decision graphs, whose subjects run elsewhere, and
formulas, whose routes have limits, have searches of their own (:mod:`.engine`, :mod:`xpgcheck.properties.reduction`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, Generic

from hypothesis.strategies import SearchStrategy

from xpgcheck.properties.catalogue import Property
from xpgcheck.properties.running.engine import SHRINK_SECONDS, Ground, failing_on, try_all
from xpgcheck.properties.running.outcomes import C, Failure, PropertyTally, Result
from xpgcheck.properties.running.search import Source
from xpgcheck.properties.running.trying import tallied_or_crash
from xpgcheck.properties.running.units import Unit
from xpgcheck.properties.seeded import SeededBug
from xpgcheck.properties.selftest import BugGround, BugsPage, SelftestSettings
from xpgcheck.properties.verdicts import Violation

LOOKED_AT = 60
"""Cases on which every property is tried, to see all that catch a bug."""


@dataclass(frozen=True, slots=True)
class RouteSearch(Generic[C]):
    """A search for cases that violate one of *properties*: ``cases`` (of routes), each tried as ``trial`` of it and routes.

    ``honest`` makes the routes as they are; ``names`` are those of their methods that a seeded bug may override.
    """

    honest: Any
    names: Collection[str]
    cases: Callable[[Any], SearchStrategy[C]]
    trial: Callable[[C, Any], AbstractContextManager[Any]]
    properties: Callable[[], Sequence[Property]]

    def explore(
        self,
        examples: int,
        seed: int = 0,
        *,
        make: Callable[[], Any] | None = None,
        checks: Sequence[Property] = (),
        first_only: bool = False,
        shrink: bool = True,
    ) -> Result[C]:
        """Try *checks* (all properties if empty) on *examples* generated cases.

        One that fails is shrunk, and left out then; with *first_only* the first failure is the end.  *make* gives the routes
        (the honest ones by default).  Deterministic in its arguments.
        """
        ground = self._ground(make, seed)
        return try_all(ground, checks or self.properties(), examples, seed, shrink=shrink, first_only=first_only)

    def explore_unit(self, names: Collection[str], seed: int, unit: Unit) -> Result[C]:
        """Try the properties with these *names* on one *unit* of a run with *seed*, as it is repeated: by its own seed."""
        checks = [check for check in self.properties() if check.name in names]
        result = self.explore(unit[1], unit[0], checks=checks)
        result.findings = [replace(found, origin=f"generated, seed {seed}") for found in result.findings]
        return result

    def failing(
        self, examples: int, seed: int = 0, *, make: Callable[[], Any] | None = None, checks: Sequence[Property] = ()
    ) -> frozenset[str]:
        """Return the names of those of *checks* (all if empty) that fail on some of *examples* cases, unshrunk."""
        return failing_on(self._ground(make, seed), checks or self.properties(), examples, seed)

    def properties_of(self, bug: SeededBug) -> tuple[Property, ...]:
        """Return the properties that ask a route that *bug* has made wrong: the others are those of honest routes.

        All of them where it is κ that is wrong.
        """
        wrong: Any = bug.make
        touched = {name for name in self.names if getattr(wrong, name) is not getattr(self.honest, name)}
        return tuple(check for check in self.properties() if not touched or touched & check.needs)

    def bug_ground(self, kind: str, thing: str, page: BugsPage) -> BugGround:
        """Return the ground of seeded bugs of this *kind*, each of them a wrong *thing*; *page* is their report's."""

        def failing(bug: SeededBug, settings: SelftestSettings) -> frozenset[str]:
            return self.failing(page.looked_at, settings.first_seed, make=bug.make, checks=self.properties_of(bug))

        def first(bug: SeededBug, seed: int, settings: SelftestSettings) -> Failure[C] | None:
            shrink, own_seed = seed < settings.shrunk, settings.first_seed + seed
            checks = self.properties_of(bug)
            found = self.explore(
                settings.examples, own_seed, make=bug.make, checks=checks, first_only=True, shrink=shrink
            )
            return next(iter(found.findings), None)

        return BugGround({kind: thing}, ("non-terminals", "features"), page, self.properties, failing, first)

    def _ground(self, make: Callable[[], Any] | None, seed: int) -> Ground[C]:
        routes = (make or self.honest)()
        return Ground(
            Source(self.cases(routes), SHRINK_SECONDS),
            lambda case, _: self.trial(case, routes),
            judge,
            routes.name,
            f"generated, seed {seed}",
        )


def judge(check: Property, trial: Any, tally: PropertyTally) -> Violation | None:
    """Run one property on *trial*, count what came of it in *tally*, and return the violation if there is one."""
    return tallied_or_crash(lambda: check.check(trial), tally)
