"""Boxes of a tree, by its paths: those to other classes, and the features of a box by which each is shut.

Of each path to a terminal, the cells that it leaves of every feature on it are gathered once a tree.  A path is *shut* by a
feature where the box has none of these cells.  Every path to another class is shut by some feature of a weak AXp; cells of a
feature are bad where a path is shut by that feature alone, and has them.
"""

from __future__ import annotations

from collections.abc import Sequence

from xpgcheck.model.decision_graph import DecisionGraph

Cells = dict[int, int]
"""Of each feature on a path, the cells that it leaves, as bits."""


class TreePaths:
    """The paths of a tree.  ``paths`` are the class at the end and the cells of each."""

    def __init__(self, graph: DecisionGraph) -> None:
        """Follow every path of *graph*, a tree.  O(nodes · depth)."""
        self.graph = graph
        masks = [sum((1 << high) - (1 << low) for low, high in ranges) for ranges in graph.literal_cells]
        self.paths: list[tuple[int, Cells]] = []
        stack: list[tuple[int, Cells]] = [(0, {})]
        while stack:
            node, left = stack.pop()
            if graph.class_of[node] >= 0:
                self.paths.append((graph.class_of[node], left))
                continue
            feature = graph.feature_of[node]
            own = left.get(feature, -1)
            for child, index in zip(graph.children[node], graph.literal_ids[node], strict=True):
                if both := own & masks[index]:
                    stack.append((child, {**left, feature: both}))
        self._last: tuple[tuple[int, ...], int, list[tuple[int, Cells]]] | None = None

    def others(self, places: Sequence[int], own: int) -> list[tuple[int, Cells]]:
        """Return of each path to another class than *own* the features that shut it at *places* (a mask), and its cells."""
        key = tuple(places)
        if self._last is None or self._last[0] != key or self._last[1] != own:
            found = []
            for label, left in self.paths:
                if label != own:
                    shut = 0
                    for feature, bits in left.items():
                        if not bits >> places[feature] & 1:
                            shut |= 1 << feature
                    found.append((shut, left))
            self._last = key, own, found
        return self._last[2]


class ShutPaths:
    """The paths of a tree to other classes, and what shuts each as a box grows."""

    def __init__(self, tree: TreePaths, places: Sequence[int], own: int, held: int) -> None:
        """Begin with the box of the cells at *places*, of the features *held* (a mask); all others are free."""
        self._paths = [(shut & held, left) for shut, left in tree.others(places, own)]

    @property
    def is_open(self) -> bool:
        """Whether some path is shut by no feature."""
        return any(not shut for shut, _ in self._paths)

    def bad(self, feature: int) -> int:
        """Return the cells of *feature* with which the box has a point of another class."""
        bit, found = 1 << feature, 0
        for shut, left in self._paths:
            if shut == bit:
                found |= left[feature]
        return found

    def grow(self, feature: int, cells: int) -> None:
        """Have the box have *cells* of *feature*."""
        bit = 1 << feature
        self._paths = [
            (shut ^ bit, left) if shut & bit and left[feature] & cells else (shut, left) for shut, left in self._paths
        ]
