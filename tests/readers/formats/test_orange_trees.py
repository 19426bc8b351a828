"""Orange trees as objects: the class that the fitted tree gives, with unknown values and empty branches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from kappa_agreement import assert_same, neighbours, random_data, random_numbers

from xpgcheck.errors import InputError
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Categorical, Float64
from xpgcheck.readers.orange_tree import from_orange

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")


@pytest.fixture(scope="module")
def orange() -> Any:
    with np.testing.suppress_warnings() as quiet:
        quiet.filter(DeprecationWarning)
        try:
            import Orange.classification
            import Orange.data
        except ImportError:
            pytest.skip("the environment has no Orange")
    return Orange


COLOURS = ("blue", "green", "red", "white", "odd")


def fitted(orange: Any, seed: int, depth: int, missing: bool = True, **more: Any) -> Any:
    """Train on two numerical features, a Boolean one and one of five values, of which training sees four."""
    data, labels = random_data(seed, features=4, missing=False)
    rng = np.random.default_rng(seed)
    data[:, 2] = rng.integers(0, 2, len(data))
    data[:, 3] = rng.integers(0, 4, len(data))
    labels ^= data[:, 3] == 1
    if missing:
        data[rng.random(data.shape) < 0.1] = np.nan
    variables = [
        orange.data.ContinuousVariable("a"),
        orange.data.ContinuousVariable("b"),
        orange.data.DiscreteVariable("c", values=("0", "1")),
        orange.data.DiscreteVariable("colour", values=COLOURS),
    ]
    domain = orange.data.Domain(variables, orange.data.DiscreteVariable("y", values=("no", "yes", "never")))
    table = orange.data.Table.from_numpy(domain, data, labels)
    return orange.classification.TreeLearner(max_depth=depth, **more)(table)


def points(model: Any, graph: DecisionGraph, count: int, seed: int, missing: bool) -> Any:
    rng = np.random.default_rng(seed)
    ends: list[float] = [0.0, -0.0, 1e300, 5e-324]
    for literal in graph.literals:
        if isinstance(graph.features[literal.feature].domain, Float64):
            for span in literal.values.intervals():  # type: ignore[union-attr]
                ends += [x for end in (span.low, span.high) if end is not None for x in neighbours(float(end))]
    unknown = [float("nan")] if missing else []
    columns = [rng.choice(ends + unknown, count) for _ in range(2)]
    # The last quarter is random numbers of any size.
    for column in columns:
        column[-(count // 4) :] = random_numbers(rng, count // 4)
    columns += [rng.choice([*map(float, range(k)), *unknown], count) for k in (2, 5)]
    return np.column_stack(columns)


def agrees(orange: Any, model: Any, graph: DecisionGraph, rows: Any, missing: bool) -> int:
    table = orange.data.Table.from_numpy(orange.data.Domain(model.domain.attributes), rows)
    expected = [model.domain.class_var.values[int(k)] for k in model(table)]
    cells = rows.astype(object)
    for column, names in ((2, ("0", "1")), (3, COLOURS)):
        cells[:, column] = ["missing" if x != x else names[int(x)] for x in rows[:, column]]
    return assert_same(graph, cells, expected)


@pytest.mark.parametrize("depth", range(1, 13))
@pytest.mark.parametrize("binarize", [False, True])
def test_the_same_class_at_every_depth(orange: Any, depth: int, binarize: bool) -> None:
    for missing in (False, True):
        model = fitted(orange, depth, depth, binarize=binarize)
        graph = from_orange(model, missing=missing)
        assert_domains(graph, missing)
        agrees(orange, model, graph, points(model, graph, 400, depth, missing), missing)


def assert_domains(graph: DecisionGraph, missing: bool) -> None:
    domains = [feature.domain for feature in graph.features]
    more = ("missing",) if missing else ()
    assert domains == [Float64(missing)] * 2 + [Categorical(("0", "1", *more)), Categorical((*COLOURS, *more))]


@pytest.mark.slow
def test_hundreds_of_thousands_of_points(orange: Any) -> None:
    count = 0
    for depth in range(1, 13):
        for binarize in (False, True):
            model = fitted(orange, 30 + depth, depth, binarize=binarize)
            graph = from_orange(model, missing=True)
            count += agrees(orange, model, graph, points(model, graph, 10_000, depth, True), True)
    assert count >= 200_000


class TestRefused:
    def test_other_objects(self, orange: Any) -> None:
        model = fitted(orange, 0, 2)
        numbers = orange.regression.TreeLearner()(orange.data.Table("housing"))
        forest = orange.classification.RandomForestLearner(n_estimators=2)(orange.data.Table("iris"))
        copied = orange.classification.SklTreeLearner()(orange.data.Table("iris"))
        for thing, problem in [
            (numbers, "the tree is no classifier"),
            (forest, "not an Orange TreeModel; an ensemble is no decision graph"),
            (copied, "pass model.skl_model to from_sklearn"),
            (orange.classification.TreeLearner(), "pass what the learner returns|pass what TreeLearner"),
            (None, "an object of type 'NoneType' is not an Orange TreeModel"),
            (model.root, "is not an Orange TreeModel"),
        ]:
            with pytest.raises(InputError, match=problem):
                from_orange(thing)

    def test_a_value_called_missing(self, orange: Any) -> None:
        model = fitted(orange, 0, 2)
        model.domain.attributes[3].add_value("missing")
        with pytest.raises(InputError, match="has a value 'missing' already"):
            from_orange(model, missing=True)


def test_without_orange() -> None:
    with pytest.raises(InputError, match="is not an Orange TreeModel"):
        from_orange(object())
