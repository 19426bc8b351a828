"""Ensembles: κ by the votes, ties, cells, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from xpgcheck.errors import InputError, ModelError
from xpgcheck.model.classifier import Classifier, in_feature_space
from xpgcheck.model.combination import Majority
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Feature
from xpgcheck.model.ensemble import MAX_TREES, Ensemble, ensemble
from xpgcheck.model.value_sets import FiniteSet

FEATURES = (Feature("a", Boolean()), Feature("b", Boolean()))
CLASSES = ("c0", "c1", "c2")


def says(feature: int, no: int, yes: int, features: tuple[Feature, ...] = FEATURES, classes: Any = CLASSES) -> Any:
    edges = ((1, FiniteSet(frozenset([False]))), (2, FiniteSet(frozenset([True]))))
    nodes = {0: NonTerminal(feature, edges), 1: Terminal(no), 2: Terminal(yes)}
    return decision_graph("tree", features, classes, nodes)


def always(label: int) -> DecisionGraph:
    return decision_graph("constant", FEATURES, CLASSES, {0: Terminal(label)})


@pytest.mark.parametrize(
    ("votes", "winner"),
    [([0], 0), ([2, 1, 1], 1), ([0, 1], 0), ([2, 1], 1), ([2, 2, 0, 0], 0), ([1, 2, 2, 1, 0], 1), ([2, 2, 1], 2)],
)
def test_most_votes_win_and_ties_go_to_the_lowest_class(votes: list[int], winner: int) -> None:
    assert Majority().winner(votes, 3) == winner
    built = ensemble("votes", FEATURES, CLASSES, [always(vote) for vote in votes])
    assert built.kappa((False, False)) == winner


def test_kappa_counts_the_votes_of_the_trees() -> None:
    built = ensemble("three", FEATURES, CLASSES, [says(0, 0, 1), says(1, 0, 1), says(1, 0, 2)])
    assert built.votes((True, True)) == [1, 1, 2]
    assert {point: built.kappa(point) for point in [(a, b) for a in (False, True) for b in (False, True)]} == {
        (False, False): 0,
        (True, False): 0,
        (False, True): 0,
        (True, True): 1,
    }


def test_cells_are_those_of_all_trees() -> None:
    built = ensemble("two", FEATURES, CLASSES, [says(0, 0, 1), always(1)])
    assert [len(cells) for cells in built.cells] == [2, 1]
    assert built.node_count == 4


def test_graphs_and_ensembles_are_classifiers() -> None:
    classifiers: list[Classifier] = [always(0), ensemble("one", FEATURES, CLASSES, [always(0)])]
    for classifier in classifiers:
        assert classifier.kappa((True, False)) == 0
        assert in_feature_space(classifier, (True, False))
        assert not in_feature_space(classifier, (True,))
        assert not in_feature_space(classifier, (True, Fraction(1)))


def test_it_cannot_be_changed() -> None:
    built = ensemble("one", FEATURES, CLASSES, [always(0)])
    with pytest.raises(AttributeError):
        built.name = "other"  # type: ignore[misc]
    assert repr(built) == "<Ensemble 'one': 2 features, trees: 1, majority, ties to the lowest class>"


def test_no_trees_are_refused() -> None:
    with pytest.raises(ModelError, match="an ensemble of no trees; give at least one tree"):
        ensemble("none", FEATURES, CLASSES, [])


def test_too_many_trees_are_refused() -> None:
    with pytest.raises(ModelError, match=f"an ensemble of 10,001 trees; give at most {MAX_TREES:,}"):
        ensemble("many", FEATURES, CLASSES, [always(0)] * (MAX_TREES + 1))


def test_trees_over_other_features_or_classes_are_refused() -> None:
    other = says(0, 0, 1, (Feature("a", Boolean()), Feature("c", Boolean())))
    with pytest.raises(ModelError, match="tree 1: its features are not those of the ensemble; build every tree"):
        ensemble("mixed", FEATURES, CLASSES, [always(0), other])
    with pytest.raises(ModelError, match="tree 0: its classes are not those of the ensemble"):
        ensemble("mixed", FEATURES, ("c0", "c1"), [always(0)])


@pytest.mark.parametrize("trees", [None, 3, ["tree"], [None]])
def test_wrong_arguments(trees: Any) -> None:
    with pytest.raises(InputError):
        ensemble("wrong", FEATURES, CLASSES, trees)
    with pytest.raises(InputError):
        ensemble("wrong", FEATURES, CLASSES, [always(0)], "average")  # type: ignore[arg-type]
    assert isinstance(ensemble("right", FEATURES, CLASSES, (always(0),)), Ensemble)
