"""How soon each seeded bug of the reduction is caught, by which properties, and how small its counterexample gets."""

from __future__ import annotations

import functools
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from xpgcheck.processes import pooled
from xpgcheck.properties.reduction.campaign import explore_reduction, failing
from xpgcheck.properties.reduction.cases import formula_size, formula_text
from xpgcheck.properties.reduction.catalogue import all_properties
from xpgcheck.properties.reduction.outcomes import FormulaFinding
from xpgcheck.properties.reduction.seeded import SeededBug, seeded_bug, seeded_bugs

LOOKED_AT = 60
"""Formulas on which every property is tried, to see all that catch a bug."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What was found of one bug: the properties that fail of it, and of each seed the finding (None: not caught)."""

    bug: str
    wrong: str
    caught_by: tuple[str, ...]
    findings: tuple[FormulaFinding | None, ...]

    @property
    def caught(self) -> bool:
        """Whether it was caught with every seed."""
        return all(finding is not None for finding in self.findings)

    @property
    def examples(self) -> float:
        """The median number of formulas until it was caught; infinite where that is never."""
        return statistics.median(f.example if f is not None else float("inf") for f in self.findings)

    @property
    def smallest(self) -> FormulaFinding | None:
        """The finding on the smallest formula."""
        found = [f for f in self.findings if f is not None]
        return min(found, key=lambda f: formula_size(f.formula), default=None)


def measure(
    bugs: Sequence[SeededBug] | None = None,
    *,
    examples: int = 500,
    seeds: int = 3,
    jobs: int = 1,
    advance: Callable[[int], None] = lambda _: None,
) -> list[Measured]:
    """Measure *bugs* (all if None) with each of *seeds* seeds: at most *examples* formulas until one is caught."""
    names = [bug.name for bug in (seeded_bugs() if bugs is None else bugs)]
    measured: dict[str, Measured] = {}
    work = functools.partial(_measured, examples, seeds)
    for found in map(work, names) if jobs <= 1 else _pooled(work, names, jobs):
        measured[found.bug] = found
        advance(1)
    return [measured[name] for name in names]


def idle_properties(measured: Sequence[Measured]) -> tuple[str, ...]:
    """Return the names of the properties that no measured bug makes fail."""
    busy = {name for found in measured for name in found.caught_by}
    return tuple(p.name for p in all_properties() if p.name not in busy)


def markdown(measured: Sequence[Measured]) -> str:
    """Return the table of the documents: a row a bug."""
    lines = [
        "| bug | what is wrong | caught by | formulas | smallest counterexample |",
        "| --- | --- | --- | --- | --- |",
    ]
    for found in measured:
        smallest = found.smallest
        wrong = found.wrong.replace("|", "\\|")
        first = f"`{smallest.property_name}`, {len(found.caught_by)}" if smallest is not None else "nothing"
        on = formula_text(smallest.formula) if smallest is not None else ""
        lines.append(f"| {found.bug} | {wrong} | {first} | {found.examples:g} | {on} |")
    return "\n".join(lines) + "\n"


def _pooled(work: Callable[[str], Measured], names: Sequence[str], jobs: int) -> Iterator[Measured]:
    for _, found in pooled(work, names, jobs):
        yield found


def _measured(examples: int, seeds: int, name: str) -> Measured:
    bug = seeded_bug(name)
    findings = []
    for seed in range(seeds):
        outcome = explore_reduction(examples, seed, make=bug.make, first_only=True)
        findings.append(outcome.findings[0] if outcome.findings else None)
    fail = set(failing(LOOKED_AT, 0, make=bug.make)) | {f.property_name for f in findings if f is not None}
    return Measured(name, bug.wrong, tuple(p.name for p in all_properties() if p.name in fail), tuple(findings))
