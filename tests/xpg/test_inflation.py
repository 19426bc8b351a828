"""Inflated explanations against brute force over every combination of cells, and what is refused."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from xpgcheck.embedded import load
from xpgcheck.errors import InputError, LimitError
from xpgcheck.judging.box_judge import BoxJudge
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.boxes import Box, confined, retracted
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Categorical, Feature, Real
from xpgcheck.model.literals import read_literal
from xpgcheck.model.value_sets import FiniteSet, IntervalSet, ValueSet
from xpgcheck.model.values import Point
from xpgcheck.properties.strategies import cases
from xpgcheck.xpg import graph_boxes
from xpgcheck.xpg.explanation_graph import explanation_graph
from xpgcheck.xpg.find_one import find_axp, find_cxp
from xpgcheck.xpg.inflation import inflate_axp, inflate_change, inflate_cxp

ABC = Feature("letter", Categorical(("a", "b", "c")))
X = Feature("x", Real())


def graph(features: tuple[Feature, ...], *nodes: Any) -> DecisionGraph:
    """Return a graph of (feature, {child: literal}) pairs and class indices."""
    built: dict[Any, Any] = {}
    for number, node in enumerate(nodes):
        if isinstance(node, int):
            built[number] = Terminal(node)
        else:
            feature, edges = node
            pairs = [(child, read_literal(features[feature].domain, items)) for child, items in edges.items()]
            built[number] = NonTerminal(feature, tuple(pairs))
    return decision_graph("small", features, ("no", "yes", "other"), built, 0)


def in_box(box: Box, point: Point) -> bool:
    return all(point[i] in values for i, values in box.items())


def check(model: DecisionGraph, inside: Point, box: Box, held: dict[int, ValueSet]) -> None:
    """Hold *box* against κ at every combination of cells: points of one class, and none of the pieces next to it fits."""
    own = model.kappa(inside)
    points = list(itertools.product(*[[cell.representative() for cell in split] for split in model.cells]))

    def constant(candidate: Box) -> bool:
        return all(model.kappa(point) == own for point in points if in_box({**held, **candidate}, point))

    assert constant(box)
    for feature, values in box.items():
        assert inside[feature] in values
        for cell in model.cells[feature]:
            larger = values.union(cell)
            grew = larger != values
            one_piece = not isinstance(larger, IntervalSet) or len(larger.cuts) <= 2
            assert not (grew and one_piece and constant({**box, feature: larger})), (feature, cell)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=cases(), dice=st.randoms(use_true_random=False))
def test_sets_are_right_and_as_large_as_can_be(case: Any, dice: Any) -> None:
    model, instance = case
    xpg = explanation_graph(model, instance)
    axp = sorted(find_axp(xpg))
    dice.shuffle(axp)
    box = inflate_axp(model, instance, axp, axp)
    check(model, instance, box, {})
    assert BoxJudge(model).inflated_axp(instance, box).verdict is Verdict.INFLATED
    if xpg.sigma(()):
        return
    cxp = find_cxp(xpg)
    judge = BoxJudge(model)
    choices = [
        [cell.representative() for cell in split] if i in cxp else [instance[i]] for i, split in enumerate(model.cells)
    ]
    changes = [point for point in itertools.product(*choices) if model.kappa(point) != model.kappa(instance)]
    values = inflate_cxp(model, instance, cxp)
    for feature in cxp:
        for cell in model.cells[feature]:
            value = cell.representative()
            assert (value in values[feature]) is any(point[feature] == value for point in changes)
    assert judge.inflated_cxp(instance, values).verdict is Verdict.INFLATED
    changed = changes[0]
    change = inflate_change(model, instance, cxp, changed)
    held = {i: next(c for c in model.cells[i] if v in c) for i, v in enumerate(instance) if i not in cxp}
    check(model, changed, change, held)
    assert judge.inflated_change(instance, change, changed).verdict is Verdict.INFLATED


TREE = graph((ABC, X), (0, {1: ["a", "b"], 2: ["c"]}), (0, {3: ["a"], 4: ["b", "c"]}), 1, 1, 2)
SHARED = graph((ABC, X), (0, {1: ["a", "b"], 2: ["c"]}), (0, {2: ["a"], 3: ["b", "c"]}), 1, 2)

BELOW = graph(
    (ABC, X),
    (1, {1: ["(-inf, 0)"], 5: ["[0, inf)"]}),
    (0, {2: ["a", "b"], 3: ["c"]}),
    (0, {3: ["a"], 4: ["b", "c"]}),
    1,
    2,
    0,
)


@pytest.mark.parametrize("model", [TREE, SHARED])
def test_literals_that_meet_one_by_one_and_not_together(model: DecisionGraph) -> None:
    # {a, c} meets both literals of the path to "other", {a, b} and {b, c}, and has nothing in common with both at once.
    box = inflate_axp(model, ("a", Fraction(0)), [0])
    assert {i: str(values) for i, values in box.items()} == {0: "{a, c}"}
    assert BoxJudge(model).inflated_axp(("a", Fraction(0)), box).verdict is Verdict.INFLATED


def test_ordered_features_get_an_interval() -> None:
    model = graph((X,), (0, {1: ["(-inf, 1)", "[3, 5]"], 2: ["[1, 3)", "(5, inf)"]}), 0, 1)
    assert str(inflate_axp(model, (Fraction(4),), [0])[0]) == "[3, 5]"
    assert str(inflate_axp(model, (Fraction(0),), [0])[0]) == "(-inf, 1)"


def test_the_order_decides() -> None:
    both = load("iris").graph
    instance = tuple(split[-1].representative() for split in both.cells)
    axp = sorted(find_axp(explanation_graph(both, instance)))
    boxes = [inflate_axp(both, instance, axp, order) for order in (axp, axp[::-1])]
    for box in boxes:
        check(both, instance, box, {})


def test_what_does_not_suffice_is_refused() -> None:
    model = graph((ABC, X), (0, {1: ["a"], 2: ["b", "c"]}), 0, 1)
    point: Point = ("a", Fraction(0))
    with pytest.raises(InputError, match="do not suffice"):
        inflate_axp(model, point, [1])
    with pytest.raises(InputError, match="do not suffice"):
        inflate_axp(model, point, [])
    with pytest.raises(InputError, match="not in 0 … 1"):
        inflate_axp(model, point, [2])
    with pytest.raises(InputError, match="has the class of the instance"):
        inflate_change(model, point, [0], ("a", Fraction(1)))
    with pytest.raises(InputError, match="differs outside"):
        inflate_change(model, point, [0], ("b", Fraction(1)))
    assert {i: str(v) for i, v in inflate_change(model, point, [0], ("b", Fraction(0))).items()} == {0: "{b, c}"}


def test_paths_that_test_a_feature_again_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    # The set of letters is of two pieces when the other feature's turn comes.
    point: Point = ("a", Fraction(-1))
    assert {i: str(values) for i, values in inflate_axp(BELOW, point, [0, 1]).items()} == {0: "{a, c}", 1: "(-inf, 0)"}
    monkeypatch.setattr(graph_boxes, "MAX_STATES", 1)
    with pytest.raises(LimitError, match="over 1 combinations"):
        inflate_axp(BELOW, point, [0, 1])


def test_a_confined_classifier_answers_for_the_points_of_the_box() -> None:
    model = load("tic_tac_toe").graph
    inside = tuple(split[0].representative() for split in model.cells)
    box = {0: model.cells[0][0], 4: model.cells[4][0].union(model.cells[4][1])}
    inner = confined(model, box, inside)
    assert isinstance(inner, DecisionGraph)
    for point in itertools.islice(itertools.product(*[[c.representative() for c in s] for s in model.cells]), 2000):
        assert inner.kappa(point) == model.kappa(retracted(point, box, inside))
    with pytest.raises(InputError, match="not in the box"):
        confined(model, {0: model.cells[0][1]}, inside)


def test_a_node_that_no_point_of_the_box_reaches() -> None:
    # With letters a and c alone, the second test is met and the third, of b and d, is not: each of its edges is empty.
    letters = Feature("letter", Categorical(tuple("abcd")))
    model = graph(
        (letters, X),
        (0, {1: ["a"], 2: ["b", "c", "d"]}),
        0,
        (0, {3: ["a", "b", "d"], 4: ["c"]}),
        (0, {5: ["b"], 6: ["d"]}),
        0,
        1,
        1,
    )
    point: Point = ("a", Fraction(0))
    box = inflate_axp(model, point, [0])
    assert {i: str(values) for i, values in box.items()} == {0: "{a, c}"}
    assert BoxJudge(model).inflated_axp(point, box).verdict is Verdict.INFLATED
    inner = confined(model, box, point)
    assert all(inner.kappa((letter, Fraction(0))) == 0 for letter in "abcd")


def test_faults_of_sets_are_told_apart() -> None:
    model = graph((ABC, X), (0, {1: ["a"], 2: ["b"], 3: ["c"]}), 0, 0, 1)
    point: Point = ("a", Fraction(0))
    judge = BoxJudge(model)
    whole = ABC.domain.all_values()
    judged = {
        "right": judge.inflated_axp(point, {0: read_literal(ABC.domain, ["a", "b"])}),
        "small": judge.inflated_axp(point, {0: read_literal(ABC.domain, ["a"])}),
        "large": judge.inflated_axp(point, {0: whole}),
        "redundant": judge.inflated_axp(point, {0: read_literal(ABC.domain, ["a", "b"]), 1: X.domain.all_values()}),
    }
    assert {name: found.verdict for name, found in judged.items()} == {
        "right": Verdict.INFLATED,
        "small": Verdict.NOT_MAXIMAL,
        "large": Verdict.INSUFFICIENT,
        "redundant": Verdict.REDUNDANT,
    }
    assert judged["small"].joining == {0: read_literal(ABC.domain, ["b"])}
    witness = judged["large"].witness
    assert witness is not None
    assert model.kappa(witness) == 1
    assert judge.inflated_change(point, {0: whole}, point).verdict is Verdict.INEFFECTIVE


def test_values_of_changes_are_judged() -> None:
    point, judge = ("a", Fraction(-1)), BoxJudge(BELOW)
    # a leads to one class, b to another; c to that of a.
    values = inflate_cxp(BELOW, point, [0])
    assert {i: str(v) for i, v in values.items()} == {0: "{b}"}
    assert judge.inflated_cxp(point, values).verdict is Verdict.INFLATED
    more = judge.inflated_cxp(point, {0: FiniteSet(frozenset("abc"))})
    assert (more.verdict, str(more.idle[0])) == (Verdict.INEFFECTIVE, "{a, c}")
    assert {i: str(v) for i, v in inflate_cxp(BELOW, point, [1]).items()} == {1: "[0, inf)"}
    fewer = judge.inflated_cxp(point, {1: read_literal(X.domain, ["[1, inf)"])})
    assert (fewer.verdict, str(fewer.joining[1])) == (Verdict.NOT_MAXIMAL, "[0, 1)")
    assert judge.inflated_cxp(point, {**values, 1: values[0]}).verdict is Verdict.REDUNDANT
    with pytest.raises(InputError, match="cannot change"):
        inflate_cxp(TREE, ("a", Fraction(0)), [1])
    with pytest.raises(InputError, match="cannot change"):
        inflate_cxp(TREE, ("a", Fraction(0)), [])
