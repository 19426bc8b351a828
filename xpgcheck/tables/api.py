"""``xpgcheck.explain_table``: the explanations of every row of a table."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from xpgcheck.arguments import FLAG, SECONDS, TEXTS, Rule, count_from, optional, takes
from xpgcheck.errors import InputError, MissingPackageError, shown
from xpgcheck.explanations.api import constraint_of
from xpgcheck.explanations.inputs import classifier_of
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.readers.files import PathLike
from xpgcheck.tables.asked import DEFAULT_LIMIT, DEFAULT_PARTS, RowPart, TableAsked
from xpgcheck.tables.documents import ExplainedRowRecord
from xpgcheck.tables.files import PAGE, check_ending, columns_of, row_file
from xpgcheck.tables.page import MAX_ROWS, ShownRow, table_page
from xpgcheck.tables.records import RowRecords
from xpgcheck.tables.rows import TableSource, table_rows
from xpgcheck.tables.running import AnsweredRows
from xpgcheck.tables.summary import TableSummary
from xpgcheck.writers.atomic import write_atomically
from xpgcheck.writers.writable import check_writable

PART_NAMES = tuple(part.value for part in RowPart)

_PARTS = Rule(
    lambda parts: TEXTS.holds(parts) and bool(list(parts)) and all(part in PART_NAMES for part in parts),
    "a list of parts of a row",
    f"pass some of {', '.join(PART_NAMES)}",
)


class ExplainedTable:
    """The explanations of the rows of a table, worked out as they are asked for.

    Iterating gives one record per row, in their order: ``row``, ``prediction``, and what was asked for, under the names
    that
    the files have.  ``summary`` counts the roles of the features over the rows that were gone through last.
    """

    def __init__(self, model: DecisionGraph | Ensemble, source: TableSource, asked: TableAsked, jobs: int = 1) -> None:
        """Hold what is asked; nothing is read."""
        self.model = model
        self.asked = asked
        self.told: Callable[[int], None] = lambda _: None
        self._source = source
        self._jobs = jobs
        self._is_spent = False
        self._summary: TableSummary | None = None

    def __iter__(self) -> Iterator[ExplainedRowRecord]:
        """Yield the records of the rows.

        Raises ``InputError`` that names row and column where a row cannot be read, and where the rows can be gone through
        only once and have been.
        """
        for record, _ in self._rows():
            yield record

    def _rows(self) -> Iterator[ShownRow]:
        if self._is_spent:
            mend = "pass a list or a frame, or go through it once"
            raise InputError("the rows of this iterator are gone", place="table", mend=mend)
        self._is_spent = self._source.is_spent_by_reading
        answered = AnsweredRows(self.model, self.asked, self._jobs)
        records = RowRecords(self.model, self.asked)
        summary = TableSummary(self.model)
        for row, answer in answered.of(table_rows(self._source, self.model)):
            summary.add(answer)
            self.told(1)
            change = records.change_text(row, answer) if row.number <= MAX_ROWS else ""
            yield records.record(row, answer), change
        summary.distinct = answered.distinct
        self._summary = summary

    @property
    def summary(self) -> TableSummary:
        """The counts of each feature's roles, by class; the rows are gone through first where that was not done."""
        if self._summary is None:
            for _ in self._rows():
                pass
        assert self._summary is not None
        return self._summary

    def read_all(self) -> int:
        """Read every row, so that one that cannot be read is refused before any is explained; return their number.

        Rows that can be gone through only once are not read: their number is 0.
        """
        if self._source.is_spent_by_reading or not _is_regular(self._source.table):
            return 0
        return sum(1 for _ in self._source.points(self.model.features))

    def write(self, *paths: PathLike) -> TableSummary:
        """Write every row to *paths*, each in the format of its ending: ``.csv``, ``.jsonl``, ``.parquet`` or ``.html``.

        The page holds the summary and the first rows.  All files are whole or not there.  Raises ``InputError`` before any
        work where one cannot be written or has another ending, and where a row cannot be read; ``MissingPackageError`` for
        Parquet without its package.
        """
        targets = [Path(path) for path in paths]
        table = self._source.table
        for target in targets:
            check_ending(target)
            check_writable(target, Path(table) if isinstance(table, (str, os.PathLike)) else None)
        first: list[ShownRow] = []
        with ExitStack() as stack:
            files = [target for target in targets if target.suffix.lower() != PAGE]
            writers = [stack.enter_context(row_file(target, self.asked)) for target in files]
            for record, change in self._rows():
                for write in writers:
                    write(record)
                if len(first) < MAX_ROWS:
                    first.append((record, change))
            for target in targets:
                if target not in files:
                    write_atomically(target, table_page(self.summary, self.asked, first))
        return self.summary

    def to_frame(self) -> Any:
        """Return the rows as a pandas frame with the columns of the files, sets as tuples.

        Raises ``MissingPackageError`` without pandas.
        """
        try:
            import pandas
        except ImportError:
            raise MissingPackageError("frames need the package 'pandas'", mend="run: pip install pandas") from None
        from xpgcheck.tables.files import cells_of

        columns = columns_of(self.asked)
        return pandas.DataFrame([[cells_of(record)[name] for name in columns] for record in self], columns=columns)

    def __repr__(self) -> str:
        return f"<ExplainedTable of {shown(self.model.name)}>"


def _is_regular(table: object) -> bool:
    return not isinstance(table, (str, os.PathLike)) or os.path.isfile(table)


@takes(
    parts=_PARTS,
    limit=count_from(1),
    jobs=count_from(1),
    seconds=optional(SECONDS),
    drop_columns=TEXTS,
    ignore_extra_columns=FLAG,
)
def explain_table(
    model: object,
    table: Iterable[object] | PathLike,
    *,
    parts: Iterable[str] = tuple(part.value for part in DEFAULT_PARTS),
    limit: int = DEFAULT_LIMIT,
    jobs: int = 1,
    seconds: float | None = None,
    domains: object = None,
    constraints: Constraint | PathLike | None = None,
    drop_columns: Collection[str] = (),
    ignore_extra_columns: bool = False,
) -> ExplainedTable:
    """Return the explanations of every row of a table, to be gone through or written.

    Rows that are the same to the model are explained once, and the memory does not grow with the table.

    Parameters
    ----------
    model, domains, constraints
        As for :func:`xpgcheck.explain`.  A row that cannot occur is an error.
    table
        A pandas frame, rows one after the other (dicts, sequences, points), or the path of a CSV file.
    parts
        What is wanted of each row: ``axp`` (a smallest AXp), ``values`` (the values of its features that would do),
        ``axps`` and ``cxps`` (all of them), ``change`` (a closest change of class over all CXps).
    limit
        The largest number of AXps, and of CXps, of a row.
    jobs
        The number of processes.
    seconds
        The time for each row of an ensemble.
    drop_columns, ignore_extra_columns
        Columns that are left out, as for :func:`xpgcheck.read_instances`.

    Returns
    -------
    ExplainedTable
        An iterable of one record for each row, in their order.

    Raises
    ------
    InputError
        The model cannot be read or has no values.  Rows are read when they are gone through.

    Examples
    --------
    >>> [record.prediction for record in explain_table("omdd", [[0, 0, 2], [1, 1, 1]], parts=["axp"])]
    ['R', 'G']
    """
    graph = classifier_of(model, domains=domains)
    if isinstance(graph, LabelledGraph):
        problem = "an .xpg model has no domains, so no rows"
        raise InputError(problem, place="model", mend="explain the model that it was made from")
    constraint = constraint_of(graph, constraints)
    source = TableSource(table, tuple(drop_columns), ignore_extra_columns, constraint)
    asked = TableAsked(frozenset(RowPart(part) for part in parts), limit, seconds, constraint)
    return ExplainedTable(graph, source, asked, jobs)
