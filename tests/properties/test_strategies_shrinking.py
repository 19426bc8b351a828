"""Shrinking ends at graphs as small as can be, or one non-terminal more, and at small formulas."""

import itertools

import pytest

from xpgcheck.model.domains import Float32
from xpgcheck.oracles.propositional.truth_tables import muses_exhaustive
from xpgcheck.properties.reduction.strategies import formula_cases
from xpgcheck.properties.reduction.strategies import labels as formula_labels
from xpgcheck.properties.running.search import Source, search_cases
from xpgcheck.properties.strategies import changes, labels, property_cases


def features_tested(graph):
    return [feature for feature in graph.feature_of if feature >= 0]


def has(label):
    return lambda case: label in labels(case.graph, case.instance)


def two_axps(case):
    """Tell whether there are two AXps, the minimal sets that meet every change."""
    found = changes(case.graph, case.instance)
    count = len(case.instance)
    weak = [
        frozenset(chosen)
        for size in range(count + 1)
        for chosen in itertools.combinations(range(count), size)
        if all(change & set(chosen) for change in found)
    ]
    return sum(1 for one in weak if not any(other < one for other in weak)) > 1


SHRUNK = {
    "a feature twice on a path": (has("repetition: yes"), 2, 2),
    "a shared non-terminal": (has("sharing: non-terminals"), 3, 3),
    "both": (lambda case: has("repetition: yes")(case) and has("sharing: non-terminals")(case), 3, 3),
    "two AXps": (two_axps, 2, 2),
    "a float32 feature tested": (
        lambda case: any(isinstance(case.graph.features[f].domain, Float32) for f in features_tested(case.graph)),
        1,
        1,
    ),
    # One node of three children would do, two of two are found as well.
    "three classes": (lambda case: len({k for k in case.graph.class_of if k >= 0}) > 2, 2, 2),
    "a node with three children": (lambda case: any(len(c) == 3 for c in case.graph.children), 1, 2),
    "a node with one child": (has("node: one child"), 1, 2),
    "a CXp of two features": (lambda case: any(len(c) == 2 for c in changes(case.graph, case.instance)), 2, 2),
    "a missing value": (has("instance: missing value"), 1, 2),
    "three features tested": (lambda case: len(set(features_tested(case.graph))) > 2, 3, 3),
    "several terminals of one class": (has("terminals: several of one class"), 1, 3),
    "not constant": (has("constant: no"), 1, 1),
}


FAST = {"both", "two AXps", "a missing value"}
"""Those of which another one is a part, or that shrink as another one does, are left to the slow tests."""


def smallest(cases, holds, examples, seed):
    """Return the case of *cases* on which *holds* that the search ends with."""
    found = search_cases(Source(cases, 600.0), lambda case, _: [("holds", None)] if holds(case) else [], examples, seed)
    return next(found).case


@pytest.mark.parametrize(
    ("what", "size"),
    [
        *((what, 12) if what in FAST else pytest.param(what, 12, marks=pytest.mark.slow) for what in SHRUNK),
        *(pytest.param(what, 40, marks=pytest.mark.slow) for what in SHRUNK if what in FAST),
    ],
)
def test_shrunk_cases_are_small(what, size):
    """With the first seed or, where shrinking ends in a local minimum (versions of Hypothesis differ), one of the next."""
    holds, least, features = SHRUNK[what]
    found = (smallest(property_cases(size=size), holds, 3_000, seed) for seed in (1, 2, 3))
    sizes = ((len(features_tested(case.graph)), len(case.graph.features), case.dice) for case in found)
    assert any(tested <= least + 1 and count <= features + 1 and dice == 0 for tested, count, dice in sizes)


def muses(least):
    return lambda formula: len(muses_exhaustive(formula)) >= least


SHRUNK_FORMULAS = {
    "unsatisfiable": (muses(1), 2, 2),
    "two MUSes": (muses(2), 4, 4),
    "three MUSes": (muses(3), 4, 4),
    "a MUS of three clauses": (lambda f: any(len(mus) == 3 for mus in muses_exhaustive(f)), 3, 5),
    "a MUS of four clauses": (lambda f: any(len(mus) == 4 for mus in muses_exhaustive(f)), 4, 8),
    "a clause in no MUS": (
        lambda f: muses_exhaustive(f) and len(frozenset().union(*muses_exhaustive(f))) < len(f.clauses),
        3,
        4,
    ),
    "a tautology": (lambda f: "tautology" in formula_labels(f), 1, 3),
    "two variables": (lambda f: f.variables > 1, 1, 2),
}


@pytest.mark.parametrize("what", SHRUNK_FORMULAS)
def test_shrunk_formulas_are_small(what):
    """One of a few seeds is enough: shrinking may end in a local minimum, by the version of Hypothesis."""
    wanted, clauses, literals = SHRUNK_FORMULAS[what]
    found = (smallest(formula_cases(), lambda case: wanted(case.formula), 500, seed) for seed in (1, 2, 3, 4))
    assert any(case.size[0] <= clauses and case.size[1] <= literals for case in found)
