"""The subject of the properties of constraints: every route under one, each a method that a seeded bug may override."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from xpgcheck.judging.constraint_panel import ConstraintOracles
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.oracles.constraints.possible_boxes import PossibleBoxes
from xpgcheck.oracles.constraints.possible_cells import PossibleCells
from xpgcheck.oracles.constraints.possible_paths import PossiblePaths
from xpgcheck.oracles.constraints.replaying import replay_possible
from xpgcheck.oracles.smt_sessions import SmtSession
from xpgcheck.properties.subjects import ENSEMBLE_KINDS, GRAPH_KIND
from xpgcheck.xpg.constraints.ensembles import ConstrainedEnsemble
from xpgcheck.xpg.constraints.product import ConstrainedGraph

ROUTES = ("allows", "product", "questions", "cells", "paths", "boxes", "solver", "replayed", "judges")
"""The methods that a seeded bug may override."""


class HonestConstraintRoutes:
    """The routes as they are."""

    name = "the project's own"
    kinds: tuple[str, ...] = (GRAPH_KIND, *ENSEMBLE_KINDS)
    """The kinds of models of which cases are drawn."""

    def allows(self, constraint: Constraint, point: Point) -> bool:
        """Tell whether *point* can occur."""
        return constraint.allows(point)

    def product(self, graph: DecisionGraph, constraint: Constraint, point: Point) -> DecisionGraph:
        """Return the product on which the explainer runs the paper's algorithms."""
        return ConstrainedGraph(graph, constraint).at(point)

    def questions(self, model: DecisionGraph | Ensemble, constraint: Constraint, point: Point) -> Any:
        """Return what decides the explainer's questions of an ensemble, or of a graph as one."""
        return ConstrainedEnsemble(model, constraint).at(point)

    def cells(self, model: DecisionGraph | Ensemble, constraint: Constraint, point: Point) -> Any:
        """Return the oracle by every cell."""
        return PossibleCells(model, constraint).at(point)

    def paths(self, graph: DecisionGraph, constraint: Constraint, point: Point) -> Any:
        """Return the oracle by the closed set of what paths leave."""
        return PossiblePaths(graph, constraint, point)

    def boxes(self, ensemble: Ensemble, constraint: Constraint, point: Point) -> Any:
        """Return the oracle by boxes."""
        return PossibleBoxes(ensemble, constraint).at(point)

    def solver(self, model: DecisionGraph | Ensemble, constraint: Constraint, formulation: str) -> Any:
        """Return a session of Z3 over the original domains."""
        return SmtSession(model, "z3", formulation, constraint=constraint)

    def replayed(
        self,
        model: DecisionGraph | Ensemble,
        constraint: Constraint,
        instance: Point,
        fixed: Iterable[int],
        witness: Point,
    ) -> str | None:
        """Return what is wrong with a witness."""
        return replay_possible(model, constraint, instance, fixed, witness)

    def judges(self, model: DecisionGraph | Ensemble, constraint: Constraint) -> Any:
        """Return the judges, a context manager whose ``at`` gives the consensus at an instance."""
        return ConstraintOracles(model, constraint)
