"""ONNX models of many trees: what onnxruntime says of the file, its sums, and what is refused."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from ensemble_agreement import Agreement, agree, rows_for

from xpgcheck.errors import InputError, LimitError
from xpgcheck.model.combination import Arithmetic, Threshold
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.readers.onnx_tree import parse_onnx

onnx = pytest.importorskip("onnx", reason="the environment has no onnx")
runtime = pytest.importorskip("onnxruntime", reason="the environment has no onnxruntime")

FLOAT, DOUBLE = 1, 11
MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT")
WEIGHTS = (0.0, 0.25, 0.5, 0.1, 1 / 3, 1e-7)


def trees_of(
    trees: int,
    classes: int,
    seed: int,
    *,
    element: int = FLOAT,
    column: int | None = None,
    negative: bool = False,
    depth: int = 2,
    modes: Sequence[str] = MODES,
    **more: Any,
) -> bytes:
    """Return a ``TreeEnsembleClassifier`` of complete trees, few thresholds and few weights, so that sums tie."""
    rng = np.random.default_rng(seed)
    size, inner = 2 ** (depth + 1) - 1, 2**depth - 1
    kind = np.float64 if element == DOUBLE else np.float32
    ids = [(t, n) for t in range(trees) for n in range(size)]
    voted = [(t, n, k) for t, n in ids if n >= inner for k in (range(classes) if column is None else [column])]
    values = rng.choice([0.0, 0.1, 0.5, -2.5, 1 / 3], len(ids)).astype(kind)
    weights = rng.choice([*WEIGHTS, *([-0.25, -0.1] if negative else [])], len(voted)).astype(kind)
    numbers: dict[str, Any] = {"nodes_values": values, "class_weights": weights}
    if element == DOUBLE:
        numbers = {f"{key}_as_tensor": onnx.numpy_helper.from_array(value, key) for key, value in numbers.items()}
    attributes: dict[str, Any] = {
        "nodes_treeids": [t for t, _ in ids],
        "nodes_nodeids": [n for _, n in ids],
        "nodes_modes": [str(rng.choice(list(modes))) if n < inner else "LEAF" for _, n in ids],
        "nodes_featureids": [int(rng.integers(3)) if n < inner else 0 for _, n in ids],
        "nodes_truenodeids": [2 * n + 1 if n < inner else 0 for _, n in ids],
        "nodes_falsenodeids": [2 * n + 2 if n < inner else 0 for _, n in ids],
        "nodes_missing_value_tracks_true": rng.integers(0, 2, len(ids)).tolist(),
        "class_treeids": [t for t, _, _ in voted],
        "class_nodeids": [n for _, n, _ in voted],
        "class_ids": [k for _, _, k in voted],
        "classlabels_int64s": list(range(classes)),
        "post_transform": "NONE",
        **numbers,
        **more,
    }
    node = onnx.helper.make_node(
        "TreeEnsembleClassifier",
        ["X"],
        ["label", "scores"],
        domain="ai.onnx.ml",
        **{key: value for key, value in attributes.items() if value is not None},
    )
    return model_of([node], element, [("label", 7), ("scores", FLOAT)])


def scored(trees: int, seed: int, *, element: int = FLOAT, targets: int = 3, **more: Any) -> bytes:
    """Return a ``TreeEnsemble`` of complete trees of depth two with ``ArgMax``."""
    rng = np.random.default_rng(seed)
    kind = np.float64 if element == DOUBLE else np.float32
    tensor = onnx.numpy_helper.from_array
    nodes = [(t, n) for t in range(trees) for n in range(3)]
    attributes: dict[str, Any] = {
        "n_targets": targets,
        "aggregate_function": 1,
        "post_transform": 0,
        "nodes_modes": tensor(rng.integers(0, 4, len(nodes)).astype(np.uint8)),
        "nodes_featureids": rng.integers(0, 3, len(nodes)).tolist(),
        "nodes_splits": tensor(rng.choice([0, 0.5, 1, 2.5, -1, 0.1], len(nodes)).astype(kind)),
        "nodes_truenodeids": [3 * t + 1 if n == 0 else 4 * t + 2 * (n - 1) for t, n in nodes],
        "nodes_falsenodeids": [3 * t + 2 if n == 0 else 4 * t + 2 * (n - 1) + 1 for t, n in nodes],
        "nodes_trueleafs": [int(n > 0) for _, n in nodes],
        "nodes_falseleafs": [int(n > 0) for _, n in nodes],
        "nodes_missing_value_tracks_true": rng.integers(0, 2, len(nodes)).tolist(),
        "tree_roots": [3 * t for t in range(trees)],
        "leaf_targetids": rng.integers(0, targets, 4 * trees).tolist(),
        "leaf_weights": tensor(rng.choice([*WEIGHTS, -0.5, -0.1], 4 * trees).astype(kind)),
        **more,
    }
    made = [
        onnx.helper.make_node("TreeEnsemble", ["X"], ["scores"], domain="ai.onnx.ml", **attributes),
        onnx.helper.make_node("ArgMax", ["scores"], ["label"], axis=1, keepdims=0),
    ]
    return model_of(made, element, [("label", 7), ("scores", element)], 5)


def model_of(nodes: list[Any], element: int, outputs: list[tuple[str, int]], version: int = 3) -> bytes:
    value = onnx.helper.make_tensor_value_info
    inputs = [value("X", element, [None, 3])]
    graph = onnx.helper.make_graph(nodes, "trees", inputs, [value(name, kind, None) for name, kind in outputs])
    opsets = [onnx.helper.make_opsetid("ai.onnx.ml", version), onnx.helper.make_opsetid("", 18)]
    data: bytes = onnx.helper.make_model(graph, opset_imports=opsets, ir_version=10).SerializeToString()
    return data


def ensemble_of(data: bytes) -> Ensemble:
    found = parse_onnx(data, "trees")
    assert isinstance(found, Ensemble)
    return found


def held(data: bytes, count: int, seed: int, scores: bool = True, more: Any = None) -> Agreement:
    """Hold the ensemble in *data* to what onnxruntime says of it at *count* rows, one by one and all together."""
    found = ensemble_of(data)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 2
    running = runtime.InferenceSession(data, options)
    kind = np.float64 if running.get_inputs()[0].type == "tensor(double)" else np.float32
    rows = rows_for(found, count, seed, more)
    with np.errstate(over="ignore"):
        cells = rows.astype(kind)
    names = [output.name for output in running.get_outputs()]
    labels, sums = running.run(names[:2], {"X": cells})
    alone = [running.run(names[:1], {"X": row[None]})[0][0] for row in cells[:50]]
    agree(found, rows[:50], alone)
    if not scores or found.tally.slack * found.tally.unit < 2**-40:
        # Scores are float32, whatever is added.
        return agree(found, rows, labels)
    if found.rule.threshold is not None:  # type: ignore[union-attr]
        sums = sums[:, 1]
    return agree(found, rows, labels, sums)


@pytest.mark.parametrize("element", [FLOAT, DOUBLE])
@pytest.mark.parametrize("seed", range(3))
def test_several_classes(element: int, seed: int) -> None:
    held(trees_of(9, 3, seed, element=element, negative=True), 400, seed)
    base = {"base_values": [0.25, 0.1, -0.5]}
    if element == FLOAT:
        held(trees_of(9, 3, seed, negative=True, **base), 400, seed)
        held(trees_of(9, 4, seed, post_transform="SOFTMAX"), 400, seed, scores=False)


@pytest.mark.parametrize("element", [FLOAT, DOUBLE])
@pytest.mark.parametrize("column", [0, 1])
@pytest.mark.parametrize("negative", [False, True])
def test_two_classes_and_one_column(element: int, column: int, negative: bool) -> None:
    for seed in range(3):
        data = trees_of(4, 2, seed, element=element, column=column, negative=negative)
        threshold = ensemble_of(data).rule.threshold  # type: ignore[union-attr]
        assert isinstance(threshold, Threshold)
        assert threshold.at == (0 if negative else 0.5)
        held(data, 300, seed, scores=not negative)


@pytest.mark.parametrize("base", [0.25, -0.1, 0.0])
@pytest.mark.parametrize("transform", ["NONE", "LOGISTIC"])
def test_one_base_value(base: float, transform: str) -> None:
    for seed in range(3):
        for negative in (False, True):
            data = trees_of(5, 2, seed, column=0, negative=negative, base_values=[base], post_transform=transform)
            held(data, 300, seed, scores=False)


@pytest.mark.parametrize("element", [FLOAT, DOUBLE])
@pytest.mark.parametrize("aggregate", [0, 1])
def test_scores_with_argmax(element: int, aggregate: int) -> None:
    for seed in range(4):
        data = scored(1 + 3 * seed, seed, element=element, aggregate_function=aggregate)
        if seed:
            found = ensemble_of(data)
            assert found.rule.divided is (aggregate == 0)  # type: ignore[union-attr]
            assert found.rule.arithmetic is (Arithmetic.BINARY64 if element == DOUBLE else Arithmetic.BINARY32)  # type: ignore[union-attr]
            held(data, 400, seed)
        else:
            assert isinstance(parse_onnx(data, "one"), DecisionGraph)


CONVERTED: dict[str, dict[str, Any]] = {
    "RandomForestClassifier": {"n_estimators": 12, "max_depth": 4},
    "ExtraTreesClassifier": {"n_estimators": 30, "max_depth": 3},
    "GradientBoostingClassifier": {"n_estimators": 10, "max_depth": 2},
}


@pytest.mark.parametrize("kind", CONVERTED)
@pytest.mark.parametrize("classes", [2, 3])
def test_what_skl2onnx_writes(kind: str, classes: int) -> None:
    data, rows = converted(kind, classes, classes)
    assert not held(data, 400, 0, scores=kind != "GradientBoostingClassifier", more=rows).otherwise


def converted(kind: str, classes: int, seed: int) -> tuple[bytes, Any]:
    """Return what skl2onnx writes of a fitted ensemble, and the data."""
    forests = pytest.importorskip("sklearn.ensemble", reason="the environment has no scikit-learn")
    skl2onnx = pytest.importorskip("skl2onnx", reason="the environment has no skl2onnx")
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(300, 4)).round(1)
    labels = (rows[:, 0] > 0).astype(int) + (classes > 2) * (rows[:, 1] > 0.3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = getattr(forests, kind)(random_state=0, **CONVERTED[kind]).fit(rows, labels)
        written = skl2onnx.to_onnx(model, rows[:1].astype(np.float32), options={"zipmap": False}, target_opset=17)
    return written.SerializeToString(), rows


@pytest.mark.slow
def test_a_hundred_thousand_points() -> None:
    met = Agreement()
    for seed in range(10):
        met += held(trees_of(12, 3, seed, negative=True), 3_500, seed)
        met += held(trees_of(9, 2, seed, column=seed % 2), 3_500, seed)
        met += held(trees_of(9, 2, seed, column=0, negative=True, base_values=[0.1]), 3_500, seed, scores=False)
    for seed, kind in enumerate(CONVERTED):
        for classes in (2, 3):
            data, rows = converted(kind, classes, seed)
            met += held(data, 3_000, seed, scores=False, more=rows)
    assert met.points >= 100_000
    # The order in which onnxruntime adds is its own: a few points near ties may be answered otherwise.
    assert met.unsettled < met.points / 4


def many_leaves(count: int) -> bytes:
    """Return an operator of *count* trees of one leaf."""
    zeros = [0] * count
    attributes = dict.fromkeys(("nodes_nodeids", "nodes_featureids", "nodes_truenodeids", "nodes_falsenodeids"), zeros)
    more: dict[str, Any] = {
        "nodes_treeids": list(range(count)),
        "nodes_modes": ["LEAF"] * count,
        "nodes_values": [0.0] * count,
        "nodes_missing_value_tracks_true": None,
        "class_treeids": list(range(count)),
        "class_nodeids": zeros,
        "class_ids": zeros,
        "class_weights": [1.0] * count,
    }
    return trees_of(1, 2, 0, **attributes, **more)


REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "weights of both classes": ({"column": None}, "of two classes with weights of both", "one class only"),
    "base values of both": ({"base_values": [0.5, 0.5]}, "are understood differently", "one base value"),
    "base value of the other class": ({"column": 1, "base_values": [0.5]}, "understood differently", "class 0"),
    "too few base values": (
        {"classes": 3, "column": None, "base_values": [0.5]},
        "1 base values for 3 classes",
        "a class",
    ),
    "classes without weights": ({"classes": 3}, "leaves have no weights of some classes", "zeros too"),
    "NaN weight": ({"class_weights": [float("nan")] * 12}, "tree 0: a leaf weighs 'nan'", "again"),
    "infinite weight": ({"class_weights": [float("inf")] * 12}, "a leaf weighs 'inf'", "again"),
    "overflow": ({"class_weights": [3e38] * 12}, "may exceed what binary32 holds", "scale"),
    "infinite base": (
        {"classes": 3, "column": None, "base_values": [0.0, 0.0, float("inf")]},
        "a base value is no finite number",
        "again",
    ),
    "other features": ({"nodes_featureids": [9] * 21}, "tests feature 9 of 3", "again"),
    "no leaf": (
        {"classes": 3, "column": None, "nodes_truenodeids": [99] * 21, "nodes_falsenodeids": [99] * 21},
        "leaves have no weights",
        "zeros too",
    ),
    "no tree": ({"nodes_truenodeids": [1] * 21}, "two paths lead to node", "again"),
}


def test_too_many_trees_are_one_line() -> None:
    with pytest.raises(LimitError, match="there are 20,000 trees; train at most 10,000"):
        parse_onnx(many_leaves(20_000), "many")
    assert len(ensemble_of(many_leaves(2_000)).trees) == 2_000


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_read_is_one_line(case: str) -> None:
    more, problem, mend = REFUSED[case]
    data = trees_of(**{"trees": 3, "classes": 2, "seed": 0, "column": 0, **more})
    with pytest.raises(InputError) as caught:
        parse_onnx(data, "trees")
    assert problem in str(caught.value)
    assert mend in caught.value.mend
    assert "operator" in caught.value.place
    assert str(caught.value).isprintable()
