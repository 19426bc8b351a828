"""Explanations by the definitions alone: every combination of cells, every set of features.

Reads decision graphs through κ and their cells; knows nothing of explanation graphs or of the package under test.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import FiniteSet, ValueSet
from xpgcheck.model.values import MISSING, Point, Value

Names = frozenset[str]


@dataclass(frozen=True)
class Truth:
    """All AXps and CXps, and for each CXp the least distance of a point that changes the class."""

    axps: set[Names]
    cxps: set[Names]
    distance: dict[Names, tuple[int, Fraction]]

    @property
    def relevant(self) -> Names:
        return frozenset().union(*self.axps)

    @property
    def necessary(self) -> Names:
        return frozenset.intersection(*self.axps)


def distance(cells: tuple[ValueSet, ...], cell: ValueSet, value: Value) -> tuple[int, Fraction]:
    """Return how far *cell* is from *value*, counted again: cells with numbers between, then the gap between numbers."""
    if value in cell:
        return 0, Fraction(0)
    if isinstance(cell, FiniteSet):
        return 1, Fraction(0)
    numbers = sorted(c.representative() for c in cells if c.representative() is not MISSING)
    there = cell.representative()
    if value is MISSING or there is MISSING:
        return len(numbers), Fraction(0)
    here = next(c.representative() for c in cells if value in c)
    between = sum(min(here, there) < number < max(here, there) for number in numbers)
    ends = [end for span in cell.intervals() for end in (span.low, span.high) if end is not None]
    return between + 1, min(abs(end - Fraction(value)) for end in ends)


def truth(graph: DecisionGraph, point: Point) -> Truth:
    """Return the AXps, the CXps and the least distances of *graph* at *point*."""
    target = graph.kappa(point)
    least: dict[Names, tuple[int, Fraction]] = {}
    for combination in itertools.product(*graph.cells):
        moved = [value not in cell for cell, value in zip(combination, point, strict=True)]
        there = tuple(
            cell.representative() if new else value for cell, value, new in zip(combination, point, moved, strict=True)
        )
        if graph.kappa(there) == target:
            continue
        changed = frozenset(f.name for f, new in zip(graph.features, moved, strict=True) if new)
        steps = [distance(c, cell, value) for c, cell, value in zip(graph.cells, combination, point, strict=True)]
        total = (sum(s for s, _ in steps), sum((gap for _, gap in steps), Fraction(0)))
        least[changed] = min(total, least.get(changed, total))
    cxps = minimal(set(least))
    names = [feature.name for feature in graph.features]
    subsets = [frozenset(c) for size in range(len(names) + 1) for c in itertools.combinations(names, size)]
    axps = minimal({s for s in subsets if all(s & cxp for cxp in cxps)})
    return Truth(axps, cxps, {cxp: least[cxp] for cxp in cxps})


def minimal(sets: set[Names]) -> set[Names]:
    return {s for s in sets if not any(other < s for other in sets)}
