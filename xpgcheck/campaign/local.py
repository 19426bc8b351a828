"""Units over processes of this machine, which may die, stop or grow: nothing is lost and nothing counted twice.

Each process has a thread that waits for it (:mod:`xpgcheck.processes.host`), so that those that are slow or stopped keep
nobody waiting.  Processes end with the driver, however that ends: their pipe is closed.
"""

from __future__ import annotations

import contextlib
import platform
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from xpgcheck.campaign.calls import UNIT_SECONDS, Foreign, as_bytes, carry_out
from xpgcheck.campaign.identity import identity
from xpgcheck.campaign.units import Unit, UnitResult, undecided
from xpgcheck.errors import InputError, UndecidedError
from xpgcheck.processes.host import Host, kill_the_unborn
from xpgcheck.processes.killing import is_stopped
from xpgcheck.processes.pool import LOOK_SECONDS, Attended, end
from xpgcheck.processes.replies import Died, Done, Raised

ATTEMPTS = 3
"""How often a unit may bring down its process before it counts as undecided."""

STOPPED_SECONDS = 30.0
"""How long a process may be stopped (as by SIGSTOP) before it is ended, and its unit given to another."""

RECYCLED = 25
"""Units after which a process is replaced, so that what leaks in a library does not add up."""

TICK = 0.2
"""Seconds after which to look whether to stop."""


class Stop(Protocol):
    """Whether to stop: an event of threads."""

    def is_set(self) -> bool:
        """Tell whether to stop."""


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


@dataclass(slots=True)
class _Worker:
    """A process, the thread that waits for it, and the unit that it has: for how long, and stopped for how long.

    ``forgiven``: its process was ended since it was stopped; ``late``: since the unit took too long.
    """

    host: Host = field(default_factory=Host)
    thread: threading.Thread | None = None
    unit: Unit | None = None
    seconds: float = 0.0
    stopped: float = 0.0
    forgiven: bool = False
    late: bool = False
    done: int = 0


@dataclass(frozen=True, slots=True)
class _End:
    """What came of a unit, from whom; ``forgiven``: its process was ended through no fault of the unit."""

    unit: Unit
    reply: Any
    who: str
    forgiven: bool


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
        self.attempts = attempts
        self.stopped_seconds = stopped_seconds
        self.unit_seconds = unit_seconds
        self.recycled = recycled

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
        run = _Run(self, execute, plan, units, on_result)
        try:
            run.go(stop)
        finally:
            run.end()
        run.drain()


class _Run:
    """One run: the processes, the units that are out, and the queue by which threads report."""

    def __init__(
        self,
        scheduler: LocalScheduler,
        execute: Callable[..., Any],
        plan: Any,
        units: Iterator[Unit],
        on_result: Callable[[UnitResult, str], None],
    ) -> None:
        self._settings = scheduler
        self._call = execute, plan
        self._units = units
        self._on_result = on_result
        self._work: queue.SimpleQueue[Unit | None] = queue.SimpleQueue()
        self._ended: queue.SimpleQueue[_End] = queue.SimpleQueue()
        self._workers = [_Worker() for _ in range(scheduler.jobs)]
        self._deaths: Counter[int] = Counter()
        self._out = 0
        self._last = False
        self._over = False
        self._looked = time.monotonic()

    def go(self, stop: Stop) -> None:
        """Carry out the units until all are done, or *stop* is set."""
        for worker in self._workers:
            worker.thread = threading.Thread(target=self._attend, args=(worker,), daemon=True)
            worker.thread.start()
        while not stop.is_set():
            self._fill()
            if not self._out:
                return
            with contextlib.suppress(queue.Empty):
                self._take(self._ended.get(timeout=TICK))
            self._look_around()

    def end(self) -> None:
        """End the processes, and the threads."""
        self._over = True
        for _ in self._workers:
            # Any thread may take it.
            self._work.put(None)
        end([Attended(worker.host, worker.thread) for worker in self._workers if worker.thread is not None])

    def drain(self) -> None:
        """Hand on what was done before the end."""
        with contextlib.suppress(queue.Empty):
            while True:
                ended = self._ended.get_nowait()
                if isinstance(ended.reply, Done):
                    self._on_result(ended.reply.result, ended.who)

    def _fill(self) -> None:
        """Lay out a unit for each process beyond the one that it has: nobody waits for this thread."""
        while not self._last and self._out < 2 * len(self._workers):
            unit = next(self._units, None)
            if unit is None:
                self._last = True
                return
            self._out += 1
            self._work.put(unit)

    def _attend(self, worker: _Worker) -> None:
        """Give *worker* one unit after the other.  In a thread of its own."""
        while (unit := self._work.get()) is not None and not self._over:
            worker.forgiven = worker.late = False
            try:
                if worker.done >= self._settings.recycled:
                    worker.host.kill()
                    worker.done = 0
                worker.seconds = worker.stopped = 0.0
                worker.unit = unit
                reply: Any = carry_out(worker.host, as_bytes(*self._call, unit))
            except Exception as error:
                reply = error
            worker.unit = None
            worker.done += 1
            if worker.late and isinstance(reply, Died):
                reply = Died(f"was ended after {self._settings.unit_seconds:g} s (--unit-timeout)")
            who = f"{platform.node()}, process {worker.host.last_pid}"
            self._ended.put(_End(unit, reply, who, worker.forgiven))

    def _take(self, ended: _End) -> None:
        """Take what came of a unit: a result, a reason to try again, or to give up."""
        unit, reply = ended.unit, ended.reply
        if isinstance(reply, Died):
            if not ended.forgiven:
                self._deaths[unit.id] += 1
            if self._deaths[unit.id] < self._settings.attempts:
                self._work.put(unit)
                return
            how = f"worker died {self._settings.attempts} times, its process {reply.how}"
            self._on_result(undecided(unit, how), ended.who)
        elif isinstance(reply, Done):
            self._on_result(reply.result, ended.who)
        elif isinstance(reply, Foreign):
            problem = f"a process began with {reply.identity}, the driver with {identity()}"
            raise InputError(
                problem,
                place=f"unit {unit.id}",
                mend="go on by 'xpgcheck campaign resume' when the sources do not change",
            )
        elif isinstance(reply, Raised):
            if reply.status == InputError.exit_status:
                raise InputError(reply.line, place=f"unit {unit.id}")
            self._on_result(undecided(unit, reply.line), ended.who)
        else:
            raise UndecidedError(f"a process cannot be started: {reply}", mend="look at the free memory")
        self._out -= 1

    def _look_around(self) -> None:
        """End processes that are stopped or busy for too long."""
        now = time.monotonic()
        passed = now - self._looked
        if passed < LOOK_SECONDS:
            return
        self._looked = now
        if not all(worker.thread is not None and worker.thread.is_alive() for worker in self._workers):
            raise UndecidedError("a thread of the driver has ended", mend="go on by 'xpgcheck campaign resume'")
        # Where this process itself was stopped, nobody is to blame for the time.
        passed = min(passed, 2 * LOOK_SECONDS)
        if any(worker.host.starting >= self._settings.stopped_seconds for worker in self._workers):
            for worker in self._workers:
                worker.forgiven = worker.forgiven or worker.host.starting > 0
            kill_the_unborn(worker.host for worker in self._workers)
        for worker in self._workers:
            # A unit that begins meanwhile is not ended for the one before.
            call, pid = worker.host.calls, worker.host.pid
            if worker.unit is None or pid is None:
                continue
            if is_stopped(pid):
                worker.stopped += passed
            else:
                worker.seconds += passed
                worker.stopped = 0.0
            if worker.stopped >= self._settings.stopped_seconds:
                worker.forgiven = True
                worker.host.kill(call)
            elif worker.seconds >= self._settings.unit_seconds:
                worker.late = True
                worker.host.kill(call)
