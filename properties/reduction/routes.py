"""The subject of the reduction's properties: every answer, each a method that a seeded bug may override."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from xpgcheck.oracles.propositional import classifier_axps, literal_membership, starred
from xpgcheck.oracles.propositional.clause_families import Family, MusEnumeration
from xpgcheck.oracles.propositional.formulas import Cnf, Dnf, Literals, Point
from xpgcheck.oracles.propositional.limits import Deadline, OutOfTime
from xpgcheck.oracles.propositional.marco import enumerate_muses
from xpgcheck.oracles.propositional.membership_cegar import MusMembership, MusWith, NoEvidence, no_evidence, no_fault
from xpgcheck.oracles.propositional.prime_implicants import prime_implicants
from xpgcheck.oracles.propositional.reduction import selector_dnf
from xpgcheck.oracles.propositional.refutations import (
    FamilyEvidence,
    MusEvidence,
    family_fault,
    family_refutation,
    mus_evidence,
    mus_fault,
)
from xpgcheck.oracles.propositional.rup import rup_fault
from xpgcheck.oracles.propositional.selector_primes import selector_primes

SECONDS = 20.0
"""The time for one answer; one that takes longer is left open, and said to be."""


class HonestRoutes:
    """The routes as they are.  All answers are of a formula, or of the DNF that ``selector_dnf`` made of it.

    Every method may raise ``TooLarge`` (the route does not take it) and ``OutOfTime`` (no answer).
    """

    name = "the project's own"
    membership: type[MusMembership] = MusMembership
    """The route that decides whether a clause is in some MUS."""

    def selector_dnf(self, formula: Cnf) -> Dnf:
        """Return ψ of *formula*."""
        return selector_dnf(formula)

    def muses(self, formula: Cnf) -> Family:
        """Return all MUSes, by MARCO."""
        return _enumerated(formula).muses

    def mcses(self, formula: Cnf) -> Family:
        """Return all MCSes, by MARCO."""
        return _enumerated(formula).mcses

    def selector_primes(self, psi: Dnf, selectors: int) -> Family:
        """Return the prime implicants of ∀x. ψ, as sets of clauses."""
        return selector_primes(psi, selectors)

    def primes(self, psi: Dnf) -> tuple[Literals, ...]:
        """Return the prime implicants of ψ."""
        return prime_implicants(psi)

    def prime_with(self, psi: Dnf, literal: int) -> Literals | None:
        """Return a prime implicant of ψ that has *literal*, or None."""
        return literal_membership.prime_implicant_with(psi, literal, deadline=Deadline(SECONDS))

    def axps(self, psi: Dnf, point: Point) -> Family:
        """Return all AXps of the classifier ψ at *point*; feature i is variable i + 1."""
        return classifier_axps.axps_exhaustive(psi, point)

    def axp_with(self, psi: Dnf, point: Point, feature: int) -> frozenset[int] | None:
        """Return an AXp of the classifier ψ at *point* that has *feature*, or None."""
        return classifier_axps.axp_with(psi, point, feature, Deadline(SECONDS))

    def starred_axps(self, formula: Cnf) -> Family:
        """Return all AXps of reading D: features are the selectors, then the variables."""
        return starred.starred_axps_exhaustive(formula)

    def members(self, formula: Cnf) -> tuple[MusWith, ...]:
        """Return of each clause what CEGAR says: a MUS with it, or the counterexamples that leave none."""
        with self.membership(formula) as asked:
            return tuple(asked.mus_with(clause, Deadline(SECONDS)) for clause in range(len(formula.clauses)))

    def no_evidence(self, formula: Cnf, clause: int, points: Sequence[Point]) -> NoEvidence:
        """Return the evidence that *clause* is in no MUS."""
        return no_evidence(formula, clause, points)

    def no_fault(self, formula: Cnf, clause: int, evidence: NoEvidence) -> str | None:
        """Return what is wrong with the evidence that *clause* is in no MUS, or None."""
        return no_fault(formula, clause, evidence)

    def mus_evidence(self, formula: Cnf, mus: frozenset[int]) -> MusEvidence:
        """Return the evidence that *mus* is a MUS."""
        return mus_evidence(formula, mus)

    def mus_fault(self, formula: Cnf, evidence: MusEvidence) -> str | None:
        """Return what is wrong with the evidence of a MUS, or None."""
        return mus_fault(formula, evidence)

    def family_evidence(self, formula: Cnf, muses: Family, mcses: Family) -> FamilyEvidence:
        """Return the evidence that the families are all MUSes and all MCSes."""
        return family_refutation(formula, muses, mcses)

    def family_fault(self, formula: Cnf, evidence: FamilyEvidence) -> str | None:
        """Return what is wrong with the evidence of a family, or None."""
        return family_fault(formula, evidence)

    def rup_fault(self, clauses: Sequence[Literals], lines: Sequence[Literals]) -> str | None:
        """Return what is wrong with a refutation of *clauses*, or None."""
        return rup_fault(clauses, lines)


@functools.lru_cache(maxsize=8)
def _enumerated(formula: Cnf) -> MusEnumeration:
    found = enumerate_muses(formula, limit=None, deadline=Deadline(SECONDS))
    if not found.complete:
        raise OutOfTime
    return found
