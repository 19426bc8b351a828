"""Campaigns: what a second worker gives, what scheduling costs, and where the time of a unit goes.

``python -m benchmarks.campaign_soak`` runs one for an hour and looks at the memory.
"""

from __future__ import annotations

import cProfile
import os
import pstats
import statistics
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import PurePath

from benchmarks.campaign_plans import passing_journal, property_plan
from benchmarks.campaign_simulation import nothing
from benchmarks.measure import Report, Target
from xpgcheck.campaign import driver
from xpgcheck.campaign.execution import execute
from xpgcheck.campaign.local import LocalScheduler
from xpgcheck.campaign.plan import Plan

METHOD = """\
The same plan by one process and by two, in turns; wall seconds from the start to the end, processes and journal included. \
What two free cores would give leaves out that others use the machine: twice the ratio of CPU seconds, times the ratio of \
the parts of the processes' time that were spent in units. \
Scheduling: wall time of a unit that does nothing and gives a result of the usual size, by one process, journal included, \
against a unit of 250 cases. Layers: one unit of 100 cases under cProfile, own time of functions by package; what C code \
takes counts for its caller. Profiling makes Python code look slower than solvers."""

COLUMNS = ("what", "value", "unit")

SMT_PACKAGES = ("z3", "cvc5", "pysmt", "pysat")

LAYERS = {
    "xpgcheck/xpg": "XpGs and explainer",
    "xpgcheck/judging": "oracles, encodings for SMT",
    "xpgcheck/oracles": "oracles, encodings for SMT",
    "xpgcheck/model": "graphs, values, assumptions",
    "xpgcheck/readers": "reading and writing files",
    "xpgcheck/writers": "reading and writing files",
    "properties/strategies": "generation",
    "properties/statements": "properties",
    "xpgcheck/properties": "properties",
    "properties/running": "running, counting",
    "xpgcheck/campaign": "running, counting",
    "hypothesis": "generation",
}
"""Packages and what they are called; the first that is part of a file's path counts."""


@dataclass(frozen=True)
class Timed:
    """One run: wall seconds, CPU seconds of its processes, and the part of the processes' time that was spent in units."""

    wall: float
    cpu: float
    busy: float


def run(examples: int = 1200, unit: int = 40, rounds: int = 3, profiled: int = 100, empty: int = 300) -> Report:
    """Measure with *examples* cases in units of *unit*, in each of *rounds*."""
    report = Report("campaign", METHOD, COLUMNS)
    plan = property_plan(examples, unit)
    ratios, cores, free = [], [], []
    for number in range(rounds):
        order = (1, 2) if number % 2 == 0 else (2, 1)
        took = {jobs: timed(plan, jobs) for jobs in order}
        ratios.append(took[1].wall / took[2].wall)
        cores.append(took[2].cpu / took[2].wall)
        free.append(2 * (took[1].cpu / took[2].cpu) * (took[2].busy / took[1].busy))
    ratio = statistics.median(ratios)
    report.rows.append((f"{examples} cases, one process ÷ two: median of {rounds}", ratio, "×"))
    report.rows.append(("the same, each round", " · ".join(f"{each:.2f}" for each in ratios), "×"))
    report.rows.append(
        ("cores that the two had, median (on a busy machine fewer than two)", statistics.median(cores), "")
    )
    report.rows.append(("what two free cores would give, median", statistics.median(free), "×"))
    cost = empty_seconds(empty)
    whole = execute(property_plan(None, 250, seed=1), next(property_plan(None, 250, seed=1).units())).seconds
    report.rows.append(("scheduling and journal, a unit", 1e3 * cost, "ms"))
    report.rows.append(("a unit of 250 cases", whole, "s"))
    report.rows += [(f"layer: {name}", 100 * share, "%") for name, share in layers(profiled)]
    if statistics.median(cores) < 1.8:
        report.notes.append(
            "the machine was busy: two processes had fewer than 1.8 cores, so the first ratio says little"
        )
    report.targets.append(Target("two workers, times faster than one", ratio, "≥", 1.8))
    report.targets.append(Target("scheduling overhead of a unit of 250 cases, %", 100 * cost / whole, "<", 2.0))
    return report


def timed(plan: Plan, jobs: int) -> Timed:
    """Carry *plan* out with *jobs* processes."""
    with passing_journal(plan) as journal:
        before, started = _children(), time.perf_counter()
        driver.run(plan, journal, LocalScheduler(jobs), workers=jobs)
        wall, cpu = time.perf_counter() - started, _children() - before
        units, cases = journal.totals()
        taken = Timed(wall, cpu, sum(row.result.seconds for row in journal.rows()) / (jobs * wall))
    if (units, cases) != (plan.count(), plan.cases()):
        raise AssertionError(f"{units} units, {cases} cases")
    return taken


def _children() -> float:
    """Return the CPU seconds of processes that were started from here and have ended."""
    times = os.times()
    return times.children_user + times.children_system


def empty_seconds(count: int) -> float:
    """Return the wall seconds a unit of *count* units that do nothing, by one process, what starting it takes left out."""
    took = []
    for units in (20, 20 + count):
        plan = property_plan(units, 1)
        with passing_journal(plan) as journal:
            started = time.perf_counter()
            driver.run(plan, journal, LocalScheduler(1), workers=1, carry_out=nothing)
            took.append(time.perf_counter() - started)
    return (took[1] - took[0]) / count


def layers(cases: int) -> list[tuple[str, float]]:
    """Return the layers of a unit of *cases* cases with their parts of its time, the largest first."""
    plan = property_plan(None, cases, seed=2)
    units = plan.units()
    execute(property_plan(None, 20, seed=3), next(property_plan(None, 20, seed=3).units()))
    profile = cProfile.Profile()
    profile.enable()
    execute(plan, next(units))
    profile.disable()
    times: Counter[str] = Counter()
    # Nothing in typeshed says what is in there: of each function its time, and that by caller.
    functions: dict[tuple[str, int, str], tuple[int, int, float, float, dict[tuple[str, int, str], tuple[float, ...]]]]
    functions = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    for (file, _, _), (_, _, own, _, callers) in functions.items():
        if file == "~" and callers:
            for (caller, _, _), (_, _, part, _) in callers.items():
                times[layer_of(caller)] += part
        else:
            times[layer_of(file)] += own
    whole = sum(times.values())
    return [(name, seconds / whole) for name, seconds in times.most_common()]


def layer_of(file: str) -> str:
    """Return the layer to which the code in *file* belongs."""
    path = PurePath(file).as_posix()
    if any(f"/{package}/" in path for package in SMT_PACKAGES):
        return "SAT and SMT solvers, pySMT"
    return next((name for part, name in LAYERS.items() if f"/{part}/" in path), "standard library, others")
