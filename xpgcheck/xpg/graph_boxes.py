"""Boxes of a decision graph at a point: which cells of a feature have a point of another class, and what may join a set."""

from __future__ import annotations

import functools
import threading
from collections.abc import Sequence
from typing import Protocol

from xpgcheck.errors import LimitError
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import IntervalSet, ValueSet
from xpgcheck.model.values import Point
from xpgcheck.xpg.ensembles.places import FeaturePlaces
from xpgcheck.xpg.explanation_graph import mask_of
from xpgcheck.xpg.tree_boxes import OtherPaths, ShutPaths, TreePaths, cells_of, paths_near

MAX_STATES = 1_000_000
"""Combinations of a node and what is left of features that paths test again, which one traversal may look at."""


class CellBox(Protocol):
    """A box of cells around a point, and where it has points of another class."""

    @property
    def is_open(self) -> bool:
        """Whether the box has a point of another class."""

    def bad(self, feature: int) -> int:
        """Return the cells of *feature* that make a point of another class with what the box has of the others."""

    def grow(self, feature: int, kept: int) -> None:
        """Have the box have the cells *kept* of *feature*, the point's own among them."""


class PreparedGraph:
    """The part of the work that serves every box of one graph: the places of values, and the paths of a tree."""

    def __init__(self, graph: DecisionGraph) -> None:
        self.graph = graph
        self.places = [FeaturePlaces(split) for split in graph.cells]
        self.own: tuple[Point, int] | None = None
        """The last point that was checked, and its class."""
        self._last: tuple[Point, tuple[int, ...]] | None = None

    @functools.cached_property
    def paths(self) -> TreePaths:
        """The paths of the graph, a tree."""
        return TreePaths(self.graph)

    def at(self, point: Point) -> tuple[int, ...]:
        """Return the place of each value of *point*; those that are the last point's need not be found again."""
        if self._last is None:
            self._last = point, tuple([own.of(value) for own, value in zip(self.places, point, strict=True)])
        before, known = self._last
        if before is not point:
            values = zip(self.places, point, before, known, strict=True)
            self._last = point, tuple([place if value is b else own.of(value) for own, value, b, place in values])
        return self._last[1]


class _Last(threading.local):
    prepared: PreparedGraph | None = None


_last = _Last()


def prepared_graph(graph: DecisionGraph) -> PreparedGraph:
    """Return what serves every box of *graph*; that of the last graph is kept, as many boxes of one are asked for."""
    if _last.prepared is None or _last.prepared.graph is not graph:
        _last.prepared = PreparedGraph(graph)
    return _last.prepared


def box_at(graph: DecisionGraph, at: Sequence[int], own: int, growing: Sequence[int], *, free: bool) -> CellBox:
    """Return the box of the cells *at* of the features *growing*, others *free* or at theirs too; *own* is their class."""
    if not graph.is_tree():
        allowed = [
            (1 << len(split)) - 1 if free and i not in growing else 1 << place
            for i, (split, place) in enumerate(zip(graph.cells, at, strict=True))
        ]
        return WalkedBox(graph, own, allowed)
    loose = mask_of(growing)
    if free:
        return ShutPaths(prepared_graph(graph).paths.others(at, own), loose)
    # With the others held few paths are left, and no two points have the same.
    return ShutPaths(OtherPaths(paths_near(graph, at, loose, own), at), loose)


def cells_of_changes(graph: DecisionGraph, at: Sequence[int], own: int, loose: Sequence[int]) -> dict[int, int]:
    """Return of each feature of *loose* the cells of points of another class that are *at* on all other features.

    One traversal a feature; of a tree one in all, along the paths that such points take.
    """
    if graph.is_tree():
        paths = paths_near(graph, at, mask_of(loose), own)
        found = dict.fromkeys(loose, 0)
        for left in paths:
            for feature in loose:
                found[feature] |= left.get(feature, (1 << len(graph.cells[feature])) - 1)
        return found
    whole = [(1 << len(split)) - 1 if i in loose else 1 << at[i] for i, split in enumerate(graph.cells)]
    box = WalkedBox(graph, own, whole)
    return {i: box.bad(i) for i in loose}


def one_piece(split: tuple[ValueSet, ...], at: int, good: int, held: int = 0) -> int:
    """Return what of *good* a set may have: of ordered cells the run around *at*, and the missing value.

    Where the value at *at* is missing, the run around the numbers of *held*, the lowest one if there are none.
    """
    if not isinstance(split[0], IntervalSet):
        return good
    last = len(split) - 1
    missing = 1 << last if not _has_numbers(split[last]) else 0
    if 1 << at == missing:
        # The instance has no value: numbers are a second piece, of which the lowest run is as good as any.
        numbers = held & good & ~missing or good & ~missing
        if not numbers:
            return missing
        at = (numbers & -numbers).bit_length() - 1
    low = high = at
    while low > 0 and good >> low - 1 & 1:
        low -= 1
    while high < last and good >> high + 1 & 1 and 1 << high + 1 != missing:
        high += 1
    return (1 << high + 1) - (1 << low) | good & missing


def _has_numbers(cell: ValueSet) -> bool:
    return isinstance(cell, IntervalSet) and bool(cell.cuts)


class WalkedBox:
    """Which cells of a feature have a terminal of another class behind them, in a box of any graph."""

    def __init__(self, graph: DecisionGraph, own: int, allowed: Sequence[int]) -> None:
        """Begin with the cells *allowed* of each feature, as bits; *own* is the class that is no other."""
        self._graph = graph
        self._allowed = list(allowed)
        self._wrong = [c >= 0 and c != own for c in graph.class_of]
        self._masks = [cells_of(ranges) for ranges in graph.literal_cells]
        # Literals that are one run of cells, as a path's have a common cell, meet a run wherever each of them does.
        self._ragged = {
            literal.feature
            for literal, ranges in zip(graph.literals, graph.literal_cells, strict=True)
            if len(ranges) > 1
        }

    @property
    def is_open(self) -> bool:
        """Whether the box has a point of another class."""
        return bool(self._walk(-1, self._allowed))

    def bad(self, feature: int) -> int:
        """Return the cells of *feature* that make a point of another class with what the box has of the others."""
        return self._walk(feature, self._allowed)

    def grow(self, feature: int, kept: int) -> None:
        """Have the box have the cells *kept* of *feature*, more than before or others."""
        self._allowed[feature] = kept

    def _walk(self, feature: int, allowed: Sequence[int]) -> int:
        graph, masks = self._graph, self._masks
        loose = (
            []
            if graph.shape.read_once
            else [j for j in range(len(allowed)) if j != feature and self._loose(j, allowed)]
        )
        if not loose:
            return self._straight(feature, allowed)
        slot = {j: k for k, j in enumerate(loose)}
        start = tuple([allowed[j] for j in loose])
        whole = (1 << len(graph.cells[feature])) - 1 if feature >= 0 else 1
        states: list[dict[tuple[int, ...], int]] = [{} for _ in range(graph.node_count)]
        states[0][start] = whole
        found = 0
        seen = 0
        for node, here in enumerate(states):
            if not here:
                continue
            if graph.class_of[node] >= 0:
                if self._wrong[node]:
                    for reached in here.values():
                        found |= reached
                continue
            seen += len(here)
            if seen > MAX_STATES:
                problem = f"over {MAX_STATES:,} combinations of values on paths that test a feature again"
                raise LimitError(problem, mend="inflate fewer features")
            tested = graph.feature_of[node]
            for child, index in zip(graph.children[node], graph.literal_ids[node], strict=True):
                mask = masks[index]
                for left, reached in here.items():
                    if tested == feature:
                        reached &= mask
                    elif tested in slot:
                        k = slot[tested]
                        narrowed = left[k] & mask
                        if not narrowed:
                            continue
                        left = (*left[:k], narrowed, *left[k + 1 :])
                    elif not allowed[tested] & mask:
                        continue
                    if reached & ~found:
                        states[child][left] = states[child].get(left, 0) | reached
            states[node] = {}
        return found

    def _straight(self, feature: int, allowed: Sequence[int]) -> int:
        """Return what :meth:`_walk` does where each literal of a path meets what is allowed iff all of them do at once."""
        graph, masks = self._graph, self._masks
        reached = [0] * graph.node_count
        reached[0] = (1 << len(graph.cells[feature])) - 1 if feature >= 0 else 1
        found = 0
        for node, here in enumerate(reached):
            if not here:
                continue
            tested = graph.feature_of[node]
            if tested < 0:
                if self._wrong[node]:
                    found |= here
                continue
            children = zip(graph.children[node], graph.literal_ids[node], strict=True)
            if tested == feature:
                for child, index in children:
                    reached[child] |= here & masks[index]
            else:
                own = allowed[tested]
                for child, index in children:
                    if own & masks[index]:
                        reached[child] |= here
        return found

    def _loose(self, feature: int, allowed: Sequence[int]) -> bool:
        """Tell whether a path's literals may each meet what is allowed of *feature*, and not all of them at once."""
        own = allowed[feature]
        if own & own - 1 == 0 or own == (1 << len(self._graph.cells[feature])) - 1:
            return False
        run = own >> (own & -own).bit_length() - 1
        return feature in self._ragged or run & run + 1 != 0
