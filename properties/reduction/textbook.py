"""Routes written for reading, over truth tables, in small steps: what seeded bugs get wrong one step of.

They are right themselves, which a test holds them to: so what a bug of theirs is caught by is due to the bug.
"""

from __future__ import annotations

from collections.abc import Iterable

from xpgcheck.oracles.propositional.clause_families import Family, family
from xpgcheck.oracles.propositional.formulas import Cnf, Dnf, Literals, Point, clause_holds, dnf_holds, points
from xpgcheck.oracles.propositional.membership_cegar import MusWith
from xpgcheck.oracles.propositional.truth_tables import Tables, minimal, minimal_hitting_sets
from xpgcheck.properties.reduction.routes import HonestRoutes

SMALL = 10
"""Variables up to which a route here goes through all points; larger formulas are left to the honest routes."""


class TextbookReduction(HonestRoutes):
    """MARCO, CEGAR, hitting sets and the test of one literal, each as a few steps."""

    name = "textbook"

    def muses(self, route: str, formula: Cnf) -> Family:
        """Return all MUSes; by MARCO in small steps where *route* is ``marco``."""
        return family(self._marco(formula)[0]) if route == "marco" else super().muses(route, formula)

    def mcses(self, route: str, formula: Cnf) -> Family:
        """Return all MCSes; by MARCO in small steps where *route* is ``marco``."""
        return family(self._marco(formula)[1]) if route == "marco" else super().mcses(route, formula)

    def _marco(self, formula: Cnf) -> tuple[list[frozenset[int]], list[frozenset[int]]]:
        tables, count = Tables(formula), len(formula.clauses)
        muses: list[frozenset[int]] = []
        mcses: list[frozenset[int]] = []
        for number in range(1 << count):
            # Every subset, in an order in which subsets and supersets come before each other.
            bits = (5 * number + 3) % (1 << count)
            seed = frozenset(clause for clause in range(count) if bits >> clause & 1)
            if self.accounted_for(seed, muses, mcses):
                continue
            if tables.unsatisfiable(seed):
                muses.append(self.shrink(tables, seed))
            else:
                mcses.append(frozenset(range(count)) - self.grow(tables, seed, count))
        return muses, mcses

    def accounted_for(self, seed: frozenset[int], muses: list[frozenset[int]], mcses: list[frozenset[int]]) -> bool:
        """Tell whether *seed* contains a known MUS, or misses a known MCS."""
        return any(mus <= seed for mus in muses) or any(not mcs & seed for mcs in mcses)

    def shrink(self, tables: Tables, members: frozenset[int]) -> frozenset[int]:
        """Take out of *members* each clause that its unsatisfiability does not need."""
        for clause in sorted(members):
            if tables.unsatisfiable(members - {clause}):
                members -= {clause}
        return members

    def grow(self, tables: Tables, members: frozenset[int], count: int) -> frozenset[int]:
        """Add to *members* each clause that can hold too."""
        for clause in range(count):
            if not tables.unsatisfiable(members | {clause}):
                members |= {clause}
        return members

    def members(self, formula: Cnf) -> tuple[MusWith, ...]:
        """Return what CEGAR says of each clause."""
        return tuple(self._member(formula, clause) for clause in range(len(formula.clauses)))

    def _member(self, formula: Cnf, clause: int) -> MusWith:
        tables = Tables(formula)
        counterexamples: list[Point] = []
        refinements: list[frozenset[int]] = []
        others = [other for other in range(len(formula.clauses)) if other != clause]
        for y in points(formula.variables):
            selected = self.candidate(formula, clause, y)
            if selected is None or not all(refinement & selected for refinement in refinements):
                continue
            x = self.counterexample(formula, selected)
            if x is None:
                return MusWith(self.shrink_around(tables, selected, clause), ())
            counterexamples.append(x)
            refinements.append(self.refinement(formula, x, others))
        return MusWith(None, tuple(counterexamples))

    def candidate(self, formula: Cnf, clause: int, y: Point) -> frozenset[int] | None:
        """Return *clause* and all that hold at *y*; None where *y* satisfies it."""
        if clause_holds(formula.clauses[clause], y):
            return None
        return frozenset(p for p, other in enumerate(formula.clauses) if clause_holds(other, y)) | {clause}

    def counterexample(self, formula: Cnf, selected: frozenset[int]) -> Point | None:
        """Return a point that satisfies all of *selected*, or None."""
        held = (all(clause_holds(formula.clauses[c], x) for c in selected) for x in points(formula.variables))
        return next((x for x, good in zip(points(formula.variables), held, strict=True) if good), None)

    def refinement(self, formula: Cnf, x: Point, clauses: Iterable[int]) -> frozenset[int]:
        """Return the clauses one of which has to be selected, as *x* satisfies all others."""
        return frozenset(c for c in clauses if not clause_holds(formula.clauses[c], x))

    def shrink_around(self, tables: Tables, selected: frozenset[int], clause: int) -> frozenset[int]:
        """Return a MUS among *selected*; *clause* stays, as the rest has a model."""
        return self.shrink(tables, selected)

    def selector_primes(self, psi: Dnf, selectors: int) -> Family:
        """Return the prime implicants over the selectors, by hitting sets in small steps."""
        if psi.variables - selectors > SMALL:
            return super().selector_primes(psi, selectors)
        return family(self.hit([self.true_terms(psi, selectors, x) for x in points(psi.variables - selectors)]))

    def true_terms(self, psi: Dnf, selectors: int, x: Point) -> frozenset[int]:
        """Return the clauses (from 0) whose selector makes ψ true at *x*."""
        found = set()
        for clause in range(selectors):
            if dnf_holds(psi, (*(other == clause for other in range(selectors)), *x)):
                found.add(clause)
        return frozenset(found)

    def hit(self, sets: list[frozenset[int]]) -> Iterable[frozenset[int]]:
        """Return the minimal sets that have a member of each of *sets*."""
        return minimal_hitting_sets(minimal(sets))

    def prime_with(self, psi: Dnf, literal: int) -> Literals | None:
        """Return a prime implicant of ψ with *literal*, from a point at which ψ needs it."""
        if psi.variables > SMALL:
            return super().prime_with(psi, literal)
        for point in points(psi.variables):
            if self.needs(psi, point, literal):
                return self._prime_below(psi, point, literal)
        return None

    def needs(self, psi: Dnf, point: Point, literal: int) -> bool:
        """Tell whether *literal* holds at *point*, ψ is 1 there, and 0 with the literal flipped."""
        variable = abs(literal) - 1
        if point[variable] != (literal > 0):
            return False
        flipped = (*point[:variable], not point[variable], *point[variable + 1 :])
        return self.turns(dnf_holds(psi, point), dnf_holds(psi, flipped))

    def turns(self, value: bool, flipped: bool) -> bool:
        """Tell whether ψ goes from 1 to 0."""
        return value and not flipped

    def _prime_below(self, psi: Dnf, point: Point, literal: int) -> Literals:
        term = [v if point[v - 1] else -v for v in range(1, psi.variables + 1)]
        for other in list(term):
            rest = [kept for kept in term if kept != other]
            if other != literal and _implies(psi, rest):
                term = rest
        return tuple(term)


def _implies(psi: Dnf, term: list[int]) -> bool:
    """Tell whether ψ is 1 at every point at which *term* holds."""
    free = [v for v in range(1, psi.variables + 1) if v not in term and -v not in term]
    for values in points(len(free)):
        true = {v for v, value in zip(free, values, strict=True) if value} | {
            literal for literal in term if literal > 0
        }
        if not dnf_holds(psi, tuple(v in true for v in range(1, psi.variables + 1))):
            return False
    return True
