"""Cases that properties are tried on."""

from __future__ import annotations

from dataclasses import dataclass

from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.model.values import Point


@dataclass(frozen=True, slots=True)
class Case:
    """A decision graph, an instance of it, and ``dice``: the number behind every further choice that a property makes.

    The same case always gives the same verdict, so a case is all that has to be kept of a failure.  ``constraint`` says what
    can occur, where claims under a constraint are made.
    """

    graph: DecisionGraph
    instance: Point
    dice: int = 0
    constraint: Constraint | None = None

    @property
    def size(self) -> tuple[int, int, int]:
        """The measures of a small case: non-terminals, features, nodes."""
        graph = self.graph
        return sum(1 for feature in graph.feature_of if feature >= 0), len(graph.features), graph.node_count


@dataclass(frozen=True, slots=True)
class EnsembleCase:
    """An ensemble and an instance of it: claims about it are judged, and no property says anything of it yet."""

    graph: Ensemble
    instance: Point
    dice: int = 0
    constraint: Constraint | None = None

    @property
    def size(self) -> tuple[int, int, int]:
        """The measures of a small case: non-terminals, features, nodes."""
        inner = sum(1 for tree in self.graph.trees for feature in tree.feature_of if feature >= 0)
        return inner, len(self.graph.features), self.graph.node_count


def case_of(
    model: DecisionGraph | Ensemble, instance: Point, dice: int = 0, constraint: Constraint | None = None
) -> Case | EnsembleCase:
    """Return the case of *model*, whichever kind it is, at *instance*, under *constraint* if there is one."""
    if isinstance(model, Ensemble):
        return EnsembleCase(model, instance, dice, constraint)
    return Case(model, instance, dice, constraint)


@dataclass(frozen=True, slots=True)
class LabelledCase:
    """A labelled graph (from an ``.xpg`` file), which stands for one instance whose values are lost: explainers are judged
    on it, and no property says anything of it.
    """

    graph: LabelledGraph
    instance: Point = ()
    dice: int = 0
    constraint: Constraint | None = None

    @property
    def size(self) -> tuple[int, int, int]:
        """The measures of a small case: non-terminals, features, nodes."""
        graph = self.graph
        return sum(1 for feature in graph.variable_of if feature >= 0), len(graph.variables), graph.node_count
