"""Units of cross-checks: our own explanations of a model's instances, judged by the oracles, as ``xpgcheck check`` does."""

from __future__ import annotations

import json
import time
from typing import Any

from xpgcheck.campaign.documents import CampaignFindingRecord, finding_document
from xpgcheck.campaign.models import job_of
from xpgcheck.campaign.observing import graph_sizes
from xpgcheck.campaign.plan import Plan
from xpgcheck.campaign.units import Counts, Unit, UnitResult, add_counts, add_numbers, note_seconds
from xpgcheck.check.cross_check import Settings, cross_check
from xpgcheck.check.inputs import Job
from xpgcheck.check.results import CheckFinding, InstanceResult
from xpgcheck.claims.documents import case_document
from xpgcheck.errors import FormatError
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.properties.cases import Case


def carried_out(plan: Plan, unit: Unit) -> UnitResult:
    """Cross-check the unit's instances.  Raises ``InputError`` where the model has changed."""
    started = time.perf_counter()
    options, arguments = plan.options, unit.arguments
    job = job_of(options["models"][arguments["model"]])
    settings = Settings(tuple(options["solvers"]), round(options["timeout"] * 1000), options["limit"])
    numbers = range(arguments["start"], arguments["stop"])
    points = {} if isinstance(job.graph, LabelledGraph) else {number: job.points[number] for number in numbers}
    results = cross_check(job.graph, points, settings)
    counts: Counts = {}
    sizes: dict[str, int] = {}
    times: Counts = {}
    for found in results:
        _note(found, counts, sizes, times)
        add_numbers(sizes, graph_sizes(job.graph))
    findings = [finding for found in results for finding in found.findings]
    undecided = [finding for finding in findings if finding.outcome.value == "inconclusive"]
    explained, judged = sum(r.explain_seconds for r in results), sum(r.judge_seconds for r in results)
    return UnitResult(
        unit.id,
        len(results),
        counts,
        sizes,
        times,
        [f"{finding.check.value}: {finding.evidence}" for finding in undecided[:1]],
        len(undecided),
        [_document(finding, job) for finding in findings],
        layers={
            "subject": explained,
            "judges": judged,
            "models and solvers": max(time.perf_counter() - started - explained - judged, 0.0),
        },
    )


def _note(found: InstanceResult, counts: Counts, sizes: dict[str, int], times: Counts) -> None:
    for finding in found.findings:
        add_counts(counts, {finding.check.value: {finding.outcome.value: 1}})
    wrong = [finding.check for finding in found.findings]
    for check, number in found.checks.items():
        add_counts(counts, {check.value: {"holds": max(number - wrong.count(check), 0)}})
    add_numbers(sizes, {f"AXps: {len(found.axps.sizes)}": 1, f"CXps: {len(found.cxps.sizes)}": 1})
    note_seconds(times, "enumerate", found.explain_seconds)
    note_seconds(times, "judge", found.judge_seconds)


def _document(finding: CheckFinding, job: Job) -> dict[str, Any]:
    graph, number = job.graph, finding.instance
    case: dict[str, Any] | None = None
    inner, features = 0, len(graph.variables) if isinstance(graph, LabelledGraph) else len(graph.features)
    origin = f"{graph.name}, instance {number + 1} of {job.origin}"
    if not isinstance(graph, LabelledGraph):
        inner = Case(graph, job.points[number]).size[0]
        try:
            # No claims: to be replayed with --subject ours.
            case = json.loads(case_document(graph, job.points[number], (), subject="ours", origin=origin))
        except FormatError:
            case = None
    found = CampaignFindingRecord(
        about=finding.check.value,
        is_property=False,
        verdict=finding.verdict,
        outcome=finding.outcome.value,
        evidence=f"{finding.claim}: {finding.evidence}",
        subject="ours",
        origin=origin,
        non_terminals=inner,
        features=features,
        case=case,
    )
    return finding_document(found)
