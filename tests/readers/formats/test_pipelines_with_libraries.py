"""Pipelines that skops stores, and pipelines that end in models of XGBoost and LightGBM."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sklearn")

from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

# The cases are those of the benchmark, which is in the checkout alone.
sys.path.append(str(Path(__file__).parents[3]))

from benchmarks.pipeline_cases import cases, differences, fitted_table, points_of
from xpgcheck.errors import InputError
from xpgcheck.readers import read_classifier
from xpgcheck.readers.sklearn_tree import from_sklearn

TABLE, CLASSES = fitted_table(1)
CASES = cases()


@pytest.mark.parametrize("name", CASES)
def test_a_file_gives_the_model_of_the_object(name: str, tmp_path: Path) -> None:
    skops = pytest.importorskip("skops.io", reason="the environment has no skops")
    pipeline = CASES[name]().fit(TABLE, CLASSES)
    skops.dump(pipeline, tmp_path / "pipeline.skops")
    assert read_classifier(tmp_path / "pipeline.skops") == from_sklearn(pipeline)


def booster(kind: str) -> Any:
    if kind == "xgboost":
        library = pytest.importorskip("xgboost", reason="the environment has no xgboost")
        return library.XGBClassifier(n_estimators=5, max_depth=3)
    library = pytest.importorskip("lightgbm", reason="the environment has no lightgbm")
    return library.LGBMClassifier(n_estimators=5, verbose=-1, min_child_samples=5)


def pipeline_of(model: Any, sparse: bool) -> Any:
    steps = [
        ("texts", OneHotEncoder(handle_unknown="ignore", sparse_output=sparse), [4, 7]),
        ("codes", OrdinalEncoder(), [5, 6]),
        ("numbers", StandardScaler(), [0, 1, 2, 3]),
    ]
    classes = (CLASSES == "good").astype(int)
    return make_pipeline(ColumnTransformer(steps, sparse_threshold=float(sparse)), model).fit(TABLE, classes)


@pytest.mark.filterwarnings("ignore:.*feature names:UserWarning")
@pytest.mark.parametrize(("kind", "sparse"), [("xgboost", False), ("lightgbm", False), ("lightgbm", True)])
def test_boosted_trees_of_other_libraries(kind: str, sparse: bool) -> None:
    pipeline = pipeline_of(booster(kind), sparse)
    model = from_sklearn(pipeline)
    assert [feature.domain.missing for feature in model.features[:4]] == [True] * 4
    labels = [str(label) for label in pipeline.predict(TABLE)]
    assert len(set(labels)) == 2
    points = points_of(model, 3_000, 2)
    texts = type("Texts", (), {"predict": lambda self, rows: [str(label) for label in pipeline.predict(rows)]})()
    assert differences(model, texts, points) == 0


def test_xgboost_takes_the_zeros_of_a_sparse_matrix_for_missing_values() -> None:
    pipeline = pipeline_of(booster("xgboost"), sparse=True)
    with pytest.raises(InputError, match="step 'xgbclassifier': the steps before it give a sparse matrix, whose zeros"):
        from_sklearn(pipeline)
