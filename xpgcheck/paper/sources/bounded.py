"""Bounded-exhaustive evidence: laws on every decision graph of a size (:mod:`xpgcheck.paper.bounded`)."""

from __future__ import annotations

from typing import Any

from xpgcheck.paper.bounded import law_evidence
from xpgcheck.paper.sources import Found, Items, Options, Results, SourceUnit, source_units

run_unit = law_evidence.run_unit


def units(options: Options, items: Items = None) -> list[SourceUnit]:
    """Return the shares of the graphs, or those of one *bound*."""
    return source_units("bounded", law_evidence.units(bound=options.bound, quick=options.quick))


def look(results: Results, item: str) -> Found:
    """Return what became of the law *item*."""
    command = "xpgcheck paper bounded --bound 3,3,3,2"
    outcome = law_evidence.outcome(results)
    row = next((r for r in outcome.details if r.get("table") == "laws" and r["law"] == item), None)
    if row is None or not row["asked"]:
        return Found(None, "not asked", outcome.limits, None, command)
    amount = f"{row['asked']:,} checks on every graph within the bounds"
    if row["failed"]:
        example: dict[str, Any] = outcome.counterexample or {}
        text = f"{item}: {example.get('what', 'fails')}"
        return Found(False, f"{row['failed']:,} of {amount}", outcome.limits, {**example, "text": text}, command)
    return Found(True if outcome.holds is not None else None, amount, outcome.limits, None, command)
