"""Counts and failures of properties, as the sources that try properties keep them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from xpgcheck.paper.pictures import picture
from xpgcheck.paper.sources import Results
from xpgcheck.properties.corpus import case_json
from xpgcheck.properties.running.outcomes import Failure, PropertyTally


def tallies_json(tallies: Mapping[str, PropertyTally]) -> dict[str, dict[str, int]]:
    """Return the counts of properties as JSON, without the time, which differs from run to run."""
    return {
        name: {"held": t.held, "failed": t.failed, "open": t.open, "silent": t.silent} for name, t in tallies.items()
    }


def totals(results: Results, item: str) -> tuple[Counter[str], list[dict[str, Any]]]:
    """Return the counts of the property *item* over the units that tried it, with their "cases", and its failures."""
    counts: Counter[str] = Counter()
    findings: list[dict[str, Any]] = []
    for result in results.values():
        tally = result.get("tallies", {}).get(item)
        if tally is not None:
            # In journals begun earlier, units of formulas count these.
            counts.update(tally, cases=result["cases"] if "cases" in result else result["formulas"])
            findings += [found for found in result["findings"] if found["property"] == item]
    return counts, findings


def failure_json(found: Failure) -> dict[str, Any]:
    """Return the graph on which a property fails as JSON, with its picture."""
    return {
        "nodes": found.nodes,
        "case": json.loads(case_json(found.property_name, found.case, found.origin)),
        "svg": picture(found.case.graph, found.case.instance),
    }
