"""Properties tried on generated cases: which of them fail, and of each the smallest case.

A :class:`Ground` says what is drawn and how a property is judged on it: decision graphs here, formulas in
:mod:`xpgcheck.properties.reduction`.  The search itself stands in :mod:`xpgcheck.properties.running.search`.
"""

from __future__ import annotations

import functools
import pickle
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Generic

from hypothesis.strategies import SearchStrategy

from xpgcheck.properties.asking import DEFAULT_SECONDS
from xpgcheck.properties.cases import Case
from xpgcheck.properties.catalogue import Property
from xpgcheck.properties.running.outcomes import C, Failure, PropertyTally, Result
from xpgcheck.properties.running.search import Failing, Source, search_cases, visit
from xpgcheck.properties.running.trying import judge
from xpgcheck.properties.strategies import labels, property_cases
from xpgcheck.properties.subjects import subject_name
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import Violation

SMALL = (3, 3)
"""Non-terminals and features that a counterexample should not exceed; a larger one is searched for a smaller."""

SHRINK_SECONDS = 60.0
"""The time that shrinking one failure may take."""

SMALLER_EXAMPLES = 400
"""Cases tried in the search for a smaller counterexample."""


@dataclass(frozen=True, slots=True)
class Ground(Generic[C]):
    """The ground that properties are tried on: the cases of a source, and how a property is judged on one.

    ``open`` makes of a case what a property looks at, and is told whether it is a case that shrinking tries; ``judge`` runs
    one property on that.  ``labels`` are counted; ``subject`` and ``origin`` stand in findings.
    """

    source: Source[C]
    open: Callable[[C, bool], AbstractContextManager[Any]]
    judge: Callable[[Property, Any, PropertyTally], Violation | None]
    subject: str
    origin: str
    labels: Callable[[C], Iterable[str]] = lambda case: ()


def graph_source(size: int, kinds: Sequence[str] | None = None, *, seconds: float, tries: int) -> Source[Case]:
    """Return the source of decision graphs of at most *size* nodes (of *kinds*), and of smaller ones of them."""
    cases, *smaller = (property_cases(size=most, kinds=kinds) for most in (size, 5, 7, 9))
    return Source(cases, seconds, is_small, smaller, tries)


def is_small(case: Case) -> bool:
    """Tell whether *case* is as small as a counterexample should be."""
    return case.size[0] <= SMALL[0] and case.size[1] <= SMALL[1]


def graph_ground(
    subject: Any,
    *,
    seed: int,
    size: int,
    seconds: float = DEFAULT_SECONDS,
    cases: SearchStrategy[Case] | None = None,
    make_trial: Callable[[Case, Any, float, bool], Trial] = Trial,
    labelled: bool = False,
) -> Ground[Case]:
    """Return the ground on which *subject* is judged: generated decision graphs of at most *size*, or *cases*."""
    source = graph_source(size, seconds=SHRINK_SECONDS, tries=SMALLER_EXAMPLES)
    return Ground(
        source if cases is None else Source(cases, SHRINK_SECONDS),
        lambda case, shrinking: make_trial(case, subject, seconds, shrinking),
        judge,
        subject_name(subject),
        f"generated, seed {seed}, size {size}",
        (lambda case: labels(case.graph, case.instance)) if labelled else (lambda case: ()),
    )


def explore(
    properties: Sequence[Property],
    subject: Any,
    *,
    examples: int,
    seed: int,
    size: int,
    seconds: float = DEFAULT_SECONDS,
    make_trial: Callable[[Case, Any, float, bool], Trial] = Trial,
    shrink: bool = True,
    first_only: bool = False,
    labelled: bool = False,
) -> Result:
    """Try all *properties* on *examples* cases of the ground of *subject*: :func:`try_all` on :func:`graph_ground`."""
    ground = graph_ground(subject, seed=seed, size=size, seconds=seconds, make_trial=make_trial, labelled=labelled)
    return try_all(ground, properties, examples, seed, shrink=shrink, first_only=first_only)


def failing(
    properties: Sequence[Property],
    subject: Any,
    *,
    examples: int,
    seed: int,
    size: int,
    seconds: float = DEFAULT_SECONDS,
) -> frozenset[str]:
    """Return the names of the properties that fail on some of *examples* cases; nothing is shrunk."""
    ground = graph_ground(subject, seed=seed, size=size, seconds=seconds)
    return _failing_among(ground, properties, pickle.loads(_generated(examples, seed, size)))


@functools.lru_cache(maxsize=4)
def _generated(examples: int, seed: int, size: int) -> bytes:
    """Return the cases that a run with these arguments tries, which many subjects are tried on.

    Pickled, so that each subject has graphs of its own, whatever it does to them.
    """
    cases: list[Case] = []
    visit(property_cases(size=size), cases.append, examples, seed)
    return pickle.dumps(cases)


def try_all(
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
    left = {p.name: p for p in properties}

    def examine(case: C, pinned: str | None) -> list[tuple[str, Violation]]:
        shrinking = pinned is not None
        if not shrinking:
            result.cases += 1
            for label in ground.labels(case):
                result.labels[label] = result.labels.get(label, 0) + 1
        with ground.open(case, shrinking) as trial:
            for check in left.values() if pinned is None else (left[pinned],):
                violation = ground.judge(check, trial, PropertyTally() if shrinking else result.tallies[check.name])
                if violation is not None:
                    return [(check.name, violation)]
        return []

    for found in search_cases(ground.source, examine, examples if left else 0, seed, shrink=shrink):
        result.findings.append(_failure(ground, found))
        del left[found.key]
        if first_only or not left:
            break
    return result


def _failure(ground: Ground[C], found: Failing[str, C, Violation]) -> Failure[C]:
    verdict, evidence = found.payload.verdict, found.payload.evidence
    if found.flaky:
        verdict = "not deterministic"
        evidence = f"the property does not fail again on the same case: {found.flaky}; {found.payload}"
    return Failure(found.key, ground.subject, verdict, evidence, found.case, found.example, ground.origin)


def failing_on(ground: Ground[C], properties: Sequence[Property], examples: int, seed: int) -> frozenset[str]:
    """Return the names of the properties that fail on some of *examples* cases, each tried until it fails."""
    cases: list[C] = []
    visit(ground.source.cases, cases.append, examples, seed)
    return _failing_among(ground, properties, cases)


def _failing_among(ground: Ground[C], properties: Sequence[Property], cases: Iterable[C]) -> frozenset[str]:
    left = {p.name: p for p in properties}
    for case in cases:
        if not left:
            break
        with ground.open(case, False) as trial:
            for name in [
                name for name, check in left.items() if ground.judge(check, trial, PropertyTally()) is not None
            ]:
                del left[name]
    return frozenset(p.name for p in properties) - left.keys()
