"""Units of a campaign over processes of this machine: nothing is lost and nothing counted twice."""

from __future__ import annotations

import contextlib
import platform
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from xpgcheck.campaign.calls import UNIT_SECONDS, Foreign, how_it_died, identified
from xpgcheck.campaign.identity import identity
from xpgcheck.campaign.units import Unit, UnitResult, undecided
from xpgcheck.errors import InputError, UndecidedError
from xpgcheck.runs.host import LARGE
from xpgcheck.runs.loop import Ended, Stop, UnitLimits, ends
from xpgcheck.runs.replies import Died, Done, Raised

ATTEMPTS = 3
"""Number of times that a unit may bring down its process before it counts as undecided."""

STOPPED_SECONDS = 30.0
"""Seconds that a process may be stopped (as by SIGSTOP) before it is ended, and its unit given to another."""

RECYCLED = 25
"""Units after which a process is replaced, so that what leaks in a library does not add up."""


class Scheduler(Protocol):
    """Carries out units somewhere."""

    name: str

    def run(
        self,
        execute: Callable[..., Any],
        plan: Any,
        units: Iterator[Any],
        on_result: Callable[[Any, str], None],
        stop: Stop,
    ) -> None:
        """Carry out ``execute(plan, unit)`` for all *units*; give *on_result* each result and who made it."""


class LocalScheduler:
    """Carries out units by *jobs* processes of this machine."""

    def __init__(
        self,
        jobs: int,
        *,
        attempts: int = ATTEMPTS,
        stopped_seconds: float = STOPPED_SECONDS,
        unit_seconds: float = UNIT_SECONDS,
        recycled: int = RECYCLED,
    ) -> None:
        self.name = f"{jobs} processes"
        self.jobs = jobs
        self.limits = UnitLimits(attempts, unit_seconds, stopped_seconds, recycled, LARGE)

    def run(
        self,
        execute: Callable[..., Any],
        plan: Any,
        units: Iterator[Unit],
        on_result: Callable[[UnitResult, str], None],
        stop: Stop,
    ) -> None:
        """Carry out ``execute(plan, unit)`` for all *units*; give *on_result* each result and who made it, in this thread.

        *execute* is a function of a module that the processes can import.  A result comes once.  A unit whose process died
        ``attempts`` times, or which ended with an error other than wrong input, comes as undecided.  Ends early when *stop*
        is set: what is done by then is handed on, the rest is dropped.  Raises ``InputError`` where a unit says that
        something given is wrong.
        """
        everything = ends(identified(execute, plan), units, self.jobs, self.limits, stop)
        with contextlib.closing(everything):
            for ended in everything:
                on_result(self._result(ended), f"{platform.node()}, process {ended.pid}")

    def _result(self, ended: Ended[Unit]) -> UnitResult:
        """Return the result of a unit, undecided where it has none."""
        unit, reply = ended.unit, ended.reply
        if isinstance(reply, Died):
            how = f"worker died {self.limits.attempts} times, its process {how_it_died(reply)}"
            return undecided(unit, how)
        if isinstance(reply, Done):
            if isinstance(reply.result, Foreign):
                problem = f"a process began with {reply.result.identity}, the driver with {identity()}"
                mend = "go on by 'xpgcheck campaign resume' when the sources do not change"
                raise InputError(problem, place=f"unit {unit.id}", mend=mend)
            result: UnitResult = reply.result
            return result
        if isinstance(reply, Raised):
            if reply.status == InputError.exit_status:
                raise InputError(reply.line, place=f"unit {unit.id}")
            return undecided(unit, reply.line)
        raise UndecidedError(f"a process cannot be started: {reply}", mend="look at the free memory")
