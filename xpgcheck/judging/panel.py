"""The panel: the oracles of one graph put together, opened once and asked at any of its instances.

Every place that asks several oracles of a decision graph opens a panel; what is believed of their answers is
:mod:`xpgcheck.judging.consensus`.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xpgcheck.judging.claim import Notion
from xpgcheck.judging.claim_judge import MAX_FAMILY, ClaimJudge
from xpgcheck.judging.condition_panel import ConditionOracles
from xpgcheck.judging.consensus import Consensus
from xpgcheck.judging.constraint_panel import ConstraintOracles, no_constraint
from xpgcheck.judging.ensemble_panel import EnsemblePanel
from xpgcheck.judging.frames import (
    Frame,
    frame_of_conditions,
    frame_of_features,
    frame_of_labels,
    frame_under_constraint,
)
from xpgcheck.judging.opened import Opening
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Oracle
from xpgcheck.oracles.certificates import CertifiedGraph
from xpgcheck.oracles.closed_set import ClosedSetOracle
from xpgcheck.oracles.exhaustive import DEFAULT_LIMIT, CellTable, ExhaustiveOracle
from xpgcheck.oracles.late import LateOracle
from xpgcheck.oracles.sigma import SigmaByDefinition, SigmaSession
from xpgcheck.oracles.smt_sessions import DEFAULT_TIMEOUT_MS, FORMULATION_OF, SmtSession

if TYPE_CHECKING:
    from xpgcheck.judging.box_judge import BoxJudge

CELLS = 20_000
"""Combinations of cells up to which the exhaustive oracle is asked before a solver, where solvers are the last resort."""


class Panel(Opening):
    """The oracles for one graph.  A context manager: solvers are freed on leaving.

    The SMT *solvers* are asked first, in their order; closed sets and the cells of feature space are the second route for
    "not changeable".  With *solver_last*, cells and closed sets come first, and the first solver is opened only where they
    leave a question open: for many small graphs, whose solvers would take longer to start than to answer.  Without *cells*
    the exhaustive oracle is left out.  All are asked each question where *thorough*.

    What checked *certificates* prove of the graph is asked before all others, of claims over features.  Claims under a
    constraint are judged under *constraint*.
    """

    def __init__(
        self,
        graph: DecisionGraph,
        solvers: Sequence[str] = ("z3",),
        timeout_ms: int = DEFAULT_TIMEOUT_MS,
        *,
        solver_last: bool = False,
        cells: bool = True,
        thorough: bool = False,
        certificates: Sequence[CertifiedGraph] = (),
        constraint: Constraint | None = None,
    ) -> None:
        super().__init__()
        self.graph = graph
        self._constraint = constraint
        self._certificates = tuple(certificates)
        self._solvers = tuple(solvers)
        self._timeout_ms = timeout_ms
        self._last = solver_last
        self._cells = cells
        self._thorough = thorough
        self._of_values: dict[Notion, BoxJudge] = {}

    def at(self, instance: Point) -> Consensus:
        """Return the consensus on sets of features at *instance*.

        Raises ``MissingPackageError`` where a solver is not installed (with ``solver_last``, a question may).
        """
        closed = ClosedSetOracle(self.graph, instance)
        oracles: list[Oracle] = [certificate.at(instance) for certificate in self._certificates]
        if self._last:
            oracles += [ExhaustiveOracle(self._table, instance, CELLS)] if self._cells else []
            oracles += [closed, *self._last_resort(instance)]
        else:
            oracles += [session.at(instance) for session in self._sessions]
            oracles += [closed]
            oracles += [ExhaustiveOracle(self._table, instance, DEFAULT_LIMIT)] if self._cells else []
        return Consensus.of_graph(self.graph, instance, oracles, thorough=self._thorough)

    def claims_at(self, instance: Point, max_family: int = MAX_FAMILY) -> ClaimJudge:
        """Return the judge of claims of every notion at *instance*, of families of at most *max_family* XPs."""
        frames = functools.cache(functools.partial(self._frame, instance))
        return ClaimJudge(frames, max_family, self._judge_of_values)

    def _judge_of_values(self, notion: Notion) -> BoxJudge:
        """Return the judge of sets of values, under the constraint where *notion* says so."""
        from xpgcheck.judging.box_judge import BoxJudge

        if notion not in self._of_values:
            constraint = self.under_constraint.constraint if notion is Notion.CONSTRAINTS else None
            self._of_values[notion] = BoxJudge(self.graph, self._solvers, constraint)
        return self._of_values[notion]

    def _frame(self, instance: Point, notion: Notion) -> Frame:
        if notion is Notion.FEATURES:
            return frame_of_features(self.graph, instance, self.at(instance))
        if notion is Notion.CONSTRAINTS:
            return frame_under_constraint(self.under_constraint, instance)
        return frame_of_conditions(self.conditions, instance, notion)

    @functools.cached_property
    def conditions(self) -> ConditionOracles:
        """The oracles of the graph over its conditions.  Raises ``NotTwoWayError`` where it has none."""
        opener = functools.partial(
            ConditionOracles, self.graph, self._solvers, self._timeout_ms, solver_last=self._last
        )
        return self.opened("conditions", opener)

    @functools.cached_property
    def under_constraint(self) -> ConstraintOracles:
        """The oracles of the graph under the constraint.  Raises ``InputError`` where none was given."""
        if self._constraint is None:
            raise no_constraint()
        opener = functools.partial(
            ConstraintOracles,
            self.graph,
            self._constraint,
            self._solvers,
            self._timeout_ms,
            solvers_first=not self._last,
            thorough=self._thorough,
        )
        return self.opened("constraints", opener)

    @functools.cached_property
    def _sessions(self) -> list[SmtSession]:
        return [self._session(name) for name in self._solvers]

    def _session(self, solver: str) -> SmtSession:
        formulation = FORMULATION_OF.get(solver, "ite")
        return self.opened(solver, functools.partial(SmtSession, self.graph, solver, formulation, self._timeout_ms))

    @functools.cached_property
    def _table(self) -> CellTable:
        return CellTable(self.graph)

    def _last_resort(self, instance: Point) -> list[Oracle]:
        """Return the first solver's oracle, which is opened when it is asked."""
        return [
            LateOracle(f"{name}-{FORMULATION_OF.get(name, 'ite')}", name, lambda: self._sessions[0].at(instance))
            for name in self._solvers[:1]
        ]


def open_panel(
    model: DecisionGraph | LabelledGraph | Ensemble,
    solvers: Sequence[str] = ("z3",),
    timeout_ms: int = DEFAULT_TIMEOUT_MS,
    *,
    solver_last: bool = False,
    solvers_named: bool = False,
    constraint: Constraint | None = None,
) -> Panel | LabelledPanel | EnsemblePanel:
    """Return the panel for *model*, whichever kind of model it is; claims under a constraint are judged under *constraint*.

    *solver_last* is as :class:`Panel` takes it.  For an ensemble, solvers are the last resort anyway, unless the user
    *named* them (``solvers_named``).
    """
    if isinstance(model, LabelledGraph):
        return LabelledPanel(model, solvers, timeout_ms)
    if isinstance(model, Ensemble):
        return EnsemblePanel(model, solvers, timeout_ms, solvers_first=solvers_named, constraint=constraint)
    return Panel(model, solvers, timeout_ms, solver_last=solver_last, constraint=constraint)


class LabelledPanel(Opening):
    """The oracles of a labelled graph (from an ``.xpg`` file), which has one instance.  A context manager."""

    def __init__(self, graph: LabelledGraph, solvers: Sequence[str], timeout_ms: int = DEFAULT_TIMEOUT_MS) -> None:
        super().__init__()
        self.graph = graph
        self._sessions = [
            self.opened(name, functools.partial(SigmaSession, graph, name, timeout_ms)) for name in solvers
        ]

    def at(self, instance: Point = ()) -> Consensus:
        """Return the consensus at the one instance that the labels stand for."""
        return Consensus.of_sigma(self.graph, [*self._sessions, SigmaByDefinition(self.graph)])

    def claims_at(self, instance: Point = (), max_family: int = MAX_FAMILY) -> ClaimJudge:
        """Return the judge of claims over features there, of families of at most *max_family* XPs."""
        frame = frame_of_labels(self.graph, self.at(instance))
        return ClaimJudge(lambda _: frame, max_family)
