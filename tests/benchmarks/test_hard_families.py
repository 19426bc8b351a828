"""The families of benchmarks/hardness.py ask what they say: each against the 2QBF or the CNF that it is made of."""

import itertools
import sys
from pathlib import Path

# The benchmarks are in the checkout alone; last on the path, so that an installed xpgcheck comes first.
sys.path.append(str(Path(__file__).parents[2]))

from benchmarks.hard_families import (
    CLAUSES_PER_VARIABLE,
    MORE_CLAUSES,
    SAT_THRESHOLD,
    axp_question,
    mus_question,
    random_3cnf,
    random_qbf,
    xpg_question,
)
from xpgcheck.oracles.propositional.formulas import clashes, clause_holds, dnf_holds, points
from xpgcheck.xpg.membership import in_some_xp

QBFS = [random_qbf(3, seed, clauses) for clauses in (1, 5, 10, 20, 30, 40) for seed in range(8)]


def is_true(qbf):
    """∃X ∀Y ¬F, by all points."""
    clauses = [(x, *ys) for x, ys in qbf.clauses]
    return any(
        all(any(not clause_holds(clause, xs + ys) for clause in clauses) for ys in points(qbf.n))
        for xs in points(qbf.n)
    )


def in_some_mus(formula, clause):
    """By all points y that falsify the clause: is what y satisfies unsatisfiable together with the clause?"""
    everywhere = [[clause_holds(c, point) for c in formula.clauses] for point in points(formula.variables)]
    for held in everywhere:
        if not held[clause]:
            chosen = [i for i, holds in enumerate(held) if holds or i == clause]
            if not any(all(other[i] for i in chosen) for other in everywhere):
                return True
    return False


def in_some_cxp(formula, point, feature):
    """CXps are the minimal sets of features in which a point of the other class differs."""
    own = dnf_holds(formula, point)
    differences = {
        frozenset(i for i, value in enumerate(other) if value != point[i])
        for other in points(formula.variables)
        if dnf_holds(formula, other) != own
    }
    return any(feature in d and not any(other < d for other in differences) for d in differences)


def test_the_small_2qbfs_have_both_answers():
    answers = [is_true(qbf) for qbf in QBFS]
    assert answers.count(True) >= 10
    assert answers.count(False) >= 10


def test_the_clause_is_in_some_mus_where_the_2qbf_is_true():
    for qbf in QBFS:
        formula, clause = mus_question(qbf)
        assert in_some_mus(formula, clause) == is_true(qbf)


def test_the_feature_is_in_some_axp_of_the_dnf_where_the_2qbf_is_true():
    for qbf in QBFS:
        formula, point, feature = axp_question(qbf)
        assert dnf_holds(formula, point)
        assert len(point) == formula.variables == 3 * qbf.n + 1
        assert in_some_cxp(formula, point, feature) == is_true(qbf)


def test_the_feature_is_in_some_xp_of_the_graph_where_the_cnf_is_satisfiable():
    answers = []
    for seed in range(60):
        clauses = random_3cnf(4 + seed % 3, seed) * 2
        clauses = clauses[: 1 + seed]
        n = 4 + seed % 3
        satisfiable = any(all(clause_holds(clause, point) for clause in clauses) for point in points(n))
        xpg, feature = xpg_question(n, clauses)
        assert xpg.sigma(range(2 * n + 1))
        assert all(child > node for node, zeros in enumerate(xpg.zero_children) for child in zeros)
        assert in_some_xp(xpg, feature) == satisfiable
        answers.append(satisfiable)
    assert min(answers.count(True), answers.count(False)) >= 10


def test_inputs_are_linear_and_repeat():
    for n in (3, 10, 50):
        qbf = random_qbf(n, 1)
        assert qbf == random_qbf(n, 1) != random_qbf(n, 2)
        assert len(qbf.clauses) == CLAUSES_PER_VARIABLE * n + MORE_CLAUSES
        assert sum(map(len, mus_question(qbf)[0].clauses)) == 2 * n + 1 + 5 * len(qbf.clauses)
        assert sum(map(len, axp_question(qbf)[0].terms)) == 5 * len(qbf.clauses) + 3 * n + 2 * n
        clauses = random_3cnf(n, 1)
        assert clauses == random_3cnf(n, 1) != random_3cnf(n, 2)
        assert len(clauses) == round(SAT_THRESHOLD * n)
        assert not any(map(clashes, clauses))
        xpg, feature = xpg_question(n, clauses)
        assert xpg.node_count == 2 * n + 1 + 3 * len(clauses) + 2
        assert xpg.variables[feature] == "t"
        assert {len(set(map(abs, clause))) for clause in itertools.chain(clauses)} == {3}
