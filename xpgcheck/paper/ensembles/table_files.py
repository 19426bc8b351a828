"""Files of the table: CSV with a line for each log, LaTeX with one for each forest, JSON Lines with one for each claim."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from xpgcheck.paper.ensembles.corpus import KINDS
from xpgcheck.paper.ensembles.verdict_tables import ASTRAY, IDLE, VerdictRow

COLUMNS = (
    *("forest", "claims", "repeated", "counted", "right", "redundant", "not_even_weak", "open"),
    *("published_right", "published_redundant", "published_not_even_weak", "as_published"),
    *("witnesses", "idle_witnesses", "published_idle_witnesses", "astray_witnesses"),
    *("points", "no_by_two_routes"),
)


def csv_table(rows: Sequence[VerdictRow]) -> str:
    """Return the rows as CSV with a header; a cell is empty where nothing is published."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        idle = row.published_idle
        writer.writerow(
            [
                *(row.forest, KINDS[row.kind], row.repeated, row.verdicts.total(), *row.counts, row.open),
                *(("", "", "") if row.published is None else row.published),
                "" if row.as_published is None else "yes" if row.as_published else "no",
                *(row.witnesses["given"], row.witnesses[IDLE], "" if idle is None else idle, row.witnesses[ASTRAY]),
                *(row.points, row.routes.total()),
            ]
        )
    return text.getvalue()


def evidence_lines(results: Mapping[str, dict[str, Any]]) -> str:
    """Return a line of JSON about each claim that was judged: its verdict, and each answer that it rests on."""
    documents = (document for result in results.values() for document in result["documents"])
    return "".join(json.dumps(document, ensure_ascii=False) + "\n" for document in documents)


def latex_table(rows: Sequence[VerdictRow]) -> str:
    """Return a ``tabular`` of the forests; where a published count is another one, it stands in parentheses.

    Right, redundant and insufficient AXps; right, redundant and ineffective CXps; witnesses with the instance's class.
    """
    forests: dict[str, dict[str, VerdictRow]] = {}
    for row in rows:
        forests.setdefault(row.forest, {})[row.kind] = row
    lines = [
        r"\begin{tabular}{lrrrrrrr}",
        r"\hline",
        r"& \multicolumn{3}{c}{AXps} & \multicolumn{3}{c}{CXps} & idle \\",
        r"forest & right & redundant & insufficient & right & redundant & ineffective & witnesses \\",
        r"\hline",
    ]
    for name, kinds in forests.items():
        cells = [_escaped(name)]
        for kind in KINDS:
            cells += _counts(kinds.get(kind))
        cells.append(_idle(kinds.get("cxp")))
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\hline", r"\end{tabular}", ""])


def _counts(row: VerdictRow | None) -> list[str]:
    if row is None:
        return ["", "", ""]
    published = row.counts if row.published is None else row.published
    return [_cell(now, then) for now, then in zip(row.counts, published, strict=True)]


def _idle(row: VerdictRow | None) -> str:
    if row is None:
        return ""
    idle = row.witnesses[IDLE]
    return _cell(idle, idle if row.published_idle is None else row.published_idle)


def _cell(now: int, then: int) -> str:
    return f"{now:,}" if now == then else f"{now:,} ({then:,})"


_SPECIAL = {character: f"\\{character}" for character in "&%$#_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
}


def _escaped(name: str) -> str:
    return "".join(_SPECIAL.get(character, character) for character in name)
