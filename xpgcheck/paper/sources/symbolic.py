"""Symbolic evidence: theorems proved for all graphs of a size at once (:mod:`xpgcheck.paper.symbolic`)."""

from __future__ import annotations

from typing import Any

from xpgcheck.paper.sources import Found, Items, Options, Results, SourceUnit, source_units
from xpgcheck.paper.symbolic import proof_evidence

run_unit = proof_evidence.run_unit


def units(options: Options, items: Items = None) -> list[SourceUnit]:
    """Return the units of the proofs and of their controls."""
    return [
        unit
        for unit in source_units("symbolic", proof_evidence.units(quick=options.quick))
        if items is None or f"{unit.arguments['theorem']}/{unit.arguments['kind']}" in items
    ]


def look(results: Results, item: str) -> Found:
    """Return whether "theorem/kind" is proved, and of what sizes; refuted where a counterexample was replayed."""
    theorem, _, kind = item.partition("/")
    command = f"xpgcheck paper symbolic --theorem '{theorem}' --graphs {kind} --shape 4,3,2"
    rows = [r for r in proof_evidence.outcome(results).details if r.get("theorem") == theorem and r.get("kind") == kind]
    refuted = [r for r in rows if r["verdict"] == "refuted"]
    if refuted:
        example = dict(refuted[0].get("counterexample") or {})
        size = ",".join(map(str, refuted[0]["size"]))
        example.setdefault("text", f"{theorem}, {kind}: a solver finds a graph (n,m,d = {size}), which is replayed")
        return Found(False, f"a counterexample at n,m,d = {size}", "", example, command)
    proofs = [r for r in rows if r["what"] == "proof"]
    proved = [r for r in proofs if r["verdict"] == "proved"]
    if not proved:
        return Found(None, "no size is finished", "", None, command)
    sizes = "; ".join(sorted({_size(r) for r in proved}))
    lines = sum(r["lines"] for r in proved)
    amount = f"all graphs of n,m,d = {sizes}" + (f", {lines:,} lines of proof checked" if lines else "")
    limit = "n non-terminals, m features, d values at most; larger graphs are not covered"
    open_ = len(proofs) - len(proved)
    return Found(None if open_ else True, amount + (f", {open_} sizes open" if open_ else ""), limit, None, command)


def _size(row: dict[str, Any]) -> str:
    return f"{','.join(map(str, row['size']))} ({row['confirmed']})"
