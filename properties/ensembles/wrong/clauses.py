"""Wrong clauses: of ties, counters, thresholds, paths and votes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import IntervalSet
from xpgcheck.model.values import Point, Value
from xpgcheck.oracles.ensembles.clauses import ClauseOracle, Positions, Run, VoteClauses
from xpgcheck.properties.ensembles.routes import HonestEnsembleRoutes
from xpgcheck.properties.seeded.bugs import ensemble_route


def _above(cell: Any, value: Value) -> bool:
    """Tell whether *value* is the upper end of *cell*, a threshold that is tested by "at most"."""
    return isinstance(cell, IntervalSet) and bool(cell.cuts) and cell.cuts[1][1:] == (value, 1)


class _Clauses(HonestEnsembleRoutes):
    rules = ("votes",)
    _Wrong: type[VoteClauses]

    def clauses(self, ensemble: Ensemble) -> Any:
        """Return *ensemble* as clauses, with a bug."""
        return self._Wrong(ensemble)


@ensemble_route
class ClausesTiesReversed(_Clauses):
    """Clauses give a tie to the highest class."""

    class _Wrong(VoteClauses):
        def _beaten(self, own: int, rival: int) -> int:
            spare = len(self._votes) - int(rival < own)
            counted = [votes[own] for votes in self._votes] + [-votes[rival] for votes in self._votes]
            return self._at_most(counted, spare)


@ensemble_route
class ClausesTieIsAChange(_Clauses):
    """Clauses let a rival win by a tie, whichever class comes first."""

    class _Wrong(VoteClauses):
        def _beaten(self, own: int, rival: int) -> int:
            counted = [votes[own] for votes in self._votes] + [-votes[rival] for votes in self._votes]
            return self._at_most(counted, len(self._votes))


@ensemble_route
class ClausesTieIsNoChange(_Clauses):
    """Clauses let no rival win by a tie, whichever class comes first."""

    class _Wrong(VoteClauses):
        def _beaten(self, own: int, rival: int) -> int:
            counted = [votes[own] for votes in self._votes] + [-votes[rival] for votes in self._votes]
            return self._at_most(counted, len(self._votes) - 1)


@ensemble_route
class CounterOneTooMany(_Clauses):
    """The counter of votes lets one more be true."""

    class _Wrong(VoteClauses):
        def _at_most(self, literals: list[int], most: int) -> int:
            return super()._at_most(literals, most + 1)


@ensemble_route
class CounterOneTooFew(_Clauses):
    """The counter of votes lets one fewer be true."""

    class _Wrong(VoteClauses):
        def _at_most(self, literals: list[int], most: int) -> int:
            return super()._at_most(literals, most - 1)


@ensemble_route
class ClausesOneRival(_Clauses):
    """Clauses compare the class with the next one alone."""

    class _Wrong(VoteClauses):
        def _changed(self, own: int) -> int:
            return self._beaten(own, (own + 1) % len(self.ensemble.classes))


@ensemble_route
class ClausesTreeForgotten(_Clauses):
    """Clauses do not say how the last tree votes."""

    class _Wrong(VoteClauses):
        def _vote(self, tree: DecisionGraph, votes: list[int], left: int) -> int:
            return left if votes is self._votes[-1] else super()._vote(tree, votes, left)


@ensemble_route
class ClausesTreeUncounted(_Clauses):
    """The counter leaves the last tree out."""

    class _Wrong(VoteClauses):
        def _beaten(self, own: int, rival: int) -> int:
            every, self._votes = self._votes, self._votes[:-1]
            try:
                return super()._beaten(own, rival)
            finally:
                self._votes = every


@ensemble_route
class ThresholdsIndependent(_Clauses):
    """Thresholds of one feature are independent of each other."""

    class _Wrong(VoteClauses):
        def _order(self, positions: Positions) -> None:
            pass


@ensemble_route
class ClausesPathForgotten(_Clauses):
    """Clauses have one path of a graph to each terminal."""

    class _Wrong(VoteClauses):
        def _paths(self, tree: DecisionGraph) -> Iterator[tuple[dict[int, Run], int]]:
            seen: set[int] = set()
            for runs, class_index in super()._paths(tree):
                if class_index not in seen or len(tree.classes) == 1:
                    yield runs, class_index
                seen.add(class_index)


@ensemble_route
class ClausesVoteTwice(_Clauses):
    """Clauses let a tree vote for other classes besides that of its terminal."""

    class _Wrong(VoteClauses):
        def _vote(self, tree: DecisionGraph, votes: list[int], left: int) -> int:
            for runs, class_index in self._paths(tree):
                path = [-literal for feature, run in runs.items() for literal in self.positions[feature].between(run)]
                self._solver.add_clause([*path, votes[class_index]])
            return left


@ensemble_route
class ClausesStrict(_Clauses):
    """Clauses take a value at a threshold to be above it: < for ≤."""

    class _Wrong(VoteClauses):
        def at(self, point: Point) -> ClauseOracle:
            oracle = super().at(point)
            for i, (positions, value) in enumerate(zip(self.positions, point, strict=True)):
                own = oracle._at[i]
                if own + 1 < len(positions.cells) and _above(positions.cells[own], value):
                    oracle._at[i] = own + 1
                    oracle._fixing[i] = positions.at(own + 1)
            return oracle


@ensemble_route
class ClausesOneEndFixed(_Clauses):
    """A fixed feature is only kept from going lower."""

    class _Wrong(VoteClauses):
        def at(self, point: Point) -> ClauseOracle:
            oracle = super().at(point)
            oracle._fixing = [[literal for literal in fixing if literal > 0] for fixing in oracle._fixing]
            return oracle


@ensemble_route
class ClausesAnotherClass(_Clauses):
    """Clauses remember the rivals of the first class that was asked about."""

    class _Wrong(VoteClauses):
        def _changed(self, own: int) -> int:
            return super()._changed(0)


@ensemble_route
class ClausesNeighbour(_Clauses):
    """Clauses give a value of the next position as the witness."""

    class _Wrong(VoteClauses):
        def at(self, point: Point) -> ClauseOracle:
            for positions in self.positions:
                positions._values = [*positions._values[1:], positions._values[-1]]
            return super().at(point)
