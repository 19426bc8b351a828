"""Prime implicants of ∀x. ψ(s, x) over the selectors s (reading A of the reduction), from the DNF ψ itself.

ψ has one selector in each term, positive, and the function g(s) = ∀x. ψ(s, x) grows with the selectors: a prime
implicant (PI) of g is a set of selectors, minimal among those that make ψ valid.  A point x leaves the terms whose other
literals hold there, and g(s) asks for one of their selectors at each x.

* ``selector_primes_exhaustive``: the truth of g at every subset of the selectors, from every point.
* ``selector_primes_by_expansion``: the minimal sets of selectors that points leave, which are the clauses of g as a
  monotone CNF (∀x expanded), by branching over x; then their minimal hitting sets by PySAT's ``Hitman``.

Both give selectors as clauses of φ: positions from 0.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable

from xpgcheck.oracles.propositional.bit_sets import holding, set_bits
from xpgcheck.oracles.propositional.families import Family, family
from xpgcheck.oracles.propositional.formulas import Dnf, Literals, clashes
from xpgcheck.oracles.propositional.limits import Deadline, TooLarge

MAX_SELECTORS = 16
MAX_VARIABLES = 14

MAX_BRANCHES = 20_000
"""Partial points that the expansion looks at."""

MAX_CLAUSES = 2_048
"""Clauses of the expansion, each compared with every branch."""

MAX_PRIMES = 4_096
"""Minimal hitting sets that are enumerated."""


def selector_primes_exhaustive(formula: Dnf, selectors: int) -> Family:
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


def selector_primes_by_expansion(formula: Dnf, selectors: int, *, deadline: Deadline | None = None) -> Family:
    """Return all PIs of ∀x. *formula*, whose variables 1 … *selectors* are the selectors.

    Exponential at worst in the variables x (branches) and in the number of PIs.

    Raises ``TooLarge`` over ``MAX_BRANCHES``, ``MAX_CLAUSES`` or ``MAX_PRIMES``, ``ValueError`` for a term that has not
    exactly one selector, or its negative, and ``OutOfTime`` once *deadline* has passed.
    """
    return family(minimal_hitting_sets(expanded(formula, selectors), deadline=deadline))


def expanded(formula: Dnf, selectors: int) -> Family:
    """Return ∀x. *formula* as a monotone CNF: the minimal clauses, each a set of selectors (positions from 0).

    The empty clause alone stands for 0: some point leaves no term.  There is at least one clause.  Branches on the
    variables, first on those that decide a short term; a branch that is sure to leave what another point left is cut.
    """
    found: list[int] = []  # Sets of selectors, as bits.
    branches = 0
    start = [(frozenset(rest), 1 << position) for position, rest in _split(formula, selectors) if not clashes(rest)]
    stack: list[list[tuple[frozenset[int], int]]] = [start]
    while stack:
        branches += 1
        if branches > MAX_BRANCHES:
            raise TooLarge(f"over {MAX_BRANCHES} branches of the expansion over x")
        branch = stack.pop()
        sure = functools.reduce(operator.or_, (bit for rest, bit in branch if not rest), 0)
        if any(clause & sure == clause for clause in found):
            continue
        open_terms = [rest for rest, bit in branch if not bit & sure]
        if not open_terms:
            found = [clause for clause in found if clause & sure != sure]
            found.append(sure)
            if len(found) > MAX_CLAUSES:
                raise TooLarge(f"over {MAX_CLAUSES} clauses of the expansion over x")
            continue
        shortest = min(open_terms, key=lambda rest: (len(rest), sorted(rest)))
        literal = min(shortest)
        # Taken off the stack first: the side on which the term falls, so that small clauses come early.
        stack.append([(rest - {literal}, bit) for rest, bit in branch if -literal not in rest])
        stack.append([(rest - {-literal}, bit) for rest, bit in branch if literal not in rest])
    return family(set_bits(clause) for clause in found)


def minimal_hitting_sets(
    sets: Iterable[frozenset[int]], *, htype: str = "lbx", deadline: Deadline | None = None
) -> Family:
    """Return the minimal sets that meet each of *sets*: ∅ alone for no sets, none where ∅ is among them.

    *htype* is the kind of enumerator of PySAT's ``Hitman``.  Raises ``TooLarge`` over ``MAX_PRIMES``, and ``OutOfTime``
    once *deadline* has passed (looked at after each).
    """
    from pysat.examples.hitman import Hitman

    until = deadline or Deadline()
    hitting: list[frozenset[int]] = []
    with Hitman(bootstrap_with=[sorted(members) for members in sets], solver="minisat-gh", htype=htype) as hitman:
        for found in hitman.enumerate():
            until.check()
            if len(hitting) >= MAX_PRIMES:
                raise TooLarge(f"over {MAX_PRIMES} minimal hitting sets")
            hitting.append(frozenset(found))
    return family(hitting)


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
