"""Reading D of the reduction: ψ as a classifier whose variables x have a third value ∗, which repairs reading C.  Ours.

The features are the k selectors, of domain {0, 1}, then the n variables of φ, of domain {0, 1, ∗}.  A point that has ∗
somewhere is of class 1; any other is of the class ψ(s, x).  The instance is (1, …, 1, ∗, …, ∗).

The theorem (which is not used here): for n ≥ 1 the AXps are {x_v} for each variable v of φ, and the MUSes of φ as sets of
selectors.  So s_j is in some AXp exactly if γ_j is in some MUS.
"""

from __future__ import annotations

import itertools

from xpgcheck.oracles.propositional.bit_sets import holding, left_fixed
from xpgcheck.oracles.propositional.clause_families import Family
from xpgcheck.oracles.propositional.formulas import Cnf, Literals
from xpgcheck.oracles.propositional.limits import TooLarge

STAR = None
"""The third value."""

MAX_VARIABLES = 8
"""The variables of φ: 3^8 points of them are looked at."""

MAX_FEATURES = 20
"""Selectors and variables: 2^20 sets of features, a bit each."""


def starred_axps_exhaustive(formula: Cnf) -> Family:
    """Return all AXps by the definition, from every point: feature j < k is s_j, and feature k + v − 1 is variable v.

    Without variables there is no ∗, and the instance is (1, …, 1): the AXps are the MUSes, but ∅ without a clause too.
    O(3^n · literals) steps and O(k + n) operations on 2^(k + n) bits, and O(2^n) on 2^k bits.

    Raises ``TooLarge`` over ``MAX_VARIABLES`` variables or ``MAX_FEATURES`` features.
    """
    selectors, variables = len(formula.clauses), formula.variables
    features = selectors + variables
    if variables > MAX_VARIABLES:
        raise TooLarge(f"{variables} variables: every point is looked at up to {MAX_VARIABLES}")
    if features > MAX_FEATURES:
        raise TooLarge(f"{features} features: every set of them is looked at up to {MAX_FEATURES}")
    every_choice = (1 << (1 << selectors)) - 1
    # Sets of selectors as bits: those at 0, where the instance has 1.  So bit 0 is the point that has all at 1.
    at_0 = [holding(selector, selectors) for selector in range(selectors)]

    def class_1(values: tuple[bool | None, ...]) -> int:
        """Return the sets of selectors at 0 with which the point that has *values* for x is of class 1."""
        if STAR in values:
            return every_choice
        found = 0
        for selector, clause in enumerate(formula.clauses):
            if _negation_holds(clause, values):
                found |= every_choice & ~at_0[selector]
        return found

    instance_class = class_1((STAR,) * variables) & 1
    letting_in = 0  # The sets of free features that let a point of the other class in.
    for values in itertools.product((False, True, STAR), repeat=variables):
        other_class = class_1(values) ^ (every_choice if instance_class else 0)
        if not other_class:
            continue
        differing = sum(1 << variable for variable, value in enumerate(values) if value is not STAR)
        letting_in |= other_class << (differing << selectors)
    return left_fixed(letting_in, features)


def _negation_holds(clause: Literals, values: tuple[bool | None, ...]) -> bool:
    """Tell whether every literal of *clause* is false: at ∗ no literal is, nor is its negative."""
    return all(values[abs(literal) - 1] is (literal < 0) for literal in clause)
