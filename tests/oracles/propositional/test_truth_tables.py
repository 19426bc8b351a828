"""Truth tables against the definitions, each subset looked at by itself."""

import itertools
import random

import pytest
from odd_formulas import ODD, by_definition, odd_formula

from xpgcheck.oracles.propositional.formulas import Cnf, Literals, clause_holds, points
from xpgcheck.oracles.propositional.limits import TooLarge
from xpgcheck.oracles.propositional.truth_tables import Tables

FORMULAS = [*ODD.values(), *(odd_formula(random.Random(seed), 3, 5) for seed in range(60))]


@pytest.mark.parametrize("formula", FORMULAS)
def test_tables(formula: Cnf) -> None:
    tables, count = Tables(formula), len(formula.clauses)
    muses, _ = by_definition(formula)
    for size in range(count + 1):
        for members in map(frozenset, itertools.combinations(range(count), size)):
            chosen: list[Literals] = [formula.clauses[member] for member in members]
            satisfied = [all(clause_holds(c, point) for c in chosen) for point in points(formula.variables)]
            assert tables.unsatisfiable(members) == (not any(satisfied))
            assert tables.models(members).bit_count() == sum(satisfied)
    for clause in range(count):
        assert tables.in_some_mus(clause) == any(clause in mus for mus in muses)


def test_too_many_variables() -> None:
    with pytest.raises(TooLarge, match="15 variables"):
        Tables(Cnf(15, ()))
