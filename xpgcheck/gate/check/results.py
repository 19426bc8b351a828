"""Results of a cross-check: per instance, per model, and the figures of the paper's tables.

Plain immutable data that travels between processes and into the reports.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias, cast

from xpgcheck.errors import shown
from xpgcheck.gate.check.documents import CheckFindingRecord, KindRecord, ModelRecord, XpsRecord
from xpgcheck.gate.inputs import Job
from xpgcheck.gate.results import Finding
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.model.value_sets import value_text
from xpgcheck.model.values import Point
from xpgcheck.properties.cases import Case, EnsembleCase, LabelledCase


class Check(Enum):
    """Checks of the XPs of an instance; the names are those of the reports."""

    AXP_SUFFICIENT = "every AXp suffices (Eq. 1)"
    AXP_MINIMAL = "every feature of an AXp is needed"
    CXP_CHANGES = "every CXp can change the class (Eq. 2)"
    CXP_MINIMAL = "every feature of a CXp is needed"
    VALUES = "sets of values, of every eighth instance, are right and as large as can be"
    COMPLETE = "the families are complete (hitting-set duality)"
    ORACLES = "no oracle contradicts its own evidence"


CheckFinding: TypeAlias = "Finding[Case | LabelledCase | EnsembleCase]"
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


def numbers(families: Sequence[tuple[int, ...]], features: int) -> KindRecord:
    """Return the paper's columns for the families of all instances, by their sizes, of a model with *features* features.

    %L is the average length over all XPs of all instances, in percent of the features (0 where there is no XP).
    """
    counts = list(map(len, families))
    lengths = [size for family in families for size in family]
    mean_length = sum(lengths) / len(lengths) if lengths else 0.0
    return KindRecord(
        max=max(counts), min=min(counts), avg=sum(counts) / len(counts), length_percent=100 * mean_length / features
    )


def summary(job: Job, results: Iterable[InstanceResult]) -> ModelRecord:
    """Put the results of a model's instances (in any order) together: a row of the table, with all findings."""
    graph, ordered = job.graph, sorted(results, key=lambda result: result.instance)
    features = len(graph.variables if isinstance(graph, LabelledGraph) else graph.features)
    checks: Counter[Check] = Counter()
    queries: Counter[str] = Counter()
    for result in ordered:
        checks.update(result.checks)
        queries.update(result.queries)
    axps = [result.axps for result in ordered]
    cxps = [result.cxps for result in ordered]
    findings = [finding for result in ordered for finding in result.findings]
    outcomes = Counter(finding.outcome for finding in findings)
    return ModelRecord(
        name=graph.name,
        features=features,
        nodes=graph.node_count,
        depth=max(tree.depth() for tree in graph.trees) if isinstance(graph, Ensemble) else graph.depth(),
        instances=len(ordered),
        instances_from=job.origin,
        seconds=sum(result.explain_seconds for result in ordered),
        oracle_seconds=sum(result.judge_seconds for result in ordered),
        xps=XpsRecord(avg=sum(map(len, (*axps, *cxps))) / len(ordered)),
        axp=numbers(axps, features),
        cxp=numbers(cxps, features),
        violations=outcomes[Outcome.VIOLATED],
        inconclusive=outcomes[Outcome.INCONCLUSIVE],
        checks={check.name.lower(): checks[check] for check in Check},
        queries=dict(sorted(queries.items())),
        findings=list(map(_finding, findings)),
    )


def _finding(finding: CheckFinding) -> CheckFindingRecord:
    case = finding.case
    return CheckFindingRecord(
        outcome=cast("Any", finding.outcome.value),
        check=cast("Any", Check(finding.about).name.lower()),
        instance=case.dice,
        point=_point_text(case),
        claim=finding.claim,
        verdict=finding.verdict,
        evidence=finding.text,
    )


def _point_text(case: Case | LabelledCase | EnsembleCase) -> str:
    if isinstance(case, LabelledCase):
        return "as labelled"
    return values_text([feature.name for feature in case.graph.features], case.instance)


def values_text(names: Sequence[str], point: Point) -> str:
    """Return the values of *point*, in full."""
    pairs = zip(names, point, strict=True)
    return ", ".join(f"{shown(name, 40)}={shown(value_text(value), 40)}" for name, value in pairs)
