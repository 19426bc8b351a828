"""From ``fit`` to a page of explanations: tables like German credit and Adult, in Python and by one command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pandas")
pytest.importorskip("sklearn")

import pandas
from sklearn.compose import ColumnTransformer, make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import xpgcheck
from xpgcheck.cli.main import main
from xpgcheck.errors import InputError, InstanceError
from xpgcheck.model.domains import Categorical, Float64
from xpgcheck.readers.original_columns import ANY

TEXTS = make_column_selector(dtype_exclude="number")


def german(rows: int = 400) -> tuple[Any, Any]:
    """A table with the columns of German credit, and classes that follow some of them."""
    rng = np.random.default_rng(20)

    def levels(name: str, count: int) -> Any:
        return rng.choice([f"{name} {k}" for k in range(count)], rows)

    table = pandas.DataFrame(
        {
            "checking status": levels("status", 4),
            "duration": rng.integers(4, 72, rows),
            "credit history": levels("history", 5),
            "purpose": levels("purpose", 10),
            "credit amount": rng.lognormal(7.8, 0.8, rows).round(),
            "savings": levels("savings", 5),
            "installment rate": rng.integers(1, 5, rows),
            "age": rng.integers(19, 75, rows),
            "housing": rng.choice(["own", "rent", "free"], rows),
            "existing credits": rng.integers(1, 4, rows),
            "telephone": rng.choice(["none", "yes"], rows),
            "foreign worker": rng.choice(["no", "yes"], rows),
        }
    )
    risk = 1.5 * (table["checking status"] == "status 0") + (table["duration"] > 30) - (table["age"] > 40)
    risk += (table["credit amount"] > 4000) + 0.7 * (table["housing"] == "rent") + rng.normal(0, 0.7, rows)
    return table, np.where(risk > 1.4, "bad", "good")


def adult(rows: int = 600) -> tuple[Any, Any]:
    """A table with columns of Adult: missing values in two kinds of columns, and one that no model should see."""
    rng = np.random.default_rng(21)
    work = rng.choice(["Private", "Self-emp", "Gov", None], rows, p=[0.6, 0.2, 0.1, 0.1])
    table = pandas.DataFrame(
        {
            "age": rng.integers(17, 90, rows).astype(float),
            "workclass": work,
            "fnlwgt": rng.integers(10_000, 900_000, rows),
            "education": rng.choice(["HS-grad", "Some-college", "Bachelors", "Masters", "Doctorate"], rows),
            "marital-status": rng.choice(["Married", "Never-married", "Divorced", "Widowed"], rows),
            "sex": rng.choice(["Female", "Male"], rows),
            "capital-gain": np.where(rng.random(rows) < 0.9, 0.0, rng.lognormal(8, 1, rows).round()),
            "hours-per-week": rng.integers(1, 99, rows),
        }
    )
    table.loc[rng.random(rows) < 0.1, "age"] = np.nan
    rich = (table["education"].isin(["Masters", "Doctorate"])) + (table["marital-status"] == "Married") * 1.0
    rich += (table["age"].fillna(40) > 35) * 0.8 + (table["capital-gain"] > 3000) * 2 + rng.normal(0, 0.5, rows)
    return table, np.where(rich > 1.8, ">50K", "<=50K")


def adult_pipeline(model: Any) -> Any:
    steps = [
        ("numbers", make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), ["age", "capital-gain"]),
        (
            "texts",
            make_pipeline(
                SimpleImputer(strategy="constant", fill_value="unknown"),
                OneHotEncoder(min_frequency=30, handle_unknown="infrequent_if_exist"),
            ),
            ["workclass", "marital-status"],
        ),
        (
            "degrees",
            OrdinalEncoder(categories=[["HS-grad", "Some-college", "Bachelors", "Masters", "Doctorate"]]),
            ["education"],
        ),
        ("binary", OneHotEncoder(drop="if_binary"), ["sex"]),
        ("dropped", "drop", ["fnlwgt"]),
    ]
    return make_pipeline(ColumnTransformer(steps, remainder="passthrough"), FunctionTransformer(), model)


def test_german_credit_in_five_lines(tmp_path: Path) -> None:
    table, classes = german()
    # The five lines.
    columns = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), TEXTS), remainder=StandardScaler())
    pipeline = make_pipeline(columns, DecisionTreeClassifier(max_depth=6, random_state=0)).fit(table, classes)
    found = xpgcheck.explain(pipeline, table.iloc[0])
    text = str(found)
    summary = xpgcheck.explain_table(pipeline, table.head(50)).write(tmp_path / "page.html")
    assert found.prediction == pipeline.predict(table.head(1))[0]
    assert {name for axp in found.axps for name in axp} <= set(table.columns)
    assert f"class {found.prediction} because" in text
    assert "checking status = status" in text
    assert summary.rows == 50
    assert "checking status" in (tmp_path / "page.html").read_text()
    over = xpgcheck.from_sklearn(pipeline)
    for (_, row), label in zip(table.iterrows(), pipeline.predict(table), strict=True):
        assert over.classes[over.kappa(xpgcheck.read_point(over.features, row.to_dict()))] == label


def test_adult_with_gaps_and_a_column_that_is_dropped() -> None:
    table, classes = adult()
    for model in (
        DecisionTreeClassifier(max_depth=6, random_state=0),
        RandomForestClassifier(n_estimators=5, max_depth=4, random_state=0),
    ):
        pipeline = adult_pipeline(model).fit(table, classes)
        over = xpgcheck.from_sklearn(pipeline)
        domains = {feature.name: feature.domain for feature in over.features}
        assert domains["age"] == Float64(missing=True)
        assert str(domains["workclass"]) == "'{Gov, Private, Self-emp, unknown, missing}'"
        assert domains["fnlwgt"] == Categorical((ANY,), domains["fnlwgt"].cells, ANY)
        labels = pipeline.predict(table)
        for (_, row), label in zip(table.iterrows(), labels, strict=True):
            assert over.classes[over.kappa(xpgcheck.read_point(over.features, row.to_dict()))] == label
    gap = table[table["workclass"].isna() & table["age"].isna()].iloc[0]
    found = xpgcheck.explain(adult_pipeline(DecisionTreeClassifier(max_depth=4)).fit(table, classes), gap)
    assert "fnlwgt" not in {name for axp in found.axps for name in axp}


def test_one_command_from_a_skops_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    skops = pytest.importorskip("skops.io")
    table, classes = adult()
    pipeline = adult_pipeline(DecisionTreeClassifier(max_depth=6, random_state=0)).fit(table, classes)
    model, rows, page = (str(tmp_path / name) for name in ("adult.skops", "adult.csv", "adult.html"))
    skops.dump(pipeline, model)
    table.head(60).assign(income=classes[:60]).to_csv(rows, index=False)
    options = "--instances", rows, "--ignore-extra-columns"
    assert main(["explain", model, "--all", *options, "-o", page, "-j", "1"]) == 0
    assert "capital-gain" in Path(page).read_text()
    capsys.readouterr()
    assert main(["explain", model, "--row", "1", *options]) == 0
    assert f"class {pipeline.predict(table.head(1))[0]}" in capsys.readouterr().out
    from_file, over = xpgcheck.read_model(model), xpgcheck.from_sklearn(pipeline, name="adult")
    assert from_file == over


def test_selected_columns_are_those_of_the_fitted_table() -> None:
    """By name, by index, by slice, by mask, by a callable: the same model."""
    table, classes = german()
    numbers = [name for name in table if TEXTS(table[[name]]) == []]
    mask = [name in numbers for name in table]
    ways = (numbers, [list(table).index(name) for name in numbers], mask, make_column_selector(dtype_include="number"))
    models = []
    for way in ways:
        columns = make_column_transformer((StandardScaler(), way), (OneHotEncoder(), TEXTS))
        tree = DecisionTreeClassifier(max_depth=5, random_state=0)
        models.append(xpgcheck.from_sklearn(make_pipeline(columns, tree).fit(table, classes)))
    assert models[0] == models[1] == models[2] == models[3]
    sliced = make_column_transformer((StandardScaler(), slice("age", "age")), (OneHotEncoder(), slice(0, 1)))
    over = xpgcheck.from_sklearn(make_pipeline(sliced, DecisionTreeClassifier()).fit(table, classes))
    assert [feature.name for feature in over.features if str(feature.domain) != f"'{{{ANY}}}'"] == [
        "checking status",
        "age",
    ]


def test_tables_that_come_as_pandas() -> None:
    """Transformers that return frames, frames of single types, Booleans and codes."""
    table, classes = german()
    table = table.assign(owner=table["housing"] == "own", grade=table["installment rate"].astype("int8"))
    columns = make_column_transformer(
        (OneHotEncoder(sparse_output=False), ["owner", "grade", "housing"]),
        (StandardScaler(), ["duration", "credit amount"]),
    ).set_output(transform="pandas")
    pipeline = make_pipeline(columns, DecisionTreeClassifier(max_depth=7, random_state=0)).fit(table, classes)
    over = xpgcheck.from_sklearn(pipeline)
    domains = {feature.name: str(feature.domain) for feature in over.features}
    assert (domains["owner"], domains["grade"]) == ("'{False, True}'", "'{1, 2, 3, 4}'")
    for (_, row), label in zip(table.iterrows(), pipeline.predict(table), strict=True):
        assert over.classes[over.kappa(xpgcheck.read_point(over.features, row.to_dict()))] == label


def test_what_a_row_of_a_frame_may_lack() -> None:
    table, classes = german()
    columns = make_column_transformer((OneHotEncoder(), TEXTS), remainder=StandardScaler())
    pipeline = make_pipeline(columns, DecisionTreeClassifier(max_depth=4, random_state=0)).fit(table, classes)
    row = table.iloc[0]
    with pytest.raises(InstanceError, match="feature 'age' has no value; give it one"):
        xpgcheck.explain(pipeline, row.drop("age"))
    with pytest.raises(InstanceError, match="feature 'housing': 'castle' is not a category; write one of"):
        xpgcheck.explain(pipeline, {**row, "housing": "castle"})
    with pytest.raises(InstanceError, match="feature 'age': the value is missing"):
        xpgcheck.explain(pipeline, {**row, "age": None})
    with pytest.raises(InputError, match="there is no feature 'sex'; remove it"):
        xpgcheck.explain(pipeline, {**row, "sex": "F"})
