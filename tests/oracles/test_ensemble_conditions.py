"""Ensembles over their conditions: the same votes at the same points, and explanations by the definitions alone."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from small_forests import forest, leaf, stump, test

from xpgcheck.judging.claim import Claim, ClaimKind, Notion
from xpgcheck.judging.panel import open_panel
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.decision_graph import Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Categorical, Feature
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.model.values import Point
from xpgcheck.oracles.conditions import (
    NotTwoWayError,
    condition_ensemble,
    condition_graph,
    conditions_at,
    conditions_of,
    literals_at,
)
from xpgcheck.properties.cases import EnsembleCase
from xpgcheck.properties.ensembles.strategies import ensemble_cases

SHARED = forest(test(0, "0.5", leaf(0), stump(1)), stump(1), test(0, "0.25", leaf(1), stump(2)))

MAX_CONDITIONS = 6


def test_trees_share_conditions_in_the_order_of_the_trees() -> None:
    assert literals_at(SHARED, point_of(SHARED)) == ("f0 > 0.5", "f1 > 0.5", "f0 > 0.25", "f2 > 0.5")
    assert [condition.feature for condition in conditions_of(SHARED)] == [0, 1, 0, 2]


def point_of(forest: Ensemble) -> Point:
    return tuple(cells[-1].representative() for cells in forest.cells)


def test_of_one_tree_they_are_those_of_the_tree() -> None:
    (tree,) = forest(test(0, "0.5", stump(1), stump(2))).trees
    alone = ensemble("alone", tree.features, tree.classes, [tree])
    assert conditions_of(alone) == conditions_of(tree)
    (over,) = condition_ensemble(alone).trees
    graph = condition_graph(tree)
    assert (over.features, over.children, over.class_of) == (graph.features, graph.children, graph.class_of)


@given(ensemble_cases(5, 7))
def test_the_class_is_that_of_the_point(case: EnsembleCase) -> None:
    own = case.graph
    try:
        over = condition_ensemble(own)
    except NotTwoWayError:
        return
    for cells in itertools.islice(itertools.product(*own.cells), 50):
        point = tuple(cell.representative() for cell in cells)
        assert over.kappa(conditions_at(conditions_of(own), point) or (False,)) == own.kappa(point)


def verdicts(over: Ensemble, truth: Point, members: frozenset[int]) -> tuple[Verdict, Verdict]:
    """Return what *members* are as an AXp and as a CXp, by looking at every assignment of the conditions."""
    count = len(over.features)
    others = [
        point for point in itertools.product((False, True), repeat=count) if over.kappa(point) != over.kappa(truth)
    ]
    return by_differences([frozenset(i for i in range(count) if point[i] is not truth[i]) for point in others], members)


def verdicts_with_theory(own: Ensemble, instance: Point, members: frozenset[int]) -> tuple[Verdict, Verdict]:
    """Return the same with theory, by looking at a point of every cell."""
    conditions = conditions_of(own)
    truth = conditions_at(conditions, instance)
    points = itertools.product(*([cell.representative() for cell in cells] for cells in own.cells))
    outcomes = [conditions_at(conditions, point) for point in points if own.kappa(point) != own.kappa(instance)]
    pairs = [zip(truth, found, strict=True) for found in outcomes]
    return by_differences([frozenset(i for i, (a, b) in enumerate(pair) if a is not b) for pair in pairs], members)


def by_differences(differing: list[frozenset[int]], members: frozenset[int]) -> tuple[Verdict, Verdict]:
    """Return the verdicts where points of another class differ from the instance in *differing*."""

    def weak_axp(fixed: frozenset[int]) -> bool:
        return all(fixed & differs for differs in differing)

    def weak_cxp(free: frozenset[int]) -> bool:
        return any(differs <= free for differs in differing)

    found = []
    for weak, right, wrong in (
        (weak_axp, Verdict.AXP, Verdict.INSUFFICIENT),
        (weak_cxp, Verdict.CXP, Verdict.INEFFECTIVE),
    ):
        needless = weak(members) and any(weak(members - {i}) for i in members)
        found.append(Verdict.REDUNDANT if needless else right if weak(members) else wrong)
    return found[0], found[1]


@given(ensemble_cases(4, 6))
def test_sets_of_conditions_are_judged_by_the_definitions(case: EnsembleCase) -> None:
    own = case.graph
    try:
        over = condition_ensemble(own)
    except NotTwoWayError:
        return
    count = len(conditions_of(own))
    if count > MAX_CONDITIONS:
        return
    truth = conditions_at(conditions_of(own), case.instance) or (False,)
    dice = random.Random(case.dice)
    with open_panel(own) as panel:
        judge = panel.claims_at(case.instance)
        for _ in range(4):
            members = frozenset(i for i in range(count) if dice.random() < 0.5)
            for notion, wanted in (
                (Notion.CONDITIONS, verdicts(over, truth, members)),
                (Notion.THEORY, verdicts_with_theory(own, case.instance, members)),
            ):
                for kind, right in zip((ClaimKind.AXP, ClaimKind.CXP), wanted, strict=True):
                    judged = judge.judge(Claim(kind, notion, members))
                    # What hangs on rounding stays open.
                    assert judged.verdict is right or (own.tally.slack and judged.verdict is Verdict.INCONCLUSIVE)
                    assert judged.projected is not None or judged.verdict is Verdict.INCONCLUSIVE


def test_a_tree_that_is_no_two_way_test_is_named() -> None:
    features = [Feature("x", Categorical(("a", "b", "c")))]
    sets = [FiniteSet(frozenset(value)) for value in "abc"]
    nodes: dict[NodeId, Node] = {
        0: NonTerminal(0, tuple(zip((1, 2, 3), sets, strict=True))),
        1: Terminal(0),
        2: Terminal(1),
        3: Terminal(0),
    }
    three = decision_graph("three", features, ["no", "yes"], nodes, 0)
    one = decision_graph("one", features, ["no", "yes"], {0: Terminal(0)}, 0)
    with pytest.raises(NotTwoWayError, match="tree 1: node '0': its test of feature 'x' has"):
        conditions_of(ensemble("both", features, ["no", "yes"], [one, three]))
