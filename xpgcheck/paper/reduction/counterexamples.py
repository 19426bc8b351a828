"""The readings of the reduction that fail: each as a claim, with its smallest counterexample found by going through all.

A claim says of every unsatisfiable formula and each clause γ_j of it that γ_j is in some MUS exactly if something holds of
its selector.  All is decided by truth tables, in the words of MUSes alone: with X a part of the units that say x = x₀, the
set S ∪ X of features is an AXp of ψ at (1, …, 1, x₀) exactly if the clauses of S and the units of X are minimally
unsatisfiable.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from xpgcheck.oracles.propositional.formulas import Cnf, Literals, Point, clashes, points
from xpgcheck.oracles.propositional.truth_tables import Tables


@dataclass(frozen=True, slots=True)
class ReadingCounterexample:
    """A formula and a clause (from 0) that is in no MUS, though the claim says it is, at x₀ = ``point`` if not None."""

    formula: Cnf
    clause: int
    point: Point | None = None


@dataclass(frozen=True, slots=True)
class ReadingClaim:
    """A reading that fails: ``refuted(formula)`` is a counterexample on *formula*, or None."""

    statement: str
    refuted: Callable[[Cnf], ReadingCounterexample | None]


def prime_implicants(formula: Cnf) -> ReadingCounterexample | None:
    """Refute reading B, or return None: a clause of no MUS that is no tautology."""
    for clause in _outside(formula):
        if not clashes(formula.clauses[clause]):
            return ReadingCounterexample(formula, clause)
    return None


def some_instance(formula: Cnf) -> ReadingCounterexample | None:
    """Refute reading C for some x₀, or return None: a clause of no MUS whose selector is in an AXp at the x₀ named.

    The same refutes reading C at that x₀.
    """
    return _at_one_of(formula, list(points(formula.variables)))


def first_instance(formula: Cnf) -> ReadingCounterexample | None:
    """Refute reading C at x₀ = 0, or return None: a clause of no MUS whose selector is in an AXp there."""
    return _at_one_of(formula, [(False,) * formula.variables])


def _at_one_of(formula: Cnf, instances: Sequence[Point]) -> ReadingCounterexample | None:
    for clause, point in itertools.product(_outside(formula), instances):
        if selector_in_axp(formula, clause, point):
            return ReadingCounterexample(formula, clause, point)
    return None


def every_instance(formula: Cnf) -> ReadingCounterexample | None:
    """Refute reading C for every x₀, or return None: a clause of no MUS whose selector is in an AXp at each x₀."""
    for clause in _outside(formula):
        if all(selector_in_axp(formula, clause, point) for point in points(formula.variables)):
            return ReadingCounterexample(formula, clause)
    return None


def selector_in_axp(formula: Cnf, clause: int, point: Point) -> bool:
    """Tell whether the selector of *clause* is in some AXp of ψ at (1, …, 1, *point*): if ψ is 1 there."""
    units = tuple((v if value else -v,) for v, value in enumerate(point, 1))
    return Tables(Cnf(formula.variables, (*formula.clauses, *units))).in_some_mus(clause)


CLAIMS = {
    "B": ReadingClaim(
        "γ_j is in some MUS iff s_j is in some prime implicant of ψ over selectors and x", prime_implicants
    ),
    "C-some": ReadingClaim(
        "γ_j is in some MUS iff s_j is in some AXp of ψ at (1, …, 1, x₀) for some x₀", some_instance
    ),
    "C-first": ReadingClaim("γ_j is in some MUS iff s_j is in some AXp of ψ at (1, …, 1, 0, …, 0)", first_instance),
    "C-every": ReadingClaim(
        "γ_j is in some MUS iff s_j is in some AXp of ψ at (1, …, 1, x₀) for every x₀", every_instance
    ),
}
"""The readings that fail, by name.  That a clause of a MUS has all these is a property; it is the converse that fails."""


def smallest_counterexample(
    refuted: ReadingClaim, clauses: int, variables: int, *, empty: bool = True
) -> ReadingCounterexample | None:
    """Return a counterexample with the fewest clauses, of these the fewest variables, of these the fewest literals.

    All formulas of at most *clauses* clauses over at most *variables* variables are tried, but for tautologies and, unless
    *empty*, the empty clause; so None is an answer too.  There are about 3^(nk) / k! of k clauses over n variables.
    """
    for count in range(1, clauses + 1):
        for over in range(variables + 1):
            for formula in formulas_of(count, over):
                found = refuted.refuted(formula) if empty or () not in formula.clauses else None
                if found is not None:
                    return found
    return None


def formulas_of(clauses: int, variables: int) -> Iterator[Cnf]:
    """Yield every formula of *clauses* clauses that uses all *variables*, fewest literals first; tautologies left out.

    Clauses are in one order only, and each variable's first literal is positive: others are the same but for names.
    """
    kinds = list(_clauses(variables))
    families = itertools.combinations_with_replacement(range(len(kinds)), clauses)
    by_literals = sorted(families, key=lambda chosen: sum(len(kinds[kind]) for kind in chosen))
    for chosen in by_literals:
        members = tuple(kinds[kind] for kind in chosen)
        first = list(dict.fromkeys(abs(literal) for clause in members for literal in clause))
        if first != list(range(1, variables + 1)):
            continue
        signs: dict[int, int] = {}
        for literal in itertools.chain.from_iterable(members):
            signs.setdefault(abs(literal), literal)
        if all(literal > 0 for literal in signs.values()):
            yield Cnf(variables, members)


def _clauses(variables: int) -> Iterator[Literals]:
    """Yield all clauses without clashes, short ones first."""
    signs = itertools.product((0, 1, -1), repeat=variables)
    made = (tuple(sign * v for v, sign in enumerate(chosen, 1) if sign) for chosen in signs)
    yield from sorted(made, key=lambda clause: (len(clause), [(abs(literal), literal < 0) for literal in clause]))


def _outside(formula: Cnf) -> list[int]:
    """Return the clauses of an unsatisfiable formula that are in no MUS; none of a satisfiable one."""
    tables = Tables(formula)
    count = len(formula.clauses)
    if not tables.unsatisfiable(range(count)):
        return []
    return [clause for clause in range(count) if not tables.in_some_mus(clause)]
