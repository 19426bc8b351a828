"""Certificates of MUSes of tiny formulas, by trying all assignments."""

from __future__ import annotations

import itertools
from typing import Any

from naive_issuer import certificate, header

Clauses = list[list[int]]


def satisfies(bits: int, clause: list[int]) -> bool:
    return any((bits >> (abs(literal) - 1) & 1) == (literal > 0) for literal in clause)


def mus_line(variables: int, clauses: Clauses, mus: list[int]) -> dict[str, Any]:
    """The line of a MUS: every clause of all variables, longest first, follows from those before it."""
    models = []
    for left_out in mus:
        others = [clauses[k] for k in mus if k != left_out]
        models.append(next(b for b in range(2**variables) if all(satisfies(b, clause) for clause in others)))
    lines = [
        [sign * variable for sign, variable in zip(signs, range(1, width + 1), strict=True)]
        for width in range(variables - 1, -1, -1)
        for signs in itertools.product((1, -1), repeat=width)
    ]
    return {"mus": mus, "refutation": lines, "models": [f"{bits:x}" for bits in models]}


def muses(variables: int, clauses: Clauses) -> list[list[int]]:
    found: list[list[int]] = []
    for size in range(1, len(clauses) + 1):
        for chosen in itertools.combinations(range(len(clauses)), size):
            if any(set(smaller) <= set(chosen) for smaller in found):
                continue
            if not any(all(satisfies(b, clauses[k]) for k in chosen) for b in range(2**variables)):
                found.append(list(chosen))
    return found


def formula_certificate(variables: int, clauses: Clauses) -> bytes:
    lines = [mus_line(variables, clauses, mus) for mus in muses(variables, clauses)]
    return certificate(header("formula", {"variables": variables, "clauses": clauses}), lines)


CLAUSES = [[1, 2], [-1, 2], [1, -2], [-1, -2], [3], [-3, 1], [-3, -1]]
EXAMPLE = formula_certificate(3, CLAUSES)
