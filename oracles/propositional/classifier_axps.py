"""AXps of the Boolean classifier κ = f, a DNF, at a point v; feature i is the variable i + 1.

A set X of features is a weak AXp if every point that agrees with v on X has the class of v (the paper's Eq. 1), and an
AXp if moreover no proper subset of X is one.  At a point of class 1 the AXps are the prime implicants that hold at v.

* ``axps_exhaustive``: from the class of every point.
* ``axp_with``: membership as the quantified question ∃y ∀z, by counterexample-guided refinement (CEGAR) on two SAT solvers.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any

from xpgcheck.oracles.propositional.bit_sets import holding, left_fixed
from xpgcheck.oracles.propositional.clause_families import Family
from xpgcheck.oracles.propositional.formulas import Dnf, Point, dnf_holds
from xpgcheck.oracles.propositional.limits import Deadline, TooLarge, solved

MAX_FEATURES = 20

SOLVER = "minisat22"


def axps_exhaustive(formula: Dnf, point: Point) -> Family:
    """Return all AXps of the classifier *formula* at *point*; ∅ alone if it is constant.

    Points are written by where they differ from *point*: a set of features.  O(literals + m) operations on 2^m bits, for
    m features.

    Raises ``TooLarge`` over ``MAX_FEATURES`` features, ``ValueError`` for a point of another length.
    """
    features = formula.variables
    _check_point(formula, point)
    if features > MAX_FEATURES:
        raise TooLarge(f"{features} features: every point is looked at up to {MAX_FEATURES}")
    everywhere = (1 << (1 << features)) - 1
    differing = [holding(feature, features) for feature in range(features)]
    class_1 = 0
    for term in formula.terms:
        term_1 = everywhere
        for literal in term:
            differs = differing[abs(literal) - 1]
            term_1 &= everywhere ^ differs if point[abs(literal) - 1] == (literal > 0) else differs
        class_1 |= term_1
    # Where points of the other class differ.
    return left_fixed(everywhere ^ class_1 if class_1 & 1 else class_1, features)


def axp_with(formula: Dnf, point: Point, feature: int, deadline: Deadline | None = None) -> frozenset[int] | None:
    """Return an AXp of the classifier *formula* at *point* that has *feature*, or None if there is none.

    There is one exactly if there is a point y of the other class, differing from *point* in *feature*, such that the
    features on which y agrees with *point* are a weak AXp together with *feature*.  Then no weak AXp among these can
    spare *feature*: y agrees on all its others.  (Of an AXp, any point that shows that *feature* is needed is such a y.)
    Σ₂ᵖ: exponentially many rounds of two SAT calls at worst.

    Raises ``OutOfTime`` once *deadline* has passed, ``ValueError`` for a point of another length, or no such feature.
    """
    _check_point(formula, point)
    if not 0 <= feature < formula.variables:
        raise ValueError(f"feature {feature} is none of 0 … {formula.variables - 1}")
    until = deadline or Deadline()
    with _OtherClass(formula, point, until) as outer, _OtherClass(formula, point, until) as inner:
        outer.differ_in_one_of({feature})
        while True:
            other = outer.agreeing_on(frozenset())
            if other is None:
                return None
            fixed = outer.agreement(other) | {feature}
            counterexample = inner.agreeing_on(fixed)
            if counterexample is None:
                return _shrunk(inner, fixed, feature)
            # No weak AXp agrees with this point: one of the features on which it differs has to be fixed.
            outer.agree_in_one_of(_differing_in_least(inner, counterexample))


def _differing_in_least(inner: _OtherClass, counterexample: Point) -> frozenset[int]:
    """Return a minimal set of features in which some point of the other class differs, from *counterexample* on: a CXp."""
    agreeing = inner.agreement(counterexample)
    for feature in range(len(counterexample)):
        if feature not in agreeing:
            better = inner.agreeing_on(agreeing | {feature})
            if better is not None:
                agreeing = inner.agreement(better)
    return frozenset(range(len(counterexample))) - agreeing


def _shrunk(inner: _OtherClass, weak: frozenset[int], feature: int) -> frozenset[int]:
    """Take features other than *feature*, which cannot be spared, out of *weak* until it is an AXp."""
    kept = weak
    for other in sorted(weak - {feature}):
        if other in kept and inner.agreeing_on(kept - {other}) is None:
            # Features found to be needed are in every core, and so is *feature*.
            kept = inner.core()
    if feature not in kept:
        raise AssertionError(f"feature {feature} was shown to be needed, and is not")
    return kept


class _OtherClass:
    """A SAT solver over the points whose class is not that of *point*.  To be used as a context manager."""

    def __init__(self, formula: Dnf, point: Point, deadline: Deadline) -> None:
        self._formula = formula
        self._instance = point
        self._deadline = deadline
        self._class = dnf_holds(formula, point)

    def __enter__(self) -> _OtherClass:
        from pysat.solvers import Solver

        self._solver: Any = Solver(name=SOLVER)
        terms = self._formula.terms
        if self._class:
            for term in terms:
                self._solver.add_clause([-literal for literal in term])
        else:
            first = self._formula.variables + 1
            for position, term in enumerate(terms):
                for literal in term:
                    self._solver.add_clause([-(first + position), literal])
            self._solver.add_clause([first + position for position in range(len(terms))])
        # Points near to the instance first: they fix more, and so are weak AXps sooner.
        self._solver.set_phases([self._agreeing(feature) for feature in range(self._formula.variables)])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._solver.delete()

    def differ_in_one_of(self, features: set[int]) -> None:
        """From now on allow only points that differ from the instance in one of *features*."""
        self._solver.add_clause([-self._agreeing(feature) for feature in sorted(features)])

    def agree_in_one_of(self, features: frozenset[int]) -> None:
        """From now on allow only points that agree with the instance in one of *features*."""
        self._solver.add_clause([self._agreeing(feature) for feature in sorted(features)])

    def agreeing_on(self, fixed: frozenset[int]) -> Point | None:
        """Return a point of the other class that agrees with the instance on *fixed*, replayed, or None."""
        assumptions = [self._agreeing(feature) for feature in sorted(fixed)]
        if not solved(self._solver, self._deadline, assumptions):
            return None
        true = {literal for literal in self._solver.get_model() if literal > 0}
        found = tuple(variable in true for variable in range(1, self._formula.variables + 1))
        if dnf_holds(self._formula, found) == self._class or not fixed <= self.agreement(found):
            raise AssertionError("the solver's point is not of the other class, or does not agree")
        return found

    def core(self) -> frozenset[int]:
        """Return fixed features of the last question that was answered by None, which are enough for that."""
        return frozenset(abs(literal) - 1 for literal in self._solver.get_core() or ())

    def agreement(self, other: Point) -> frozenset[int]:
        """Return the features on which *other* agrees with the instance."""
        return frozenset(f for f, (one, two) in enumerate(zip(other, self._instance, strict=True)) if one == two)

    def _agreeing(self, feature: int) -> int:
        return feature + 1 if self._instance[feature] else -(feature + 1)


def _check_point(formula: Dnf, point: Point) -> None:
    if len(point) != formula.variables:
        raise ValueError(f"a point of {len(point)} values for {formula.variables} variables")
