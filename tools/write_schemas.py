"""Write the JSON Schemas of the documents that this package writes from the types that write them.

    python tools/write_schemas.py

A test compares the published files with what this writes.
"""

from __future__ import annotations

import json
from pathlib import Path

from xpgcheck.check.documents import CheckReport
from xpgcheck.paper.reports.documents import PaperReport
from xpgcheck.properties.running.documents import RunReport
from xpgcheck.reports.schemas import Record, schema_of

FOLDER = Path(__file__).resolve().parent.parent / "xpgcheck" / "schemas"

DOCUMENTS: dict[str, tuple[type[Record], str, str]] = {
    "check-report": (
        CheckReport,
        "Report of xpgcheck check, version 1",
        "https://xpgcheck.invalid/schemas/check-report-1.json",
    ),
    "paper-report": (PaperReport, "What 'xpgcheck paper --json' writes", ""),
    "run-report": (RunReport, "What 'xpgcheck run --json' writes", ""),
}
"""Of each schema: the type, the title and the identifier, if it has one."""


def schema_text(name: str) -> str:
    """Return the schema called *name* as its file has it."""
    return json.dumps(schema_of(*DOCUMENTS[name]), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for known in DOCUMENTS:
        (FOLDER / f"{known}.schema.json").write_text(schema_text(known), encoding="utf-8")
