"""Cross-checks of many models over processes: units of instances out, results in, progress in between."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from xpgcheck.gate.check.cross_check import CheckSettings, cross_check
from xpgcheck.gate.check.documents import ModelRecord
from xpgcheck.gate.check.results import InstanceResult, summary
from xpgcheck.gate.check.table import conclusion
from xpgcheck.gate.inputs import Job, blocks
from xpgcheck.runs.pool import pooled
from xpgcheck.runs.progress import bar, cores, progress_text, telling

UNIT = 32
"""Instances in a unit of work: enough to share one solver, few enough to keep all processes busy to the end."""

LARGE_UNIT = 128
"""The same where there are so many instances that all processes are kept busy anyway."""

MANY = 15 * LARGE_UNIT

FEW_INSTANCES = 64
"""Up to this many instances of small graphs, starting processes costs more than they save."""

SMALL_NODES = 20_000


InstanceBlock = tuple[int, range]
"""The number of a job, and some of its instances."""


def check_all(
    jobs: Sequence[Job], settings: CheckSettings, *, workers: int | None = None, progress: bool = False
) -> list[ModelRecord]:
    """Cross-check every instance of every job; return one result a job, in order.

    *workers* processes share the units (one a core if None; none is started for little work).  With *progress*, a bar on
    a terminal's standard error after the first second.  Raises ``UndecidedError`` if a process dies.
    """
    total = sum(job.count for job in jobs)
    # The units do not depend on the processes, or what is found would.
    units = blocks(jobs, LARGE_UNIT if total >= MANY else UNIT)
    count = min(workers or cores(), len(units))
    little = total <= FEW_INSTANCES and max(job.graph.node_count for job in jobs) <= SMALL_NODES
    results: list[list[InstanceResult]] = [[] for _ in jobs]

    def so_far() -> str:
        begun = [summary(job, found) for job, found in zip(jobs, results, strict=True) if found]
        return progress_text(sum(map(len, results)), total, "instances are checked", conclusion(begun).word)

    with telling(so_far), bar(total, "checking instances", progress) as advance:
        work = functools.partial(_run, tuple(jobs), settings)
        names = functools.partial(_named, jobs)
        for unit, found in pooled(work, units, 1 if little and workers is None else count, names):
            results[unit[0]].extend(found)
            advance(len(found))
    return [summary(job, found) for job, found in zip(jobs, results, strict=True)]


def _named(jobs: Sequence[Job], unit: InstanceBlock) -> str:
    job, instances = unit
    return f"{jobs[job].graph.name}, instances {instances.start + 1} to {instances.stop}"


def _run(jobs: tuple[Job, ...], settings: CheckSettings, unit: InstanceBlock) -> list[InstanceResult]:
    job, instances = unit
    return cross_check(jobs[job], instances, settings)
