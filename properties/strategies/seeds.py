"""Strategies for the seeds of the paper's Algorithms 2 and 3: weak AXps (Eq. 1) and weak CXps (Eq. 2).

They come from the definitions, over sets of cells; no explainer and no oracle has a part in it.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point, Value
from xpgcheck.properties.strategies.atoms import below


def changes(graph: DecisionGraph, point: Point) -> tuple[frozenset[int], ...]:
    """Return the minimal sets of features in which a point of another class than *point* differs from it.

    *graph* satisfies (i) and (ii).  Points are looked at by the paths they follow: what a path leaves of the cells is a
    product of sets, and every combination of cells is in exactly one of them.  Empty where κ is constant.  At most as many
    paths as combinations of cells; those that differ in more than a change known already are left out.
    """
    own = graph.kappa(point)
    home = tuple(1 << _cell_of(cells, value) for cells, value in zip(graph.cells, point, strict=True))
    literals = [sum((1 << high) - (1 << low) for low, high in ranges) for ranges in graph.literal_cells]
    found: list[int] = []
    start = (0, tuple((1 << len(cells)) - 1 for cells in graph.cells))
    seen = {start}
    stack = [start]
    while stack:
        node, left = stack.pop()
        differs = sum(1 << i for i, (mask, own_cell) in enumerate(zip(left, home, strict=True)) if not mask & own_cell)
        if any(known & differs == known for known in found):
            continue
        if graph.is_terminal(node):
            if graph.class_of[node] != own:
                found = [known for known in found if known & differs != differs] + [differs]
            continue
        feature = graph.feature_of[node]
        for child, index in zip(graph.children[node], graph.literal_ids[node], strict=True):
            rest = left[feature] & literals[index]
            following = (child, (*left[:feature], rest, *left[feature + 1 :]))
            if rest and following not in seen:
                seen.add(following)
                stack.append(following)
    return tuple(frozenset(i for i in range(len(point)) if mask >> i & 1) for mask in sorted(found))


def _cell_of(cells: tuple[ValueSet, ...], value: Value) -> int:
    return next(index for index, cell in enumerate(cells) if value in cell)


@st.composite
def weak_axp_seeds(draw: st.DrawFn, graph: DecisionGraph, point: Point) -> frozenset[int]:
    """Sets of features that satisfy Eq. 1 at *point*, all features the simplest; every weak AXp can come up.

    Nothing is rejected: features that a draw names are left out one by one, unless Eq. 1 would then fail.
    """
    found = changes(graph, point)
    return _thinned(draw, len(point), lambda kept: all(kept & change for change in found))


@st.composite
def weak_cxp_seeds(draw: st.DrawFn, graph: DecisionGraph, point: Point) -> frozenset[int]:
    """Sets of features that satisfy Eq. 2 at *point*, all features the simplest; every weak CXp can come up.

    Nothing is rejected.  Raises ``ValueError`` where κ is constant: then no set satisfies Eq. 2 (see :func:`changes`).
    """
    found = changes(graph, point)
    if not found:
        raise ValueError("κ is constant: no set of features is a weak CXp")
    return _thinned(draw, len(point), lambda kept: any(change <= kept for change in found))


def _thinned(draw: st.DrawFn, count: int, holds: Callable[[frozenset[int]], bool]) -> frozenset[int]:
    """Leave out the drawn ones of *count* features as far as *holds*, which must be monotone, goes on holding."""
    named = draw(below(1 << count))
    kept = frozenset(range(count))
    for feature in range(count):
        if named >> feature & 1 and holds(kept - {feature}):
            kept -= {feature}
    return kept
