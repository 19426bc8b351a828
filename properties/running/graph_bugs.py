"""Wrong explainers and oracles, to be caught by the properties of decision graphs, on generated ones."""

from __future__ import annotations

from xpgcheck.oracles.pysmt_backend import SOLVERS, available_solvers
from xpgcheck.properties.catalogue import Property, able, all_properties
from xpgcheck.properties.running.engine import explore, failing
from xpgcheck.properties.running.outcomes import Failure
from xpgcheck.properties.seeded import SeededBug
from xpgcheck.properties.selftest import BugGround, BugsPage, SelftestSettings
from xpgcheck.properties.subjects import abilities

LOOKED_AT = 25
"""Cases on which every property is tried, to see all that catch a bug."""

LOOKED_AT_BY_SMT = 8
"""Cases on which every property that asks an SMT solver is tried."""


def properties_for(bug: SeededBug, *, smt: bool = False) -> tuple[Property, ...]:
    """Return the properties that say something of *bug* and ask no SMT solver, or with *smt* those that do."""
    return able((p for p in all_properties() if p.smt == smt), abilities(bug.make()))


def _failing(bug: SeededBug, settings: SelftestSettings) -> frozenset[str]:
    how = {"seed": settings.first_seed, "size": settings.size}
    with settings.open(bug) as subject:
        found = failing(properties_for(bug), subject, examples=LOOKED_AT, seconds=bug.seconds, **how)
        smt = properties_for(bug, smt=True)
        return found | failing(smt, subject, examples=LOOKED_AT_BY_SMT, seconds=bug.seconds, **how)


def _first(bug: SeededBug, seed: int, settings: SelftestSettings) -> Failure | None:
    with settings.open(bug) as subject:
        result = explore(
            properties_for(bug),
            subject,
            examples=settings.examples,
            seed=settings.first_seed + seed,
            size=settings.size,
            seconds=bug.seconds,
            shrink=seed < settings.shrunk,
            first_only=True,
        )
    return next(iter(result.findings), None)


def _of_missing_solvers() -> frozenset[str]:
    missing = tuple(solver for solver in SOLVERS if solver not in available_solvers())
    return frozenset(p.name for p in all_properties() if p.smt and p.name.startswith(missing))


GROUND = BugGround(
    {"explainer": "explainer", "oracle": "oracle"},
    ("non-terminals", "features"),
    BugsPage(
        "Seeded bugs",
        "Explainers and oracles",
        "properties.md",
        LOOKED_AT,
        "non-terminals and features of the largest counterexample after shrinking",
    ),
    all_properties,
    _failing,
    _first,
    _of_missing_solvers,
)
