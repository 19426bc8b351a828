"""The definitions by their text, for small feature spaces: a second opinion on the oracles themselves.

Points come from the model's cells, which the oracles do not use; κ is the model's.  Where a graph breaks assumption (i),
κ has no value at some points: such a point has another class than any instance.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point, Value
from xpgcheck.properties.verdicts import NotApplicable

MAX_POINTS = 20_000

NO_CLASS = -1


def cell_points(graph: DecisionGraph) -> Iterator[Point]:
    """Yield one point of every combination of cells.  Raises ``NotApplicable`` over ``MAX_POINTS`` of them."""
    if math.prod(map(len, graph.cells)) > MAX_POINTS:
        raise NotApplicable(f"more than {MAX_POINTS} combinations of cells")
    yield from itertools.product(*[[cell.representative() for cell in cells] for cells in graph.cells])


def class_at(graph: DecisionGraph, point: Point) -> int:
    """Return κ(*point*), or ``NO_CLASS`` where no terminal is reached."""
    try:
        return graph.kappa(point)
    except ValueError:
        return NO_CLASS


class Definition:
    """Which sets of features are weak AXps at an instance, by Eq. 1 over every combination of cells."""

    def __init__(self, graph: DecisionGraph, instance: Point) -> None:
        """Look at every combination once.  Raises ``NotApplicable`` where there are too many."""
        if math.prod(map(len, graph.cells)) > MAX_POINTS:
            raise NotApplicable(f"more than {MAX_POINTS} combinations of cells")
        own = class_at(graph, instance)
        homes = [_cell_of(cells, value) for cells, value in zip(graph.cells, instance, strict=True)]
        values = [[cell.representative() for cell in cells] for cells in graph.cells]
        # For each literal and cell of its feature, whether it holds there; for each node and cell, the child led to.
        held = [
            [any(low <= k < high for low, high in ranges) for k in range(len(graph.cells[literal.feature]))]
            for literal, ranges in zip(graph.literals, graph.literal_cells, strict=True)
        ]
        steps = [
            [
                next((child for child, index in zip(children, ids, strict=True) if held[index][k]), None)
                for k in range(len(graph.cells[feature]))
            ]
            if feature >= 0
            else []
            for feature, children, ids in zip(graph.feature_of, graph.children, graph.literal_ids, strict=True)
        ]
        self._changes: dict[frozenset[int], Point] = {}
        for place in itertools.product(*[range(len(cells)) for cells in graph.cells]):
            node: int | None = 0
            while node is not None and graph.class_of[node] < 0:
                node = steps[node][place[graph.feature_of[node]]]
            if (NO_CLASS if node is None else graph.class_of[node]) != own:
                differs = frozenset(
                    [i for i, (there, home) in enumerate(zip(place, homes, strict=True)) if there != home]
                )
                if differs not in self._changes:
                    witness = [values[i][k] if i in differs else instance[i] for i, k in enumerate(place)]
                    self._changes[differs] = tuple(witness)

    def changeable(self, fixed: frozenset[int]) -> bool:
        """Tell whether a point that agrees with the instance on *fixed* has another class."""
        return any(not change & fixed for change in self._changes)

    def witness(self, fixed: frozenset[int]) -> Point | None:
        """Return a point of another class that agrees with the instance on *fixed*; None where there is none."""
        return next((point for change, point in self._changes.items() if not change & fixed), None)

    def minimal_changes(self) -> set[frozenset[int]]:
        """Return the CXps: the minimal sets of features in which a point of another class differs from the instance."""
        return {change for change in self._changes if not any(other < change for other in self._changes)}


def _cell_of(cells: tuple[ValueSet, ...], value: Value) -> int:
    return next(k for k, cell in enumerate(cells) if value in cell)
