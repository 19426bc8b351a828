"""A thousand workers, simulated: how long units must be, how many under way, and what breaks first."""

from __future__ import annotations

import json
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.dags import random_points
from benchmarks.explain import random_tree
from benchmarks.measure import Report, SkippedError, Target, cpu_seconds
from benchmarks.simulated_cluster import Costs, Lengths, Outcome, Setting, heavy_tailed, resampled, simulate
from xpgcheck.campaign.journal import Journal
from xpgcheck.campaign.plan import Plan
from xpgcheck.campaign.units import Unit, UnitResult
from xpgcheck.gate.check.cross_check import CheckSettings, cross_check
from xpgcheck.gate.inputs import Job

METHOD = """\
A discrete-event simulation, deterministic; no cluster runs. One driver and one Dask scheduler, each one thing after the \
other; what they cost a unit is measured first, here (with dask.distributed; else the figures of an earlier run). \
Lengths of units are those of a recorded campaign, scaled. Busy: the part of the workers' time that went into units whose \
results count, after a warm-up of 10 units per worker, over 30 more."""

COLUMNS = ("what", "workers", "unit, s", "in flight", "busy, %", "driver, %", "scheduler, %")

RECORDED = Costs(driver=0.0021, journal=0.0006, scheduler=0.0022, between=0.0030)
"""Result of :func:`measured_costs` on the machine of docs/findings/performance.md."""

WORKERS = 1000

TABLE, ROWS = 1_000_000, 250
"""Rows of a large table, and of a unit of it."""


def recorded_lengths() -> list[float]:
    """Return the seconds of units of a real campaign: 250 cases of at most 40 nodes each, with SMT."""
    document: dict[str, list[float]] = json.loads(Path(__file__).with_name("campaign_durations.json").read_text())
    return document["seconds"]


def run(workers: int = WORKERS, units: int = 30, costs: Costs | None = None) -> Report:
    """Simulate *units* units a worker in each of the settings."""
    report = Report("campaign_simulation", METHOD, COLUMNS)
    if costs is None:
        try:
            costs = measured_costs()
        except SkippedError as reason:
            costs = RECORDED
            report.notes.append(f"costs of an earlier run: {reason}")
    report.notes.append(
        f"a unit costs the driver {1e3 * costs.driver:.2f} ms and {1e3 * costs.journal:.2f} ms for the journal, the "
        f"scheduler {1e3 * costs.scheduler:.2f} ms, a worker {1e3 * costs.between:.2f} ms between two"
    )
    recorded = recorded_lengths()
    base = Setting(costs, workers)

    def row(what: str, setting: Setting, mean: float, lengths: Lengths | None = None) -> Outcome:
        lengths = lengths or resampled(recorded, mean)
        warm_up = 0.0 if setting.units else 10 * mean
        horizon = 1e9 if setting.units else (10 + units) * mean
        found = simulate(setting, lengths, horizon, warm_up)
        shares = (round(100 * share, 1) for share in (found.busy, found.driver, found.scheduler))
        report.rows.append((what, setting.workers, mean, setting.in_flight, *shares))
        return found

    goal = row("as planned", base, 10.0)
    for in_flight in (1, 3):
        row("another window", replace(base, in_flight=in_flight), 10.0)
    for mean in (5.0, 2.0, 1.0, 0.5):
        row("shorter units", base, mean)
    for more in (2, 5):
        row("more workers", replace(base, workers=more * workers), 10.0)
    for fsync in (0.005, 0.01, 0.02):
        slower = replace(base, costs=replace(costs, journal=costs.journal + fsync))
        row(f"journal {1e3 * fsync:g} ms slower", slower, 10.0)
    row("lengths with a heavy tail", base, 10.0, heavy_tailed(10.0))
    for minutes in (60, 10):
        row(f"each lost every {minutes} min", replace(base, lost_every=60.0 * minutes), 10.0)
    row("the same, noticed after 5 min", replace(base, lost_every=600.0, noticed=300.0), 10.0)
    row(f"a plan of {units} units each, to its end", replace(base, units=units * workers), 10.0)
    a_row = seconds_a_row()
    for some in (10, 100, 1_000):
        setting = replace(base, workers=some, units=TABLE // ROWS)
        found = row(f"a table of {TABLE:,} rows", setting, ROWS * a_row)
        report.notes.append(f"a table of {TABLE:,} rows: {found.seconds:,.0f} s with {some:,} workers")
    report.notes.append(f"a row of it: {1e3 * a_row:.2f} CPU ms; with one worker {TABLE * a_row / 3600:.2f} h")
    report.notes.append(_limits(costs))
    report.targets.append(Target(f"{workers:,} workers, units of 10 s: busy", goal.busy, "≥", 0.95))
    return report


def seconds_a_row(rows: int = 256) -> float:
    """Measure the CPU seconds that checking a row takes: every XP and all its features, by two routes.

    The model is a random tree of 133 nodes over 14 float32 features, the rows are random.
    """
    graph = random_tree(67, width=14)
    points = tuple(random_points(graph, rows))
    job = Job(graph, points, "random rows")
    return cpu_seconds(lambda: cross_check(job, range(rows), CheckSettings())) / rows


def _limits(costs: Costs) -> str:
    rate = 1 / max(costs.driver + costs.journal, costs.scheduler)
    return (
        f"one driver keeps up with {rate:,.0f} units per second: {10 * rate:,.0f} workers with units of 10 s, on paper"
    )


def measured_costs(units: int = 400) -> Costs:
    """Measure the costs with units that do nothing, on two workers of this machine.

    CPU time of the driver's thread, and of the scheduler's, which is in this process; wall time of the journal.  Raises
    ``SkippedError`` without dask.distributed.
    """
    try:
        from distributed import LocalCluster
    except ImportError:
        raise SkippedError("dask.distributed is not installed (pip install 'xpgcheck[cluster]')") from None
    from xpgcheck.campaign.cluster import DaskScheduler

    make: Any = LocalCluster
    taken: list[float] = []

    def carried_out(count: int, address: str) -> tuple[float, float, float]:
        works = (Unit(number, "properties", {"seed": number, "examples": 250}) for number in range(count))
        wall, process, thread = time.perf_counter(), time.process_time(), time.thread_time()
        DaskScheduler(address).run(
            nothing, {}, works, lambda _, __: taken.append(time.perf_counter()), threading.Event()
        )
        mine = time.thread_time() - thread
        return time.perf_counter() - wall, mine, time.process_time() - process - mine

    with make(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        carried_out(50, cluster.scheduler_address)
        few = carried_out(20, cluster.scheduler_address)
        many = carried_out(20 + units, cluster.scheduler_address)
    wall, driver, scheduler = ((after - before) / units for before, after in zip(few, many, strict=True))
    return Costs(driver, journal_seconds(), scheduler, between=max(2 * wall, 0.001))


def nothing(plan: Any, unit: Unit) -> UnitResult:
    """Be a unit that does nothing; its result is of the usual size."""
    return typical(unit.id)


def typical(unit: int) -> UnitResult:
    """Return a result as large as those of property units."""
    counts = {f"a_property_that_has_a_name_{n}": {"held": 250, "failed": 0, "open": 0, "silent": 0} for n in range(57)}
    sizes = {f"non-terminals: {n}": 6 for n in range(40)} | {f"AXps: {n}": 6 for n in range(40)}
    seconds = {f"ability_{n}": {str(k): 100 for k in range(12)} for n in range(8)}
    return UnitResult(unit, 250, counts, sizes, seconds, seconds=10.0, layers={"subject": 1.0, "judges": 8.0})


def journal_seconds(count: int = 300, add: Callable[[Journal, int], object] | None = None) -> float:
    """Return the mean wall seconds of writing one result, of *count*, into a journal in the temporary folder."""
    add = add or (lambda journal, unit: journal.add(typical(unit), "a worker", 1.0))
    options = {"models": [], "stretch": 1, "examples": None, "unit": 250, "smt_every": 1, "seed": 0}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "costs.campaign.sqlite")
        with Journal.create(path, Plan("properties", options)) as journal:
            seconds = []
            for unit in range(count):
                started = time.perf_counter()
                add(journal, unit)
                seconds.append(time.perf_counter() - started)
    return statistics.fmean(seconds)
