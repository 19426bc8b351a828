"""The one loop over processes: units out, what came of each in; processes that die, stop, hang or grow are replaced.

Each process has a thread that waits for it (:mod:`xpgcheck.runs.host`), so that those that are slow or stopped keep nobody
waiting.  Processes end with the one that started them, however that ends: their pipe is closed.
"""

from __future__ import annotations

import functools
import math
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from xpgcheck.errors import UndecidedError
from xpgcheck.runs import far_end
from xpgcheck.runs.host import Host, as_bytes, kill_the_unborn
from xpgcheck.runs.killing import is_stopped
from xpgcheck.runs.replies import Died, Done, Reply

Unit = TypeVar("Unit")

END_SECONDS = 60.0
"""Seconds that the end waits for processes and threads that do not end: they end with this process."""

LOOK_SECONDS = 1.0
"""Seconds between looks at the processes, and that one may take to start before it is looked whether it is stopped."""

TICK = 0.2
"""Seconds after which to look whether to stop."""


class Stop(Protocol):
    """Whether to stop: an event of threads."""

    def is_set(self) -> bool:
        """Tell whether to stop."""


@dataclass(frozen=True, slots=True)
class UnitLimits:
    """Limits of a unit, and of a process.

    A unit may bring down its process ``attempts`` times, by taking more than ``unit_seconds``, too.  A process that is
    stopped (as by SIGSTOP) for ``stopped_seconds`` is ended, and its unit given to another.  A process is replaced after
    ``recycled`` units, so that what leaks in a library does not add up, and where it has ``large`` bytes of memory.
    """

    attempts: int = 2
    unit_seconds: float = math.inf
    stopped_seconds: float = 30.0
    recycled: float = math.inf
    large: float = math.inf


@dataclass(frozen=True, slots=True)
class Ended(Generic[Unit]):
    """The end of a *unit*, the *number*-th from 0: in which process, and whether that was ended through no fault of it.

    ``reply`` is an exception where the unit could not be sent, or no process be started.
    """

    number: int
    unit: Unit
    reply: Reply | Exception
    pid: int | None
    forgiven: bool = False


class _Never:
    def is_set(self) -> bool:
        return False


def ends(
    work: Callable[[Unit], Any],
    units: Iterable[Unit],
    jobs: int,
    limits: UnitLimits,
    stop: Stop | None = None,
    held: Callable[[], int] = lambda: 0,
    hearer: Callable[[Unit, Any], None] = lambda *_: None,
) -> Generator[Ended[Unit], None, None]:
    """Yield what came of each of *units*, each once, as they end, of *jobs* processes that put them to *work*.

    Units are taken as they are needed: those under way and the ends that the caller has *held* back are two for each
    process.  *hearer* hears, in any thread, what units tell of how far they are.  Ends early when *stop* is set: what is
    done by then is handed on, the rest is dropped.  Whatever ends this, an interrupt too, ends the processes.
    """
    run = _Run(work, iter(units), jobs, limits, held, hearer)
    try:
        try:
            yield from run.go(_Never() if stop is None else stop)
        finally:
            run.end()
    finally:
        # Once more, for what an interrupt has kept the first time from doing.
        run.end()
    yield from run.rest()


class _Worker:
    """A process, the thread that waits for it, and whether it has a unit: for how long, and stopped for how long.

    ``forgiven``: its process was ended since it was stopped; ``late``: since the unit took too long.
    """

    def __init__(self, host: Host, attend: Callable[[_Worker], None]) -> None:
        self.host = host
        self.busy = False
        self.seconds = 0.0
        self.stopped = 0.0
        self.forgiven = False
        self.late = False
        self.done = 0
        self.thread = threading.Thread(target=attend, args=(self,), daemon=True)


class _Run(Generic[Unit]):
    """One run: the processes, the units that are out, and the queue by which threads report."""

    def __init__(
        self,
        work: Callable[[Unit], Any],
        units: Iterator[Unit],
        jobs: int,
        limits: UnitLimits,
        held: Callable[[], int],
        hearer: Callable[[Unit, Any], None],
    ) -> None:
        self._units = units
        self._limits = limits
        self._held = held
        self._hearer = hearer
        self._waiting: queue.SimpleQueue[tuple[int, Unit] | None] = queue.SimpleQueue()
        self._ended: queue.SimpleQueue[Ended[Unit]] = queue.SimpleQueue()
        self._deaths: Counter[int] = Counter()
        self._given = 0
        self._out = 0
        self._last = False
        self._over = False
        self._looked = time.monotonic()
        keep = as_bytes(far_end.keep, work)
        self._workers = [_Worker(Host(keep, limits.large), self._attend) for _ in range(jobs)]

    def go(self, stop: Stop) -> Iterator[Ended[Unit]]:
        """Carry out the units until all are done, or *stop* is set."""
        for worker in self._workers:
            worker.thread.start()
        while not stop.is_set():
            self._fill()
            if not self._out:
                return
            try:
                ended = self._ended.get(timeout=TICK)
            except queue.Empty:
                pass
            else:
                if self._is_last(ended):
                    self._out -= 1
                    yield ended
            self._look_around()

    def end(self) -> None:
        """End the processes, and wait for the threads."""
        self._over = True
        hosts = [worker.host for worker in self._workers]
        for _ in self._workers:
            # Any thread may take it.
            self._waiting.put(None)
        deadline = time.monotonic() + END_SECONDS
        for worker in self._workers:
            # A thread may just be starting its process again.
            while worker.thread.is_alive() and time.monotonic() < deadline:
                if worker.host.starting > LOOK_SECONDS:
                    kill_the_unborn(hosts)
                worker.host.kill()
                worker.thread.join(0.05)
            worker.host.kill()

    def rest(self) -> Iterator[Ended[Unit]]:
        """Yield what was done before the end."""
        while True:
            try:
                ended = self._ended.get_nowait()
            except queue.Empty:
                return
            if isinstance(ended.reply, Done):
                yield ended

    def _fill(self) -> None:
        """Lay out a unit for each process beyond the one that it has: nobody waits for this thread."""
        while not self._last and self._out + self._held() < 2 * len(self._workers):
            try:
                unit = next(self._units)
            except StopIteration:
                self._last = True
                return
            self._waiting.put((self._given, unit))
            self._given += 1
            self._out += 1

    def _attend(self, worker: _Worker) -> None:
        """Give *worker* one unit after the other.  In a thread of its own."""
        while (task := self._waiting.get()) is not None and not self._over:
            number, unit = task
            worker.forgiven = worker.late = False
            reply: Reply | Exception
            try:
                if worker.done >= self._limits.recycled:
                    worker.host.kill()
                    worker.done = 0
                worker.seconds = worker.stopped = 0.0
                worker.busy = True
                worker.host.hearer = functools.partial(self._hearer, unit)
                reply = worker.host.do(as_bytes(far_end.work_on, unit))
            except Exception as error:
                reply = error
            worker.busy = False
            worker.done += 1
            if worker.late and isinstance(reply, Died):
                reply = Died(f"was ended after {self._limits.unit_seconds:g} s", late=True)
            self._ended.put(Ended(number, unit, reply, worker.host.last_pid, worker.forgiven))

    def _is_last(self, ended: Ended[Unit]) -> bool:
        """Tell whether that is what comes of the unit; where its process died, it may be given to another."""
        if not isinstance(ended.reply, Died):
            return True
        if not ended.forgiven:
            self._deaths[ended.number] += 1
        if self._deaths[ended.number] >= self._limits.attempts:
            return True
        self._waiting.put((ended.number, ended.unit))
        return False

    def _look_around(self) -> None:
        """End processes that are stopped or busy for too long."""
        now = time.monotonic()
        passed = now - self._looked
        if passed < LOOK_SECONDS:
            return
        self._looked = now
        if not all(worker.thread.is_alive() for worker in self._workers):
            raise UndecidedError("a thread of the driver has ended", mend="resume it, or begin again")
        # Where this process itself was stopped, nobody is to blame for the time.
        passed = min(passed, 2 * LOOK_SECONDS)
        if any(worker.host.starting >= self._limits.stopped_seconds for worker in self._workers):
            for worker in self._workers:
                worker.forgiven = worker.forgiven or worker.host.starting > 0
            kill_the_unborn(worker.host for worker in self._workers)
        for worker in self._workers:
            # A unit that begins meanwhile is not ended for the one before.
            call, pid = worker.host.calls, worker.host.pid
            if not worker.busy or pid is None:
                continue
            if is_stopped(pid):
                worker.stopped += passed
            else:
                worker.seconds += passed
                worker.stopped = 0.0
            if worker.stopped >= self._limits.stopped_seconds:
                worker.forgiven = True
                worker.host.kill(call)
            elif worker.seconds >= self._limits.unit_seconds:
                worker.late = True
                worker.host.kill(call)
