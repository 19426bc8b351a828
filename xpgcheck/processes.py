"""Work in units over processes: results as they come, and one clear error where a process dies."""

from __future__ import annotations

import contextlib
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from typing import Any, TypeVar

from xpgcheck.errors import UndecidedError

Unit = TypeVar("Unit")
Result = TypeVar("Result")


def pooled(
    work: Callable[[Unit], Result],
    units: Sequence[Unit],
    count: int,
    prepare: Callable[..., None] | None = None,
    arguments: tuple[Any, ...] = (),
) -> Iterator[tuple[Unit, Result]]:
    """Yield each unit with what *work* makes of it, as they come, by *count* processes.

    *work*, the units and the results are pickled between processes of our own.  Each process calls *prepare* with
    *arguments* first.  Processes are spawned, not forked: solvers and threads do not survive a fork.  Raises
    ``UndecidedError`` if one dies.
    """
    with _pool(min(count, len(units)), prepare, arguments) as pool:
        waiting: dict[Future[Result], Unit] = {pool.submit(work, unit): unit for unit in units}
        while waiting:
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield waiting.pop(future), future.result()


def pooled_in_order(
    work: Callable[[Unit], Result],
    units: Iterable[Unit],
    count: int,
    prepare: Callable[..., None] | None = None,
    arguments: tuple[Any, ...] = (),
) -> Iterator[Result]:
    """Yield what *work* makes of each unit, in their order; only a few are under way at a time, however many there are.

    The rest is as in :func:`pooled`.
    """
    with _pool(count, prepare, arguments) as pool:
        waiting: deque[Future[Result]] = deque()
        for unit in units:
            waiting.append(pool.submit(work, unit))
            if len(waiting) > 2 * count:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


@contextmanager
def _pool(count: int, prepare: Callable[..., None] | None, arguments: tuple[Any, ...]) -> Iterator[ProcessPoolExecutor]:
    pool = ProcessPoolExecutor(count, get_context("spawn"), _prepared, (prepare, arguments))
    try:
        yield pool
    except BrokenProcessPool:
        raise UndecidedError(
            "a worker process died, so nothing was decided", mend="try --jobs 1 (and look at the free memory)"
        ) from None
    except BaseException:
        # Interrupted, or left by whoever reads: nobody waits for the rest.
        for process in active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _prepared(prepare: Callable[..., None] | None, arguments: tuple[Any, ...]) -> None:
    """Prepare a process: when it is terminated, it ends what it started."""
    signal.signal(signal.SIGTERM, _leave)
    if prepare is not None:
        prepare(*arguments)


def _leave(*_: object) -> None:
    """End at once, with all that was started: an exception could be taken for one of whoever is judged."""
    import psutil

    with contextlib.suppress(psutil.Error):
        for child in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                child.kill()
    os._exit(128 + signal.SIGTERM)
