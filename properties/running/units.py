"""A run in units over processes: the same units, and so the same findings, however many processes there are."""

from __future__ import annotations

import contextlib
import functools
import gc
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from xpgcheck.judging.verdicts import Outcome
from xpgcheck.properties.asking import DEFAULT_SECONDS
from xpgcheck.properties.catalogue import able, chosen
from xpgcheck.properties.running.engine import explore
from xpgcheck.properties.running.hypothesis_internals import begin
from xpgcheck.properties.running.loading import load_subject
from xpgcheck.properties.running.outcomes import C, Result
from xpgcheck.properties.subjects import abilities
from xpgcheck.runs.pool import pooled
from xpgcheck.runs.progress import progress_text, telling

UNIT = 500
"""Cases in a unit: few enough for Hypothesis to stay fast, enough to make its start cheap."""


@dataclass(frozen=True, slots=True)
class RunPlan:
    """The plan of a run: which properties (names) on which subject (its spec), and the cases."""

    properties: tuple[str, ...]
    subject: str
    examples: int
    seed: int
    size: int
    seconds: float = DEFAULT_SECONDS
    labelled: bool = False


Unit = tuple[int, int, int]
"""The seed of a unit, its cases, and how many cases of the run go before it."""


def run(
    plan: RunPlan, jobs: int, advance: Callable[[int], None] = lambda _: None, failed_before: bool = False
) -> Result:
    """Carry out *plan* with *jobs* processes; *advance* is told of every unit how many cases it had.

    An interrupt says how many cases were tried, and the verdict so far: violated where something had *failed_before*.
    Raises ``UndecidedError`` if a process dies.
    """
    explore_unit = functools.partial(_explore, plan)
    return in_units(explore_unit, plan.properties, plan.examples, plan.seed, jobs, advance, failed_before)


def in_units(
    explore_unit: Callable[[Unit], Result[C]],
    properties: Sequence[str],
    examples: int,
    seed: int,
    jobs: int,
    advance: Callable[[int], None] = lambda _: None,
    failed_before: bool = False,
) -> Result[C]:
    """Try *properties* (names) on *examples* cases in units; *explore_unit*, which goes to other processes, does one.

    The number in a finding counts over all units.  Raises ``UndecidedError`` if a process dies.
    """
    units = [
        (seed + (number << 40), min(UNIT, examples - start), start)
        for number, start in enumerate(range(0, examples, UNIT))
    ]
    parts: dict[Unit, Result[C]] = {}

    def so_far() -> str:
        failed = failed_before or any(part.findings for part in parts.values())
        is_open = any(part.open for part in parts.values()) or all(part.unasked() for part in parts.values())
        verdict = Outcome.VIOLATED if failed else Outcome.INCONCLUSIVE if is_open else Outcome.HOLDS
        return progress_text(sum(part.cases for part in parts.values()), examples, "cases are tried", verdict.name)

    with telling(so_far):
        for unit, part in pooled(explore_unit, units, jobs, _named):
            parts[unit] = part
            advance(part.cases)
    result: Result[C] = Result.of(properties)
    # In their order, whichever was ready first: of equally small findings the first one is kept.
    for unit in units:
        part = parts[unit]
        part.findings = [replace(found, example=unit[2] + found.example) for found in part.findings]
        result.add(part)
    return result


def _named(unit: Unit) -> str:
    return f"cases {unit[2] + 1} to {unit[2] + unit[1]}"


@functools.cache
def _set_modules_aside() -> None:
    """Let collections of garbage leave out what is loaded by now: the solvers' packages, looked at again and again.

    Once a process, of the command line's own: what is garbage by then is collected first.
    """
    begin()
    gc.collect()
    gc.freeze()


def _explore(plan: RunPlan, unit: Unit) -> Result:
    subject = load_subject(plan.subject)
    properties = able(chosen(plan.properties), abilities(subject))
    _set_modules_aside()
    seed, examples, _ = unit
    # A subject's prints are not part of the report.
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
    # Said as the run is repeated: by its own seed.
    origin = f"generated, seed {plan.seed}, size {plan.size}"
    result.findings = [replace(found, origin=origin) for found in result.findings]
    return result
