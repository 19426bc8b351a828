"""One text for all renamings of a small structure: the canonical form of coloured vertices and labelled arcs.

Colour refinement tells vertices apart by their neighbours; where it cannot, one vertex after the other of a class is
singled out and what follows is compared, as in B. D. McKay, "Practical graph isomorphism", Congressus Numerantium 30
(1981), with its use of automorphisms: where two ways end alike, the rest of the later one is left out.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

Arc = tuple[int, int, str]
"""From a vertex, to a vertex, and a label."""

MAX_VERTICES = 600
"""Vertices of a structure that is searched."""

MAX_DEPTH = 120
"""Vertices that are singled out one after the other."""

MAX_WORK = 3_000_000
"""Vertices and arcs that are looked at, over all refinements: a few seconds."""

OUTLINE_ROUNDS = 8
"""Rounds of refinement where the search is too long."""


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a structure as a text.

    Renamings of a structure have equal forms.  Where ``exact``, equal forms also mean renamings; else the search was too
    long, and the form says only what refinement sees.
    """

    text: str
    exact: bool


def canonical_form(colours: Sequence[str], arcs: Sequence[Arc], work: int = MAX_WORK) -> Form:
    """Return the form of the structure with a vertex for each of *colours*, and *arcs* between them.

    Structures near the limits may get an exact form under one naming and an inexact one under another, never equal exact
    forms without being renamings.  Exponential at worst, so limited by *work*; graphs that come of shrinking take a few
    refinements, each O(r·m·log m) for r rounds and m arcs.
    """
    search = _Search(colours, arcs, work)
    try:
        if len(colours) > MAX_VERTICES:
            raise _TooLongError
        search.explore(search.start, (), [])
        result: object = search.best_code()
        exact = True
    except _TooLongError:
        result, exact = search.outline(), False
    document = [exact, search.colour_names, search.label_names, result]
    return Form(json.dumps(document, separators=(",", ":")), exact)


class _TooLongError(Exception):
    """A limit was reached."""


Trace = tuple[tuple[int, ...], ...]
"""The sizes of the classes after each vertex that was singled out: the same for renamings."""


Code = tuple[tuple[int, int, int], ...]
"""All arcs in order: tail, head and label as numbers."""


@dataclass(frozen=True, slots=True)
class _Leaf:
    """An order of all vertices: how it was reached, and the structure written down in that order."""

    trace: Trace
    code: Code
    path: tuple[int, ...]


class _Search:
    """The search for the least order of the vertices of one structure."""

    def __init__(self, colours: Sequence[str], arcs: Sequence[Arc], work: int) -> None:
        self.colour_names = [[name, colours.count(name)] for name in sorted(set(colours))]
        self.label_names = sorted({label for _, _, label in arcs})
        numbers = {name: number for number, (name, _) in enumerate(self.colour_names)}
        labels = {name: number for number, name in enumerate(self.label_names)}
        self.start = [numbers[name] for name in colours]
        self.best: _Leaf | None = None
        self._first: _Leaf | None = None
        self._arcs = [(tail, head, labels[label]) for tail, head, label in arcs]
        self._out: list[list[tuple[int, int]]] = [[] for _ in colours]
        self._in: list[list[tuple[int, int]]] = [[] for _ in colours]
        for tail, head, number in self._arcs:
            self._out[tail].append((number, head))
            self._in[head].append((number, tail))
        self._left = work

    def explore(self, colours: list[int], trace: Trace, path: list[int]) -> int:
        """Try all orders that refine *colours*; return the depth from which to go on (the length of a path)."""
        colours = self._refined(colours)
        classes = _classes(colours)
        trace = (*trace, tuple(map(len, classes)))
        best = self.best
        if best is not None and trace > best.trace[: len(trace)]:
            return len(path) - 1
        if len(classes) == len(colours):
            return self._ends(_Leaf(trace, self._code(colours), tuple(path)))
        if len(path) == MAX_DEPTH:
            raise _TooLongError
        # The first of the smallest classes with a choice: a rule that does not depend on names.
        chosen = min((members for members in classes if len(members) > 1), key=len)
        for vertex in chosen:
            singled = [2 * colour for colour in colours]
            singled[vertex] -= 1
            path.append(vertex)
            depth = self.explore(singled, trace, path)
            path.pop()
            if depth < len(path):
                return depth
        return len(path) - 1

    def best_code(self) -> Code:
        """Return the least code that was found."""
        assert self.best is not None, "the first way always ends"
        return self.best.code

    def _ends(self, leaf: _Leaf) -> int:
        for known in (self._first, self.best):
            if known is not None and (known.trace, known.code) == (leaf.trace, leaf.code):
                # An automorphism takes the way to the one leaf to that of the other: below where they part, nothing new.
                pairs = zip(known.path, leaf.path, strict=True)
                return next(depth for depth, (one, other) in enumerate(pairs) if one != other)
        if self._first is None:
            self._first = leaf
        if self.best is None or (leaf.trace, leaf.code) < (self.best.trace, self.best.code):
            self.best = leaf
        return len(leaf.path) - 1

    def _code(self, order: Sequence[int]) -> Code:
        return tuple(sorted((order[tail], order[head], label) for tail, head, label in self._arcs))

    def _refined(self, colours: list[int]) -> list[int]:
        """Split classes until the vertices of each have the same numbers of arcs from and to every class."""
        count = len(set(colours))
        while True:
            self._left -= len(colours) + 2 * len(self._arcs)
            if self._left < 0:
                raise _TooLongError
            colours = self._split(colours)
            found = max(colours) + 1
            if found == count:
                return colours
            count = found

    def _split(self, colours: list[int]) -> list[int]:
        """Return colours 0, 1, … that also tell apart what has other arcs, in an order that does not depend on names."""
        seen = [
            (
                colours[vertex],
                sorted([(label, colours[head]) for label, head in self._out[vertex]]),
                sorted([(label, colours[tail]) for label, tail in self._in[vertex]]),
            )
            for vertex in range(len(colours))
        ]
        order = sorted(range(len(colours)), key=seen.__getitem__)
        new, number = [0] * len(colours), 0
        for before, vertex in itertools.pairwise(order):
            number += seen[before] != seen[vertex]
            new[vertex] = number
        return new

    def outline(self) -> tuple[list[int], list[tuple[int, int, int, int]]]:
        """Return what a few rounds of refinement see: the sizes of classes, and the numbers of arcs between them."""
        colours = self.start
        for _ in range(OUTLINE_ROUNDS):
            colours = self._split(colours)
        between = Counter(self._code(colours))
        return [len(members) for members in _classes(colours)], [(*arc, n) for arc, n in sorted(between.items())]


def _classes(colours: Sequence[int]) -> list[list[int]]:
    """Return the vertices of each colour, in the order of the colours."""
    found: dict[int, list[int]] = {}
    for vertex, colour in enumerate(colours):
        found.setdefault(colour, []).append(vertex)
    return [found[colour] for colour in sorted(found)]
