"""Make the models in ``stored/`` and what their own libraries say of some thousand points each.

Run it where the libraries are installed: ``python make_stored.py [KIND …]``; without arguments it makes all kinds.
XGBoost's file has its version in its name, so that an older XGBoost adds a file.  ``expected.json`` keeps of each model
(a name without its extension) the candidate values of each feature as hexadecimal floats, and the class of each row as
one digit; the rows are drawn from the candidates by :func:`stored_rows.rows`.  ``test_stored_models.py`` reads the models
without those libraries.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from stored_rows import COUNT, rows

HERE = Path(__file__).parent / "stored"
NAN = float("nan")


def training_data(missing: bool) -> tuple[Any, Any]:
    rng = np.random.default_rng(7)
    data = np.column_stack(
        [np.round(rng.normal(size=500), 1), rng.normal(size=500), rng.integers(0, 9, 500), rng.exponential(size=500)]
    )
    data[rng.random(500) < 0.3, 3] = 0.0
    labels = (data[:, 0] > 0) ^ (data[:, 1] > 0.5) ^ np.isin(data[:, 2], (1, 4, 5)) ^ (data[:, 3] > 1)
    if missing:
        data[rng.random(data.shape) < 0.08] = NAN
    return data, labels.astype(int)


def candidates(thresholds: Iterable[tuple[int, float]], missing: bool) -> list[list[float]]:
    """Return values of each feature: thresholds, their float32 and float64 neighbours, zeros and other special numbers."""
    found: list[list[float]] = [
        [0.0, -0.0, 1e-35, -1e-36, 1e-45, 1e30, -1e30, -0.5, 0.5, 1.5, 4.0, 8.0, 99.0] for _ in range(4)
    ]
    for feature, threshold in thresholds:
        if abs(threshold) > 1e30 or threshold != threshold:
            continue
        single = np.float32(threshold)
        up, down = (np.nextafter(single, np.float32(s)) for s in (np.inf, -np.inf))
        middle = (float(up) + float(single)) / 2
        nearby = [float(np.nextafter(threshold, s)) for s in (np.inf, -np.inf)]
        found[feature] += [threshold, float(single), float(up), float(down), middle, *nearby]
    return [[*dict.fromkeys(values), *([NAN] if missing else [])] for values in found]


def xgboost() -> None:
    import xgboost as library

    data, labels = training_data(True)
    types = ["q", "q", "c", "q"]
    model = library.XGBClassifier(
        n_estimators=1,
        max_depth=4,
        base_score=0.4,
        feature_types=types,
        enable_categorical=True,
        max_cat_to_onehot=2,
        tree_method="hist",
    ).fit(data, labels)
    matrix_of = lambda x: library.DMatrix(x, feature_types=types, enable_categorical=True)  # noqa: E731
    for kind in ("json", "ubj"):
        path = HERE / f"xgboost-{library.__version__}.{kind}"
        model.save_model(path)
        text = HERE / "thresholds.json"
        model.save_model(text)
        tree = json.loads(text.read_text())["learner"]["gradient_booster"]["model"]["trees"][0]
        text.unlink()
        pairs = zip(tree["left_children"], tree["split_indices"], tree["split_conditions"], strict=True)
        values = candidates(((f, t) for child, f, t in pairs if child != -1), True)
        keep(path, values, lambda x: [int(p > 0.5) for p in model.get_booster().predict(matrix_of(x))])


def lightgbm() -> None:
    import lightgbm as library

    data, labels = training_data(True)
    settings = {
        "objective": "binary",
        "num_leaves": 16,
        "verbose": -1,
        "min_data_in_leaf": 5,
        "num_threads": 1,
        "cat_smooth": 0,
        "max_cat_to_onehot": 1,
    }
    for missing, more in (("nan", {}), ("none", {"use_missing": False}), ("zero", {"zero_as_missing": True})):
        dataset = library.Dataset(data, labels, categorical_feature=[2])
        model = library.train({**settings, **more}, dataset, num_boost_round=1)
        text = model.model_to_string().split("\nparameters:")[0]
        lines = dict(line.partition("=")[::2] for line in text.splitlines())
        pairs = zip(map(int, lines["split_feature"].split()), map(float, lines["threshold"].split()), strict=True)
        values = candidates(((f, t) for f, t in pairs if f != 2), True)
        classes = lambda x, m=model: np.argmax(np.vstack((1 - m.predict(x), m.predict(x))).T, axis=1)  # noqa: E731
        path = HERE / f"lightgbm-{missing}.txt"
        path.write_text(text)
        keep(path, values, classes)
        path = HERE / f"lightgbm-{missing}.json"
        path.write_text(json.dumps(model.dump_model()))
        keep(path, values, classes)


def skops() -> None:
    import skops.io
    from sklearn.tree import DecisionTreeClassifier

    data, labels = training_data(False)
    model = DecisionTreeClassifier(max_depth=5, random_state=0).fit(data, labels)
    path = HERE / "scikit-learn.skops"
    path.write_bytes(skops.io.dumps(model, compression=8))
    values = candidates(zip(model.tree_.feature.tolist(), model.tree_.threshold.tolist(), strict=True), False)
    keep(path, values, model.predict)


def onnx() -> None:
    import onnxruntime
    from skl2onnx import to_onnx
    from sklearn.tree import DecisionTreeClassifier

    data, labels = training_data(False)
    for count in (2, 3):
        targets = labels if count == 2 else labels + (data[:, 0] > 1)
        model = DecisionTreeClassifier(max_depth=5, random_state=0).fit(data, targets)
        path = HERE / f"onnx-{count}-classes.onnx"
        path.write_bytes(to_onnx(model, data[:1].astype(np.float32)).SerializeToString())
        session = onnxruntime.InferenceSession(path)
        values = candidates(zip(model.tree_.feature.tolist(), model.tree_.threshold.tolist(), strict=True), False)
        keep(path, values, lambda x, s=session: s.run(None, {"X": x.astype(np.float32)})[0])


def pipelines() -> None:
    """Make two whole pipelines, and rows of their table with the classes that they predict: borders first."""
    import skops.io

    sys.path.append(str(Path(__file__).parents[3]))
    from benchmarks.pipeline_cases import cases, fitted_table, points_of, row_of
    from xpgcheck.readers.sklearn_tree import from_sklearn

    folder = HERE.parent / "stored_pipelines"
    folder.mkdir(exist_ok=True)
    table, labels = fitted_table(1)
    for name, case in (("encoded", "SimpleImputer, most_frequent of texts"), ("forest", "forest of everything")):
        pipeline = cases()[case]().fit(table, labels)
        (folder / f"{name}.skops").write_bytes(skops.io.dumps(pipeline, compression=8))
        model = from_sklearn(pipeline)
        found = [row_of(model, point) for point in points_of(model, 500, 4)]
        array = np.empty((len(found), table.shape[1]), dtype=object)
        array[:] = found
        document = {"rows": found, "classes": pipeline.predict(array).tolist()}
        (folder / f"{name}.json").write_text(json.dumps(document) + "\n")


def keep(path: Path, values: list[list[float]], classes: Callable[[Any], Any]) -> None:
    expected_path = HERE / "expected.json"
    expected = json.loads(expected_path.read_text()) if expected_path.exists() else {}
    said = classes(np.array(list(rows(values, COUNT))))
    expected[path.stem] = {
        "values": [[v.hex() for v in column] for column in values],
        "classes": "".join(str(int(k)) for k in said),
    }
    lines = [f"{json.dumps(stem)}: {json.dumps(expected[stem])}" for stem in sorted(expected)]
    expected_path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    makers = {"xgboost": xgboost, "lightgbm": lightgbm, "skops": skops, "onnx": onnx, "pipelines": pipelines}
    for kind in sys.argv[1:] or makers:
        makers[kind]()
