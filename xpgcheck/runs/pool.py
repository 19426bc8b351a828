"""Work in units over processes: results as they come, and one clear error where a process dies.

Each process has a thread that gives it one unit after the other (:mod:`xpgcheck.runs.host`).
"""

from __future__ import annotations

import itertools
import math
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from xpgcheck.errors import UndecidedError
from xpgcheck.runs import far_end
from xpgcheck.runs.host import Host, as_bytes, kill_the_unborn
from xpgcheck.runs.replies import Died, Done, Raised

Unit = TypeVar("Unit")
Result = TypeVar("Result")

END_SECONDS = 60.0
"""How long the end waits for processes and threads that do not end: they end with this process."""

LOOK_SECONDS = 1.0
"""Seconds that a process may take to start before it is looked whether it is stopped."""


def pooled(work: Callable[[Unit], Result], units: Iterable[Unit], jobs: int) -> Iterator[tuple[Unit, Result]]:
    """Yield each unit with what *work* makes of it, as they come, by *jobs* processes; here where one job or unit is all.

    Each process is given *work* once, which may keep what it makes for the first unit.  It, the units and the results are
    pickled between processes of our own: functions and classes are those of modules, not of the program that is run itself.
    Processes are new interpreters, not forks: solvers and threads do not survive those.  Whatever ends this, an interrupt
    too, ends them.  Raises what *work* raises, and ``UndecidedError`` if a process dies.
    """
    several, units = _several(units, jobs)
    if not several:
        for unit in units:
            yield unit, work(unit)
        return
    given: list[Unit] = []
    with _pool(work, jobs) as pool:
        for unit in units:
            given.append(unit)
            pool.give(unit)
        for _ in given:
            turn, reply = pool.take()
            yield given[turn], _result(reply)


def pooled_in_order(work: Callable[[Unit], Result], units: Iterable[Unit], jobs: int) -> Iterator[Result]:
    """Yield what *work* makes of each unit, in their order; only a few are under way at a time, however many there are.

    The rest is as in :func:`pooled`.
    """
    several, units = _several(units, jobs)
    if not several:
        yield from map(work, units)
        return
    early: dict[int, Any] = {}
    turn = 0

    def next_reply() -> Any:
        while turn not in early:
            number, reply = pool.take()
            early[number] = reply
        return early.pop(turn)

    with _pool(work, jobs) as pool:
        for unit in units:
            pool.give(unit)
            if pool.given - turn > 2 * jobs:
                yield _result(next_reply())
                turn += 1
        while turn < pool.given:
            yield _result(next_reply())
            turn += 1


def _several(units: Iterable[Unit], jobs: int) -> tuple[bool, Iterable[Unit]]:
    """Tell whether processes are worth their start, and return the units.  Of these two at most are taken before."""
    if jobs <= 1:
        return False, units
    rest = iter(units)
    first = list(itertools.islice(rest, 2))
    return len(first) > 1, itertools.chain(first, rest)


@dataclass(frozen=True, slots=True)
class Attended:
    """A process, and the thread that waits for it."""

    host: Host
    thread: threading.Thread


def end(everybody: Sequence[Attended]) -> None:
    """End the processes and wait for the threads, which have been told not to go on."""
    hosts = [attended.host for attended in everybody]
    deadline = time.monotonic() + END_SECONDS
    for attended in everybody:
        # A thread may just be starting its process anew.
        while attended.thread.is_alive() and time.monotonic() < deadline:
            if attended.host.starting > LOOK_SECONDS:
                kill_the_unborn(hosts)
            attended.host.kill()
            attended.thread.join(0.05)
        attended.host.kill()


class _Pool(Generic[Unit, Result]):
    """Some processes, the units that wait for one, and what came of others.  ``given`` counts the units."""

    def __init__(
        self,
        work: Callable[[Unit], Result],
        count: int,
    ) -> None:
        self.given = 0
        self._waiting: queue.SimpleQueue[tuple[int, Unit] | None] = queue.SimpleQueue()
        self._ended: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()
        self._over = False
        keep = as_bytes(far_end.keep, work)
        hosts = [Host(keep, large=math.inf) for _ in range(count)]
        self._everybody = [Attended(h, threading.Thread(target=self._attend, args=(h,), daemon=True)) for h in hosts]
        for attended in self._everybody:
            attended.thread.start()

    def give(self, unit: Unit) -> None:
        """Have *unit* carried out by whoever is free next."""
        self._waiting.put((self.given, unit))
        self.given += 1

    def take(self) -> tuple[int, Any]:
        """Wait for a unit to end; return its number and what came of it."""
        return self._ended.get()

    def end(self) -> None:
        """Drop what is under way, and end the processes."""
        self._over = True
        for _ in self._everybody:
            # Any thread may take it.
            self._waiting.put(None)
        end(self._everybody)

    def _attend(self, host: Host) -> None:
        while (task := self._waiting.get()) is not None and not self._over:
            number, unit = task
            reply: Any
            try:
                reply = host.do(as_bytes(far_end.work_on, unit))
            except Exception as error:
                # The unit cannot be pickled, or no process be started.
                reply = error
            self._ended.put((number, reply))


@contextmanager
def _pool(work: Callable[[Unit], Result], count: int) -> Iterator[_Pool[Unit, Result]]:
    pool = _Pool(work, count)
    try:
        try:
            yield pool
        finally:
            pool.end()
    finally:
        # Once more, for what an interrupt has kept the first time from doing.
        pool.end()


class _FarTraceError(Exception):
    """Where an error was raised, in the process that raised it: the cause of the error as it is raised here."""


def _result(reply: Any) -> Any:
    """Return what a unit gave, or raise what it raised."""
    if isinstance(reply, Done):
        return reply.result
    if isinstance(reply, Raised):
        raise reply.error or RuntimeError(reply.line) from _FarTraceError(f"\n{reply.trace}")
    if isinstance(reply, Died):
        raise UndecidedError(
            f"a worker process died ({reply.how}), so nothing was decided",
            mend="try --jobs 1 (and look at the free memory)",
        )
    if isinstance(reply, OSError):
        raise UndecidedError(f"a process cannot be started: {reply}", mend="look at the free memory")
    raise reply
