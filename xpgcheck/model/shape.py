"""The shape of a graph, as far as algorithms can use it: found once, it serves every instance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

MANY_MASK_BITS = 100_000_000
"""Bits above which the features tested above each node are not gathered: they would fill the memory."""


class Shape(NamedTuple):
    """``tree``: every node but the root has one incoming edge.  ``read_once``: no path tests a feature twice (OBDDs, OMDDs).

    ``read_once`` may be False of a graph that was too large to look at; algorithms then only lose time.  ``upward`` are the
    non-terminals, children before their parents.
    """

    tree: bool
    read_once: bool
    upward: tuple[int, ...]


def shape_of(features: int, feature_of: Sequence[int], children: Sequence[Sequence[int]]) -> Shape:
    """Return the shape of a graph whose nodes are in topological order.  O(nodes + edges) operations on masks."""
    tree = sum(map(len, children)) == len(feature_of) - 1
    upward = tuple(node for node in range(len(feature_of) - 1, -1, -1) if feature_of[node] >= 0)
    return Shape(tree, _read_once(features, feature_of, children), upward)


def _read_once(features: int, feature_of: Sequence[int], children: Sequence[Sequence[int]]) -> bool:
    if features * len(feature_of) > MANY_MASK_BITS:
        return False
    above = [0] * len(feature_of)
    for node, feature in enumerate(feature_of):
        if feature >= 0:
            tested = above[node]
            if tested >> feature & 1:
                return False
            tested |= 1 << feature
            for child in children[node]:
                above[child] |= tested
    return True
