"""Boosted trees for benchmarks: trained by scikit-learn, as ensembles whose terminals are summed."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from xpgcheck.model.combination import Arithmetic, Sum, Threshold
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Feature, Float32
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.model.ieee754 import BINARY32
from xpgcheck.model.value_sets import BOTTOM, TOP, Grid, IntervalSet
from xpgcheck.model.values import Point


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
    features = [Feature(name, Float32()) for name in columns]
    classes = [str(name) for name in model.classes_]
    scores = model.estimators_.shape[1]
    priors = model._raw_predict_init([[0.0] * len(columns)])[0]
    graphs, outputs = [], []
    for stage in model.estimators_:
        for score, regressor in enumerate(stage):
            graph, values = _tree(regressor.tree_, features, f"tree {len(graphs)}")
            graphs.append(graph)
            rows = []
            for value in values:
                row = [Fraction(0)] * scores
                row[score] = Fraction(float(model.learning_rate * value))
                rows.append(tuple(row))
            outputs.append(tuple(rows))
    threshold = Threshold(Fraction(0), inclusive=True) if scores == 1 else None
    rule = Sum(tuple(Fraction(float(prior)) for prior in priors), threshold, Arithmetic.BINARY64)
    return ensemble("boosted", features, classes, graphs, rule, outputs)


def _tree(tree: Any, features: list[Feature], name: str) -> tuple[DecisionGraph, list[float]]:
    """Return the graph of a tree, and the value of each of its terminals, which are its answers."""
    nodes: dict[int | str, NonTerminal | Terminal] = {}
    values: list[float] = []
    for node in range(tree.node_count):
        left, right = int(tree.children_left[node]), int(tree.children_right[node])
        if left < 0:
            nodes[node] = Terminal(len(values))
            values.append(float(tree.value[node, 0, 0]))
            continue
        cut = Grid.FLOAT32.float_cut(float(tree.threshold[node]), 1)
        low, high = IntervalSet(Grid.FLOAT32, (BOTTOM, cut)), IntervalSet(Grid.FLOAT32, (cut, TOP))
        nodes[node] = NonTerminal(int(tree.feature[node]), ((left, low), (right, high)))
    return decision_graph(name, features, [str(i) for i in range(len(values))], nodes, 0), values


def point_of(row: list[float]) -> Point:
    """Return a row as a point of float32 features."""
    found = [BINARY32.nearest(value) for value in row]
    assert all(value is not None for value in found)
    return tuple(Fraction(value) for value in found if value is not None)
