"""Limits of size and of time: what is over one is said, never guessed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

CONFLICTS = 5_000
PROPAGATIONS = 2_000_000
"""Conflicts, or propagations, after which a solver is asked to look at the time."""


class TooLarge(ValueError):  # noqa: N818 (an outcome, as OutOfTime is)
    """A formula that a route does not take: over a stated limit of size."""


class OutOfTime(Exception):  # noqa: N818 (an outcome, as StopIteration is)
    """The time of a question is over before its answer."""


class Deadline:
    """A moment from which on questions are given up; None: never."""

    def __init__(self, seconds: float | None = None) -> None:
        """Start now, and end after *seconds*."""
        self._end = None if seconds is None else time.monotonic() + seconds

    def passed(self) -> bool:
        """Tell whether the moment has come."""
        return self._end is not None and time.monotonic() >= self._end

    def check(self) -> None:
        """Raise ``OutOfTime`` once the moment has come."""
        if self.passed():
            raise OutOfTime


def solved(solver: Any, deadline: Deadline | None = None, assumptions: Sequence[int] = ()) -> bool:
    """Ask a PySAT *solver* that can be interrupted; raise ``OutOfTime`` where *deadline* passes before its answer.

    The answer is the same as without a deadline.  Preprocessing is not interrupted.
    """
    if deadline is None:
        return bool(solver.solve(assumptions=list(assumptions)))
    while True:
        deadline.check()
        solver.conf_budget(CONFLICTS)
        solver.prop_budget(PROPAGATIONS)
        answer = solver.solve_limited(assumptions=list(assumptions))
        if answer is not None:
            return bool(answer)
