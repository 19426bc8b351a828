"""Wrong explainers: the sets of values of inflated AXps and CXps."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import FiniteSet, Grid, IntervalSet, ValueSet, set_of_spans
from xpgcheck.model.values import MISSING, Point
from xpgcheck.properties.seeded.bugs import explainer
from xpgcheck.properties.seeded.textbook import Features, Textbook
from xpgcheck.properties.seeded.textbook_boxes import Boxes


@explainer
class _NothingGrows(Textbook):
    """The sets are what cannot be told from the instance's values: none grows."""

    def inflate(self, graph: DecisionGraph, instance: Point, axp: Features, order: Sequence[int]) -> Boxes:
        return {i: self.start(graph, i, instance) for i in axp}


@explainer
class _OnePieceEach(Textbook):
    """Each set grows by one piece at most."""

    def inflate(self, graph: DecisionGraph, instance: Point, axp: Features, order: Sequence[int]) -> Boxes:
        box = {i: self.start(graph, i, instance) for i in axp}
        for feature in order:
            box[feature] = self.grown(graph, instance, box, feature) or box[feature]
        return box


@explainer
class _TheFirstAlone(Textbook):
    """Only the first feature's set grows."""

    def grown_in(self, order: Sequence[int]) -> Sequence[int]:
        return order[:1]


@explainer
class _TheLastNever(Textbook):
    """The last feature's set does not grow."""

    def grown_in(self, order: Sequence[int]) -> Sequence[int]:
        return order[:-1]


@explainer
class _OrderOfTheIndices(Textbook):
    """Sets grow in the order of the features' indices, whatever order is given."""

    def grown_in(self, order: Sequence[int]) -> Sequence[int]:
        return sorted(order)


@explainer
class _OrderReversed(Textbook):
    """The last feature of the order grows first."""

    def grown_in(self, order: Sequence[int]) -> Sequence[int]:
        return order[::-1]


@explainer
class _EachByItself(Textbook):
    """Each set grows as if the others had the instance's value alone."""

    def inflate(self, graph: DecisionGraph, instance: Point, axp: Features, order: Sequence[int]) -> Boxes:
        start = {i: self.start(graph, i, instance) for i in axp}
        found: Boxes = {}
        for feature in order:
            box = dict(start)
            while (larger := self.grown(graph, instance, box, feature)) is not None:
                box[feature] = larger
            found[feature] = box[feature]
        return found


@explainer
class _OthersAsTheyAre(Textbook):
    """Features outside the AXp keep the instance's values while sets grow."""

    def suffices(self, graph: DecisionGraph, instance: Point, box: Boxes) -> bool:
        rest = {i: self.start(graph, i, instance) for i in range(len(instance)) if i not in box}
        return super().suffices(graph, instance, {**rest, **box})


@explainer
class _UpwardsAlone(Textbook):
    """Intervals grow upwards alone."""

    def is_next(self, cell: ValueSet, values: ValueSet) -> bool:
        if isinstance(cell, IntervalSet) and isinstance(values, IntervalSet) and cell.cuts and values.cuts:
            return cell.cuts[0] == values.cuts[-1]
        return True


@explainer
class _DownwardsAlone(Textbook):
    """Intervals grow downwards alone."""

    def is_next(self, cell: ValueSet, values: ValueSet) -> bool:
        if isinstance(cell, IntervalSet) and isinstance(values, IntervalSet) and cell.cuts and values.cuts:
            return cell.cuts[-1] == values.cuts[0]
        return True


@explainer
class _SeveralIntervals(Textbook):
    """A set of numbers takes every piece that fits, next to it or not."""

    def is_next(self, cell: ValueSet, values: ValueSet) -> bool:
        return True


@explainer
class _GapsFilled(Textbook):
    """A set of numbers is given as the interval from its lowest to its highest, whatever is between."""

    def is_next(self, cell: ValueSet, values: ValueSet) -> bool:
        return True

    def given(self, graph: DecisionGraph, feature: int, values: ValueSet) -> ValueSet:
        if isinstance(values, IntervalSet) and values.cuts:
            return IntervalSet(values.grid, (values.cuts[0], values.cuts[-1]), values.missing)
        return values


@explainer
class _MissingNeverJoins(Textbook):
    """The missing value joins no set."""

    def pieces(self, graph: DecisionGraph, feature: int, values: ValueSet) -> list[ValueSet]:
        return [piece for piece in super().pieces(graph, feature, values) if MISSING not in piece]


@explainer
class _MissingAlwaysJoins(Textbook):
    """The missing value is in every set where the domain has it."""

    def given(self, graph: DecisionGraph, feature: int, values: ValueSet) -> ValueSet:
        whole = graph.features[feature].domain.all_values()
        return values.union(whole.intersection(_missing(whole))) if isinstance(whole, IntervalSet) else values


@explainer
class _AnEndTooFar(Textbook):
    """The number behind an open upper end is taken for one of the interval's."""

    def given(self, graph: DecisionGraph, feature: int, values: ValueSet) -> ValueSet:
        if not isinstance(values, IntervalSet) or not values.cuts:
            return values
        cells = [cell for cell in graph.cells[feature] if isinstance(cell, IntervalSet)]
        after = next((cell for cell in cells if cell.cuts[:1] == values.cuts[-1:]), None)
        if after is None:
            return values
        return values.union(_around(after.grid, after.representative()).intersection(after))


@explainer
class _AnEndTooFew(Textbook):
    """A closed upper end is left out."""

    def given(self, graph: DecisionGraph, feature: int, values: ValueSet) -> ValueSet:
        for interval in values.intervals()[-1:] if isinstance(values, IntervalSet) else ():
            if interval.high is not None and not interval.high_open and interval.low != interval.high:
                assert isinstance(values, IntervalSet)
                return values.difference(_around(values.grid, interval.high))
        return values


@explainer
class _ACategoryForgotten(Textbook):
    """The last of several further categories is left out."""

    def given(self, graph: DecisionGraph, feature: int, values: ValueSet) -> ValueSet:
        if isinstance(values, FiniteSet) and len(values.values) > 2:
            return FiniteSet(values.values - {max(values.values, key=str)})
        return values


@explainer
class _ACategoryTooMany(Textbook):
    """One category that does not fit joins nevertheless."""

    def given(self, graph: DecisionGraph, feature: int, values: ValueSet) -> ValueSet:
        whole = graph.features[feature].domain.all_values()
        rest = whole.difference(values)
        if isinstance(rest, FiniteSet) and isinstance(whole, FiniteSet):
            return whole if len(rest.values) == 1 < len(whole.values) - 1 else values
        return values


@explainer
class _LiteralsOneByOne(Textbook):
    """A literal further down a path is compared with the whole set again, not with what is left of it."""

    def classes(self, graph: DecisionGraph, node: int, left: Boxes) -> set[int]:
        if graph.class_of[node] >= 0:
            return {graph.class_of[node]}
        feature = graph.feature_of[node]
        found: set[int] = set()
        for child, values in graph.edges(node):
            if not left[feature].intersection(values).is_empty():
                found |= self.classes(graph, child, left)
        return found


@explainer
class _OneOtherClass(Textbook):
    """Only the class behind that of the instance counts as another one."""

    def suffices(self, graph: DecisionGraph, instance: Point, box: Boxes) -> bool:
        rival = (graph.kappa(instance) + 1) % len(graph.classes)
        return rival not in self.classes(graph, 0, self.whole(graph, box))


@explainer
class _TheFirstPathAlone(Textbook):
    """Only the first of two edges that can be taken is followed."""

    def classes(self, graph: DecisionGraph, node: int, left: Boxes) -> set[int]:
        if graph.class_of[node] >= 0:
            return {graph.class_of[node]}
        feature = graph.feature_of[node]
        for child, values in graph.edges(node):
            both = self.narrowed(left[feature], values)
            if not both.is_empty():
                return self.classes(graph, child, {**left, feature: both})
        return set()


@explainer
class _EverySet(Textbook):
    """Every set is the whole domain."""

    def given(self, graph: DecisionGraph, feature: int, values: ValueSet) -> ValueSet:
        return graph.features[feature].domain.all_values()


@explainer
class _TheValueLost(Textbook):
    """A set that grew no longer has the instance's own cell."""

    def inflate(self, graph: DecisionGraph, instance: Point, axp: Features, order: Sequence[int]) -> Boxes:
        found = super().inflate(graph, instance, axp, order)
        rest = {i: values.difference(self.start(graph, i, instance)) for i, values in found.items()}
        return {i: found[i] if values.is_empty() else values for i, values in rest.items()}


@explainer
class _OneChangeAlone(Textbook):
    """Each set of an inflated CXp has the values of the first change alone."""

    def changing(self, graph: DecisionGraph, instance: Point, feature: int, values: ValueSet) -> ValueSet:
        return next(cell for cell in graph.cells[feature] if not cell.intersection(values).is_empty())


@explainer
class _AllButItsOwn(Textbook):
    """Each set of an inflated CXp has every value but the instance's."""

    def changing(self, graph: DecisionGraph, instance: Point, feature: int, values: ValueSet) -> ValueSet:
        return graph.features[feature].domain.all_values().difference(self.start(graph, feature, instance))


@explainer
class _ItsOwnToo(Textbook):
    """Each set of an inflated CXp has the values of the instance, too."""

    def changing(self, graph: DecisionGraph, instance: Point, feature: int, values: ValueSet) -> ValueSet:
        return values.union(self.start(graph, feature, instance))


@explainer
class _ChangesElsewhere(Textbook):
    """The points of an inflated CXp may differ from the instance outside it."""

    def changes(self, graph: DecisionGraph, instance: Point, box: Boxes) -> bool:
        own = self.start
        apart = {i: values for i, values in box.items() if values != own(graph, i, instance)}
        return super().changes(graph, instance, apart)


@explainer
class _ChangesToOneClass(Textbook):
    """For an inflated CXp only changes to the class behind that of the instance count."""

    def changes(self, graph: DecisionGraph, instance: Point, box: Boxes) -> bool:
        rival = (graph.kappa(instance) + 1) % len(graph.classes)
        return rival in self.classes(graph, 0, self.whole(graph, box))


@explainer
class _ChangesToMissingForgotten(Textbook):
    """In an inflated CXp the missing value is in no set with other values."""

    def changing(self, graph: DecisionGraph, instance: Point, feature: int, values: ValueSet) -> ValueSet:
        if isinstance(values, IntervalSet) and values.cuts:
            return IntervalSet(values.grid, values.cuts)
        return values


@explainer
class _ChangesAsOneInterval(Textbook):
    """The numbers of an inflated CXp are given as one interval, with those between that change nothing."""

    def changing(self, graph: DecisionGraph, instance: Point, feature: int, values: ValueSet) -> ValueSet:
        if isinstance(values, IntervalSet) and values.cuts:
            return IntervalSet(values.grid, (values.cuts[0], values.cuts[-1]), values.missing)
        return values


@explainer
class _ChangesOfTheFirstFeature(Textbook):
    """The sets of all but the first feature of an inflated CXp are those of one change."""

    def inflate_cxp(self, graph: DecisionGraph, instance: Point, cxp: Features) -> Boxes:
        found = super().inflate_cxp(graph, instance, cxp)
        return {
            i: values if i == min(cxp) else next(c for c in graph.cells[i] if not c.intersection(values).is_empty())
            for i, values in found.items()
        }


def _missing(whole: IntervalSet) -> IntervalSet:
    return IntervalSet(whole.grid, (), missing=True)


def _around(grid: Grid, value: Any) -> IntervalSet:
    """Return the set of *value*, a number, alone."""
    number = Fraction(value)
    return set_of_spans(grid, [(grid.cut(number, 0), grid.cut(number, 1))])
