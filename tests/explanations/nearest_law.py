"""The nearest value of a cell, as a law over the cells of a graph."""

from __future__ import annotations

from fractions import Fraction

from xpgcheck.explanations.distances import nearest_value
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import contains
from xpgcheck.model.value_sets import FiniteSet, Grid
from xpgcheck.model.values import MISSING, Point


def a_nearest_value_is_nearest(graph: DecisionGraph, point: Point) -> None:
    for feature, cells, value in zip(graph.features, graph.cells, point, strict=True):
        for cell in cells:
            near = nearest_value(feature.domain, cell, value)
            assert near in cell
            assert contains(feature.domain, near)
            if value in cell:
                assert near == value
                continue
            if isinstance(cell, FiniteSet) or near is MISSING or value is MISSING:
                continue
            number, there = Fraction(value), Fraction(near)
            towards = 1 if number > there else -1
            if cell.grid is Grid.INTEGERS:
                assert int(there) + towards not in cell
            elif cell.grid is not Grid.DENSE:
                binary = cell.grid.binary
                step = binary.above(there) if towards > 0 else binary.below(there)
                assert step not in cell
            else:
                (span,) = cell.intervals()
                end, opened = (span.high, span.high_open) if towards > 0 else (span.low, span.low_open)
                past = (end - there) * towards
                assert past >= 0
                assert (past > 0) == opened
                if opened and end != number:
                    assert past <= abs(end - number) / 100
                if opened and span.low is not None and span.high is not None:
                    assert past <= (span.high - span.low) / 100
