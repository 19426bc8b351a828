"""What a property is tried on."""

from __future__ import annotations

from dataclasses import dataclass

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point


@dataclass(frozen=True, slots=True)
class Case:
    """A decision graph, an instance of it, and ``dice``: the number behind every further choice that a property makes.

    The same case always gives the same verdict, so a case is all that has to be kept of a failure.
    """

    graph: DecisionGraph
    instance: Point
    dice: int = 0

    @property
    def size(self) -> tuple[int, int, int]:
        """What is small about a small case: non-terminals, features, nodes."""
        graph = self.graph
        return sum(1 for feature in graph.feature_of if feature >= 0), len(graph.features), graph.node_count
