"""MUSes and their like by the definitions, over truth tables, without a solver: what routes and properties are held against.

It shares nothing with the routes: a clause is the set of all points at which it holds, as a number of 2^n bits, so a set of
clauses is satisfiable where the intersection is not empty.

A set of clauses is a minimal unsatisfiable subset (MUS) if it is unsatisfiable and each of its proper subsets is
satisfiable; a minimal correction subset (MCS) if what it leaves is satisfiable, which holds of none of its proper
subsets.  A satisfiable formula has no MUS and the one MCS ∅.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

from xpgcheck.oracles.propositional.clause_families import Family, family
from xpgcheck.oracles.propositional.formulas import Cnf, Literals
from xpgcheck.oracles.propositional.limits import TooLarge

MAX_CLAUSES = 14
"""Clauses up to which every subset is looked at."""

MAX_VARIABLES = 14
"""Variables up to which tables are made."""


def muses_exhaustive(formula: Cnf) -> Family:
    """Return all MUSes of *formula*, from every subset of its clauses: O(k · 2^k) operations on 2^n bits.

    Raises ``TooLarge`` over ``MAX_CLAUSES`` clauses or ``MAX_VARIABLES`` variables.
    """
    models = _models_of_subsets(formula)
    unsatisfiable = (subset for subset, found in enumerate(models) if not found)
    return family(map(_members, (s for s in unsatisfiable if all(models[s ^ clause] for clause in _clauses(s)))))


def mcses_exhaustive(formula: Cnf) -> Family:
    """Return all MCSes of *formula*: what the maximal satisfiable subsets leave.  Costs and limits are the same."""
    models, everything = _models_of_subsets(formula), (1 << len(formula.clauses)) - 1
    left = (everything ^ subset for subset, found in enumerate(models) if found)
    return family(map(_members, (s for s in left if not any(models[everything ^ s ^ c] for c in _clauses(s)))))


def _models_of_subsets(formula: Cnf) -> list[int]:
    """Return the points at which all clauses of each subset hold, as bits; a subset is a number, bit j for clause j."""
    count = len(formula.clauses)
    if count > MAX_CLAUSES:
        raise TooLarge(f"{count} clauses: every subset is looked at up to {MAX_CLAUSES}")
    tables = Tables(formula)
    models = [tables.everything]
    for clause in tables.clauses:
        models += [found & clause for found in models]
    return models


def _clauses(subset: int) -> Iterator[int]:
    """Yield the clauses of *subset*, each as a subset of its own."""
    while subset:
        lowest = subset & -subset
        yield lowest
        subset ^= lowest


def _members(subset: int) -> frozenset[int]:
    return frozenset(clause.bit_length() - 1 for clause in _clauses(subset))


class Tables:
    """The truth tables of the clauses of a formula.  2^n bits a clause for n variables."""

    def __init__(self, formula: Cnf) -> None:
        """Make the tables.  Raises ``TooLarge`` over ``MAX_VARIABLES`` variables."""
        if formula.variables > MAX_VARIABLES:
            raise TooLarge(f"{formula.variables} variables: every point is looked at up to {MAX_VARIABLES}")
        self.everything = (1 << (1 << formula.variables)) - 1
        self._columns = [self._column(variable, formula.variables) for variable in range(formula.variables)]
        self.clauses = tuple(self._clause(clause) for clause in formula.clauses)

    def models(self, members: Iterable[int]) -> int:
        """Return the points at which all clauses of *members* hold, as bits."""
        return functools.reduce(int.__and__, (self.clauses[member] for member in members), self.everything)

    def unsatisfiable(self, members: Iterable[int]) -> bool:
        """Tell whether no point satisfies *members*."""
        return self.models(members) == 0

    def in_some_mus(self, clause: int) -> bool:
        """Tell whether *clause* is in some MUS.

        It is exactly if some point y falsifies it, and the clauses that hold at y are unsatisfiable together with it: a
        MUS of those has to contain it, and of a MUS M that does, any point that satisfies M without it is such a y.
        """
        count = len(self.clauses)
        for held in {
            frozenset(c for c in range(count) if self.clauses[c] >> point & 1)
            for point in range(self.everything.bit_length())
            if not self.clauses[clause] >> point & 1
        }:
            if self.unsatisfiable([*held, clause]):
                return True
        return False

    def literal(self, literal: int) -> int:
        """Return the points at which *literal* holds, as bits."""
        column = self._columns[abs(literal) - 1]
        return column if literal > 0 else self.everything & ~column

    def _clause(self, clause: Literals) -> int:
        return functools.reduce(int.__or__, map(self.literal, clause), 0)

    @staticmethod
    def _column(variable: int, variables: int) -> int:
        return sum(1 << point for point in range(1 << variables) if point >> variable & 1)
