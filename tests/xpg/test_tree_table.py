"""All CXps of many rows of a tree: the same as one explanation graph per row gives, and judged by the oracles."""

from __future__ import annotations

import itertools
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from xpgcheck.embedded import load
from xpgcheck.judging.panel import Panel
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import judge_axp, judge_family
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.properties.strategies import cases, trees
from xpgcheck.xpg import tree_table
from xpgcheck.xpg.ensembles.places import FeaturePlaces
from xpgcheck.xpg.explanation_graph import explanation_graph, features_of
from xpgcheck.xpg.families import all_cxps, minimal_hitting_sets, smallest_hitting_set
from xpgcheck.xpg.tree_table import TreeTable

# The benchmarks are in the checkout alone; last on the path, so that an installed xpgcheck comes first.
sys.path.append(str(Path(__file__).parents[2]))

from benchmarks.explain import random_tree

TREES = [
    random_tree(leaves, 9, seed, width) for seed, (leaves, width) in enumerate([(60, 8), (40, 3), (1, 2), (150, 30)])
]
WIDE = random_tree(90, 9, 7, 70)


def rows_of(graph: DecisionGraph, count: int, seed: int = 0) -> list[tuple[int, ...]]:
    rng = random.Random(seed)
    return [tuple(rng.randrange(len(split)) for split in graph.cells) for _ in range(count)]


def point_of(graph: DecisionGraph, row: tuple[int, ...]) -> tuple[Any, ...]:
    return tuple(split[place].representative() for split, place in zip(graph.cells, row, strict=True))


def compare(graph: DecisionGraph, count: int) -> None:
    rows = rows_of(graph, count)
    for row, (label, cxps) in zip(rows, TreeTable(graph).cxps(rows), strict=True):
        point = point_of(graph, row)
        assert label == graph.kappa(point)
        expected = all_cxps(explanation_graph(graph, point), 10**9)
        assert expected is not None
        assert cxps == sorted(expected)
        axps = minimal_hitting_sets(expected, 10**6)
        smallest = smallest_hitting_set(cxps, 10_000)
        assert smallest is not None
        if axps is not None:
            assert smallest in axps
            assert smallest.bit_count() == min(map(int.bit_count, axps))


@pytest.mark.parametrize("graph", [*TREES, WIDE], ids=lambda graph: f"{graph.name}, {len(graph.features)} features")
def test_rows_of_a_tree_have_the_cxps_that_their_explanation_graphs_have(graph: DecisionGraph) -> None:
    compare(graph, 60)


@pytest.mark.parametrize("name", ["wine", "digits", "breast_cancer"])
def test_embedded_trees_likewise(name: str) -> None:
    graph = load(name).graph
    assert graph.is_tree()
    compare(graph, 40)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(cases(trees()))
def test_trees_of_any_domains(case: Any) -> None:
    """Categories, Booleans, integers, reals and floats with a missing value, nodes with several edges."""
    graph, instance = case
    places = [FeaturePlaces(split) for split in graph.cells]
    row = tuple(own.of(value) for own, value in zip(places, instance, strict=True))
    ((label, cxps),) = TreeTable(graph).cxps([row])
    assert label == graph.kappa(instance)
    assert cxps == sorted(all_cxps(explanation_graph(graph, instance), 10**9) or [])


@pytest.mark.slow
def test_ten_thousand_rows_of_forty_trees() -> None:
    for seed in range(40):
        compare(random_tree(20 + 5 * seed, 4 + seed % 9, seed, 3 + seed % 28), 250)


def test_more_features_than_a_word_has_bits_and_no_table_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each row is looked at alone where numbers of 64 bits are too small, or the table would be too large."""
    wide = random_tree(200, 12, 3, 120)
    assert TreeTable(wide)._tables is None
    compare(wide, 20)
    monkeypatch.setattr(tree_table, "MAX_TABLE", 0)
    assert TreeTable(TREES[0])._tables is None
    compare(TREES[0], 20)


def test_without_numpy_rows_are_compared_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert TreeTable(TREES[1])._tables is None
    compare(TREES[1], 20)


def test_few_tested_features_beyond_the_first_word_keep_their_numbers() -> None:
    assert len(WIDE.features) > tree_table.WORD
    narrow = next(tree for tree in (random_tree(30, 9, seed, 100) for seed in range(9)) if max(tree.feature_of) > 64)
    assert TreeTable(narrow)._tables is not None
    compare(narrow, 30)


def test_the_oracles_accept_what_is_found() -> None:
    """The whole family of CXps, by duality with the AXps, and the smallest AXp on its own."""
    graph = TREES[0]
    rows = rows_of(graph, 3, 5)
    with Panel(graph) as panel:
        for row, (_, cxps) in zip(rows, TreeTable(graph).cxps(rows), strict=True):
            axps = minimal_hitting_sets(sorted(cxps, key=int.bit_count), 10**6)
            smallest = smallest_hitting_set(cxps, 10_000)
            assert axps is not None
            assert smallest is not None
            consensus = panel.at(point_of(graph, row))
            judged = judge_family(consensus, list(map(features_of, axps)), list(map(features_of, cxps)))
            assert judged.verdict is Verdict.COMPLETE
            assert judge_axp(consensus, features_of(smallest)).verdict is Verdict.AXP


def test_a_smallest_hitting_set_is_as_small_as_any() -> None:
    """Every family of sets over four features, and random ones over nine, against all minimal hitting sets."""
    small = [list(family) for size in range(4) for family in itertools.combinations(range(1, 16), size)]
    rng = random.Random(0)
    large = [[rng.randrange(1, 512) for _ in range(rng.randrange(1, 14))] for _ in range(300)]
    for family in small + large:
        every = minimal_hitting_sets(sorted(family, key=int.bit_count), 10**6)
        found = smallest_hitting_set(family, 10**6)
        assert every is not None
        assert found is not None
        assert all(found & mask for mask in family)
        assert found.bit_count() == min(map(int.bit_count, every))


def test_the_search_for_a_smallest_hitting_set_ends_at_its_budget() -> None:
    assert smallest_hitting_set([0b11, 0b110, 0b101], 1) is None
    assert smallest_hitting_set([], 1) == 0
