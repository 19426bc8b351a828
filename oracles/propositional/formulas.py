"""CNFs and DNFs as immutable data.

Variables count from 1, and a literal is a variable or its negative, as in DIMACS.  Clauses and terms count from 0, and
duplicates stay: a clause is meant by its position, so equal clauses are different members of MUSes.  A *point* gives
variable v the value ``point[v - 1]``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

Literals = tuple[int, ...]
"""The literals of a clause (one has to hold) or of a term (all have to hold)."""

Point = tuple[bool, ...]
"""A value for each variable."""


@dataclass(frozen=True, slots=True)
class Cnf:
    """A conjunction of ``clauses`` over the variables 1 … ``variables``.  Without clauses it is 1; an empty clause is 0."""

    variables: int
    clauses: tuple[Literals, ...]

    def __post_init__(self) -> None:
        _check(self.variables, self.clauses)


@dataclass(frozen=True, slots=True)
class Dnf:
    """A disjunction of ``terms`` over the variables 1 … ``variables``.  Without terms it is 0; an empty term is 1."""

    variables: int
    terms: tuple[Literals, ...]

    def __post_init__(self) -> None:
        _check(self.variables, self.terms)


def cnf(clauses: Iterable[Iterable[int]], variables: int | None = None) -> Cnf:
    """Return the CNF of *clauses*, over as many variables as they name if *variables* is None.  O(literals)."""
    kept = tuple(tuple(clause) for clause in clauses)
    return Cnf(_highest(kept) if variables is None else variables, kept)


def dnf(terms: Iterable[Iterable[int]], variables: int | None = None) -> Dnf:
    """Return the DNF of *terms*, over as many variables as they name if *variables* is None.  O(literals)."""
    kept = tuple(tuple(term) for term in terms)
    return Dnf(_highest(kept) if variables is None else variables, kept)


def holds(literal: int, point: Sequence[bool]) -> bool:
    """Tell whether *literal* holds at *point*."""
    return point[abs(literal) - 1] == (literal > 0)


def clause_holds(clause: Literals, point: Sequence[bool]) -> bool:
    """Tell whether some literal of *clause* holds at *point*.  O(literals)."""
    return any(holds(literal, point) for literal in clause)


def term_holds(term: Literals, point: Sequence[bool]) -> bool:
    """Tell whether all literals of *term* hold at *point*.  O(literals)."""
    return all(holds(literal, point) for literal in term)


def dnf_holds(formula: Dnf, point: Sequence[bool]) -> bool:
    """Tell whether *formula* is 1 at *point*.  O(literals)."""
    return any(term_holds(term, point) for term in formula.terms)


def clashes(literals: Literals) -> bool:
    """Tell whether a literal and its negative are among *literals*: a tautology as a clause, 0 as a term.  O(literals)."""
    seen = set(literals)
    return any(-literal in seen for literal in seen)


def points(variables: int) -> Iterator[Point]:
    """Yield all 2^*variables* points, the all-0 one first, the last variable fastest."""
    return itertools.product((False, True), repeat=variables)


def _highest(lists: Iterable[Literals]) -> int:
    return max((abs(literal) for literals in lists for literal in literals), default=0)


def _check(variables: int, lists: Iterable[Literals]) -> None:
    if variables < 0:
        raise ValueError(f"a formula cannot have {variables} variables")
    for position, literals in enumerate(lists):
        for literal in literals:
            if literal == 0 or abs(literal) > variables:
                raise ValueError(f"literal {literal} at position {position} is not over the variables 1 … {variables}")
