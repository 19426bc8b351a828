"""A campaign on a terminal: a bar with the cases done, their rate and the time left."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Advance = Callable[[int], None]

TICK = 1.0
"""Seconds between two looks at the clock."""


class Pace:
    """The rate of cases: *done* and *spent* are cases and seconds of before; *cases* or *limit* (seconds) end it."""

    def __init__(self, done: int, spent: float, cases: int | None, limit: float | None) -> None:
        self.cases = done
        self._before = done
        self._spent = spent
        self._all = cases
        self._limit = limit
        self._started = time.monotonic()

    def share(self, now: float) -> float:
        """Return what part is done at monotonic time *now*, from 0 to 1."""
        parts = [self.cases / self._all] if self._all else []
        parts += [(self._spent + now - self._started) / self._limit] if self._limit else []
        return min(max(parts, default=0.0), 1.0)

    def text(self, now: float) -> str:
        """Return cases, rate and time left as text."""
        seconds = now - self._started
        rate = (self.cases - self._before) / seconds if seconds > 0 else 0.0
        left = [self._limit - self._spent - seconds] if self._limit else []
        left += [(self._all - self.cases) / rate] if self._all and rate else []
        whole = f" of {self._all:,}" if self._all else ""
        until = f", {duration(max(min(left), 0.0))} left" if left else ""
        return f"{self.cases:,}{whole} cases, {rate:,.1f} a second{until}"


def duration(seconds: float) -> str:
    """Return *seconds* as hours, minutes and seconds: 8h 00m, 12m 05s, 7s."""
    whole = round(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    if hours:
        return f"{hours}h {minutes:02}m"
    return f"{minutes}m {whole % 60:02}s" if minutes else f"{whole}s"


@contextmanager
def watched(pace: Pace, wanted: bool) -> Iterator[Advance]:
    """Give a function that is told of each unit how many cases it had; a bar shows it on a terminal, if *wanted*."""

    def advance(cases: int) -> None:
        pace.cases += cases

    if not wanted or not sys.stderr.isatty():
        yield advance
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn()
    bar = Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=True)
    task = bar.add_task("", total=1.0)
    over = threading.Event()

    def look() -> None:
        while True:
            now = time.monotonic()
            bar.update(task, completed=pace.share(now), description=pace.text(now))
            if over.wait(TICK):
                return

    thread = threading.Thread(target=look, daemon=True)
    with bar:
        thread.start()
        try:
            yield advance
        finally:
            over.set()
            thread.join()
