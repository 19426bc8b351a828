"""Prime implicants of ∀x. ψ(s, x) over the selectors s (reading A of the reduction), from the DNF ψ itself.

ψ has one selector in each term, positive, and the function g(s) = ∀x. ψ(s, x) grows with the selectors: a prime
implicant (PI) of g is a set of selectors, minimal among those that make ψ valid.  A point x leaves the terms whose other
literals hold there, and g(s) asks for one of their selectors at each x.

The truth of g at every subset of the selectors is found from every point.  Selectors are clauses of φ: positions from 0.
"""

from __future__ import annotations

import functools
import operator

from xpgcheck.oracles.propositional.bit_sets import holding, set_bits
from xpgcheck.oracles.propositional.clause_families import Family, family
from xpgcheck.oracles.propositional.formulas import Dnf, Literals
from xpgcheck.oracles.propositional.limits import TooLarge

MAX_SELECTORS = 16
MAX_VARIABLES = 14


def selector_primes(formula: Dnf, selectors: int) -> Family:
    """Return all PIs of ∀x. *formula*, whose variables 1 … *selectors* are the selectors.

    O(2^n · t) for the points, of t terms and n variables that occur, and for each set of selectors that a point leaves at
    most *selectors* operations on 2^selectors bits.

    Raises ``TooLarge`` over ``MAX_SELECTORS`` or ``MAX_VARIABLES``, ``ValueError`` for a term that has not exactly one
    selector, or its negative.
    """
    terms = _split(formula, selectors)
    if selectors > MAX_SELECTORS:
        raise TooLarge(f"{selectors} selectors: every subset is looked at up to {MAX_SELECTORS}")
    occurring = sorted({abs(literal) for _, rest in terms for literal in rest})
    if len(occurring) > MAX_VARIABLES:
        raise TooLarge(f"{len(occurring)} variables: every point is looked at up to {MAX_VARIABLES}")
    columns = [holding(position, selectors) for position in range(selectors)]
    valid = (1 << (1 << selectors)) - 1
    for left in _left_by_points(terms, occurring):
        valid &= functools.reduce(operator.or_, (columns[position] for position in set_bits(left)), 0)
    minimal = valid
    for position, with_selector in enumerate(columns):
        minimal &= ~((valid & ~with_selector) << (1 << position))
    return family(set_bits(subset) for subset in set_bits(minimal))


def _split(formula: Dnf, selectors: int) -> list[tuple[int, Literals]]:
    """Return, of each term, its selector (from 0) and its other literals."""
    if not 0 <= selectors <= formula.variables:
        raise ValueError(f"{selectors} selectors among {formula.variables} variables")
    terms = []
    for position, term in enumerate(formula.terms):
        chosen = {literal for literal in term if abs(literal) <= selectors}
        if len(chosen) != 1 or min(chosen) < 0:
            raise ValueError(
                f"the term at position {position} has not exactly one selector, positive: {sorted(chosen)}"
            )
        terms.append((chosen.pop() - 1, tuple(literal for literal in term if abs(literal) > selectors)))
    return terms


def _left_by_points(terms: list[tuple[int, Literals]], occurring: list[int]) -> set[int]:
    """Return the sets of selectors (as bits) of the terms that points leave."""
    bit = {variable: 1 << position for position, variable in enumerate(occurring)}
    kinds = []
    for position, rest in terms:
        positive = sum({bit[literal] for literal in rest if literal > 0})
        negative = sum({bit[-literal] for literal in rest if literal < 0})
        kinds.append((1 << position, positive, negative))
    found = set()
    for point in range(1 << len(occurring)):
        left = 0
        for selector, positive, negative in kinds:
            if point & positive == positive and not point & negative:
                left |= selector
        found.add(left)
    return found
