"""One source of evidence alone, as tables of text: what its units found, how far that reaches, and the last line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

from xpgcheck.paper.evidence_summary import EvidenceSummary
from xpgcheck.reports.conclusion import Conclusion
from xpgcheck.reports.documents import json_text

BOUNDED = {
    "laws": ("law", "place", "statement", "asked", "failed", "turned_red_by"),
    "counts": ("bound", "tested", "assumed", "nodes", "pairs", "labelled", "counted"),
    "ablations": ("bound", "assumed", "law", "asked", "failed", "expected"),
}
SYMBOLIC = {
    "proof": ("theorem", "kind", "size", "variables", "clauses", "cubes", "lines", "confirmed", "seconds", "verdict"),
    "counterexample": ("theorem", "kind", "size", "verdict"),
    "mutation": ("theorem", "kind", "group", "verdict"),
}
ENSEMBLES = {
    "verdicts": (
        *("forest", "claims", "counted", "right", "redundant", "not even weak", "other", "open", "published"),
        *("idle", "published idle", "as published", "points", "two routes"),
    ),
    "explained": ("log", "what"),
}
"""The tables of a source, by what their rows say they are, and the columns of each."""


def outcome_text(found: EvidenceSummary, tables: Mapping[str, Sequence[str]]) -> str:
    """Return the *tables* of an outcome, its counts, what is open, the counterexample, the limits and the verdict."""
    lines: list[str] = []
    for name, columns in tables.items():
        rows = [row for row in found.details if name in (row.get("table"), row.get("what"))]
        if rows:
            lines += [*table(columns, ([row.get(column) for column in columns] for row in rows)), ""]
    lines += [f"{name}: {count:,}" for name, count in found.counts.items()]
    lines += [f"open: {fault}" for fault in found.faults]
    if found.counterexample is not None:
        lines.append(json.dumps(found.counterexample, ensure_ascii=False))
    return "\n".join([*lines, _conclusion(found).line(found.limits)])


def outcome_json(found: EvidenceSummary) -> str:
    """Return an outcome as JSON text."""
    return json_text(asdict(found))


def exit_status(found: EvidenceSummary) -> int:
    """Return 1 where something fails, 3 where it is open, else 0."""
    return _conclusion(found).status


def _conclusion(found: EvidenceSummary) -> Conclusion:
    return Conclusion.of(found.holds is False, found.holds is None)


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return the lines of a table as documents have them."""
    cells = (map(_cell, row) for row in rows)
    return [f"| {' | '.join(line)} |" for line in (columns, ["---"] * len(columns), *cells)]


def _cell(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) else "" if value is None else str(value).replace("|", "\\|")
