"""Cells: the coarsest partition of a domain that a family of sets cannot split further."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xpgcheck.model.value_sets import Cut, FiniteSet, IntervalSet, ValueSet, as_finite, covers
from xpgcheck.model.values import Value


@dataclass(frozen=True, slots=True)
class Cells:
    """The coarsest partition of a domain that a family of sets cannot split further.

    ``cells[k]`` is the k-th class; ``ranges`` tells of each set, in the order given, which cells it is made of, as
    half-open index ranges: two sets meet iff their ranges do.
    """

    cells: tuple[ValueSet, ...]
    ranges: tuple[tuple[tuple[int, int], ...], ...]


def cells(whole: ValueSet, sets: Sequence[ValueSet]) -> Cells:
    """Split *whole* (a domain) by *sets*; parts of a set outside *whole* are left out.

    O(c log c) for c cuts (values) in all of them.
    """
    if isinstance(whole, FiniteSet):
        return _finite_cells(whole, [as_finite(s) for s in sets])
    return _interval_cells(whole, [whole.same_grid(s) for s in sets])


def _finite_cells(whole: FiniteSet, sets: Sequence[FiniteSet]) -> Cells:
    """Values in exactly the same sets share a cell; a set's cells are then named by merged index ranges."""
    signature: dict[Value, list[int]] = {value: [] for value in sorted(whole.values, key=str)}
    for index, members in enumerate(sets):
        for value in members.values:
            if value in signature:
                signature[value].append(index)
    groups: dict[tuple[int, ...], list[Value]] = {}
    for value, inside in signature.items():
        groups.setdefault(tuple(inside), []).append(value)
    indices: list[list[int]] = [[] for _ in sets]
    for cell, inside_sets in enumerate(groups):
        for index in inside_sets:
            indices[index].append(cell)
    return Cells(tuple(FiniteSet(frozenset(g)) for g in groups.values()), tuple(_runs(i) for i in indices))


def _interval_cells(whole: IntervalSet, sets: Sequence[IntervalSet]) -> Cells:
    cuts = sorted({cut for s in (whole, *sets) for cut in s.cuts})
    inside = [(low, high) for low, high in itertools.pairwise(cuts) if covers(whole.cuts, low)]
    found: list[ValueSet] = [IntervalSet(whole.grid, pair) for pair in inside]
    if whole.missing:
        found.append(IntervalSet(whole.grid, (), missing=True))
    # position[cut] is the number of inside cells that start before the cut
    position: dict[Cut, int] = {}
    starts = {low for low, _ in inside}
    count = 0
    for cut in cuts:
        position[cut] = count
        count += cut in starts
    ranges = []
    for s in sets:
        pairs = [(position[low], position[high]) for low, high in zip(s.cuts[::2], s.cuts[1::2], strict=True)]
        if whole.missing and s.missing:
            pairs.append((len(inside), len(inside) + 1))
        ranges.append(_merged(pairs))
    return Cells(tuple(found), tuple(ranges))


def _runs(indices: Iterable[int]) -> tuple[tuple[int, int], ...]:
    return _merged([(i, i + 1) for i in indices])


def _merged(pairs: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for low, high in pairs:
        if low >= high:
            continue
        if merged and merged[-1][1] >= low:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)
