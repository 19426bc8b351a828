"""Inflated AXps in their plainest form: grow each set by one piece after the other, and look at every path each time.

Each step is a method of its own, to be mutated; see :mod:`xpgcheck.properties.seeded.textbook`.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import IntervalSet, ValueSet
from xpgcheck.model.values import Point

Features = frozenset[int]

Boxes = dict[int, ValueSet]


class BoxGrower:
    """Growth of an inflated AXp, for small graphs."""

    def inflate(self, graph: DecisionGraph, instance: Point, axp: Features, order: Sequence[int]) -> Boxes:
        """Return a largest set of values of each feature of *axp*, one feature after the other in *order*."""
        box = {i: self.start(graph, i, instance) for i in axp}
        for feature in self.grown_in(order):
            while (larger := self.grown(graph, instance, box, feature)) is not None:
                box = {**box, feature: larger}
        return {i: self.given(graph, i, values) for i, values in box.items()}

    def inflate_cxp(self, graph: DecisionGraph, instance: Point, cxp: Features) -> Boxes:
        """Return of each feature of *cxp* the values of all paths to another class that changes of *cxp* take."""
        held = {i: self.start(graph, i, instance) for i in range(len(instance)) if i not in cxp}
        found: Boxes = {}
        for feature in cxp:
            pieces = [cell for cell in graph.cells[feature] if self.changes(graph, instance, {**held, feature: cell})]
            if pieces:
                found[feature] = functools.reduce(self.joined, pieces)
        return {i: self.changing(graph, instance, i, values) for i, values in found.items()}

    def changes(self, graph: DecisionGraph, instance: Point, box: Boxes) -> bool:
        """Tell whether some point of *box*, which has a cell of each feature but those that change, has another class."""
        return not self.suffices(graph, instance, box)

    def changing(self, graph: DecisionGraph, instance: Point, feature: int, values: ValueSet) -> ValueSet:
        """Return what is answered of the values of changes."""
        return values

    def grown_in(self, order: Sequence[int]) -> Sequence[int]:
        """Return the order in which sets grow."""
        return order

    def start(self, graph: DecisionGraph, feature: int, instance: Point) -> ValueSet:
        """Return the values that cannot be told from that of the instance."""
        return next(cell for cell in graph.cells[feature] if instance[feature] in cell)

    def grown(self, graph: DecisionGraph, instance: Point, box: Boxes, feature: int) -> ValueSet | None:
        """Return the set of *feature* with one piece more, None where none can join."""
        for piece in self.pieces(graph, feature, box[feature]):
            larger = self.joined(box[feature], piece)
            if self.suffices(graph, instance, {**box, feature: larger}):
                return larger
        return None

    def pieces(self, graph: DecisionGraph, feature: int, values: ValueSet) -> list[ValueSet]:
        """Return the cells of *feature* that may join *values*: of numbers those next to them."""
        others = [cell for cell in graph.cells[feature] if cell.intersection(values).is_empty()]
        return [cell for cell in others if self.is_next(cell, values)]

    def is_next(self, cell: ValueSet, values: ValueSet) -> bool:
        """Tell whether *cell* may join *values*."""
        if not isinstance(cell, IntervalSet) or not isinstance(values, IntervalSet):
            return True
        if not cell.cuts or not values.cuts:
            return True
        return cell.cuts[-1] == values.cuts[0] or cell.cuts[0] == values.cuts[-1]

    def joined(self, values: ValueSet, piece: ValueSet) -> ValueSet:
        """Return both together."""
        return values.union(piece)

    def suffices(self, graph: DecisionGraph, instance: Point, box: Boxes) -> bool:
        """Tell whether every path that some point of *box* takes ends in the class of the instance."""
        own = graph.kappa(instance)
        return all(c == own for c in self.classes(graph, 0, self.whole(graph, box)))

    def whole(self, graph: DecisionGraph, box: Boxes) -> Boxes:
        """Return the values of every feature: those that are not in *box* are free."""
        return {i: box.get(i, feature.domain.all_values()) for i, feature in enumerate(graph.features)}

    def classes(self, graph: DecisionGraph, node: int, left: Boxes) -> set[int]:
        """Return the classes at the ends of the paths from *node* that what is *left* of each feature allows."""
        if graph.class_of[node] >= 0:
            return {graph.class_of[node]}
        feature = graph.feature_of[node]
        found: set[int] = set()
        for child, values in graph.edges(node):
            both = self.narrowed(left[feature], values)
            if not both.is_empty():
                found |= self.classes(graph, child, {**left, feature: both})
        return found

    def narrowed(self, left: ValueSet, literal: ValueSet) -> ValueSet:
        """Return what is left of a feature behind an edge."""
        return left.intersection(literal)

    def given(self, graph: DecisionGraph, feature: int, values: ValueSet) -> ValueSet:
        """Return what is answered of a set."""
        return values
