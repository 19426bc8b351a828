"""XGBoost models of one tree: the class of ``XGBClassifier.predict``, and what is refused."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kappa_agreement import Table, assert_infinities_are_no_values, assert_same, random_data, table

from xpgcheck import read_model
from xpgcheck.errors import FormatError, InputError
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Float32
from xpgcheck.readers.xgboost_model import parse_xgboost, read_xgboost

xgboost = pytest.importorskip("xgboost", reason="the environment has no xgboost")

OBJECTIVES = ("binary:logistic", "binary:hinge", "binary:logitraw")
CATEGORIES = [-1.0, -0.5, 0.5, 1.5, 3.0, 3.999, 11.0, 12.0, 13.0, 31.0, 32.0, 1000.0, 16777215.0, 16777216.0, 3e9, 1e30]


def fitted(seed: int, depth: int = 4, objective: str = OBJECTIVES[0], categorical: bool = False, **more: Any) -> Any:
    data, labels = random_data(seed, features=5)
    if categorical:
        # In XGBoost a category is told from its code; five distinct codes at least, so that sets come up.
        more = {"enable_categorical": True, "feature_types": ["q", "q", "c", "q", "q"], "max_cat_to_onehot": 3, **more}
    settings = {"n_estimators": 1, "max_depth": depth, "objective": objective, "min_child_weight": 0, **more}
    return xgboost.XGBClassifier(**settings).fit(data, labels)


def stored(model: Any, folder: Path, kind: str = "json") -> Path:
    path = folder / f"model.{kind}"
    model.save_model(path)
    return path


def read(path: Path) -> DecisionGraph:
    graph = read_model(path)
    assert isinstance(graph, DecisionGraph)
    return graph


@pytest.mark.parametrize("depth", range(1, 13))
@pytest.mark.parametrize("kind", ["json", "ubj"])
def test_the_same_class_at_every_depth(depth: int, kind: str, tmp_path: Path) -> None:
    model = fitted(depth, depth)
    graph = read(stored(model, tmp_path, kind))
    rows = table(graph, 600, depth)
    assert_same(graph, rows, model.predict(rows))
    assert graph.features[0].domain == Float32(missing=True)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("base", [None, 0.2, 0.5, 0.9])
def test_the_same_class_for_every_objective_and_base_score(objective: str, base: float | None, tmp_path: Path) -> None:
    for seed in range(3):
        model = fitted(seed, 5, objective, base_score=base, learning_rate=[0.3, 1.0, 3.0][seed])
        graph = read(stored(model, tmp_path))
        rows = table(graph, 400, seed)
        assert_same(graph, rows, model.predict(rows))


@pytest.mark.parametrize("onehot", [1, 100])
def test_categories(onehot: int, tmp_path: Path) -> None:
    """Codes are cut to integers; negative ones, unseen ones and those from 2^24 on all go left."""
    for seed in range(4):
        model = fitted(seed, 4, categorical=True, max_cat_to_onehot=onehot)
        graph = read(stored(model, tmp_path, "ubj"))
        rows = table(graph, 600, seed, [[], [], [*CATEGORIES, *map(float, range(12))], [], []])
        assert_same(graph, rows, predict_raw(model, rows))
        assert any(literal.feature == 2 for literal in graph.literals)


def predict_raw(model: Any, rows: Table) -> list[int]:
    """Return the classes as ``predict`` computes them, from a matrix whose codes are not checked first."""
    matrix = xgboost.DMatrix(rows, feature_types=["q", "q", "c", "q", "q"], enable_categorical=True)
    return [int(p > 0.5) for p in model.get_booster().predict(matrix)]


def test_a_leaf_at_the_border_of_the_sigmoid(tmp_path: Path) -> None:
    """The float32 sigmoid of a tiny positive margin is exactly one half, and that is class 0."""
    model = fitted(0, 1, base_score=0.5)
    path = stored(model, tmp_path)
    text = json.loads(path.read_text())
    tree = text["learner"]["gradient_booster"]["model"]["trees"][0]
    border = np.float32(1.5 * 2**-24)
    rows = np.zeros((1, 5))
    for weight in [0.0, -0.0, 1e-9, border, *(np.nextafter(border, np.float32(s)) for s in (0, 1)), 1e-7, -1e-7]:
        tree["split_conditions"] = [
            float(weight) if child == -1 else old
            for child, old in zip(tree["left_children"], tree["split_conditions"], strict=True)
        ]
        path.write_text(json.dumps(text))
        booster = xgboost.Booster(model_file=path)
        graph = read(path)
        assert_same(graph, rows, [int(p > 0.5) for p in booster.predict(xgboost.DMatrix(rows))])


def test_infinities(tmp_path: Path) -> None:
    """XGBoost refuses them in a matrix, so the domain is the finite numbers."""
    model = fitted(0)
    assert_infinities_are_no_values(read(stored(model, tmp_path)))
    with pytest.raises(xgboost.core.XGBoostError, match="inf"):
        xgboost.DMatrix(np.array([[np.inf] * 5]))


def test_without_missing_values(tmp_path: Path) -> None:
    model = fitted(3)
    graph = read_xgboost(stored(model, tmp_path), missing=False)
    assert graph.features[0].domain == Float32()
    assert graph == read_model(tmp_path / "model.json", missing=False)
    rows = table(graph, 300, 3)
    assert_same(graph, rows, model.predict(rows))


def test_names_come_from_the_model(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="the environment has no pandas")
    data, labels = random_data(0)
    frame = pandas.DataFrame(data, columns=["age", "größe", "a b", "d"])
    model = xgboost.XGBClassifier(n_estimators=1, max_depth=2).fit(frame, labels)
    graph = read_xgboost(stored(model, tmp_path))
    assert [feature.name for feature in graph.features] == ["age", "größe", "a b", "d"]
    assert graph.name == "model"
    assert graph.classes == ("0", "1")


def test_a_tree_of_dart(tmp_path: Path) -> None:
    for seed in range(3):
        model = fitted(seed, 4, booster="dart", base_score=[0.5, 0.3, None][seed])
        graph = read(stored(model, tmp_path, "ubj"))
        rows = table(graph, 300, seed)
        assert_same(graph, rows, model.predict(rows))


@pytest.mark.slow
def test_hundreds_of_thousands_of_points(tmp_path: Path) -> None:
    points: Counter[str] = Counter()
    for depth in range(1, 13):
        for categorical in (False, True):
            model = fitted(100 + depth, depth, OBJECTIVES[depth % 3], categorical)
            kind = "ubj" if depth % 2 else "json"
            graph = read(stored(model, tmp_path, kind))
            more: list[Any] = [[], [], [*CATEGORIES, *map(float, range(12))], [], []]
            rows = table(graph, 10_000, depth, more)
            expected = predict_raw(model, rows) if categorical else model.predict(rows)
            points[kind] += assert_same(graph, rows, expected)
    assert min(points.values()) >= 100_000


class TestRefused:
    """One line with the remedy, for models that are not a single decision tree of a classifier."""

    @pytest.mark.parametrize(
        ("make", "problem"),
        [
            (lambda: fitted(0, n_estimators=3), "this is an ensemble of 3 trees"),
            (lambda: fitted(0, booster="gblinear"), "the booster is 'gblinear'"),
            (lambda: fitted(0, num_parallel_tree=2), "this is an ensemble of 2 trees"),
            (lambda: three_classes(), "this is an ensemble of 3 trees"),
            (lambda: three_classes(multi_strategy="multi_output_tree", tree_method="hist"), "the leaves are vectors"),
            (lambda: xgboost.XGBRegressor(n_estimators=1).fit(*random_data(0)), "the objective 'reg:squarederror'"),
        ],
    )
    @pytest.mark.parametrize("kind", ["json", "ubj"])
    @pytest.mark.filterwarnings("ignore")
    def test_models_of_another_kind(self, make: Callable[[], Any], problem: str, kind: str, tmp_path: Path) -> None:
        path = stored(make(), tmp_path, kind)
        with pytest.raises(InputError) as caught:
            read_model(path)
        assert problem in str(caught.value)
        assert caught.value.mend
        assert caught.value.place.startswith(str(path))

    @pytest.mark.parametrize("kind", ["json", "ubj"])
    def test_a_file_cut_off_anywhere(self, kind: str, tmp_path: Path) -> None:
        data = stored(fitted(0, 2), tmp_path, kind).read_bytes()
        for length in range(1, len(data), max(1, len(data) // 150)):
            with pytest.raises(FormatError):
                parse_xgboost(data[:length], "cut")

    def test_a_margin_that_the_machine_decides(self, tmp_path: Path) -> None:
        path = stored(fitted(0, 1, base_score=0.2), tmp_path)
        text = json.loads(path.read_text())
        tree = text["learner"]["gradient_booster"]["model"]["trees"][0]
        tree["split_conditions"][1] = float(np.float32(np.log(np.float32(4))))
        path.write_text(json.dumps(text))
        with pytest.raises(InputError, match="the machine decides"):
            read_model(path)


def three_classes(**more: Any) -> Any:
    data, labels = random_data(0)
    return xgboost.XGBClassifier(n_estimators=1, **more).fit(data, np.arange(len(labels)) % 3)
