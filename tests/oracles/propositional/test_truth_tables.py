"""Truth tables against a second look at the same definitions."""

import itertools
import random

import pytest

from xpgcheck.oracles.propositional.formulas import Cnf, clause_holds, cnf, points
from xpgcheck.oracles.propositional.truth_tables import Tables, minimal, minimal_hitting_sets


def unsatisfiable(formula, members):
    return not any(
        all(clause_holds(formula.clauses[member], point) for member in members) for point in points(formula.variables)
    )


def subsets(count):
    return [frozenset(c) for size in range(count + 1) for c in itertools.combinations(range(count), size)]


def random_formula(dice):
    literals = [1, -1, 2, -2, 3, -3]
    clauses = [tuple(dice.choice(literals) for _ in range(dice.randrange(4))) for _ in range(dice.randrange(6))]
    return Cnf(3, tuple(clauses))


@pytest.mark.parametrize("seed", range(60))
def test_tables(seed):
    formula = random_formula(random.Random(seed))
    tables, count = Tables(formula), len(formula.clauses)
    all_sets = subsets(count)
    unsat = {members for members in all_sets if unsatisfiable(formula, members)}
    muses = {members for members in unsat if not any(other < members for other in unsat)}
    corrections = {members for members in all_sets if frozenset(range(count)) - members not in unsat}
    mcses = {members for members in corrections if not any(other < members for other in corrections)}
    assert {members for members in all_sets if tables.unsatisfiable(members)} == unsat
    assert {members for members in all_sets if tables.is_mus(members)} == muses
    assert {members for members in all_sets if tables.is_mcs(members)} == mcses
    assert minimal(unsat) == muses
    assert minimal_hitting_sets(mcses) == muses
    assert minimal_hitting_sets(muses) == mcses
    for clause in range(count):
        assert tables.in_some_mus(clause) == any(clause in mus for mus in muses)


def test_no_variables():
    tables = Tables(cnf([(), ()]))
    assert tables.is_mus({0})
    assert not tables.is_mus({0, 1})
    assert tables.is_mcs({0, 1})


def test_too_many_variables():
    with pytest.raises(ValueError, match="16 variables at most, not 17"):
        Tables(Cnf(17, ()))


def test_hitting_sets_of_nothing_and_of_the_empty_set():
    assert minimal_hitting_sets([]) == {frozenset()}
    assert minimal_hitting_sets([frozenset()]) == set()
