"""The one search: generated cases, and of each kind of failure the smallest case that shrinking finds.

What is generated is a :class:`Source`.  What is done with a case is a function of the caller (:data:`Examine`), which
returns what fails on it as pairs of a *key* and a payload.  Keys tell failures apart: properties, or signatures of wrong
claims.  The first case with a new key is shrunk with that key pinned; then the key is known, and the search goes on.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import hypothesis
from hypothesis import HealthCheck, Phase
from hypothesis.errors import Flaky
from hypothesis.strategies import SearchStrategy

from xpgcheck.properties.running.hypothesis_internals import without_local_constants
from xpgcheck.properties.running.outcomes import Sized

S = TypeVar("S", bound=Sized)
K = TypeVar("K", bound=Hashable)
P = TypeVar("P")
T = TypeVar("T")

Examine = Callable[[S, K | None], Sequence[tuple[K, P]]]
"""Returns what fails on a case, each with its key; given a pinned key it need look for that one alone.

A case that comes without a pinned key is one of the run's own; others are tried in shrinking, and are not to be counted.
"""


@dataclass(frozen=True, slots=True)
class Source(Generic[S]):
    """The source of cases.

    Shrinking a failure ends after so many ``seconds``: if a subject hangs, each try costs its whole time for an answer.
    As shrinking finds a local minimum only, a failing case that is not ``small`` is looked for among the ``smaller`` ones
    too, ``tries`` of each, and in the same time.
    """

    cases: SearchStrategy[S]
    seconds: float
    small: Callable[[S], bool] = lambda case: True
    smaller: Sequence[SearchStrategy[S]] = ()
    tries: int = 0


@dataclass(frozen=True, slots=True)
class Failing(Generic[K, S, P]):
    """A failing case, shrunk: its ``key``, and the ``payload`` that came with it.

    ``example`` is the number, from 1, of the generated case on which the key first came up.  ``flaky`` is the name that
    Hypothesis has for what happened where the same case did not fail again, else empty.
    """

    key: K
    case: S
    payload: P
    example: int
    flaky: str = ""


class SomethingFailedError(AssertionError):
    """Something fails: what Hypothesis sees and shrinks."""


class TimeIsUp(BaseException):
    """The time for shrinking is over."""


def search_cases(
    source: Source[S], examine: Examine[S, K, P], examples: int, seed: int, *, shrink: bool = True
) -> Iterator[Failing[K, S, P]]:
    """Examine *examples* cases of *source*, and yield a failing one for each key, shrunk unless *shrink* is False.

    A key that was yielded is left out from then on; *examine* may go on returning it.  Deterministic in its arguments, as
    long as *examine* is.  Raises Hypothesis's ``Flaky`` where a case could not be tried at all.
    """
    known: set[K] = set()
    tried = part = 0
    while tried < examples:
        one = _Search(source, examine, known)
        found = one.run(source.cases, examples - tried, seed + (part << 32), shrink=shrink)
        tried += one.cases
        if found is None:
            return
        found = replace(found, example=tried)
        if shrink and not source.small(found.case):
            found = _smaller(source, examine, found, seed)
        known.add(found.key)
        yield found
        part += 1


def visit(
    cases: SearchStrategy[T], look: Callable[[T], None], examples: int, seed: int, *, shrink: bool = False
) -> None:
    """Let *look* see *examples* generated cases, the same for the same *seed*; with *shrink* where it fails smaller ones."""

    @hypothesis.seed(seed)
    @search_settings(examples, [Phase.generate, Phase.shrink] if shrink else [Phase.generate])
    @hypothesis.given(cases)
    def test(case: T) -> None:
        look(case)

    with without_local_constants(), warnings.catch_warnings():
        # Large cases are shown by their reports, in a way of their own.
        warnings.filterwarnings("ignore", "Generating overly large repr")
        test()


def search_settings(examples: int, phases: list[Phase]) -> hypothesis.settings:
    """Return the settings of a search that depends on nothing but its seed: no database, no deadline, no health checks."""
    return hypothesis.settings(
        max_examples=max(examples, 1),
        database=None,
        deadline=None,
        derandomize=False,
        phases=phases,
        report_multiple_bugs=False,
        print_blob=False,
        suppress_health_check=list(HealthCheck),
    )


def _smaller(source: Source[S], examine: Examine[S, K, P], found: Failing[K, S, P], seed: int) -> Failing[K, S, P]:
    """Look among smaller cases for one with the same key."""
    for cases in source.smaller:
        other = _Search(source, examine, (), found.key).run(cases, source.tries, seed, shrink=True)
        if other is not None and other.case.size < found.case.size:
            return replace(other, example=found.example)
    return found


class _Search(Generic[K, S, P]):
    """One call of Hypothesis: until something new fails all is asked, from then on the key that failed alone."""

    def __init__(
        self, source: Source[S], examine: Examine[S, K, P], known: Collection[K], pinned: K | None = None
    ) -> None:
        self.cases = 0
        self._seconds = source.seconds
        self._examine = examine
        self._known = known
        self._failing: list[Failing[K, S, P]] = []
        self._pin(pinned)

    def run(self, cases: SearchStrategy[S], examples: int, seed: int, *, shrink: bool) -> Failing[K, S, P] | None:
        """Generate up to *examples* cases, shrink the first failure, and return it."""
        try:
            visit(cases, self._try, examples, seed, shrink=shrink)
        except SomethingFailedError:
            pass
        except TimeIsUp:
            # Hypothesis would end with the smallest; what it tried last need not be that.
            return min(self._failing, key=lambda failing: failing.case.size, default=None)
        except Flaky as error:
            if not self._failing:
                # Not the doing of what is examined: no case was tried, and nobody may take that for a search.
                raise
            return replace(self._failing[-1], flaky=type(error).__name__)
        return self._failing[-1] if self._failing else None

    def _pin(self, key: K | None) -> None:
        self._pinned = key
        self._until = time.monotonic() + self._seconds

    def _try(self, case: S) -> None:
        pinned = self._pinned
        if pinned is None:
            self.cases += 1
        elif time.monotonic() > self._until:
            raise TimeIsUp
        for key, payload in self._examine(case, pinned):
            if key in self._known if pinned is None else key != pinned:
                continue
            if pinned is None:
                self._pin(key)
            self._failing.append(Failing(key, case, payload, 0))
            raise SomethingFailedError(str(key))
