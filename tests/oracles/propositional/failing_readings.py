"""Reading C of the reduction at some x₀ and at every one, for formulas that are small enough; and one on which it fails."""

from __future__ import annotations

from xpgcheck.oracles.propositional.classifier_axps import axps_exhaustive
from xpgcheck.oracles.propositional.formulas import Cnf, Point, clashes, cnf, points
from xpgcheck.oracles.propositional.reduction import selector_dnf
from xpgcheck.oracles.propositional.truth_tables import muses_exhaustive

FAILS_EVERYWHERE = cnf([(1,), (2,), (-2,), (-1, 2, -3), (-1, -2, 3)])
"""Clause 0 is in no MUS, and its selector in an AXp at every x₀: with x_3 fixed at 1 by means of ¬x_2, at 0 of x_2."""


def outside(formula: Cnf) -> set[int]:
    """Return the clauses in no MUS that are no tautologies."""
    inside = frozenset().union(*muses_exhaustive(formula))
    return {c for c, clause in enumerate(formula.clauses) if c not in inside and not clashes(clause)}


def at(formula: Cnf, x0: Point) -> frozenset[int]:
    """Return the features in AXps at (1, …, 1, x₀)."""
    axps = axps_exhaustive(selector_dnf(formula), (True,) * len(formula.clauses) + x0)
    return frozenset().union(*axps)


def fails_at_every_x0(formula: Cnf) -> bool:
    left = outside(formula)
    for x0 in points(formula.variables):
        if not left:
            return False
        left &= at(formula, x0)
    return bool(left)
