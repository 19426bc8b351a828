"""Traits of the formulas: floors under the distribution, and their labels."""

from collections import Counter
from itertools import combinations

import pytest

from xpgcheck.oracles.propositional.formulas import Cnf, cnf
from xpgcheck.oracles.propositional.truth_tables import mcses_exhaustive, muses_exhaustive
from xpgcheck.properties.reduction.strategies import MAX_CLAUSES, MAX_VARIABLES, formula_cases, labels
from xpgcheck.properties.running.search import visit

DRAWS = 420
RUNS = 3


@pytest.fixture(scope="module")
def shares():
    counts: Counter[str] = Counter()

    def look(case):
        formula = case.formula
        assert len(formula.clauses) <= MAX_CLAUSES
        assert formula.variables <= MAX_VARIABLES
        muses = muses_exhaustive(formula)
        counts.update(labels(formula))
        counts["all"] += 1
        counts["satisfiable"] += not muses
        counts["two MUSes or more"] += len(muses) > 1
        counts["six MUSes or more"] += len(muses) > 5
        counts["MUSes overlap"] += any(a & b for a, b in combinations(muses, 2))
        counts["a clause in no MUS"] += bool(muses) and len(frozenset().union(*muses)) < len(formula.clauses)
        counts["a MUS of four clauses or more"] += any(len(mus) > 3 for mus in muses)
        counts["an MCS of two clauses or more"] += any(len(mcs) > 1 for mcs in mcses_exhaustive(formula))
        counts["at most 3 clauses"] += len(formula.clauses) < 4
        counts["10 clauses or more"] += len(formula.clauses) > 9
        counts["6 variables or more"] += formula.variables > 5
        counts["no variable"] += not formula.variables

    for run in range(RUNS):
        visit(formula_cases(), look, DRAWS // RUNS, run)
    return {label: 100 * count / counts["all"] for label, count in counts.items()}


@pytest.mark.parametrize(
    ("label", "least", "most"),
    [
        ("satisfiable", 3, 25),
        ("two MUSes or more", 35, 90),
        ("six MUSes or more", 7, 60),
        ("MUSes overlap", 30, 90),
        ("a clause in no MUS", 35, 90),
        ("a MUS of four clauses or more", 6, 80),
        ("an MCS of two clauses or more", 35, 90),
        ("at most 3 clauses", 12, 50),
        ("10 clauses or more", 5, 40),
        ("6 variables or more", 4, 40),
        ("no variable", 0.2, 9),
        ("no clause", 0.2, 5),
        ("empty clause", 5, 30),
        ("unit clause", 40, 98),
        ("duplicates", 25, 80),
        ("subsumed", 25, 80),
        ("tautology", 15, 60),
        ("repeated literal", 15, 60),
        ("unused variable", 10, 60),
    ],
)
def test_how_often(shares, label, least, most):
    assert least <= shares.get(label, 0) <= most


@pytest.mark.parametrize(
    ("label", "formula"),
    [
        ("no clause", cnf([])),
        ("empty clause", cnf([()])),
        ("unit clause", cnf([(1,)])),
        ("duplicates", cnf([(1, 2), (2, 1)])),
        ("subsumed", cnf([(1, 2), (2,)])),
        ("tautology", cnf([(1, 2, -1)])),
        ("repeated literal", cnf([(1, 1)])),
        ("unused variable", Cnf(2, ((1,),))),
        (None, cnf([(1, 2), (1, -2)])),
    ],
)
def test_labels(label, formula):
    found = set(labels(formula)) - ({"unit clause"} if label in {"subsumed", "unused variable"} else set())
    assert found == ({label} if label else set())
