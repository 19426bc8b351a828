"""LightGBM and XGBoost fitted to pandas tables with categories: κ is what ``predict`` says of the user's own cells."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pytest

from xpgcheck import Explanations, explain
from xpgcheck.errors import InputError
from xpgcheck.explanations.inputs import instance_of
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.readers.instances import parse_instances
from xpgcheck.readers.lightgbm_model import parse_lightgbm
from xpgcheck.readers.xgboost_model import parse_xgboost

pandas = pytest.importorskip("pandas", reason="the environment has no pandas")

LIGHTGBM = {
    "n_estimators": 1,
    "min_child_samples": 1,
    "verbose": -1,
    "cat_smooth": 0,
    "n_jobs": 1,
    "min_data_per_group": 1,
}
CATEGORIES = ("doors", "colour", "alarm", "size")


def table(seed: int, count: int = 300, *, bool_categories: bool = True) -> Any:
    """Return integer, text and Boolean categories with missing values, a Boolean and a number."""
    rng = np.random.default_rng(seed)
    frame = pandas.DataFrame(
        {
            "doors": pandas.Categorical(rng.choice([3, 4, 5, 6, 8], count)),
            "colour": pandas.Categorical(rng.choice(["blue", "green", "red"], count)),
            "alarm": pandas.Categorical(rng.choice([True, False], count)),
            "used": rng.choice([True, False], count),
            "w": rng.normal(size=count),
            "size": pandas.Categorical(rng.choice(["lo", "mid", "hi"], count), ["lo", "mid", "hi"]),
        }
    )
    for name in ("doors", "colour"):
        frame.loc[rng.random(count) < 0.1, name] = None
    return frame if bool_categories else frame.drop(columns="alarm")


def labels(frame: Any) -> Any:
    return (frame.doors.isin([3, 5, 8]) ^ (frame.colour == "red") ^ (frame["size"] == "mid") ^ frame.used).astype(int)


def assert_predicted(graph: DecisionGraph, frame: Any, predicted: Any) -> int:
    """Hold κ of each row of *frame*, from Python and from CSV, to the predictions."""
    expected = [str(label) for label in predicted]
    rows = [instance_of(graph.features, frame.iloc[k]) for k in range(len(frame))]
    assert [graph.classes[graph.kappa(row)] for row in rows] == expected
    written = frame.assign(used=frame.used.astype(int)).to_csv(index=False).encode()
    assert [graph.classes[graph.kappa(row)] for row in parse_instances(written, graph.features)] == expected
    return len(expected)


@pytest.mark.parametrize("more", [{}, {"zero_as_missing": True}, {"use_missing": False}])
@pytest.mark.parametrize("kind", ["txt", "json"])
def test_lightgbm(more: dict[str, Any], kind: str) -> None:
    lightgbm = pytest.importorskip("lightgbm", reason="the environment has no lightgbm")
    for seed in range(4):
        frame = table(seed)
        model = lightgbm.LGBMClassifier(**LIGHTGBM, **more).fit(frame, labels(frame))
        booster = model.booster_
        text = booster.model_to_string() if kind == "txt" else json.dumps(booster.dump_model())
        graph = parse_lightgbm(text.encode(), "cars")
        assert_predicted(graph, frame, model.predict(frame))
        rng = np.random.default_rng(seed)
        frame["doors"] = rng.choice([2, 3, 4, 5, 6, 7, 8, 9], len(frame))
        frame["colour"] = rng.choice(np.array(["blue", "red", "violet", "8", None], dtype=object), len(frame))
        frame["size"] = rng.choice(["lo", "hi", "huge"], len(frame))
        unseen = frame.astype(dict.fromkeys(CATEGORIES, "category"))
        assert_predicted(graph, unseen, model.predict(unseen))


@pytest.mark.parametrize("kind", ["txt", "json"])
def test_columns_named_by_categorical_feature(kind: str) -> None:
    """Then they are tested by categories, and those of the table as numbers: right, refused, or said."""
    lightgbm = pytest.importorskip("lightgbm", reason="the environment has no lightgbm")
    rng, refused, said = np.random.default_rng(0), 0, 0
    for seed in range(24):
        frame = table(seed)[["doors", "colour", "used", "w"]]
        frame["k"] = rng.integers(0, 2 + seed % 4, len(frame))
        frame = frame[list(rng.permutation(frame.columns)[: 2 + seed % 3])]
        named = [name for name in ("k", "used") if name in frame.columns]
        if not named or not {"doors", "colour"} & set(frame.columns):
            continue
        target = (rng.random(len(frame)) < 0.5).astype(int)
        model = lightgbm.LGBMClassifier(**LIGHTGBM).fit(frame, target, categorical_feature=named)
        booster = model.booster_
        text = booster.model_to_string() if kind == "txt" else json.dumps(booster.dump_model())
        with warnings.catch_warnings(record=True) as notices:
            warnings.simplefilter("always")
            try:
                graph = parse_lightgbm(text.encode(), "cars")
            except InputError:
                refused += 1
                continue
        if any("which columns have categories" in str(notice.message) for notice in notices):
            said += 1
            continue
        rows = [instance_of(graph.features, frame.iloc[k]) for k in range(len(frame))]
        assert [graph.classes[graph.kappa(row)] for row in rows] == [str(label) for label in model.predict(frame)]
    assert refused
    assert said


def test_ordered_categories_of_lightgbm() -> None:
    """Tested by their codes as numbers; where a column of numbers may be meant as well, the model is refused."""
    lightgbm = pytest.importorskip("lightgbm", reason="the environment has no lightgbm")
    frame = table(0)
    frame["size"] = frame["size"].cat.as_ordered()
    target = labels(frame)
    model = lightgbm.LGBMClassifier(**LIGHTGBM).fit(frame, target)
    with pytest.raises(ValueError, match="it cannot be told which columns the 4 lists"):
        parse_lightgbm(model.booster_.model_to_string().encode(), "cars")
    frame = frame.drop(columns="used")
    model = lightgbm.LGBMClassifier(**LIGHTGBM).fit(frame, target)
    graph = parse_lightgbm(model.booster_.model_to_string().encode(), "cars")
    rows = [instance_of(graph.features, frame.iloc[k]) for k in range(len(frame))]
    assert [graph.classes[graph.kappa(row)] for row in rows] == [str(k) for k in model.predict(frame)]


@pytest.mark.parametrize("kind", ["json", "ubj"])
@pytest.mark.parametrize("onehot", [1, 100])
def test_xgboost(kind: str, onehot: int) -> None:
    xgboost = pytest.importorskip("xgboost", minversion="3.1", reason="XGBoost keeps categories from 3.1 on")
    for seed in range(4):
        frame = table(seed, bool_categories=False)
        settings = {"n_estimators": 1, "max_depth": 6, "enable_categorical": True, "max_cat_to_onehot": onehot}
        model = xgboost.XGBClassifier(**settings).fit(frame, labels(frame))
        graph = parse_xgboost(bytes(model.get_booster().save_raw(kind)), "cars")
        assert_predicted(graph, frame, model.predict(frame))
        assert [feature.domain.missing for feature in graph.features if hasattr(feature.domain, "missing")] == [
            True
        ] * 2
        with pytest.raises(ValueError, match="'violet' is not a category"):
            instance_of(graph.features, {**frame.iloc[0].to_dict(), "colour": "violet"})
        # XGBoost refuses a category behind the last one, too; others it takes for the next larger one.
        unseen = frame.iloc[:1].assign(colour=pandas.Categorical(["violet"]))
        with pytest.raises(xgboost.core.XGBoostError, match="not in the training set"):
            model.predict(unseen)


def test_letters_beyond_ascii_in_xgboost() -> None:
    xgboost = pytest.importorskip("xgboost", minversion="3.1", reason="XGBoost keeps categories from 3.1 on")
    frame = table(0, bool_categories=False)
    frame["colour"] = frame.colour.cat.rename_categories({"blue": "blå"})
    model = xgboost.XGBClassifier(n_estimators=1, enable_categorical=True).fit(frame, labels(frame))
    with pytest.raises(ValueError, match="letters beyond ASCII, which XGBoost cuts off"):
        parse_xgboost(bytes(model.get_booster().save_raw("json")), "cars")


@pytest.mark.parametrize("library", ["lightgbm", "xgboost"])
def test_a_fitted_object_is_explained(library: str) -> None:
    module = pytest.importorskip(library, reason=f"the environment has no {library}")
    more = {"verbose": -1} if library == "lightgbm" else {}
    kind = module.LGBMClassifier if library == "lightgbm" else module.XGBClassifier
    frame = table(0)[["w"]]
    fitted = kind(n_estimators=1, **more).fit(frame, (frame.w > 0).astype(int))
    booster = fitted.booster_ if library == "lightgbm" else fitted.get_booster()
    for model in (fitted, booster):
        found = explain(model, frame.iloc[0])
        assert isinstance(found, Explanations)
        assert found.prediction == str(fitted.predict(frame.iloc[:1])[0])
