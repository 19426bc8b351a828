"""Fitted objects of XGBoost and LightGBM are the models that their files are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from kappa_agreement import random_data, refusal
from sum_agreement import points_of

from xpgcheck.errors import ModelNotice
from xpgcheck.explanations.inputs import classifier_of
from xpgcheck.model.domains import Float32
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.readers.lightgbm_model import parse_lightgbm
from xpgcheck.readers.xgboost_model import parse_xgboost


def classifier(library: str, labels: Any, **more: Any) -> Any:
    module = pytest.importorskip(library, reason=f"the environment has no {library}")
    kind = module.XGBClassifier if library == "xgboost" else module.LGBMClassifier
    settings = (
        {"n_estimators": 4, "max_depth": 3, "n_jobs": 1} | ({"verbose": -1} if library == "lightgbm" else {}) | more
    )
    return kind(**settings).fit(random_data(1)[0], labels)


def test_an_object_of_xgboost() -> None:
    model = classifier("xgboost", random_data(1)[1])
    found = classifier_of(model)
    assert found == parse_xgboost(bytes(model.get_booster().save_raw("ubj")), "model")
    assert found == classifier_of(model.get_booster())
    assert isinstance(found, Ensemble)
    without = classifier_of(model, missing=False)
    assert isinstance(without, Ensemble)
    assert without.features[0].domain == Float32()


def test_an_object_of_lightgbm_and_its_labels() -> None:
    data, labels = random_data(1)
    model = classifier("lightgbm", np.array(["no", "yes"])[labels])
    found = classifier_of(model)
    assert isinstance(found, Ensemble)
    assert found.classes == ("no", "yes")
    rows = data[:50]
    assert [found.classes[found.kappa(point)] for point in points_of(found, rows)] == model.predict(rows).tolist()
    assert classifier_of(model.booster_) == parse_lightgbm(model.booster_.model_to_string().encode(), "model")


def test_another_mark_for_missing_values() -> None:
    model = classifier("xgboost", random_data(1)[1], missing=-999.0)
    with pytest.warns(ModelNotice, match=r"its mark for missing values is -999\.0: in instances they are NaN"):
        classifier_of(model)


@pytest.mark.parametrize("library", ["xgboost", "lightgbm"])
def test_what_is_refused(library: str) -> None:
    module = pytest.importorskip(library, reason=f"the environment has no {library}")
    unfitted = (module.XGBClassifier if library == "xgboost" else module.LGBMClassifier)()
    reads: list[tuple[Callable[[], object], str]] = [
        (lambda: classifier_of(unfitted), "cannot be stored"),
        (lambda: classifier_of(classifier(library, random_data(1)[1]), combine="average"), "leave 'combine' out"),
    ]
    for read, problem in reads:
        assert problem in refusal(read)
