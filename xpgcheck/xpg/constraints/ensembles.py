"""An ensemble under a constraint: its places, and the rules that say at which of them nothing can occur.

A clause is a tree of its own, whose one path to "forbidden" is where no literal holds; a graph of what can occur is a tree,
too.  A decider of votes takes the paths to "forbidden" as clauses that have to fail somewhere, one of sums as terminals too
light for any rival.  A decision graph whose product with a constraint is too large is explained as an ensemble of one.
"""

from __future__ import annotations

from dataclasses import replace

from xpgcheck.errors import LimitError
from xpgcheck.model.combination import Majority
from xpgcheck.model.constraint import FORBIDDEN, Constraint, require_features
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.model.values import Point
from xpgcheck.xpg.ensembles.explained import ExplainedEnsemble
from xpgcheck.xpg.ensembles.places import MAX_PATHS, EnsemblePlaces, FeaturePlaces, TerminalPath
from xpgcheck.xpg.ensembles.sum_boxes import SumBoxes
from xpgcheck.xpg.ensembles.vote_solver import VoteSolver


class ConstrainedEnsemble:
    """An ensemble, or a decision graph as one, and a constraint, ready for every instance that can occur.

    ``ensemble`` has the cells that neither its own literals nor those of the constraint can split.
    """

    def __init__(self, model: Ensemble | DecisionGraph, constraint: Constraint) -> None:
        """Follow every path of both.  Raises ``LimitError`` where they are too many, ``ModelError`` of other features."""
        require_features(constraint, model.features)
        if isinstance(model, DecisionGraph):
            model = ensemble(model.name, model.features, model.classes, [model], Majority())
        self.constraint = constraint
        self.ensemble = replace(model, cells=constraint.cells_with(model))
        places = EnsemblePlaces(self.ensemble)
        places.rules = _rules(places, constraint)
        self.decider = VoteSolver(places) if isinstance(model.rule, Majority) else SumBoxes(places)
        """The answers to questions about the ensemble, where only points that can occur count."""

    @property
    def places(self) -> EnsemblePlaces:
        """The places of the ensemble, with the rules of what can occur."""
        return self.decider.places

    def at(self, point: Point) -> ExplainedEnsemble:
        """Return the ensemble at *point*, ready for questions.

        Raises ``BrokenError`` where *point* cannot occur, ``UndecidedError`` where rounding leaves its class open.
        """
        self.constraint.require(point)
        return ExplainedEnsemble(self.places, point, self.decider.at(point))


def _rules(places: EnsemblePlaces, constraint: Constraint) -> list[list[tuple[bool, dict[int, int]]]]:
    """Return of each rule its paths: whether something can occur there, and the places of each feature on it."""
    rules = [
        _clause(
            places.features, {feature: places.features[feature].bits(values) for feature, values in clause.literals}
        )
        for clause in constraint.clauses
    ]
    if constraint.graph is not None:
        rules.append(_graph(places, constraint.graph))
    return rules


def _clause(features: list[FeaturePlaces], literals: dict[int, int]) -> list[tuple[bool, dict[int, int]]]:
    """Return the paths of a clause: up to each literal that is the first to hold, and the one where none does."""
    found: list[tuple[bool, dict[int, int]]] = []
    failed: dict[int, int] = {}
    for feature, bits in literals.items():
        found.append((True, {**failed, feature: bits}))
        rest = features[feature].all & ~bits
        if not rest:
            return found
        failed[feature] = rest
    return [*found, (False, failed)]


def _graph(places: EnsemblePlaces, graph: DecisionGraph) -> list[tuple[bool, dict[int, int]]]:
    paths: list[TerminalPath] = places.paths_of(graph, MAX_PATHS)
    if len(paths) > MAX_PATHS:
        raise LimitError(f"the constraint has over {MAX_PATHS:,} paths", mend="give a smaller constraint")
    return [(path.answer != FORBIDDEN, path.places) for path in paths]
