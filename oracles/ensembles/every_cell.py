"""The ground truth of small ensembles: κ at one point of every part of feature space that no literal splits further.

What is free is gone through by brute force, by the plain definition of κ.  The values come from :func:`representatives`,
which knows neither the model's cells nor any set operation.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point, Value
from xpgcheck.oracles.answers import WITHIN_ROUNDING, Answer
from xpgcheck.oracles.exhaustive import representatives

MAX_POINTS = 20_000
"""Points that one question may look at; beyond, it stays open."""

MAX_WORK = 2_000_000
"""Memberships that finding the cells may look up (about a second); those of larger ensembles are not looked for."""


class EveryCell:
    """The values of each feature of an ensemble that its literals tell apart, for every instance."""

    def __init__(self, ensemble: Ensemble, most: int = MAX_POINTS) -> None:
        self.ensemble = ensemble
        self.most = most
        sets: list[dict[ValueSet, None]] = [{} for _ in ensemble.features]
        for tree in ensemble.trees:
            for feature, values in tree.literals:
                sets[feature][values] = None
        # About two candidates for each literal are tried in all literals of the feature.
        self.too_large = sum(2 * len(own) ** 2 for own in sets) > MAX_WORK
        self.values: list[list[Value]] = []
        if not self.too_large:
            pairs = zip(ensemble.features, sets, strict=True)
            self.values = [representatives(feature.domain, own) for feature, own in pairs]

    def at(self, point: Point) -> EveryCellOracle:
        """Return the oracle for the instance *point*."""
        return EveryCellOracle(self, point)


class EveryCellOracle:
    """The oracle of one instance, by every point that the fixed features leave."""

    name = "every cell"
    engine = "every cell"

    def __init__(self, table: EveryCell, point: Point) -> None:
        self._table = table
        self._point = point

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Tell whether some point that agrees with the instance on *fixed* has another class.  O(points · Σ depth)."""
        table, chosen = self._table, frozenset(fixed)
        if table.too_large:
            return Answer(None, None, self.name, "the trees have too many literals to look at every cell")
        choices = [
            [own] if i in chosen or len(values) == 1 else values
            for i, (own, values) in enumerate(zip(self._point, table.values, strict=True))
        ]
        if math.prod(map(len, choices)) > table.most:
            return Answer(None, None, self.name, f"more cells than the limit of {table.most:,}")
        if not table.ensemble.is_settled(self._point):
            return Answer(None, None, self.name, WITHIN_ROUNDING)
        own_class = table.ensemble.kappa(self._point)
        near = False
        for point in itertools.product(*choices):
            differs = table.ensemble.differs(point, own_class)
            if differs:
                return Answer(True, point, self.name)
            near = near or differs is None
        return Answer(None if near else False, None, self.name, WITHIN_ROUNDING if near else "")
