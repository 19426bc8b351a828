"""MUSes and MCSes from the truth of every subset of the clauses: by the definitions, without a solver.

A subset of k clauses is a number below 2^k (bit j: clause j is in it), and a set of subsets is one Python integer of
2^k bits (bit m: subset m is in it).  Then "with clause j taken out" is a shift of the whole set by 2^j.

A set of clauses is a minimal unsatisfiable subset (MUS) if it is unsatisfiable and each of its proper subsets is
satisfiable; a minimal correction subset (MCS) if what it leaves is satisfiable, which holds of none of its proper
subsets.  A satisfiable formula has no MUS and the one MCS ∅.
"""

from __future__ import annotations

from xpgcheck.oracles.propositional.bit_sets import holding, set_bits
from xpgcheck.oracles.propositional.families import Family, family
from xpgcheck.oracles.propositional.formulas import Cnf, Point, cnf_holds, points
from xpgcheck.oracles.propositional.limits import TooLarge

MAX_CLAUSES = 14
MAX_VARIABLES = 14


def muses_exhaustive(formula: Cnf) -> Family:
    """Return all MUSes of *formula*.

    O(2^n · k) steps for the points and O(k · 2^k) bit operations, of n variables and k clauses.

    Raises ``TooLarge`` over ``MAX_CLAUSES`` clauses or ``MAX_VARIABLES`` variables.
    """
    satisfiable, columns = _satisfiable_subsets(formula)
    unsatisfiable = _all_subsets(formula) & ~satisfiable
    minimal = unsatisfiable
    for clause, with_clause in enumerate(columns):
        # Subsets that stay unsatisfiable without the clause are not minimal.
        minimal &= ~((unsatisfiable & ~with_clause) << (1 << clause))
    return family(_members(subset) for subset in set_bits(minimal))


def mcses_exhaustive(formula: Cnf) -> Family:
    """Return all MCSes of *formula*: what the maximal satisfiable subsets leave.  Costs and limits are the same."""
    satisfiable, columns = _satisfiable_subsets(formula)
    maximal = satisfiable
    for clause, with_clause in enumerate(columns):
        maximal &= ~((satisfiable & with_clause) >> (1 << clause))
    everything = (1 << len(formula.clauses)) - 1
    return family(_members(everything ^ subset) for subset in set_bits(maximal))


def satisfiable_exhaustive(formula: Cnf) -> Point | None:
    """Return the first point (the all-0 one first) at which *formula* is 1, or None.  O(2^n · literals).

    Raises ``TooLarge`` over ``MAX_VARIABLES`` variables; any number of clauses will do.
    """
    _check_variables(formula)
    return next((point for point in points(formula.variables) if cnf_holds(formula, point)), None)


def _satisfiable_subsets(formula: Cnf) -> tuple[int, list[int]]:
    """Return the set of satisfiable subsets and, of each clause, the set of the subsets that hold it."""
    _check_variables(formula)
    count = len(formula.clauses)
    if count > MAX_CLAUSES:
        raise TooLarge(f"{count} clauses: every subset is looked at up to {MAX_CLAUSES}")
    satisfiable = 0
    for subset in _true_together(formula):
        satisfiable |= 1 << subset
    columns = [holding(clause, count) for clause in range(count)]
    for clause, with_clause in enumerate(columns):
        # Subsets of what one point satisfies are satisfied by it.
        satisfiable |= (satisfiable & with_clause) >> (1 << clause)
    return satisfiable, columns


def _true_together(formula: Cnf) -> set[int]:
    """Return, of each point, the subset of all clauses that hold there."""
    kinds = []
    for clause in formula.clauses:
        positive = sum({1 << (literal - 1) for literal in clause if literal > 0})
        negative = sum({1 << (-literal - 1) for literal in clause if literal < 0})
        kinds.append((positive, negative))
    found = set()
    for point in range(1 << formula.variables):
        subset = 0
        for position, (positive, negative) in enumerate(kinds):
            if point & positive or ~point & negative:
                subset |= 1 << position
        found.add(subset)
    return found


def _all_subsets(formula: Cnf) -> int:
    return (1 << (1 << len(formula.clauses))) - 1


def _members(subset: int) -> frozenset[int]:
    return frozenset(set_bits(subset))


def _check_variables(formula: Cnf) -> None:
    if formula.variables > MAX_VARIABLES:
        raise TooLarge(f"{formula.variables} variables: every point is looked at up to {MAX_VARIABLES}")
