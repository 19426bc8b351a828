"""Small formulas of every shape that a reader or a route may forget."""

from __future__ import annotations

import itertools
import random

from xpgcheck.oracles.propositional.clause_families import Family, family
from xpgcheck.oracles.propositional.formulas import Cnf, Literals, clause_holds, cnf, points

ODD: dict[str, Cnf] = {
    "no clause": cnf([]),
    "no clause, variables": cnf([], 3),
    "the empty clause": cnf([()]),
    "the empty clause twice": cnf([(), ()]),
    "the empty clause among others": cnf([(1,), (), (-1,)]),
    "a tautology": cnf([(1, -1)]),
    "a tautology between": cnf([(1,), (1, -1), (-1,)]),
    "repeated literals": cnf([(1, 1), (-1, -1, -1)]),
    "equal unit clauses": cnf([(1,), (1,), (-1,)]),
    "equal clauses": cnf([(1, 2), (2, 1), (1, 2), (-1,), (-2,)]),
    "unused variables": cnf([(2,), (-2,)], 5),
    "satisfiable": cnf([(1, 2), (-1, 2)]),
    "a clause in no MUS": cnf([(1,), (-1,), (2,)]),
    "overlapping MUSes": cnf([(1,), (-1,), (-1, 2), (-2,), (2, 3), (-3,)]),
    "subsumed": cnf([(1,), (1, 2), (-1,), (-1, 2), (-2,)]),
}

FAILS_EVERYWHERE = cnf([(1,), (2,), (-2,), (-1, 2, -3), (-1, -2, 3)])
"""Clause 0 is in no MUS, and its selector in an AXp at every x₀: with x_3 fixed at 1 by means of ¬x_2, at 0 of x_2."""


def odd_formula(rng: random.Random, variables: int = 5, clauses: int = 9) -> Cnf:
    """Return a random formula: duplicates, empty clauses, tautologies, repeated literals, unused variables, none at all."""
    count = rng.randint(0, variables)
    kept: list[Literals] = []
    for _ in range(rng.randint(0, clauses)):
        kind = rng.random()
        if kept and kind < 0.15:
            kept.append(rng.choice(kept))
        elif count == 0 or kind < 0.18:
            kept.append(())
        else:
            kept.append(tuple(rng.choice((1, -1)) * rng.randint(1, count) for _ in range(rng.randint(1, 3))))
    return Cnf(count, tuple(kept))


def satisfiable(formula: Cnf, chosen: frozenset[int]) -> bool:
    """Tell by every point whether the *chosen* clauses hold together somewhere."""
    return any(
        all(clause_holds(formula.clauses[clause], point) for clause in chosen) for point in points(formula.variables)
    )


def by_definition(formula: Cnf) -> tuple[Family, Family]:
    """Return the MUSes and MCSes, each subset looked at by itself."""
    everything = frozenset(range(len(formula.clauses)))
    subsets = [
        frozenset(chosen) for size in range(len(everything) + 1) for chosen in itertools.combinations(everything, size)
    ]
    unsatisfiable = [s for s in subsets if not satisfiable(formula, s)]
    corrections = [s for s in subsets if satisfiable(formula, everything - s)]
    return _minimal(unsatisfiable), _minimal(corrections)


def _minimal(sets: list[frozenset[int]]) -> Family:
    return family(s for s in sets if not any(t < s for t in sets))
