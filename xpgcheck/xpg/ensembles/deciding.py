"""The one question about an ensemble: is there a point that agrees with the instance on these features, of another class?

An answer gives a point, which is replayed by κ, or the fixed features that suffice; or says why neither is known.
Votes are counted in :mod:`xpgcheck.xpg.ensembles.vote_solver`, sums bounded in :mod:`xpgcheck.xpg.ensembles.sum_boxes`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

WITHIN_ROUNDING = "within rounding"
"""The reason that a question stays open where the sums of the source may be on either side of a tie."""


class Decision(NamedTuple):
    """The answer to a question, as far as it is known.

    ``changed``: there is a point of another class at ``places``, which differs from the instance on the features ``mask``.
    ``changed`` is false: fixing the features ``mask``, some of those that were fixed, leaves no such point.
    ``changed`` is None: neither is known, for a ``reason``.
    """

    changed: bool | None
    mask: int = 0
    places: tuple[int, ...] = ()
    reason: str = ""


@dataclass(slots=True)
class Allowance:
    """Limits of the work: until ``ends`` (by ``time.monotonic``), and ``steps`` of a solver or boxes per question."""

    ends: float | None = None
    steps: int | None = None

    def is_over(self) -> bool:
        """Tell whether the time is over."""
        return self.ends is not None and time.monotonic() >= self.ends


def seconds_from_now(seconds: float | None, steps: int | None = None) -> Allowance:
    """Return the allowance of *seconds* from now on (None: without end), and *steps* a question."""
    return Allowance(None if seconds is None else time.monotonic() + seconds, steps)


class Decider(Protocol):
    """A route that answers the question for one instance."""

    def decide(self, fixed: int, allowance: Allowance) -> Decision:
        """Decide whether a point of another class agrees with the instance on the features *fixed* (a mask)."""

    def order(self) -> Sequence[int]:
        """Return the features, those first that are likely to matter least."""
