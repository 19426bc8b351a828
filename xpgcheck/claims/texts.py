"""Sets and points in one line of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xpgcheck.errors import shown
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import value_text
from xpgcheck.model.values import Point


def set_text(labels: Sequence[str], members: Iterable[int]) -> str:
    """Return the members of a set by their labels, in order, in braces."""
    return "{" + ", ".join(shown(labels[i], 40)[1:-1] for i in sorted(members)) + "}"


def point_text(space: DecisionGraph, point: Point) -> str:
    """Return the values of a point, each with its feature."""
    pairs = zip(space.features, point, strict=True)
    return ", ".join(f"{shown(f.name, 40)[1:-1]}={shown(value_text(v), 40)[1:-1]}" for f, v in pairs)
