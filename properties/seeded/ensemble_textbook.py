"""An explainer of ensembles written for reading, by the definitions alone: correct, and meant to be mutated.

It walks every tree by its edges, combines the answers by the rule of ``docs/explanation/forests.md``, and looks at one point
of every cell.  Each step is a method of its own, so that a seeded bug is a subclass that overrides one or two of them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from xpgcheck.model.combination import Majority
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point, Value

Features = frozenset[int]

MAX_POINTS = 20_000
"""Combinations of cells of the largest ensemble that is explained."""

MAX_FEATURES = 12
"""Features of the largest ensemble of which all sets are looked at."""


class EnsembleTextbook:
    """All that an explainer of small ensembles may be able to do (see :mod:`xpgcheck.properties.subjects`)."""

    name = "textbook of ensembles"
    models: tuple[str, ...] = ("majority", "sum")

    def __init__(self) -> None:
        self._last: tuple[Ensemble, Point, set[Features]] | None = None

    # κ

    def class_of(self, ensemble: Ensemble, point: Point) -> int:
        """Return κ."""
        return self.winner(ensemble, self.scores(ensemble, self.answers(ensemble, point)))

    def answers(self, ensemble: Ensemble, point: Point) -> list[int]:
        """Return the answer of each tree, its own class."""
        return [self.answer(tree, point) for tree in ensemble.trees]

    def answer(self, tree: DecisionGraph, point: Point) -> int:
        """Return the class of the terminal of *tree* that *point* reaches."""
        node = 0
        while not tree.is_terminal(node):
            value = point[tree.feature_of[node]]
            node = next(child for child, values in tree.edges(node) if self.holds(value, values))
        return tree.class_of[node]

    def holds(self, value: Value, values: ValueSet) -> bool:
        """Tell whether a literal holds."""
        return value in values

    def scores(self, ensemble: Ensemble, answers: Sequence[int]) -> list[Fraction]:
        """Return the score of each class: its votes, or its sum (with a threshold that of the last class alone)."""
        if isinstance(ensemble.rule, Majority):
            return [self.votes(answers, c) for c in range(len(ensemble.classes))]
        # Trees that are left out add nothing.
        rows = [outputs[answer] for outputs, answer in zip(ensemble.outputs, answers, strict=False)]
        factor = len(ensemble.trees) if ensemble.rule.divided else 1
        return [
            (self.base(base) + self.total([row[k] for row in rows])) / factor
            for k, base in enumerate(ensemble.rule.base)
        ]

    def total(self, terms: Sequence[Fraction]) -> Fraction:
        """Return the sum of what the trees add to a score."""
        return sum(terms, Fraction(0))

    def votes(self, answers: Sequence[int], index: int) -> Fraction:
        """Return how many votes a class has."""
        return Fraction(list(answers).count(index))

    def base(self, number: Fraction) -> Fraction:
        """Return what a score begins with."""
        return number

    def winner(self, ensemble: Ensemble, scores: Sequence[Fraction]) -> int:
        """Return the class of the *scores*."""
        if isinstance(ensemble.rule, Majority) or ensemble.rule.threshold is None:
            return self.first_largest(scores)
        threshold = ensemble.rule.threshold
        return int(scores[0] > threshold.at or (threshold.inclusive and scores[0] == threshold.at))

    def first_largest(self, scores: Sequence[Fraction]) -> int:
        """Return the first class among those with the largest score."""
        return list(scores).index(max(scores))

    # Eq. 1 and Eq. 2

    def changing(self, ensemble: Ensemble, instance: Point) -> set[Features]:
        """Return of each point of another class, one of every cell, the features that differ from the instance."""
        if self._last is None or self._last[0] is not ensemble or self._last[1] != instance:
            own = self.class_of(ensemble, instance)
            found = {
                frozenset(i for i, (old, new) in enumerate(zip(instance, point, strict=True)) if old != new)
                for point in self.points(ensemble, instance)
                if self.is_other(self.class_of(ensemble, point), own)
            }
            self._last = ensemble, instance, found
        return self._last[2]

    def points(self, ensemble: Ensemble, instance: Point) -> Iterator[Point]:
        """Yield one point of every combination of cells, with the instance's own values where they lie in the cell."""
        cells = self.cells(ensemble)
        if math.prod(map(len, cells)) > MAX_POINTS or len(instance) > MAX_FEATURES:
            raise NotImplementedError("only small ensembles")
        yield from itertools.product(
            *(
                [value if value in cell else cell.representative() for cell in own]
                for own, value in zip(cells, instance, strict=True)
            )
        )

    def cells(self, ensemble: Ensemble) -> Sequence[Sequence[ValueSet]]:
        """Return of each feature the parts of its domain in which no tree can tell values apart."""
        return ensemble.cells

    def is_other(self, found: int, own: int) -> bool:
        """Tell whether a point of class *found* has another class than the instance."""
        return found != own

    def is_weak_axp(self, ensemble: Ensemble, instance: Point, fixed: Features) -> bool:
        """Tell whether no point that agrees with the instance on *fixed* has another class (Eq. 1)."""
        return all(fixed & differing for differing in self.changing(ensemble, instance))

    def is_weak_cxp(self, ensemble: Ensemble, instance: Point, free: Features) -> bool:
        """Tell whether some point that differs from the instance on *free* alone has another class (Eq. 2)."""
        return any(differing <= free for differing in self.changing(ensemble, instance))

    def shrunk(self, seed: Features, is_weak: Callable[[Features], bool]) -> Features:
        """Drop one feature after the other, if what is left *is_weak* still."""
        kept = seed
        for feature in sorted(seed):
            if is_weak(kept - {feature}):
                kept -= {feature}
        return kept

    # What the gate asks

    def predict(self, ensemble: Ensemble, instance: Point) -> int:
        """Return κ."""
        return self.class_of(ensemble, instance)

    def axp(self, ensemble: Ensemble, instance: Point) -> Features:
        """Return one AXp."""
        return self.axp_inside(ensemble, instance, _everything(instance))

    def cxp(self, ensemble: Ensemble, instance: Point) -> Features | None:
        """Return one CXp, None where the class cannot change."""
        everything = _everything(instance)
        if not self.is_weak_cxp(ensemble, instance, everything):
            return None
        return self.cxp_inside(ensemble, instance, everything)

    def axp_inside(self, ensemble: Ensemble, instance: Point, seed: Features) -> Features:
        """Return one AXp inside *seed*."""
        return self.shrunk(seed, lambda fixed: self.is_weak_axp(ensemble, instance, fixed))

    def cxp_inside(self, ensemble: Ensemble, instance: Point, seed: Features) -> Features:
        """Return one CXp inside *seed*."""
        return self.shrunk(seed, lambda free: self.is_weak_cxp(ensemble, instance, free))

    def enumerate(self, ensemble: Ensemble, instance: Point) -> list[tuple[str, Features]]:
        """Return all XPs: the sets that are weak and hold no smaller one."""
        weak: dict[str, Callable[[Features], bool]] = {
            "AXp": lambda features: self.is_weak_axp(ensemble, instance, features),
            "CXp": lambda features: self.is_weak_cxp(ensemble, instance, features),
        }
        found: list[tuple[str, Features]] = []
        for kind, is_weak in weak.items():
            kept: list[Features] = []
            for size in range(len(instance) + 1):
                for chosen in map(frozenset, itertools.combinations(range(len(instance)), size)):
                    if not any(smaller <= chosen for smaller in kept) and is_weak(chosen):
                        kept.append(chosen)
            found += [(kind, features) for features in kept]
        return found

    def member(self, ensemble: Ensemble, instance: Point, feature: int) -> bool:
        """Tell whether *feature* is in some XP."""
        return any(feature in features for _, features in self.enumerate(ensemble, instance))


def _everything(instance: Point) -> Features:
    return frozenset(range(len(instance)))
