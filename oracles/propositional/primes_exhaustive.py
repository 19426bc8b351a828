"""Prime implicants of a DNF from the truth of every term: by the definition, without a solver.

A term is an implicant of f if f is 1 wherever the term is, and a prime implicant (PI) if moreover no term with a literal
less is an implicant.

A variable of which f has literals of one sign only (*unate*) needs no third value in a term: a PI holds that literal or
does not mention the variable.  The others (*binate*) are 0, 1 or absent.  So the terms over the u unate literals and the
b binate variables are 3^b sets of subsets of the unate literals, and a set of subsets is one Python integer of 2^u bits
(bit m: subset m is in it).  U(τ), of the partial assignment τ of the binate variables, holds the subsets that make an
implicant with τ.  Where τ is total, these are the supersets of the unate literals of the terms that τ leaves; and
U(τ) = U(τ, v = 0) ∩ U(τ, v = 1).
"""

from __future__ import annotations

from collections.abc import Iterator

from xpgcheck.oracles.propositional.bit_sets import holding, set_bits
from xpgcheck.oracles.propositional.formulas import Dnf, Literals, clashes
from xpgcheck.oracles.propositional.limits import TooLarge
from xpgcheck.oracles.propositional.terms import sorted_terms

MAX_BITS = 1 << 28
"""The 3^b · 2^u terms that are looked at, a bit each: 32 MiB."""

MAX_BINATE = 11
"""Binate variables: 3^11 sets."""

MAX_UNATE = 20
"""Unate literals: for each, and for each term, another set of 2^20 bits is needed."""


def prime_implicants_exhaustive(formula: Dnf) -> tuple[Literals, ...]:
    """Return all PIs of *formula*, in the order of ``sorted_terms``; () alone for the constant 1, none for 0.

    O(3^b) steps on integers of 2^u bits, times b + u at most, and O(2^b · t) for t terms.

    Raises ``TooLarge`` over ``MAX_BINATE`` binate variables, ``MAX_UNATE`` unate literals or ``MAX_BITS`` terms.
    """
    # A term with a literal and its negative is 0, and would make variables binate that are not.
    terms = [frozenset(term) for term in formula.terms if not clashes(term)]
    literals = frozenset().union(*terms)
    binate = sorted(literal for literal in literals if literal > 0 and -literal in literals)
    unate = sorted((literal for literal in literals if -literal not in literals), key=abs)
    _check_size(len(binate), len(unate))
    table = _implicants(terms, binate, unate)
    columns = [holding(position, len(unate)) for position in range(len(unate))]
    minimal_of: dict[int, int] = {}
    primes: list[Literals] = []
    for place, implicants in enumerate(table):
        if not implicants:
            continue
        assignment = tuple(_digits(place, len(binate)))
        candidates = implicants
        for position, digit in enumerate(assignment):
            if digit != 2:
                # An implicant without the binate variable too: not prime.
                candidates &= ~table[place + (2 - digit) * 3 ** (len(binate) - 1 - position)]
        if not candidates:
            continue
        if implicants not in minimal_of:
            minimal_of[implicants] = _minimal(implicants, columns)
        fixed = [(-v, v)[digit] for v, digit in zip(binate, assignment, strict=True) if digit != 2]
        primes.extend(
            (*fixed, *(unate[position] for position in set_bits(subset)))
            for subset in set_bits(candidates & minimal_of[implicants])
        )
    return sorted_terms(primes)


def _implicants(terms: list[frozenset[int]], binate: list[int], unate: list[int]) -> list[int]:
    """Return U(τ) of every τ, read as a number to the base 3, the first variable's digit first: 0, 1, or 2 for absent."""
    reduced = []
    for term in terms:
        positive = sum(1 << position for position, v in enumerate(reversed(binate)) if v in term)
        negative = sum(1 << position for position, v in enumerate(reversed(binate)) if -v in term)
        reduced.append((positive, negative, _supersets([literal in term for literal in unate])))
    table = []
    for point in range(1 << len(binate)):
        implicants = 0
        for positive, negative, supersets in reduced:
            if point & positive == positive and not point & negative:
                implicants |= supersets
        table.append(implicants)
    for _ in binate:
        # The first binary digit becomes the last ternary one: after a round of all variables they stand in order again.
        half = len(table) // 2
        table = [
            implicants
            for low, high in zip(table[:half], table[half:], strict=True)
            for implicants in (low, high, low & high)
        ]
    return table


def _supersets(members: list[bool]) -> int:
    """Return the set of all supersets of the subset that *members* gives."""
    found = 1
    for position, member in enumerate(members):
        shifted = found << (1 << position)
        found = shifted if member else found | shifted
    return found


def _minimal(subsets: int, columns: list[int]) -> int:
    """Return those of *subsets* (closed upwards) that are in it with no member less."""
    minimal = subsets
    for position, with_member in enumerate(columns):
        minimal &= ~((subsets & ~with_member) << (1 << position))
    return minimal


def _digits(place: int, count: int) -> Iterator[int]:
    for position in range(count - 1, -1, -1):
        yield place // 3**position % 3


def _check_size(binate: int, unate: int) -> None:
    if binate > MAX_BINATE:
        raise TooLarge(f"{binate} variables of both signs: every term is looked at up to {MAX_BINATE}")
    if unate > MAX_UNATE:
        raise TooLarge(f"{unate} variables of one sign: every subset is looked at up to {MAX_UNATE}")
    if 3**binate << unate > MAX_BITS:
        raise TooLarge(f"3^{binate} · 2^{unate} terms: every term is looked at up to {MAX_BITS}")
