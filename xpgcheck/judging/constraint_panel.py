"""The oracles under a constraint, put together: which point that can occur has another class?

For a decision graph SMT solvers are asked first, or cells and closed sets of what paths leave, as for claims without a
constraint; for an ensemble boxes and cells, and a solver last.  A witness is believed where it is replayed by κ and by the
constraint, and that there is none where two routes say so.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from xpgcheck.errors import InputError, InstanceError
from xpgcheck.judging.consensus import Consensus
from xpgcheck.judging.opened import Opening
from xpgcheck.model.classifier import in_feature_space
from xpgcheck.model.constraint import Constraint, require_features
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import WITHIN_ROUNDING, Oracle
from xpgcheck.oracles.constraints.possible_boxes import PossibleBoxes
from xpgcheck.oracles.constraints.possible_cells import PossibleCells, PossibleCellsOracle
from xpgcheck.oracles.constraints.possible_paths import PossiblePaths
from xpgcheck.oracles.constraints.replaying import replay_possible
from xpgcheck.oracles.late import LateOracle
from xpgcheck.oracles.smt_sessions import DEFAULT_TIMEOUT_MS, FORMULATION_OF, VOTES, SmtSession


class ConstraintOracles(Opening):
    """The oracles of one model under one constraint, for every instance that can occur.

    A context manager: each solver is opened by the first question that needs it, and freed on leaving.  With *solvers_first*
    the SMT *solvers* are asked before the others, else the first of them last.  All are asked where *thorough*.
    """

    def __init__(
        self,
        model: DecisionGraph | Ensemble,
        constraint: Constraint,
        solvers: Sequence[str] = ("z3",),
        timeout_ms: int | None = DEFAULT_TIMEOUT_MS,
        *,
        solvers_first: bool = False,
        thorough: bool = False,
    ) -> None:
        """Raises ``ModelError`` where *constraint* is not over the features of *model*."""
        super().__init__()
        require_features(constraint, model.features)
        self.model = model
        self.constraint = constraint
        self._solvers = tuple(solvers)
        self._timeout_ms = timeout_ms
        self._first = solvers_first
        self._thorough = thorough

    def at(self, point: Point) -> Consensus:
        """Return the consensus on sets of features at the instance *point*, over the points that can occur.

        Raises ``InstanceError`` where *point* is not in feature space, ``BrokenError`` where it cannot occur, and
        ``MissingPackageError`` where a solver that is asked first is not installed; else a question may.
        """
        model, constraint = self.model, self.constraint
        if not in_feature_space(model, point):
            raise InstanceError(
                "the point is not in the model's feature space", mend="give one domain value for each feature"
            )
        constraint.require(point)
        own_class = model.kappa(point)
        settled = not isinstance(model, Ensemble) or model.is_settled(point)
        cells: Oracle = LateOracle(PossibleCellsOracle.name, PossibleCellsOracle.engine, lambda: self._cells.at(point))
        if isinstance(model, Ensemble):
            own: list[Oracle] = [self._boxes.at(point), cells]
        else:
            own = [PossiblePaths(model, constraint, point), cells]
        solvers = [
            LateOracle(f"{name}-{self._formulation(name)}", name, functools.partial(self._solver_at, name, point))
            for name in (self._solvers if self._first or self._thorough else self._solvers[:1])
        ]
        return Consensus(
            len(model.features),
            [*solvers, *own] if self._first else [*own, *solvers],
            lambda fixed, witness: replay_possible(model, constraint, point, fixed, witness, own_class),
            instance=point,
            thorough=self._thorough,
            open_because="" if settled else WITHIN_ROUNDING,
        )

    def _formulation(self, solver: str) -> str:
        return VOTES if isinstance(self.model, Ensemble) else FORMULATION_OF.get(solver, "ite")

    def _solver_at(self, solver: str, point: Point) -> Oracle:
        return self.opened(solver, functools.partial(self._session, solver)).at(point)

    def _session(self, solver: str) -> SmtSession:
        formulation = FORMULATION_OF.get(solver, "ite")
        return SmtSession(self.model, solver, formulation, self._timeout_ms, self.constraint)

    @functools.cached_property
    def _cells(self) -> PossibleCells:
        return PossibleCells(self.model, self.constraint)

    @functools.cached_property
    def _boxes(self) -> PossibleBoxes:
        assert isinstance(self.model, Ensemble)
        return PossibleBoxes(self.model, self.constraint)


def no_constraint() -> InputError:
    """Return the error for claims under a constraint where none was given."""
    return InputError("the claim is made under a constraint, and none was given", mend="give it (--constraints FILE)")
