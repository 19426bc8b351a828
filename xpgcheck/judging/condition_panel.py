"""The consensus on explanations over conditions, under both notions of :mod:`xpgcheck.oracles.conditions`.

``judge_axp``, ``judge_cxp`` and ``judge_family`` of :mod:`xpgcheck.judging.xp_judge` take it as it is: what they call
features are then conditions, by their index.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from xpgcheck.errors import InstanceError
from xpgcheck.judging.consensus import Consensus
from xpgcheck.judging.opened import Opening
from xpgcheck.model.classifier import in_feature_space
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Oracle, replay
from xpgcheck.oracles.box_cells import ConditionCells, ExhaustiveInBoxOracle
from xpgcheck.oracles.box_closed_set import BoxMasks, ClosedSetInBoxOracle
from xpgcheck.oracles.box_sessions import BoxSession
from xpgcheck.oracles.closed_set import ClosedSetOracle
from xpgcheck.oracles.conditions import (
    Condition,
    condition_graph,
    conditions_at,
    conditions_of,
    replay_on_conditions,
)
from xpgcheck.oracles.exhaustive import DEFAULT_LIMIT, CellTable, ExhaustiveOracle
from xpgcheck.oracles.late import LateOracle
from xpgcheck.oracles.smt_sessions import DEFAULT_TIMEOUT_MS, FORMULATION_OF, SmtSession


class ConditionOracles(Opening):
    """The oracles of one graph over its conditions, for every instance and both notions.

    A context manager.  Each solver is opened by the first instance of a notion, and freed on leaving; tables of cells are
    made by the first question that needs them.
    """

    def __init__(
        self,
        graph: DecisionGraph,
        solvers: Sequence[str] = ("z3",),
        timeout_ms: int | None = DEFAULT_TIMEOUT_MS,
        *,
        limit: int = DEFAULT_LIMIT,
        solver_last: bool = False,
    ) -> None:
        """Find the conditions of *graph*.

        The SMT *solvers* are asked first, in their order, then closed sets and cells (up to *limit* of them).  With
        *solver_last*, cells and closed sets come first, and a solver is opened only where they leave a question open: for
        small graphs, whose solvers would take longer to start than to answer.

        Raises ``NotTwoWayError`` where the graph has no conditions.
        """
        super().__init__()
        self.graph = graph
        self.conditions: tuple[Condition, ...] = conditions_of(graph)
        self._solvers = tuple(solvers)
        self._timeout_ms = timeout_ms
        self._limit = limit
        self._last = solver_last

    @functools.cached_property
    def boolean_graph(self) -> DecisionGraph:
        """The graph over independent conditions, whose points the witnesses of that notion are."""
        return condition_graph(self.graph)

    def at(self, point: Point, *, theory: bool, thorough: bool = False) -> Consensus:
        """Return the consensus on sets of conditions (indices into ``conditions``) at the instance *point*.

        With *theory*, witnesses are points of the graph's feature space; without, of ``boolean_graph``.  All oracles are
        asked each question where *thorough*.  Raises ``InstanceError`` where *point* is not in feature space, and
        ``MissingPackageError`` where a solver is not installed (with ``solver_last``, a question may).
        """
        if not in_feature_space(self.graph, point):
            raise InstanceError(
                "the point is not in the model's feature space", mend="give one domain value for each feature"
            )
        own_class = self.graph.kappa(point)
        count = len(self.conditions)
        if theory:
            graph, conditions = self.graph, self.conditions
            quick: list[Oracle] = [
                ClosedSetInBoxOracle(self._masks, point),
                ExhaustiveInBoxOracle(self._condition_cells, point, self._limit),
            ]
            return Consensus(
                count,
                self._ordered(point, quick, theory=True),
                lambda fixed, witness: replay_on_conditions(graph, conditions, point, fixed, witness, own_class),
                thorough=thorough,
            )
        boolean = self.boolean_graph
        truth = conditions_at(self.conditions, point) or (False,)
        quick = [ClosedSetOracle(boolean, truth), ExhaustiveOracle(self._cells, truth, self._limit)]
        return Consensus(
            count,
            self._ordered(truth, quick, theory=False),
            lambda fixed, witness: replay(boolean, truth, fixed, witness, own_class),
            instance=truth,
            thorough=thorough,
        )

    @functools.cached_property
    def _masks(self) -> BoxMasks:
        return BoxMasks(self.graph, self.conditions)

    @functools.cached_property
    def _condition_cells(self) -> ConditionCells:
        return ConditionCells(CellTable(self.graph), self.conditions)

    @functools.cached_property
    def _cells(self) -> CellTable:
        return CellTable(self.boolean_graph)

    def _ordered(self, point: Point, quick: list[Oracle], *, theory: bool) -> list[Oracle]:
        openers = [functools.partial(self._solver_at, name, theory, point) for name in self._solvers]
        if self._last:
            names = [(f"{name}-{_formulation(name)}", name) for name in self._solvers]
            late = [LateOracle(*name, opener) for name, opener in zip(names, openers, strict=True)]
            return [*reversed(quick), *late]
        return [*(opener() for opener in openers), *quick]

    def _solver_at(self, solver: str, theory: bool, point: Point) -> Oracle:
        return self.opened((solver, theory), functools.partial(self._session, solver, theory)).at(point)

    def _session(self, solver: str, theory: bool) -> SmtSession | BoxSession:
        formulation = _formulation(solver)
        if theory:
            return BoxSession(self.graph, self.conditions, solver, formulation, self._timeout_ms)
        return SmtSession(self.boolean_graph, solver, formulation, self._timeout_ms)


def _formulation(solver: str) -> str:
    return FORMULATION_OF.get(solver, "ite")
