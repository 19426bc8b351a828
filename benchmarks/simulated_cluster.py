"""A cluster as a discrete-event simulation: one driver, one scheduler, many workers that carry out units of known lengths.

Nothing is random but what the seed says, and no clock is read: the same arguments give the same figures anywhere.  Driver
and scheduler are serial servers, as they are; what they cost a unit is measured (``benchmarks/campaign_simulation.py``).
"""

from __future__ import annotations

import heapq
import itertools
import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Lengths = Callable[[random.Random], float]
"""Draws the seconds of a unit."""


@dataclass(frozen=True)
class Costs:
    """Seconds: of the driver a unit (giving it out, taking its result) and of its journal; of the scheduler a unit; of a
    worker between two units; and of a message on its way."""

    driver: float
    journal: float
    scheduler: float
    between: float
    message: float = 0.001


@dataclass(frozen=True)
class Setting:
    """A simulation: ``in_flight`` units for each worker; workers are lost every ``lost_every`` seconds of work each
    on average, are noticed to be after ``noticed`` seconds, and come back after ``back`` seconds.

    ``units`` is the size of the plan, None if it does not end.
    """

    costs: Costs
    workers: int = 1000
    in_flight: int = 2
    lost_every: float | None = None
    noticed: float = 0.0
    back: float = 60.0
    units: int | None = None


@dataclass(frozen=True)
class Outcome:
    """``busy`` is the part of the workers' time that went into units whose results count, of the time that they were there;
    ``driver`` and ``scheduler`` the part of their time in which these were at work; all after the warm-up.
    """

    busy: float
    driver: float
    scheduler: float
    finished: int
    seconds: float


@dataclass
class _Worker:
    there: bool = True
    since: float = 0.0
    life: int = 0
    queue: deque[int] = field(default_factory=deque)
    unit: int | None = None
    started: float = 0.0

    @property
    def load(self) -> int:
        return len(self.queue) + (self.unit is not None)


def simulate(setting: Setting, lengths: Lengths, seconds: float, warm_up: float = 0.0, seed: int = 0) -> Outcome:
    """Run the cluster for *seconds*, or until the plan is done; figures leave out what came before *warm_up*."""
    return _Simulation(setting, lengths, seconds, warm_up, seed).run()


def resampled(recorded: Sequence[float], mean: float) -> Lengths:
    """Return lengths drawn from those *recorded*, scaled to *mean*."""
    scale = mean * len(recorded) / sum(recorded)
    return lambda draw: scale * draw.choice(recorded)


def heavy_tailed(mean: float, shape: float = 1.5, most: float = 60.0) -> Lengths:
    """Return lengths of a Pareto distribution with *shape*, none over *most* times the mean."""
    least = mean * (shape - 1) / shape
    return lambda draw: min(least * draw.paretovariate(shape), most * mean)


class _Simulation:
    def __init__(self, setting: Setting, lengths: Lengths, seconds: float, warm_up: float, seed: int) -> None:
        self._setting = setting
        self._draw = random.Random(seed)
        self._lengths = lengths
        self._end = seconds
        self._from = warm_up
        self._now = 0.0
        self._order = itertools.count()
        self._events: list[tuple[float, int, Callable[..., None], tuple[int, ...]]] = []
        self._workers = [_Worker() for _ in range(setting.workers)]
        self._loads = [(0, number) for number in range(setting.workers)]
        self._seconds_of: dict[int, float] = {}
        self._unit = itertools.count()
        self._homeless: deque[int] = deque()
        self._finished = 0
        # When the two servers are free again, and how long they worked.
        self._free = {"driver": 0.0, "scheduler": 0.0}
        self._worked = {"driver": 0.0, "scheduler": 0.0}
        self._useful = 0.0
        self._present = 0.0

    def run(self) -> Outcome:
        for number in range(len(self._workers)):
            self._will_be_lost(number)
        self._refill(self._setting.in_flight * len(self._workers))
        while self._events and self._events[0][0] <= self._end:
            self._now, _, action, arguments = heapq.heappop(self._events)
            action(*arguments)
            if self._finished == self._setting.units:
                self._end = self._now
        for worker in self._workers:
            if worker.there:
                self._present += self._inside(worker.since, self._end)
                if worker.unit is not None:
                    self._useful += self._inside(worker.started, self._end)
        measured = self._end - self._from
        return Outcome(
            self._useful / self._present,
            min(self._worked["driver"] / measured, 1.0),
            min(self._worked["scheduler"] / measured, 1.0),
            self._finished,
            self._end,
        )

    def _at(self, when: float, action: Callable[..., None], *arguments: int) -> None:
        heapq.heappush(self._events, (when, next(self._order), action, arguments))

    def _inside(self, start: float, end: float) -> float:
        """Return how much of the time from *start* to *end* is measured."""
        return max(min(end, self._end) - max(start, self._from), 0.0)

    def _served(self, server: str, cost: float) -> float:
        """Return when *server*, which does one thing after the other, is done with what takes *cost*."""
        start = max(self._now, self._free[server])
        self._free[server] = start + cost
        self._worked[server] += self._inside(start, start + cost)
        return start + cost

    # The driver

    def _refill(self, count: int = 1) -> None:
        """Give out units: half of the driver's cost of one."""
        for _ in range(count):
            number = next(self._unit)
            if self._setting.units is not None and number >= self._setting.units:
                return
            self._seconds_of[number] = self._lengths(self._draw)
            done = self._served("driver", self._setting.costs.driver / 2)
            self._at(done + self._setting.costs.message, self._to_place, number)

    def _to_journal(self, unit: int) -> None:
        costs = self._setting.costs
        self._served("driver", costs.driver / 2 + costs.journal)
        del self._seconds_of[unit]
        self._finished += 1
        self._refill()

    # The scheduler

    def _to_place(self, unit: int) -> None:
        self._at(self._served("scheduler", self._setting.costs.scheduler / 2), self._place, unit)

    def _place(self, unit: int) -> None:
        """Give *unit* to the worker that has least to do."""
        while self._loads:
            load, number = heapq.heappop(self._loads)
            worker = self._workers[number]
            if worker.there and worker.load == load:
                worker.queue.append(unit)
                self._changed(number)
                self._at(self._now + self._setting.costs.message, self._begin, number, worker.life)
                return
        self._homeless.append(unit)

    def _to_driver(self, unit: int) -> None:
        """Say that *unit* is finished; the driver fetches the result through the scheduler, which takes five messages."""
        done = self._served("scheduler", self._setting.costs.scheduler / 2)
        self._at(done + 5 * self._setting.costs.message, self._to_journal, unit)

    def _changed(self, number: int) -> None:
        heapq.heappush(self._loads, (self._workers[number].load, number))

    # Workers

    def _begin(self, number: int, life: int) -> None:
        worker = self._workers[number]
        if worker.life != life or worker.unit is not None or not worker.queue:
            return
        worker.unit = worker.queue.popleft()
        worker.started = self._now
        self._at(self._now + self._seconds_of[worker.unit], self._finish, number, life)

    def _finish(self, number: int, life: int) -> None:
        worker = self._workers[number]
        if worker.life != life or worker.unit is None:
            return
        self._useful += self._inside(worker.started, self._now)
        self._at(self._now + self._setting.costs.message, self._to_driver, worker.unit)
        worker.unit = None
        self._changed(number)
        self._at(self._now + self._setting.costs.between, self._begin, number, life)

    def _will_be_lost(self, number: int) -> None:
        if self._setting.lost_every is not None:
            left = self._draw.expovariate(1 / self._setting.lost_every)
            self._at(self._now + left, self._lose, number, self._workers[number].life)

    def _lose(self, number: int, life: int) -> None:
        worker = self._workers[number]
        self._present += self._inside(worker.since, self._now)
        lost = [*worker.queue, *([] if worker.unit is None else [worker.unit])]
        self._workers[number] = _Worker(there=False, life=life + 1)
        for unit in lost:
            self._at(self._now + self._setting.noticed, self._to_place, unit)
        self._at(self._now + self._setting.back, self._come, number)

    def _come(self, number: int) -> None:
        worker = self._workers[number]
        worker.there, worker.since = True, self._now
        self._changed(number)
        self._will_be_lost(number)
        while self._homeless:
            self._to_place(self._homeless.popleft())
