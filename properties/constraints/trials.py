"""A trial under a constraint: one case, one set of routes, and the truth of every question by the definitions.

The truth takes nothing from the routes, nor from the constraint's own methods: at one point of every part that no literal of
the model or the constraint splits, it walks the edges whose literal holds and looks for a literal of every clause.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import random
from collections.abc import Iterable
from functools import cached_property
from types import TracebackType
from typing import Any

from xpgcheck.model.cells import cells
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point
from xpgcheck.properties.cases import Case, EnsembleCase
from xpgcheck.properties.constraints.routes import HonestConstraintRoutes
from xpgcheck.properties.constraints.strategies import changed_at
from xpgcheck.properties.ensembles.trials import differs, is_settled, plain_class
from xpgcheck.properties.verdicts import NotApplicable

MAX_CELLS = 3_000
"""Cells of a model and a constraint up to which the truth is looked up."""

MAX_SETS = 64
"""Sets of features that are asked about: all, or some by the dice."""

Members = frozenset[int]


def plain_allows(constraint: Constraint, point: Point) -> bool:
    """Tell whether *point* can occur, as docs/reference/constraints.md has it."""
    for clause in constraint.clauses:
        if not any(point[feature] in values for feature, values in clause.literals):
            return False
    if constraint.graph is None:
        return True
    return constraint.graph.classes[_walked(constraint.graph, point)] == "allowed"


def _walked(graph: DecisionGraph, point: Point) -> int:
    node = 0
    while graph.class_of[node] < 0:
        value = point[graph.feature_of[node]]
        node = next(child for child, values in graph.edges(node) if value in values)
    return graph.class_of[node]


def plain_kappa(model: DecisionGraph | Ensemble, point: Point) -> int:
    """Return the class of *point* by the definition."""
    return plain_class(model, point) if isinstance(model, Ensemble) else _walked(model, point)


class ConstraintTrial:
    """A model, an instance, a constraint, and the routes that are asked of them.  Solvers are freed on leaving."""

    def __init__(self, case: Case | EnsembleCase, routes: HonestConstraintRoutes) -> None:
        assert case.constraint is not None
        self.model: DecisionGraph | Ensemble = case.graph
        self.instance = case.instance
        self.constraint = case.constraint
        self.routes = routes
        self._dice = case.dice
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> ConstraintTrial:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    @property
    def dice(self) -> random.Random:
        """Dice that have not been thrown yet: what a property does must not depend on those before it."""
        return random.Random(self._dice)

    def entered(self, session: Any) -> Any:
        """Return *session*, which is closed with the trial."""
        return self._stack.enter_context(session)

    def graph(self) -> DecisionGraph:
        """Return the model.  Raises ``NotApplicable`` of an ensemble."""
        if isinstance(self.model, Ensemble):
            raise NotApplicable("an ensemble")
        return self.model

    def ensemble(self) -> Ensemble:
        """Return the model.  Raises ``NotApplicable`` of a decision graph."""
        if not isinstance(self.model, Ensemble):
            raise NotApplicable("a decision graph")
        return self.model

    @property
    def features(self) -> Members:
        """All features."""
        return frozenset(range(len(self.instance)))

    @cached_property
    def sets(self) -> list[Members]:
        """All sets of features where they are few, else some, the two extreme ones among them."""
        every = sorted(self.features)
        if 2 ** len(every) <= MAX_SETS:
            return [frozenset(s) for n in range(len(every) + 1) for s in itertools.combinations(every, n)]
        some = (self.dice.getrandbits(len(every)) for _ in range(MAX_SETS))
        return [frozenset(), self.features, *(frozenset(i for i in every if bits >> i & 1) for bits in some)]

    @cached_property
    def points(self) -> list[Point]:
        """One point of every part that no literal splits, with the instance's values where it can have them.

        Raises ``NotApplicable`` where there are too many.
        """
        sets: list[dict[ValueSet, None]] = [{} for _ in self.instance]
        graphs = list(self.model.trees) if isinstance(self.model, Ensemble) else [self.model]
        for literal in itertools.chain(self.constraint.literals(), *(graph.literals for graph in graphs)):
            sets[literal.feature][literal.values] = None
        split = [
            cells(feature.domain.all_values(), list(own)).cells
            for feature, own in zip(self.model.features, sets, strict=True)
        ]
        if math.prod(map(len, split)) > MAX_CELLS:
            raise NotApplicable("too many cells")
        choices = [
            [own if own in cell else cell.representative() for cell in of_feature]
            for of_feature, own in zip(split, self.instance, strict=True)
        ]
        return list(itertools.product(*choices))

    @cached_property
    def settled(self) -> bool:
        """Whether the class of the instance holds whatever the rounding."""
        return not isinstance(self.model, Ensemble) or is_settled(self.model, self.instance)

    def require_settled(self) -> None:
        """Raise ``NotApplicable`` where rounding leaves something open: that says nothing of constraints."""
        if isinstance(self.model, Ensemble) and self.model.tally.slack:
            raise NotApplicable("sums of a machine")

    @cached_property
    def own_class(self) -> int:
        """The class of the instance."""
        return plain_kappa(self.model, self.instance)

    @cached_property
    def changing(self) -> list[Members]:
        """The least sets of features in which some point that can occur and has another class differs: the CXps."""
        found: set[Members] = set()
        for point in self.points:
            if self.changes(point) and plain_allows(self.constraint, point):
                found.add(changed_at(point, self.instance))
        return [own for own in found if not any(other < own for other in found)]

    def changes(self, point: Point) -> bool:
        """Tell whether *point* has another class, whether or not it can occur."""
        if isinstance(self.model, Ensemble):
            return bool(differs(self.model, point, self.own_class))
        return plain_kappa(self.model, point) != self.own_class

    def changeable(self, fixed: Iterable[int]) -> bool:
        """Return the truth: whether some point that can occur agrees with the instance on *fixed* and has another class."""
        self.require_settled()
        held = frozenset(fixed)
        return any(held.isdisjoint(own) for own in self.changing)

    @cached_property
    def families(self) -> tuple[set[Members], set[Members]]:
        """All AXps and all CXps by the definitions.  Raises ``NotApplicable`` where there are too many features."""
        if 2 ** len(self.instance) > MAX_SETS:
            raise NotApplicable("too many features")
        weak = [members for members in self.sets if not self.changeable(members)]
        axps = {members for members in weak if not any(other < members for other in weak)}
        return axps, set(self.changing)
