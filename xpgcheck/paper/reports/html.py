"""The run as one page that needs nothing else: for a phone and a desk, light and dark."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from xpgcheck.judging.verdicts import Outcome
from xpgcheck.paper.judging import JudgedCheck, JudgedRow
from xpgcheck.paper.pictures import address
from xpgcheck.paper.reports.console import last_line
from xpgcheck.paper.rows import HOLDS, HOLDS_WHEN, INCONCLUSIVE, SKIPPED
from xpgcheck.reports.pages import page

OUTCOMES = {
    HOLDS: Outcome.HOLDS,
    HOLDS_WHEN: Outcome.HOLDS,
    INCONCLUSIVE: Outcome.INCONCLUSIVE,
    SKIPPED: Outcome.INCONCLUSIVE,
}
"""The looks of verdicts on rows; any other looks like a violation."""

MAX_TEXT = 4_000
MAX_ROWS = 400


def html_report(rows: Sequence[JudgedRow], options: Mapping[str, Any]) -> str:
    """Return the page.  Texts of subjects and data are escaped by the template engine."""
    counts = Counter(row.verdict for row in rows)
    return page(
        "xpgcheck.paper.reports",
        "paper.html.j2",
        parts=_parts(rows),
        counts=[(verdict, _outcome(verdict), count) for verdict, count in counts.items()],
        said=last_line(rows),
        options=[(key, "" if value is None else str(value)) for key, value in options.items()],
    )


def _parts(rows: Sequence[JudgedRow]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the rows under headings: those that are not as known first, then what fails or is open, then the rest."""
    parts: dict[str, list[dict[str, Any]]] = {
        "Not as known": [],
        "Fails as printed": [],
        "Open": [],
        "Holds": [],
        "Skipped": [],
    }
    for judged in rows:
        outcome = _outcome(judged.verdict)
        if judged.verdict == SKIPPED:
            heading = "Skipped"
        elif not judged.as_known:
            heading = "Not as known"
        elif outcome is Outcome.VIOLATED:
            heading = "Fails as printed"
        else:
            heading = "Open" if outcome is Outcome.INCONCLUSIVE else "Holds"
        parts[heading].append(_row(judged))
    return [(heading, found) for heading, found in parts.items() if found]


def _outcome(verdict: str) -> Outcome:
    return OUTCOMES.get(verdict, Outcome.VIOLATED)


def _row(judged: JudgedRow) -> dict[str, Any]:
    row = judged.row
    return {
        "id": row.id,
        "place": row.place,
        "statement": row.statement,
        "words": judged.words,
        "outcome": _outcome(judged.verdict),
        "skipped": judged.verdict == SKIPPED,
        "as_known": judged.as_known,
        "known": row.known,
        "remark": row.remark,
        "page": row.page,
        "checks": [_check(check) for check in judged.checks],
    }


def _check(judged: JudgedCheck) -> dict[str, Any]:
    found = judged.found
    example = found.counterexample or {}
    rest = {key: value for key, value in example.items() if key not in ("text", "svg")}
    return {
        "source": judged.check.source,
        "item": judged.check.item,
        "expect": judged.check.expect.value,
        "red_by": judged.check.red_by,
        "amount": found.skipped or found.amount,
        "limit": found.limit,
        "command": found.command,
        "example": str(example.get("text", ""))[:MAX_TEXT],
        "picture": address(str(example.get("svg", ""))),
        "document": json.dumps(rest, ensure_ascii=False)[:MAX_TEXT] if rest else "",
        "table": _table(found.details),
    }


def _table(details: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the rows of *details* under their keys, those of plain values only."""
    keys = [key for key, value in (details[0].items() if details else ()) if not isinstance(value, (dict, list))]
    return {
        "heads": [key.replace("_", " ") for key in keys],
        "rows": [["" if row.get(key) is None else str(row.get(key)) for key in keys] for row in details[:MAX_ROWS]],
    }
