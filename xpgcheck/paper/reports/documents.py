"""The report on the paper as JSON: its parts, of which the schema is made."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from xpgcheck.reports.schemas import Count, Record, ReportRecord


class PaperOptionsRecord(Record):
    """The options of the run."""

    quick: bool
    seed: Count
    data: str | None
    bound: str | None
    rows: Annotated[str, Meta(description="The rows that were asked for, all if empty.")]


class CheckRecord(Record):
    """Evidence for or against a row."""

    source: Literal[
        "examples", "models", "growth", "ablations", "formulas", "random", "symbolic", "bounded", "queries", "tables"
    ]
    item: Annotated[str, Meta(description="A property, law, theorem, example or table.")]
    expect: Annotated[
        Literal["holds", "fails without", "as printed"],
        Meta(
            description="The statement is tried; an assumption is left out, and it should fail; it is tried by the letter."
        ),
    ]
    turned_red_by: str
    holds: Annotated[bool | None, Meta(description="Null: open, or not tried.")]
    amount: str
    limit: str
    skipped: Annotated[str, Meta(description="Why nothing was tried, empty if something was.")]
    command: Annotated[str, Meta(description="What runs this check alone.")]
    counterexample: Annotated[
        dict[str, Any] | None,
        Meta(description="'text' says it in words; the rest is the graph, the case or the formula."),
    ]
    details: Annotated[list[dict[str, Any]], Meta(description="Rows of a table.")]


class RowRecord(Record):
    """A row of the table: a statement of the paper, with its verdict."""

    id: str
    place: Annotated[str, Meta(description="Where in the paper.")]
    statement: str
    verdict: Literal["holds", "holds when", "fails as printed", "fails", "inconclusive", "skipped"]
    condition: Annotated[str, Meta(description="The condition that completes 'holds when'.")]
    known: Annotated[
        Literal["holds", "holds when", "fails as printed"], Meta(description="The verdict that is known of the row.")
    ]
    remark: str
    page: Annotated[str, Meta(description="A page of docs/, empty if none.")]
    checks: Annotated[list[CheckRecord], Meta(min_length=1)]


class PaperReport(ReportRecord, kw_only=True, tag="xpgcheck-paper-report"):
    """Each row is a statement of the paper, with the verdict that its evidence shows.

    Each check names whose evidence it is, how much, how far it reaches, and what turns it red.
    """

    options: PaperOptionsRecord
    exit_status: Literal[0, 1, 2, 3]
    seconds: Annotated[dict[str, float], Meta(description="The time of the units of each source together.")]
    units: dict[str, Count]
    rows: list[RowRecord]
