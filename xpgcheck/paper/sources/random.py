"""Random evidence: the properties on generated decision graphs, all of them on each, in units with a seed of their own."""

from __future__ import annotations

from collections import Counter
from typing import Any

from xpgcheck.paper.sources import Found, Items, Options, Results, SourceUnit
from xpgcheck.paper.sources.tallies import failure_json, tallies_json, totals
from xpgcheck.properties.catalogue import chosen
from xpgcheck.properties.running.units import RunPlan, run

SUBJECTS = ("ours", "paper")
"""The explainer that is used, and the algorithms as printed."""

UNITS, CASES, SIZE = 48, 500, 40
QUICK_UNITS, QUICK_CASES, QUICK_SIZE = 4, 250, 20


def units(options: Options, items: Items = None) -> list[SourceUnit]:
    """Return units of some hundred cases for each of two subjects, seeds following *options.seed*."""
    names = sorted(items or ())
    count, cases, size = (QUICK_UNITS, QUICK_CASES, QUICK_SIZE) if options.quick else (UNITS, CASES, SIZE)
    return [
        SourceUnit(
            "random",
            f"random/{subject}/{number + 1}",
            {"subject": subject, "seed": options.seed + (number << 40), "cases": cases, "size": size, "names": names},
        )
        for number in range(count // len(SUBJECTS))
        for subject in SUBJECTS
    ]


def run_unit(arguments: dict[str, Any]) -> dict[str, Any]:
    """Try the properties on one unit's cases."""
    names = tuple(item.name for item in chosen(arguments["names"], smt=False))
    result = run(RunPlan(names, arguments["subject"], arguments["cases"], arguments["seed"], arguments["size"]), jobs=1)
    findings = [
        {
            "property": found.property_name,
            "subject": found.subject,
            "text": f"{found.property_name}: {found.evidence}",
            **failure_json(found),
        }
        for found in result.findings
    ]
    return {
        "seed": arguments["seed"],
        "cases": result.cases,
        "tallies": tallies_json(result.tallies),
        "findings": findings,
    }


def look(results: Results, item: str) -> Found:
    """Return what became of the property *item*."""
    total, findings = totals(results, item)
    command = f"xpgcheck properties run --property {item}"
    if findings:
        smallest = min(findings, key=lambda found: found["nodes"])
        return Found(False, _amount(total), "", smallest, command)
    holds = True if total["held"] and not total["open"] else None
    limit = "generated graphs of at most 40 nodes" if total["cases"] else "nothing was tried"
    return Found(holds, _amount(total), limit, None, command)


def _amount(total: Counter[str]) -> str:
    text = f"held on {total['held']:,} random cases, failed on {total['failed']:,}"
    silent = total["cases"] - total["held"] - total["failed"] - total["open"]
    text += f", says nothing of {silent:,} others" if silent else ""
    return text + (f", {total['open']:,} open" if total["open"] else "")
