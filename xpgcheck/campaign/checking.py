"""Units of cross-checks: our own explanations of a model's instances, judged by the oracles, as ``xpgcheck check`` does."""

from __future__ import annotations

import time

from xpgcheck.campaign.finding_documents import finding_document
from xpgcheck.campaign.models import job_of
from xpgcheck.campaign.observing import graph_sizes
from xpgcheck.campaign.plan import Plan
from xpgcheck.campaign.units import Counts, Unit, UnitResult, add_counts, add_numbers, note_seconds
from xpgcheck.gate.check.cross_check import CheckSettings, cross_check
from xpgcheck.gate.check.results import InstanceResult
from xpgcheck.judging.verdicts import Outcome


def carried_out(plan: Plan, unit: Unit) -> UnitResult:
    """Cross-check the unit's instances.  Raises ``InputError`` where the model has changed."""
    started = time.perf_counter()
    options, arguments = plan.options, unit.arguments
    job = job_of(options["models"][arguments["model"]])
    settings = CheckSettings(tuple(options["solvers"]), round(options["timeout"] * 1000), options["limit"])
    results = cross_check(job, range(arguments["start"], arguments["stop"]), settings)
    counts: Counts = {}
    sizes: dict[str, int] = {}
    times: Counts = {}
    for found in results:
        _note(found, counts, sizes, times)
        add_numbers(sizes, graph_sizes(job.graph))
    findings = [finding for found in results for finding in found.findings]
    undecided = [finding for finding in findings if finding.outcome is Outcome.INCONCLUSIVE]
    explained, judged = sum(r.explain_seconds for r in results), sum(r.judge_seconds for r in results)
    return UnitResult(
        unit.id,
        len(results),
        counts,
        sizes,
        times,
        [f"{finding.about}: {finding.text}" for finding in undecided[:1]],
        len(undecided),
        [finding_document(finding, "ours") for finding in findings],
        layers={
            "subject": explained,
            "judges": judged,
            "models and solvers": max(time.perf_counter() - started - explained - judged, 0.0),
        },
    )


def _note(found: InstanceResult, counts: Counts, sizes: dict[str, int], times: Counts) -> None:
    for finding in found.findings:
        add_counts(counts, {finding.about: {finding.outcome.value: 1}})
    wrong = [finding.about for finding in found.findings]
    for check, number in found.checks.items():
        add_counts(counts, {check.value: {"holds": max(number - wrong.count(check.value), 0)}})
    add_numbers(sizes, {f"AXps: {len(found.axps)}": 1, f"CXps: {len(found.cxps)}": 1})
    note_seconds(times, "enumerate", found.explain_seconds)
    note_seconds(times, "judge", found.judge_seconds)
