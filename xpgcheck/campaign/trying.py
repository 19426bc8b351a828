"""Units of properties: generated cases as in ``xpgcheck properties run``, and what they show counted."""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from xpgcheck.campaign.documents import CampaignFindingRecord, finding_document
from xpgcheck.campaign.observing import Observer
from xpgcheck.campaign.plan import Plan
from xpgcheck.campaign.units import Counts, Unit, UnitResult
from xpgcheck.errors import FormatError
from xpgcheck.properties.catalogue import Property, able, chosen
from xpgcheck.properties.corpus import case_json
from xpgcheck.properties.running.engine import explore
from xpgcheck.properties.running.loading import load_subject
from xpgcheck.properties.running.outcomes import Failure, Result, Tally
from xpgcheck.properties.subjects import methods_of


def carried_out(plan: Plan, unit: Unit) -> UnitResult:
    """Try the plan's properties on the unit's cases.  Raises ``InputError`` where the subject cannot be loaded."""
    started = time.perf_counter()
    options = plan.options
    subject = _subject(options["subject"])
    methods = methods_of(subject)
    properties = able(chosen(options["properties"], smt=unit.arguments["smt"]), methods.judged)
    observer = Observer()
    result = _explored(properties, subject, options, unit.arguments, observer)
    whole, tried = time.perf_counter() - started, sum(tally.seconds for tally in result.tallies.values())
    origin = f"generated, seed {options['seed']}, size {options['size']}"
    before = unit.arguments["before"]
    return UnitResult(
        unit.id,
        result.cases,
        tallied(result.tallies),
        observer.sizes,
        observer.query_seconds,
        reasons_of(result.tallies),
        result.open,
        [_document(finding, origin, before) for finding in result.findings],
        layers={
            "subject": observer.subject_seconds,
            "judges": max(tried - observer.subject_seconds, 0.0),
            "generation": max(whole - tried, 0.0),
        },
        passed_over=dict(methods.passed_over),
    )


@functools.lru_cache(maxsize=2)
def _subject(spec: str) -> Any:
    return load_subject(spec)


def _explored(
    properties: Sequence[Property], subject: Any, options: dict[str, Any], arguments: dict[str, Any], observer: Observer
) -> Result:
    """Do what ``explore`` does, one failure at a time, so that the observer can tell cases from what shrinking tries."""
    result = Result.of(item.name for item in properties)
    left, part = list(properties), 0
    while left and (result.cases < arguments["examples"] or part == 0):
        observer.shrinking = False
        found = explore(
            left,
            subject,
            examples=arguments["examples"] - result.cases,
            # As ``explore`` itself goes on after a failure.
            seed=arguments["seed"] + (part << 32),
            size=options["size"],
            seconds=options["timeout"],
            make_trial=observer.trial,
            first_only=True,
        )
        found.findings = [_counted(finding, result.cases) for finding in found.findings]
        failed = {finding.property_name for finding in found.findings}
        result.add(found)
        if not failed:
            break
        left = [item for item in left if item.name not in failed]
        part += 1
    return result


def _counted(finding: Failure, before: int) -> Failure:
    return replace(finding, example=finding.example + before)


def _document(finding: Failure, origin: str, before: int) -> dict[str, Any]:
    try:
        note = f"{finding.subject}: {finding.verdict} ({origin})"
        case: dict[str, Any] | None = json.loads(case_json(finding.property_name, finding.case, note))
    except FormatError:
        case = None
    found = CampaignFindingRecord(
        about=finding.property_name,
        is_property=True,
        verdict=finding.verdict,
        outcome="violated",
        evidence=finding.evidence,
        subject=finding.subject,
        origin=origin,
        non_terminals=finding.nodes,
        features=finding.features,
        case=case,
        example=before + finding.example,
    )
    return finding_document(found)


def tallied(tallies: dict[str, Tally]) -> Counts:
    """Return the tallies of properties as counts."""
    return {
        name: {"held": t.held, "failed": t.failed, "open": t.open, "silent": t.silent} for name, t in tallies.items()
    }


def reasons_of(tallies: dict[str, Tally]) -> list[str]:
    """Return one reason of each property that was left open."""
    return [f"{name}: {reason}" for name, tally in tallies.items() for reason in tally.reasons[:1]]
