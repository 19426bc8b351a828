"""Judges and routes of sets of values that are wrong on purpose: each is found by small cases tried at every point."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from test_inflated_claims import Every, drawn_box

from xpgcheck.judging import box_judge
from xpgcheck.judging.box_judge import BoxJudge
from xpgcheck.judging.constraint_panel import ConstraintOracles
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.value_sets import IntervalSet
from xpgcheck.oracles.answers import Answer
from xpgcheck.oracles.box_paths import BoxPaths
from xpgcheck.properties.constraints.strategies import constraint_cases
from xpgcheck.properties.running.search import visit
from xpgcheck.properties.strategies import cases
from xpgcheck.xpg.constraints.product import ConstrainedGraph
from xpgcheck.xpg.explanation_graph import explanation_graph
from xpgcheck.xpg.find_one import find_axp
from xpgcheck.xpg.inflation import inflate_axp

pytestmark = pytest.mark.slow

CASES = 150

MAX_POINTS = 300
"""Combinations of cells up to which a case under a constraint is looked at."""


class OneClassAlways(BoxPaths):
    """It never finds a point of another class."""

    def changeable(self, box: Any, inside: Any) -> Answer:
        return Answer(False, None, self.name)


class PointsOutside(BoxPaths):
    """Its points are those of the whole space."""

    def changeable(self, box: Any, inside: Any) -> Answer:
        return super().changeable({}, inside)


class TheInstanceItself(BoxPaths):
    """Its witness is the point inside."""

    def changeable(self, box: Any, inside: Any) -> Answer:
        found = super().changeable(box, inside)
        return Answer(True, inside, self.name) if found.changeable else found


class NothingNextTo(BoxJudge):
    """Nothing lies next to a set."""

    def _next_to(self, feature: int, values: Any) -> Iterator[Any]:
        return iter(())


class UpperEndsAlone(BoxJudge):
    """Only numbers that follow the last interval may join."""

    def _next_to(self, feature: int, values: Any) -> Iterator[Any]:
        for piece in super()._next_to(feature, values):
            if not isinstance(values, IntervalSet) or not values.cuts or piece.cuts[:1] == values.cuts[-1:]:
                yield piece


class MissingNeverJoins(BoxJudge):
    """The missing value may join no set."""

    def _next_to(self, feature: int, values: Any) -> Iterator[Any]:
        return (piece for piece in super()._next_to(feature, values) if getattr(piece, "cuts", True))


class FeaturesUnseen(BoxJudge):
    """A feature that can be left out does not count."""

    def _features(self, instance: Any, box: Any, judge: Any, consensus: Any) -> Any:
        found = super()._features(instance, box, judge, consensus)
        right = Verdict.AXP if judge is box_judge.judge_axp else Verdict.CXP
        return box_judge.replace(found, verdict=right) if found.verdict is Verdict.REDUNDANT else found


class EveryValueChanges(BoxJudge):
    """No value of an inflated CXp is called idle."""

    def inflated_cxp(self, instance: Any, box: Any, consensus: Any = None) -> Any:
        found = super().inflated_cxp(instance, box, consensus)
        return box_judge.replace(found, verdict=Verdict.INFLATED) if found.idle else found


class NoValueForgotten(BoxJudge):
    """Values outside the sets of an inflated CXp are not looked at."""

    def inflated_cxp(self, instance: Any, box: Any, consensus: Any = None) -> Any:
        found = super().inflated_cxp(instance, box, consensus)
        wrong = found.verdict is Verdict.NOT_MAXIMAL
        return box_judge.replace(found, verdict=Verdict.INFLATED) if wrong else found


class OthersFree(BoxJudge):
    """The points of an inflated CXp may differ from the instance outside it."""

    def _held(self, instance: Any, box: Any) -> dict[int, Any]:
        return {}


class ConstraintForgotten(BoxJudge):
    """Whether a set can be larger is asked without the constraint."""

    def __init__(self, model: Any, constraint: Any) -> None:
        super().__init__(model, constraint=constraint)
        self._free = BoxJudge(model)

    def _changeable(self, inside: Any, box: Any) -> Any:
        return self._free.changeable(inside, box)


class PiecesOfTheModel(BoxJudge):
    """Pieces next to a set are those that the model alone can tell apart."""

    def __init__(self, model: Any, constraint: Any) -> None:
        super().__init__(model, constraint=constraint)
        self._cells = model.cells


class ImpossiblePiecesCount(BoxJudge):
    """A piece next to a set in which nothing can occur cannot join it."""

    def __init__(self, model: Any, constraint: Any) -> None:
        super().__init__(model, constraint=constraint)

    def _next_to(self, feature: int, values: Any) -> Iterator[Any]:
        for piece in super()._next_to(feature, values):
            rows = [[cell.representative() for cell in split] for split in self._cells]
            if any(self._constraint.allows(p) and p[feature] in piece for p in itertools.product(*rows)):
                yield piece


class EveryChangeOccurs(BoxJudge):
    """An inflated CXp may have values whose changes cannot occur."""

    def __init__(self, model: Any, constraint: Any) -> None:
        super().__init__(model, constraint=constraint)
        self._free = BoxJudge(model)

    def _change_at(self, instance: Any, held: Any, feature: int, piece: Any) -> Any:
        return self._free._change_at(instance, held, feature, piece)


def boxes_of(model: Any, instance: Any, constraint: Any = None) -> Iterator[Any]:
    """Yield some boxes, and a largest one with a cell less."""
    dice = random.Random(len(model.literals))
    for _ in range(4):
        yield drawn_box(model, instance, dice, constraint)
    model = model if constraint is None else ConstrainedGraph(model, constraint).at(instance)
    box = dict(inflate_axp(model, instance, find_axp(explanation_graph(model, instance))))
    yield box
    for i, values in box.items():
        for cell in model.cells[i]:
            smaller = values.difference(cell)
            if smaller != values and instance[i] in smaller:
                yield {**box, i: smaller}


def differing(make: Callable[[Any], BoxJudge], as_verdicts: Callable[[Verdict], Any] = lambda verdict: verdict) -> int:
    """Return how many verdicts of the judge that *make* makes are wrong, on small graphs; what stays open is not wrong."""
    wrong = 0

    def look(case: Any) -> None:
        nonlocal wrong
        model, instance = case
        every, judge = Every(model, instance), make(model)
        for box in boxes_of(model, instance):
            for given, right in (
                (judge.inflated_axp(instance, box).verdict, every.of_axp(box)),
                (judge.inflated_cxp(instance, box).verdict, every.of_cxp(box)),
            ):
                wrong += given is not Verdict.INCONCLUSIVE and as_verdicts(given) is not as_verdicts(right)

    visit(cases(), look, CASES, 0)
    return wrong


def differing_under_constraints(make: Callable[[Any, Any], BoxJudge], examples: int = CASES) -> int:
    """Return what :func:`differing` does, under constraints."""
    wrong = 0

    def look(case: Any) -> None:
        nonlocal wrong
        model, instance, constraint = case.graph, case.instance, case.constraint
        if math.prod(map(len, constraint.cells_with(model))) > MAX_POINTS:
            return
        every, judge = Every(model, instance, constraint), make(model, constraint)
        with ConstraintOracles(model, constraint) as oracles:
            consensus = oracles.at(instance)
            for box in boxes_of(model, instance, constraint):
                for given, right in (
                    (judge.inflated_axp(instance, box, consensus).verdict, every.of_axp(box)),
                    (judge.inflated_cxp(instance, box, consensus).verdict, every.of_cxp(box)),
                ):
                    wrong += given is not Verdict.INCONCLUSIVE and given is not right

    visit(constraint_cases(8, kinds=("decision-graph",)), look, examples, 0)
    return wrong


@pytest.mark.parametrize("wrong", [ConstraintForgotten, PiecesOfTheModel, ImpossiblePiecesCount, EveryChangeOccurs])
def test_a_wrong_judge_under_constraints_is_found(wrong: Callable[[Any, Any], BoxJudge]) -> None:
    assert differing_under_constraints(wrong)


def test_a_wrong_route_under_constraints_makes_no_wrong_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that forgets the constraint, and one that asks of another box what can occur."""

    def right(model: Any, constraint: Any) -> BoxJudge:
        return BoxJudge(model, constraint=constraint)

    assert not differing_under_constraints(right, 50)
    with monkeypatch.context() as patch:
        patch.setattr(box_judge, "BoxPaths", lambda graph, constraint: BoxPaths(graph))
        assert not differing_under_constraints(right, 50)
    monkeypatch.setattr(box_judge, "confined_constraint", lambda constraint, box, inside: constraint)
    assert not differing_under_constraints(right, 50)


WRONG_JUDGES = (
    NothingNextTo,
    UpperEndsAlone,
    MissingNeverJoins,
    FeaturesUnseen,
    EveryValueChanges,
    NoValueForgotten,
    OthersFree,
)


@pytest.mark.parametrize("wrong", WRONG_JUDGES)
def test_a_wrong_judge_is_found(wrong: type[BoxJudge]) -> None:
    assert differing(wrong)


@pytest.mark.parametrize("wrong", [OneClassAlways, PointsOutside, TheInstanceItself])
def test_a_wrong_route_makes_no_wrong_verdict(wrong: type[BoxPaths], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(box_judge, "BoxPaths", wrong)
    # It may name the other one of two faults of a claim.
    assert not differing(BoxJudge, lambda verdict: verdict.outcome)


def test_the_right_one_is_right() -> None:
    assert not differing(BoxJudge)
