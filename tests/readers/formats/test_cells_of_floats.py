"""Between two thresholds with no float between them there is no point: an XP over the reals is not the model's XP."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Feature, Float32, Real
from xpgcheck.model.value_sets import Grid, Interval, ValueSet, interval_set
from xpgcheck.model.values import Point
from xpgcheck.oracles.exhaustive import ExhaustiveOracle
from xpgcheck.readers.sklearn_tree import TreeArrays, arrays_graph
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.explanation_graph import explanation_graph
from xpgcheck.xpg.xps import Kind

ONE: Point = (Fraction(5), Fraction(-1))
"""A point of class 1: its x is above the middle."""


def dense(low: Fraction | None, low_open: bool, high: Fraction | None, high_open: bool) -> ValueSet:
    return interval_set(Grid.DENSE, [Interval(low, low_open, high, high_open)])


def over_the_reals(low: Fraction, high: Fraction) -> DecisionGraph:
    """Class 1, except where low < x ≤ high and y ≤ 0."""
    nodes = {
        "x": NonTerminal(
            0,
            (
                (1, dense(None, True, low, False).union(dense(high, True, None, True))),
                ("y", dense(low, True, high, False)),
            ),
        ),
        "y": NonTerminal(1, ((0, dense(None, True, Fraction(0), False)), (1, dense(Fraction(0), True, None, True)))),
        0: Terminal(0),
        1: Terminal(1),
    }
    return decision_graph("reals", [Feature("x", Real()), Feature("y", Real())], ["0", "1"], nodes)


def over_float32(low: float, high: float) -> DecisionGraph:
    """The same tree as scikit-learn stores it: thresholds float64, inputs float32."""
    arrays = TreeArrays(
        left=[1, -1, 3, 5, -1, -1, -1],
        right=[2, -1, 4, 6, -1, -1, -1],
        feature=[0, -2, 0, 1, -2, -2, -2],
        threshold=[low, -2.0, high, 0.0, -2.0, -2.0, -2.0],
        missing_left=[],
        class_of=[1, 1, 1, 1, 1, 0, 1],
    )
    return arrays_graph(arrays, [Feature("x", Float32()), Feature("y", Float32())], ["0", "1"], "floats")


def axps(graph: DecisionGraph, point: Point) -> set[frozenset[int]]:
    return {xp.features for xp in enumerate_xps(explanation_graph(graph, point)) if xp.kind is Kind.AXP}


def test_an_axp_over_the_reals_is_redundant_over_float32() -> None:
    """Both thresholds lie between the float32 next to 0.1 and the one above: no input takes the middle branch."""
    single = np.float32(0.1)
    low = float(np.nextafter(float(single), 1))
    high = float(np.nextafter(low, 1))
    assert float(single) < low < high < float(np.nextafter(single, np.float32(1)))
    reals, floats = over_the_reals(Fraction(low), Fraction(high)), over_float32(low, high)
    assert axps(reals, ONE) == {frozenset([0])}
    assert axps(floats, ONE) == {frozenset()}
    assert ExhaustiveOracle(reals, ONE).changeable([1]).changeable is True
    assert ExhaustiveOracle(floats, ONE).changeable([]).changeable is False


def test_with_one_float32_between_the_thresholds_both_agree() -> None:
    single = np.float32(0.1)
    low, high = (float(np.nextafter(float(single), side)) for side in (0, 1))
    floats = over_float32(low, high)
    assert axps(floats, ONE) == axps(over_the_reals(Fraction(low), Fraction(high)), ONE) == {frozenset([0])}
    assert floats.kappa((Fraction(float(single)), Fraction(-1))) == 0


@pytest.mark.parametrize("double", [False, True])
def test_onnx_thresholds_next_to_each_other(double: bool) -> None:
    """``x <= a`` and then ``x < b`` with b next to a: the runtime says one class at every point, and so does κ."""
    from test_onnx_trees import DOUBLE, FLOAT, hand_made, labels

    from xpgcheck.readers.onnx_tree import parse_onnx

    kind: Callable[[Any], Any] = np.float64 if double else np.float32
    low = kind(0.1)
    high = np.nextafter(low, kind(1))
    model = hand_made(
        2,
        classes=2,
        single=True,
        features=2,
        tracks=False,
        element=DOUBLE if double else FLOAT,
        nodes_modes=["BRANCH_LEQ", "LEAF", "BRANCH_LT", "LEAF", "LEAF", "BRANCH_LEQ", "LEAF", "LEAF", "LEAF"],
        nodes_nodeids=list(range(9)),
        nodes_treeids=[0] * 9,
        nodes_hitrates=None,
        nodes_featureids=[0, 0, 0, 0, 0, 1, 0, 0, 0],
        nodes_truenodeids=[1, 0, 5, 0, 0, 7, 0, 0, 0],
        nodes_falsenodeids=[2, 0, 6, 0, 0, 8, 0, 0, 0],
        class_treeids=[0] * 6,
        class_nodeids=[1, 3, 4, 6, 7, 8],
        class_ids=[1] * 6,
        **values(double, [float(low), 0, float(high), 0, 0, 0.0, 0, 0, 0], [1.0, 1.0, 1.0, 1.0, 0.0, 1.0]),
    )
    graph = parse_onnx(model.SerializeToString(), "neighbours")
    assert {graph.class_of[n] for n in range(graph.node_count) if graph.is_terminal(n)} == {1}
    assert axps(graph, ONE) == {frozenset()}
    assert axps(over_the_reals(Fraction(float(low)), Fraction(float(high))), ONE) == {frozenset([0])}
    rows = np.array([[x, -1.0] for x in (low, high, np.nextafter(low, kind(0)), np.nextafter(high, kind(1)))])
    assert set(labels(model, rows)) == {1}


def values(double: bool, thresholds: list[float], weights: list[float]) -> dict[str, Any]:
    if not double:
        return {"nodes_values": thresholds, "class_weights": weights}
    from onnx import numpy_helper

    return {
        "nodes_values": None,
        "class_weights": None,
        "nodes_values_as_tensor": numpy_helper.from_array(np.array(thresholds, dtype=np.float64), "thresholds"),
        "class_weights_as_tensor": numpy_helper.from_array(np.array(weights), "weights"),
    }
