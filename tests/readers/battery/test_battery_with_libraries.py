"""The battery's hand-made models in the libraries that they are meant for: what these predict is the plain evaluation.

So the files are such as the libraries read, and the comparison that the battery holds readers to is the library's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from battery_boosted_readers import AdaBoost, GradientBoosting, Histogram
from battery_booster_readers import LightgbmMany, LightgbmText, XgboostJson, XgboostMany, XgboostUbjson
from battery_cases import CASES, Case
from battery_ensemble_readers import OnnxForest, SklearnForest, SkopsForest
from battery_reader import Reader
from battery_tree_readers import Onnx, Orange, SklearnObject, Skops
from battery_trees import Cell, Tree, label_at

NUMERICAL = (
    "threshold, its float neighbours",
    "zeros of both signs",
    "subnormal thresholds",
    "largest float as threshold",
    "infinite threshold",
    "NaN threshold",
    "missing value goes left",
    "missing value goes right",
    "missing value stops at a node",
    "one leaf",
    "every leaf of one class",
    "depth 1 to 60",
    "1,000 nodes",
    "features that no node tests",
    "no category",
    "70 categories",
    "unknown category",
    "truth values as cells",
    "1,000 classes",
)

Predict = Callable[[Tree, Any, Any], Sequence[object]]


def by_sklearn(tree: Tree, source: Any, rows: Any) -> Sequence[object]:
    import numpy

    with numpy.errstate(all="ignore"):
        return source.predict(rows)  # type: ignore[no-any-return]


def by_histogram(tree: Tree, source: Any, rows: Any) -> Sequence[object]:
    import numpy
    from sklearn._loss.loss import HalfBinomialLoss, HalfMultinomialLoss
    from sklearn.ensemble._hist_gradient_boosting.binning import _BinMapper

    # What training leaves besides: the loss, and the codes that it saw; columns with categories come first.
    known = [len(v.values) for v in tree.features if v.kind == "category"]
    numbers = len(tree.features) - len(known)
    scores = source.n_trees_per_iteration_
    source._loss = HalfBinomialLoss() if scores == 1 else HalfMultinomialLoss(n_classes=scores)
    source._bin_mapper = _BinMapper()
    source._bin_mapper.is_categorical_ = numpy.array([1] * len(known) + [0] * numbers, dtype=numpy.uint8)
    source._bin_mapper.bin_thresholds_ = [numpy.arange(float(count)) for count in known] + [numpy.array([])] * numbers
    if known:
        cells = [
            [
                cell if v.kind != "category" else Histogram().cell(v, cell)
                for v, cell in zip(tree.features, row, strict=True)
            ]
            for row in rows
        ]
        rows = numpy.array(cells, dtype=object)
    return by_sklearn(tree, source, rows)


def by_skops(tree: Tree, source: Any, rows: Any) -> Sequence[object]:
    skops = pytest.importorskip("skops.io", reason="the environment has no skops")
    return by_sklearn(tree, skops.loads(source, trusted=["sklearn.tree._tree.Tree"]), rows)


def by_onnx(tree: Tree, source: Any, rows: Any) -> Sequence[object]:
    runtime = pytest.importorskip("onnxruntime", reason="the environment has no onnxruntime")
    import numpy

    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    with numpy.errstate(over="ignore"):
        return runtime.InferenceSession(source, options).run(["label"], {"X": rows.astype("float32")})[0].tolist()  # type: ignore[no-any-return]


def by_orange(tree: Tree, source: Any, rows: Any) -> Sequence[object]:
    import Orange.data

    table = Orange.data.Table.from_numpy(Orange.data.Domain(source.domain.attributes), rows)
    return [source.domain.class_var.values[int(k)] for k in source(table)]


def by_xgboost(tree: Tree, source: Any, rows: Any) -> Sequence[object]:
    xgboost = pytest.importorskip("xgboost", reason="the environment has no xgboost")
    booster = xgboost.Booster(model_file=bytearray(source))
    kinds = ["c" if feature.kind == "category" else "float" for feature in tree.features]
    matrix = xgboost.DMatrix(
        rows, feature_names=[f.name for f in tree.features], feature_types=kinds, enable_categorical=True
    )
    return [str(int(p > 0.5)) for p in booster.predict(matrix)]


def by_lightgbm(tree: Tree, source: Any, rows: Any) -> Sequence[object]:
    lightgbm = pytest.importorskip("lightgbm", reason="the environment has no lightgbm")
    import numpy

    text = source.decode()
    probability = lightgbm.Booster(model_str=text).predict(rows)
    return [str(k) for k in numpy.argmax(numpy.vstack((1.0 - probability, probability)).T, axis=1)]


LIBRARIES: list[tuple[Reader, Predict]] = [
    (SklearnObject(), by_sklearn),
    (Skops(), by_skops),
    (Onnx(), by_onnx),
    (SklearnForest(), by_sklearn),
    (SkopsForest(), by_skops),
    (OnnxForest(), by_onnx),
    (AdaBoost(), by_sklearn),
    (GradientBoosting(), by_sklearn),
    (Histogram(), by_histogram),
    (Orange(), by_orange),
    (XgboostJson(), by_xgboost),
    (XgboostUbjson(), by_xgboost),
    (XgboostMany(), by_xgboost),
    (LightgbmText(), by_lightgbm),
    (LightgbmMany(), by_lightgbm),
]


def asked() -> list[Any]:
    return [
        pytest.param(reader, predict, case, id=f"{reader.name}: {case.name}")
        for reader, predict in LIBRARIES
        for case in CASES
        if case.name in NUMERICAL and case.name not in reader.cannot and case.name not in reader.refused
    ]


def rows_of(reader: Reader, points: Sequence[Sequence[Cell]]) -> Any:
    import numpy

    return numpy.array([[float(cell) for cell in point] for point in points])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("reader", "predict", "case"), asked())
def test_the_library_predicts_what_the_plain_evaluation_says(reader: Reader, predict: Predict, case: Case) -> None:
    assert case.questions is not None
    for number, (tree, points) in enumerate(case.questions(reader)):
        if case.name.startswith("depth") and number % 6:
            continue
        expected = [tree.labels[label_at(tree, point, partial(reader.goes_left, tree))] for point in points]
        found = predict(tree, reader.make(tree), rows_of(reader, points))
        wrong = [(p, a, b) for p, a, b in zip(points, found, expected, strict=True) if str(a) != str(b)]
        assert not wrong, (tree, wrong[:3])
