"""Random DNFs; prime implicants and AXps from every term, every set of features and every point."""

from __future__ import annotations

import itertools
import random

from odd_formulas import odd_formula

from xpgcheck.oracles.propositional.clause_families import Family, family
from xpgcheck.oracles.propositional.formulas import Dnf, Literals, Point, dnf, dnf_holds, points, term_holds

ODD_DNFS: dict[str, Dnf] = {
    "0": dnf([]),
    "0, variables": dnf([], 2),
    "0 by a clash": dnf([(1, -1)]),
    "1": dnf([()]),
    "1, variables": dnf([()], 2),
    "1 by two terms": dnf([(1,), (-1,)]),
    "1 by four terms": dnf([(1, 2), (1, -2), (-1, 2), (-1, -2)]),
    "1 among others": dnf([(1, 2), (), (-3,)]),
    "a clash among others": dnf([(1, -1, 2), (3,)]),
    "a clash that makes a variable look binate": dnf([(1, 2), (-1, 2, -2)]),
    "one literal": dnf([(-1,)]),
    "repeated literals": dnf([(1, 1, -2), (-2, 1, -2)]),
    "equal terms": dnf([(1, 2), (2, 1), (1, 2)]),
    "absorbed": dnf([(1,), (1, 2)]),
    "a consensus": dnf([(1, 2), (-1, 3)]),
    "a consensus that absorbs both": dnf([(1, 2), (-1, 2)]),
    "unused variables": dnf([(2, -4)], 5),
    "parity": dnf([(1, 2, 3), (1, -2, -3), (-1, 2, -3), (-1, -2, 3)]),
}


def odd_dnf(rng: random.Random, variables: int = 5, terms: int = 9) -> Dnf:
    """Return a random DNF: equal and empty terms, clashes, repeated literals, unused variables, none at all."""
    formula = odd_formula(rng, variables, terms)
    kept = formula.clauses if rng.random() < 0.3 else tuple(term for term in formula.clauses if term)
    return Dnf(formula.variables, kept)


def random_point(rng: random.Random, formula: Dnf) -> Point:
    return tuple(rng.random() < 0.5 for _ in range(formula.variables))


def primes_by_definition(formula: Dnf) -> set[frozenset[int]]:
    """Return the prime implicants, each term over the variables looked at by itself."""
    terms = [
        frozenset(sign * v for v, sign in enumerate(signs, start=1) if sign)
        for signs in itertools.product((0, 1, -1), repeat=formula.variables)
    ]
    implicants = {term for term in terms if is_implicant(formula, tuple(term))}
    return {term for term in implicants if not any(term - {literal} in implicants for literal in term)}


def is_implicant(formula: Dnf, term: Literals) -> bool:
    return all(dnf_holds(formula, point) for point in points(formula.variables) if term_holds(term, point))


def axps_by_definition(formula: Dnf, instance: Point) -> Family:
    """Return the AXps, each set of features looked at by itself (Eq. 1)."""
    features = range(formula.variables)
    weak = [
        frozenset(fixed)
        for size in range(formula.variables + 1)
        for fixed in itertools.combinations(features, size)
        if is_weak_axp(formula, instance, frozenset(fixed))
    ]
    return family(fixed for fixed in weak if not any(other < fixed for other in weak))


def is_weak_axp(formula: Dnf, instance: Point, fixed: frozenset[int]) -> bool:
    same = dnf_holds(formula, instance)
    return all(
        dnf_holds(formula, point) == same
        for point in points(formula.variables)
        if all(point[feature] == instance[feature] for feature in fixed)
    )
