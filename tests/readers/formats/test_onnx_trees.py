"""ONNX models of one tree: the class that onnxruntime says, for every mode and way to write weights."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kappa_agreement import (
    Table,
    assert_infinities_are_no_values,
    assert_same,
    kappa,
    random_data,
    refusal,
    table,
)

from xpgcheck import read_model
from xpgcheck.errors import FormatError, InputError, XpgcheckError
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Float32, Float64, Integer
from xpgcheck.readers.instances import read_point
from xpgcheck.readers.onnx_tree import parse_onnx

onnx = pytest.importorskip("onnx", reason="the environment has no onnx")
runtime = pytest.importorskip("onnxruntime", reason="the environment has no onnxruntime")

FLOAT, DOUBLE, INT64 = 1, 11, 7
MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ")


def hand_made(
    depth: int = 3,
    modes: Sequence[str] = MODES,
    seed: int = 0,
    *,
    element: int = FLOAT,
    tracks: bool = True,
    single: bool = False,
    negative: bool = False,
    tensors: bool = False,
    cast: int | None = None,
    classes: int = 3,
    features: int = 3,
    around: Callable[[list[Any]], list[Any]] = list,
    **more: Any,
) -> Any:
    """Return a model with a complete tree of random tests, written attribute by attribute."""
    rng = np.random.default_rng(seed)
    count = 2 ** (depth + 1) - 1
    inner = 2**depth - 1
    thresholds = rng.choice([0.0, -0.0, 0.1, 0.5, 1 / 3, 1e-40, 1e30, -2.5], count).tolist()
    if not tensors:
        thresholds = [float(np.float32(t)) for t in thresholds]
    weights = [
        (leaf, k, float(np.float32(rng.random() - 0.5 * negative)))
        for leaf in range(inner, count)
        for k in ([1] if single else range(classes))
    ]
    names = {"nodes_values": thresholds, "class_weights": [w for _, _, w in weights]}
    numbers: dict[str, Any] = {
        f"{key}_as_tensor": onnx.numpy_helper.from_array(np.array(values), key) for key, values in names.items()
    }
    attributes: dict[str, Any] = {
        "nodes_treeids": [0] * count,
        "nodes_nodeids": list(range(count)),
        "nodes_modes": [str(rng.choice(list(modes))) if n < inner else "LEAF" for n in range(count)],
        "nodes_featureids": [int(rng.integers(features)) if n < inner else 0 for n in range(count)],
        "nodes_truenodeids": [2 * n + 1 if n < inner else 0 for n in range(count)],
        "nodes_falsenodeids": [2 * n + 2 if n < inner else 0 for n in range(count)],
        "nodes_hitrates": [1.0] * count,
        "nodes_missing_value_tracks_true": rng.integers(0, 2, count).tolist() if tracks else None,
        "class_treeids": [0] * len(weights),
        "class_nodeids": [n for n, _, _ in weights],
        "class_ids": [k for _, k, _ in weights],
        "classlabels_int64s": list(range(classes)),
        "post_transform": "NONE",
        **(numbers if tensors else names),
        **more,
    }
    source = "X"
    nodes = []
    if cast is not None:
        nodes.append(onnx.helper.make_node("Cast", ["X"], ["C"], to=cast))
        source = "C"
    nodes.append(
        onnx.helper.make_node(
            "TreeEnsembleClassifier",
            [source],
            ["label", "scores"],
            domain="ai.onnx.ml",
            **{key: value for key, value in attributes.items() if value is not None},
        )
    )
    label = onnx.TensorProto.STRING if "classlabels_strings" in more else onnx.TensorProto.INT64
    graph = onnx.helper.make_graph(
        around(nodes),
        "tree",
        [onnx.helper.make_tensor_value_info("X", element, [None, features])],
        [
            onnx.helper.make_tensor_value_info("label", label, [None]),
            onnx.helper.make_tensor_value_info("scores", FLOAT, [None, classes]),
        ],
    )
    versions = [onnx.helper.make_opsetid("", 17), onnx.helper.make_opsetid("ai.onnx.ml", 3)]
    return onnx.helper.make_model(graph, opset_imports=versions, ir_version=8)


def read(model: Any, folder: Path) -> DecisionGraph:
    path = folder / "model.onnx"
    path.write_bytes(model.SerializeToString())
    graph = read_model(path)
    assert isinstance(graph, DecisionGraph)
    return graph


def session(model: Any) -> Any:
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    return runtime.InferenceSession(model.SerializeToString(), options)


def labels(model: Any, rows: Table) -> list[object]:
    """Return what onnxruntime says: in the type of the input, one row at a time and all together."""
    running = session(model)
    kind = np.float32 if running.get_inputs()[0].type == "tensor(float)" else np.float64
    with np.errstate(over="ignore"):
        data = rows.astype(kind)
    together: list[object] = running.run([running.get_outputs()[0].name], {running.get_inputs()[0].name: data})[
        0
    ].tolist()
    for row, label in list(zip(data, together, strict=True))[:5]:
        assert running.run(None, {running.get_inputs()[0].name: row[None]})[0][0] == label
    return together


@pytest.mark.parametrize("mode", [*[(m,) for m in MODES], MODES])
@pytest.mark.parametrize("tracks", [False, True])
@pytest.mark.parametrize("element", [FLOAT, DOUBLE])
def test_every_mode(mode: Sequence[str], tracks: bool, element: int, tmp_path: Path) -> None:
    for seed in range(3):
        model = hand_made(4, mode, seed, element=element, tracks=tracks)
        graph = read(model, tmp_path)
        domain = graph.features[0].domain
        assert isinstance(domain, Float32 if element == FLOAT else Float64)
        assert domain.missing == tracks
        graph = parse_onnx(model.SerializeToString(), "with missing", missing=True)
        rows = table(graph, 300, seed)
        assert_same(graph, rows, labels(model, rows))


@pytest.mark.parametrize("mode", MODES)
def test_thresholds_that_are_not_finite(mode: str, tmp_path: Path) -> None:
    for number in (float("inf"), float("-inf"), float("nan")):
        model = hand_made(1, (mode,), nodes_values=[number, 0.0, 0.0])
        graph = read(model, tmp_path)
        rows = table(graph, 40, 0)
        assert_same(graph, rows, labels(model, rows))


def test_double_tensors(tmp_path: Path) -> None:
    for seed in range(4):
        model = hand_made(4, seed=seed, element=DOUBLE, tensors=True)
        graph = read(model, tmp_path)
        rows = table(graph, 400, seed)
        assert_same(graph, rows, labels(model, rows))


@pytest.mark.parametrize(
    ("element", "cast", "domain"), [(DOUBLE, FLOAT, Float32(True)), (FLOAT, DOUBLE, Float32(True))]
)
def test_a_cast_before_the_tree(element: int, cast: int, domain: object, tmp_path: Path) -> None:
    for seed in range(4):
        model = hand_made(4, seed=seed, element=element, cast=cast, tensors=cast == DOUBLE)
        graph = read(model, tmp_path)
        assert graph.features[0].domain == domain
        rows = table(graph, 400, seed)
        assert_same(graph, rows, labels(model, rows))


@pytest.mark.parametrize("negative", [False, True])
@pytest.mark.parametrize("strings", [False, True])
@pytest.mark.parametrize("transform", ["NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT"])
def test_two_classes_with_one_weight(negative: bool, strings: bool, transform: str, tmp_path: Path) -> None:
    more: dict[str, Any] = {"classlabels_int64s": [5, -7]}
    if strings:
        more = {"classlabels_int64s": None, "classlabels_strings": ["no", "yes"]}
    for ids in (0, 1):
        model = hand_made(3, classes=2, single=True, negative=negative, post_transform=transform, **more)
        for attribute in model.graph.node[0].attribute:
            if attribute.name == "class_ids":
                attribute.ints[:] = [ids] * len(attribute.ints)
        graph = read(model, tmp_path)
        rows = table(graph, 200, 0)
        assert_same(graph, rows, labels(model, rows))


def test_ties_go_to_the_first_class(tmp_path: Path) -> None:
    for weights in itertools.product([0.0, 0.25, -0.5], repeat=3):
        model = hand_made(1, class_weights=[*weights, 0.1, 0.2, 0.3])
        graph = read(model, tmp_path)
        rows = table(graph, 10, 0)
        assert_same(graph, rows, labels(model, rows))


def test_base_values_of_three_classes(tmp_path: Path) -> None:
    for seed in range(3):
        model = hand_made(3, seed=seed, base_values=[0.1, -0.3, 0.2])
        graph = read(model, tmp_path)
        rows = table(graph, 200, seed)
        assert_same(graph, rows, labels(model, rows))


def test_two_classes_with_both_weights_are_read_where_runtimes_agree(tmp_path: Path) -> None:
    """onnxruntime says the second class wherever its weight is positive; where that is not the largest: refused."""
    agreeing = hand_made(1, classes=2, class_weights=[1.0, 0.0, 0.25, 0.75])
    graph = read(agreeing, tmp_path)
    rows = table(graph, 20, 0)
    assert_same(graph, rows, labels(agreeing, rows))
    for refused in (
        hand_made(1, classes=2, class_weights=[0.75, 0.25, 0.0, 1.0]),
        hand_made(1, classes=2, class_weights=[0.0, 1.0, 1.0, 0.0], classlabels_int64s=[3, 4]),
        hand_made(
            1, classes=3, class_ids=[2, 2, 2, 0, 1, 2], class_weights=[-1.0] * 6, class_nodeids=[1, 1, 1, 2, 2, 2]
        ),
    ):
        with pytest.raises(XpgcheckError, match=r"different classes|two weights"):
            read(refused, tmp_path)


def test_infinities(tmp_path: Path) -> None:
    """onnxruntime takes them; away from the largest numbers they are treated alike."""
    model = hand_made(5)
    graph = read(model, tmp_path)
    assert_infinities_are_no_values(graph)
    rows = table(graph, 300, 0)
    largest = float(np.finfo(np.float32).max)
    rows[::2, 0], rows[1::3, 1] = largest, -largest
    infinite = np.where(np.abs(rows) == largest, np.copysign(np.inf, rows), rows)
    assert kappa(graph, rows) == [str(k) for k in labels(model, infinite)]


class TestFromScikitLearn:
    """Files of skl2onnx: κ is that of the ONNX file, whose thresholds are rounded to float32."""

    @pytest.mark.parametrize("depth", range(1, 13))
    @pytest.mark.parametrize("classes", [2, 3])
    @pytest.mark.parametrize("zipmap", [False, True])
    def test_the_same_class_at_every_depth(self, depth: int, classes: int, zipmap: bool, tmp_path: Path) -> None:
        model, _ = converted(depth, depth, classes, zipmap)
        graph = read(model, tmp_path)
        rows = table(graph, 300, depth)
        assert_same(graph, rows, labels(model, rows))

    def test_text_labels(self, tmp_path: Path) -> None:
        model, fitted = converted(0, 3, 3, labels=np.array(["né", "b", "c"]))
        graph = read(model, tmp_path)
        assert graph.classes == tuple(fitted.classes_)
        rows = table(graph, 300, 0)
        assert_same(graph, rows, labels(model, rows))

    @pytest.mark.slow
    def test_hundreds_of_thousands_of_points(self, tmp_path: Path) -> None:
        points = 0
        for depth in range(1, 13):
            for model in (converted(50 + depth, depth, 2 + depth % 2)[0], hand_made(min(depth, 9), seed=depth)):
                graph = read(model, tmp_path)
                rows = table(graph, 10_000, depth)
                points += assert_same(graph, rows, labels(model, rows))
        assert points >= 200_000


def converted(seed: int, depth: int, classes: int, zipmap: bool = False, labels: Any = None) -> tuple[Any, Any]:
    skl2onnx = pytest.importorskip("skl2onnx", reason="the environment has no skl2onnx")
    from sklearn.tree import DecisionTreeClassifier

    data, targets = random_data(seed, missing=False)
    if classes == 3:
        targets = targets + (data[:, 3] > 1)
    if labels is not None:
        targets = labels[targets]
    fitted = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(data, targets)
    kinds = [("X", skl2onnx.common.data_types.FloatTensorType([None, data.shape[1]]))]
    return skl2onnx.to_onnx(fitted, initial_types=kinds, options={"zipmap": zipmap}), fitted


def scaled(nodes: list[Any]) -> list[Any]:
    nodes[0].input[0] = "S"
    return [onnx.helper.make_node("Scaler", ["X"], ["S"], domain="ai.onnx.ml", offset=[0.0], scale=[2.0]), *nodes]


def followed_by(operator: str, source: str) -> Callable[[list[Any]], list[Any]]:
    return lambda nodes: [*nodes, onnx.helper.make_node(operator, [source], ["more"])]


def relabelled(nodes: list[Any]) -> list[Any]:
    nodes[0].output[0] = "inner"
    return [*nodes, onnx.helper.make_node("ArgMax", ["scores"], ["label"], axis=1, keepdims=0)]


def renamed(nodes: list[Any]) -> list[Any]:
    nodes[0].op_type = "TreeEnsembleRegressor"
    return nodes


def other_output(nodes: list[Any]) -> list[Any]:
    nodes[0].output[0] = "inner"
    return [*nodes, onnx.helper.make_node("Cast", ["scores"], ["label"], to=INT64)]


WHOLE = [0, 1, -1, 2**24 - 1, 2**24, 2**24 + 1, 2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63)]


@pytest.mark.parametrize("cast", [None, FLOAT, DOUBLE])
def test_integers_are_rounded_before_they_are_compared(cast: int | None) -> None:
    thresholds = [0.5, 2.0**24, 2.0**24 + 2, 2.0**40, -(2.0**30), 3.0, 2.0**62]
    points = WHOLE + [int(t) + side * step for t in thresholds for side in (-1, 0, 1) for step in (1, 2, 2**16, 2**38)]
    for seed in range(6):
        more = {"nodes_values": np.random.default_rng(seed).choice(thresholds, 15).tolist()}
        model = hand_made(3, seed=seed, element=INT64, cast=cast, tracks=False, **more)
        data = model.SerializeToString()
        graph = parse_onnx(data, "whole")
        assert graph.features[0].domain == Integer(-(2**63), 2**63 - 1)
        rng = np.random.default_rng(seed)
        rows = np.array([[points[k] for k in rng.integers(0, len(points), 3)] for _ in range(400)], dtype=np.int64)
        labels = runtime.InferenceSession(data).run(["label"], {"X": rows})[0]
        for row, label in zip(rows.tolist(), labels.tolist(), strict=True):
            assert graph.classes[graph.kappa(read_point(graph.features, row))] == str(label), row
        with pytest.raises(InputError, match="an input of int64 has no missing values"):
            parse_onnx(data, "whole", missing=True)


def test_booleans() -> None:
    data = hand_made(3, seed=1, element=9, cast=FLOAT, tracks=False).SerializeToString()
    graph = parse_onnx(data, "bits")
    session = runtime.InferenceSession(data)
    for bits in itertools.product([False, True], repeat=3):
        (label,) = session.run(["label"], {"X": np.array([bits])})[0].tolist()
        assert graph.classes[graph.kappa(bits)] == str(label)


def test_an_infinite_threshold_shows_missing_values() -> None:
    """Only missing values go to the false branch: left out, the node would decide nothing."""
    model = hand_made(1, modes=["BRANCH_LEQ"], tracks=False, nodes_values=[float("inf"), 0.0, 0.0])
    assert parse_onnx(model.SerializeToString(), "inf").node_count == 3
    assert parse_onnx(model.SerializeToString(), "inf", missing=False).node_count == 1


def scores(seed: int, kind: Any, *, argmax: dict[str, int] | None = None, labels: bool = False, **more: Any) -> Any:
    """Return a model with a ``TreeEnsemble`` (ai.onnx.ml 5) of depth 3 and an ``ArgMax`` over its scores."""
    rng = np.random.default_rng(seed)
    from_array = onnx.numpy_helper.from_array
    attributes = {
        "n_targets": 3,
        "nodes_featureids": rng.integers(0, 3, 7).tolist(),
        "nodes_truenodeids": [1, 3, 5, 0, 2, 4, 6],
        "nodes_falsenodeids": [2, 4, 6, 1, 3, 5, 7],
        "nodes_trueleafs": [0, 0, 0, 1, 1, 1, 1],
        "nodes_falseleafs": [0, 0, 0, 1, 1, 1, 1],
        "nodes_modes": from_array(rng.integers(0, 6, 7).astype(np.uint8)),
        "nodes_splits": from_array(rng.choice([0, 0.5, 1, 2.5, -1, 0.1], 7).astype(kind)),
        "nodes_missing_value_tracks_true": [1, *rng.integers(0, 2, 6).tolist()],
        "tree_roots": [0],
        "leaf_targetids": rng.integers(0, 3, 8).tolist(),
        "leaf_weights": from_array(rng.choice([1, 2, -1, 0, 0.5], 8).astype(kind)),
        **more,
    }
    nodes = [onnx.helper.make_node("TreeEnsemble", ["X"], ["scores"], domain="ai.onnx.ml", **attributes)]
    if argmax is not None:
        nodes.append(onnx.helper.make_node("ArgMax", ["scores"], ["index" if labels else "label"], **argmax))
    if labels:
        options = {"keys_int64s": [2, 0, 1], "values_strings": ["c", "a", "b"], "default_string": "?"}
        nodes.append(onnx.helper.make_node("LabelEncoder", ["index"], ["label"], domain="ai.onnx.ml", **options))
    value = onnx.helper.make_tensor_value_info
    inputs = [value("X", FLOAT if kind is np.float32 else DOUBLE, [None, 3])]
    outputs = [value("label" if argmax is not None else "scores", 8 if labels else INT64, None)]
    opsets = [onnx.helper.make_opsetid("ai.onnx.ml", 5), onnx.helper.make_opsetid("", 18)]
    graph = onnx.helper.make_graph(nodes, "scores", inputs, outputs)
    return onnx.helper.make_model(graph, opset_imports=opsets, ir_version=10)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_tree_ensemble_with_argmax(kind: Any) -> None:
    from onnx.reference import ReferenceEvaluator

    for seed in range(10):
        model = scores(seed, kind, argmax={"axis": 1, "keepdims": 0}, labels=seed % 2 == 1)
        data = model.SerializeToString()
        graph = parse_onnx(data, "scores")
        rows = table(graph, 200, seed).astype(kind)
        (labels,) = runtime.InferenceSession(data).run(None, {"X": rows})
        assert_same(graph, rows.astype(np.float64), labels.tolist())
        (labels,) = ReferenceEvaluator(scores(seed, kind, argmax={"axis": 1, "keepdims": 0})).run(None, {"X": rows})
        assert kappa(graph, rows.astype(np.float64)) == ["abc"[k] if seed % 2 else str(k) for k in labels.tolist()]


def test_a_tree_ensemble_of_one_leaf() -> None:
    one = {
        "nodes_truenodeids": [3] * 7,
        "nodes_falsenodeids": [3] * 7,
        "nodes_trueleafs": [1] * 7,
        "nodes_falseleafs": [1] * 7,
    }
    data = scores(0, np.float32, argmax={"axis": 1}, **one).SerializeToString()
    (labels,) = runtime.InferenceSession(data).run(None, {"X": np.zeros((1, 3), np.float32)})
    graph = parse_onnx(data, "leaf")
    assert (graph.node_count, graph.classes[graph.class_of[0]]) == (1, str(labels[0, 0]))


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({}, "no ArgMax makes a class of them"),
        ({"argmax": {"axis": 0}}, "ArgMax is not over the scores of a row"),
        ({"argmax": {"axis": 1, "select_last_index": 1}}, "does not take the first of equal ones"),
        ({"argmax": {"axis": 1}, "post_transform": 1}, "post_transform 1 is not read"),
        ({"argmax": {"axis": 1}, "aggregate_function": 2}, "aggregate_function 2 is not read"),
        ({"argmax": {"axis": 1}, "tree_roots": [0] * 10_001}, "there are 10,001 trees"),
        ({"argmax": {"axis": 1}, "leaf_targetids": [9] * 8}, "the attributes of the leaves do not fit each other"),
        ({"argmax": {"axis": 1}, "nodes_featureids": [0]}, "the attributes of the nodes do not fit each other"),
        ({"argmax": {"axis": 1}, "nodes_falsenodeids": [9] * 7}, "there is no node 'leaf 9'"),
        ({"argmax": {"axis": 1}, "n_targets": 0}, "there are 0 targets"),
    ],
)
def test_a_tree_ensemble_that_is_refused(more: dict[str, Any], problem: str) -> None:
    with pytest.raises(XpgcheckError) as caught:
        parse_onnx(scores(0, np.float32, **more).SerializeToString(), "scores")
    assert problem in str(caught.value)


def test_sets_of_members_are_refused() -> None:
    modes = onnx.numpy_helper.from_array(np.full(7, 6, np.uint8))
    with pytest.raises(InputError, match="BRANCH_MEMBER is not read"):
        parse_onnx(scores(0, np.float32, argmax={"axis": 1}, nodes_modes=modes).SerializeToString(), "members")


class TestRefused:
    @pytest.mark.parametrize(
        ("more", "problem"),
        [
            ({"around": scaled}, "unknown ONNX operator 'Scaler' before the tree"),
            ({"around": followed_by("Neg", "label")}, "unknown ONNX operator 'Neg' after the tree"),
            ({"around": relabelled}, "unknown ONNX operator 'ArgMax' after the tree"),
            ({"around": other_output}, "no output of the graph is the label of the tree"),
            ({"around": renamed}, "a TreeEnsembleRegressor predicts numbers"),
            ({"around": lambda nodes: []}, "there is no TreeEnsembleClassifier; the operators are: none"),
            ({"around": lambda nodes: nodes * 2}, "there are 2 tree operators"),
            ({"element": 10}, "the input 'X' is float16"),
            ({"element": 9}, "the tree has an input of type bool"),
            ({"cast": INT64}, "unknown ONNX operator 'Cast' before the tree"),
            ({"modes": ["BRANCH_SOMEHOW"]}, "the node mode 'BRANCH_SOMEHOW' is not read"),
            ({"nodes_treeids": [0, 1, 2]}, "a leaf has no weights"),
            ({"nodes_nodeids": [0, 1, 1]}, "do not fit each other"),
            ({"nodes_modes": ["LEAF"]}, "do not fit each other"),
            ({"nodes_truenodeids": [7, 0, 0]}, "there is no node '7'"),
            ({"nodes_truenodeids": [0, 0, 0]}, "two paths lead to node '0'"),
            ({"nodes_featureids": [5, 0, 0]}, "tests feature 5 of 3"),
            ({"class_nodeids": [1, 1, 1, 1, 1, 1]}, "has two weights"),
            ({"class_ids": [9, 1, 2, 0, 1, 2]}, "none of the 3 classes"),
            ({"classes": 2, "base_values": [0.5, 0.25]}, "are understood differently"),
            ({"tensors": True}, "not of the type that the input has"),
        ],
    )
    def test_what_is_not_one_tree(self, more: dict[str, Any], problem: str, tmp_path: Path) -> None:
        path = tmp_path / "model.onnx"
        path.write_bytes(hand_made(**{"depth": 1, **more}).SerializeToString())
        with pytest.raises(InputError) as caught:
            read_model(path)
        assert problem in caught.value.problem
        assert caught.value.mend
        assert caught.value.place.startswith(str(path))

    def test_a_file_cut_off_or_damaged_anywhere_gives_one_line(self) -> None:
        data = hand_made(2).SerializeToString()
        for length in range(0, len(data), max(1, len(data) // 150)):
            with pytest.raises(InputError):
                parse_onnx(data[:length], "cut")
        for position in range(0, len(data), max(1, len(data) // 300)):
            damaged = data[:position] + bytes([data[position] ^ 0x55]) + data[position + 1 :]
            assert refusal(lambda data=damaged: parse_onnx(data, "damaged")).isprintable()

    def test_bytes_that_are_no_model(self) -> None:
        with pytest.raises(FormatError, match="no ONNX model"):
            parse_onnx(b"\x08\x08\x12\xff", "none")
