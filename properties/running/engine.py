"""One run of Hypothesis over generated cases: all properties on each case, and the first failure shrunk."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase
from hypothesis.errors import Flaky, NoSuchExample, Unsatisfiable
from hypothesis.strategies import SearchStrategy

from xpgcheck.properties.asking import DEFAULT_SECONDS
from xpgcheck.properties.cases import Case
from xpgcheck.properties.catalogue import Property
from xpgcheck.properties.running.hypothesis_internals import without_local_constants
from xpgcheck.properties.running.outcomes import Failure, Result, Tally, case_size, size_of
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
    """Try all *properties* on *examples* generated cases of at most *size*; return the tallies and the findings.

    A property that fails is shrunk to a small case and left out from then on, so every property fails at most once; with
    *first_only* the first failure is the end.
    Deterministic in its arguments, as long as the subject is.
    """
    result = Result.of(p.name for p in properties)
    left = list(properties)
    part = 0
    while left and (result.cases < examples or part == 0):
        search = _Search(left, subject, size, seconds, cases, labelled, make_trial)
        search.run(examples - result.cases, seed + (part << 32), shrink=shrink)
        finding = search.finding(result.cases, seed)
        result.add(search.result)
        if finding is None:
            break
        large = finding.nodes > SMALL[0] or finding.features > SMALL[1]
        if shrink and large and cases is None:
            finding = _smaller(left, finding, subject, seed, seconds)
        result.findings.append(finding)
        if first_only:
            break
        left = [p for p in left if p.name != finding.property_name]
        part += 1
    return result


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
    counts: dict[str, int] = {}

    def look(case: Case) -> None:
        with Trial(case, subject, seconds) as trial:
            for check in properties:
                if judge(check, trial, Tally()) is not None:
                    counts[check.name] = counts.get(check.name, 0) + 1

    test = hypothesis.seed(seed)(
        search_settings(examples, [Phase.generate])(hypothesis.given(property_cases(size=size))(look))
    )
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


def _smaller(properties: Sequence[Property], finding: Failure, subject: Any, seed: int, seconds: float) -> Failure:
    """Look among small cases for one on which the same property fails: shrinking finds a local minimum only."""
    pinned = [p for p in properties if p.name == finding.property_name]
    for size in (5, 7, 9):
        search = _Search(pinned, subject, size, seconds, None, False, Trial)
        search.run(SMALLER_EXAMPLES, seed, shrink=True)
        found = search.finding(0, seed)
        if found is not None and size_of(found) < size_of(finding):
            return replace(found, example=finding.example, origin=finding.origin)
    return finding


class _Search:
    """One call of Hypothesis: until a property fails all of them run, from then on the failed one alone."""

    def __init__(
        self,
        properties: Sequence[Property],
        subject: Any,
        size: int,
        seconds: float,
        cases: SearchStrategy[Case] | None,
        labelled: bool,
        make_trial: Callable[[Case, Any, float], Trial],
    ) -> None:
        self.result = Result.of(p.name for p in properties)
        self._properties = properties
        self._subject = subject
        self._seconds = seconds
        self._cases = property_cases(size=size) if cases is None else cases
        self._size = size
        self._labelled = labelled
        self._make_trial = make_trial
        self._failed: Property | None = None
        self._last: tuple[Case, Violation] | None = None
        self._flaky: str | None = None
        self._until = 0.0
        self._failing: list[tuple[Case, Violation]] = []

    def run(self, examples: int, seed: int, *, shrink: bool) -> None:
        """Generate up to *examples* cases, and shrink the first failure."""
        phases = [Phase.generate, Phase.shrink] if shrink else [Phase.generate]
        settings = search_settings(examples, phases)
        test: Callable[[], None] = hypothesis.seed(seed)(settings(hypothesis.given(self._cases)(self._try)))
        try:
            with without_local_constants():
                test()
        except PropertyFailedError:
            pass
        except TimeIsUp:
            # Hypothesis would end with the smallest; what it tried last need not be that.
            self._last = min(self._failing, key=lambda failed: case_size(failed[0]))
        except Flaky as error:
            self._flaky = f"the property does not fail again on the same case: {type(error).__name__}"
        except (Unsatisfiable, NoSuchExample):  # pragma: no cover - strategies are never empty
            pass

    def finding(self, before: int, seed: int) -> Failure | None:
        """Return the finding, if a property failed; *before* cases went before this search."""
        if self._failed is None or self._last is None:
            return None
        case, violation = self._last
        name = subject_name(self._subject)
        origin = f"generated, seed {seed}, size {self._size}"
        verdict = "not deterministic" if self._flaky else violation.verdict
        evidence = f"{self._flaky}; {violation}" if self._flaky else violation.evidence
        return Failure(self._failed.name, name, verdict, evidence, case, before + self.result.cases, origin)

    def _try(self, case: Case) -> None:
        if self._failed is None:
            self.result.cases += 1
            if self._labelled:
                for label in labels(case.graph, case.instance):
                    self.result.labels[label] = self.result.labels.get(label, 0) + 1
        elif time.monotonic() > self._until:
            raise TimeIsUp
        with self._make_trial(case, self._subject, self._seconds) as trial:
            for check in self._properties if self._failed is None else (self._failed,):
                # What shrinking tries is not counted.
                tally = self.result.tallies[check.name] if self._failed is None else Tally()
                violation = judge(check, trial, tally)
                if violation is not None:
                    if self._failed is None:
                        self._until = time.monotonic() + SHRINK_SECONDS
                    self._failed = check
                    self._last = case, violation
                    self._failing.append(self._last)
                    raise PropertyFailedError(f"{check.name}: {violation}")
