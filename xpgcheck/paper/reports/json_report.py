"""The run as JSON (``xpgcheck schema paper-report``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xpgcheck.paper.judging import JudgedCheck, JudgedRow, exit_status
from xpgcheck.paper.reports.documents import CheckRecord, PaperOptionsRecord, PaperReport, RowRecord
from xpgcheck.paper.sources import Results
from xpgcheck.reports.documents import record_text


def json_report(rows: Sequence[JudgedRow], results: Mapping[str, Results], options: Mapping[str, Any]) -> str:
    """Return the report: options, rows with their checks, and how long each source took."""
    document = PaperReport(
        options=PaperOptionsRecord(**options),
        exit_status=cast("Any", exit_status(rows)),
        seconds={name: round(sum(_seconds(found) for found in units.values()), 3) for name, units in results.items()},
        units={name: len(units) for name, units in results.items()},
        rows=[_row(judged) for judged in rows],
    )
    return record_text(document, ascii_only=False)


def _seconds(result: Mapping[str, Any]) -> float:
    seconds = result.get("seconds", 0.0)
    return float(seconds) if isinstance(seconds, (int, float)) else 0.0


def _row(judged: JudgedRow) -> RowRecord:
    row = judged.row
    return RowRecord(
        id=row.id,
        place=row.place,
        statement=row.statement,
        verdict=cast("Any", judged.verdict),
        condition=row.condition if judged.verdict == "holds when" else "",
        known=cast("Any", row.known),
        remark=row.remark,
        page=row.page,
        checks=[_check(check) for check in judged.checks],
    )


def _check(judged: JudgedCheck) -> CheckRecord:
    check, found = judged.check, judged.found
    example = found.counterexample
    if example is not None:
        example = {key: value for key, value in example.items() if key != "svg"}
    return CheckRecord(
        source=cast("Any", check.source),
        item=check.item,
        expect=cast("Any", check.expect.value),
        turned_red_by=check.red_by,
        holds=found.holds,
        amount=found.amount,
        limit=found.limit,
        skipped=found.skipped,
        command=found.command,
        counterexample=example,
        details=found.details,
    )
