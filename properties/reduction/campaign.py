"""A campaign: all properties of the reduction on generated formulas, in units over processes."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import hypothesis
from hypothesis import Phase
from hypothesis.errors import Flaky

from xpgcheck.oracles.propositional.limits import OutOfTime, TooLarge
from xpgcheck.processes import pooled
from xpgcheck.properties.reduction.cases import FormulaCase, formula_size
from xpgcheck.properties.reduction.catalogue import Property, chosen
from xpgcheck.properties.reduction.outcomes import FormulaFinding, Outcome
from xpgcheck.properties.reduction.routes import HonestRoutes
from xpgcheck.properties.reduction.strategies import MAX_CLAUSES, MAX_VARIABLES, formula_cases, labels
from xpgcheck.properties.reduction.trials import Trial
from xpgcheck.properties.running.engine import SHRINK_SECONDS, search_settings
from xpgcheck.properties.running.hypothesis_internals import without_local_constants
from xpgcheck.properties.running.outcomes import Tally
from xpgcheck.properties.running.trying import tallied
from xpgcheck.properties.verdicts import Inconclusive, NotApplicable, Violation

UNIT = 250
"""Formulas in a unit: each is a run of Hypothesis with a seed of its own."""

MAX_FINDINGS = 50
"""Failures after which a unit ends: each starts another run of Hypothesis."""


SMALLER = ((1, 1), (2, 2), (3, 2), (4, 3))
"""Clauses and variables of the formulas among which a smaller counterexample is looked for."""

SMALLER_EXAMPLES = 100


@dataclass(frozen=True, slots=True)
class Plan:
    """What a campaign does: which properties (names) on which routes, and which formulas."""

    properties: tuple[str, ...]
    make: Callable[[], HonestRoutes]
    clauses: int
    variables: int
    first_only: bool
    shrink: bool


def explore_reduction(
    examples: int,
    seed: int = 0,
    jobs: int = 1,
    *,
    properties: Sequence[str] = (),
    make: Callable[[], HonestRoutes] = HonestRoutes,
    clauses: int = MAX_CLAUSES,
    variables: int = MAX_VARIABLES,
    first_only: bool = False,
    shrink: bool = True,
    advance: Callable[[int], None] = lambda _: None,
) -> Outcome:
    """Try *properties* (all if empty) on *examples* generated formulas, and return the outcome.

    *make* gives the routes; with several *jobs* it is sent to other processes.  A property that fails is shrunk, and left
    out of its unit from then on; with *first_only* the first failure ends its unit.  *advance* is told of each unit's
    formulas.  The outcome is the same whatever *jobs* is, but for times, and for what is not decided in time; with
    *first_only* and one job, units after the first failure are not begun.  Raises ``InputError`` on an unknown property and
    ``UndecidedError`` where a process dies.
    """
    names = tuple(p.name for p in chosen(properties))
    plan = Plan(names, make, clauses, variables, first_only, shrink)
    units = [
        (seed + (number << 40), min(UNIT, examples - start), start)
        for number, start in enumerate(range(0, examples, UNIT))
    ]
    parts: dict[int, Outcome] = {}
    for unit, part in (_inline if jobs <= 1 or len(units) <= 1 else _pooled)(plan, units, jobs):
        parts[unit[2]] = part
        advance(part.cases)
        if first_only and jobs <= 1 and part.findings:
            break
    outcome = Outcome.of(names)
    for start in sorted(parts):
        outcome.add(parts[start])
    return outcome


def failing(
    examples: int, seed: int = 0, *, properties: Sequence[str] = (), make: Callable[[], HonestRoutes] = HonestRoutes
) -> dict[str, int]:
    """Return of each property that fails on some of *examples* formulas on how many of them it does; nothing is shrunk."""
    checks, routes = chosen(properties), make()
    counts: dict[str, int] = {}

    def look(case: FormulaCase) -> None:
        trial = Trial(case, routes, thorough=False)
        for check in checks:
            if judge(check, trial, Tally()) is not None:
                counts[check.name] = counts.get(check.name, 0) + 1

    settings = search_settings(examples, [Phase.generate])
    test: Callable[[], None] = hypothesis.seed(seed)(settings(hypothesis.given(formula_cases())(look)))
    with without_local_constants():
        test()
    return counts


def judge(check: Property, trial: Trial, tally: Tally) -> Violation | None:
    """Run one property on *trial*, count what came of it in *tally*, and return the violation if there is one."""

    def attempt() -> None:
        try:
            check.check(trial)
        except (NotApplicable, Inconclusive, Violation):
            raise
        except TooLarge as reason:
            raise NotApplicable(str(reason)) from None
        except OutOfTime:
            raise Inconclusive("no answer in time") from None
        except Exception as error:
            raise Violation("crash", f"{type(error).__name__}: {error}"[:500]) from error

    return tallied(attempt, tally)


Unit = tuple[int, int, int]
"""The seed of a unit, its formulas, and how many formulas of the campaign go before it."""


def _inline(plan: Plan, units: Sequence[Unit], _: int) -> Iterator[tuple[Unit, Outcome]]:
    for unit in units:
        yield unit, _explore(plan, unit)


def _pooled(plan: Plan, units: Sequence[Unit], jobs: int) -> Iterator[tuple[Unit, Outcome]]:
    return pooled(functools.partial(_explore, plan), units, jobs)


def _explore(plan: Plan, unit: Unit) -> Outcome:
    """Carry out one unit: a run of Hypothesis, and another one after each failure with what is left."""
    seed, examples, before = unit
    outcome = Outcome.of(plan.properties)
    left = chosen(plan.properties)
    part = 0
    while left and outcome.cases < examples and part < MAX_FINDINGS:
        search = _Search(plan, left)
        search.run(examples - outcome.cases, seed + (part << 32))
        finding = search.finding()
        if finding is not None:
            finding = _smaller(plan, finding, seed) if plan.shrink else finding
            search.outcome.findings.append(replace(finding, example=before + outcome.cases + search.outcome.cases))
        outcome.add(search.outcome)
        if finding is None or plan.first_only:
            break
        left = tuple(p for p in left if p.name != finding.property_name)
        part += 1
    return outcome


def _smaller(plan: Plan, finding: FormulaFinding, seed: int) -> FormulaFinding:
    """Look among small formulas for one on which the same property fails: shrinking finds a local minimum only."""
    for clauses, variables in SMALLER:
        if formula_size(finding.formula)[0] <= clauses:
            break
        search = _Search(replace(plan, clauses=clauses, variables=variables), chosen([finding.property_name]))
        search.run(SMALLER_EXAMPLES, seed)
        found = search.finding()
        if found is not None and formula_size(found.formula) < formula_size(finding.formula):
            return found
    return finding


class _PropertyFailedError(AssertionError):
    """A property failed: what Hypothesis sees and shrinks."""


class _TimeIsUp(BaseException):
    """The time for shrinking is over."""


class _Search:
    """One run of Hypothesis: until a property fails all of them run, from then on the failed one alone."""

    def __init__(self, plan: Plan, properties: Sequence[Property]) -> None:
        self.outcome = Outcome.of(p.name for p in properties)
        self._plan = plan
        self._routes = plan.make()
        self._properties = properties
        self._failed: Property | None = None
        self._last: tuple[FormulaCase, Violation] | None = None
        self._flaky = False
        self._until = 0.0

    def run(self, examples: int, seed: int) -> None:
        """Generate up to *examples* formulas, and shrink the first failure."""
        phases = [Phase.generate, Phase.shrink] if self._plan.shrink else [Phase.generate]
        cases = formula_cases(self._plan.clauses, self._plan.variables)
        test: Callable[[], None] = hypothesis.seed(seed)(
            search_settings(examples, phases)(hypothesis.given(cases)(self._try))
        )
        try:
            with without_local_constants():
                test()
        except (_PropertyFailedError, _TimeIsUp):
            pass
        except Flaky:
            self._flaky = True

    def finding(self) -> FormulaFinding | None:
        """Return the finding, if a property failed."""
        if self._failed is None or self._last is None:
            return None
        case, violation = self._last
        verdict = "not deterministic" if self._flaky else violation.verdict
        return FormulaFinding(self._failed.name, verdict, violation.evidence, case.formula, case.dice, 0)

    def _try(self, case: FormulaCase) -> None:
        first = self._failed is None
        if not first and time.monotonic() > self._until:
            raise _TimeIsUp
        trial = Trial(case, self._routes, thorough=not first)
        outcome = self.outcome if first else Outcome.of(())
        outcome.cases += 1
        outcome.labels.update(labels(case.formula))
        try:
            for check in (self._failed,) if self._failed is not None else self._properties:
                violation = judge(check, trial, outcome.tallies.setdefault(check.name, Tally()))
                if violation is not None:
                    if first:
                        self._until = time.monotonic() + SHRINK_SECONDS
                    self._failed = check
                    self._last = case, violation
                    raise _PropertyFailedError(f"{check.name}: {violation}")
        finally:
            outcome.formulas.update(trial.formulas)
            outcome.answers.update(trial.answers)
