"""Rewritten classifiers have κ of the given ones at encoded points, and satisfy the assumptions on decision graphs."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest

from xpgcheck.columns.encoded import EncodedColumn, cells_of
from xpgcheck.columns.rewriting import rewritten
from xpgcheck.columns.steps import Fill, Lookup, Minus, Over, Times
from xpgcheck.errors import LimitError
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.combination import Majority
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Categorical, Feature, Float32, Float64
from xpgcheck.model.ensemble import ensemble
from xpgcheck.model.value_sets import Grid
from xpgcheck.model.values import MISSING, Point
from xpgcheck.readers.comparisons import at_most, sides

HOUSING = Categorical(("own", "rent", "free"))
FEATURES = (Feature("housing", HOUSING), Feature("age", Float64(missing=True)))
COLUMNS = (
    EncodedColumn(0, (Lookup({"own": 1.0, "rent": 0.0, "free": 0.0}),)),
    EncodedColumn(0, (Lookup({"own": 0.0, "rent": 1.0, "free": 0.0}),)),
    EncodedColumn(0, (Lookup({"own": 0.0, "rent": 2.0, "free": 1.0}),)),
    EncodedColumn(1, (Fill(MISSING, 0.1), Minus(3.3), Over(0.7))),
    EncodedColumn(1, (Fill(MISSING, 2.0), Times(-0.3))),
)
ENCODED = tuple(Feature(f"c{i}", Float32()) for i in range(5))
AGES = [Fraction(x) for x in (-7.0, 0.1, 2.0, 2.9999999999, 3.3, 3.4, 9.0, 1e30)]


def at(threshold):
    return sides(at_most(Grid.FLOAT32, threshold))


def random_graph(rng: random.Random, nodes: int, *, tree: bool) -> DecisionGraph:
    """A graph over the encoded columns whose paths are consistent there: each column is tested once on a path."""
    found = {}

    def grow(key: str, columns: tuple[int, ...]) -> str:
        if not columns or (tree and rng.random() < 0.2):
            found[key] = Terminal(rng.randrange(2))
            return key
        column, rest = columns[0], columns[1:]
        threshold = rng.choice((0.5, 1.5) if column == 2 else (0.5,) if column < 3 else (-1.0, 0.0, 0.25, -0.6))
        low, high = at(threshold)
        ends = []
        for side in range(2):
            name = f"{key}{side}" if tree else f"{len(columns)}.{rng.randrange(3)}"
            ends.append(name if name in found else grow(name, rest))
        if ends[0] == ends[1]:
            found[key] = NonTerminal(column, ((ends[0], low), ("leaf", high)))
            found["leaf"] = Terminal(0)
        else:
            found[key] = NonTerminal(column, ((ends[0], low), (ends[1], high)))
        return key

    order = list(range(5))
    rng.shuffle(order)
    grow("root", tuple(order))
    return decision_graph("g", ENCODED, ("no", "yes"), found, "root")


def encoded_point(point: Point) -> Point:
    cells = dict(cells_of(HOUSING))
    raw = [cells[point[0]], point[1] if point[1] is MISSING else float(point[1])]
    return tuple(Float32().binary.nearest(column.value(raw[column.original])) for column in COLUMNS)


POINTS = list(itertools.product(HOUSING.values, [*AGES, MISSING]))


@pytest.mark.parametrize("tree", [True, False])
def test_kappa_is_that_of_the_encoded_point(tree):
    for seed in range(60):
        graph = random_graph(random.Random(seed), 20, tree=tree)
        over = rewritten(graph, COLUMNS, FEATURES)
        check_assumptions(over)
        assert over.is_tree() or not graph.is_tree()
        assert over.node_count <= graph.node_count or not tree
        for point in POINTS:
            assert over.kappa(point) == graph.kappa(encoded_point(point)), (seed, point)


def test_an_ensemble_is_rewritten_tree_by_tree():
    trees = [random_graph(random.Random(seed), 20, tree=True) for seed in range(5)]
    votes = ensemble("e", ENCODED, ("no", "yes"), trees, Majority())
    over = rewritten(votes, COLUMNS, FEATURES)
    for point in POINTS:
        assert over.kappa(point) == votes.kappa(encoded_point(point))


def test_edges_that_no_category_takes_are_left_out():
    low, high = at(0.5)
    nodes = {
        "rent?": NonTerminal(1, (("own?", low), ("yes", high))),
        "own?": NonTerminal(0, (("not own?", low), ("no", high))),
        # Below 'neither rent nor own' everything is known: free is 1.0 of the ordinal column.
        "not own?": NonTerminal(2, (("never", low), ("rest", high))),
        "never": Terminal(1),
        "rest": Terminal(0),
        "yes": Terminal(1),
        "no": Terminal(0),
    }
    over = rewritten(decision_graph("g", ENCODED, ("no", "yes"), nodes), COLUMNS, FEATURES)
    assert set(over.node_ids) == {"rent?", "own?", "yes", "no", "rest"}
    literals = {str(edge.values) for node in range(over.node_count) for edge in over.edges(node)}
    assert literals == {"{rent}", "{free, own}", "{own}", "{free}"}


def test_over_too_many_nodes_it_is_given_up():
    graph = random_graph(random.Random(0), 20, tree=False)
    with pytest.raises(LimitError, match="over 3 nodes"):
        rewritten(graph, COLUMNS, FEATURES, limit=3)
