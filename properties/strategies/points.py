"""Strategies for instances and for cases."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from fractions import Fraction

from hypothesis import strategies as st

from xpgcheck.model.classifier import Classifier
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import FiniteSet, Grid, IntervalSet, ValueSet
from xpgcheck.model.values import MISSING, Point, Value
from xpgcheck.properties.cases import Case
from xpgcheck.properties.strategies.atoms import below
from xpgcheck.properties.strategies.kinds import DEFAULT_SIZE, graphs

NEAR = Fraction(1, 1 << 20)
"""How close to an open end of reals an instance comes."""


@functools.lru_cache(maxsize=4096)
def border_values(cell: ValueSet) -> tuple[Value, ...]:
    """Return values of *cell*, its representative first: the ends of its intervals and their neighbours inside.

    A neighbour is the next number of the cell's grid, on the line of reals a number close by.  Kept by cell.
    """
    found: list[Value] = [cell.representative()]
    if isinstance(cell, FiniteSet):
        found.append(max(cell.values, key=str))
    else:
        found += [value for value in _ends(cell) if value in cell]
    return tuple(dict.fromkeys(found))


def _ends(cell: IntervalSet) -> list[Value]:
    ends: list[Value] = []
    for interval in cell.intervals():
        low, high = interval.low, interval.high
        if cell.grid is Grid.INTEGERS:
            ends += [int(end) + step for end in (low, high) if end is not None for step in (0, 1, -1)]
        elif cell.grid is Grid.DENSE:
            ends += [end + step for end in (low, high) if end is not None for step in (0, NEAR, -NEAR)]
        else:
            binary = cell.grid.binary
            for end in (binary.lowest if low is None else low, binary.highest if high is None else high):
                ends += [near for near in (end, binary.above(end), binary.below(end)) if near is not None]
    if cell.missing:
        ends.append(MISSING)
    return ends


@functools.lru_cache(maxsize=4096)
def _values(cells: tuple[ValueSet, ...]) -> tuple[Value, ...]:
    """Return the values to choose from: the missing value, alone in its cell, counts as much as the numbers of a cell."""
    return tuple(value for cell in cells for value in border_values(cell) for _ in range(3 if value is MISSING else 1))


def draw_point(draw: st.DrawFn, graph: Classifier) -> Point:
    """Draw a point of *graph*'s feature space: one choice a feature among the values at the borders of its cells."""
    point: list[Value] = []
    for cells in graph.cells:
        values = _values(cells)
        point.append(values[draw(below(len(values)))] if len(values) > 1 else values[0])
    return tuple(point)


@st.composite
def points(draw: st.DrawFn, graph: DecisionGraph) -> Point:
    """Points of *graph*'s feature space, ones that its literals' borders care about."""
    return draw_point(draw, graph)


@st.composite
def cases(
    draw: st.DrawFn, source: st.SearchStrategy[DecisionGraph] | None = None, size: int = DEFAULT_SIZE
) -> tuple[DecisionGraph, Point]:
    """Decision graphs, of *source* or else any of at most *size* nodes, each with an instance of it."""
    graph = draw(graphs(size) if source is None else source)
    return graph, draw_point(draw, graph)


_DICE = st.integers(0, (1 << 32) - 1)


@st.composite
def property_cases(draw: st.DrawFn, size: int = DEFAULT_SIZE, kinds: Sequence[str] | None = None) -> Case:
    """Cases for properties: a graph (see :func:`graphs`), an instance of it and the dice."""
    graph = draw(graphs(size, kinds))
    instance = draw_point(draw, graph)
    return Case(graph, instance, draw(_DICE))
