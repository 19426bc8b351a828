"""Pipelines of every kind of transformer that is read, fitted to one seeded table, and rows of that table, borders first."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Categorical, Float64
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import IntervalSet
from xpgcheck.model.values import MISSING, Point, Value

NUMBERS, GAPS, TEXTS, CODES, GAPPED_TEXTS = (0, 1, 2), (3,), (4, 5), (6,), (7,)
"""The columns of the table by kind: numbers, numbers with gaps, texts, numbers that are categories, texts with gaps."""

LARGEST = 1e30
"""Numbers are no larger: scaled, they have to be float32 numbers."""

Case = Callable[[], Any]


def fitted_table(seed: int, rows: int = 500) -> tuple[Any, Any]:
    """Return the table, an array of objects, and the classes of its rows."""
    import numpy as np

    rng = np.random.default_rng(seed)
    table = np.empty((rows, 8), dtype=object)
    table[:, 0] = rng.normal(40, 12, rows)
    table[:, 1] = np.round(rng.lognormal(7, 1, rows))
    table[:, 2] = -rng.integers(0, 10, rows) * 0.1
    table[:, 3] = np.where(rng.random(rows) < 0.2, np.nan, np.round(rng.normal(0, 3, rows), 1))
    table[:, 4] = rng.choice(
        ["clerk", "engineer", "student", "nurse", "pilot", "baker"], rows, p=[0.4, 0.3, 0.2, 0.06, 0.02, 0.02]
    )
    table[:, 5] = rng.choice(["yes", "no"], rows)
    table[:, 6] = rng.integers(1, 6, rows)
    table[:, 7] = np.where(rng.random(rows) < 0.2, np.nan, rng.choice(["own", "rent", "free"], rows).astype(object))
    score = (
        (table[:, 0] > 38).astype(int)
        + np.isin(table[:, 4], ["clerk", "pilot"])
        + (table[:, 6] % 2 == 0)
        + (table[:, 7] == "own")
    )
    score = score + (table[:, 1] > 1200) + rng.integers(0, 2, rows) + (table[:, 2] < -0.4)
    return table, np.where(score > 3, "good", "bad")


def cases() -> dict[str, Case]:
    """Return what makes each pipeline, unfitted, by what it is a case of."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import Pipeline, make_pipeline
    from sklearn.preprocessing import (
        Binarizer,
        FunctionTransformer,
        KBinsDiscretizer,
        MaxAbsScaler,
        MinMaxScaler,
        OneHotEncoder,
        OrdinalEncoder,
        RobustScaler,
        StandardScaler,
    )

    def on(columns: Sequence[int], *parts: Any, **options: Any) -> Case:
        return lambda: Pipeline(
            [
                ("columns", ColumnTransformer([("own", make_pipeline(*parts), list(columns))], **options)),
                ("model", tree()),
            ]
        )

    def two(first: tuple[Sequence[int], Any], second: tuple[Sequence[int], Any], model: Case, **options: Any) -> Case:
        return lambda: Pipeline(
            [
                (
                    "columns",
                    ColumnTransformer([("a", first[1], list(first[0])), ("b", second[1], list(second[0]))], **options),
                ),
                ("model", model()),
            ]
        )

    found = {
        "StandardScaler": on(NUMBERS, StandardScaler()),
        "StandardScaler, with_mean=False": on(NUMBERS, StandardScaler(with_mean=False)),
        "StandardScaler, with_std=False": on(NUMBERS, StandardScaler(with_std=False)),
        "MinMaxScaler": on(NUMBERS, MinMaxScaler((-1, 3))),
        "MinMaxScaler, clip=True": on(NUMBERS, MinMaxScaler(clip=True)),
        "MaxAbsScaler": on(NUMBERS, MaxAbsScaler()),
        "RobustScaler": on(NUMBERS, RobustScaler()),
        "scalers in a row": on(NUMBERS, StandardScaler(), MinMaxScaler(), RobustScaler(with_centering=False)),
        "transformer_weights, negative": on(NUMBERS, StandardScaler(), transformer_weights={"own": -0.7}),
        "Binarizer": on(NUMBERS, Binarizer(threshold=38.5)),
        "StandardScaler, Binarizer": on(NUMBERS, StandardScaler(), Binarizer(threshold=0.25)),
        "FunctionTransformer, passthrough": on(NUMBERS, FunctionTransformer(), "passthrough"),
        "SimpleImputer, median": on((*NUMBERS, *GAPS), SimpleImputer(strategy="median"), StandardScaler()),
        "SimpleImputer, constant, indicator": on(
            GAPS, SimpleImputer(strategy="constant", fill_value=-7, add_indicator=True)
        ),
        "SimpleImputer, most_frequent of texts": on(
            (*TEXTS, *GAPPED_TEXTS), SimpleImputer(strategy="most_frequent"), OneHotEncoder()
        ),
        "SimpleImputer, constant of texts": on(
            GAPPED_TEXTS, SimpleImputer(strategy="constant", fill_value="unknown"), OneHotEncoder(drop="first")
        ),
        "OneHotEncoder": on((*TEXTS, *CODES, *GAPPED_TEXTS), OneHotEncoder()),
        "OneHotEncoder, drop='first'": on((*TEXTS, *CODES), OneHotEncoder(drop="first", sparse_output=False)),
        "OneHotEncoder, drop='if_binary'": on(TEXTS, OneHotEncoder(drop="if_binary")),
        "OneHotEncoder, drop of a list": on(TEXTS, OneHotEncoder(drop=["nurse", "yes"])),
        "OneHotEncoder, handle_unknown='ignore'": on((*TEXTS, *CODES), OneHotEncoder(handle_unknown="ignore")),
        "OneHotEncoder, min_frequency": on(
            (*TEXTS, *CODES), OneHotEncoder(min_frequency=40, handle_unknown="infrequent_if_exist")
        ),
        "OneHotEncoder, max_categories": on((*TEXTS, *CODES), OneHotEncoder(max_categories=3, drop="first")),
        "OrdinalEncoder": on((*TEXTS, *CODES), OrdinalEncoder()),
        "OrdinalEncoder, use_encoded_value": on(
            (*TEXTS, *GAPPED_TEXTS),
            OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-2),
        ),
        "OrdinalEncoder, max_categories": on(
            (*TEXTS, *GAPPED_TEXTS), OrdinalEncoder(max_categories=3, encoded_missing_value=9)
        ),
        "KBinsDiscretizer, onehot": on(NUMBERS, bins(KBinsDiscretizer, "onehot")),
        "KBinsDiscretizer, onehot-dense": on(NUMBERS, StandardScaler(), bins(KBinsDiscretizer, "onehot-dense")),
        "KBinsDiscretizer, ordinal": on(NUMBERS, bins(KBinsDiscretizer, "ordinal")),
        "KBinsDiscretizer, OneHotEncoder": on(
            NUMBERS, bins(KBinsDiscretizer, "ordinal"), OneHotEncoder(handle_unknown="ignore")
        ),
        "KBinsDiscretizer, infrequent bins": on(
            NUMBERS,
            bins(KBinsDiscretizer, "ordinal"),
            OneHotEncoder(min_frequency=60, handle_unknown="infrequent_if_exist"),
        ),
        "sparse matrix, numbers": lambda: Pipeline(
            [
                (
                    "columns",
                    ColumnTransformer(
                        [("texts", OneHotEncoder(), list(TEXTS)), ("numbers", SimpleImputer(), list(NUMBERS))],
                        sparse_threshold=1,
                    ),
                ),
                ("scale", RobustScaler(with_centering=False)),
                ("model", tree()),
            ]
        ),
        "sparse matrix, StandardScaler": lambda: Pipeline(
            [
                (
                    "columns",
                    ColumnTransformer(
                        [("texts", OneHotEncoder(), list(TEXTS)), ("codes", OrdinalEncoder(), list(CODES))],
                        sparse_threshold=1,
                    ),
                ),
                ("scale", StandardScaler(with_mean=False)),
                ("max", MaxAbsScaler()),
                ("model", tree()),
            ]
        ),
        "forest of everything": two(
            ((*NUMBERS, *GAPS), make_pipeline(SimpleImputer(), StandardScaler())),
            ((*TEXTS, *CODES), OneHotEncoder(handle_unknown="ignore", drop="if_binary")),
            forest,
        ),
        "gradient boosting, remainder": two(
            (TEXTS, OneHotEncoder(min_frequency=0.1)), (GAPPED_TEXTS, "drop"), boosted, remainder=SimpleImputer()
        ),
        "histogram boosting, categories": two(
            (TEXTS, OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=math.nan)),
            ((*NUMBERS, *GAPS), MinMaxScaler()),
            histogram,
        ),
    }
    return found


def bins(kind: Any, encode: str) -> Any:
    """Return a discretizer of uniform bins, whose ends are not in the table."""
    return kind(n_bins=5, encode=encode, strategy="uniform")


def tree() -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(max_depth=7, random_state=0)


def forest() -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(n_estimators=7, max_depth=6, random_state=0)


def boosted() -> Any:
    from sklearn.ensemble import GradientBoostingClassifier

    return GradientBoostingClassifier(n_estimators=10, max_depth=3, random_state=0)


def histogram() -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(max_iter=5, categorical_features=[0, 1], min_samples_leaf=5, random_state=0)


def points_of(model: DecisionGraph | Ensemble, count: int, seed: int) -> list[Point]:
    """Return *count* points: first every category and every end of an interval, with its neighbours, at random points.

    The others are such values, and numbers of any size, combined at random.
    """
    rng = random.Random(seed)
    borders = [_borders(model, feature) for feature in range(len(model.features))]

    def value(feature: int) -> Value:
        domain = model.features[feature].domain
        if isinstance(domain, Float64) and rng.random() < 0.3:
            return Fraction(rng.gauss(0, 1) * 10.0 ** rng.choice((0, 1, 2, 3, 8)))
        return rng.choice(borders[feature])

    places = [(feature, border) for feature, own in enumerate(borders) for border in own]
    found = []
    for k in range(count):
        point = [value(feature) for feature in range(len(borders))]
        if k < len(places):
            point[places[k][0]] = places[k][1]
        found.append(tuple(point))
    return found


def _borders(model: DecisionGraph | Ensemble, feature: int) -> list[Value]:
    domain = model.features[feature].domain
    if isinstance(domain, Categorical):
        return list(domain.values)
    ends = {0.0}
    for cell in model.cells[feature]:
        assert isinstance(cell, IntervalSet)
        for span in cell.intervals():
            ends.update(float(end) for end in (span.low, span.high) if end is not None)
    near = {math.nextafter(end, way) for end in ends for way in (math.inf, -math.inf)}
    found: list[Value] = [Fraction(number) for number in sorted(ends | near) if abs(number) <= LARGEST]
    return [*found, MISSING] if isinstance(domain, Float64) and domain.missing else found


def row_of(model: DecisionGraph | Ensemble, point: Point) -> list[object]:
    """Return the row of the table that *point* is."""
    row: list[object] = []
    for feature, value in zip(model.features, point, strict=True):
        if isinstance(feature.domain, Categorical):
            value = dict(zip(feature.domain.values, feature.domain.cells, strict=True))[str(value)]
        if isinstance(value, Fraction):
            # Whole numbers that are categories come as such.
            row.append(int(value) if isinstance(feature.domain, Categorical) else float(value))
        else:
            row.append(math.nan if value is MISSING else value)
    return row


def differences(model: DecisionGraph | Ensemble, pipeline: Any, points: Sequence[Point]) -> int:
    """Return at how many of *points* κ of *model* is not what *pipeline* predicts."""
    import numpy as np

    table = np.empty((len(points), len(model.features)), dtype=object)
    for k, point in enumerate(points):
        table[k] = row_of(model, point)
    predicted = pipeline.predict(table)
    return sum(model.classes[model.kappa(point)] != label for point, label in zip(points, predicted, strict=True))
