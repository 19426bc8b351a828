"""Prime implicants of a DNF by iterated consensus, one variable after the other.

The consensus of the terms v ∧ p and ¬v ∧ q is p ∧ q, an implicant of their disjunction.  Taking each variable once, adding
the consensus of each pair of terms that have it with both signs, and leaving out each term that contains another one
(absorption), ends with all prime implicants.

P. Tison, "Generalization of consensus theory and application to the minimization of Boolean functions", IEEE
Transactions on Electronic Computers EC-16 (1967) 446–456.
"""

from __future__ import annotations

from collections.abc import Iterable

from xpgcheck.oracles.propositional.formulas import Dnf, Literals
from xpgcheck.oracles.propositional.limits import TooLarge

MAX_TERMS = 4_096
"""Terms that are kept after absorption, at any step."""

MAX_CANDIDATES = 32_768
"""Different terms before absorption, at any step: each may be compared with all that are kept."""


def prime_implicants(formula: Dnf) -> tuple[Literals, ...]:
    """Return all PIs of *formula*, in the order of ``sorted_terms``; () alone for the constant 1, none for 0.

    For each variable, O(p²) pairs of the p terms that are there, and O(c · p) comparisons for c candidates.

    Raises ``TooLarge`` over ``MAX_TERMS`` terms or ``MAX_CANDIDATES`` candidates.
    """
    variables = formula.variables
    low = (1 << variables) - 1
    # Bit v - 1: the literal v; bit variables + v - 1: the literal ¬v.
    masks = {sum({_bit(literal, variables) for literal in term}) for term in formula.terms}
    terms = _absorbed(mask for mask in masks if not mask & low & (mask >> variables))
    for variable in range(1, variables + 1):
        positive, negative = _bit(variable, variables), _bit(-variable, variables)
        with_positive = [term & ~positive for term in terms if term & positive]
        with_negative = [term & ~negative for term in terms if term & negative]
        candidates = set(terms)
        for one in with_positive:
            for other in with_negative:
                consensus = one | other
                if not consensus & low & (consensus >> variables):
                    candidates.add(consensus)
            if len(candidates) > MAX_CANDIDATES:
                raise TooLarge(f"over {MAX_CANDIDATES} terms at once by consensus")
        if len(candidates) > len(terms):
            terms = _absorbed(candidates)
    return sorted_terms(_literals(term, variables) for term in terms)


def _absorbed(terms: Iterable[int]) -> list[int]:
    """Return *terms* (all different) without those that contain another one."""
    kept: list[int] = []
    for term in sorted(terms, key=lambda mask: (mask.bit_count(), mask)):
        for other in kept:
            if other & term == other:
                break
        else:
            kept.append(term)
    if len(kept) > MAX_TERMS:
        raise TooLarge(f"{len(kept)} terms at once by consensus, of which {MAX_TERMS} are taken")
    return kept


def _bit(literal: int, variables: int) -> int:
    return 1 << (literal - 1 if literal > 0 else variables - literal - 1)


def _literals(mask: int, variables: int) -> list[int]:
    return [v for v in range(1, variables + 1) if mask & _bit(v, variables)] + [
        -v for v in range(1, variables + 1) if mask & _bit(-v, variables)
    ]


def sorted_terms(terms: Iterable[Iterable[int]]) -> tuple[Literals, ...]:
    """Return *terms* as sets of literals, each once: equal lists of terms are equal tuples.

    Literals stand by their variable, the positive one first; terms by size, then by their literals.  O(t log t)
    comparisons.
    """
    kept = {tuple(sorted(set(term), key=_place)) for term in terms}
    return tuple(sorted(kept, key=lambda term: (len(term), [_place(literal) for literal in term])))


def _place(literal: int) -> tuple[int, bool]:
    return abs(literal), literal < 0
