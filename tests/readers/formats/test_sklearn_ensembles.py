"""Ensembles of scikit-learn: the class of ``predict``, the sums of ``decision_function``, and what is refused."""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from ensemble_agreement import Agreement, agree, ends, points_of, rows_for
from kappa_agreement import random_data

from xpgcheck import from_sklearn
from xpgcheck.errors import InputError, InstanceError
from xpgcheck.model.combination import Majority
from xpgcheck.model.domains import Categorical, Float32, Float64
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.readers.instances import read_point
from xpgcheck.readers.sklearn_ensemble import AVERAGED, BOOSTED, HISTOGRAM
from xpgcheck.readers.skops_tree import parse_skops

sklearn_version = pytest.importorskip("sklearn", reason="the environment has no scikit-learn").__version__
forests = pytest.importorskip("sklearn.ensemble", reason="the environment has no scikit-learn")
tree = pytest.importorskip("sklearn.tree", reason="the environment has no scikit-learn")
threadpoolctl = pytest.importorskip("threadpoolctl", reason="the environment has no scikit-learn")
skops = pytest.importorskip("skops.io", reason="the environment has no skops")


def fitted(kind: str, seed: int, classes: int = 2, missing: bool = False, rows: int = 300, **options: Any) -> Any:
    """Return an ensemble of *kind*, and the data it was fitted to."""
    data, labels = random_data(seed, rows, missing=missing)
    data[:, 1] = np.round(np.sign(data[:, 1]) * np.abs(data[:, 1]) ** 0.05, 1)
    if classes > 2:
        labels = labels + 2 * (np.nan_to_num(data[:, 3]) > 0.3) if classes == 4 else labels + (data[:, 2] > 6)
    names = np.array(["a", "b", "c", "d"])[labels]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(forests, kind)(random_state=seed, **options).fit(data, names), data


KINDS: dict[str, dict[str, Any]] = {
    "RandomForestClassifier": {"n_estimators": 12, "max_depth": 4},
    "ExtraTreesClassifier": {"n_estimators": 12, "max_depth": 4},
    "BaggingClassifier": {"n_estimators": 9, "max_features": 0.7, "bootstrap_features": True},
    "AdaBoostClassifier": {"n_estimators": 12},
    "GradientBoostingClassifier": {"n_estimators": 10, "max_depth": 2},
    "HistGradientBoostingClassifier": {"max_iter": 10, "max_depth": 3},
}


def held(model: Any, data: Any, count: int, seed: int, **options: Any) -> Agreement:
    """Hold the ensemble read of *model* to it at *count* rows."""
    ensemble = from_sklearn(model, **options)
    assert isinstance(ensemble, Ensemble)
    rows = rows_for(ensemble, count, seed, data)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return agree(ensemble, rows, model.predict(rows), *scores_of(model, rows))


def scores_of(model: Any, rows: Any) -> tuple[Any, ...]:
    """Return the library's scores at *rows*, and how exact sums come to them."""
    if not hasattr(model, "decision_function"):
        return (model.predict_proba(rows),)
    if not hasattr(model, "estimator_weights_"):
        return (model.decision_function(rows),)
    weights = Fraction(float(model.estimator_weights_.sum()))
    twice = 2 if len(model.classes_) == 2 else 1
    return model.decision_function(rows), lambda sums: [twice * total / weights for total in sums]


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Fit on one core: HistGradientBoosting waits for threads that others keep busy."""
    with threadpoolctl.threadpool_limits(1):
        yield


def both(model: Any, **options: Any) -> Ensemble:
    """Return the ensemble of *model*, which the object and its file give alike."""
    found = from_sklearn(model, **options)
    assert isinstance(found, Ensemble)
    assert parse_skops(skops.dumps(model), found.name, **options) == found
    return found


@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_class_and_the_same_sums(kind: str, classes: int) -> None:
    model, data = fitted(kind, classes, classes, **KINDS[kind])
    found = held(model, data, 600, classes)
    assert not found.otherwise


MORE: dict[str, tuple[str, dict[str, Any]]] = {
    "exponential loss": ("GradientBoostingClassifier", {"loss": "exponential", "n_estimators": 8}),
    "no prior": ("GradientBoostingClassifier", {"init": "zero", "n_estimators": 8}),
    "a part of the rows and columns": (
        "GradientBoostingClassifier",
        {"subsample": 0.5, "max_features": 2, "learning_rate": 0.7, "n_estimators": 6, "max_depth": 4},
    ),
    "deep trees that predict one class": (
        "AdaBoostClassifier",
        {"estimator": tree.DecisionTreeClassifier(max_depth=3)},
    ),
    "rare classes": ("BaggingClassifier", {"max_samples": 5, "n_estimators": 30}),
    "pure leaves, ties": ("RandomForestClassifier", {"n_estimators": 4}),
    "random splits": ("BaggingClassifier", {"estimator": tree.ExtraTreeClassifier(max_depth=3)}),
    "weights of classes": ("ExtraTreesClassifier", {"class_weight": "balanced", "n_estimators": 10, "max_depth": 3}),
    "a tree of one leaf": ("RandomForestClassifier", {"max_depth": 1, "min_samples_leaf": 200, "n_estimators": 3}),
    "two leaves": ("HistGradientBoostingClassifier", {"max_leaf_nodes": 2, "max_iter": 5}),
}


@pytest.mark.parametrize("case", MORE)
@pytest.mark.parametrize("classes", [2, 3])
def test_options(case: str, classes: int) -> None:
    kind, options = MORE[case]
    if classes == 3 and options.get("loss") == "exponential":
        pytest.skip("the exponential loss has two classes")
    model, data = fitted(kind, 7, classes, **options)
    both(model)
    assert not held(model, data, 500, 1).otherwise


@pytest.mark.parametrize("kind", [*AVERAGED, HISTOGRAM])
def test_missing_values(kind: str) -> None:
    model, data = fitted(kind, 3, 3, missing=True, **KINDS[kind])
    found = both(model)
    domain = Float64 if kind == HISTOGRAM else Float32
    assert found.features[0].domain == domain(missing=True)
    held(model, data, 600, 2)
    assert both(model, missing=False).features[0].domain == domain(missing=False)
    held(model, data, 300, 2, missing=False)


@pytest.mark.parametrize("kind", KINDS)
def test_missing_values_that_training_did_not_see(kind: str) -> None:
    model, _ = fitted(kind, 3, **KINDS[kind])
    assert both(model).features[0].domain == (Float64(missing=True) if kind == HISTOGRAM else Float32())
    if kind in BOOSTED:
        for read in (from_sklearn, lambda m, **o: parse_skops(skops.dumps(m), "tree", **o)):
            with pytest.raises(InputError, match="missing values"):
                read(model, missing=True)
    else:
        assert both(model, missing=True).features[0].domain == (Float64 if kind == HISTOGRAM else Float32)(missing=True)


@pytest.mark.parametrize("kind", AVERAGED)
def test_the_majority_is_a_choice(kind: str) -> None:
    model, data = fitted(kind, 5, 3, **KINDS[kind])
    found = both(model, combine="majority")
    assert found.rule == Majority()
    rows = rows_for(found, 400, 1, data)
    columns = getattr(model, "estimators_features_", [slice(None)] * len(model.estimators_))
    with np.errstate(all="ignore"):
        votes = [t.predict(rows[:, own]).astype(int) for t, own in zip(model.estimators_, columns, strict=True)]
    counts = np.stack([np.sum(np.array(votes) == k, axis=0) for k in range(3)], axis=1)
    agree(found, rows, model.classes_[counts.argmax(axis=1)])
    assert both(model, combine="average") == both(model)


def test_unsettled_points_follow_the_machine() -> None:
    # Leaves of thirds: averages that are equal as numbers and not in float64, and the other way round.
    data = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 3)
    labels = np.array([0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0])
    met = Agreement()
    for seed in range(25):
        model = forests.RandomForestClassifier(5, random_state=seed, max_depth=2).fit(data, labels)
        met += held(model, data, 100, seed)
    assert met.unsettled > 20
    assert not met.otherwise


class TestCategories:
    """Columns of categories of HistGradientBoosting."""

    @staticmethod
    def fitted(seed: int, classes: int = 2) -> tuple[Any, Any]:
        chance = np.random.default_rng(seed)
        data = np.column_stack([chance.normal(size=500), chance.integers(0, 7, 500), chance.normal(size=500)])
        data[chance.random(500) < 0.1, 1] = np.nan
        labels = (np.isin(data[:, 1], (1, 4, 5)) ^ (data[:, 0] > 0.3)).astype(int) + (classes > 2) * (data[:, 2] > 0.5)
        options = {"categorical_features": [1], "max_iter": 6, "max_leaf_nodes": 8}
        return forests.HistGradientBoostingClassifier(random_state=0, **options).fit(data, labels), data

    @pytest.mark.parametrize("classes", [2, 3])
    def test_the_same_class_and_the_same_sums(self, classes: int) -> None:
        model, data = self.fitted(classes, classes)
        found = both(model)
        domain = found.features[1].domain
        assert isinstance(domain, Categorical)
        assert domain.values == ("0", "1", "2", "3", "4", "5", "6", "missing")
        assert found.features[0].domain == found.features[2].domain == Float64(missing=True)
        chance = np.random.default_rng(0)
        rows = np.column_stack(
            [
                chance.choice([*ends(found, 0), *data[:20, 0]], 600),
                chance.choice([0, 1, 2, 3, 4, 5, 6, np.nan], 600),
                chance.choice([*ends(found, 2), *data[:20, 2]], 600),
            ]
        )
        agree(found, rows, model.predict(rows), model.decision_function(rows))
        # What is no category is missing, to predict and to a reader of instances.
        rows[:, 1] = 9
        expected = model.predict(rows)
        assert [found.classes[found.kappa(point)] for point in points_of(found, rows)] == list(map(str, expected))

    def test_names_of_categories(self) -> None:
        pandas = pytest.importorskip("pandas", reason="the environment has no pandas")
        frame = pandas.DataFrame(
            {"n": np.arange(60.0), "c": pandas.Categorical(["red", "blue", "green"] * 20), "m": np.arange(60) % 7}
        )
        labels = (frame["c"] == "blue") | (frame["n"] > 40)
        model = forests.HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=2).fit(frame, labels)
        found = both(model)
        assert [feature.name for feature in found.features] == ["n", "c", "m"]
        domain = found.features[1].domain
        assert isinstance(domain, Categorical)
        assert domain.values[:3] == ("blue", "green", "red")
        for row, label in zip(frame.itertuples(index=False), model.predict(frame), strict=True):
            assert found.classes[found.kappa(read_point(found.features, list(row)))] == str(label)

    def test_booleans_and_their_numbers_are_not_taken_for_unseen_categories(self) -> None:
        pandas = pytest.importorskip("pandas", reason="the environment has no pandas")
        booleans = np.arange(60) % 2 == 0
        frame = pandas.DataFrame({"n": np.arange(60.0) % 7, "c": pandas.Categorical(booleans)})
        model = forests.HistGradientBoostingClassifier(max_iter=2, min_samples_leaf=2).fit(frame, booleans)
        # scikit-learn casts them to numbers, so that the model does not say that they were Booleans.
        found = both(model)
        expected = list(map(str, model.predict(frame)))
        points = [read_point(found.features, [row.n, int(row.c)]) for row in frame.itertuples()]
        assert [found.classes[found.kappa(point)] for point in points] == expected
        assert read_point(found.features, [0, 2]) == read_point(found.features, [0, None]) == (0, "missing")
        for cell, number in ((True, 1), (False, 0), ("True", 1), ("false", 0)):
            with pytest.raises(InstanceError, match=f"may be category '{number}'"):
                read_point(found.features, [0, cell])

    def test_numbers_are_not_taken_for_unseen_booleans(self) -> None:
        data = np.array([[number % 7, number % 2 == 0] for number in range(60)], dtype=object)
        options = {"categorical_features": [1], "max_iter": 2, "min_samples_leaf": 2}
        model = forests.HistGradientBoostingClassifier(**options).fit(data, [number % 2 for number in range(60)])
        found = both(model)
        assert read_point(found.features, [0, True]) == read_point(found.features, [0, "true"]) == (0, "True")
        for cell, name in ((1, "True"), (0.0, "False"), ("1", "True")):
            with pytest.raises(InstanceError, match=f"may be category '{name}'"):
                read_point(found.features, [0, cell])

    def test_dates_are_refused(self) -> None:
        pandas = pytest.importorskip("pandas", reason="the environment has no pandas")
        days = pandas.Categorical([*pandas.date_range("2020", periods=3)] * 20)
        frame = pandas.DataFrame({"n": np.arange(60.0), "c": days})
        model = forests.HistGradientBoostingClassifier(max_iter=2).fit(frame, days.codes == 1)
        for read in (from_sklearn, lambda m: parse_skops(skops.dumps(m), "tree")):
            with pytest.raises(InputError, match="dates or times") as caught:
                read(model)
            assert "train again" in caught.value.mend


def damaged(kind: str, change: Callable[[Any], object], **options: Any) -> Any:
    model, _ = fitted(kind, 2, **{**KINDS[kind], **options})
    change(model)
    return model


def with_weights(value: float) -> Callable[[Any], None]:
    def change(model: Any) -> None:
        model.estimators_[1].tree_.value[:] = value

    return change


class Own(forests.RandomForestClassifier):  # type: ignore[misc]
    def predict(self, X: Any) -> Any:  # noqa: N803
        return super().predict(X)[::-1]


def two_outputs() -> Any:
    data, labels = random_data(0, missing=False)
    return forests.RandomForestClassifier(2, max_depth=2).fit(data, np.column_stack([labels, 1 - labels]))


REFUSED: dict[str, tuple[Callable[[], Any], str, str, str]] = {
    "unfitted": (lambda: forests.RandomForestClassifier(), "", "is not fitted", "'fit'"),
    "unfitted histograms": (lambda: forests.HistGradientBoostingClassifier(), "", "is not fitted", "'fit'"),
    "regressor": (
        lambda: forests.RandomForestRegressor(2).fit(*random_data(0, missing=False)),
        "",
        "predicts numbers",
        "DecisionTreeClassifier",
    ),
    "several outputs": (two_outputs, "", "has 2 outputs", "per output"),
    "own predict": (lambda: Own(2).fit(*random_data(0, missing=False)), "", "has its own 'predict'", "plain"),
    "no trees": (lambda: damaged("RandomForestClassifier", lambda m: m.estimators_.clear()), "", "no trees", "train"),
    "10^6 trees": (
        lambda: damaged("RandomForestClassifier", lambda m: setattr(m, "estimators_", m.estimators_[:1] * 1_000_000)),
        "",
        "there are 1,000,000 trees",
        "at most 10,000",
    ),
    "NaN": (
        lambda: damaged("ExtraTreesClassifier", with_weights(float("nan"))),
        "tree 1",
        "no finite number",
        "train again",
    ),
    "infinite": (
        lambda: damaged("RandomForestClassifier", with_weights(float("inf"))),
        "tree 1",
        "no finite number",
        "train again",
    ),
    "overflow": (
        lambda: damaged(
            "GradientBoostingClassifier",
            lambda m: [m.estimators_[1, 0].tree_.value.fill(1e300), setattr(m, "learning_rate", 1e100)],
        ),
        "tree 1",
        "a leaf weighs 'inf'",
        "train again",
    ),
    "overflowing sum": (
        lambda: damaged(
            "GradientBoostingClassifier",
            lambda m: [
                m.estimators_[k, 0].tree_.value.fill(1.7e308) or setattr(m, "learning_rate", 1.0) for k in (0, 1)
            ],
        ),
        "",
        "its sums may exceed what binary64 holds",
        "scale",
    ),
    "other features": (
        lambda: damaged("RandomForestClassifier", lambda m: m.estimators_.__setitem__(1, small_tree())),
        "tree 1",
        "it has 1 features, the ensemble 4",
        "again",
    ),
    "other classes": (
        lambda: damaged("AdaBoostClassifier", lambda m: m.estimators_.__setitem__(1, small_tree(4))),
        "tree 1",
        "its classes are not those of the ensemble",
        "again",
    ),
    "no tree": (
        lambda: damaged("BaggingClassifier", lambda m: None, estimator=forests.RandomForestClassifier(2, max_depth=2)),
        "tree 0",
        "it is a 'RandomForestClassifier', and no DecisionTreeClassifier",
        "of trees alone",
    ),
    "another start": (
        lambda: damaged(
            "GradientBoostingClassifier", lambda m: None, init=forests.RandomForestClassifier(2, max_depth=2)
        ),
        "init",
        "begin with what a 'RandomForestClassifier' predicts",
        "init=None",
    ),
    "SAMME.R": (
        lambda: damaged("AdaBoostClassifier", lambda m: setattr(m, "algorithm", "SAMME.R")),
        "algorithm",
        "the algorithm 'SAMME.R' is not read",
        "SAMME'",
    ),
    "deviance": (
        lambda: damaged("GradientBoostingClassifier", lambda m: setattr(m, "loss", "deviance")),
        "loss",
        "the loss 'deviance' is not read",
        "log_loss",
    ),
    "weights of trees": (
        lambda: damaged("AdaBoostClassifier", lambda m: m.estimator_weights_.fill(0)),
        "estimator_weights_",
        "is not positive",
        "fit it again",
    ),
}


def small_tree(features: int = 1) -> Any:
    return tree.DecisionTreeClassifier().fit([[0.0] * features, [1.0] * features], [0, 1])


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_read_is_one_line(case: str) -> None:
    make, place, problem, mend = REFUSED[case]
    with pytest.raises(InputError) as caught:
        from_sklearn(make())
    assert caught.value.place == place
    assert problem in caught.value.problem
    assert mend in caught.value.mend
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_read_from_a_file_is_one_line(case: str) -> None:
    make, _, problem, mend = REFUSED[case]
    if case == "10^6 trees":
        pytest.skip("skops takes minutes to write it")
    if case in ("own predict", "unfitted histograms"):
        pytest.skip("skops does not store it")
    with pytest.raises(InputError) as caught:
        parse_skops(skops.dumps(make()), "file")
    assert problem in caught.value.problem
    assert mend in caught.value.mend
    assert str(caught.value).isprintable()


def test_leaves_that_count_samples_are_not_averaged() -> None:
    model, _ = fitted("RandomForestClassifier", 2, **KINDS["RandomForestClassifier"])
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(skops.dumps(model))) as old, zipfile.ZipFile(stream, "w") as new:
        for member in old.namelist():
            own = f'"\\"{sklearn_version}\\""'.encode()
            new.writestr(member, old.read(member).replace(own, b'"\\"1.2.2\\""'))
    with pytest.raises(InputError, match=r"older than 1\.3"):
        parse_skops(stream.getvalue(), "old")
    assert parse_skops(stream.getvalue(), "old", combine="majority").rule == Majority()  # type: ignore[union-attr]


@pytest.mark.parametrize("combine", ["average", "majority", "median"])
@pytest.mark.parametrize("kind", [*BOOSTED, HISTOGRAM, "DecisionTreeClassifier"])
def test_a_choice_that_is_none(kind: str, combine: str) -> None:
    data, labels = random_data(0, missing=False)
    model = small_tree() if kind not in KINDS else getattr(forests, kind)().fit(data[:40], labels[:40])
    with pytest.raises(InputError) as caught:
        from_sklearn(model, combine=combine)
    assert caught.value.place == "combine"


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_hundred_thousand_points(kind: str) -> None:
    met = Agreement()
    for seed in range(8):
        missing = kind not in BOOSTED and seed % 2 == 1
        model, data = fitted(kind, 20 + seed, 2 + seed % 3, missing, **KINDS[kind])
        both(model)
        met += held(model, data, 12_500, seed)
    assert met.points >= 100_000
    # Emulated, the machine's own sums decide as it does near ties, too.
    assert not met.otherwise
