"""Boosted trees for benchmarks: trained by scikit-learn, as ensembles whose terminals are summed."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.ieee754 import BINARY32
from xpgcheck.model.values import Point
from xpgcheck.readers.sklearn_tree import from_sklearn


class DataTable(NamedTuple):
    """Rows of numbers with a class each."""

    columns: list[str]
    rows: list[list[float]]
    classes: list[str]


def table(path: Path, target: str = "target") -> DataTable:
    """Return the table in the file at *path*, whose last column or that called *target* is the class."""
    with path.open(newline="") as file:
        header, *lines = list(csv.reader(file))
    place = header.index(target) if target in header else len(header) - 1
    columns = header[:place] + header[place + 1 :]
    rows = [[float(cell) for cell in line[:place] + line[place + 1 :]] for line in lines]
    return DataTable(columns, rows, [line[place] for line in lines])


def boosted(data: DataTable, trees: int, depth: int) -> Ensemble:
    """Train *trees* rounds of gradient boosting to *depth*, and return the ensemble that ``predict`` follows."""
    from sklearn.ensemble import GradientBoostingClassifier

    model = GradientBoostingClassifier(n_estimators=trees, max_depth=depth, random_state=0)
    model.fit(data.rows, data.classes)
    return as_ensemble(model, data.columns)


def as_ensemble(model: Any, columns: list[str]) -> Ensemble:
    """Return a fitted ``GradientBoostingClassifier`` as an ensemble."""
    found = from_sklearn(model, feature_names=columns, name="boosted")
    assert isinstance(found, Ensemble)
    return found


def point_of(row: list[float]) -> Point:
    """Return a row as a point of float32 features."""
    found = [BINARY32.nearest(value) for value in row]
    assert all(value is not None for value in found)
    return tuple(Fraction(value) for value in found if value is not None)
