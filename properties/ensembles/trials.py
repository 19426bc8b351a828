"""A trial of the judges of ensembles: one case, one set of routes, and the truth of every question by the definitions.

The truth takes nothing from the judges, nor from κ of the model: it walks the edges whose literal holds, counts the votes,
and looks at one point of every cell.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import random
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from types import TracebackType

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
    """Return the class of *point* as docs/forests.md has it: most votes, the lowest class among equals."""
    votes = Counter(_vote(tree, point) for tree in ensemble.trees)
    return min(range(len(ensemble.classes)), key=lambda c: (-votes[c], c))


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
        self.dice = random.Random(case.dice)
        self._routes = routes
        self._stack = contextlib.ExitStack()
        self._opened: dict[str, Oracle] = {}

    def __enter__(self) -> EnsembleTrial:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def oracle(self, route: str) -> Oracle:
        """Return the oracle of the instance by *route*: ``clauses``, ``boxes``, ``cells`` or ``sums``."""
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
    def changing(self) -> set[Members]:
        """The sets of features in which some point of another class differs from the instance.

        Raises ``NotApplicable`` where there are too many cells.
        """
        cells = self.ensemble.cells
        if math.prod(map(len, cells)) > MAX_CELLS:
            raise NotApplicable("too many cells")
        own = plain_class(self.ensemble, self.instance)
        choices = [
            [value if value in cell else cell.representative() for cell in of_feature]
            for of_feature, value in zip(cells, self.instance, strict=True)
        ]
        return {
            frozenset(i for i, value in enumerate(point) if value != self.instance[i])
            for point in itertools.product(*choices)
            if plain_class(self.ensemble, point) != own
        }

    def changeable(self, fixed: Iterable[int]) -> bool:
        """Return the truth: whether some point that agrees with the instance on *fixed* has another class."""
        held = frozenset(fixed)
        return any(held.isdisjoint(differing) for differing in self.changing)
