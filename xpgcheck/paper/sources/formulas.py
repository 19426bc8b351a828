"""Evidence on the Σ₂ᵖ reduction: its properties on generated formulas, and the readings that fail."""

from __future__ import annotations

from typing import Any

from xpgcheck.paper.reduction.counterexamples import claim, claim_names, smallest_counterexample
from xpgcheck.paper.sources import Found, Items, Options, Results, SourceUnit
from xpgcheck.paper.sources.wrapped import tallies_json
from xpgcheck.properties.reduction.cases import formula_text
from xpgcheck.properties.reduction.exploring import explore_reduction

UNITS, FORMULAS = 12, 250
QUICK_UNITS, QUICK_FORMULAS = 1, 120
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
        for name in claim_names()[:2]
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
        "formulas": arguments["formulas"],
        "tallies": tallies_json(outcome.tallies),
        "findings": findings,
    }


def _reading(name: str) -> dict[str, Any]:
    refuted = claim(name)
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
    held = opened = formulas = failed = 0
    findings = []
    for result in results.values():
        tally = result.get("tallies", {}).get(item)
        if tally is not None:
            formulas += result["formulas"]
            held, opened, failed = held + tally["held"], opened + tally["open"], failed + tally["failed"]
            findings += [found for found in result["findings"] if found["property"] == item]
    command = f"xpgcheck paper reduction --property {item}"
    amount = f"held on {held:,} of {formulas:,} generated formulas" + (f", {opened} open" if opened else "")
    if findings or failed:
        example = min(findings, key=lambda found: len(found["text"]), default=None)
        return Found(False, amount, "", example, command)
    return Found(True if held and not opened else None, amount, "at most 12 clauses over 8 variables", None, command)
