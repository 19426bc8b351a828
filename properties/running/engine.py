"""One search for all that properties are about: a run of Hypothesis over generated cases, and the first failure shrunk.

A :class:`Ground` says what is drawn and how it is judged: decision graphs here, formulas in
:mod:`xpgcheck.properties.reduction`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, Generic

import hypothesis
from hypothesis import HealthCheck, Phase
from hypothesis.errors import Flaky, NoSuchExample, Unsatisfiable
from hypothesis.strategies import SearchStrategy

from xpgcheck.properties.asking import DEFAULT_SECONDS
from xpgcheck.properties.cases import Case
from xpgcheck.properties.catalogue import Property
from xpgcheck.properties.running.hypothesis_internals import without_local_constants
from xpgcheck.properties.running.outcomes import C, Failure, Result, Tally, size_of
from xpgcheck.properties.running.trying import judge
from xpgcheck.properties.strategies import labels, property_cases
from xpgcheck.properties.subjects import subject_name
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import Violation

SMALL = (3, 3)
"""Non-terminals and features that a counterexample should not exceed; a larger one is searched for a smaller."""

SHRINK_SECONDS = 60.0
"""The time that shrinking one failure may take: of a subject that hangs, each try costs its whole time for an answer."""

SMALLER_EXAMPLES = 400
"""Cases tried in the search for a smaller counterexample."""


@dataclass(frozen=True, slots=True)
class Ground(Generic[C]):
    """What properties are tried on: cases of one kind, and how a property is judged on one.

    ``open`` makes of a case what a property looks at, ``judge`` runs one property on that.  A counterexample that is not
    ``small`` is looked for among the ``smaller`` cases too (``tries`` of each), as shrinking finds a local minimum only.
    ``labels`` are counted; ``subject`` and ``origin`` stand in findings.
    """

    cases: SearchStrategy[C]
    open: Callable[[C], AbstractContextManager[Any]]
    judge: Callable[[Property, Any, Tally], Violation | None]
    subject: str
    origin: str
    smaller: Sequence[SearchStrategy[C]] = ()
    small: Callable[[C], bool] = lambda case: True
    labels: Callable[[C], Iterable[str]] = lambda case: ()
    tries: int = SMALLER_EXAMPLES


class PropertyFailedError(AssertionError):
    """A property failed: what Hypothesis sees, shrinks and reports."""


class TimeIsUp(BaseException):
    """The time for shrinking is over."""


def explore(
    properties: Sequence[Property],
    subject: Any,
    *,
    examples: int,
    seed: int,
    size: int,
    seconds: float = DEFAULT_SECONDS,
    cases: SearchStrategy[Case] | None = None,
    make_trial: Callable[[Case, Any, float], Trial] = Trial,
    shrink: bool = True,
    first_only: bool = False,
    labelled: bool = False,
) -> Result:
    """Try all *properties* on *examples* generated decision graphs of at most *size*; see :func:`search`."""
    ground = Ground(
        property_cases(size=size) if cases is None else cases,
        lambda case: make_trial(case, subject, seconds),
        judge,
        subject_name(subject),
        f"generated, seed {seed}, size {size}",
        [property_cases(size=smaller) for smaller in (5, 7, 9)] if cases is None else (),
        lambda case: case.size[0] <= SMALL[0] and case.size[1] <= SMALL[1],
        (lambda case: labels(case.graph, case.instance)) if labelled else (lambda case: ()),
    )
    return search(ground, properties, examples, seed, shrink=shrink, first_only=first_only)


def failing(
    properties: Sequence[Property],
    subject: Any,
    *,
    examples: int,
    seed: int,
    size: int,
    seconds: float = DEFAULT_SECONDS,
) -> dict[str, int]:
    """Return of each property that fails on some of *examples* cases on how many of them it does; nothing is shrunk."""
    cases = property_cases(size=size)
    ground = Ground(cases, lambda case: Trial(case, subject, seconds), judge, subject_name(subject), "")
    return count_failures(ground, properties, examples, seed)


def search(
    ground: Ground[C],
    properties: Sequence[Property],
    examples: int,
    seed: int,
    *,
    shrink: bool = True,
    first_only: bool = False,
) -> Result[C]:
    """Try all *properties* on *examples* generated cases of *ground*; return the tallies and the findings.

    A property that fails is shrunk to a small case and left out from then on, so every property fails at most once; with
    *first_only* the first failure is the end.
    Deterministic in its arguments, as long as the subject is.
    """
    result: Result[C] = Result.of(p.name for p in properties)
    left = list(properties)
    part = 0
    while left and (result.cases < examples or part == 0):
        tried = _Search(ground, left)
        tried.run(examples - result.cases, seed + (part << 32), shrink=shrink)
        finding = tried.finding(result.cases)
        result.add(tried.result)
        if finding is None:
            break
        if shrink and not ground.small(finding.case):
            finding = _smaller(ground, left, finding, seed)
        result.findings.append(finding)
        if first_only:
            break
        left = [p for p in left if p.name != finding.property_name]
        part += 1
    return result


def count_failures(ground: Ground[C], properties: Sequence[Property], examples: int, seed: int) -> dict[str, int]:
    """Return of each property that fails on some of *examples* cases on how many of them it does; nothing is shrunk."""
    counts: dict[str, int] = {}

    def look(case: C) -> None:
        with ground.open(case) as trial:
            for check in properties:
                if ground.judge(check, trial, Tally()) is not None:
                    counts[check.name] = counts.get(check.name, 0) + 1

    test = hypothesis.seed(seed)(search_settings(examples, [Phase.generate])(hypothesis.given(ground.cases)(look)))
    with without_local_constants():
        test()
    return counts


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


def _smaller(ground: Ground[C], properties: Sequence[Property], finding: Failure[C], seed: int) -> Failure[C]:
    """Look among small cases for one on which the same property fails."""
    pinned = [p for p in properties if p.name == finding.property_name]
    for cases in ground.smaller:
        tried = _Search(replace(ground, cases=cases), pinned)
        tried.run(ground.tries, seed, shrink=True)
        found = tried.finding(0)
        if found is not None and size_of(found) < size_of(finding):
            return replace(found, example=finding.example)
    return finding


class _Search(Generic[C]):
    """One call of Hypothesis: until a property fails all of them run, from then on the failed one alone."""

    def __init__(self, ground: Ground[C], properties: Sequence[Property]) -> None:
        self.result: Result[C] = Result.of(p.name for p in properties)
        self._ground = ground
        self._properties = properties
        self._failed: Property | None = None
        self._last: tuple[C, Violation] | None = None
        self._flaky: str | None = None
        self._until = 0.0
        self._failing: list[tuple[C, Violation]] = []

    def run(self, examples: int, seed: int, *, shrink: bool) -> None:
        """Generate up to *examples* cases, and shrink the first failure."""
        phases = [Phase.generate, Phase.shrink] if shrink else [Phase.generate]
        settings = search_settings(examples, phases)
        test: Callable[[], None] = hypothesis.seed(seed)(settings(hypothesis.given(self._ground.cases)(self._try)))
        try:
            with without_local_constants():
                test()
        except PropertyFailedError:
            pass
        except TimeIsUp:
            # Hypothesis would end with the smallest; what it tried last need not be that.
            self._last = min(self._failing, key=lambda failed: failed[0].size)
        except Flaky as error:
            if self._failed is None:
                # Not the property's doing: no case was tried, and nobody may take that for a search.
                raise
            self._flaky = f"the property does not fail again on the same case: {type(error).__name__}"
        except (Unsatisfiable, NoSuchExample):  # pragma: no cover - strategies are never empty
            pass

    def finding(self, before: int) -> Failure[C] | None:
        """Return the finding, if a property failed; *before* cases went before this search."""
        if self._failed is None or self._last is None:
            return None
        case, violation = self._last
        verdict = "not deterministic" if self._flaky else violation.verdict
        evidence = f"{self._flaky}; {violation}" if self._flaky else violation.evidence
        example, ground = before + self.result.cases, self._ground
        return Failure(self._failed.name, ground.subject, verdict, evidence, case, example, ground.origin)

    def _try(self, case: C) -> None:
        if self._failed is None:
            self.result.cases += 1
            for label in self._ground.labels(case):
                self.result.labels[label] = self.result.labels.get(label, 0) + 1
        elif time.monotonic() > self._until:
            raise TimeIsUp
        with self._ground.open(case) as trial:
            for check in self._properties if self._failed is None else (self._failed,):
                # What shrinking tries is not counted.
                tally = self.result.tallies[check.name] if self._failed is None else Tally()
                violation = self._ground.judge(check, trial, tally)
                if violation is not None:
                    if self._failed is None:
                        self._until = time.monotonic() + SHRINK_SECONDS
                    self._failed = check
                    self._last = case, violation
                    self._failing.append(self._last)
                    raise PropertyFailedError(f"{check.name}: {violation}")
