"""XGBoost models of many trees: the class of ``XGBClassifier.predict``, the sums of its margins, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kappa_agreement import Table, assert_same, random_data, refusal, table
from sum_agreement import CLOSE, Agreement, assert_sums

from xpgcheck.errors import ModelNotice
from xpgcheck.model.combination import Sum
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.readers import read_classifier

xgboost = pytest.importorskip("xgboost", reason="the environment has no xgboost")

KINDS: dict[str, dict[str, Any]] = {
    "logistic": {"objective": "binary:logistic"},
    "hinge": {"objective": "binary:hinge"},
    "logitraw": {"objective": "binary:logitraw"},
    "softmax": {"objective": "multi:softmax"},
    "softprob": {"objective": "multi:softprob"},
    "parallel": {"objective": "multi:softprob", "num_parallel_tree": 3, "subsample": 0.5, "n_estimators": 2},
    "dart": {"objective": "binary:logistic", "booster": "dart", "rate_drop": 0.5},
    "dart of several classes": {"objective": "multi:softmax", "booster": "dart", "rate_drop": 0.5},
}
BASES = (None, 0.5, 0.2)
CODES = [-1.0, 0.5, 3.0, 3.999, 11.0, 12.0, 16777216.0, *map(float, range(12))]


def fitted(seed: int, kind: str, **more: Any) -> Any:
    data, labels = random_data(seed, features=5)
    if KINDS[kind]["objective"].startswith("multi"):
        labels = labels + (np.nan_to_num(data[:, 3]) > 0.5)
    settings = {"n_estimators": 6, "max_depth": 3, "min_child_weight": 0, "random_state": seed, **KINDS[kind], **more}
    return xgboost.XGBClassifier(**settings).fit(data, labels)


def stored(model: Any, folder: Path, kind: str = "json") -> Path:
    path = folder / f"model.{kind}"
    model.save_model(path)
    return path


def read(path: Path, **options: Any) -> Ensemble:
    found = read_classifier(path, **options)
    assert isinstance(found, Ensemble)
    return found


def near_ties(path: Path, seed: int) -> Any:
    """Give the leaves of the model at *path* weights whose sums are near each other; return the model in the library."""
    document = json.loads(path.read_text())
    booster = document["learner"]["gradient_booster"]
    chance = np.random.default_rng(seed)
    for tree in booster.get("gbtree", booster)["model"]["trees"]:
        tree["split_conditions"] = [
            float(np.float32(chance.choice(CLOSE))) if child == -1 else old
            for child, old in zip(tree["left_children"], tree["split_conditions"], strict=True)
        ]
    if "weight_drop" in booster:
        booster["weight_drop"] = [float(chance.choice([0.5, 1.0])) for _ in booster["weight_drop"]]
    path.write_text(json.dumps(document))
    model = xgboost.XGBClassifier()
    model.load_model(path)
    return model


def agreement(model: Any, ensemble: Ensemble, rows: Table) -> Agreement:
    base = float(ensemble.rule.base[0])  # type: ignore[union-attr]
    objective = model.get_booster().save_config()
    exact = base == 0 or "binary:logistic" not in objective
    return assert_sums(ensemble, rows, model.predict(rows, output_margin=True), model.predict(rows), exact)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("base", BASES)
def test_the_same_sums_and_classes(kind: str, base: float | None, tmp_path: Path) -> None:
    model = fitted(1, kind, base_score=base)
    ensemble = read(stored(model, tmp_path))
    assert ensemble == read(stored(model, tmp_path, "ubj"))
    agreement(model, ensemble, table(ensemble, 300, 1))


@pytest.mark.parametrize("kind", KINDS)
def test_near_ties(kind: str, tmp_path: Path) -> None:
    path = stored(fitted(2, kind, base_score=0.0 if kind == "hinge" else 0.5), tmp_path)
    model = near_ties(path, 2)
    ensemble = read(path)
    found = agreement(model, ensemble, table(ensemble, 400, 2))
    assert found.unsettled > 0


@pytest.mark.parametrize("kind", ["logistic", "softprob"])
def test_codes_of_categories(kind: str, tmp_path: Path) -> None:
    more = {"enable_categorical": True, "feature_types": ["q", "q", "c", "q", "q"], "max_cat_to_onehot": 3}
    model = fitted(3, kind, base_score=0.5, **more)
    ensemble = read(stored(model, tmp_path, "ubj"))
    rows = table(ensemble, 400, 3, [[], [], CODES, [], []])
    matrix = xgboost.DMatrix(rows, feature_types=more["feature_types"], enable_categorical=True)
    margins = model.get_booster().predict(matrix, output_margin=True)
    found = model.get_booster().predict(matrix)
    labels = found.argmax(axis=1) if kind == "softprob" else (found > 0.5).astype(int)
    assert_sums(ensemble, rows, margins, labels)
    assert any(literal.feature == 2 for tree in ensemble.trees for literal in tree.literals)


@pytest.mark.parametrize("classes", [2, 3, 20])
def test_probabilities_of_scores_further_apart_than_the_doubt_differ(classes: int, tmp_path: Path) -> None:
    """The float32 softmax makes nearer ones equal, and the first of them wins."""
    labels = np.arange(2 * classes) % classes
    settings = {"objective": "multi:softprob", "num_class": classes, "base_score": 0.0, "max_depth": 1}
    model = xgboost.train(settings, xgboost.DMatrix(np.zeros((len(labels), 1)), labels), 1)
    rule = read(stored(model, tmp_path)).rule
    assert isinstance(rule, Sum)
    chance = np.random.default_rng(classes)
    margins = chance.normal(size=(20_000, classes)).astype(np.float32)
    margins[:, 0] = margins.max(axis=1) + chance.random(len(margins), np.float32)
    margins[:, -1] = margins[:, 0] + (2.0 ** chance.uniform(-27, -18, len(margins))).astype(np.float32)
    matrix = xgboost.DMatrix(np.zeros((len(margins), 1)))
    matrix.set_base_margin(margins)
    sums = model.predict(matrix, output_margin=True).astype(np.float64)
    other = model.predict(matrix).argmax(axis=1) != sums.argmax(axis=1)
    assert 0 < (sums[other, -1] - sums[other, 0]).max() < float(rule.doubt)


def test_no_missing_values(tmp_path: Path) -> None:
    model = fitted(4, "softprob")
    ensemble = read(stored(model, tmp_path), missing=False)
    agreement(model, ensemble, table(ensemble, 200, 4))


def test_early_stopping(tmp_path: Path) -> None:
    """``predict`` takes the rounds up to the best one, and so does κ: where it is the first of two classes, one tree."""
    data, labels = random_data(5, features=5)
    noise = np.random.default_rng(5).integers(0, 2, len(labels))
    counts = []
    for target in (labels, labels + (np.nan_to_num(data[:, 3]) > 0.5), noise):
        model = xgboost.XGBClassifier(n_estimators=60, max_depth=4, early_stopping_rounds=2, learning_rate=0.3)
        model.fit(data[:300], target[:300], eval_set=[(data[300:], target[300:])], verbose=False)
        with pytest.warns(ModelNotice, match="training stopped early"):
            found = read_classifier(stored(model, tmp_path))
        assert not isinstance(found, LabelledGraph)
        rows = table(found, 200, 5)
        trees = 3 if target.max() == 2 else 1
        counts.append((model.best_iteration + 1) * trees)
        assert counts[-1] < model.get_booster().num_boosted_rounds() * trees
        if isinstance(found, Ensemble):
            assert len(found.trees) == counts[-1]
            assert_sums(found, rows, model.predict(rows, output_margin=True), model.predict(rows), trees > 1)
        else:
            assert counts[-1] == 1
            assert_same(found, rows, model.predict(rows))
    assert min(counts) == 1
    assert max(counts) > 3


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_hundred_thousand_points(kind: str, tmp_path: Path) -> None:
    found = []
    for seed in range(10):
        base = 0.0 if kind == "hinge" else 0.5
        path = stored(fitted(100 + seed, kind, base_score=BASES[seed % 3] if seed % 2 else base), tmp_path)
        model = xgboost.XGBClassifier()
        model.load_model(path)
        if not seed % 2:
            model = near_ties(path, seed)
        ensemble = read(path)
        found.append(agreement(model, ensemble, table(ensemble, 10_000, seed)))
    assert sum(each.points for each in found) >= 100_000
    assert sum(each.unsettled for each in found) > 1000


class TestRefused:
    """One line with the remedy, for models that are not a classifier with one output, and for damage."""

    @pytest.mark.parametrize(
        ("make", "problem"),
        [
            (lambda: xgboost.XGBRegressor(n_estimators=3).fit(*random_data(0)), "the objective 'reg:squarederror'"),
            (lambda: xgboost.XGBRanker(n_estimators=3).fit(*random_data(0), group=[200, 200]), "the objective 'rank:"),
            (lambda: fitted(0, "logistic", booster="gblinear"), "the booster is 'gblinear'"),
            (lambda: fitted(0, "softprob", multi_strategy="multi_output_tree"), "the leaves are vectors"),
            (lambda: of_two_outputs(), "there are 2 outputs"),
        ],
    )
    @pytest.mark.filterwarnings("ignore")
    def test_models_of_another_kind(self, make: Callable[[], Any], problem: str, tmp_path: Path) -> None:
        line = refusal(lambda: read_classifier(stored(make(), tmp_path)))
        assert problem in line
        assert ";" in line

    @pytest.mark.parametrize("kind", ["json", "ubj"])
    def test_a_file_cut_off_anywhere(self, kind: str, tmp_path: Path) -> None:
        path = stored(fitted(0, "softprob", max_depth=2), tmp_path, kind)
        data = path.read_bytes()
        for length in range(1, len(data), max(1, len(data) // 100)):
            path.write_bytes(data[:length])
            assert refusal(partial(read_classifier, path))


def of_two_outputs() -> Any:
    data, labels = random_data(0)
    return xgboost.XGBClassifier(n_estimators=2).fit(data, np.column_stack([labels, 1 - labels]))
