"""Counting where a classifier keeps a class: points of a box by their cells, and mixes of rows, exactly.

Points are counted as products of independent parts.  In the cells of a box each feature is a part of its own; in mixes of
rows the rule's features are one part, which come from one row, and all others come from another.  A literal splits the
part that its feature belongs to, so paths are followed with what is left of each part, and no point is looked at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from xpgcheck.model.boxes import Box
from xpgcheck.model.cells import cells
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble, literals_of
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point

MAX_PIECES = 200_000
"""Ends of paths, of all trees together, that one count may meet."""


@dataclass(frozen=True, slots=True)
class Share:
    """The number of points that keep the class, ``kept``, out of ``total``."""

    kept: int
    total: int

    @property
    def fraction(self) -> Fraction | None:
        """The share, exactly; None where there are no points."""
        return Fraction(self.kept, self.total) if self.total else None

    def __str__(self) -> str:
        return f"{self.kept:,} of {self.total:,}"


@dataclass(frozen=True, slots=True)
class _Crowd:
    """Points as a product: of each part the members, as bits; ``part_of`` each feature; which members a literal holds of."""

    parts: tuple[int, ...]
    part_of: tuple[int, ...]
    holding: Callable[[int, ValueSet], int]


def cell_share(classifier: DecisionGraph | Ensemble, box: Box, inside: Point) -> Share | None:
    """Return how many cells of *box* have the class of *inside*; None where that takes too many steps.

    A cell is a combination of one piece of each feature's domain, none of which a literal or the box can split.  Each
    counts as one, however many values it has.  Linear in the pieces in which paths cut the box, of which there may be as
    many as combinations of paths of the trees; beyond ``MAX_PIECES`` there is no answer.
    """
    trees = _trees(classifier)
    split = []
    for i, literals in enumerate(literals_of(trees, len(classifier.features))):
        whole = classifier.features[i].domain.all_values()
        own = [box[i]] if i in box else []
        pieces = cells(whole, [*(literal.values for literal in literals), *own]).cells
        split.append([piece for piece in pieces if i not in box or not piece.intersection(box[i]).is_empty()])

    @cache
    def holding(feature: int, values: ValueSet) -> int:
        return sum(1 << k for k, piece in enumerate(split[feature]) if not piece.intersection(values).is_empty())

    parts = tuple([(1 << len(pieces)) - 1 for pieces in split])
    return _share(classifier, _Crowd(parts, tuple(range(len(parts))), holding), classifier.kappa(inside))


def mixed_share(classifier: DecisionGraph | Ensemble, box: Box, inside: Point, rows: Sequence[Point]) -> Share | None:
    """Return how many mixes of two of *rows* have the class of *inside*; None where that takes too many steps.

    A mix has the values of a row in *box* for the features of the box, and those of any row for all others: the points over
    which the precision of an anchor is defined where its perturbations come from a table.
    """
    chosen = sum(1 << k for k, row in enumerate(rows) if in_box(row, box))
    part_of = tuple([int(i not in box) for i in range(len(classifier.features))])

    @cache
    def holding(feature: int, values: ValueSet) -> int:
        return sum(1 << k for k, row in enumerate(rows) if row[feature] in values)

    return _share(classifier, _Crowd((chosen, (1 << len(rows)) - 1), part_of, holding), classifier.kappa(inside))


def row_share(classifier: DecisionGraph | Ensemble, box: Box, inside: Point, rows: Sequence[Point]) -> Share:
    """Return how many of those of *rows* that are in *box* have the class of *inside*.  O(rows · κ)."""
    own = classifier.kappa(inside)
    covered = [row for row in rows if in_box(row, box)]
    return Share(sum(classifier.kappa(row) == own for row in covered), len(covered))


def in_box(point: Point, box: Box) -> bool:
    """Tell whether *point* has a value in the set of every feature of *box*."""
    return all(point[feature] in values for feature, values in box.items())


def _trees(classifier: DecisionGraph | Ensemble) -> tuple[DecisionGraph, ...]:
    return classifier.trees if isinstance(classifier, Ensemble) else (classifier,)


def _size(parts: Sequence[int]) -> int:
    return math.prod([part.bit_count() for part in parts])


def _share(classifier: DecisionGraph | Ensemble, crowd: _Crowd, own: int) -> Share | None:
    """Follow all paths of all trees, one tree after the other, with what is left of the crowd."""
    trees = _trees(classifier)
    settled = _Settled(classifier, own)
    kept, pieces = 0, 0
    waiting: list[tuple[int, int, tuple[int, ...], tuple[int, ...]]] = [(0, 0, crowd.parts, ())]
    while waiting:
        number, node, parts, votes = waiting.pop()
        tree = trees[number]
        if tree.class_of[node] >= 0:
            pieces += 1
            if pieces > MAX_PIECES:
                return None
            votes = (*votes, tree.class_of[node])
            keeps = settled.keeps(votes)
            if keeps is None:
                waiting.append((number + 1, 0, parts, votes))
            elif keeps:
                kept += _size(parts)
            continue
        feature = tree.feature_of[node]
        part = crowd.part_of[feature]
        for child, values in tree.edges(node):
            left = parts[part] & crowd.holding(feature, values)
            if left:
                waiting.append((number, child, (*parts[:part], left, *parts[part + 1 :]), votes))
    return Share(kept, _size(crowd.parts))


class _Settled:
    """Whether the trees that have answered settle if the class is *own*, whatever the others answer."""

    def __init__(self, classifier: DecisionGraph | Ensemble, own: int) -> None:
        self._classifier = classifier
        self._own = own
        # For each number of trees that have answered, how far each class can still gain on the own one, least and most.
        self._least: list[list[int]] = []
        self._most: list[list[int]] = []
        if not isinstance(classifier, Ensemble):
            return
        rest = [[0] * len(classifier.classes), [0] * len(classifier.classes)]
        for answers in reversed(classifier.tally.rows):
            self._least.append(rest[0])
            self._most.append(rest[1])
            gains = list(zip(*[[weight - row[own] for weight in row] for row in answers], strict=True))
            rest = [
                [a + min(gain) for a, gain in zip(rest[0], gains, strict=True)],
                [a + max(gain) for a, gain in zip(rest[1], gains, strict=True)],
            ]
        self._least.reverse()
        self._most.reverse()

    def keeps(self, votes: tuple[int, ...]) -> bool | None:
        """Tell whether the class is the own one where the first trees answer *votes*; None where that is not settled."""
        classifier, own = self._classifier, self._own
        if not isinstance(classifier, Ensemble):
            return votes[0] == own
        if len(votes) == len(classifier.trees):
            return classifier.class_of_votes(votes) == own
        tally = classifier.tally
        given = zip(tally.rows[: len(votes)], votes, strict=True)
        columns = zip(*[rows[vote] for rows, vote in given], strict=True)
        sums = [base + sum(column) for base, column in zip(tally.base, columns, strict=True)]
        last = len(votes) - 1
        ahead = [each - sums[own] for each in sums]
        # More than the slack, so that rounding decides nothing, and ties are left to the end.
        rivals = [c for c in range(len(sums)) if c != own]
        if all(ahead[c] + self._most[last][c] < -tally.slack for c in rivals):
            return True
        return False if any(ahead[c] + self._least[last][c] > tally.slack for c in rivals) else None
