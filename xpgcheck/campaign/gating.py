"""Units of a gate: a subject in a process of its own, kept from unit to unit, asked at instances or generated cases."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any

from xpgcheck.campaign.finding_documents import finding_document
from xpgcheck.campaign.models import job_of
from xpgcheck.campaign.observing import Observer, TimedSubject, graph_sizes
from xpgcheck.campaign.plan import Plan
from xpgcheck.campaign.trying import reasons_of, tallied
from xpgcheck.campaign.units import Counts, Unit, UnitResult, add_counts, add_numbers
from xpgcheck.gate import plan as gate_plan
from xpgcheck.gate import run as gate_run
from xpgcheck.gate.results import Report
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.properties.catalogue import chosen
from xpgcheck.properties.subjects import subject_name
from xpgcheck.subjects.limits import MEBIBYTE, Limits


def carried_out(plan: Plan, unit: Unit) -> UnitResult:
    """Ask the plan's subject at the unit's cases.  Raises ``InputError`` where it cannot be opened."""
    started = time.perf_counter()
    options, observer = plan.options, Observer()
    opener = kept(
        options["subject"], options["command"], options["timeout"], options["start_timeout"], options["memory"]
    )
    cases = gate_plan.Cases(0, options["seed"], options["size"], tuple(options["kinds"]))
    work = gate_plan.GatePlan(
        functools.partial(_observed, opener, observer),
        cases,
        properties=tuple(options["properties"]),
        seconds=gate_plan.patience(opener.limits),
        solvers=tuple(options["solvers"]),
    )
    arguments = unit.arguments
    if "model" in arguments:
        job = job_of(options["models"][arguments["model"]])
        instances = range(arguments["start"], arguments["stop"])
        work = replace(work, models=(job,))
        part = gate_run.GateUnit(((0, instances),))
        add_numbers(observer.sizes, {label: len(instances) for label in graph_sizes(job.graph)})
    else:
        some = replace(cases, examples=arguments["examples"], seed=arguments["seed"])
        tried = chosen(options["properties"], smt=arguments["smt"])
        work = replace(work, properties=tuple(item.name for item in tried))
        part = gate_run.GateUnit(cases=some, before=arguments["before"])
    report, _ = gate_run.run_unit(work, part)
    whole = time.perf_counter() - started
    return UnitResult(
        unit.id,
        sum(report.cases.values()),
        _counts(report),
        observer.sizes,
        observer.query_seconds,
        [*reasons_of(report.properties), *_reasons(report)],
        report.number(Outcome.INCONCLUSIVE) + report.bad_count,
        [finding_document(finding, subject_name(opener.subject)) for finding in report.findings],
        layers={"subject": observer.subject_seconds, "judges and generation": whole - observer.subject_seconds},
        passed_over=gate_run.passed_over_of(opener.subject),
    )


class KeptOpener:
    """Opens the subject at the first call, and gives the same at the next: it ends with this process."""

    def __init__(self, spec: str | None, command: str | None, limits: Limits) -> None:
        self.limits = limits
        self._open = gate_plan.opener(spec, command, limits)
        self._opened: AbstractContextManager[Any] | None = None
        self.subject: Any = None

    def __call__(self) -> Any:
        """Return the subject.  Raises ``InputError`` where it cannot be opened."""
        if self._opened is None:
            opened = self._open()
            self.subject = opened.__enter__()
            self._opened = opened
        return self.subject


@functools.lru_cache(maxsize=2)
def kept(spec: str | None, command: str | None, seconds: float, start: float, memory: int) -> KeptOpener:
    """Return this process's opener of a subject with these limits (*memory* in MiB)."""
    return KeptOpener(spec, command, Limits(seconds=seconds, memory=memory * MEBIBYTE, start_seconds=start))


@contextmanager
def _observed(opener: KeptOpener, observer: Observer) -> Iterator[Any]:
    yield TimedSubject(opener(), observer)


def _counts(report: Report) -> Counts:
    counts: Counts = tallied(report.properties)
    for (about, verdict), number in report.counts.items():
        add_counts(counts, {about: {verdict: number}})
    for about, number in report.unsupported.items():
        add_counts(counts, {about: {"unsupported": number}})
    if report.bad_count:
        add_counts(counts, {"unit": {"open": report.bad_count}})
    return counts


def _reasons(report: Report) -> list[str]:
    open_ones = [f"{f.about}: {f.text}" for f in report.findings if f.outcome is Outcome.INCONCLUSIVE]
    return [*report.bad, *open_ones]
