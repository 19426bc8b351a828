"""Units of properties: generated cases as in ``xpgcheck properties run``, and what they show counted."""

from __future__ import annotations

import functools
import time
from dataclasses import replace
from typing import Any

from xpgcheck.campaign.finding_documents import finding_document
from xpgcheck.campaign.observing import Observer
from xpgcheck.campaign.plan import Plan
from xpgcheck.campaign.units import Counts, Unit, UnitResult
from xpgcheck.gate.results import Finding
from xpgcheck.properties.catalogue import able, chosen
from xpgcheck.properties.running.engine import explore
from xpgcheck.properties.running.loading import load_subject
from xpgcheck.properties.running.outcomes import Failure, PropertyTally
from xpgcheck.properties.subjects import methods_of


def carried_out(plan: Plan, unit: Unit) -> UnitResult:
    """Try the plan's properties on the unit's cases.  Raises ``InputError`` where the subject cannot be loaded."""
    started = time.perf_counter()
    options = plan.options
    subject = _subject(options["subject"])
    methods = methods_of(subject)
    properties = able(chosen(options["properties"], smt=unit.arguments["smt"]), methods.judged)
    observer = Observer()
    result = explore(
        properties,
        subject,
        examples=unit.arguments["examples"],
        seed=unit.arguments["seed"],
        size=options["size"],
        seconds=options["timeout"],
        make_trial=observer.trial,
    )
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


def _document(finding: Failure, origin: str, before: int) -> dict[str, Any]:
    placed = replace(finding, origin=origin, example=before + finding.example)
    return finding_document(Finding.of_property(placed), finding.subject)


def tallied(tallies: dict[str, PropertyTally]) -> Counts:
    """Return the tallies of properties as counts."""
    return {
        name: {"held": t.held, "failed": t.failed, "open": t.open, "silent": t.silent} for name, t in tallies.items()
    }


def reasons_of(tallies: dict[str, PropertyTally]) -> list[str]:
    """Return one reason of each property that was left open."""
    return [f"{name}: {reason}" for name, tally in tallies.items() for reason in tally.reasons[:1]]
