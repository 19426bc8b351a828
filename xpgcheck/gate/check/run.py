"""Cross-checks of many models over processes: units of instances out, results in, progress in between."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from xpgcheck.check.cross_check import Settings, cross_check
from xpgcheck.check.inputs import Job
from xpgcheck.check.results import InstanceResult, ModelResult, summary
from xpgcheck.check.table import conclusion
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.runs.pool import pooled
from xpgcheck.runs.progress import bar, cores, progress_text, telling

__all__ = ["Settings", "check_all"]

UNIT = 32
"""Instances in a unit of work: enough to share one solver, few enough to keep all processes busy to the end."""

FEW_INSTANCES = 64
"""Up to this many instances of small graphs, starting processes costs more than they save."""

SMALL_NODES = 20_000


@dataclass(frozen=True, slots=True)
class InstanceBlock:
    """Some instances of one job."""

    job: int
    instances: range


def check_all(
    jobs: Sequence[Job], settings: Settings, *, workers: int | None = None, progress: bool = False
) -> list[ModelResult]:
    """Cross-check every instance of every job; return one result a job, in order.

    *workers* processes share the units (one a core if None; none is started for little work).  With *progress*, a bar on
    a terminal's standard error after the first second.  Raises ``UndecidedError`` if a process dies.
    """
    units = [
        InstanceBlock(index, range(start, min(start + UNIT, job.count)))
        for index, job in enumerate(jobs)
        for start in range(0, job.count, UNIT)
    ]
    count = min(workers or cores(), len(units))
    total = sum(job.count for job in jobs)
    little = total <= FEW_INSTANCES and max(job.graph.node_count for job in jobs) <= SMALL_NODES
    results: list[list[InstanceResult]] = [[] for _ in jobs]

    def so_far() -> str:
        begun = [_model_result(job, found) for job, found in zip(jobs, results, strict=True) if found]
        return progress_text(sum(map(len, results)), total, "instances are checked", conclusion(begun).word)

    with telling(so_far), bar(total, "checking instances", progress) as advance:
        work = functools.partial(_run, tuple(jobs), settings)
        names = functools.partial(_named, jobs)
        for unit, found in pooled(work, units, 1 if little and workers is None else count, names):
            results[unit.job].extend(found)
            advance(len(found))
    return [_model_result(job, found) for job, found in zip(jobs, results, strict=True)]


def _named(jobs: Sequence[Job], unit: InstanceBlock) -> str:
    return f"{jobs[unit.job].graph.name}, instances {unit.instances.start + 1} to {unit.instances.stop}"


def _run(jobs: tuple[Job, ...], settings: Settings, unit: InstanceBlock) -> list[InstanceResult]:
    job = jobs[unit.job]
    points = {} if isinstance(job.graph, LabelledGraph) else {i: job.points[i] for i in unit.instances}
    return cross_check(job.graph, points, settings)


def _model_result(job: Job, results: list[InstanceResult]) -> ModelResult:
    graph = job.graph
    features = len(graph.variables) if isinstance(graph, LabelledGraph) else len(graph.features)
    return summary(graph.name, features, graph.node_count, graph.depth(), job.origin, results)
