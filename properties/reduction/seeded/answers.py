"""Answers that are wrong: of a right route something is lost, added or asked of another formula; and lenient checkers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xpgcheck.oracles.propositional.clause_families import Family, family
from xpgcheck.oracles.propositional.formulas import Cnf, Dnf, Literals, Point, dnf_holds
from xpgcheck.oracles.propositional.membership_cegar import MusWith, NoEvidence, no_fault
from xpgcheck.oracles.propositional.refutations import FamilyEvidence, MusEvidence
from xpgcheck.oracles.propositional.rup import rup_fault
from xpgcheck.properties.reduction.routes import HonestRoutes
from xpgcheck.properties.seeded.bugs import reduction as bug


@bug
class _SmallestMusesOnly(HonestRoutes):
    """MARCO ends after the MUSes of the smallest size."""

    def muses(self, formula: Cnf) -> Family:
        found = super().muses(formula)
        return tuple(mus for mus in found if len(mus) == len(found[0]))


@bug
class _EmptyFamilyOfSatisfiable(HonestRoutes):
    """A satisfiable formula has no MCS, instead of ∅."""

    def mcses(self, formula: Cnf) -> Family:
        return tuple(mcs for mcs in super().mcses(formula) if mcs)


@bug
class _EveryClauseOfASatisfiable(HonestRoutes):
    """All clauses are listed as one MUS where there is none."""

    def muses(self, formula: Cnf) -> Family:
        return super().muses(formula) or (frozenset(range(len(formula.clauses))),)


@bug
class _ConsensusWithoutAbsorption(HonestRoutes):
    """Consensus lists the consensus of two terms of ψ, be it absorbed by another term or not."""

    def primes(self, psi: Dnf) -> tuple[Literals, ...]:
        found = super().primes(psi)
        made = set(map(frozenset, found))
        for one in psi.terms:
            for other in psi.terms:
                opposite = {literal for literal in one if -literal in other}
                if len(opposite) == 1:
                    (literal,) = opposite
                    made.add(frozenset((*one, *other)) - {literal, -literal})
        return tuple(tuple(sorted(term)) for term in made)


@bug
class _TermsForPrimes(HonestRoutes):
    """The prime implicants of ψ are taken to be its terms."""

    def primes(self, psi: Dnf) -> tuple[Literals, ...]:
        return psi.terms


@bug
class _PrimesOfOneSelector(HonestRoutes):
    """Prime implicants of ∀x.ψ with more than two selectors are lost."""

    def selector_primes(self, psi: Dnf, selectors: int) -> Family:
        return tuple(prime for prime in super().selector_primes(psi, selectors) if len(prime) < 3)


@bug
class _LastPrimeLost(HonestRoutes):
    """Consensus ends one prime implicant early."""

    def primes(self, psi: Dnf) -> tuple[Literals, ...]:
        return super().primes(psi)[:-1]


@bug
class _TautologiesCount(HonestRoutes):
    """A literal test that takes a variable that ψ names for one that it needs."""

    def prime_with(self, psi: Dnf, literal: int) -> Literals | None:
        found = super().prime_with(psi, literal)
        naming = next((term for term in psi.terms if literal in term), None)
        return naming if found is None else found


@bug
class _AnotherInstance(HonestRoutes):
    """AXps are looked for at the instance with its last value flipped."""

    def axps(self, psi: Dnf, point: Point) -> Family:
        return super().axps(psi, (*point[:-1], not point[-1]) if point else point)


@bug
class _AnotherInstanceForMembership(HonestRoutes):
    """Membership in AXps is asked at the instance with its last value flipped."""

    def axp_with(self, psi: Dnf, point: Point, feature: int) -> frozenset[int] | None:
        return super().axp_with(psi, (*point[:-1], not point[-1]) if point else point, feature)


@bug
class _WeakAxps(HonestRoutes):
    """Membership in AXps is shown by the set of all features, which need not be minimal."""

    def axp_with(self, psi: Dnf, point: Point, feature: int) -> frozenset[int] | None:
        found = super().axp_with(psi, point, feature)
        return None if found is None else frozenset(range(psi.variables))


@bug
class _ClassOneAssumed(HonestRoutes):
    """AXps are those of class 1, whatever the instance's class is: none where ψ is 0."""

    def axps(self, psi: Dnf, point: Point) -> Family:
        return super().axps(psi, point) if dnf_holds(psi, point) else ()


@bug
class _VariablesForgotten(HonestRoutes):
    """Reading D lists the MUSes alone, without {x_v}."""

    def starred_axps(self, formula: Cnf) -> Family:
        return tuple(axp for axp in super().starred_axps(formula) if all(i < len(formula.clauses) for i in axp))


@bug
class _OnlyUsedVariables(HonestRoutes):
    """Reading D leaves out {x_v} of variables that no clause speaks of."""

    def starred_axps(self, formula: Cnf) -> Family:
        used = {abs(literal) + len(formula.clauses) - 1 for clause in formula.clauses for literal in clause}
        return tuple(
            axp for axp in super().starred_axps(formula) if min(axp, default=0) < len(formula.clauses) or axp <= used
        )


@bug
class _CounterexamplesLost(HonestRoutes):
    """The first of CEGAR's counterexamples is lost."""

    def members(self, formula: Cnf) -> tuple[MusWith, ...]:
        return tuple(replace(said, counterexamples=said.counterexamples[1:]) for said in super().members(formula))


@bug
class _RefutationsNotChecked(HonestRoutes):
    """Every refutation is accepted."""

    def rup_fault(self, clauses: Sequence[Literals], lines: Sequence[Literals]) -> str | None:
        return None


@bug
class _RefutationOfOtherClauses(HonestRoutes):
    """A refutation is checked, but the last line may be anything."""

    def rup_fault(self, clauses: Sequence[Literals], lines: Sequence[Literals]) -> str | None:
        return rup_fault([*clauses, ()], lines)


@bug
class _RefutationsRefused(HonestRoutes):
    """The check of a MUS wants its refutation to have a line other than the empty clause."""

    def mus_fault(self, formula: Cnf, evidence: MusEvidence) -> str | None:
        return super().mus_fault(formula, evidence) if len(evidence.refutation) > 1 else "the refutation has one line"


@bug
class _ModelsNotChecked(HonestRoutes):
    """The check of a MUS looks at its refutation alone."""

    def mus_fault(self, formula: Cnf, evidence: MusEvidence) -> str | None:
        return rup_fault([formula.clauses[clause] for clause in evidence.clauses], evidence.refutation)


@bug
class _CompletenessNotChecked(HonestRoutes):
    """The check of a family takes the listed MUSes and MCSes for all."""

    def family_fault(self, formula: Cnf, evidence: FamilyEvidence) -> str | None:
        faults = (self.mus_fault(formula, shown) for shown in evidence.muses)
        return next((fault for fault in faults if fault is not None), None)


@bug
class _ClausesKnownByTheirLiterals(HonestRoutes):
    """MARCO keeps sets of clauses by their literals: of equal clauses the first stands for all."""

    def muses(self, formula: Cnf) -> Family:
        return _by_literals(formula, super().muses(formula))

    def mcses(self, formula: Cnf) -> Family:
        return _by_literals(formula, super().mcses(formula))


def _by_literals(formula: Cnf, sets: Family) -> Family:
    first = formula.clauses.index
    return family({first(formula.clauses[clause]) for clause in members} for members in sets)


@bug
class _ClausesSorted(HonestRoutes):
    """MARCO sorts the clauses first, and names them by their new positions."""

    def muses(self, formula: Cnf) -> Family:
        return super().muses(Cnf(formula.variables, tuple(sorted(formula.clauses))))


@bug
class _SecondVariableAlwaysPositive(HonestRoutes):
    """MARCO takes a negative literal of variable 2 for a positive one."""

    def muses(self, formula: Cnf) -> Family:
        clauses = tuple(tuple(2 if literal == -2 else literal for literal in clause) for clause in formula.clauses)
        return super().muses(Cnf(formula.variables, clauses))


@bug
class _NonMembershipNotChecked(HonestRoutes):
    """The evidence that a clause is in no MUS is checked without saying which clause."""

    def no_fault(self, formula: Cnf, clause: int, evidence: NoEvidence) -> str | None:
        faults = [no_fault(formula, other, evidence) for other in range(len(formula.clauses))]
        return None if None in faults else faults[0]


@bug
class _EveryNoAccepted(HonestRoutes):
    """Every evidence that a clause is in no MUS is accepted."""

    def no_fault(self, formula: Cnf, clause: int, evidence: NoEvidence) -> str | None:
        return None
