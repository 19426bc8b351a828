"""Evidence on the Σ₂ᵖ reduction: its properties on generated formulas, and the readings that fail."""

from __future__ import annotations

from typing import Any

from xpgcheck.paper.reduction.counterexamples import CLAIMS, smallest_counterexample
from xpgcheck.paper.sources import Found, Items, Options, Results, SourceUnit
from xpgcheck.paper.sources.tallies import tallies_json, totals
from xpgcheck.properties.reduction.cases import formula_text
from xpgcheck.properties.reduction.exploring import explore_reduction

UNITS, FORMULAS = 12, 250
QUICK_UNITS, QUICK_FORMULAS = 1, 120
READINGS = ("B", "C-some")
"""The readings that fail of which the rows speak."""

CLAUSES, VARIABLES = 3, 2
"""The formulas among which the smallest counterexample of a reading is looked for, all of them."""


def units(options: Options, items: Items = None) -> list[SourceUnit]:
    """Return units of generated formulas, and one a reading."""
    count, formulas = (QUICK_UNITS, QUICK_FORMULAS) if options.quick else (UNITS, FORMULAS)
    names = sorted(item for item in items or () if not item.startswith("reading "))
    if items is not None and not names:
        count = 0
    readings = [
        SourceUnit("formulas", f"formulas/reading {name}", {"reading": name})
        for name in READINGS
        if items is None or f"reading {name}" in items
    ]
    generated = [
        SourceUnit(
            "formulas",
            f"formulas/{number + 1}",
            {"reading": "", "formulas": formulas, "seed": options.seed + (number << 40), "names": names},
        )
        for number in range(count)
    ]
    return [*readings, *generated]


def run_unit(arguments: dict[str, Any]) -> dict[str, Any]:
    """Look for a reading's smallest counterexample, or try all properties on generated formulas."""
    if arguments["reading"]:
        return _reading(arguments["reading"])
    outcome = explore_reduction(arguments["formulas"], arguments["seed"], properties=arguments["names"])
    findings = [
        {"property": found.property_name, "text": f"{formula_text(found.case.formula)}: {found.evidence}"}
        for found in outcome.findings
    ]
    return {
        "cases": arguments["formulas"],
        "tallies": tallies_json(outcome.tallies),
        "findings": findings,
    }


def _reading(name: str) -> dict[str, Any]:
    refuted = CLAIMS[name]
    found = smallest_counterexample(refuted, CLAUSES, VARIABLES)
    if found is None:
        return {"statement": refuted.statement, "counterexample": None}
    at = "" if found.point is None else f", at x₀ = ({', '.join(str(int(value)) for value in found.point)})"
    text = f"{formula_text(found.formula)}{at}: clause {found.clause + 1} is in no MUS, and its selector is in one"
    return {"statement": refuted.statement, "counterexample": {"text": text, "formula": formula_text(found.formula)}}


def look(results: Results, item: str) -> Found:
    """Return what became of the property *item*, or of "reading NAME"."""
    if item.startswith("reading "):
        result = results[f"formulas/{item}"]
        command = "xpgcheck paper reduction --readings"
        amount = f"all formulas of at most {CLAUSES} clauses over {VARIABLES} variables, smallest first"
        example = result["counterexample"]
        return Found(example is None, amount, result["statement"], example, command)
    total, findings = totals(results, item)
    command = f"xpgcheck paper reduction --property {item}"
    amount = f"held on {total['held']:,} of {total['cases']:,} generated formulas"
    amount += f", {total['open']} open" if total["open"] else ""
    if total["failed"]:
        example = min(findings, key=lambda found: len(found["text"]), default=None)
        return Found(False, amount, "", example, command)
    return Found(
        True if total["held"] and not total["open"] else None,
        amount,
        "at most 12 clauses over 8 variables",
        None,
        command,
    )
