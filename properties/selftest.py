"""The tester tested: how soon each seeded bug is caught, by which checks, and how small its counterexample gets.

There is one kind of seeded bug (:class:`~xpgcheck.properties.seeded.SeededBug`) and one runner, :func:`measure`.  What the
bug is of decides on which *ground* it has to be caught: decision graphs, formulas, or every graph of a size.
"""

from __future__ import annotations

import functools
import importlib
import statistics
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, cast

from xpgcheck.properties.running.outcomes import Failure
from xpgcheck.properties.seeded import SeededBug
from xpgcheck.runs.pool import pooled
from xpgcheck.runs.progress import progress_text, telling

Finding = Failure[Any] | None


def made(bug: SeededBug) -> AbstractContextManager[Any]:
    """Return a subject that has *bug*, in this process."""
    return nullcontext(bug.make())


@dataclass(frozen=True, slots=True)
class SelftestSettings:
    """Settings by which a bug is measured: within how many *examples* of at most *size* nodes, for how many seeds.

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
class BugsPage:
    """Head of a document on the bugs of a ground: its *title*, what is wrong, the page on what catches them.

    ``looked_at`` says how many cases all checks are tried on, ``shrunk`` which counterexamples are shown.
    """

    title: str
    wrong: str
    page: str
    looked_at: int
    shrunk: str


@dataclass(frozen=True, slots=True)
class BugGround:
    """A ground where seeded bugs have to be caught: cases of one kind, and the ``checks`` (each has a ``name``) of them.

    ``titles`` says what a wrong one of each kind of bug is called in tables, ``extents`` what the first two numbers of a
    case's size count.  ``failing`` gives the names of the checks that fail of a bug on some of a few cases, ``first`` its
    first failure with a seed (counted from 0), shrunk where the settings say so.  ``out_of_reach`` gives the names of the
    checks that cannot be tried here, so that no bug has to make them fail; ``shown`` a counterexample in one line, "" where
    its size says enough.
    """

    titles: Mapping[str, str]
    extents: tuple[str, str]
    page: BugsPage
    checks: Callable[[], Sequence[Any]]
    failing: Callable[[SeededBug, SelftestSettings], Collection[str]]
    first: Callable[[SeededBug, int, SelftestSettings], Finding]
    out_of_reach: Callable[[], Collection[str]] = tuple
    shown: Callable[[Failure[Any]], str] = lambda finding: ""


def ground_of(bug: SeededBug) -> BugGround:
    """Return where *bug* has to be caught."""
    return cast(BugGround, importlib.import_module(bug.ground).GROUND)


def grounds_of(bugs: Sequence[SeededBug]) -> list[BugGround]:
    """Return where *bugs* have to be caught, each ground once."""
    return [ground_of(bug) for bug in {bug.ground: bug for bug in bugs}.values()]


@dataclass(frozen=True, slots=True)
class Measured:
    """Results for one bug: the checks that fail because of it, and the finding of each seed (None: not caught)."""

    bug: SeededBug
    caught_by: tuple[str, ...]
    findings: tuple[Finding, ...]
    shrunk: int

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
        """Size of the largest counterexample after shrinking, over all seeds: each of the numbers of ``extent``."""
        sizes = [extent(f) for f in self.shrunk_findings]
        return max((size[0] for size in sizes), default=0), max((size[1] for size in sizes), default=0)


def extent(finding: Failure[Any]) -> tuple[int, int]:
    """Return the non-terminals and features of a finding's graph, or the clauses and literals of its formula."""
    first, second, *_ = finding.size
    return first, second


def idle_checks(measured: Sequence[Measured]) -> tuple[str, ...]:
    """Return the names of the checks that no measured bug makes fail, on the grounds of these bugs."""
    busy = {name for found in measured for name in found.caught_by}
    grounds = grounds_of([found.bug for found in measured])
    return tuple(c.name for g in grounds for c in g.checks() if c.name not in busy and c.name not in g.out_of_reach())


def smallest_of_each_check(measured: Sequence[Measured]) -> list[Failure[Any]]:
    """Return for each check that failed first of some bug the smallest case on which it did, named for the bug."""
    best: dict[str, Failure[Any]] = {}
    for found in measured:
        for finding in found.shrunk_findings:
            own = replace(finding, subject=f"seeded bug {found.bug.name}")
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
    caught_by: dict[str, Collection[str]] = {}
    findings: dict[str, dict[int, Finding]] = {bug.name: {} for bug in bugs}
    work = [(bug, seed) for bug in bugs for seed in range(-1, settings.seeds)]

    def so_far() -> str:
        caught = sum(1 for name, own in findings.items() if caught_by.get(name) or any(own.values()))
        done = len(caught_by) + sum(map(len, findings.values()))
        return progress_text(done, len(work), "parts are done", f"{caught:,} of {len(bugs):,} seeded bugs caught")

    with telling(so_far):
        for (bug, seed), (failing, first) in pooled(functools.partial(_part_of, settings), work, jobs, _named):
            if seed < 0:
                caught_by[bug.name] = failing
            else:
                findings[bug.name][seed] = first
            advance(1)
    measured = []
    for bug in bugs:
        own = tuple(findings[bug.name][seed] for seed in range(settings.seeds))
        names = {*caught_by[bug.name], *(f.property_name for f in own if f is not None)}
        in_order = tuple(check.name for check in ground_of(bug).checks() if check.name in names)
        measured.append(Measured(bug, in_order, own, settings.shrunk))
    return measured


def _named(part: tuple[SeededBug, int]) -> str:
    bug, seed = part
    return f"seeded bug {bug.name}, {'all properties' if seed < 0 else f'seed {seed}'}"


def _part_of(settings: SelftestSettings, part: tuple[SeededBug, int]) -> tuple[Collection[str], Finding]:
    """Return the finding of one seed; of seed −1 the names of all checks that fail on some of a few cases."""
    bug, seed = part
    ground = ground_of(bug)
    return (ground.failing(bug, settings), None) if seed < 0 else ((), ground.first(bug, seed, settings))
