"""The scikit-learn reader: the same class as ``predict``, above all where float32 rounding matters."""

from __future__ import annotations

import math
import random
import warnings
from typing import Any

import pytest

pytest.importorskip("sklearn", reason="the extra 'sklearn' is not installed")

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier

from xpgcheck import explain
from xpgcheck.errors import FormatError, InputError, InstanceError
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Feature, Float32
from xpgcheck.readers.instances import read_point
from xpgcheck.readers.json_model import parse_json
from xpgcheck.readers.sklearn_tree import TreeArrays, arrays_graph, from_sklearn
from xpgcheck.writers.json_model import model_json

HIGHEST = float(np.finfo(np.float32).max)


def around(value: float) -> list[float]:
    """Return *value*, the float32 numbers next to it and the float64 numbers next to it."""
    low, high = np.float32(-np.inf), np.float32(np.inf)
    with np.errstate(over="ignore"):
        single = np.float32(value)
    found = [
        value,
        float(single),
        float(np.nextafter(single, low)),
        float(np.nextafter(single, high)),
        float(np.nextafter(value, -np.inf)),
        float(np.nextafter(value, np.inf)),
    ]
    # Halfway between two float32 numbers, where the cast has to round to even.
    found.append((float(single) + float(np.nextafter(single, high))) / 2)
    return [number for number in found if abs(number) <= HIGHEST]


def probes(tree: Any, rows: np.ndarray[Any, Any], seed: int, missing: bool = False) -> np.ndarray[Any, Any]:
    """Return points: *rows*, rows moved to each threshold's neighbourhood, random ones, ones with missing values."""
    generator = np.random.default_rng(seed)
    points = [*rows[:300]]
    inner = np.flatnonzero(tree.tree_.children_left >= 0)
    for node in inner:
        if not np.isfinite(tree.tree_.threshold[node]):
            continue
        for value in around(float(tree.tree_.threshold[node])):
            point = rows[generator.integers(len(rows))].copy()
            point[tree.tree_.feature[node]] = value
            points.append(point)
    low, high = np.nanmin(rows, axis=0), np.nanmax(rows, axis=0)
    points += list(generator.uniform(low - 1, high + 1, (500, rows.shape[1])))
    table = np.array(points, dtype=np.float64)
    if missing:
        holes = table.copy()
        holes[generator.random(holes.shape) < 0.3] = np.nan
        table = np.vstack([table, holes, np.full((1, table.shape[1]), np.nan)])
    with np.errstate(over="ignore"):
        return table[~np.isinf(table.astype(np.float32)).any(axis=1)]


def same_classes(tree: Any, graph: DecisionGraph, table: np.ndarray[Any, Any]) -> int:
    """Check that the two agree on every row of *table*; return how many rows there were."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = [str(label) for label in tree.predict(table)]
    points = [read_point(graph.features, row) for row in table.tolist()]
    assert [graph.classes[graph.kappa(point)] for point in points] == expected
    return len(table)


DATA = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}


@pytest.mark.parametrize("depth", range(1, 13))
def test_kappa_is_predict_at_every_depth(depth: int) -> None:
    count = 0
    for name, load in DATA.items():
        data = load()
        tree = DecisionTreeClassifier(max_depth=depth, random_state=depth).fit(data.data, data.target)
        graph = from_sklearn(tree, name=name)
        check_assumptions(graph)
        assert graph.is_tree()
        count += same_classes(tree, graph, probes(tree, data.data, depth))
    assert count > 2000


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, ExtraTreeClassifier])
@pytest.mark.parametrize("labels", ["text", "odd numbers", "truth values", "one class"])
def test_labels_of_any_kind(kind: Any, labels: str) -> None:
    data = load_iris()
    target = {
        "text": np.array(["b", "a", "ç <i>"])[data.target],
        "odd numbers": data.target * 7 - 3,
        "truth values": data.target > 0,
        "one class": np.zeros(len(data.target), dtype=int),
    }[labels]
    tree = kind(max_depth=4, random_state=0).fit(data.data, target)
    same_classes(tree, from_sklearn(tree), probes(tree, data.data, 0))


def test_equal_votes_go_to_the_first_class() -> None:
    tree = DecisionTreeClassifier().fit([[0.0], [0.0], [0.0]], ["z", "y", "x"])
    graph = from_sklearn(tree)
    assert graph.classes[graph.kappa(read_point(graph.features, [0.0]))] == "x" == tree.predict([[0.0]])[0]


def edited(thresholds: dict[int, float], rows: int = 400) -> Any:
    """Return a deep one-feature tree whose thresholds at some nodes are set to others."""
    generator = np.random.default_rng(1)
    table = generator.uniform(0, 1, (rows, 1))
    tree = DecisionTreeClassifier(max_depth=8, random_state=0).fit(table, generator.integers(0, 3, rows))
    for node, threshold in thresholds.items():
        tree.tree_.threshold[node] = threshold
    return tree


class TestEdgesThatNoFloat32Takes:
    """Assumption (ii) wants every path consistent; what no float32 point visits is left out."""

    def test_thresholds_without_a_float32_between_them(self) -> None:
        tree = DecisionTreeClassifier(random_state=0).fit([[0.0], [1.0], [2.0]], [0, 1, 2])
        first, second = (int(node) for node in np.flatnonzero(tree.tree_.children_left >= 0))
        tree.tree_.threshold[first] = 0.1
        tree.tree_.threshold[second] = np.nextafter(0.1, 1)
        graph = from_sklearn(tree)
        assert graph.node_count == 3, "the inner node is replaced by its only child"
        same_classes(tree, graph, np.array([[v] for v in [*around(0.1), -1.0, 5.0]]))

    @pytest.mark.parametrize("seed", range(6))
    def test_trees_with_thresholds_moved_at_random(self, seed: int) -> None:
        tree = edited({})
        generator = np.random.default_rng(seed)
        grid = [float(np.float32(0.3)), 0.3, float(np.nextafter(0.3, 1)), 0.5, 0.7, np.inf, -np.inf, 1e300, -1e300, 0.0]
        for node in np.flatnonzero(tree.tree_.children_left >= 0):
            if generator.random() < 0.6:
                tree.tree_.threshold[node] = generator.choice(grid)
        for missing in (False, True):
            graph = from_sklearn(tree, missing=missing)
            check_assumptions(graph)
            assert graph.node_count < tree.tree_.node_count
            table = np.array([[v] for t in (0.0, 0.3, 0.5, 0.7) for v in around(t)] + [[-HIGHEST], [HIGHEST]])
            if missing:
                table = np.vstack([table, [[np.nan]]])
            same_classes(tree, graph, table)
            same_classes(tree, graph, probes(tree, np.random.default_rng(0).uniform(0, 1, (200, 1)), seed, missing))

    def test_a_root_that_decides_nothing(self) -> None:
        tree = DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1])
        tree.tree_.threshold[0] = np.inf
        graph = from_sklearn(tree, missing=False)
        assert (graph.node_count, graph.classes[graph.class_of[0]]) == (1, "0")


class TestMissingValues:
    @pytest.mark.parametrize("depth", [1, 2, 4, 8, 12])
    def test_kappa_is_predict(self, depth: int) -> None:
        for name, load in DATA.items():
            data = load()
            table = data.data.copy()
            table[np.random.default_rng(depth).random(table.shape) < 0.2] = np.nan
            tree = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(table, data.target)
            graph = from_sklearn(tree, missing=True, name=name)
            assert all(feature.domain == Float32(True) for feature in graph.features)
            same_classes(tree, graph, probes(tree, table, depth, missing=True))

    def test_a_split_of_the_missing_from_the_others(self) -> None:
        table = np.array([[1.0], [2.0], [3.0], [np.nan], [np.nan], [np.nan]])
        tree = DecisionTreeClassifier().fit(table, [0, 0, 0, 1, 1, 1])
        graph = from_sklearn(tree, missing=True)
        same_classes(tree, graph, np.vstack([table, [[HIGHEST], [-HIGHEST], [0.0]]]))
        assert parse_json(model_json(graph).encode()) == graph
        assert from_sklearn(tree) == graph, "the threshold is infinite: the tree was fitted to missing values"
        present = from_sklearn(tree, missing=False)
        assert present.node_count == 1, "without missing values nothing is left to decide"
        found = explain(tree, [float("nan")])
        assert found.case.graph == graph
        assert explain(tree, [1.0], missing=False).case.graph == present
        with pytest.raises(InstanceError, match=r"the value is missing; .*--missing; missing=True in Python"):
            explain(tree, [float("nan")], missing=False)
        with pytest.raises(InputError, match="read already; leave 'missing'"):
            explain(graph, [1.0], missing=True)

    def test_what_a_tree_was_fitted_to(self) -> None:
        """A node that sends missing values to the smaller child has seen some; no tree fitted without any looks so."""
        shown = {False: 0, True: 0}
        for seed in range(40):
            rng = np.random.default_rng(seed)
            table = rng.normal(size=(120, 3))
            labels = (table[:, 0] > 0) ^ (table[:, 1] > 0.3)
            weights = rng.integers(0, 3, 120) if seed % 3 == 0 else None
            if seed % 2:
                table[rng.random(table.shape) < 0.1] = np.nan
            splitter = "random" if seed % 4 > 1 else "best"
            try:
                tree = DecisionTreeClassifier(max_depth=5, splitter=splitter, random_state=seed).fit(
                    table, labels, weights
                )
            except ValueError:
                continue  # this scikit-learn takes missing values with other splitters only
            domain = from_sklearn(tree).features[0].domain
            assert isinstance(domain, Float32)
            assert not domain.missing or seed % 2
            shown[bool(seed % 2)] += domain.missing
        assert shown[False] == 0
        assert shown[True] >= 8

    def test_a_tree_that_was_fitted_without_any(self) -> None:
        data = load_iris()
        tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(data.data, data.target)
        same_classes(tree, from_sklearn(tree, missing=True), probes(tree, data.data, 0, missing=True))

    def test_a_tree_that_does_not_take_them(self, monkeypatch: pytest.MonkeyPatch) -> None:
        tree = ExtraTreeClassifier(random_state=0).fit([[0.0], [1.0]], [0, 1])

        def refuse(*_: object, **__: object) -> None:
            raise ValueError("Input X contains NaN.")

        monkeypatch.setattr(tree, "_validate_X_predict", refuse)
        with pytest.raises(InputError, match="does not predict for missing values; leave 'missing' out"):
            from_sklearn(tree, missing=True)


class TestNames:
    def test_defaults(self) -> None:
        tree = DecisionTreeClassifier(max_depth=2).fit([[0.0, 1.0], [1.0, 0.0]], [3, 5])
        graph = from_sklearn(tree)
        assert [feature.name for feature in graph.features] == ["feature_0", "feature_1"]
        assert graph.classes == ("3", "5")
        assert graph.name == "tree"

    def test_those_it_was_fitted_with(self) -> None:
        tree = DecisionTreeClassifier().fit([[0.0, 1.0], [1.0, 0.0]], [3, 5])
        tree.feature_names_in_ = np.array(["height", "width"], dtype=object)
        assert [feature.name for feature in from_sklearn(tree).features] == ["height", "width"]

    @pytest.mark.parametrize(
        ("names", "problem", "mend"),
        [
            ({"feature_names": ["a"]}, "1 name(s) for 2 features", "feature_names"),
            ({"feature_names": "ab"}, "one text for 2 features", "feature_names"),
            ({"feature_names": ["a", "a"]}, "two feature names are 'a'", "all differ"),
            ({"feature_names": ["a", "b\n"]}, "control character", "remove"),
            ({"class_names": ["x"]}, "1 name(s) for 2 classes", "class_names"),
            ({"class_names": ["x", "x"]}, "two class names are 'x'", "all differ"),
            ({"class_names": ["x", ""]}, "empty", "write a name"),
            ({"name": ""}, "empty", "write a name"),
        ],
    )
    def test_names_that_do_not_fit(self, names: dict[str, Any], problem: str, mend: str) -> None:
        tree = DecisionTreeClassifier().fit([[0.0, 1.0], [1.0, 0.0]], [3, 5])
        with pytest.raises(InputError) as caught:
            from_sklearn(tree, **names)
        assert type(caught.value) in (InputError, FormatError)
        assert problem in caught.value.problem
        assert mend in caught.value.mend


def fitted(kind: Any, **options: Any) -> Any:
    return kind(**options).fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])


class Overriding(DecisionTreeClassifier):  # type: ignore[misc]
    def predict(self, X: Any, check_input: bool = True) -> Any:  # noqa: N803
        return super().predict(X, check_input)[::-1]


@pytest.mark.parametrize(
    ("make", "problem", "mend"),
    [
        (lambda: None, "'NoneType' is not", "pass a fitted DecisionTreeClassifier"),
        (lambda: "model.pkl", "'str' is not", "read_model"),
        (lambda: DecisionTreeClassifier, "'ABCMeta' is not", "not the class"),
        (lambda: DecisionTreeClassifier(), "is not fitted", "'fit'"),
        (lambda: fitted(DecisionTreeRegressor), "'DecisionTreeRegressor' is not", "DecisionTreeClassifier"),
        (lambda: fitted(RandomForestRegressor, n_estimators=2), "'RandomForestRegressor' is not", "Classifier"),
        (lambda: make_pipeline(StandardScaler(), DecisionTreeClassifier()), "this Pipeline is not fitted", "'fit'"),
        (
            lambda: fitted(GridSearchCV, estimator=DecisionTreeClassifier(), param_grid={"max_depth": [1]}, cv=2),
            "'GridSearchCV' is not",
            "best_estimator_",
        ),
        (
            lambda: DecisionTreeClassifier().fit([[0.0], [1.0]], [[0, 1], [1, 0]]),
            "has 2 outputs",
            "one tree per output",
        ),
        (lambda: fitted(Overriding), "its own 'predict'", "plain"),
    ],
)
def test_other_objects_are_refused(make: Any, problem: str, mend: str) -> None:
    with pytest.raises(InputError) as caught:
        from_sklearn(make())
    assert problem in caught.value.problem
    assert mend in caught.value.mend
    assert str(caught.value).isprintable()


def test_a_chain_deeper_than_the_recursion_limit() -> None:
    table = np.arange(3000.0).reshape(-1, 1)
    tree = DecisionTreeClassifier(random_state=0, min_samples_leaf=1)
    # Labels that alternate at growing distance make a chain.
    tree.fit(table, np.arange(3000) % 2, sample_weight=np.exp(-np.arange(3000) / 60))
    graph = from_sklearn(tree)
    same_classes(tree, graph, table[::50])
    assert graph.node_count == tree.tree_.node_count


def random_arrays(chance: random.Random, nodes: int) -> TreeArrays:
    """Return a tree over two features with few thresholds, so that some edges can be taken by no number."""
    arrays = TreeArrays([-1], [-1], [-2], [-2.0], [False], [0])
    for _ in range(nodes):
        node = chance.choice([k for k, left in enumerate(arrays.left) if left < 0])
        count = len(arrays.left)
        arrays.left[node], arrays.right[node] = count, count + 1
        arrays.feature[node] = chance.randrange(2)
        arrays.threshold[node] = chance.choice([-math.inf, 0.0, 1e-46, 0.5, 0.5 + 1e-12, 3.4e38, math.inf])
        arrays.missing_left[node] = chance.random() < 0.5
        for column, value in zip(
            (arrays.left, arrays.right, arrays.feature, arrays.threshold, arrays.missing_left),
            (-1, -1, -2, -2.0, False),
            strict=True,
        ):
            column += [value] * 2  # type: ignore[operator]
        arrays.class_of.extend([count % 3, (count + 1) % 3])
    return arrays


@pytest.mark.parametrize("missing", [False, True])
def test_trees_without_idle_edges_are_known_as_such(missing: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(3)
    features = [Feature("a", Float32(missing)), Feature("b", Float32(missing))]
    known = 0
    for _ in range(400):
        arrays = random_arrays(chance, chance.randint(0, 5))
        graph = arrays_graph(arrays, features, ["x", "y", "z"], "random")
        known += graph.node_count == len(arrays.left)
        with monkeypatch.context() as patch:
            patch.setattr("xpgcheck.readers.source_trees._is_visited_everywhere", lambda *_: False)
            assert arrays_graph(arrays, features, ["x", "y", "z"], "random") == graph
        check_assumptions(graph)
    assert 50 < known < 350
