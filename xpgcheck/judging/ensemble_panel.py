"""The panel of an ensemble: its oracles put together, opened once and asked at any of its instances.

For votes, clauses are asked first: they are quick to find a point of another class, and it is replayed by κ.  Where they
say that there is none, boxes have to say so too, or else every cell, where there are few.  For sums, boxes come first,
which take a millisecond where the others take ten, then whole numbers, where ``ortools`` is installed, and every cell.  A
solver of SMT comes last, or first where the user named it.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xpgcheck.judging.claim import Notion
from xpgcheck.judging.claim_judge import MAX_FAMILY, ClaimJudge
from xpgcheck.judging.consensus import Consensus
from xpgcheck.judging.constraint_panel import ConstraintOracles, no_constraint
from xpgcheck.judging.ensemble_theory import TheoryConsensus
from xpgcheck.judging.frames import Frame, frame_of_ensemble, frame_of_ensemble_conditions, frame_under_constraint
from xpgcheck.judging.opened import Opening
from xpgcheck.model.combination import Majority
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Oracle
from xpgcheck.oracles.conditions import condition_ensemble, conditions_at, conditions_of
from xpgcheck.oracles.ensembles.box_sums import SumForest
from xpgcheck.oracles.ensembles.boxes import Forest
from xpgcheck.oracles.ensembles.clauses import VoteClauses
from xpgcheck.oracles.ensembles.every_cell import EveryCell, EveryCellOracle
from xpgcheck.oracles.ensembles.integer_sums import IntegerSums, is_available
from xpgcheck.oracles.late import LateOracle
from xpgcheck.oracles.smt_sessions import DEFAULT_TIMEOUT_MS, VOTES, SmtSession

if TYPE_CHECKING:
    from xpgcheck.judging.box_judge import BoxJudge

MAX_VISITS = 10_000
"""Cells, times trees, of an ensemble of sums that are looked at before a solver is asked: about as fast as one opens."""


class EnsemblePanel(Opening):
    """The oracles for one ensemble.  A context manager: solvers are freed on leaving.

    The first of the SMT *solvers* is opened by the first question that the others leave open; with *solvers_first* all of
    them are asked before the others.  All oracles are asked each question where *thorough*.  Claims under a constraint are
    judged under *constraint*.
    """

    def __init__(
        self,
        ensemble: Ensemble,
        solvers: Sequence[str] = ("z3",),
        timeout_ms: int = DEFAULT_TIMEOUT_MS,
        *,
        solvers_first: bool = False,
        thorough: bool = False,
        constraint: Constraint | None = None,
    ) -> None:
        super().__init__()
        self.ensemble = ensemble
        self._constraint = constraint
        self._solvers = tuple(solvers)
        self._timeout_ms = timeout_ms
        self._first = solvers_first
        self._thorough = thorough
        self._of_values: dict[Notion, BoxJudge] = {}

    def at(self, instance: Point) -> Consensus:
        """Return the consensus on sets of features at *instance*.

        Raises ``MissingPackageError`` where a solver that is asked first is not installed; else a question may.
        """
        name, engine = EveryCellOracle.name, EveryCellOracle.engine
        own: list[Oracle]
        if isinstance(self.ensemble.rule, Majority):
            own = [self._clauses.at(instance), self._boxes.at(instance)]
        else:
            own = [self._box_sums.at(instance)]
            if is_available():
                own.append(LateOracle(IntegerSums.name, IntegerSums.engine, lambda: self._integers.at(instance)))
        own.append(LateOracle(name, engine, lambda: self._cells.at(instance)))
        if self._first:
            oracles = [*(self._session(name).at(instance) for name in self._solvers), *own]
        else:
            oracles = [*own, *self._last_resort(instance)]
        return Consensus.of_graph(self.ensemble, instance, oracles, thorough=self._thorough)

    def claims_at(self, instance: Point, max_family: int = MAX_FAMILY) -> ClaimJudge:
        """Return the judge of claims at *instance*, of families of at most *max_family* XPs."""
        frames = functools.cache(functools.partial(self._frame, instance))
        return ClaimJudge(frames, max_family, self._judge_of_values)

    def _judge_of_values(self, notion: Notion) -> BoxJudge:
        """Return the judge of sets of values, under the constraint where *notion* says so."""
        from xpgcheck.judging.box_judge import BoxJudge

        if notion not in self._of_values:
            constraint = self.under_constraint.constraint if notion is Notion.CONSTRAINTS else None
            self._of_values[notion] = BoxJudge(self.ensemble, self._solvers, constraint)
        return self._of_values[notion]

    def _frame(self, instance: Point, notion: Notion) -> Frame:
        if notion is Notion.FEATURES:
            return frame_of_ensemble(self.ensemble, instance, self.at(instance))
        if notion is Notion.CONSTRAINTS:
            return frame_under_constraint(self.under_constraint, instance)
        if notion is Notion.THEORY:
            conditions = conditions_of(self.ensemble)
            consensus = TheoryConsensus(self.ensemble, conditions, instance, self._another)
            return frame_of_ensemble_conditions(self.ensemble, instance, None, consensus)
        panel = self._over_conditions
        truth = conditions_at(conditions_of(self.ensemble), instance) or (False,)
        return frame_of_ensemble_conditions(self.ensemble, instance, panel.ensemble, panel.at(truth))

    @functools.cached_property
    def under_constraint(self) -> ConstraintOracles:
        """The oracles of the ensemble under the constraint.  Raises ``InputError`` where none was given."""
        if self._constraint is None:
            raise no_constraint()
        own = ConstraintOracles(
            self.ensemble,
            self._constraint,
            self._solvers,
            self._timeout_ms,
            solvers_first=self._first,
            thorough=self._thorough,
        )
        return self._stack.enter_context(own)

    @functools.cached_property
    def _over_conditions(self) -> EnsemblePanel:
        """The panel of the ensemble over its conditions.  Raises ``NotTwoWayError`` where it has none."""
        return self._stack.enter_context(self._another(condition_ensemble(self.ensemble)))

    def _another(self, ensemble: Ensemble) -> EnsemblePanel:
        """Return a panel of another ensemble, of the same oracles."""
        solvers, first = (self._solvers, self._timeout_ms), self._first
        return EnsemblePanel(ensemble, *solvers, solvers_first=first, thorough=self._thorough)

    @functools.cached_property
    def _clauses(self) -> VoteClauses:
        return self.opened(VoteClauses, functools.partial(VoteClauses, self.ensemble))

    @functools.cached_property
    def _boxes(self) -> Forest:
        return Forest(self.ensemble)

    @functools.cached_property
    def _box_sums(self) -> SumForest:
        return SumForest(self.ensemble)

    @functools.cached_property
    def _integers(self) -> IntegerSums:
        return IntegerSums(self.ensemble)

    @functools.cached_property
    def _cells(self) -> EveryCell:
        if isinstance(self.ensemble.rule, Majority):
            return EveryCell(self.ensemble)
        return EveryCell(self.ensemble, max(1, MAX_VISITS // len(self.ensemble.trees)))

    def _session(self, solver: str) -> SmtSession:
        return self.opened(solver, functools.partial(SmtSession, self.ensemble, solver, timeout_ms=self._timeout_ms))

    def _last_resort(self, instance: Point) -> list[Oracle]:
        """Return the first solver's oracle, which is opened when it is asked."""
        return [
            LateOracle(f"{name}-{VOTES}", name, lambda name=name: self._session(name).at(instance))  # type: ignore[misc]
            for name in self._solvers[:1]
        ]
