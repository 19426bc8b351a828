"""A closest point of another class for a CXp of any classifier: combinations of places, the nearest first.

Every point of another class that agrees with the instance outside a CXp differs from it on all of its features.  So each of
them moves to another place, and combinations of moves come in the order of their distance
(:mod:`xpgcheck.explanations.distances`) until one changes the class.  The first is closest.  After ``BUDGET`` combinations,
a point that is known is moved nearer, a feature at a time, and marked as not shown to be closest.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from xpgcheck.errors import ModelError
from xpgcheck.explanations.closest import ClosestPoint
from xpgcheck.explanations.distances import NONE, Distance, distances, nearest_value
from xpgcheck.model.classifier import Classifier
from xpgcheck.model.values import Point, Value

BUDGET = 3_000
"""Combinations that are tried for one CXp (about half a second of fifty trees)."""


class Move(NamedTuple):
    """A feature's value in another place, and how far that is."""

    distance: Distance
    value: Value


def closest_moves(
    classifier: Classifier,
    point: Point,
    cxp: Sequence[int],
    start: Point | None,
    changed: Callable[[Point], int | None],
) -> ClosestPoint | None:
    """Return a closest point of another class that differs from *point* on the features *cxp*.

    *changed* gives the class of a point where it is another one for certain.  *start* is a point where it does, if one is
    known; without one, None where that takes more than ``BUDGET`` combinations.
    """
    moves = [_moves(classifier, feature, point[feature]) for feature in cxp]
    found = _nearest_first(classifier, point, cxp, moves, changed)
    if found is not None:
        return found
    return None if start is None else _moved_nearer(classifier, cxp, moves, changed, start)


def _moves(classifier: Classifier, feature: int, value: Value) -> list[Move]:
    """Return the moves of *feature* away from *value*, the nearest first."""
    cells, domain = classifier.cells[feature], classifier.features[feature].domain
    away = [
        Move(distance, nearest_value(domain, cell, value))
        for cell, distance in zip(cells, distances(cells, value), strict=True)
        if value not in cell
    ]
    return sorted(away, key=lambda move: move.distance)


def _nearest_first(
    classifier: Classifier,
    point: Point,
    cxp: Sequence[int],
    moves: list[list[Move]],
    changed: Callable[[Point], int | None],
) -> ClosestPoint | None:
    """Try combinations of *moves*, the nearest first; each comes up once."""
    first = (0,) * len(cxp)
    heap: list[tuple[Distance, tuple[int, ...], int]] = [(_total(moves, first), first, 0)]
    for _ in range(BUDGET):
        if not heap:
            # All that changes is within rounding.
            return None
        distance, chosen, place = heapq.heappop(heap)
        there = _point(point, cxp, moves, chosen)
        reached = changed(there)
        if reached is not None:
            return ClosestPoint(there, classifier.classes[reached], distance, True)
        # Only the last feature that moved on, and those behind it, move on: every combination has one way to it.
        for feature in range(place, len(cxp)):
            if chosen[feature] + 1 < len(moves[feature]):
                farther = (*chosen[:feature], chosen[feature] + 1, *chosen[feature + 1 :])
                heapq.heappush(heap, (_total(moves, farther), farther, feature))
    return None


def _moved_nearer(
    classifier: Classifier,
    cxp: Sequence[int],
    moves: list[list[Move]],
    changed: Callable[[Point], int | None],
    start: Point,
) -> ClosestPoint:
    """Move *start* nearer to the instance, a feature at a time, as long as the class stays another."""
    current = list(start)
    total = NONE
    for feature, ways in zip(cxp, moves, strict=True):
        before = current[feature]
        cell = next(cell for cell in classifier.cells[feature] if before in cell)
        for move in ways:
            current[feature] = move.value
            if move.value in cell or changed(tuple(current)) is not None:
                total = Distance(total.cells + move.distance.cells, total.value + move.distance.value)
                break
    there = tuple(current)
    reached = changed(there)
    if reached is None:
        raise ModelError("a point of another class does not replay", mend="report this")
    return ClosestPoint(there, classifier.classes[reached], total, False)


def _total(moves: list[list[Move]], chosen: Sequence[int]) -> Distance:
    cells, value = 0, Fraction(0)
    for ways, which in zip(moves, chosen, strict=True):
        cells += ways[which].distance.cells
        value += ways[which].distance.value
    return Distance(cells, value)


def _point(point: Point, cxp: Sequence[int], moves: list[list[Move]], chosen: Sequence[int]) -> Point:
    values = list(point)
    for feature, ways, which in zip(cxp, moves, chosen, strict=True):
        values[feature] = ways[which].value
    return tuple(values)
