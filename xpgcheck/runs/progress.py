"""Long work on a terminal: how many processes, and a bar that shows how far it is."""

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
def bar(total: int, what: str, wanted: bool) -> Iterator[Callable[[int], None]]:
    """Give a function that advances a progress bar; the bar shows on a terminal, after the first second."""
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
