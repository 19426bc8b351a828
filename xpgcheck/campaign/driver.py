"""The driver: hands a plan's unfinished units to a scheduler and writes what comes into the journal, until the end."""

from __future__ import annotations

import contextlib
import logging
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any

from xpgcheck.campaign.execution import execute
from xpgcheck.campaign.journal import Journal
from xpgcheck.campaign.local import Scheduler
from xpgcheck.campaign.part import WHOLE, Part, goal
from xpgcheck.campaign.plan import Plan
from xpgcheck.campaign.summary import is_asked
from xpgcheck.campaign.units import Unit, UnitResult
from xpgcheck.reports.conclusion import Conclusion
from xpgcheck.wording import counted

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EndedRun:
    """The end of a run of the driver: ``interrupted`` by a signal, or ``finished``; and the units that it added."""

    finished: bool
    interrupted: bool
    units: int


def run(
    plan: Plan,
    journal: Journal,
    scheduler: Scheduler,
    *,
    workers: int,
    limit: float | None = None,
    advance: Callable[[int], None] = lambda _: None,
    carry_out: Callable[..., Any] = execute,
    stop: threading.Event | None = None,
) -> EndedRun:
    """Carry out the units of *plan* that *journal* lacks, by *scheduler*; *advance* is told of each how many cases it had.

    Where the journal is of a part of the plan, units of that part alone.

    After *limit* seconds, over all sessions, no unit is handed out any more; what workers have by then, they finish.  SIGINT
    and SIGTERM (in the main thread) and *stop* end the run early: units that are done are written, others are dropped, to be
    carried out when the campaign is resumed.
    Raises what the scheduler raises, and ``InputError`` where the journal cannot be written: it is consistent all the same.
    """
    asked = AskedToStop(stop)
    before, started = journal.spent, time.monotonic()
    added = 0

    def spent() -> float:
        return before + time.monotonic() - started

    def on_result(result: UnitResult, worker: str) -> None:
        nonlocal added
        if journal.add(result, worker, spent()):
            added += 1
            _log.info("done by %s: unit %s, %d cases", worker, result.unit, result.cases)
            advance(result.cases)

    done = journal.finished()
    pending = _Pending(plan, journal.part, done, lambda: limit is not None and spent() >= limit)
    journal.begin_session(workers)
    try:
        with stopping(asked):
            scheduler.run(carry_out, plan, pending.units(), on_result, asked)
    finally:
        # On a full disk the error that is under way says more.
        with contextlib.suppress(Exception):
            journal.end_session()
    return EndedRun(pending.exhausted and not asked.is_set(), asked.is_set(), added)


class _Pending:
    """The units that are to be carried out.  ``exhausted`` once there is none left, or the time is up."""

    def __init__(self, plan: Plan, part: Part, done: set[int], late: Callable[[], bool]) -> None:
        self._plan = plan
        self._part = part
        self._done = done
        self._late = late
        self.exhausted = False

    def units(self) -> Iterator[Unit]:
        """Yield the units, in order."""
        for unit in self._plan.units():
            if unit.id in self._done or not self._part.has(unit.id, self._plan):
                continue
            if self._late():
                break
            yield unit
        self.exhausted = True


def is_finished(plan: Plan, journal: Journal, limit: float | None) -> bool:
    """Tell whether there is nothing left to carry out: all units are finished, or the time is spent."""
    if limit is not None and journal.spent >= limit:
        return True
    done = journal.finished()
    wanted = goal(plan, journal.part, done)
    return wanted is not None and len(done) >= wanted[0]


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a campaign: the exit status, and a line of text.

    The status is 1 if something failed, else 3 if something stayed open or nothing was checked, else 0.
    """

    status: int
    text: str


def any_asked(journal: Journal) -> bool:
    """Tell whether some question was answered, or left open."""
    return any(is_asked(row.result.counts) for row in journal.rows())


def verdict(journal: Journal) -> Ending:
    """Return the verdict on all that is in *journal*.  Linear in its units."""
    with journal.snapshot():
        units, cases = journal.totals()
        undecided = sum(row.result.open for row in journal.rows())
        asked = any_asked(journal)
        failed = [cause for cause in journal.causes() if cause.document.get("outcome") != "inconclusive"]
    comes_to = Conclusion.of(len(failed), undecided, asked=asked)
    counts = f"{counted(cases, 'case')} in {counted(units, 'unit')}"
    failures = counted(sum(cause.times for cause in failed), "failure")
    found = f"{counted(len(failed), 'cause')} of {failures}" if failed else "no failure"
    part = f" (part {journal.part} of the plan)" if journal.part != WHOLE else ""
    line = comes_to.line(journal.plan.kind, f"{counts}{part}", found, f"{undecided:,} inconclusive")
    return Ending(comes_to.status, line)


class AskedToStop:
    """Whether it was asked to stop: by a signal, or by *event*, which others set.

    A handler of signals must not set an event: that takes a lock, which may be held by whatever the signal came upon, such
    as the handler of the signal before.
    """

    def __init__(self, event: threading.Event | None = None) -> None:
        self.by_signal = False
        self._event = event

    def is_set(self) -> bool:
        """Tell whether to stop."""
        return self.by_signal or (self._event is not None and self._event.is_set())


@contextlib.contextmanager
def stopping(stop: AskedToStop) -> Iterator[None]:
    """Let SIGINT and SIGTERM ask to stop in the body, at first; SIGINT again interrupts at once.

    Handlers are the main thread's: in any other thread nothing is done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(number: int, frame: FrameType | None) -> None:
        if stop.is_set() and number == signal.SIGINT:
            # By the earlier handler, which may know that some keys come twice.
            interrupt = before[signal.SIGINT]
            (interrupt if callable(interrupt) else signal.default_int_handler)(number, frame)
        else:
            stop.by_signal = True

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        for number in before:
            signal.signal(number, handle)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
