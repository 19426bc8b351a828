"""Solvers that are wrong: a step of MARCO, of CEGAR, of hitting sets or of the test of one literal."""

from __future__ import annotations

from collections.abc import Iterable

from xpgcheck.oracles.propositional.formulas import Cnf, Dnf, Point, clause_holds, points
from xpgcheck.oracles.propositional.membership_cegar import MusWith
from xpgcheck.oracles.propositional.truth_tables import Tables, minimal
from xpgcheck.properties.reduction.textbook import TextbookReduction
from xpgcheck.properties.seeded.bugs import reduction as bug


@bug
class _MinimalityNotChecked(TextbookReduction):
    """MARCO takes an unsatisfiable seed for a MUS."""

    def shrink(self, tables: Tables, members: frozenset[int]) -> frozenset[int]:
        return members


@bug
class _ShrinkingEndsEarly(TextbookReduction):
    """Shrinking ends at the first clause that is needed."""

    def shrink(self, tables: Tables, members: frozenset[int]) -> frozenset[int]:
        for clause in sorted(members):
            if not tables.unsatisfiable(members - {clause}):
                break
            members -= {clause}
        return members


@bug
class _SubsetTestReversed(TextbookReduction):
    """MARCO leaves out the subsets of a MUS instead of its supersets."""

    def accounted_for(self, seed: frozenset[int], muses: list[frozenset[int]], mcses: list[frozenset[int]]) -> bool:
        return any(seed <= mus for mus in muses) or any(not mcs & seed for mcs in mcses)


@bug
class _SupersetsOfCorrectionSetsBlocked(TextbookReduction):
    """MARCO leaves out the seeds that contain an MCS instead of those that miss one."""

    def accounted_for(self, seed: frozenset[int], muses: list[frozenset[int]], mcses: list[frozenset[int]]) -> bool:
        return any(mus <= seed for mus in muses) or any(mcs <= seed for mcs in mcses)


@bug
class _OneMusForEachClause(TextbookReduction):
    """MARCO leaves out the seeds that meet a MUS, not only those that contain one: overlapping MUSes are lost."""

    def accounted_for(self, seed: frozenset[int], muses: list[frozenset[int]], mcses: list[frozenset[int]]) -> bool:
        return any(mus & seed for mus in muses) or any(not mcs & seed for mcs in mcses)


@bug
class _CorrectionSetsNotMinimal(TextbookReduction):
    """A satisfiable seed is not grown: what it leaves is taken for an MCS."""

    def grow(self, tables: Tables, members: frozenset[int], count: int) -> frozenset[int]:
        return members


@bug
class _GrowthEndsEarly(TextbookReduction):
    """Growing ends at the first clause that cannot hold too."""

    def grow(self, tables: Tables, members: frozenset[int], count: int) -> frozenset[int]:
        for clause in range(count):
            if tables.unsatisfiable(members | {clause}):
                break
            members |= {clause}
        return members


@bug
class _RefinedBySatisfiedClauses(TextbookReduction):
    """CEGAR's refinement asks for one of the clauses that the counterexample satisfies."""

    def refinement(self, formula: Cnf, x: Point, clauses: Iterable[int]) -> frozenset[int]:
        return frozenset(c for c in clauses if clause_holds(formula.clauses[c], x))


@bug
class _RefinedByTheFirstClause(TextbookReduction):
    """CEGAR's refinement asks for the first clause that the counterexample falsifies, not for one of them."""

    def refinement(self, formula: Cnf, x: Point, clauses: Iterable[int]) -> frozenset[int]:
        return frozenset(sorted(super().refinement(formula, x, clauses))[:1])


@bug
class _PointNeedNotSatisfyTheSelected(TextbookReduction):
    """CEGAR selects clauses of which its point satisfies none: the clause is asked to be in an unsatisfiable set."""

    def candidate(self, formula: Cnf, clause: int, y: Point) -> frozenset[int] | None:
        selected = super().candidate(formula, clause, y)
        return None if selected is None else frozenset(range(len(formula.clauses)))


@bug
class _TheClauseIsNotKept(TextbookReduction):
    """CEGAR says yes, and hands out a MUS of all clauses, which need not have the clause."""

    def shrink_around(self, tables: Tables, selected: frozenset[int], clause: int) -> frozenset[int]:
        return self.shrink(tables, frozenset(range(len(tables.clauses))))


@bug
class _TheWitnessIsNotShrunk(TextbookReduction):
    """CEGAR hands out the unsatisfiable set that it found, not a MUS of it."""

    def shrink_around(self, tables: Tables, selected: frozenset[int], clause: int) -> frozenset[int]:
        return selected


@bug
class _QuantifiersSwapped(TextbookReduction):
    """Membership is decided as ∀x ∃s, y instead of ∃s, y ∀x: yes where of each x alone some candidate is unsatisfied."""

    def members(self, formula: Cnf) -> tuple[MusWith, ...]:
        said = super().members(formula)
        return tuple(
            MusWith(frozenset(range(len(formula.clauses))), ()) if self._swapped(formula, clause) else found
            for clause, found in enumerate(said)
        )

    def _swapped(self, formula: Cnf, clause: int) -> bool:
        tables = Tables(formula)
        held = [self.candidate(formula, clause, y) for y in points(formula.variables)]
        # Of each x alone some candidate has to have a clause that is false there.
        false = [
            frozenset(c for c, table in enumerate(tables.clauses) if not table >> x & 1)
            for x in range(1 << formula.variables)
        ]
        return all(any(selected is not None and selected & needed for selected in held) for needed in false)


@bug
class _TheInnerQuantifierDropped(TextbookReduction):
    """∃x takes the place of ∀x in reading A."""

    def selector_primes(self, psi: Dnf, selectors: int) -> tuple[frozenset[int], ...]:
        true = frozenset().union(*(self.true_terms(psi, selectors, x) for x in points(psi.variables - selectors)))
        return tuple(frozenset({clause}) for clause in sorted(true))


@bug
class _HittingSetsWithOthersInside(TextbookReduction):
    """Hitting sets are made by adding a member for each set to hit, and those that contain another stay."""

    def hit(self, sets: list[frozenset[int]]) -> Iterable[frozenset[int]]:
        found: set[frozenset[int]] = {frozenset()}
        for members in sorted(minimal(sets), key=sorted):
            found = {h if h & members else h | {i} for h in found for i in members or ()}
        return found


@bug
class _LastPointForgotten(TextbookReduction):
    """Reading A expands ∀x over all points but the last."""

    def selector_primes(self, psi: Dnf, selectors: int) -> tuple[frozenset[int], ...]:
        if psi.variables == selectors:
            return super().selector_primes(psi, selectors)
        sets = [self.true_terms(psi, selectors, x) for x in points(psi.variables - selectors)][:-1]
        return tuple(sorted(self.hit(sets), key=lambda found: (len(found), sorted(found))))


@bug
class _FlippedLiteralAlone(TextbookReduction):
    """A literal is taken to be in a prime implicant where ψ is 0 with it flipped, be ψ 1 before or not."""

    def turns(self, value: bool, flipped: bool) -> bool:
        return not flipped


@bug
class _FlippedEitherWay(TextbookReduction):
    """A literal is taken to be in a prime implicant where flipping it changes ψ, in whichever direction."""

    def turns(self, value: bool, flipped: bool) -> bool:
        return value != flipped
