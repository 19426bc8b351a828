"""Long work on a terminal: how many processes, a bar that shows how far it is, and what an interrupt says of it."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def bar(total: int | None, what: str, wanted: bool) -> Iterator[Callable[[int], None]]:
    """Give a function that advances a progress bar; the bar shows on a terminal, after the first second.

    *total* is None where nobody knows it.
    """
    if not wanted or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    shown = Progress(
        TextColumn(what, markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = shown.add_task(what, total=total)
    timer = threading.Timer(1.0, shown.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda count: shown.advance(task, count)
    finally:
        timer.cancel()
        timer.join()
        shown.stop()


@contextmanager
def telling(so_far: Callable[[], str]) -> Iterator[None]:
    """Let an interrupt of the body say how far the work is, by *so_far*; one that says it already is left as it is."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        if interrupt.args:
            raise
        raise KeyboardInterrupt(so_far()) from interrupt


def progress_text(done: int, total: int | None, what: str, verdict: str = "") -> str:
    """Return how much is *done* of *total* (None: nobody knows), and the *verdict* so far, if there is one of anything."""
    of = "" if total is None else f" of {total:,}"
    return f"{done:,}{of} {what}" + (f"; {verdict} so far" if done and verdict else "")
