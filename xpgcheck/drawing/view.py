"""The view of a graph in a picture: the path that the instance takes, and what an XP leaves open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from xpgcheck.errors import InputError
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.xpg.explanation_graph import explanation_graph
from xpgcheck.xpg.xps import XP, Kind


@dataclass(frozen=True)
class View:
    """A graph, perhaps an instance of it, and perhaps a set of features that is, or is claimed to be, an XP there.

    *number* is the XP's place in the list that it was taken from, None where it is in none.
    """

    graph: DecisionGraph
    point: Point | None = None
    xp: XP | None = None
    number: int | None = None

    def __post_init__(self) -> None:
        if self.xp is None:
            return
        if self.point is None:
            raise InputError("an XP is drawn at an instance", mend="give the instance")
        if not self.xp.features <= set(range(len(self.graph.features))):
            raise InputError("the XP has a feature that the model has not", mend="draw it with its own model")

    @cached_property
    def taken(self) -> dict[int, int]:
        """The child that the instance takes at each node it visits, in order; −1 at its terminal."""
        if self.point is None:
            return {}
        graph, node, taken = self.graph, 0, {}
        while not graph.is_terminal(node):
            value = self.point[graph.feature_of[node]]
            taken[node] = next(edge.child for edge in graph.edges(node) if value in edge.values)
            node = taken[node]
        return {**taken, node: -1}

    @cached_property
    def target(self) -> int:
        """The index of the instance's class, −1 without an instance."""
        return self.graph.class_of[next(reversed(self.taken))] if self.taken else -1

    @property
    def fixed(self) -> frozenset[int]:
        """The features that the XP fixes: an AXp its own, a CXp all others."""
        assert self.xp is not None
        everything = frozenset(range(len(self.graph.features)))
        return self.xp.features if self.xp.kind is Kind.AXP else everything - self.xp.features

    @cached_property
    def active(self) -> bytes:
        """ε(s, ·), one byte per node, for the s that is 1 at the fixed features; all ones without an XP."""
        if self.xp is None or self.point is None:
            return b"\x01" * self.graph.node_count
        return explanation_graph(self.graph, self.point).epsilon(self.fixed)

    def is_open(self, node: int, child: int) -> bool:
        """Tell whether the edge is on an open way from the root: its start is active, its literal holds or is free."""
        if self.xp is None:
            return True
        assert self.point is not None
        if not self.active[node]:
            return False
        feature = self.graph.feature_of[node]
        if feature not in self.fixed:
            return True
        return any(edge.child == child and self.point[feature] in edge.values for edge in self.graph.edges(node))

    def is_marked(self, node: int) -> bool:
        """Tell whether *node* tests a feature of the XP."""
        return self.xp is not None and self.graph.feature_of[node] in self.xp.features

    @cached_property
    def reached_classes(self) -> tuple[int, ...]:
        """The classes of the active terminals, in the model's order."""
        pairs = zip(self.graph.class_of, self.active, strict=True)
        return tuple(sorted({index for index, active in pairs if active and index >= 0}))

    def way_to_another_class(self) -> Iterator[int]:
        """Yield the nodes of a shortest open way to a terminal of another class; nothing where there is none."""
        if self.xp is None:
            return
        above = {0: -1}
        queue = [0]
        for node in queue:
            if self.graph.is_terminal(node) and self.graph.class_of[node] != self.target:
                way = [node]
                while above[way[-1]] >= 0:
                    way.append(above[way[-1]])
                yield from reversed(way)
                return
            for child in self.graph.children[node]:
                if child not in above and self.is_open(node, child):
                    above[child] = node
                    queue.append(child)
