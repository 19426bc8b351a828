"""Failures where something that the paper assumes is left out: one unit per ablation."""

from __future__ import annotations

from typing import Any

from xpgcheck.paper.catalogue import ROWS
from xpgcheck.paper.sources import Found, Items, Options, Results, SourceUnit
from xpgcheck.paper.sources.tallies import failure_json
from xpgcheck.properties.ablations import ABLATIONS, ablate

CASES, QUICK_CASES = 3_000, 300


def units(options: Options, items: Items = None) -> list[SourceUnit]:
    """Return a unit an ablation: with all properties, or those of *items*, or in a quick run those of all rows."""
    cases = QUICK_CASES if options.quick else CASES
    asked = _asked_by_rows() if items is None and options.quick else items
    found = []
    for ablation in ABLATIONS:
        names = [] if asked is None else sorted(_of(ablation.name, asked))
        if asked is None or names:
            arguments = {"name": ablation.name, "cases": cases, "seed": options.seed, "names": names}
            found.append(SourceUnit("ablations", f"ablations/{ablation.name}", arguments))
    return found


def _asked_by_rows() -> frozenset[str]:
    """Return the items that rows ask about: shrinking what else fails takes most of the time."""
    return frozenset(check.item for row in ROWS for check in row.checks if check.source == "ablations")


def _of(ablation: str, items: frozenset[str]) -> set[str]:
    return {item.partition(": ")[2] for item in items if item.startswith(f"{ablation}: ")}


def run_unit(arguments: dict[str, Any]) -> dict[str, Any]:
    """Leave out what the ablation says, and try all properties."""
    ablation = next(found for found in ABLATIONS if found.name == arguments["name"])
    seen = ablate(ablation, examples=arguments["cases"], seed=arguments["seed"], names=arguments["names"])
    findings = {found.property_name: {"text": found.evidence, **failure_json(found)} for found in seen.findings}
    return {
        "left_out": ablation.left_out,
        "cases": seen.result.cases,
        "held": sorted(seen.held),
        "findings": findings,
    }


def look(results: Results, item: str) -> Found:
    """Return whether the property fails without the assumption: *item* is "ablation: property"."""
    ablation, _, name = item.partition(": ")
    result = results[f"ablations/{ablation}"]
    command = f'xpgcheck properties ablations --ablation "{ablation}"'
    finding = result["findings"].get(name)
    if finding is None:
        return Found(True if name in result["held"] else None, f"held on {result['cases']:,} cases", "", None, command)
    text = f"{ablation}, {name}: {finding['text']}"
    return Found(False, f"fails within {result['cases']:,} cases", "", {**finding, "text": text}, command)
