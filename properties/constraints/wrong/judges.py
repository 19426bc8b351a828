"""Wrong judges under constraints: cells, paths, boxes, solvers, witnesses and verdicts, and what can occur."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from xpgcheck.judging.consensus import Consensus
from xpgcheck.judging.constraint_panel import ConstraintOracles
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Answer, replay
from xpgcheck.oracles.constraints.possible_boxes import Cut, Masks, PossibleBoxes, PossibleBoxesOracle
from xpgcheck.oracles.constraints.possible_cells import PossibleCells
from xpgcheck.oracles.constraints.possible_paths import Left, PossiblePaths, State
from xpgcheck.oracles.exhaustive import representatives
from xpgcheck.oracles.smt_sessions import SmtSession
from xpgcheck.properties.constraints.routes import HonestConstraintRoutes
from xpgcheck.properties.seeded.bugs import constraint_route
from xpgcheck.properties.subjects import ENSEMBLE_KINDS, GRAPH_KIND


@constraint_route
class SomeClauseIsEnough(HonestConstraintRoutes):
    """A point can occur where some clause holds."""

    def allows(self, constraint: Constraint, point: Point) -> bool:
        """Tell whether some clause holds."""
        if constraint.clauses:
            return any(clause.holds(point) for clause in constraint.clauses)
        return super().allows(constraint, point)


@constraint_route
class AllLiteralsHaveToHold(HonestConstraintRoutes):
    """A clause is taken for the conjunction of its literals."""

    def allows(self, constraint: Constraint, point: Point) -> bool:
        """Tell whether all literals of all clauses hold."""
        held = all(point[i] in values for clause in constraint.clauses for i, values in clause.literals)
        return held and super().allows(constraint, point)


@constraint_route
class LaterClausesDoNotCount(HonestConstraintRoutes):
    """Only the first clause counts."""

    def allows(self, constraint: Constraint, point: Point) -> bool:
        """Tell whether the first clause holds."""
        return super().allows(replace(constraint, clauses=constraint.clauses[:1]), point)


@constraint_route
class CellsWithoutTheConstraint(HonestConstraintRoutes):
    """Every cell is looked at, and none for whether it can occur."""

    def cells(self, model: DecisionGraph | Ensemble, constraint: Constraint, point: Point) -> Any:
        """Return the oracle under a constraint that allows all."""
        return PossibleCells(model, replace(constraint, clauses=(), graph=None)).at(point)


@constraint_route
class CellsOfTheModelAlone(HonestConstraintRoutes):
    """Cells are those of the model: of what the constraint tells apart within one, a single value is looked at."""

    def cells(self, model: DecisionGraph | Ensemble, constraint: Constraint, point: Point) -> Any:
        """Return the oracle of cells that only the model's literals split."""
        table = PossibleCells(model, constraint)
        sets: list[list[ValueSet]] = [[] for _ in model.features]
        for graph in model.trees if isinstance(model, Ensemble) else [model]:
            for literal in graph.literals:
                sets[literal.feature].append(literal.values)
        pairs = zip(model.features, sets, strict=True)
        table.values = [representatives(feature.domain, own) for feature, own in pairs]
        return table.at(point)


class _Paths(HonestConstraintRoutes):
    kinds = (GRAPH_KIND,)
    kind: type[PossiblePaths] = PossiblePaths

    def paths(self, graph: DecisionGraph, constraint: Constraint, point: Point) -> Any:
        """Return the oracle of wrong paths."""
        return self.kind(graph, constraint, point)


@constraint_route
class PathsTakeOneLiteral(_Paths):
    """Only the first literal of a clause is tried."""

    class kind(PossiblePaths):  # noqa: N801
        """Wrong."""

        def _ways(self, position: int, left: Left, chosen: frozenset[int]) -> Iterator[Left]:
            yield from list(super()._ways(position, left, chosen))[:1]


@constraint_route
class PathsSkipTheLastClause(_Paths):
    """The last clause is not looked at."""

    class kind(PossiblePaths):  # noqa: N801
        """Wrong."""

        def _following(self, state: State, chosen: frozenset[int]) -> list[State] | None:
            node, below, done, _ = state
            count = len(self._constraint.clauses)
            if node < 0 and below < 0 and count and done == count - 1:
                return None
            return super()._following(state, chosen)


@constraint_route
class PathsFreeTheFixedFeatures(_Paths):
    """The constraint is looked at as if no feature were fixed."""

    class kind(PossiblePaths):  # noqa: N801
        """Wrong."""

        def _following(self, state: State, chosen: frozenset[int]) -> list[State] | None:
            return super()._following(state, chosen if state[0] >= 0 else frozenset())


@constraint_route
class PathsForgetWhatIsLeft(_Paths):
    """The values that a path of the graph leaves of features are forgotten where the constraint begins."""

    class kind(PossiblePaths):  # noqa: N801
        """Wrong."""

        def _following(self, state: State, chosen: frozenset[int]) -> list[State] | None:
            found = super()._following(state, chosen)
            if found and state[0] >= 0 and found[0][0] < 0:
                return [(*own[:3], {}) for own in found]
            return found


@constraint_route
class PathsStopAtTheClass(_Paths):
    """A terminal of another class settles it, whether or not something can occur there."""

    class kind(PossiblePaths):  # noqa: N801
        """Wrong."""

        def _following(self, state: State, chosen: frozenset[int]) -> list[State] | None:
            return None if state[0] < 0 else super()._following(state, chosen)


class _Boxes(HonestConstraintRoutes):
    kinds = ENSEMBLE_KINDS
    kind: type[PossibleBoxes] = PossibleBoxes

    def boxes(self, ensemble: Ensemble, constraint: Constraint, point: Point) -> Any:
        """Return the oracle of wrong boxes."""
        return self.kind(ensemble, constraint).at(point)


@constraint_route
class BoxesOccurTooSoon(_Boxes):
    """A box of which some part can occur is taken for one of which all can."""

    class kind(PossibleBoxes):  # noqa: N801
        """Wrong."""

        def possible(self, box: Masks) -> tuple[bool | None, Cut | None]:
            """Tell True where it is not False."""
            found, cut = super().possible(box)
            return (True, None) if found is None else (found, cut)


@constraint_route
class BoxesClosedTooSoon(_Boxes):
    """A box of which some part cannot occur is taken for one of which nothing can."""

    class kind(PossibleBoxes):  # noqa: N801
        """Wrong."""

        def possible(self, box: Masks) -> tuple[bool | None, Cut | None]:
            """Tell False where it is not True."""
            found, cut = super().possible(box)
            return (False, None) if found is None else (found, cut)


@constraint_route
class BoxesNeedMoreToWin(HonestConstraintRoutes):
    """A rival has to be one further ahead than it takes."""

    kinds = ENSEMBLE_KINDS

    def boxes(self, ensemble: Ensemble, constraint: Constraint, point: Point) -> Any:
        """Return the oracle of rivals with a lead too many."""

        class Wrong(PossibleBoxesOracle):
            def __init__(self, *args: Any) -> None:
                super().__init__(*args)
                self._rivals = [(rival, start - 1, lead) for rival, start, lead in self._rivals]

        return Wrong(PossibleBoxes(ensemble, constraint), point, 2_000)


@constraint_route
class SolverWithoutTheConstraint(HonestConstraintRoutes):
    """The constraint is not asserted."""

    def solver(self, model: DecisionGraph | Ensemble, constraint: Constraint, formulation: str) -> Any:
        """Return a session that knows nothing of it."""
        return SmtSession(model, "z3", formulation)


@constraint_route
class SolverNegatesTheConstraint(HonestConstraintRoutes):
    """The first literal of every clause is taken for its opposite."""

    def solver(self, model: DecisionGraph | Ensemble, constraint: Constraint, formulation: str) -> Any:
        """Return a session with opposite literals."""
        clauses = []
        for clause in constraint.clauses:
            (first, *rest) = clause.literals
            whole = model.features[first.feature].domain.all_values()
            clauses.append(clause._replace(literals=(first._replace(values=whole.difference(first.values)), *rest)))
        return SmtSession(model, "z3", formulation, constraint=replace(constraint, clauses=tuple(clauses)))


@constraint_route
class WitnessesNeedNotOccur(HonestConstraintRoutes):
    """A witness is replayed by κ alone."""

    def replayed(
        self,
        model: DecisionGraph | Ensemble,
        constraint: Constraint,
        instance: Point,
        fixed: Iterable[int],
        witness: Point,
    ) -> str | None:
        """Replay by κ."""
        return replay(model, instance, fixed, witness)


@constraint_route
class WitnessesByTheConstraintAlone(HonestConstraintRoutes):
    """A witness is believed wherever it can occur."""

    def replayed(
        self,
        model: DecisionGraph | Ensemble,
        constraint: Constraint,
        instance: Point,
        fixed: Iterable[int],
        witness: Point,
    ) -> str | None:
        """Replay by the constraint."""
        return None if constraint.allows(witness) else "it cannot occur"


@constraint_route
class JudgesWithoutTheConstraint(HonestConstraintRoutes):
    """Claims under a constraint are judged by the definitions without one."""

    def judges(self, model: DecisionGraph | Ensemble, constraint: Constraint) -> Any:
        """Return the judges under a constraint that allows all."""
        return ConstraintOracles(model, replace(constraint, clauses=(), graph=None))


@constraint_route
class JudgesBelieveADenial(HonestConstraintRoutes):
    """A second route denies every change, whatever it is asked."""

    def judges(self, model: DecisionGraph | Ensemble, constraint: Constraint) -> Any:
        """Return judges with a route that looks at nothing."""
        return _WithADenier(model, constraint)


class _WithADenier(ConstraintOracles):
    def at(self, point: Point) -> Consensus:
        consensus = super().at(point)
        consensus._oracles = (_Denier(), *consensus._oracles)
        return consensus


class _Denier:
    """Says that nothing changes the class."""

    name = engine = "denier"

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Deny everything."""
        return Answer(False, None, self.name)
