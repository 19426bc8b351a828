"""The order in which lists of terms are handed back."""

from __future__ import annotations

from collections.abc import Iterable

from xpgcheck.oracles.propositional.formulas import Literals


def sorted_terms(terms: Iterable[Iterable[int]]) -> tuple[Literals, ...]:
    """Return *terms* as sets of literals, each once: equal lists of terms are equal tuples.

    Literals stand by their variable, the positive one first; terms by size, then by their literals.  O(t log t)
    comparisons.
    """
    kept = {tuple(sorted(set(term), key=_place)) for term in terms}
    return tuple(sorted(kept, key=lambda term: (len(term), [_place(literal) for literal in term])))


def _place(literal: int) -> tuple[int, bool]:
    return abs(literal), literal < 0
