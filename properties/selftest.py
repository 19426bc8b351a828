"""The tester tested: how soon each seeded bug is caught, by which properties, and how small its counterexample gets."""

from __future__ import annotations

import functools
import statistics
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

from xpgcheck.oracles.pysmt_backend import SOLVERS, available_solvers
from xpgcheck.properties.catalogue import Property, able, all_properties
from xpgcheck.properties.reduction.catalogue import all_properties as reduction_properties
from xpgcheck.properties.reduction.exploring import explore_reduction, failing_formulas
from xpgcheck.properties.running.engine import explore, failing
from xpgcheck.properties.running.outcomes import Failure
from xpgcheck.properties.seeded import SeededBug, seeded_bug
from xpgcheck.properties.subjects import abilities
from xpgcheck.runs.pool import pooled
from xpgcheck.runs.progress import progress_text, telling

LOOKED_AT = 100
"""Cases on which every property is tried, to see all that catch a bug."""

LOOKED_AT_BY_SMT = 15
"""Cases on which every property that asks an SMT solver is tried."""

LOOKED_AT_FORMULAS = 60
"""Formulas on which every property of the reduction is tried."""


def made(bug: SeededBug) -> AbstractContextManager[Any]:
    """Return a subject that has *bug*, in this process."""
    return nullcontext(bug.make())


@dataclass(frozen=True, slots=True)
class SelftestSettings:
    """How a bug is measured: within how many *examples* of at most *size* nodes, for how many seeds.

    Counterexamples are shrunk with the first ``shrunk`` seeds; with the others it is only seen that they come.  ``open``
    makes the subject of a bug; it can be sent to other processes.
    """

    examples: int = 1_000
    seeds: int = 1
    shrunk: int = 1
    size: int = 12
    first_seed: int = 0
    open: Callable[[SeededBug], AbstractContextManager[Any]] = made


@dataclass(frozen=True, slots=True)
class Measured:
    """What was found of one bug: the properties that fail of it, and of each seed the finding (None: not caught)."""

    bug: str
    caught_by: tuple[str, ...]
    findings: tuple[Failure[Any] | None, ...]
    shrunk: int
    of_reduction: bool = False

    @property
    def shrunk_findings(self) -> list[Failure[Any]]:
        """The findings that were shrunk."""
        return [f for f in self.findings[: self.shrunk] if f is not None]

    @property
    def caught(self) -> bool:
        """Whether it was caught with every seed."""
        return all(finding is not None for finding in self.findings)

    @property
    def examples(self) -> float:
        """The median number of examples until it was caught; infinite where that is never."""
        return statistics.median(f.example if f is not None else float("inf") for f in self.findings)

    @property
    def smallest(self) -> Failure[Any] | None:
        """The finding on the smallest case."""
        return min(self.shrunk_findings, key=lambda finding: finding.size, default=None)

    @property
    def largest(self) -> tuple[int, int]:
        """How large the largest counterexample after shrinking is, over all seeds: each of the numbers of ``extent``."""
        sizes = [extent(f) for f in self.shrunk_findings]
        return max((size[0] for size in sizes), default=0), max((size[1] for size in sizes), default=0)


def extent(finding: Failure[Any]) -> tuple[int, int]:
    """Return the non-terminals and features of a finding's graph, or the clauses and literals of its formula."""
    first, second, *_ = finding.size
    return first, second


def properties_for(bug: SeededBug, *, smt: bool = False) -> tuple[Property, ...]:
    """Return the properties that say something of *bug* and ask no SMT solver, or with *smt* those that do."""
    if bug.kind == "reduction":
        return () if smt else reduction_properties()
    return able((p for p in all_properties() if p.smt == smt), abilities(bug.make()))


def idle_properties(measured: Sequence[Measured]) -> tuple[str, ...]:
    """Return the names of the properties that no measured bug makes fail; those of a missing solver are left out.

    They are the properties of the kind of bugs that were measured.
    """
    if measured and measured[0].of_reduction:
        return tuple(p.name for p in reduction_properties() if not any(p.name in m.caught_by for m in measured))
    busy = {name for found in measured for name in found.caught_by}
    missing = tuple(solver for solver in SOLVERS if solver not in available_solvers())
    return tuple(p.name for p in all_properties() if p.name not in busy and not (p.smt and p.name.startswith(missing)))


def smallest_of_each_property(measured: Sequence[Measured]) -> list[Failure]:
    """Return for each property that failed first of some bug the smallest case on which it did, named for the bug."""
    best: dict[str, Failure] = {}
    for found in measured:
        for finding in found.shrunk_findings:
            own = replace(finding, subject=f"seeded bug {found.bug}")
            name = finding.property_name
            if name not in best or own.size < best[name].size:
                best[name] = own
    return list(best.values())


def measure(
    bugs: Sequence[SeededBug],
    settings: SelftestSettings,
    jobs: int = 1,
    advance: Callable[[int], None] = lambda _: None,
) -> list[Measured]:
    """Measure each of *bugs*; *advance* is told of every part that is done, of which each bug has ``settings.seeds`` + 1."""
    caught_by: dict[str, tuple[str, ...]] = {}
    findings: dict[str, dict[int, Failure[Any] | None]] = {bug.name: {} for bug in bugs}
    work = [(bug.name, seed) for bug in bugs for seed in range(-1, settings.seeds)]

    def so_far() -> str:
        caught = sum(1 for name, own in findings.items() if caught_by.get(name) or any(own.values()))
        done = len(caught_by) + sum(map(len, findings.values()))
        return progress_text(done, len(work), "parts are done", f"{caught:,} of {len(bugs):,} seeded bugs caught")

    with telling(so_far):
        for (name, seed), found in pooled(functools.partial(_part_of, settings), work, jobs, _named):
            if isinstance(found, tuple):
                caught_by[name] = found
            else:
                findings[name][seed] = found
            advance(1)
    order = {p.name: k for k, p in enumerate((*all_properties(), *reduction_properties()))}
    return [
        Measured(
            bug.name,
            tuple(
                sorted(
                    {*caught_by[bug.name], *(f.property_name for f in findings[bug.name].values() if f is not None)},
                    key=order.__getitem__,
                )
            ),
            tuple(findings[bug.name][seed] for seed in range(settings.seeds)),
            settings.shrunk,
            bug.kind == "reduction",
        )
        for bug in bugs
    ]


def _named(part: tuple[str, int]) -> str:
    name, seed = part
    return f"seeded bug {name}, {'all properties' if seed < 0 else f'seed {seed}'}"


def _part_of(settings: SelftestSettings, part: tuple[str, int]) -> tuple[str, ...] | Failure[Any] | None:
    """Return the finding of one seed; of seed −1 the names of all properties that fail on some of a few cases."""
    name, seed = part
    bug = seeded_bug(name)
    if bug.kind == "reduction":
        return _formula_part(bug, seed, settings)
    with settings.open(bug) as subject:
        return _part_with(bug, subject, seed, settings)


def _part_with(
    bug: SeededBug, subject: Any, seed: int, settings: SelftestSettings
) -> tuple[str, ...] | Failure[Any] | None:
    if seed < 0:
        counts: dict[str, int] = {}
        for smt, cases in ((False, LOOKED_AT), (True, LOOKED_AT_BY_SMT)):
            looked_for = properties_for(bug, smt=smt)
            counts |= failing(
                looked_for,
                subject,
                examples=cases,
                seed=settings.first_seed,
                size=settings.size,
                seconds=bug.seconds,
            )
        return tuple(counts)
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
    return result.findings[0] if result.findings else None


def _formula_part(bug: SeededBug, seed: int, settings: SelftestSettings) -> tuple[str, ...] | Failure[Any] | None:
    first = settings.first_seed
    if seed < 0:
        return tuple(failing_formulas(LOOKED_AT_FORMULAS, first, make=bug.make))
    shrink = seed < settings.shrunk
    found = explore_reduction(settings.examples, first + seed, make=bug.make, first_only=True, shrink=shrink)
    return found.findings[0] if found.findings else None
