"""Size of a formula for reading C to fail at every x₀: all formulas over n variables at once, by SAT.

Sought is a set of clauses with a clause γ in no MUS and its selector in an AXp at every x₀.  Let Sat(p) be the clauses
that hold at p.  γ is in no MUS if for every p that falsifies γ there is an r that satisfies γ and Sat(p).  Its selector is
in an AXp at x₀ if for some p that falsifies γ, no r that agrees with x₀ where p does satisfies γ and Sat(p); at an x₀ that
falsifies γ it always is, by p = x₀.  So with a Boolean for each clause over the variables ("is in the set"), and one for
each pair (p, r) ("r satisfies Sat(p)"), both are clauses.  Up to the names and signs of variables γ is (1, …, m).

What is found is unsatisfiable: at a model x₀ of the whole set, no selector is in an AXp.
"""

from __future__ import annotations

import itertools

import pytest
from odd_formulas import FAILS_EVERYWHERE

from xpgcheck.oracles.propositional.formulas import Cnf, Literals, clause_holds, cnf, points
from xpgcheck.paper.reduction.counterexamples import every_instance


def all_clauses(variables: int) -> list[Literals]:
    """Return the clauses over the variables but the empty one and tautologies."""
    signs = itertools.product((0, 1, -1), repeat=variables)
    kinds = [tuple(v * sign for v, sign in enumerate(s, start=1) if sign) for s in signs]
    return sorted((clause for clause in kinds if clause), key=lambda clause: (len(clause), clause))


def failing_everywhere(variables: int, size: int, others: int | None) -> Cnf | None:
    """Return a formula whose first clause, (1, …, *size*), is in no MUS, and its selector in an AXp at every x₀.

    It has *others* clauses besides at most (None: any number).  None: there is no such formula.  Equal clauses, the empty
    clause and tautologies would make no difference, and are left out.
    """
    from pysat.card import CardEnc, EncType
    from pysat.solvers import Solver

    asked = tuple(range(1, size + 1))
    clauses = [clause for clause in all_clauses(variables) if clause != asked]
    number = itertools.count(len(clauses) + 1)
    below = [point for point in points(variables) if not clause_holds(asked, point)]
    above = [point for point in points(variables) if clause_holds(asked, point)]
    problem: list[list[int]] = []
    covers = {}
    for p, r in itertools.product(below, above):
        covers[p, r] = covering = next(number)
        apart = [
            position
            for position, clause in enumerate(clauses, start=1)
            if clause_holds(clause, p) and not clause_holds(clause, r)
        ]
        problem += [[-covering, -position] for position in apart] + [[covering, *apart]]
    problem += [[covers[p, r] for r in above] for p in below]
    for x0 in above:
        some = []
        for p in below:
            some.append(next(number))
            agreeing = [v for v in range(variables) if p[v] == x0[v]]
            problem += [[-some[-1], -covers[p, r]] for r in above if all(r[v] == x0[v] for v in agreeing)]
        problem.append(some)
    if others is not None:
        literals = list(range(1, len(clauses) + 1))
        at_most = CardEnc.atmost(literals, bound=others, top_id=next(number), encoding=EncType.seqcounter)
        problem += at_most.clauses
    with Solver(name="cadical153", bootstrap_with=problem) as solver:
        if not solver.solve():
            return None
        chosen = {literal for literal in solver.get_model() if literal > 0}
    return cnf([asked, *(clause for position, clause in enumerate(clauses, start=1) if position in chosen)], variables)


@pytest.mark.parametrize("size", [1, 2])
def test_no_formula_over_2_variables(size: int) -> None:
    assert failing_everywhere(2, size, None) is None


@pytest.mark.parametrize(("variables", "size"), [(3, 2), (3, 3), (4, 3), (4, 4)])
def test_no_formula_however_many_clauses(variables: int, size: int) -> None:
    assert failing_everywhere(variables, size, None) is None


@pytest.mark.parametrize(("variables", "size", "fewest"), [(3, 1, 4), (4, 1, 4), (4, 2, 5)])
def test_the_fewest_clauses(variables: int, size: int, fewest: int) -> None:
    assert failing_everywhere(variables, size, fewest - 1) is None
    found = failing_everywhere(variables, size, fewest)
    assert found is not None
    assert len(found.clauses) == fewest + 1
    assert every_instance(found)


def test_the_one_that_is_kept_is_smallest() -> None:
    assert (FAILS_EVERYWHERE.variables, len(FAILS_EVERYWHERE.clauses)) == (3, 5)
    assert every_instance(FAILS_EVERYWHERE)


@pytest.mark.parametrize("size", [pytest.param(1, marks=pytest.mark.slow), 2, 3, 4, 5])
def test_no_formula_of_4_clauses_over_5_variables(size: int) -> None:
    assert failing_everywhere(5, size, 3) is None
