"""A run in units over processes: the same units, and so the same findings, however many processes there are."""

from __future__ import annotations

import contextlib
import functools
import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from xpgcheck.processes import pooled
from xpgcheck.properties.asking import DEFAULT_SECONDS
from xpgcheck.properties.catalogue import able, chosen
from xpgcheck.properties.running.engine import explore
from xpgcheck.properties.running.loading import load_subject
from xpgcheck.properties.running.outcomes import Result
from xpgcheck.properties.subjects import abilities

UNIT = 500
"""Cases in a unit: few enough for Hypothesis to stay fast, enough to make its start cheap."""


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a run does: which properties (names) on which subject (its spec), and the cases."""

    properties: tuple[str, ...]
    subject: str
    examples: int
    seed: int
    size: int
    seconds: float = DEFAULT_SECONDS
    labelled: bool = False


def run(plan: RunPlan, jobs: int, advance: Callable[[int], None] = lambda _: None) -> Result:
    """Carry out *plan* with *jobs* processes; *advance* is told of every unit how many cases it had.

    Raises ``UndecidedError`` if a process dies.
    """
    units = [
        (plan.seed + (number << 40), min(UNIT, plan.examples - start), start)
        for number, start in enumerate(range(0, plan.examples, UNIT))
    ]
    result = Result.of(plan.properties)
    for part in (_inline if jobs <= 1 or len(units) <= 1 else _pooled)(plan, units, jobs):
        result.add(part)
        advance(part.cases)
    return result


Unit = tuple[int, int, int]
"""The seed of a unit, its cases, and how many cases of the run go before it."""


def _inline(plan: RunPlan, units: Sequence[Unit], _: int) -> Iterator[Result]:
    for unit in units:
        yield _explore(plan, unit)


def _pooled(plan: RunPlan, units: Sequence[Unit], jobs: int) -> Iterator[Result]:
    for _, found in pooled(functools.partial(_explore, plan), units, jobs):
        yield found


@functools.cache
def _set_modules_aside() -> None:
    """Let collections of garbage leave out what is loaded by now: the solvers' packages, looked at again and again.

    Once a process, of the command line's own: what is garbage by then is collected first.
    """
    gc.collect()
    gc.freeze()


def _explore(plan: RunPlan, unit: Unit) -> Result:
    subject = load_subject(plan.subject)
    properties = able(chosen(plan.properties), abilities(subject))
    _set_modules_aside()
    seed, examples, before = unit
    # What a subject prints is not part of the report.
    with contextlib.redirect_stdout(sys.stderr):
        result = explore(
            properties,
            subject,
            examples=examples,
            seed=seed,
            size=plan.size,
            seconds=plan.seconds,
            labelled=plan.labelled,
        )
    # Said as the run is repeated: by its own seed, and counted over all units.
    origin = f"generated, seed {plan.seed}, size {plan.size}"
    result.findings = [replace(f, origin=origin, example=before + f.example) for f in result.findings]
    return result
