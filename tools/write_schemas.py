"""Write the JSON Schemas of the documents that this package writes from the types that write them.

    python tools/write_schemas.py

A test compares the published files with what this writes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from xpgcheck.gate.check.documents import CheckReport
from xpgcheck.paper.reduction.documents import ReductionReport
from xpgcheck.paper.reports.documents import PaperReport
from xpgcheck.properties.running.documents import RunReport
from xpgcheck.reports.documents import json_text
from xpgcheck.reports.schemas import Record, schema_of

FOLDER = Path(__file__).resolve().parent.parent / "xpgcheck" / "schemas"

DOCUMENTS: dict[str, tuple[type[Record], str, str]] = {
    "check-report": (
        CheckReport,
        "Report of xpgcheck check, version 1",
        "https://xpgcheck.invalid/schemas/check-report-1.json",
    ),
    "paper-report": (PaperReport, "What 'xpgcheck paper --json' writes", ""),
    "reduction-report": (ReductionReport, "What 'xpgcheck reduction --json' writes about a CNF", ""),
    "run-report": (RunReport, "What 'xpgcheck run --json' writes", ""),
}
"""Of each schema: the type, the title and the identifier, if it has one."""


def schema(name: str) -> dict[str, Any]:
    """Return the schema called *name*."""
    return schema_of(*DOCUMENTS[name])


if __name__ == "__main__":
    for known in DOCUMENTS:
        (FOLDER / f"{known}.schema.json").write_text(json_text(schema(known), ascii_only=False), encoding="utf-8")
