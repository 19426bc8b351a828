"""What a cross-check found: per instance, per model, and the figures of the paper's tables.

Plain immutable data that travels between processes and into the reports.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from xpgcheck.errors import shown
from xpgcheck.gate.results import Finding
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.model.value_sets import value_text
from xpgcheck.model.values import Point
from xpgcheck.properties.cases import Case, LabelledCase


class Check(Enum):
    """What was checked of the XPs of an instance; the names are those of the reports."""

    AXP_SUFFICIENT = "every AXp suffices (Eq. 1)"
    AXP_MINIMAL = "every feature of an AXp is needed"
    CXP_CHANGES = "every CXp can change the class (Eq. 2)"
    CXP_MINIMAL = "every feature of a CXp is needed"
    COMPLETE = "the families are complete (hitting-set duality)"
    ORACLES = "no oracle contradicts its own evidence"


CheckFinding: TypeAlias = "Finding[Case | LabelledCase]"
"""A finding about a check, at the instance that the dice of its case name."""


@dataclass(frozen=True, slots=True)
class InstanceResult:
    """The cross-check of one instance.

    ``axps`` and ``cxps`` are the sizes of the XPs listed.  ``checks`` counts what was checked, ``queries`` the questions
    each oracle was asked; ``explain_seconds`` is the time of the graph traversals (building the XpG and enumerating),
    ``judge_seconds`` that of the oracles.
    """

    instance: int
    axps: tuple[int, ...]
    cxps: tuple[int, ...]
    explain_seconds: float
    judge_seconds: float
    checks: Counter[Check]
    queries: Counter[str]
    findings: tuple[CheckFinding, ...] = ()


@dataclass(frozen=True, slots=True)
class Numbers:
    """The paper's columns of one kind of XP: how many an instance (Mx, m, avg) and how long in % of the features (%L)."""

    max: int
    min: int
    avg: float
    length_percent: float


@dataclass(frozen=True, slots=True)
class ModelResult:
    """One row of the table."""

    name: str
    features: int
    nodes: int
    depth: int
    instances: int
    sampled_from: str
    xps_avg: float
    axp: Numbers
    cxp: Numbers
    seconds: float
    judge_seconds: float
    checks: Counter[Check]
    queries: Counter[str]
    findings: tuple[CheckFinding, ...] = field(default=())

    def count(self, outcome: Outcome) -> int:
        """Return how many findings have *outcome*."""
        return sum(finding.outcome is outcome for finding in self.findings)


def numbers(families: Sequence[tuple[int, ...]], features: int) -> Numbers:
    """Return the paper's columns for the families of all instances, by their sizes, of a model with *features* features.

    %L is the average length over all XPs of all instances, in percent of the features (0 where there is no XP).
    """
    counts = list(map(len, families))
    lengths = [size for family in families for size in family]
    mean_length = sum(lengths) / len(lengths) if lengths else 0.0
    return Numbers(max(counts), min(counts), sum(counts) / len(counts), 100 * mean_length / features)


def summary(
    name: str, features: int, nodes: int, depth: int, sampled_from: str, results: Iterable[InstanceResult]
) -> ModelResult:
    """Put the results of a model's instances (in any order) together."""
    ordered = sorted(results, key=lambda result: result.instance)
    checks: Counter[Check] = Counter()
    queries: Counter[str] = Counter()
    for result in ordered:
        checks.update(result.checks)
        queries.update(result.queries)
    axps = [result.axps for result in ordered]
    cxps = [result.cxps for result in ordered]
    return ModelResult(
        name,
        features,
        nodes,
        depth,
        len(ordered),
        sampled_from,
        sum(map(len, (*axps, *cxps))) / len(ordered),
        numbers(axps, features),
        numbers(cxps, features),
        sum(result.explain_seconds for result in ordered),
        sum(result.judge_seconds for result in ordered),
        checks,
        queries,
        tuple(finding for result in ordered for finding in result.findings),
    )


def instance_text(case: Case | LabelledCase) -> str:
    """Return the instance of *case*."""
    if isinstance(case, LabelledCase):
        return "as labelled"
    return values_text([feature.name for feature in case.graph.features], case.instance)


def values_text(names: Sequence[str], point: Point) -> str:
    """Return the values of *point*, in full."""
    pairs = zip(names, point, strict=True)
    return ", ".join(f"{shown(name, 40)}={shown(value_text(value), 40)}" for name, value in pairs)
