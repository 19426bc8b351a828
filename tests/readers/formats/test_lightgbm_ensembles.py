"""LightGBM models of many trees: the class of ``LGBMClassifier.predict``, the sums of raw scores, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kappa_agreement import Table, random_data, refusal, table
from sum_agreement import CLOSE, Agreement, assert_sums

from xpgcheck.model.ensemble import Ensemble
from xpgcheck.readers import read_classifier
from xpgcheck.readers.lightgbm_model import parse_lightgbm

lightgbm = pytest.importorskip("lightgbm", reason="the environment has no lightgbm")

FOREST = {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.6}
KINDS: dict[str, dict[str, Any]] = {
    "binary": {"objective": "binary"},
    "binary, σ = 3": {"objective": "binary", "sigmoid": 3.0, "boost_from_average": False},
    "binary forest": {"objective": "binary", **FOREST},
    "dart": {"objective": "binary", "boosting": "dart", "drop_rate": 0.5},
    "multiclass": {"objective": "multiclass", "num_class": 3},
    "multiclass forest": {"objective": "multiclass", "num_class": 3, **FOREST},
    "one against all": {"objective": "multiclassova", "num_class": 3, "sigmoid": 0.7},
}
MISSING: tuple[dict[str, Any], ...] = ({}, {"use_missing": False}, {"zero_as_missing": True})
ZERO = 1.0000000180025095e-35
TINY = [ZERO, -ZERO, float(np.nextafter(ZERO, 1)), float(np.nextafter(ZERO, 0)), 1e-300]
CODES = [-1.0, -0.5, 1.5, 3.999, 11.0, 12.0, 32.0, 1e30, *map(float, range(12))]
MORE = [TINY, TINY, CODES, TINY, TINY]


def fitted(seed: int, kind: str, categorical: bool = False, **more: Any) -> Any:
    data, labels = random_data(seed, features=5)
    data[np.random.default_rng(seed).random(len(data)) < 0.3, 3] = 0.0
    if "num_class" in KINDS[kind]:
        labels = labels + (np.nan_to_num(data[:, 4]) > 0.5)
    settings = {
        **{"max_depth": 3, "min_data_in_leaf": 1, "min_data_in_bin": 1, "verbose": -1, "num_threads": 1},
        **{"cat_smooth": 0, "min_data_per_group": 1, "seed": seed},
        **KINDS[kind],
        **more,
    }
    rounds = settings.pop("rounds", 6)
    dataset = lightgbm.Dataset(data, labels, categorical_feature=[2] if categorical else [])
    return lightgbm.train(settings, dataset, num_boost_round=rounds)


def text_of(model: Any) -> bytes:
    return bytes(model.model_to_string().encode())


def json_of(model: Any) -> bytes:
    return json.dumps(model.dump_model()).encode()


def parsed(data: bytes, **options: Any) -> Ensemble:
    found = parse_lightgbm(data, "model", **options)
    assert isinstance(found, Ensemble)
    return found


def near_ties(model: Any, seed: int) -> Any:
    """Return *model* with weights at its leaves whose sums are near each other."""
    chance = np.random.default_rng(seed)
    lines = []
    for line in model.model_to_string().split("\n"):
        if line.startswith("leaf_value="):
            line = "leaf_value=" + " ".join(repr(float(chance.choice(CLOSE))) for _ in line.split(" "))
        if not line.startswith("tree_sizes="):
            lines.append(line)
    return lightgbm.Booster(model_str="\n".join(lines))


def agreement(model: Any, ensemble: Ensemble, rows: Table) -> Agreement:
    found = model.predict(rows)
    # What LGBMClassifier.predict makes of it.
    probabilities = found if found.ndim > 1 else np.vstack((1.0 - found, found)).T
    return assert_sums(ensemble, rows, model.predict(rows, raw_score=True), np.argmax(probabilities, axis=1).tolist())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("missing", MISSING)
def test_the_same_sums_and_classes(kind: str, missing: dict[str, Any]) -> None:
    categorical = bool(missing)
    model = fitted(1, kind, categorical, **missing)
    ensemble = parsed(text_of(model))
    agreement(model, ensemble, table(ensemble, 300, 1, MORE))
    assert parsed(json_of(model)).outputs == ensemble.outputs
    agreement(model, parsed(json_of(model)), table(ensemble, 100, 2, MORE))


@pytest.mark.parametrize("kind", KINDS)
def test_near_ties(kind: str) -> None:
    unsettled = 0
    for seed in range(3):
        model = near_ties(fitted(seed, kind), seed)
        ensemble = parsed(text_of(model))
        unsettled += agreement(model, ensemble, table(ensemble, 150, seed, MORE)).unsettled
    assert unsettled > 0


def test_probabilities_that_round_to_one_leave_the_class_open() -> None:
    """The first of all classes whose probabilities are 1 wins: of scores over 37 not the largest."""
    lines = []
    for line in fitted(3, "one against all", sigmoid=1.0, rounds=1).model_to_string().split("\n"):
        if line.startswith("leaf_value="):
            line = "leaf_value=" + " ".join(str(40.0 + k) for k in range(len(line.split(" "))))
        if not line.startswith("tree_sizes="):
            lines.append(line)
    model = lightgbm.Booster(model_str="\n".join(lines))
    ensemble = parsed(text_of(model))
    rows = table(ensemble, 50, 3)
    assert (model.predict(rows) == 1.0).all()
    assert agreement(model, ensemble, rows).unsettled == 50


def test_the_scikit_learn_classifier(tmp_path: Path) -> None:
    data, labels = random_data(5, features=5)
    for target in (labels, labels + (np.nan_to_num(data[:, 4]) > 0.5)):
        model = lightgbm.LGBMClassifier(n_estimators=8, max_depth=3, verbose=-1, min_child_samples=1, n_jobs=1)
        model.fit(data, target)
        path = tmp_path / "model.txt"
        model.booster_.save_model(path)
        ensemble = read_classifier(path)
        assert isinstance(ensemble, Ensemble)
        rows = table(ensemble, 200, 5)
        assert_sums(ensemble, rows, model.predict(rows, raw_score=True), model.predict(rows).tolist())


def test_early_stopping_is_in_the_file() -> None:
    """``save_model`` and ``dump_model`` write the rounds up to the best one."""
    data, labels = random_data(6, features=5)
    settings = {"objective": "binary", "verbose": -1, "num_threads": 1, "learning_rate": 0.2}
    first = lightgbm.Dataset(data[:300], labels[:300])
    second = lightgbm.Dataset(data[300:], labels[300:], reference=first)
    stop = [lightgbm.early_stopping(2, verbose=False)]
    model = lightgbm.train(settings, first, 60, valid_sets=[second], callbacks=stop)
    assert 1 < model.best_iteration < 50
    for data_of in (text_of, json_of):
        ensemble = parsed(data_of(model))
        assert len(ensemble.trees) == model.best_iteration
        rows = table(ensemble, 100, 6)
        agreement(model, ensemble, rows)


def test_no_missing_values() -> None:
    model = fitted(4, "multiclass")
    ensemble = parsed(text_of(model), missing=False)
    agreement(model, ensemble, table(ensemble, 200, 4))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_hundred_thousand_points(kind: str, form: str) -> None:
    found = []
    for seed in range(10):
        model = fitted(100 + seed, kind, seed % 4 == 1, **MISSING[seed % 3])
        if not seed % 2:
            model = near_ties(model, seed)
        ensemble = parsed(text_of(model) if form == "text" else json_of(model))
        found.append(agreement(model, ensemble, table(ensemble, 10_000, seed, MORE)))
    assert sum(each.points for each in found) >= 100_000
    assert sum(each.unsettled for each in found) > 1000


class TestRefused:
    """One line with the remedy, for models that do not classify, and for damage."""

    @pytest.mark.parametrize(
        ("make", "problem"),
        [
            (lambda: fitted(0, "binary", objective="regression"), "the objective 'regression' is not read"),
            (lambda: fitted(0, "binary", objective="cross_entropy"), "the objective 'cross_entropy' is not read"),
            (lambda: linear(), "the leaves are linear models"),
        ],
    )
    @pytest.mark.parametrize("form", [text_of, json_of])
    def test_models_of_another_kind(self, make: Callable[[], Any], problem: str, form: Callable[[Any], bytes]) -> None:
        line = refusal(lambda: parse_lightgbm(form(make()), "model"))
        assert problem in line
        assert ";" in line

    @pytest.mark.parametrize("form", [text_of, json_of])
    def test_a_file_cut_off_anywhere(self, form: Callable[[Any], bytes]) -> None:
        data = form(fitted(0, "multiclass", True))
        end = data.index(b"end of trees") if form is text_of else len(data) - 1
        for length in range(0, end, max(1, len(data) // 100)):
            assert refusal(partial(parse_lightgbm, data[:length], "cut"))

    def test_a_tree_that_is_not_there(self) -> None:
        blocks = text_of(fitted(0, "multiclass")).split(b"\n\n")
        for number in (1, 4):
            data = b"\n\n".join(blocks[:number] + blocks[number + 1 :])
            assert "the header has the sizes of 18 trees, and there are 17" in refusal(
                partial(parse_lightgbm, data, "cut")
            )


def linear() -> Any:
    data, labels = random_data(0, missing=False)
    settings = {"objective": "binary", "linear_tree": True, "verbose": -1, "num_threads": 1}
    return lightgbm.train(settings, lightgbm.Dataset(data, labels, params={"linear_tree": True}), num_boost_round=3)
