"""Boxes of a tree, by its paths: those to other classes, and the features of a box by which each is shut.

For each path to a terminal, the cells that it leaves of every feature on it are gathered, once per tree.  A path is *shut*
by a feature where the box has none of these cells.  Every path to another class is shut by some feature of a weak AXp; cells
of a feature are bad where they are on a path that is shut by that feature alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from xpgcheck.model.decision_graph import DecisionGraph

Cells = dict[int, int]
"""The cells that a path leaves, as bits, for each feature on it."""


def cells_of(ranges: Sequence[tuple[int, int]]) -> int:
    """Return *ranges* of cells, each up to before its end, as bits."""
    bits = 0
    for low, high in ranges:
        bits |= (1 << high) - (1 << low)
    return bits


class TreePaths:
    """The paths of a tree.  ``paths`` are the class at the end and the cells of each."""

    def __init__(self, graph: DecisionGraph) -> None:
        """Follow every path of *graph*, a tree.  O(nodes · depth)."""
        self.graph = graph
        masks = [cells_of(ranges) for ranges in graph.literal_cells]
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
        self._last: tuple[tuple[int, ...], int, OtherPaths] | None = None

    def others(self, places: Sequence[int], own: int) -> OtherPaths:
        """Return the paths to other classes than *own* as they are at *places*; the last ones are kept."""
        key = tuple(places)
        if self._last is None or self._last[0] != key or self._last[1] != own:
            self._last = key, own, OtherPaths([left for label, left in self.paths if label != own], key)
        return self._last[2]


def paths_near(graph: DecisionGraph, places: Sequence[int], loose: int, own: int) -> list[Cells]:
    """Return the paths of a tree to other classes than *own* that points take which are at *places* but on *loose* features.

    Of each, the cells that it leaves of the features *loose* (a mask).  Linear in the nodes that such paths have.
    """
    literal_cells, class_of, feature_of = graph.literal_cells, graph.class_of, graph.feature_of
    found: list[Cells] = []
    stack: list[tuple[int, Cells]] = [(0, {})]
    while stack:
        node, left = stack.pop()
        if class_of[node] >= 0:
            if class_of[node] != own:
                found.append(left)
            continue
        feature = feature_of[node]
        children = zip(graph.children[node], graph.literal_ids[node], strict=True)
        if not loose >> feature & 1:
            place = places[feature]
            stack += [(to, left) for to, index in children if any(a <= place < b for a, b in literal_cells[index])]
            continue
        before = left.get(feature, -1)
        for child, index in children:
            if both := before & cells_of(literal_cells[index]):
                stack.append((child, {**left, feature: both}))
    return found


class OtherPaths:
    """Paths to other classes at one point: of each the features that shut it, of each feature the paths that it shuts."""

    def __init__(self, cells: list[Cells], places: Sequence[int]) -> None:
        """Look at the cells of each path.  Linear."""
        self.cells = cells
        self.shut: list[int] = []
        self.shut_by: dict[int, list[int]] = {}
        for path, left in enumerate(cells):
            shut = 0
            for feature, bits in left.items():
                if not bits >> places[feature] & 1:
                    shut |= 1 << feature
                    self.shut_by.setdefault(feature, []).append(path)
            self.shut.append(shut)


class ShutPaths:
    """The paths of a tree to other classes, and what shuts each as a box grows."""

    def __init__(self, paths: OtherPaths, held: int) -> None:
        """Begin with the box of the cells at the point of *paths*, of the features *held* (a mask); all others are free."""
        self._paths = paths
        self._shut = [shut & held for shut in self._paths.shut]

    @property
    def is_open(self) -> bool:
        """Whether some path is shut by no feature."""
        return not all(self._shut)

    def open_paths(self) -> list[Cells]:
        """Return the cells of each path that is shut by no feature."""
        return [cells for cells, shut in zip(self._paths.cells, self._shut, strict=True) if not shut]

    def bad(self, feature: int) -> int:
        """Return the cells of *feature* with which the box has a point of another class."""
        bit, found, shut, cells = 1 << feature, 0, self._shut, self._paths.cells
        for path in self._paths.shut_by.get(feature, ()):
            if shut[path] == bit:
                found |= cells[path][feature]
        return found

    def grow(self, feature: int, kept: int) -> None:
        """Have the box have the cells *kept* of *feature*."""
        bit, shut, cells = 1 << feature, self._shut, self._paths.cells
        for path in self._paths.shut_by.get(feature, ()):
            if shut[path] & bit and cells[path][feature] & kept:
                shut[path] ^= bit
