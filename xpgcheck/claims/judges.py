"""The judges of one graph: solvers that are opened once, and a :class:`ClaimJudge` for each instance."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from contextlib import ExitStack
from types import TracebackType

from xpgcheck.claims.claim import Notion
from xpgcheck.claims.frames import Frame, frame_of_conditions, frame_of_features
from xpgcheck.claims.judging import ClaimJudge
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Oracle
from xpgcheck.oracles.certificates import CertifiedGraph
from xpgcheck.oracles.closed_set import ClosedSetOracle
from xpgcheck.oracles.condition_consensus import ConditionOracles
from xpgcheck.oracles.consensus import Consensus
from xpgcheck.oracles.exhaustive import CellTable, ExhaustiveOracle
from xpgcheck.oracles.late import LateOracle
from xpgcheck.oracles.smt_sessions import DEFAULT_TIMEOUT_MS, FORMULATION_OF, SmtSession

CELLS = 20_000
"""Combinations of cells up to which the exhaustive oracle is asked before a solver, where solvers are the last resort."""


class GraphJudges:
    """The oracles for one graph.  A context manager: solvers are freed on leaving.

    The SMT *solvers* are asked first, in their order; closed sets and the cells of feature space are the second route for
    "not changeable".  With *solver_last*, the first of them is opened only where cells and closed sets leave a question
    open: for many small graphs, whose solvers would take longer to start than to answer.

    What checked *certificates* prove of the graph is asked before all others, of claims over features.
    """

    def __init__(
        self,
        graph: DecisionGraph,
        solvers: Sequence[str] = ("z3",),
        timeout_ms: int = DEFAULT_TIMEOUT_MS,
        *,
        solver_last: bool = False,
        certificates: Sequence[CertifiedGraph] = (),
    ) -> None:
        self.graph = graph
        self._certificates = tuple(certificates)
        self._solvers = tuple(solvers)
        self._timeout_ms = timeout_ms
        self._last = solver_last
        self._stack = ExitStack()

    def __enter__(self) -> GraphJudges:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def at(self, instance: Point) -> ClaimJudge:
        """Return the judge of claims at *instance*."""
        return ClaimJudge(functools.cache(functools.partial(self._frame, instance)))

    def _frame(self, instance: Point, notion: Notion) -> Frame:
        if notion is Notion.FEATURES:
            return frame_of_features(self.graph, instance, self._on_features.at(instance))
        return frame_of_conditions(self.conditions, instance, notion)

    @functools.cached_property
    def _on_features(self) -> FeatureOracles:
        return FeatureOracles(
            self.graph,
            self._solvers,
            self._timeout_ms,
            self._stack,
            solver_last=self._last,
            certificates=self._certificates,
        )

    @functools.cached_property
    def conditions(self) -> ConditionOracles:
        """The oracles of the graph over its conditions.  Raises ``NotTwoWayError`` where it has none."""
        oracles = ConditionOracles(self.graph, self._solvers, self._timeout_ms, solver_last=self._last)
        return self._stack.enter_context(oracles)


class FeatureOracles:
    """The oracles of one graph, for any of its instances."""

    def __init__(
        self,
        graph: DecisionGraph,
        solvers: Sequence[str],
        timeout_ms: int,
        stack: ExitStack,
        *,
        solver_last: bool,
        certificates: Sequence[CertifiedGraph] = (),
    ) -> None:
        self.graph = graph
        self._solvers = tuple(solvers)
        self._timeout_ms = timeout_ms
        self._stack = stack
        self._last = solver_last
        self._certificates = tuple(certificates)

    @functools.cached_property
    def _sessions(self) -> list[SmtSession]:
        return [
            self._stack.enter_context(SmtSession(self.graph, name, FORMULATION_OF.get(name, "ite"), self._timeout_ms))
            for name in self._solvers
        ]

    @functools.cached_property
    def _table(self) -> CellTable:
        return CellTable(self.graph)

    def _last_resort(self, instance: Point) -> list[Oracle]:
        """Return the first solver's oracle, which is opened when it is asked."""
        return [
            LateOracle(f"{name}-{FORMULATION_OF.get(name, 'ite')}", name, lambda: self._sessions[0].at(instance))
            for name in self._solvers[:1]
        ]

    def at(self, instance: Point) -> Consensus:
        """Return the consensus at *instance*."""
        closed = ClosedSetOracle(self.graph, instance)
        oracles: list[Oracle] = [certificate.at(instance) for certificate in self._certificates]
        if self._last:
            oracles += [ExhaustiveOracle(self._table, instance, CELLS), closed, *self._last_resort(instance)]
        else:
            oracles += [session.at(instance) for session in self._sessions]
            oracles += [closed, ExhaustiveOracle(self._table, instance)]
        return Consensus.of_graph(self.graph, instance, oracles)
