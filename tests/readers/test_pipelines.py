"""Pipelines over the columns of their table: κ is ``pipeline.predict``, and what cannot be mapped is refused by its step."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    QuantileTransformer,
    StandardScaler,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

# The cases are those of the benchmark, which is in the checkout alone.
sys.path.append(str(Path(__file__).parents[2]))

from benchmarks.pipeline_cases import cases, differences, fitted_table, points_of
from xpgcheck.errors import InputError, InstanceError
from xpgcheck.explanations.api import explain
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Categorical, Float64
from xpgcheck.readers.instances import read_point
from xpgcheck.readers.original_columns import ANY
from xpgcheck.readers.sklearn_tree import from_sklearn

CASES = cases()
TABLE, CLASSES = fitted_table(1)


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    pipeline = CASES[request.param]().fit(TABLE, CLASSES)
    return pipeline, from_sklearn(pipeline)


def test_kappa_is_what_the_pipeline_predicts(case: Any) -> None:
    """Every category and every end of an interval with its neighbours, at random rows of the table."""
    pipeline, model = case
    places = sum(len(own) for own in model.cells)
    assert differences(model, pipeline, points_of(model, 4 * places, 3)) == 0


def test_rows_of_the_table(case: Any) -> None:
    pipeline, model = case
    for row, label in zip(TABLE[:100], pipeline.predict(TABLE[:100]), strict=True):
        assert model.classes[model.kappa(read_point(model.features, row))] == label


def test_both_assumptions_hold(case: Any) -> None:
    _, model = case
    for graph in [model] if isinstance(model, DecisionGraph) else model.trees:
        check_assumptions(graph)
        assert graph.is_tree()


def numbers(*parts: Any) -> Any:
    return make_pipeline(*parts, DecisionTreeClassifier(max_depth=3, random_state=0))


def in_columns(name: str, part: Any, columns: list[int], **options: Any) -> Any:
    return numbers(ColumnTransformer([(name, part, columns)], **options))


X = TABLE[:, :3].astype(float)


class TestRefused:
    @pytest.mark.parametrize(
        ("part", "words"),
        [
            (
                PCA(2),
                "step 'own': a PCA is not a transformer whose columns are functions of one column each; use OneHot",
            ),
            (PolynomialFeatures(), "step 'own': a PolynomialFeatures is not"),
            (QuantileTransformer(n_quantiles=10), "step 'own': a QuantileTransformer is not"),
            (SelectKBest(k=1), "step 'own': a SelectKBest is not"),
            (FunctionTransformer(np.abs), "step 'own': a FunctionTransformer with a function of its own"),
            (make_pipeline(StandardScaler(), PCA(1)), "step 'own': step 'pca': a PCA is not"),
            (make_pipeline(StandardScaler(), OneHotEncoder(handle_unknown="ignore")), "categories of scaled numbers"),
            (make_pipeline(OneHotEncoder(dtype=np.float32), StandardScaler(with_mean=False)), "calculates in float32"),
            (OrdinalEncoder(dtype=np.float16), "its dtype is float16; leave it at float64"),
            (KBinsDiscretizer(3, dtype=np.float32, strategy="uniform"), "it casts numbers to float32"),
            (
                make_pipeline(StandardScaler(), SimpleImputer(missing_values=0.0)),
                "stands for a missing one after a scaler",
            ),
        ],
    )
    def test_a_step_that_cannot_be_mapped(self, part: Any, words: str) -> None:
        pipeline = in_columns("own", part, [0, 2]).fit(X, CLASSES)
        with pytest.raises(InputError) as caught:
            from_sklearn(pipeline)
        line = str(caught.value)
        assert line.startswith("step 'columntransformer': step 'own': ")
        assert words in line
        assert "\n" not in line
        assert caught.value.mend

    def test_a_subclass_with_a_transform_of_its_own(self) -> None:
        class Doubling(StandardScaler):  # type: ignore[misc]
            def transform(self, X: Any, copy: Any = None) -> Any:  # noqa: N803
                return 2 * super().transform(X, copy)

        with pytest.raises(InputError, match="step 'doubling': a Doubling is not a transformer"):
            from_sklearn(numbers(Doubling()).fit(X, CLASSES))

    def test_what_is_not_fitted(self) -> None:
        with pytest.raises(InputError, match="this Pipeline is not fitted; call its 'fit' first"):
            from_sklearn(numbers(StandardScaler()))
        pipeline = numbers(StandardScaler()).fit(X, CLASSES)
        pipeline.steps.insert(0, ("late", OneHotEncoder()))
        with pytest.raises(InputError, match="step 'late': this OneHotEncoder is not fitted"):
            from_sklearn(pipeline)
        pipeline = Pipeline([("scale", StandardScaler().fit(X)), ("tree", DecisionTreeClassifier())])
        with pytest.raises(InputError, match="step 'tree': this DecisionTreeClassifier is not fitted"):
            from_sklearn(pipeline)

    def test_parts_that_were_fitted_to_other_columns(self) -> None:
        pipeline = Pipeline(
            [("scale", StandardScaler().fit(X)), ("tree", DecisionTreeClassifier().fit(X[:, :2], CLASSES))]
        )
        with pytest.raises(InputError, match="step 'tree': it was fitted to 2 columns, and the steps before it give 3"):
            from_sklearn(pipeline)

    def test_a_last_step_that_is_none_of_ours(self) -> None:
        with pytest.raises(InputError, match=r"step 'decisiontreeregressor': .* it predicts numbers"):
            from_sklearn(make_pipeline(StandardScaler(), DecisionTreeRegressor()).fit(X, X[:, 0]))
        with pytest.raises(InputError, match="step 'end': the last step predicts nothing"):
            from_sklearn(Pipeline([("scale", StandardScaler()), ("end", "passthrough")]).fit(X, CLASSES))

    def test_a_bin_that_training_did_not_see(self) -> None:
        binned = make_pipeline(KBinsDiscretizer(5, encode="ordinal", strategy="uniform"), OneHotEncoder())
        with pytest.raises(InputError, match="training saw no row in bin 2"):
            from_sklearn(in_columns("own", binned, [1]).fit(X, CLASSES))

    def test_attributes_that_transform_does_not_follow(self) -> None:
        """Replayed at every threshold, a pipeline whose transform is another one is refused."""
        pipeline = numbers(StandardScaler()).fit(X, CLASSES)
        scaler = pipeline.steps[0][1]
        scaler.transform = lambda table: np.asarray(table) * 0.5
        with pytest.raises(InputError, match=r"column 'feature_0': the pipeline makes .* and its attributes say"):
            from_sklearn(pipeline)


def test_domains_are_what_the_pipeline_takes() -> None:
    pipeline = Pipeline(
        [
            (
                "columns",
                ColumnTransformer(
                    [
                        ("texts", OneHotEncoder(handle_unknown="ignore"), [4]),
                        ("filled", make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder()), [7]),
                        ("numbers", SimpleImputer(), [3]),
                        ("scaled", StandardScaler(), slice(0, 2)),
                    ]
                ),
            ),
            ("tree", DecisionTreeClassifier(max_depth=4, random_state=0)),
        ]
    ).fit(TABLE, CLASSES)
    domains = [feature.domain for feature in from_sklearn(pipeline).features]
    assert domains[4] == Categorical(texts := ("baker", "clerk", "engineer", "nurse", "pilot", "student"), texts)
    assert [str(domain) for domain in domains[:4]] == [
        "float64 numbers",
        "float64 numbers",
        f"'{{{ANY}}}'",
        "float64 numbers or missing",
    ]
    assert str(domains[7]) == "'{free, own, rent, missing}'"
    none = [feature.domain for feature in from_sklearn(pipeline, missing=False).features]
    assert none[3] == Float64()
    assert str(none[7]) == "'{free, own, rent}'"


def test_missing_values_that_are_asked_for() -> None:
    encoded = in_columns("own", OneHotEncoder(), [4]).fit(TABLE, CLASSES)
    with pytest.raises(InputError, match="no column of this pipeline takes missing values; leave 'missing' out"):
        from_sklearn(encoded, missing=True)
    scaled = numbers(StandardScaler()).fit(X, CLASSES)
    assert [feature.domain for feature in from_sklearn(scaled).features] == [Float64()] * 3
    model = from_sklearn(scaled, missing=True)
    assert [feature.domain for feature in model.features] == [Float64(missing=True)] * 3
    gaps = np.where(np.random.default_rng(0).random(X.shape) < 0.4, np.nan, X)
    for row, label in zip(gaps, scaled.predict(gaps), strict=True):
        assert model.classes[model.kappa(read_point(model.features, row))] == label
    filled = numbers(SimpleImputer()).fit(X, CLASSES)
    assert from_sklearn(filled, missing=True) == from_sklearn(filled)


@pytest.mark.filterwarnings("ignore:.*without any observed values:UserWarning")
@pytest.mark.parametrize("kept", [False, True])
def test_a_column_without_a_value(kept: bool) -> None:
    """An imputer leaves it out, or has the same number in every row."""
    table = np.column_stack([X[:, 0], np.full(len(X), np.nan), X[:, 1:]])
    pipeline = numbers(SimpleImputer(keep_empty_features=kept), StandardScaler()).fit(table, CLASSES)
    model = from_sklearn(pipeline)
    assert (str(model.features[1].domain) == f"'{{{ANY}}}'") is not kept
    for row, label in zip(table[:100], pipeline.predict(table[:100]), strict=True):
        assert model.classes[model.kappa(read_point(model.features, row))] == label


def test_instances_that_are_not_in_the_table() -> None:
    pipeline = in_columns("own", OneHotEncoder(handle_unknown="ignore"), [4], remainder=StandardScaler())
    pipeline.fit(
        TABLE[:, [0, 1, 2, 3, 4]][~np.isnan(TABLE[:, 3].astype(float))], CLASSES[~np.isnan(TABLE[:, 3].astype(float))]
    )
    row = [40.0, 1.0, 0.0, 1.0, "clerk"]
    assert explain(pipeline, row).prediction in ("good", "bad")
    for column, value, words in (
        (4, "astronaut", "feature 'feature_4': 'astronaut' is not a category; write one of"),
        (0, float("nan"), "feature 'feature_0': the value is missing"),
        (0, "forty", "feature 'feature_0': 'forty' is not a finite number"),
    ):
        with pytest.raises(InstanceError, match=words):
            explain(pipeline, [value if i == column else own for i, own in enumerate(row)])


def test_any_cell_does_for_a_column_that_is_dropped() -> None:
    pipeline = in_columns("own", StandardScaler(), [0]).fit(TABLE, CLASSES)
    model = from_sklearn(pipeline)
    for row in (TABLE[0], [TABLE[0][0], *[None] * 7], [TABLE[0][0], *["anything"] * 7]):
        assert read_point(model.features, row)[1:] == (ANY,) * 7
