"""The truth about a graph, from the bare table of its class at every point: Eq. 1 and Eq. 2 by their text.

Nothing here knows of explanation graphs, nor of the project's graphs: a point is one bit of a mask, read off the rows.
The instance is (0, …, 0).  Sets of features are masks too, bit i being feature i.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xpgcheck.paper.bounded.generation import NODE, NOTHING, Bound, Rows

NOWHERE = -1
"""The end of a point that a node leads to nothing (only without assumption (i))."""


@dataclass(frozen=True, slots=True)
class Truth:
    """``sufficient[s]``: Eq. 1 holds of the set s.  The families are sorted by size, then as numbers."""

    features: int
    sufficient: tuple[bool, ...]
    axps: tuple[int, ...]
    cxps: tuple[int, ...]

    @property
    def everything(self) -> int:
        """The mask of all features."""
        return len(self.sufficient) - 1

    def weak_cxp(self, members: int) -> bool:
        """Tell whether Eq. 2 holds of *members*: some point that agrees with v elsewhere has another class."""
        return not self.sufficient[self.everything & ~members]

    def axp_inside(self, seed: int, order: Iterable[int]) -> int:
        """Return what is left of *seed* when each feature in *order* goes out where Eq. 1 still holds without it."""
        for feature in order:
            if seed >> feature & 1 and self.sufficient[seed & ~(1 << feature)]:
                seed &= ~(1 << feature)
        return seed

    def cxp_inside(self, seed: int, order: Iterable[int]) -> int:
        """Return what is left of *seed* when each feature in *order* goes out where Eq. 2 still holds without it."""
        for feature in order:
            if seed >> feature & 1 and self.weak_cxp(seed & ~(1 << feature)):
                seed &= ~(1 << feature)
        return seed


def ends(bound: Bound, rows: Rows) -> dict[int, int]:
    """Return, for each class (and ``NOWHERE``), the mask of the points that end there.

    All paths from the root are walked, each with the points that are consistent with it.
    """
    having = points_having(bound.features, bound.values)
    found: dict[int, int] = {}
    if not rows:
        return {0: all_points(bound.features, bound.values)}
    waiting = [(0, all_points(bound.features, bound.values))]
    while waiting:
        node, points = waiting.pop()
        feature, *targets = rows[node]
        for values, target in zip(having[feature], targets, strict=True):
            rest = points & values
            if not rest:
                continue
            if NODE <= target < NOTHING:
                waiting.append((target - NODE, rest))
            else:
                end = target if target < NODE else NOWHERE
                found[end] = found.get(end, 0) | rest
    return found


def class_of_instance(found: dict[int, int]) -> int:
    """Return where (0, …, 0) ends; it is point 0."""
    return next(end for end, points in found.items() if points & 1)


def truth_of(bound: Bound, found: dict[int, int]) -> Truth:
    """Return the truth about the instance, given the *found* ends of all points."""
    own = class_of_instance(found)
    differ = 0
    for end, points in found.items():
        if end != own:
            differ |= points
    return _truth(bound.features, bound.values, differ)


@functools.lru_cache(maxsize=100_000)
def _truth(features: int, values: int, differ: int) -> Truth:
    sets = range(1 << features)
    sufficient = tuple(not agree & differ for agree in points_agreeing(features, values))
    everything = len(sets) - 1
    axps = minimal(s for s in sets if sufficient[s])
    cxps = minimal(s for s in sets if not sufficient[everything & ~s])
    return Truth(features, sufficient, axps, cxps)


def minimal(masks: Iterable[int]) -> tuple[int, ...]:
    """Return those of *masks* that hold no other of them, smallest first."""
    kept: list[int] = []
    for mask in sorted(masks, key=lambda mask: (mask.bit_count(), mask)):
        if not any(other & mask == other for other in kept):
            kept.append(mask)
    return tuple(kept)


def minimal_hitting_sets(family: Sequence[int], features: int) -> tuple[int, ...]:
    """Return the minimal sets of features that meet each of *family*, by looking at all sets."""
    return minimal(s for s in range(1 << features) if all(s & mask for mask in family))


@functools.lru_cache(maxsize=100)
def all_points(features: int, values: int) -> int:
    """Return the mask of feature space."""
    count: int = values**features
    return (1 << count) - 1


@functools.lru_cache(maxsize=100)
def points_having(features: int, values: int) -> tuple[tuple[int, ...], ...]:
    """Return the mask of points with value k of feature i, at [i][k].  Point p has the digit i of p in base *values*."""
    masks = [[0] * values for _ in range(features)]
    for point in range(values**features):
        for feature in range(features):
            masks[feature][point // values**feature % values] |= 1 << point
    return tuple(map(tuple, masks))


@functools.lru_cache(maxsize=100)
def points_agreeing(features: int, values: int) -> tuple[int, ...]:
    """Return the mask of points that are 0 at all features in s, at [s]."""
    having = points_having(features, values)
    masks = []
    for members in range(1 << features):
        mask = all_points(features, values)
        for feature in range(features):
            if members >> feature & 1:
                mask &= having[feature][0]
        masks.append(mask)
    return tuple(masks)
