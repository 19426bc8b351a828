"""Strategies for decision graphs of every kind that the paper names, up to a size."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.properties.strategies.atoms import (
    Atoms,
    all_atoms,
    below,
    boolean_atoms,
    coarser,
    finite_atoms,
    threshold_atoms,
)
from xpgcheck.properties.strategies.growing import GraphSource, Grower, Style, budget_of
from xpgcheck.properties.strategies.ladders import ladder

DEFAULT_SIZE = 12
"""Nodes of a generated graph at most, terminals counted, where nothing else is asked for."""

MAX_SIZE = 200


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of graph: atoms to choose from and ways to grow, each the simplest first.

    A way to grow is a :class:`Style`, or for ladders whether they rejoin.  ``weight`` is how often the kind comes up,
    next to others.
    """

    weight: int
    styles: st.SearchStrategy[Style | bool]
    atoms: tuple[Atoms, ...]


@functools.cache
def _kinds() -> dict[str, _Kind]:
    ordered = Style(ordered=True, separate=False, share=2)
    general = Style(separate=False, share=2)
    shared = (
        general,
        general._replace(loose=True),
        general._replace(share=3),
        general._replace(separate=True),
        general._replace(share=3, loose=True),
        general._replace(separate=True, share=3, loose=True),
        general._replace(merge=True, idle=True),
        general._replace(share=0, merge=True, loose=True),
    )
    ordered_styles = st.sampled_from(
        (ordered, ordered._replace(share=3), ordered._replace(merge=True, idle=True), ordered._replace(separate=True))
    )
    return {
        "tree": _Kind(3, st.sampled_from((Style(), Style(loose=True))), all_atoms()),
        "graph": _Kind(12, st.sampled_from(shared), all_atoms()),
        "ordered": _Kind(1, ordered_styles, all_atoms()),
        "omdd": _Kind(2, ordered_styles, finite_atoms()),
        "obdd": _Kind(2, ordered_styles, boolean_atoms()),
        "ladder": _Kind(1, st.sampled_from((False, True)), all_atoms()),
        "threshold-tree": _Kind(1, st.just(Style(loose=True, halves=True)), threshold_atoms()),
    }


DEFAULT_KINDS = ("tree", "graph", "ordered", "omdd", "obdd", "ladder")
"""Trees; graphs with shared nodes and features tested again and again; ordered graphs over any domains (read-once), over
finite domains (OMDDs), over Boolean ones (OBDDs); chains of diamonds and ladders."""

KINDS = (*DEFAULT_KINDS, "threshold-tree")
"""Those, and trees that many libraries can hold: each test is x ≤ t or x < t of a Boolean feature or a number, with t a
binary64 number, and the same test may come up in many places."""

_CLASSES = tuple(st.sampled_from((2, 2, 2, 3, 2, 3, 4, 3, 2, 2, 3, 2, 2, 3, 2, 1)[:end]) for end in (16, 15))
"""Numbers of classes in use: one in sixteen graphs is constant, with one class declared or with two (see below)."""

_FEATURES = tuple(
    map(st.sampled_from, ((1, 2, 2, 2, 3, 3, 3, 4, 5), (1, 2, 3, 3, 4, 4, 5, 6), (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)))
)
_MOST_FEATURES = (5, 6, 10)
_CELLS = (1_000, 20_000, 50_000)


def _band(size: int) -> int:
    return 0 if size <= 12 else 1 if size <= 40 else 2


@functools.cache
def _amounts(budget: int) -> tuple[int, ...]:
    """Return increasing budgets, the smallest often: a quarter of them is at most 3, and the last is *budget*."""
    if budget <= 4:
        return tuple(range(1, budget + 1))
    steps = 11
    rest = [round(4 * (budget / 4) ** ((step / (steps - 1)) ** 0.45)) for step in range(steps)]
    return (1, 2, 3, *rest)


@st.composite
def sources(
    draw: st.DrawFn, size: int = DEFAULT_SIZE, kinds: tuple[str, ...] = DEFAULT_KINDS, tests: bool = False
) -> GraphSource:
    """Sources of graphs of at most *size* nodes, terminals counted, of one of *kinds* (see ``KINDS``).

    With *tests*, none is constant; *size* must then leave room for a non-terminal and two terminals, 6 nodes do.
    """
    kind = _kinds()[draw(_weighted(kinds)) if len(kinds) > 1 else kinds[0]]
    style = draw(kind.styles)
    classes = draw(_CLASSES[tests])
    # A constant graph is cut down to one terminal now and then, and may declare a class that it never gives.
    named = classes if classes > 1 else 1 + draw(below(2))
    growing = style if isinstance(style, Style) else Style(ordered=True, separate=False)
    budget = budget_of(size, classes, growing)
    amounts = _amounts(budget // growing.least)
    choice = draw(below(len(amounts) + (classes == 1))) if amounts else 0
    amount = amounts[choice] if choice < len(amounts) else 0
    atoms = _draw_atoms(draw, kind.atoms, _band(size), amount, growing.ordered)
    if amount == budget // growing.least:
        amount = budget
    else:
        amount *= growing.least
    features = tuple(entry.feature(index) for index, entry in enumerate(atoms))
    names = _CLASS_NAMES[:named]
    if isinstance(style, Style):
        grower = Grower(atoms, classes, style)
        root = grower.root(draw, amount)
        return GraphSource(features, names, grower.nodes, root)
    nodes, start = ladder(draw, atoms, classes, style, amount)
    return GraphSource(features, names, nodes, start)


_CLASS_NAMES = ("c0", "c1", "c2", "c3")


@functools.cache
def _weighted(kinds: tuple[str, ...]) -> st.SearchStrategy[str]:
    unknown = [name for name in kinds if name not in KINDS]
    if unknown or not kinds:
        raise ValueError(f"no kind of graph: {unknown}; the kinds are {', '.join(KINDS)}")
    return st.sampled_from([name for name in KINDS if name in kinds for _ in range(_kinds()[name].weight)])


def _draw_atoms(draw: st.DrawFn, entries: tuple[Atoms, ...], band: int, amount: int, ordered: bool) -> list[Atoms]:
    """Draw the features' atoms so that the combinations of atoms stay below the limit of the band of sizes."""
    # An ordered graph grows no deeper than it has features.
    least = amount.bit_length() + 1 if ordered else 1
    count = min(max(draw(_FEATURES[band]), least), amount + 1, _MOST_FEATURES[band])
    room = _CELLS[band]
    combinations = 1
    atoms: list[Atoms] = []
    # More features than drawn where a graph of this budget could not grow without.
    while len(atoms) < count or (combinations < 2 * amount and len(atoms) < _MOST_FEATURES[band]):
        # The first feature can be tested, so that graphs are not constant unless they are meant to be.
        able = entries if atoms else _splittable(entries)
        entry = able[draw(below(len(able)))] if len(able) > 1 else able[0]
        # Every later feature needs room for two atoms.
        later = _MOST_FEATURES[band] - len(atoms) - 1
        entry = coarser(entry, room // combinations >> later)
        combinations *= len(entry.parts)
        atoms.append(entry)
    return atoms


@functools.cache
def _splittable(entries: tuple[Atoms, ...]) -> tuple[Atoms, ...]:
    return tuple(entry for entry in entries if len(entry.parts) > 1)


@st.composite
def _built(draw: st.DrawFn, source: st.SearchStrategy[GraphSource], name: str) -> DecisionGraph:
    return draw(source).build(name)


@functools.cache
def _graphs(size: int, kinds: tuple[str, ...]) -> st.SearchStrategy[DecisionGraph]:
    if not 1 <= size <= MAX_SIZE:
        raise ValueError(f"graphs of {size} nodes; the size is from 1 to {MAX_SIZE}")
    _weighted(kinds)
    return _built(sources(size, kinds), kinds[0] if len(kinds) == 1 else "generated")


def graphs(size: int = DEFAULT_SIZE, kinds: Sequence[str] | None = None) -> st.SearchStrategy[DecisionGraph]:
    """Return a strategy for decision graphs of every kind in *kinds*, by default of all ``DEFAULT_KINDS``.

    They satisfy the assumptions (i) and (ii) by construction; nothing is filtered out.  *size* is the most nodes of a graph,
    terminals counted; small graphs come up more often.  Up to 12 nodes there are at most 5 features and 1 000 combinations
    of cells, up to 40 nodes 6 features and 20 000, up to 200 nodes 10 features and 50 000.  Raises ``ValueError`` where
    *size* is not within 1 … 200, or a kind is not known.
    """
    return _graphs(size, DEFAULT_KINDS if kinds is None else tuple(kinds))


def trees(size: int = DEFAULT_SIZE) -> st.SearchStrategy[DecisionGraph]:
    """Return a strategy for decision trees of at most *size* nodes."""
    return graphs(size, ("tree",))
