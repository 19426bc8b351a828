"""Clauses, terms, points and sets of a formula in words; clauses are numbered from 1, as lines of a DIMACS file are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xpgcheck.oracles.propositional.formulas import Cnf, Literals

MAX_LITERALS = 12


def clause_text(clause: Literals) -> str:
    """Return (x1 ∨ ¬x2), ⊥ for the empty clause; long ones are cut."""
    if not clause:
        return "⊥"
    shown = " ∨ ".join(_psi_literal(0, literal) for literal in clause[:MAX_LITERALS])
    return f"({shown}{' ∨ …' if len(clause) > MAX_LITERALS else ''})"


def term_text(formula: Cnf, term: Iterable[int]) -> str:
    """Return a term over the variables of ψ: s_1 ∧ ¬x2; its selectors come first."""
    count = len(formula.clauses)
    parts = [_psi_literal(count, literal) for literal in sorted(term, key=abs)]
    return " ∧ ".join(parts) if parts else "⊤"


def set_text(formula: Cnf, features: Iterable[int]) -> str:
    """Return a set of features of the classifier ψ (from 0): {s_1, x2}."""
    return "{" + ", ".join(_psi_literal(len(formula.clauses), feature + 1) for feature in sorted(features)) + "}"


def point_text(point: Sequence[bool]) -> str:
    """Return (0,1,1)."""
    return "(" + ",".join("1" if value else "0" for value in point) + ")"


def _psi_literal(count: int, literal: int) -> str:
    variable = abs(literal)
    name = f"s_{variable}" if variable <= count else f"x{variable - count}"
    return name if literal > 0 else f"¬{name}"
