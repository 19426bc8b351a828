"""Ensembles of scikit-learn: the class of ``predict``, the sums of ``decision_function``, and what is refused."""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from ensemble_agreement import Agreement, agree, rows_for
from kappa_agreement import random_data

from xpgcheck import from_sklearn
from xpgcheck.model.ensemble import Ensemble

forests = pytest.importorskip("sklearn.ensemble", reason="the environment has no scikit-learn")
tree = pytest.importorskip("sklearn.tree", reason="the environment has no scikit-learn")


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


@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_class_and_the_same_sums(kind: str, classes: int) -> None:
    model, data = fitted(kind, classes, classes, **KINDS[kind])
    found = held(model, data, 600, classes)
    assert not found.otherwise
