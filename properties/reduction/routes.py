"""The subject of the reduction's properties: every route to every answer, each a method that a seeded bug may override.

Routes are named.  Cheap ones are asked of every formula.  A slow one is asked of the share of formulas that
``trials.SHARES`` states and, where it answers clause by clause, of one clause; what was asked is counted.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NoReturn

from xpgcheck.oracles.propositional import classifier_axps, literal_membership, starred
from xpgcheck.oracles.propositional.depqbf import find_depqbf, membership_by_depqbf
from xpgcheck.oracles.propositional.families import Family
from xpgcheck.oracles.propositional.formulas import Cnf, Dnf, Literals, Point
from xpgcheck.oracles.propositional.limits import Deadline, OutOfTime
from xpgcheck.oracles.propositional.marco import enumerate_muses
from xpgcheck.oracles.propositional.mcs_route import mcses_by_pysat
from xpgcheck.oracles.propositional.membership_cegar import MusMembership, MusWith, NoEvidence, no_evidence, no_fault
from xpgcheck.oracles.propositional.membership_z3 import mus_with_by_z3
from xpgcheck.oracles.propositional.optux_route import muses_by_optux
from xpgcheck.oracles.propositional.primes_by_consensus import prime_implicants_by_consensus
from xpgcheck.oracles.propositional.primes_by_pysat import prime_implicants_by_pysat
from xpgcheck.oracles.propositional.primes_exhaustive import prime_implicants_exhaustive
from xpgcheck.oracles.propositional.reduction import selector_dnf
from xpgcheck.oracles.propositional.refutations import (
    FamilyEvidence,
    MusEvidence,
    family_fault,
    family_refutation,
    mus_evidence,
    mus_fault,
    rup_fault,
)
from xpgcheck.oracles.propositional.selector_primes import selector_primes_by_expansion, selector_primes_exhaustive
from xpgcheck.oracles.propositional.subsets import mcses_exhaustive, muses_exhaustive

MUS_ROUTES = ("exhaustive", "marco", "optux")
MCS_ROUTES = ("exhaustive", "marco", "lbx", "mcsls")
SELECTOR_ROUTES = ("exhaustive", "expansion")
PRIME_ROUTES = ("exhaustive", "consensus", "primer")
MEMBER_ROUTES = ("cegar", "z3", "depqbf")

SECONDS = 20.0
"""The time for one answer; one that takes longer is left open, and said to be."""

MAX_PRIMES = 5_000
"""Prime implicants over which Primer declines a formula."""


class NotInstalled(Exception):  # noqa: N818 - an outcome, not an error
    """A route that this machine lacks."""


class HonestRoutes:
    """The routes as they are.  All answers are of a formula, or of the DNF that ``selector_dnf`` made of it.

    Every method may raise ``TooLarge`` (the route does not take it), ``OutOfTime`` (no answer) and ``NotInstalled``.
    """

    name = "the project's own"

    def selector_dnf(self, formula: Cnf) -> Dnf:
        """Return ψ of *formula*."""
        return selector_dnf(formula)

    def muses(self, route: str, formula: Cnf) -> Family:
        """Return all MUSes by *route*, one of ``MUS_ROUTES``."""
        if route == "exhaustive":
            return muses_exhaustive(formula)
        enumerate_all = enumerate_muses if route == "marco" else muses_by_optux
        found = enumerate_all(formula, limit=None, deadline=Deadline(SECONDS))
        return found.muses if found.complete else _late()

    def mcses(self, route: str, formula: Cnf) -> Family:
        """Return all MCSes by *route*, one of ``MCS_ROUTES``."""
        if route == "exhaustive":
            return mcses_exhaustive(formula)
        if route == "marco":
            both = enumerate_muses(formula, limit=None, deadline=Deadline(SECONDS))
            return both.mcses if both.complete else _late()
        algorithm = "LBX" if route == "lbx" else "MCSls"
        found = mcses_by_pysat(formula, limit=None, deadline=Deadline(SECONDS), algorithm=algorithm)  # type: ignore[arg-type]
        return found.mcses if found.complete else _late()

    def selector_primes(self, route: str, psi: Dnf, selectors: int) -> Family:
        """Return the prime implicants of ∀x. ψ by *route*, one of ``SELECTOR_ROUTES``, as sets of clauses."""
        if route == "exhaustive":
            return selector_primes_exhaustive(psi, selectors)
        return selector_primes_by_expansion(psi, selectors, deadline=Deadline(SECONDS))

    def primes(self, route: str, psi: Dnf) -> tuple[Literals, ...]:
        """Return the prime implicants of ψ by *route*, one of ``PRIME_ROUTES``."""
        if route == "exhaustive":
            return prime_implicants_exhaustive(psi)
        if route == "consensus":
            return prime_implicants_by_consensus(psi)
        try:
            return prime_implicants_by_pysat(psi, MAX_PRIMES, deadline=Deadline(SECONDS))
        except ModuleNotFoundError:
            raise NotInstalled("PySAT's Primer") from None

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
        with MusMembership(formula) as asked:
            return tuple(asked.mus_with(clause, Deadline(SECONDS)) for clause in range(len(formula.clauses)))

    def no_evidence(self, formula: Cnf, clause: int, points: Sequence[Point]) -> NoEvidence:
        """Return the evidence that *clause* is in no MUS."""
        return no_evidence(formula, clause, points)

    def no_fault(self, formula: Cnf, clause: int, evidence: NoEvidence) -> str | None:
        """Return what is wrong with the evidence that *clause* is in no MUS, or None."""
        return no_fault(formula, clause, evidence)

    def is_member(self, route: str, formula: Cnf, clause: int) -> bool:
        """Tell by *route*, ``z3`` or ``depqbf``, whether *clause* is in some MUS."""
        if route == "z3":
            answer = mus_with_by_z3(formula, clause, round(1000 * SECONDS))
        elif _depqbf() is None:
            raise NotInstalled("depqbf")
        else:
            answer = membership_by_depqbf(formula, clause, SECONDS)
        return _late() if answer is None else answer

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


def _late() -> NoReturn:
    raise OutOfTime


@functools.cache
def _depqbf() -> str | None:
    return find_depqbf()
