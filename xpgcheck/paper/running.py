"""A run of the table: units over processes, each kept in the journal as it ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xpgcheck.paper.catalogue import ROWS
from xpgcheck.paper.journal import PaperJournal
from xpgcheck.paper.rows import Row
from xpgcheck.paper.sources import Options, Results, SourceUnit, all_units, run_unit
from xpgcheck.runs.pool import pooled
from xpgcheck.runs.progress import telling


def units_for(rows: Sequence[Row], options: Options) -> list[SourceUnit]:
    """Return the units of all sources that *rows* look at; where these are some rows, units that bear on them alone."""
    asked: dict[str, set[str]] = {}
    for row in rows:
        for check in row.checks:
            asked.setdefault(check.source, set()).add(check.item)
    whole = len(rows) == len(ROWS)
    return all_units({name: None if whole else frozenset(items) for name, items in asked.items()}, options)


def run(
    units: Sequence[SourceUnit], journal: PaperJournal, jobs: int = 1, advance: Callable[[int], None] = lambda _: None
) -> dict[str, Results]:
    """Carry out those of *units* that *journal* has not; return the results of each source, by the names of units.

    Raises ``UndecidedError`` if a process dies: what is finished is in the journal.
    """
    left = [unit for unit in units if unit.name not in journal.results]
    advance(len(units) - len(left))
    with telling(lambda: journal.progress(len(units))):
        for unit, result in pooled(run_unit, left, jobs, lambda unit: unit.name):
            journal.add(unit, result)
            advance(1)
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for unit in units:
        found.setdefault(unit.source, {})[unit.name] = journal.results[unit.name]
    return dict(found)
