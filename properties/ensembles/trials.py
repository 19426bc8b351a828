"""A trial of the judges of ensembles: one case, one set of routes, and the truth of every question by the definitions.

The truth takes nothing from the judges, nor from κ of the model: it walks the edges whose literal holds, counts the votes or
adds what the terminals weigh as fractions, and looks at one point of every cell.  From the model's whole numbers it takes
only how far a machine's sums may be off.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import random
from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from types import TracebackType

from xpgcheck.model.combination import Majority, Sum
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Oracle
from xpgcheck.properties.cases import EnsembleCase
from xpgcheck.properties.ensembles.routes import HonestEnsembleRoutes
from xpgcheck.properties.verdicts import NotApplicable

MAX_CELLS = 2_000
"""Cells of an ensemble up to which its truth is looked up."""

Members = frozenset[int]


def plain_class(ensemble: Ensemble, point: Point) -> int:
    """Return the class of *point* (docs/explanation/forests.md): most votes or the largest sum, among equals the lowest."""
    sums = plain_sums(ensemble, point)
    rule = ensemble.rule
    if isinstance(rule, Sum) and rule.threshold is not None:
        return int(sums[1] >= sums[0] if rule.threshold.inclusive else sums[1] > sums[0])
    return min(range(len(sums)), key=lambda c: (-sums[c], c))


def plain_sums(ensemble: Ensemble, point: Point) -> list[Fraction]:
    """Return the votes or the exact sum of each class at *point*; a threshold is what the first of two classes has.

    An average is multiplied by the number of trees.
    """
    rule = ensemble.rule
    votes = [_vote(tree, point) for tree in ensemble.trees]
    if isinstance(rule, Majority):
        return [Fraction(votes.count(c)) for c in range(len(ensemble.classes))]
    rows = [rows[vote] for rows, vote in zip(ensemble.outputs, votes, strict=True)]
    sums = [sum(column, base) for base, column in zip(rule.base, zip(*rows, strict=True), strict=True)]
    if rule.threshold is not None:
        sums.insert(0, rule.threshold.at * (len(votes) if rule.divided else 1))
    return sums


def differs(ensemble: Ensemble, point: Point, own: int) -> bool | None:
    """Tell whether *point* has another class than *own*; None where rounding decides that."""
    slack = ensemble.tally.slack * ensemble.tally.unit
    if not slack:
        return plain_class(ensemble, point) != own
    sums = plain_sums(ensemble, point)
    ahead = max((s - sums[own] for c, s in enumerate(sums) if c != own), default=-slack - 1)
    return None if abs(ahead) <= slack else ahead > 0


def is_settled(ensemble: Ensemble, point: Point) -> bool:
    """Tell whether the class of *point* holds whatever the rounding."""
    return differs(ensemble, point, plain_class(ensemble, point)) is False


def _vote(tree: DecisionGraph, point: Point) -> int:
    node = 0
    while tree.class_of[node] < 0:
        value = point[tree.feature_of[node]]
        node = next(child for child, values in tree.edges(node) if value in values)
    return tree.class_of[node]


class EnsembleTrial:
    """An ensemble, an instance, and the routes that are asked of them.  A context manager: solvers are freed on leaving."""

    def __init__(self, case: EnsembleCase, routes: HonestEnsembleRoutes) -> None:
        self.ensemble = routes.ensemble(case.graph)
        self.instance = case.instance
        self._dice = case.dice
        self._routes = routes
        self._stack = contextlib.ExitStack()
        self._opened: dict[str, Oracle] = {}

    def __enter__(self) -> EnsembleTrial:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    @property
    def dice(self) -> random.Random:
        """Dice that have not been thrown yet: what a property does must not depend on those before it."""
        return random.Random(self._dice)

    @property
    def for_solvers(self) -> bool:
        """Whether this is a case that is put to solvers: a few are, as these take longer to start than all else takes."""
        return not self.dice.randrange(self._routes.solver_cases)

    def oracle(self, route: str) -> Oracle:
        """Return the oracle of the instance by *route*: ``clauses``, ``boxes``, ``integers``, ``cells`` or ``sums``."""
        if route not in self._opened:
            self._opened[route] = self.oracle_of(route, self.ensemble, self.instance)
        return self._opened[route]

    def oracle_of(self, route: str, ensemble: Ensemble, instance: Point) -> Oracle:
        """Return the oracle by *route* of another ensemble."""
        session = getattr(self._routes, route)(ensemble)
        if hasattr(session, "close"):
            self._stack.callback(session.close)
        oracle: Oracle = session.at(instance)
        return oracle

    @property
    def features(self) -> Members:
        """All features."""
        return frozenset(range(len(self.instance)))

    @cached_property
    def sets(self) -> list[Members]:
        """All sets of features."""
        every = sorted(self.features)
        return [frozenset(s) for n in range(len(every) + 1) for s in itertools.combinations(every, n)]

    @cached_property
    def changing(self) -> dict[Members, bool]:
        """The sets of features in which some point that may have another class differs from the instance.

        Each with whether one of them has it for certain.  Raises ``NotApplicable`` where there are too many cells.
        """
        cells = self.ensemble.cells
        if math.prod(map(len, cells)) > MAX_CELLS // max(1, len(self.ensemble.trees) // 10):
            raise NotApplicable("too many cells")
        own = plain_class(self.ensemble, self.instance)
        choices = [
            [value if value in cell else cell.representative() for cell in of_feature]
            for of_feature, value in zip(cells, self.instance, strict=True)
        ]
        found: dict[Members, bool] = {}
        for point in itertools.product(*choices):
            other = differs(self.ensemble, point, own)
            if other is not False:
                differing = frozenset(i for i, value in enumerate(point) if value != self.instance[i])
                found[differing] = bool(other) or found.get(differing, False)
        return found

    @cached_property
    def settled(self) -> bool:
        """Whether the class of the instance holds whatever the rounding."""
        return is_settled(self.ensemble, self.instance)

    def changeable(self, fixed: Iterable[int]) -> bool | None:
        """Return the truth: whether some point that agrees with the instance on *fixed* has another class.

        None where rounding decides that.
        """
        held = frozenset(fixed)
        found = [certain for differing, certain in self.changing.items() if held.isdisjoint(differing)]
        return None if not self.settled or (found and not any(found)) else bool(found)
