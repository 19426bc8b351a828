"""Boosted forests for the benchmarks: trained by scikit-learn on data that it brings or makes, one tree per round and class.

Read here by hand, without the project's own readers: whole numbers of ensembles are what the judges are measured on.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from xpgcheck.model.combination import Arithmetic, Sum, Threshold
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Feature, Real
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import Grid, Interval, IntervalSet, interval_set
from xpgcheck.model.values import Point


class Boosted(NamedTuple):
    """A boosted forest, and rows that it was not trained on."""

    ensemble: Ensemble
    rows: list[Point]


def boosted(data: str, trees: int, depth: int, rows: int = 20) -> Boosted:
    """Return a forest of gradient boosting on *data*: *trees* trees in all, of at most *depth*, and *rows* rows."""
    from sklearn.ensemble import GradientBoostingClassifier

    x, y = _data(data)
    classes = sorted({int(label) for label in y})
    scores = 1 if len(classes) == 2 else len(classes)
    train = len(x) * 3 // 4
    model = GradientBoostingClassifier(
        n_estimators=max(1, trees // scores), max_depth=depth, random_state=0, init="zero"
    ).fit(x[:train], y[:train])
    features = tuple(Feature(f"f{i}", Real()) for i in range(x.shape[1]))
    graphs, outputs = [], []
    for stage in model.estimators_:
        for score, regressor in enumerate(stage):
            graph, values = _tree(regressor.tree_, features, f"tree {len(graphs)}")
            graphs.append(graph)
            rate = model.learning_rate
            outputs.append(
                [tuple(Fraction(rate * value if k == score else 0) for k in range(scores)) for value in values]
            )
    rule = Sum((Fraction(0),) * scores, Threshold(Fraction(0)) if scores == 1 else None, Arithmetic.BINARY64)
    made = ensemble(f"{data} {trees}×{depth}", features, [str(label) for label in classes], graphs, rule, outputs)
    kept = [tuple(Fraction(float(value)) for value in row) for row in x[train : train + rows]]
    return Boosted(made, kept)


def _data(name: str) -> tuple[Any, Any]:
    from sklearn import datasets

    if name in ("breast_cancer", "digits", "wine"):
        x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    else:
        classes, features = map(int, name.removeprefix("made ").split("x"))
        x, y = datasets.make_classification(
            2000, features, n_informative=max(2, features // 2), n_classes=classes, random_state=7
        )
    import numpy

    order = numpy.random.RandomState(3).permutation(len(x))
    return x.astype(numpy.float32)[order], y[order]


def _tree(tree: Any, features: tuple[Feature, ...], name: str) -> tuple[DecisionGraph, list[float]]:
    nodes: dict[NodeId, Node] = {}
    values: list[float] = []
    for node in range(tree.node_count):
        if tree.children_left[node] < 0:
            nodes[node] = Terminal(len(values))
            values.append(float(tree.value[node][0][0]))
        else:
            below, above = _sides(Fraction(float(tree.threshold[node])))
            children = int(tree.children_left[node]), int(tree.children_right[node])
            nodes[node] = NonTerminal(int(tree.feature[node]), ((children[0], below), (children[1], above)))
    return decision_graph(name, features, [str(k) for k in range(len(values))], nodes, 0), values


def _sides(threshold: Fraction) -> tuple[IntervalSet, IntervalSet]:
    below = Interval(None, True, threshold, False)
    above = Interval(threshold, True, None, True)
    return interval_set(Grid.DENSE, [below]), interval_set(Grid.DENSE, [above])
