"""Explanations over conditions with theory, by κ at every point that the graph's literals can tell apart."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Sequence

from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Answer
from xpgcheck.oracles.conditions import Condition
from xpgcheck.oracles.exhaustive import DEFAULT_LIMIT, CellTable


class ConditionCells:
    """The cells of one graph, and which of its conditions each kind of value makes true: made once, for every instance.

    Each part is made by the first question that needs it.
    """

    def __init__(self, table: CellTable, conditions: Sequence[Condition]) -> None:
        """Take *conditions* as ``conditions_of(table.graph)`` gives them: kinds of values are those of its literals."""
        self.table = table
        self.conditions = tuple(conditions)

    @functools.cached_property
    def true(self) -> list[list[int]]:
        """For each of ``table.features``, of each kind of its values: the conditions that are true there, as bits."""
        of_feature: dict[int, list[int]] = {i: [] for i in self.table.features}
        for index, condition in enumerate(self.conditions):
            of_feature[condition.feature].append(index)
        return [
            [
                sum(1 << index for index in of_feature[i] if value in self.conditions[index].values)
                for value in self.table.values[i]
            ]
            for i in self.table.features
        ]


class ExhaustiveInBoxOracle:
    """The definitions over conditions with theory, by looking at every cell.

    A cell differs from the instance on a set of conditions.  Up to *limit* cells of the graph, the first question of an
    instance looks at all of them (O(cells)) and keeps, for each set of conditions on which a cell of another class
    differs, one such cell; a question is then a scan of the minimal ones.  Over the limit, a question is answered where
    the box of its fixed conditions has at most *limit* cells, else "unknown".
    """

    name = "exhaustive"
    engine = "exhaustive"

    def __init__(self, cells: ConditionCells, point: Point, limit: int = DEFAULT_LIMIT) -> None:
        self.cells = cells
        self.limit = limit
        self._point = point
        self._class = cells.table.graph.kappa(point)
        self._changes: list[tuple[int, tuple[int, ...]]] | None = None

    @functools.cached_property
    def _own(self) -> tuple[int, ...]:
        """The instance's cell."""
        table = self.cells.table
        return tuple(table.kind(i, self._point[i]) for i in table.features)

    @functools.cached_property
    def _differs(self) -> list[list[int]]:
        """For each tested feature, of each kind of value: the conditions that come out otherwise than at the instance."""
        return [[bits ^ kinds[own] for bits in kinds] for kinds, own in zip(self.cells.true, self._own, strict=True)]

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Tell whether some point that agrees with the instance on the conditions *fixed* has another class."""
        mask = sum(1 << i for i in frozenset(fixed))
        table = self.cells.table
        if table.too_large:
            return Answer(None, None, self.name, "the graph has too many literals for a table of its cells")
        if table.size > self.limit:
            return self._scan(mask)
        for change, kinds in self._minimal_changes():
            if not change & mask:
                return Answer(True, self._point_of(kinds), self.name)
        return Answer(False, None, self.name)

    def _minimal_changes(self) -> list[tuple[int, tuple[int, ...]]]:
        """Return (conditions that differ as bits, cell) of cells of another class, only minimal sets of conditions."""
        if self._changes is None:
            table = self.cells.table
            masks = [0]
            for bits in self._differs:
                masks = [mask | differs for mask in masks for differs in bits]
            combinations = itertools.product(*(range(len(bits)) for bits in self._differs))
            found: dict[int, tuple[int, ...]] = {}
            for mask, class_index, kinds in zip(masks, table.classes(), combinations, strict=True):
                if class_index != self._class:
                    found.setdefault(mask, kinds)
            self._changes = []
            for mask in sorted(found, key=int.bit_count):
                if not any(small & mask == small for small, _ in self._changes):
                    self._changes.append((mask, found[mask]))
        return self._changes

    def _scan(self, fixed: int) -> Answer:
        table = self.cells.table
        choices = [[kind for kind, differs in enumerate(bits) if not differs & fixed] for bits in self._differs]
        if math.prod(map(len, choices)) > self.limit:
            return Answer(None, None, self.name, f"more cells than the limit of {self.limit}")
        for kinds in itertools.product(*choices):
            if table.class_of(kinds) != self._class:
                return Answer(True, self._point_of(kinds), self.name)
        return Answer(False, None, self.name)

    def _point_of(self, kinds: tuple[int, ...]) -> Point:
        """Return a point of that cell that keeps the instance's value wherever it is of that kind."""
        values = list(self._point)
        table = self.cells.table
        for i, kind, own in zip(table.features, kinds, self._own, strict=True):
            if kind != own:
                values[i] = table.values[i][kind]
        return tuple(values)
