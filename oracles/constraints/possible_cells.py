"""The ground truth under a constraint: κ and the constraint at a point of every part that no literal of either splits.

Values come from :func:`xpgcheck.oracles.exhaustive.representatives`, classes by the plain definition.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point, Value
from xpgcheck.oracles.answers import WITHIN_ROUNDING, Answer
from xpgcheck.oracles.exhaustive import representatives

MAX_POINTS = 20_000
"""Points that one question may look at; beyond, it stays open."""

MAX_WORK = 2_000_000
"""Memberships that finding the cells may look up; those of larger models are not looked for."""


class PossibleCells:
    """The values of each feature that the literals of a model and a constraint tell apart, for every instance."""

    def __init__(self, model: DecisionGraph | Ensemble, constraint: Constraint, most: int = MAX_POINTS) -> None:
        self.model = model
        self.constraint = constraint
        self.most = most
        sets: list[dict[ValueSet, None]] = [{} for _ in model.features]
        graphs = [model] if isinstance(model, DecisionGraph) else list(model.trees)
        for literal in itertools.chain(constraint.literals(), *(graph.literals for graph in graphs)):
            sets[literal.feature][literal.values] = None
        self.too_large = sum(2 * len(own) ** 2 for own in sets) > MAX_WORK
        self.values: list[list[Value]] = []
        if not self.too_large:
            self.values = [
                representatives(feature.domain, own) for feature, own in zip(model.features, sets, strict=True)
            ]

    def at(self, point: Point) -> PossibleCellsOracle:
        """Return the oracle for the instance *point*."""
        return PossibleCellsOracle(self, point)


class PossibleCellsOracle:
    """The oracle of one instance, by every point that the fixed features leave and that can occur."""

    name = "every cell that can occur"
    engine = "every cell"

    def __init__(self, table: PossibleCells, point: Point) -> None:
        self._table = table
        self._point = point
        self._own = table.model.kappa(point)

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Tell whether some point that can occur agrees with the instance on *fixed* and has another class."""
        table, chosen = self._table, frozenset(fixed)
        if table.too_large:
            return Answer(None, None, self.name, "there are too many literals to look at every cell")
        choices = [
            [own] if i in chosen or len(values) == 1 else values
            for i, (own, values) in enumerate(zip(self._point, table.values, strict=True))
        ]
        if math.prod(map(len, choices)) > table.most:
            return Answer(None, None, self.name, f"more cells than the limit of {table.most:,}")
        model, near = table.model, False
        if isinstance(model, Ensemble) and not model.is_settled(self._point):
            return Answer(None, None, self.name, WITHIN_ROUNDING)
        for point in itertools.product(*choices):
            differs = (
                model.differs(point, self._own) if isinstance(model, Ensemble) else model.kappa(point) != self._own
            )
            if differs is not False and table.constraint.allows(point):
                if differs:
                    return Answer(True, point, self.name)
                near = True
        return Answer(None if near else False, None, self.name, WITHIN_ROUNDING if near else "")
