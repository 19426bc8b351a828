"""Wrong oracles: whether the class can change, and the point that proves it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Domain, Integer, Real
from xpgcheck.model.value_sets import FiniteSet, IntervalSet, ValueSet
from xpgcheck.model.values import Point, Value
from xpgcheck.oracles.answers import Answer
from xpgcheck.properties.seeded.bugs import oracle
from xpgcheck.properties.seeded.honest import Features, HonestOracle


@oracle
class _BoundsForgotten(HonestOracle):
    """The bounds of a domain are forgotten: where a witness needs a low value, it has one below them."""

    def handed_out(self, graph: DecisionGraph, instance: Point, fixed: Features, witness: Point) -> Point | None:
        point = list(witness)
        for i, feature in enumerate(graph.features):
            low = feature.domain.low if isinstance(feature.domain, (Integer, Real)) else None
            if i not in fixed and low is not None and point[i] in graph.cells[i][0]:
                point[i] = low - 1
        return tuple(point)


@oracle
class _WitnessOfAnotherQuestion(HonestOracle):
    """The witness is one of another class, whatever was fixed."""

    def handed_out(self, graph: DecisionGraph, instance: Point, fixed: Features, witness: Point) -> Point | None:
        return self.witness(graph, instance, frozenset())


@oracle
class _WitnessRounded(HonestOracle):
    """The numbers of a witness are rounded to one decimal on their way out."""

    def handed_out(self, graph: DecisionGraph, instance: Point, fixed: Features, witness: Point) -> Point | None:
        return tuple(round(value, 1) if isinstance(value, Fraction) else value for value in witness)


@oracle
class _WitnessOfOtherTypes(HonestOracle):
    """The numbers of a witness are floats, as a solver's model has them."""

    def handed_out(self, graph: DecisionGraph, instance: Point, fixed: Features, witness: Point) -> Any:
        return tuple(float(value) if isinstance(value, Fraction) else value for value in witness)


@oracle
class _WitnessOfTestedFeatures(HonestOracle):
    """The witness has values of the tested features only."""

    def handed_out(self, graph: DecisionGraph, instance: Point, fixed: Features, witness: Point) -> Point | None:
        return tuple(value for i, value in enumerate(witness) if i in graph.feature_of)


@oracle
class _WitnessOfFirstLiterals(HonestOracle):
    """The witness is put together along a path; of a feature that is tested twice the first literal alone counts."""

    def handed_out(self, graph: DecisionGraph, instance: Point, fixed: Features, witness: Point) -> Point | None:
        point, node, seen = list(witness), 0, set(fixed)
        while not graph.is_terminal(node):
            feature = graph.feature_of[node]
            node, literal = next(edge for edge in graph.edges(node) if witness[feature] in edge.values)
            if feature not in seen:
                point[feature] = literal.representative()
            seen.add(feature)
        return tuple(point)


@oracle
class _NoWitness(HonestOracle):
    """The oracle says that the class can change, and shows no point."""

    def handed_out(self, graph: DecisionGraph, instance: Point, fixed: Features, witness: Point) -> Point | None:
        return None


@oracle
class _InstanceAsWitness(HonestOracle):
    """The witness handed out is the instance itself."""

    def handed_out(self, graph: DecisionGraph, instance: Point, fixed: Features, witness: Point) -> Point | None:
        return instance


@oracle
class _LastValueNotTried(HonestOracle):
    """The last category, or the highest numbers, of a domain are never tried."""

    def tried(self, cells: tuple[ValueSet, ...]) -> tuple[ValueSet, ...]:
        return cells[:-1] or cells


@oracle
class _SingleNumbersNotTried(HonestOracle):
    """A cell that is a single number is skipped, its lower end being no less than its upper end."""

    def tried(self, cells: tuple[ValueSet, ...]) -> tuple[ValueSet, ...]:
        return tuple(cell for cell in cells if isinstance(cell, FiniteSet) or not _is_single(cell)) or cells


def _is_single(cell: IntervalSet) -> bool:
    return any(span.low is not None and span.low == span.high for span in cell.intervals())


@oracle
class _MissingNotTried(HonestOracle):
    """The missing value is never tried."""

    def tried(self, cells: tuple[ValueSet, ...]) -> tuple[ValueSet, ...]:
        return tuple(cell for cell in cells if isinstance(cell, FiniteSet) or not cell.missing) or cells


@oracle
class _NegativeNotTried(HonestOracle):
    """Cells below 0 are never tried."""

    def tried(self, cells: tuple[ValueSet, ...]) -> tuple[ValueSet, ...]:
        return tuple(cell for cell in cells if isinstance(cell, FiniteSet) or not _is_negative(cell)) or cells


def _is_negative(cell: IntervalSet) -> bool:
    return any(span.high is not None and span.high < 0 for span in cell.intervals())


@oracle
class _UnknownIsNo(HonestOracle):
    """After a few points the oracle gives up, and says that the class cannot change."""

    def points(self, graph: DecisionGraph, instance: Point) -> Iterator[Point]:
        return itertools.islice(super().points(graph, instance), 3)


@oracle
class _AnswerNegated(HonestOracle):
    """The answer is that of "nothing can change the class"."""

    def changeable(self, graph: DecisionGraph, instance: Point, fixed: Features) -> Answer:
        found = self.witness(graph, instance, fixed)
        return Answer(found is None, found, self.name)


@oracle
class _FreeTakenForFixed(HonestOracle):
    """The features to be fixed are freed, and all others fixed."""

    def witness(self, graph: DecisionGraph, instance: Point, fixed: Features) -> Point | None:
        return super().witness(graph, instance, frozenset(range(len(instance))) - fixed)


@oracle
class _OneChangeAtATime(HonestOracle):
    """Only points that differ from the instance in one feature are looked at."""

    def points(self, graph: DecisionGraph, instance: Point) -> Iterator[Point]:
        for point in super().points(graph, instance):
            if sum(a is not b for a, b in zip(point, instance, strict=True)) < 2:
                yield point


@oracle
class _AnotherClassThanTheFirst(HonestOracle):
    """The oracle looks for a point whose class is not the first one."""

    def is_of_another_class(self, graph: DecisionGraph, point: Point, own: int) -> bool:
        return graph.kappa(point) != 0


@oracle
class _NextClassOnly(HonestOracle):
    """The oracle looks for a point of the next class, the last being followed by the first, and for no other."""

    def is_of_another_class(self, graph: DecisionGraph, point: Point, own: int) -> bool:
        return graph.kappa(point) == (own + 1) % len(graph.classes) != own


@oracle
class _AnswersKeptBySize(HonestOracle):
    """Answers are kept by how many features are fixed, not by which."""

    def witness(self, graph: DecisionGraph, instance: Point, fixed: Features) -> Point | None:
        return super().witness(graph, instance, frozenset(range(len(fixed))))


@oracle
class _BareYesOrNo(HonestOracle):
    """The oracle answers True or False, not an answer with its evidence."""

    def changeable(self, graph: DecisionGraph, instance: Point, fixed: Features) -> Any:
        return super().changeable(graph, instance, fixed).changeable


@oracle
class _CrashesOnNoChange(HonestOracle):
    """Ends in an error where no point has another class: the solver has no model."""

    def witness(self, graph: DecisionGraph, instance: Point, fixed: Features) -> Point | None:
        return next(p for change, p in self.changes(graph, instance).items() if not change & fixed)


@oracle
class _WholeNumbersTried(HonestOracle):
    """A whole number is tried for a cell of numbers, in the cell or not."""

    def value_in(self, domain: Domain, cell: ValueSet) -> Value:
        value = super().value_in(domain, cell)
        return Fraction(math.floor(value)) if isinstance(value, Fraction) else value
