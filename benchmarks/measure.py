"""Measuring and reporting of the benchmarks: interleaved repetitions, CPU time, medians, ratios within one run."""

from __future__ import annotations

import gc
import os
import platform
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib import metadata
from typing import Any

Cell = str | int | float | None


class SkippedError(Exception):
    """A benchmark cannot run here; the text says why."""


@dataclass(frozen=True)
class Target:
    """A figure with what it must reach: *measured* is at least (or at most) *wanted*."""

    what: str
    measured: float
    relation: str
    wanted: float

    @property
    def met(self) -> bool:
        return self.measured >= self.wanted if self.relation == "≥" else self.measured < self.wanted


@dataclass
class Report:
    """Results of one benchmark.  ``method`` says what is compared with what, and how it was timed."""

    name: str
    method: str
    columns: Sequence[str]
    rows: list[Sequence[Cell]] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    skipped: str = ""

    def as_json(self) -> dict[str, Any]:
        targets = [asdict(target) | {"met": target.met} for target in self.targets]
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return asdict(self) | {"rows": rows, "targets": targets}


def interleaved(
    sides: Mapping[str, Callable[..., object]],
    repetitions: int,
    prepare: Mapping[str, Callable[[], object]] | None = None,
) -> dict[str, float]:
    """Return each side's median CPU seconds (of this process) over *repetitions* rounds.

    The sides take turns, so that a slow spell of the machine meets all of them; the order rotates.  As in ``timeit``,
    garbage is collected before and not while a side runs.  What *prepare* returns for a side is made outside of its time
    and given to it.
    """
    names = list(sides)
    seconds: dict[str, list[float]] = {name: [] for name in names}
    for round_number in range(repetitions):
        shift = round_number % len(names)
        for name in names[shift:] + names[:shift]:
            arguments = [prepare[name]()] if prepare and name in prepare else []
            seconds[name].append(cpu_seconds(partial(sides[name], *arguments)))
    return {name: statistics.median(values) for name, values in seconds.items()}


def cpu_seconds(run: Callable[[], object]) -> float:
    """Return the CPU seconds of this process that one call takes."""
    gc.collect()
    gc.disable()
    try:
        started = time.process_time()
        run()
        return time.process_time() - started
    finally:
        gc.enable()


def median_and_max(values: Sequence[float]) -> tuple[float, float]:
    return statistics.median(values), max(values)


def machine() -> dict[str, Any]:
    """Return what the figures depend on."""
    packages = ("xpgcheck", "XpGraph", "networkx", "python-sat", "pysmt", "z3-solver", "cvc5")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "machine": f"{platform.machine()} {platform.system()}",
        "cores": cores,
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "packages": {name: version for name in packages if (version := _version(name))},
    }


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
