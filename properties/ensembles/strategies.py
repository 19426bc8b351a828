"""A Hypothesis strategy for small ensembles: one to seven graphs, seldom fifty, over the same few features and thresholds.

Trees with thresholds, trees with literals of any kind, graphs with shared nodes and constant ones come up in one ensemble;
features that no tree tests, even numbers of trees and so ties, two or three classes, votes and sums.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from hypothesis import strategies as st

from xpgcheck.model.decision_graph import DecisionGraph, decision_graph
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.properties.cases import EnsembleCase
from xpgcheck.properties.ensembles.sums import draw_sums
from xpgcheck.properties.strategies.atoms import Atoms, all_atoms, below, coarser, threshold_atoms
from xpgcheck.properties.strategies.growing import Grower, Style, budget_of
from xpgcheck.properties.strategies.points import draw_point
from xpgcheck.properties.subjects import ENSEMBLE_KINDS

MAX_TREES = 7

MANY_TREES = 50
"""Trees of the largest ensembles, which are stumps and the like."""

MAX_ANSWERS = 4
"""Answers of a tree whose terminals add numbers."""

MAX_FEATURES = 4

MAX_CELLS = 300
"""Combinations of atoms that the features of an ensemble have at most."""

STYLES = (
    Style(loose=True, halves=True),
    Style(loose=True, halves=True),
    Style(loose=True),
    Style(separate=False, share=3, merge=True),
)
"""Ways in which the trees of an ensemble grow, the usual one first."""


@functools.cache
def _entries() -> tuple[Atoms, ...]:
    numbers = threshold_atoms()
    return tuple(atoms for atoms in (*numbers, *numbers, *all_atoms()) if len(atoms.parts) > 1)


@st.composite
def ensembles(
    draw: st.DrawFn, trees: int = MAX_TREES, size: int = 9, kinds: Sequence[str] = ENSEMBLE_KINDS
) -> Ensemble:
    """Draw an ensemble of at most *trees* graphs, seldom more, of at most *size* nodes each, of one of *kinds*."""
    atoms: list[Atoms] = []
    room = MAX_CELLS
    for _ in range(1 + draw(below(MAX_FEATURES))):
        entries = _entries()
        entry = coarser(entries[draw(below(len(entries)))], max(2, min(5, room // 2)))
        if len(entry.parts) <= room:
            room //= len(entry.parts)
            atoms.append(entry)
    features = tuple(entry.feature(index) for index, entry in enumerate(atoms))
    classes = ("c0", "c1", "c2")[: draw(st.sampled_from((2, 2, 3, 2, 3)))]
    if draw(below(50)) == 49:
        count, size = 1 + draw(below(max(trees, MANY_TREES))), 3
    else:
        count = 1 + draw(below(trees))
    if "sum" not in kinds or ("majority" in kinds and draw(below(5)) < 2):
        return ensemble(
            "generated", features, classes, [_tree(draw, atoms, classes, size, number) for number in range(count)]
        )
    answers = [1 + draw(below(MAX_ANSWERS)) for _ in range(count)]
    grown = [_tree(draw, atoms, tuple(map(str, range(own))), size, number) for number, own in enumerate(answers)]
    weighed = draw_sums(draw, len(classes), answers)
    return ensemble("generated", features, classes, grown, weighed.rule, weighed.outputs)


def _tree(draw: st.DrawFn, atoms: list[Atoms], classes: tuple[str, ...], size: int, number: int) -> DecisionGraph:
    style = STYLES[draw(below(len(STYLES)))]
    grower = Grower(atoms, len(classes), style)
    root = grower.root(draw, budget_of(2 + draw(below(size - 1)), len(classes), style))
    features = [entry.feature(index) for index, entry in enumerate(atoms)]
    return decision_graph(f"tree {number}", features, classes, grower.nodes, root)


@st.composite
def ensemble_cases(
    draw: st.DrawFn, trees: int = MAX_TREES, size: int = 9, kinds: Sequence[str] = ENSEMBLE_KINDS
) -> EnsembleCase:
    """Draw an ensemble of one of *kinds*, an instance at the borders of its cells, and the dice."""
    drawn = draw(ensembles(trees, size, kinds))
    return EnsembleCase(drawn, draw_point(draw, drawn), draw(st.integers(0, (1 << 32) - 1)))
