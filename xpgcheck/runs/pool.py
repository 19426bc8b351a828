"""Work in units over processes: results as they come or in order, and one clear error where a unit brings processes down."""

from __future__ import annotations

import contextlib
import functools
import itertools
import logging
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from xpgcheck.errors import UndecidedError
from xpgcheck.runs.far_end import hearing
from xpgcheck.runs.loop import Ended, UnitLimits, ends
from xpgcheck.runs.replies import Died, Done, Raised

_log = logging.getLogger(__name__)

Unit = TypeVar("Unit")
Result = TypeVar("Result")

LIMITS = UnitLimits()


def pooled(
    work: Callable[[Unit], Result],
    units: Iterable[Unit],
    jobs: int,
    named: Callable[[Unit], str] | None = None,
    limits: UnitLimits = LIMITS,
    hearer: Callable[[Unit, Any], None] = lambda *_: None,
) -> Iterator[tuple[Unit, Result]]:
    """Yield each unit with what *work* makes of it, as they come, by *jobs* processes; here where one job or unit is all.

    Each process is given *work* once, which may keep what it makes for the first unit.  It, the units and the results are
    pickled between processes of our own: functions and classes are those of modules, not of the program that is run itself.
    *hearer* hears what units tell of how far they are (:func:`~xpgcheck.runs.far_end.tell`), in any thread.
    Processes are new interpreters, not forks: solvers and threads do not survive those.  Whatever ends this, an interrupt
    too, ends them.  Raises what *work* raises, and ``UndecidedError`` if processes die under a unit, which *named* names.
    """
    several, units = _several(units, jobs, limits)
    if not several:
        for unit in units:
            with hearing(functools.partial(hearer, unit)):
                done = work(unit)
            _note(unit, named)
            yield unit, done
        return
    with contextlib.closing(ends(work, units, max(jobs, 1), limits, hearer=hearer)) as everything:
        for ended in everything:
            result = _result(ended, named, limits)
            _note(ended.unit, named, ended.pid)
            yield ended.unit, result


def pooled_in_order(
    work: Callable[[Unit], Result],
    units: Iterable[Unit],
    jobs: int,
    named: Callable[[Unit], str] | None = None,
    limits: UnitLimits = LIMITS,
) -> Iterator[Result]:
    """Yield what *work* makes of each unit, in their order; only a few are under way at a time, however many there are.

    The rest is as in :func:`pooled`.
    """
    several, units = _several(units, jobs, limits)
    if not several:
        yield from map(work, units)
        return
    early: dict[int, Ended[Unit]] = {}
    turn = 0
    with contextlib.closing(ends(work, units, max(jobs, 1), limits, held=lambda: len(early))) as everything:
        for ended in everything:
            early[ended.number] = ended
            while turn in early:
                yield _result(early.pop(turn), named, limits)
                turn += 1


def _note(unit: Unit, named: Callable[[Unit], str] | None, pid: int | None = None) -> None:
    if _log.isEnabledFor(logging.INFO):
        where = "" if pid is None else f" by process {pid}"
        _log.info("done%s: %s", where, "a unit" if named is None else named(unit))


def _several(units: Iterable[Unit], jobs: int, limits: UnitLimits) -> tuple[bool, Iterable[Unit]]:
    """Tell whether processes are worth their start, and return the units, of which at most two are taken before."""
    if limits.unit_seconds < math.inf:
        # This process cannot be ended.
        return True, units
    if jobs <= 1:
        return False, units
    rest = iter(units)
    first = list(itertools.islice(rest, 2))
    return len(first) > 1, itertools.chain(first, rest)


class _FarTraceError(Exception):
    """The traceback in the process that raised an error: the cause of the error as it is raised here."""


def _result(ended: Ended[Unit], named: Callable[[Unit], str] | None, limits: UnitLimits) -> Any:
    """Return what a unit gave, or raise what it raised."""
    reply = ended.reply
    if isinstance(reply, Done):
        return reply.result
    if isinstance(reply, Raised):
        raise reply.error or RuntimeError(reply.line) from _FarTraceError(f"\n{reply.trace}")
    if isinstance(reply, Died):
        tries = "" if limits.attempts == 1 else f" at each of {limits.attempts} tries"
        raise UndecidedError(
            f"a worker process died{tries} (it {reply.how}), so nothing was decided",
            place=f"unit {ended.number + 1}" if named is None else named(ended.unit),
            mend="try --jobs 1 (and look at the free memory)",
        )
    if isinstance(reply, OSError):
        raise UndecidedError(f"a process cannot be started: {reply}", mend="look at the free memory")
    raise reply
