"""Solvers that are wrong: a step of MARCO, of CEGAR, of the expansion of ∀x or of the test of one literal."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable

from xpgcheck.oracles.propositional.clause_families import Family, family
from xpgcheck.oracles.propositional.formulas import Cnf, Dnf, Literals, Point, clashes, clause_holds, points
from xpgcheck.oracles.propositional.membership_cegar import MusMembership, MusWith
from xpgcheck.oracles.propositional.truth_tables import Tables
from xpgcheck.properties.reduction.routes import HonestRoutes
from xpgcheck.properties.seeded.bugs import reduction as bug


@bug
class _MinimalityNotChecked(HonestRoutes):
    """MARCO never tries to take the first clause out of a MUS."""

    def muses(self, formula: Cnf) -> Family:
        return family(mus | {0} for mus in super().muses(formula))


@bug
class _OneMusForEachClause(HonestRoutes):
    """MARCO leaves out the seeds that meet a MUS, not only those that contain one: overlapping MUSes are lost."""

    def muses(self, formula: Cnf) -> Family:
        return _apart(super().muses(formula))


@bug
class _CorrectionSetsNotMinimal(HonestRoutes):
    """MARCO never tries to add the first clause to a satisfiable seed."""

    def mcses(self, formula: Cnf) -> Family:
        return family(mcs | {0} for mcs in super().mcses(formula))


@bug
class _OneCorrectionSetForEachClause(HonestRoutes):
    """MARCO leaves out the seeds that miss a clause of an MCS, not only those that miss all: overlapping MCSes are lost."""

    def mcses(self, formula: Cnf) -> Family:
        return _apart(super().mcses(formula))


def _apart(sets: Family) -> Family:
    kept: list[frozenset[int]] = []
    for members in sets:
        if not any(members & other for other in kept):
            kept.append(members)
    return tuple(kept)


class _StrongRefinement(MusMembership):
    def _refine(self, x: Point) -> None:
        super()._refine(x)
        falsified = sorted(self._corrections[-1])
        self._outer.add_clause([self._selector(position) for position in falsified[:1]])


@bug
class _RefinedByTheFirstClause(HonestRoutes):
    """CEGAR's refinement asks for the first clause that the counterexample falsifies, not for one of them."""

    membership = _StrongRefinement


@bug
class _PointNeedNotSatisfyTheSelected(HonestRoutes):
    """CEGAR selects clauses of which its point satisfies none: the clause is asked to be in an unsatisfiable set."""

    def members(self, formula: Cnf) -> tuple[MusWith, ...]:
        muses = self.muses(formula)
        said = super().members(formula)
        return tuple(MusWith(muses[0] | {clause}, ()) for clause in range(len(said))) if muses else said


@bug
class _TheClauseIsNotKept(HonestRoutes):
    """CEGAR says yes, and hands out a MUS of all clauses, which need not have the clause."""

    def members(self, formula: Cnf) -> tuple[MusWith, ...]:
        muses = self.muses(formula)
        return tuple(said if said.mus is None else MusWith(muses[0], ()) for said in super().members(formula))


@bug
class _TheWitnessIsNotShrunk(HonestRoutes):
    """CEGAR hands out the unsatisfiable set that it found, not a MUS of it."""

    def members(self, formula: Cnf) -> tuple[MusWith, ...]:
        everything = frozenset(range(len(formula.clauses)))
        return tuple(said if said.mus is None else MusWith(everything, ()) for said in super().members(formula))


@bug
class _QuantifiersSwapped(HonestRoutes):
    """Membership is decided as ∀x ∃s, y instead of ∃s, y ∀x: yes where of each x alone some candidate is unsatisfied."""

    def members(self, formula: Cnf) -> tuple[MusWith, ...]:
        everything = MusWith(frozenset(range(len(formula.clauses))), ())
        said = super().members(formula)
        return tuple(everything if self._swapped(formula, clause) else found for clause, found in enumerate(said))

    def _swapped(self, formula: Cnf, clause: int) -> bool:
        tables = Tables(formula)
        candidates = (
            {clause, *(other for other, literals in enumerate(formula.clauses) if clause_holds(literals, y))}
            for y in points(formula.variables)
            if not clause_holds(formula.clauses[clause], y)
        )
        # No x satisfies every candidate.
        return not functools.reduce(operator.and_, map(tables.models, candidates), tables.everything)


@bug
class _TheInnerQuantifierDropped(HonestRoutes):
    """∃x takes the place of ∀x in reading A."""

    def selector_primes(self, psi: Dnf, selectors: int) -> Family:
        return family(_selectors(term, selectors) for term in psi.terms if not clashes(term))


@bug
class _HalfOfThePoints(HonestRoutes):
    """Reading A expands ∀x over the points at which the last variable is 0."""

    def selector_primes(self, psi: Dnf, selectors: int) -> Family:
        last = psi.variables
        if last == selectors:
            return super().selector_primes(psi, selectors)
        terms = (tuple(literal for literal in term if literal != -last) for term in psi.terms if last not in term)
        return super().selector_primes(Dnf(last, tuple(terms)), selectors)


@bug
class _HittingSetsWithOthersInside(HonestRoutes):
    """Reading A lists unions of prime implicants too, which hit every set, and are not minimal."""

    def selector_primes(self, psi: Dnf, selectors: int) -> Family:
        found = super().selector_primes(psi, selectors)
        return family([*found, frozenset().union(*found[:2])]) if found else found


def _selectors(term: Literals, selectors: int) -> Iterable[int]:
    return (literal - 1 for literal in term if 0 < literal <= selectors)


@bug
class _FlippedEitherWay(HonestRoutes):
    """A literal is taken to be in a prime implicant where flipping it changes ψ, in whichever direction."""

    def prime_with(self, psi: Dnf, literal: int) -> Literals | None:
        return super().prime_with(psi, literal) or super().prime_with(psi, -literal)
