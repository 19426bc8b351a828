"""Every row answered, in order: rows that no explanation tells apart once, by several processes, in bounded memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.runs.pool import pooled_in_order
from xpgcheck.tables.answers import TableWork
from xpgcheck.tables.asked import RowAnswer, RowItem, RowPart, TableAsked
from xpgcheck.tables.rows import TableRow

TREE_BLOCK = 512
"""Different rows of a tree that a process takes at a time."""

OTHER_BLOCK = 8
"""Different rows of any other model that a process takes at a time."""

MAX_WAITING = 4_096
"""Rows that wait for one block to be full."""

MAX_ANSWERS = 50_000
"""Answers that are kept for rows that are the same."""

Key = tuple[int, ...] | Point


@dataclass(slots=True)
class _RowBlock:
    """Rows that are answered together: those that are new, and all of them with their keys."""

    generation: int
    rows: list[tuple[TableRow, Key]]
    keys: list[Key]
    items: list[RowItem]


class AnsweredRows:
    """Yields the rows of a table with their answers.  ``distinct`` counts the rows that were explained so far."""

    def __init__(self, model: DecisionGraph | Ensemble, asked: TableAsked, jobs: int = 1) -> None:
        """Prepare the work for *jobs* processes."""
        self.distinct = 0
        self._work = TableWork(model, asked)
        self._jobs = jobs
        # Where nothing but the model's cells of values matters, rows with the same ones are the same.
        self._by_point = RowPart.CHANGE in asked.parts or asked.constraint is not None
        is_tree = isinstance(model, DecisionGraph) and model.is_tree() and asked.constraint is None
        self._size = TREE_BLOCK if is_tree else OTHER_BLOCK

    def of(self, rows: Iterable[TableRow]) -> Iterator[tuple[TableRow, RowAnswer]]:
        """Yield each of *rows* with its answer, in their order; a few blocks are under way at a time."""
        waiting: deque[_RowBlock] = deque()

        def items() -> Iterator[list[RowItem]]:
            for block in self._blocks(rows):
                waiting.append(block)
                yield block.items

        known: dict[Key, RowAnswer] = {}
        generation = 0
        for answers in pooled_in_order(self._work, items(), self._jobs, named=lambda _: "rows of the table"):
            block = waiting.popleft()
            if block.generation != generation:
                known.clear()
                generation = block.generation
            known.update(zip(block.keys, answers, strict=True))
            self.distinct += len(answers)
            for row, key in block.rows:
                yield row, known[key]

    def _blocks(self, rows: Iterable[TableRow]) -> Iterator[_RowBlock]:
        """Yield *rows* in blocks; each of them is new in one block of its generation, the first that has it."""
        seen: set[Key] = set()
        block = _RowBlock(0, [], [], [])
        for row in rows:
            key: Key = row.point if self._by_point else row.cells
            block.rows.append((row, key))
            if key not in seen:
                seen.add(key)
                block.keys.append(key)
                block.items.append(RowItem(row.cells, row.point if self._by_point else None))
            if len(block.items) >= self._size or len(block.rows) >= MAX_WAITING:
                yield block
                is_full = len(seen) >= MAX_ANSWERS
                block = _RowBlock(block.generation + is_full, [], [], [])
                if is_full:
                    seen.clear()
        if block.rows:
            yield block
