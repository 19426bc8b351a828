"""Units on a Dask cluster: a bounded number under way, while workers come and go; each result is handed on as it comes.

The driver's side.  ``distributed`` (extra ``cluster``) is imported when a campaign is run on a cluster, and not before.
Anyone who may talk to a Dask cluster may run code on it: it is a trusted place, and pickles pass between its machines.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import pickle
import time
import uuid
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from xpgcheck.campaign.calls import UNIT_SECONDS, as_bytes, how_it_died
from xpgcheck.campaign.cluster_staff import Staff
from xpgcheck.campaign.cluster_worker import Call, RefusedTask, dismiss, work
from xpgcheck.campaign.identity import identity
from xpgcheck.campaign.units import undecided
from xpgcheck.errors import InputError, MissingPackageError, UndecidedError, shown
from xpgcheck.extras import install
from xpgcheck.runs.loop import Stop
from xpgcheck.runs.replies import Died, Done, Raised

IN_FLIGHT = 2
"""Units under way for each thread of a worker: one that is carried out, one that waits next to it."""

CONNECT_SECONDS = 5.0
"""Seconds that a scheduler may take to answer, at first and after the connection was lost."""

ATTEMPTS = 3
"""Number of times that a unit may bring down its process before it counts as undecided."""

TRIES = 20
"""Number of times that Dask may fail to hand over one unit (say, to workers that cannot load this project)."""

TICK = 0.2
"""Seconds between looks at the connection, at the workers and at whether to stop."""

Value = TypeVar("Value")


@dataclass(slots=True)
class _Attempt:
    """A unit under way: its future in Dask, who may take it (everybody, if None), and the task that waits for it."""

    unit: Any
    future: Any
    allowed: frozenset[str] | None
    task: asyncio.Task[None] | None = None


class DaskScheduler:
    """Carries out units on the cluster whose scheduler listens at *address*, as in ``tcp://host:8786``.

    *say* is given lines for an observer, as about workers that are left out.  *undecided* makes the result of a unit
    that brought down its process each time, from the unit and the reason.  A process is ended where a unit takes more than
    *unit_seconds*.
    """

    def __init__(
        self,
        address: str,
        say: Callable[[str], None] = lambda _: None,
        undecided: Callable[[Any, str], Any] = undecided,
        connect_seconds: float = CONNECT_SECONDS,
        unit_seconds: float = UNIT_SECONDS,
    ) -> None:
        self.address = address
        self.name = f"dask {address}"
        self._undecided = undecided
        self._say = say
        self._connect_seconds = connect_seconds
        self.unit_seconds = unit_seconds

    def run(
        self,
        execute: Callable[..., Any],
        plan: Any,
        units: Iterator[Any],
        on_result: Callable[[Any, str], None],
        stop: Stop,
    ) -> None:
        """Carry out ``execute(plan, unit)`` for all *units*; give *on_result* each result and who made it, in this thread.

        A result comes once, unless the connection broke and a unit was carried out again: the journal takes the first.
        A unit that brought down its process ``ATTEMPTS`` times, or ended with an error other than wrong input, comes as
        undecided.  Raises ``MissingPackageError``; ``InputError`` where no scheduler answers, a worker is of another
        version, or a unit says that something given is wrong; and ``UndecidedError`` where the scheduler is lost.
        Whatever ends it, what is under way is cancelled.
        """
        try:
            import distributed  # noqa: F401
        except ImportError:
            raise MissingPackageError("a cluster needs dask.distributed", mend=install("cluster")) from None
        with _quiet():
            asyncio.run(self._run(execute, plan, units, on_result, stop))

    async def _run(
        self,
        execute: Callable[..., Any],
        plan: Any,
        units: Iterator[Any],
        on_result: Callable[[Any, str], None],
        stop: Stop,
    ) -> None:
        client = await _connected(self.address, self._connect_seconds)
        try:
            run = _Run(self, client, execute, plan, units, on_result, self._undecided, self._say)
            try:
                await run.go(stop)
            finally:
                await run.end()
        finally:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(client.close(), 2)

    @property
    def patience(self) -> float:
        """Seconds for the scheduler to answer."""
        return self._connect_seconds


class _Run:
    """One run: the units under way, those that have to be given out again, and the workers."""

    def __init__(
        self,
        scheduler: DaskScheduler,
        client: Any,
        execute: Callable[..., Any],
        plan: Any,
        units: Iterator[Any],
        on_result: Callable[[Any, str], None],
        undecided: Callable[[Any, str], Any],
        say: Callable[[str], None],
    ) -> None:
        self._scheduler = scheduler
        self._client = client
        self._arguments = execute, plan
        self._units = units
        self._on_result = on_result
        self._undecided = undecided
        self._token = uuid.uuid4().hex
        self._staff = Staff(client, scheduler.patience, say)
        self._attempts: dict[int, _Attempt] = {}
        self._again: deque[Any] = deque()
        self._aside: deque[Any] = deque()
        self._deaths: Counter[int] = Counter()
        self._failures: Counter[int] = Counter()
        self._ended: asyncio.Queue[tuple[_Attempt, Any]] = asyncio.Queue()
        self._number = 0
        self._last = False
        self._lost_since: float | None = None
        self._looking: asyncio.Task[None] | None = None

    async def go(self, stop: Stop) -> None:
        """Carry out the units until all are done, or *stop* is set."""
        await self._staff.look(first=True)
        while not stop.is_set():
            self._fill()
            if self._last and not (self._attempts or self._again or self._aside):
                return
            with contextlib.suppress(asyncio.TimeoutError):
                self._take(*await asyncio.wait_for(self._ended.get(), TICK))
            while not self._ended.empty() and not stop.is_set():
                self._take(*self._ended.get_nowait())
            if self._connected():
                self._look_around()

    async def end(self) -> None:
        """Cancel what is under way, and end the processes that work for this run."""
        waiting = [attempt.task for attempt in self._attempts.values() if attempt.task is not None]
        waiting += [self._looking] if self._looking is not None else []
        futures = [attempt.future for attempt in self._attempts.values()]
        self._attempts.clear()
        for task in waiting:
            task.cancel()
        if self._client.status == "running":
            with contextlib.suppress(Exception):
                if futures:
                    await asyncio.wait_for(self._client.cancel(futures, force=True), 2)
                dismissed = self._client.run(pickle.loads, bytes(Call(dismiss, (self._token,))), on_error="ignore")
                await asyncio.wait_for(dismissed, 2)
        await asyncio.gather(*waiting, return_exceptions=True)

    def _look_around(self) -> None:
        """See to it that somebody looks at the workers, next to the units; draw conclusions when that is done."""
        if self._looking is None:
            if self._staff.due:
                self._looking = asyncio.create_task(self._staff.look())
        elif self._looking.done():
            self._looking.result()
            self._looking = None
            self._free_the_stuck()
            # Who may not take units is known by now.
            self._again.extend(self._aside)
            self._aside.clear()

    def _fill(self) -> None:
        """Give out units up to the window; those that came back first."""
        if self._client.status != "running":
            return
        window = IN_FLIGHT * self._staff.threads
        while len(self._attempts) < window:
            unit = self._again.popleft() if self._again else None if self._last else next(self._units, None)
            if unit is None:
                self._last = True
                return
            self._start(unit)

    def _start(self, unit: Any) -> None:
        allowed = self._staff.allowed
        self._number += 1
        future = self._client.submit(
            pickle.loads,
            bytes(
                Call(work, (self._token, identity(), self._scheduler.unit_seconds, as_bytes(*self._arguments, unit)))
            ),
            key=f"xpgcheck-{self._token}-{unit.id}-{self._number}",
            pure=False,
            workers=None if allowed is None else sorted(allowed),
        )
        attempt = _Attempt(unit, future, allowed)
        attempt.task = asyncio.create_task(self._wait_for(attempt))
        self._attempts[unit.id] = attempt

    async def _wait_for(self, attempt: _Attempt) -> None:
        try:
            ended: Any = await attempt.future
        except (asyncio.CancelledError, concurrent.futures.CancelledError) as cancelled:
            if not attempt.future.cancelled():
                raise
            ended = cancelled
        except Exception as error:
            ended = error
        self._ended.put_nowait((attempt, ended))

    def _take(self, attempt: _Attempt, ended: Any) -> None:
        """Take what came of an attempt: a result, or a reason to try again, or to give up."""
        unit = attempt.unit
        if self._attempts.get(unit.id) is not attempt:
            # Given out again in the meantime.
            return
        del self._attempts[unit.id]
        if isinstance(ended, asyncio.CancelledError | concurrent.futures.CancelledError):
            self._again.append(unit)
            return
        if isinstance(ended, Exception):
            self._not_handed_over(unit, ended)
            return
        who, reply = ended
        if isinstance(reply, Done):
            self._on_result(reply.result, who)
        elif isinstance(reply, RefusedTask):
            self._staff.refuse(who.split()[0], reply.identity)
            self._again.append(unit)
        elif isinstance(reply, Died):
            self._died(unit, f"its process {how_it_died(reply)}", who)
        elif isinstance(reply, Raised):
            if reply.status == InputError.exit_status:
                raise InputError(reply.line, place=f"unit {unit.id} on worker {who}")
            self._on_result(self._undecided(unit, reply.line), who)

    def _died(self, unit: Any, how: str, who: str) -> None:
        self._deaths[unit.id] += 1
        if self._deaths[unit.id] < ATTEMPTS:
            self._again.append(unit)
        else:
            self._on_result(self._undecided(unit, f"worker died {ATTEMPTS} times: {how}"), who)

    def _not_handed_over(self, unit: Any, error: Exception) -> None:
        """Dask did not get the unit carried out."""
        from distributed.scheduler import KilledWorker

        if isinstance(error, KilledWorker):
            self._died(unit, "all the workers that took it were lost", "lost workers")
            return
        self._failures[unit.id] += 1
        if self._failures[unit.id] >= TRIES:
            text = f"{type(error).__name__}: {shown(error, 300)[1:-1]}"
            raise UndecidedError(f"the cluster does not carry it out: {text}", place=f"unit {unit.id}")
        # Perhaps a worker that nobody has spoken to yet cannot load this project.
        self._aside.append(unit)
        self._staff.hurry()

    def _free_the_stuck(self) -> None:
        """Give out again what waits for workers that have all gone."""
        for attempt in list(self._attempts.values()):
            if attempt.allowed is not None and not attempt.allowed & self._staff.present:
                del self._attempts[attempt.unit.id]
                attempt.future.release()
                self._again.append(attempt.unit)

    def _connected(self) -> bool:
        """Tell whether the scheduler is there.  Raises ``UndecidedError`` where it is not for too long."""
        if self._client.status == "running":
            self._lost_since = None
            return True
        if self._lost_since is None:
            self._lost_since = time.monotonic()
        gone = time.monotonic() - self._lost_since > self._scheduler.patience
        if gone or self._client.status in ("closing", "closed"):
            raise UndecidedError(
                "the scheduler was lost; what was finished is in the journal",
                place=self._scheduler.address,
                mend="start it again and go on by 'xpgcheck campaign resume'",
            )
        return False


async def _connected(address: str, seconds: float) -> Any:
    """Return a client of the scheduler at *address*.  Raises ``InputError`` where none answers within *seconds*."""
    import distributed

    mend = "start one (dask scheduler), or give the address that it prints, as in tcp://host:8786"
    if "://" not in address:
        raise InputError(f"{shown(address)} is not the address of a scheduler", mend=mend)
    # Its methods have no types.
    make: Any = distributed.Client
    client: Any = None
    try:
        client = make(address, asynchronous=True, timeout=seconds, set_as_default=False, name="xpgcheck-campaign")
        await asyncio.wait_for(_itself(client), seconds + 1)
    except (OSError, ValueError, TypeError, asyncio.TimeoutError, ImportError) as error:
        if client is not None:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(client.close(), 1)
        reason = "no answer" if isinstance(error, TimeoutError | asyncio.TimeoutError) else shown(error, 100)[1:-1]
        problem = f"no Dask scheduler answers within {seconds:g} s ({reason})"
        raise InputError(problem, place=shown(address)[1:-1], mend=mend) from None
    return client


async def _itself(client: Awaitable[Value]) -> Value:
    return await client


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask's own account of lost connections off the terminal: what matters is said in one line."""
    names = [
        name for name in logging.root.manager.loggerDict if name.split(".")[0] in ("distributed", "tornado", "asyncio")
    ]
    before = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)
