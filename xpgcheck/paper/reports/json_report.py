"""The run as JSON (``xpgcheck schema paper-report``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xpgcheck.paper.judging import JudgedCheck, JudgedRow, exit_status
from xpgcheck.paper.sources import Results
from xpgcheck.reports.documents import document_text

FORMAT = "xpgcheck-paper-report"
VERSION = 1


def json_report(rows: Sequence[JudgedRow], results: Mapping[str, Results], options: Mapping[str, Any]) -> str:
    """Return the report: options, rows with their checks, and how long each source took."""
    document = {
        "options": dict(options),
        "exit_status": exit_status(rows),
        "seconds": {
            name: round(sum(_seconds(found) for found in units.values()), 3) for name, units in results.items()
        },
        "units": {name: len(units) for name, units in results.items()},
        "rows": [_row(judged) for judged in rows],
    }
    return document_text(FORMAT, VERSION, document, ascii_only=False)


def _seconds(result: Mapping[str, Any]) -> float:
    seconds = result.get("seconds", 0.0)
    return float(seconds) if isinstance(seconds, (int, float)) else 0.0


def _row(judged: JudgedRow) -> dict[str, Any]:
    row = judged.row
    return {
        "id": row.id,
        "place": row.place,
        "statement": row.statement,
        "verdict": judged.verdict,
        "condition": row.condition if judged.verdict == "holds when" else "",
        "known": row.known,
        "remark": row.remark,
        "page": row.page,
        "checks": [_check(check) for check in judged.checks],
    }


def _check(judged: JudgedCheck) -> dict[str, Any]:
    check, found = judged.check, judged.found
    example = found.counterexample
    if example is not None:
        example = {key: value for key, value in example.items() if key != "svg"}
    return {
        "source": check.source,
        "item": check.item,
        "expect": check.expect.value,
        "turned_red_by": check.red_by,
        "holds": found.holds,
        "amount": found.amount,
        "limit": found.limit,
        "skipped": found.skipped,
        "command": found.command,
        "counterexample": example,
        "details": found.details,
    }
