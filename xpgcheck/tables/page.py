"""The explanations of a table as one HTML page: the summary with bars, by class, and the first rows."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from xpgcheck.errors import printable
from xpgcheck.reports import pages
from xpgcheck.reports.lines import line
from xpgcheck.tables.asked import RowPart, TableAsked
from xpgcheck.tables.documents import ExplainedRowRecord
from xpgcheck.tables.plot import bars, percent
from xpgcheck.tables.summary import ROLE_TITLES, ClassCounts, TableSummary
from xpgcheck.wording import counted

MAX_ROWS = 500
"""Rows on the page; the other formats have all."""

MAX_CLASSES = 24
"""Classes with bars and a table of their own."""

MAX_SETS = 20
"""Sets that a cell lists."""

TITLES = {
    RowPart.AXP: "a smallest AXp",
    RowPart.VALUES: "because",
    RowPart.AXPS: "AXps",
    RowPart.CXPS: "CXps",
    RowPart.CHANGE: "closest change",
}

ShownRow = tuple[ExplainedRowRecord, str]
"""A row, and its closest change as a sentence."""


def table_page(summary: TableSummary, asked: TableAsked, rows: list[ShownRow]) -> str:
    """Return the page of *summary* and of the first *rows*.  Every text is escaped by the engine."""
    parts = [_part(summary, summary.all_classes(), "All rows")]
    classes = [pair for pair in zip(summary.class_names, summary.classes, strict=True) if pair[1].rows]
    if len(classes) > 1:
        parts += [_part(summary, counts, f"Class {line(name, 80)}") for name, counts in classes[:MAX_CLASSES]]
    return pages.page(
        "xpgcheck.tables",
        "table.html.j2",
        title=f"{line(summary.model_name, 80)}: {counted(summary.rows, 'row')}",
        name=line(summary.model_name, 200),
        facts=summary_facts(summary),
        parts=parts,
        roles=ROLE_TITLES,
        columns=["row", "class", *(title for part, title in TITLES.items() if part in asked.parts), ""],
        rows=[_cells(record, change, asked) for record, change in rows],
        more=summary.rows - len(rows),
    )


def summary_facts(summary: TableSummary) -> list[tuple[str, str]]:
    """Return what is to be said of the table as a whole."""
    alike = f", of which {summary.distinct:,} were explained: each other row is the same to the model as one of these"
    facts = [("rows", f"{summary.rows:,}{alike if summary.distinct < summary.rows else ''}")]
    if summary.undecided:
        facts.append(("undecided", f"in {counted(summary.undecided, 'row')}, not all roles of all features are known"))
    if summary.left_open:
        facts.append(("open", f"of {counted(summary.left_open, 'row')}, something is not known or not listed"))
    return facts


def _part(summary: TableSummary, counts: ClassCounts, title: str) -> dict[str, Any]:
    return {
        "title": f"{title}: {counted(counts.rows, 'row')}",
        "plot": bars(summary, counts, title),
        "nothing": "No feature is in any AXp or CXp.",
        "features": [
            {
                "name": line(summary.names[feature], 200),
                "counts": [(count, percent(count, counts.rows)) for count in counts.features[feature].roles],
            }
            for feature in summary.ranked(counts)
        ],
    }


def _cells(record: ExplainedRowRecord, change: str, asked: TableAsked) -> list[str]:
    cells = {
        RowPart.AXP: "" if record.axp is UNSET else _set_text(record.axp),
        RowPart.VALUES: "" if record.because is UNSET else record.because,
        RowPart.AXPS: "" if record.axps is UNSET else _sets_text(record.axps),
        RowPart.CXPS: "" if record.cxps is UNSET else _sets_text(record.cxps),
        RowPart.CHANGE: change,
    }
    left_open = "" if record.left_open is UNSET else record.left_open
    shown = [cells[part] for part in TITLES if part in asked.parts]
    return [f"{record.row:,}", line(record.prediction), *(line(cell, 2_000) for cell in shown), line(left_open)]


def _set_text(names: list[str]) -> str:
    return "{" + ", ".join(map(printable, names)) + "}"


def _sets_text(sets: list[list[str]]) -> str:
    more = f" and {len(sets) - MAX_SETS:,} more" if len(sets) > MAX_SETS else ""
    return " ".join(map(_set_text, sets[:MAX_SETS])) + more
