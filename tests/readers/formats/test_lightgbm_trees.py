"""LightGBM models of one tree: the class of ``LGBMClassifier.predict``, and what is refused."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kappa_agreement import Table, assert_infinities_are_no_values, assert_same, kappa, random_data, table

from xpgcheck import read_model
from xpgcheck.errors import FormatError, InputError
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Float64
from xpgcheck.readers.lightgbm_model import parse_lightgbm, read_lightgbm

lightgbm = pytest.importorskip("lightgbm", reason="the environment has no lightgbm")

CATEGORIES = [
    -2.0,
    -1.0,
    -0.999,
    -0.5,
    0.5,
    1.5,
    3.0,
    3.999,
    11.0,
    12.0,
    31.0,
    32.0,
    1e6,
    2.0**31,
    2.0**32 + 1,
    1e30,
    -1e30,
]
ZERO = 1.0000000180025095e-35
TINY = [ZERO, -ZERO, float(np.nextafter(ZERO, 1)), float(np.nextafter(ZERO, 0)), -float(np.nextafter(ZERO, 1)), 1e-300]
MISSING = ({}, {"use_missing": False}, {"zero_as_missing": True})


def fitted(seed: int, depth: int = 4, categorical: bool = False, **more: Any) -> Any:
    data, labels = random_data(seed, features=5)
    data[np.random.default_rng(seed).random(len(data)) < 0.3, 3] = 0.0
    settings = {
        "objective": "binary",
        "max_depth": depth,
        "num_leaves": 2**depth,
        "min_data_in_leaf": 1,
        "min_sum_hessian_in_leaf": 0,
        "min_data_in_bin": 1,
        "verbose": -1,
        "num_threads": 1,
        "cat_smooth": 0,
        "min_data_per_group": 1,
        **more,
    }
    rounds = settings.pop("rounds", 1)
    target = settings.pop("target", labels)
    group = settings.pop("group", None)
    dataset = lightgbm.Dataset(data, target, group=group, categorical_feature=[2] if categorical else [])
    return lightgbm.train(settings, dataset, num_boost_round=rounds)


def stored(model: Any, folder: Path, kind: str = "txt") -> Path:
    path = folder / f"model.{kind}"
    path.write_text(model.model_to_string() if kind == "txt" else json.dumps(model.dump_model()))
    return path


def read(path: Path) -> DecisionGraph:
    graph = read_model(path)
    assert isinstance(graph, DecisionGraph)
    return graph


def classes(model: Any, rows: Table) -> list[int]:
    """Return what ``LGBMClassifier.predict`` makes of the probability: the first of the largest of 1 − p and p."""
    probability = model.predict(rows)
    return np.argmax(np.vstack((1.0 - probability, probability)).T, axis=1).tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize("depth", range(1, 13))
@pytest.mark.parametrize("kind", ["txt", "json"])
def test_the_same_class_at_every_depth(depth: int, kind: str, tmp_path: Path) -> None:
    model = fitted(depth, depth)
    graph = read(stored(model, tmp_path, kind))
    rows = table(graph, 600, depth, [TINY] * 5)
    assert_same(graph, rows, classes(model, rows))
    assert graph.features[0].domain == Float64(missing=True)


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("kind", ["txt", "json"])
def test_every_missing_type(missing: dict[str, Any], kind: str, tmp_path: Path) -> None:
    """Zeros and what is as good as zero go with the missing values where they are missing values."""
    for seed in range(5):
        model = fitted(seed, 5, seed % 2 == 1, **missing)
        graph = read(stored(model, tmp_path, kind))
        rows = table(graph, 600, seed, [TINY] * 5)
        assert_same(graph, rows, classes(model, rows))


@pytest.mark.parametrize("onehot", [1, 100])
@pytest.mark.parametrize("kind", ["txt", "json"])
def test_categories(onehot: int, kind: str, tmp_path: Path) -> None:
    """Codes are cut towards zero; negative and unseen ones go right."""
    for seed in range(4):
        model = fitted(seed, 4, True, max_cat_to_onehot=onehot)
        graph = read(stored(model, tmp_path, kind))
        rows = table(graph, 600, seed, [TINY, TINY, [*CATEGORIES, *map(float, range(12))], TINY, TINY])
        assert_same(graph, rows, classes(model, rows))
        assert any(literal.feature == 2 for literal in graph.literals)


@pytest.mark.parametrize("threshold", [0.0, -0.0, 1e-36, -1e-36, ZERO, -ZERO, -2e-35, 2e-35, 5e-324, 1e300, -1e300])
@pytest.mark.parametrize("missing_type", range(3))
@pytest.mark.parametrize("default_left", [0, 2])
def test_thresholds_around_zero(threshold: float, missing_type: int, default_left: int, tmp_path: Path) -> None:
    text = fitted(0, 1).model_to_string().splitlines()
    lines = {"threshold": repr(threshold), "decision_type": str(4 * missing_type + default_left), "split_feature": "0"}
    text = [f"{key}={lines[key]}" if (key := line.partition("=")[0]) in lines else line for line in text]
    path = tmp_path / "model.txt"
    path.write_text("\n".join(line for line in text if not line.startswith("tree_sizes=")))
    model = lightgbm.Booster(model_file=path)
    graph = read(path)
    rows = table(graph, 120, 0, [[*TINY, 0.5, -0.5, 1e-37, -1e-37]] + [[]] * 4)
    assert_same(graph, rows, classes(model, rows))


def test_float32_data_is_widened(tmp_path: Path) -> None:
    model = fitted(1, 6)
    graph = read(stored(model, tmp_path))
    rows = table(graph, 500, 1).astype(np.float32)
    assert_same(graph, rows.astype(np.float64), classes(model, rows))


def test_the_sigmoid_decides(tmp_path: Path) -> None:
    """A tiny positive score has the probability 1/2 and is class 0; σ scales it."""
    text = fitted(0, 1).model_to_string()
    for score in (0.0, 1e-17, 1.2e-16, 2.3e-16, 5e-16, -1e-17, 800.0, -800.0):
        for sigmoid in ("1", "0.5", "3"):
            lines = [f"leaf_value={score!r} -1" if x.startswith("leaf_value=") else x for x in text.splitlines()]
            changed = "\n".join(x for x in lines if not x.startswith("tree_sizes=")).replace(
                "sigmoid:1", f"sigmoid:{sigmoid}"
            )
            path = tmp_path / "model.txt"
            path.write_text(changed)
            model = lightgbm.Booster(model_file=path)
            graph = read(path)
            rows = table(graph, 20, 0)
            assert_same(graph, rows, classes(model, rows))


def test_infinities(tmp_path: Path) -> None:
    """LightGBM takes them and treats them as the largest numbers; no learned threshold is beyond 1e300."""
    model = fitted(2, 8)
    graph = read(stored(model, tmp_path))
    assert_infinities_are_no_values(graph)
    rows = table(graph, 500, 2)
    largest = np.finfo(np.float64).max
    rows[::2, 0], rows[1::3, 1], rows[::5, 3] = largest, -largest, largest
    infinite = np.where(np.abs(rows) == largest, np.copysign(np.inf, rows), rows)
    assert kappa(graph, rows) == [str(k) for k in classes(model, infinite)]


def test_the_classifier_and_a_pandas_column(tmp_path: Path) -> None:
    """The codes of a pandas category are the model's categories; an unseen one is the missing value."""
    pandas = pytest.importorskip("pandas", reason="the environment has no pandas")
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame(
        {"colour": pandas.Categorical(rng.choice(["blue", "green", "red"], 300)), "x": rng.normal(size=300)}
    )
    labels = ((frame["colour"] == "green") ^ (frame["x"] > 0)).astype(int)
    model = lightgbm.LGBMClassifier(n_estimators=1, max_depth=3, verbose=-1, min_child_samples=1).fit(frame, labels)
    path = tmp_path / "model.txt"
    model.booster_.save_model(path)
    graph = read(path)
    assert [feature.name for feature in graph.features] == ["colour", "x"]
    codes = np.column_stack([frame["colour"].cat.codes.astype(float), frame["x"]])
    assert_same(graph, codes, model.predict(frame))


def test_without_missing_values(tmp_path: Path) -> None:
    model = fitted(3)
    graph = read_lightgbm(stored(model, tmp_path), missing=False)
    assert graph.features[0].domain == Float64()
    rows = table(graph, 300, 3)
    assert_same(graph, rows, classes(model, rows))


def test_a_constant_tree(tmp_path: Path) -> None:
    model = fitted(0, 1, min_data_in_leaf=1000)
    for kind in ("txt", "json"):
        graph = read(stored(model, tmp_path, kind))
        assert graph.node_count == 1
        rows = table(graph, 5, 0)
        assert_same(graph, rows, classes(model, rows))


@pytest.mark.slow
def test_hundreds_of_thousands_of_points(tmp_path: Path) -> None:
    points: Counter[str] = Counter()
    for depth in range(1, 13):
        for categorical in (False, True):
            model = fitted(100 + depth, depth, categorical, **MISSING[depth % 3])
            kind = "txt" if depth % 2 else "json"
            graph = read(stored(model, tmp_path, kind))
            rows = table(graph, 10_000, depth, [TINY, TINY, [*CATEGORIES, *map(float, range(12))], TINY, TINY])
            points[kind] += assert_same(graph, rows, classes(model, rows))
    assert min(points.values()) >= 100_000


class TestRefused:
    """One line with the remedy, for models that are not a single decision tree of a classifier."""

    @pytest.mark.parametrize(
        ("make", "problem"),
        [
            (lambda: fitted(0, rounds=3), "this is an ensemble of 3 trees"),
            (lambda: fitted(0, objective="multiclass", num_class=3, target=np.arange(400) % 3), "of 3 trees"),
            (lambda: fitted(0, objective="lambdarank", group=[200, 200]), "the objective 'lambdarank' is not read"),
            (lambda: fitted(0, objective="regression"), "the objective 'regression' is not read"),
            (lambda: fitted(0, objective="cross_entropy"), "the objective 'cross_entropy' is not read"),
            (lambda: linear(), "the leaves are linear models"),
        ],
    )
    @pytest.mark.parametrize("kind", ["txt", "json"])
    def test_models_of_another_kind(self, make: Callable[[], Any], problem: str, kind: str, tmp_path: Path) -> None:
        path = stored(make(), tmp_path, kind)
        with pytest.raises(InputError) as caught:
            read_model(path)
        assert problem in str(caught.value)
        assert caught.value.mend
        assert caught.value.place.startswith(str(path))

    @pytest.mark.parametrize("kind", ["txt", "json"])
    def test_a_file_cut_off_anywhere(self, kind: str, tmp_path: Path) -> None:
        path = stored(fitted(0, 3, True), tmp_path, kind)
        data = path.read_bytes()
        end = data.index(b"end of trees") if kind == "txt" else len(data) - 1
        for length in range(0, end, max(1, len(data) // 200)):
            with pytest.raises(FormatError):
                parse_lightgbm(data[:length], "cut")


def linear() -> Any:
    data, labels = random_data(0, missing=False)
    settings = {"objective": "binary", "linear_tree": True, "verbose": -1, "num_threads": 1}
    return lightgbm.train(settings, lightgbm.Dataset(data, labels, params={"linear_tree": True}), num_boost_round=1)
