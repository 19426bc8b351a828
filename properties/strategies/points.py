"""Strategies for instances and for cases."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from hypothesis import strategies as st

from xpgcheck.model.classifier import Classifier
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import MISSING, Point, Value
from xpgcheck.properties.borders import border_values
from xpgcheck.properties.cases import Case
from xpgcheck.properties.strategies.atoms import below
from xpgcheck.properties.strategies.kinds import DEFAULT_SIZE, graphs


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
