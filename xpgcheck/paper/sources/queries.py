"""Membership queries at scale, as evidence of Section 5 (:mod:`xpgcheck.paper.queries`)."""

from __future__ import annotations

from xpgcheck.paper.queries import query_evidence
from xpgcheck.paper.sources import Found, Items, Options, Results, SourceUnit, source_units

run_unit = query_evidence.run_unit


def units(options: Options, items: Items = None) -> list[SourceUnit]:
    """Return units of some queries each; without data one that says so."""
    return source_units("queries", query_evidence.units(data=options.data, quick=options.quick))


def look(results: Results, item: str) -> Found:
    """Return whether all answers were confirmed."""
    command = "xpgcheck paper --claim membership-at-scale --data DIR"
    outcome = query_evidence.outcome(results)
    if not outcome.counts["queries"]:
        return Found(None, "nothing was asked", "", None, command, skipped=outcome.limits)
    counts = outcome.counts
    amount = f"{counts['queries']} queries: {counts['yes']} yes, {counts['no']} no, {counts['confirmed']} confirmed"
    example = outcome.counterexample
    if example is not None:
        example = {**example, "text": f"{example['obdd']}, query {example['query']}: {example['differs']}"}
    return Found(outcome.holds, amount, outcome.limits, example, command, details=outcome.details)
