"""Is a clause in some MUS?  CEGAR decides, a list confirms; a yes comes with a MUS, a no with a refutation, both checked."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from xpgcheck.oracles.propositional.clause_families import MusEnumeration
from xpgcheck.oracles.propositional.formulas import Cnf
from xpgcheck.oracles.propositional.limits import Deadline, OutOfTime
from xpgcheck.oracles.propositional.membership_cegar import (
    MusMembership,
    MusWith,
    NoEvidence,
    no_evidence,
    no_fault,
)
from xpgcheck.oracles.propositional.refutations import MusEvidence, mus_evidence, mus_fault
from xpgcheck.paper.reduction.answers import RouteAnswer, Settled, settled

CEGAR = "CEGAR"
ENUMERATION = "MARCO"
EVIDENCE = "checked MUS"
REFUTATION = "checked refutation"
WHOLE = "checked list of all MUSes"

CEGAR_CLAUSES = 1_000
"""Clauses of a formula up to which CEGAR is asked of each even though the list of all MUSes is proved to be complete."""

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Member:
    """The result for one clause: its number, the answer, and the checked evidence for it."""

    clause: int
    answer: Settled
    mus: MusEvidence | None
    no: NoEvidence | None

    def shown(self, whole: frozenset[int] | None) -> bool | None:
        """Return what evidence shows: its own, or that *whole* are the clauses in MUSes; None where there is none."""
        if self.mus is not None or self.no is not None:
            return self.mus is not None
        return None if whole is None else self.clause in whole


@dataclass(slots=True)
class Membership:
    """The question asked of the clauses of one formula, within *deadline*.

    ``family`` are MUSes that were listed before; ``whole`` are the clauses in MUSes of that list, if the evidence that it
    is complete was checked (None: there is none), and ``known`` that evidence, which grows.
    """

    formula: Cnf
    cegar: MusMembership
    family: MusEnumeration
    whole: frozenset[int] | None
    deadline: Deadline
    known: dict[frozenset[int], MusEvidence] = field(default_factory=dict)

    def decide(self, clause: int) -> Member:
        """Decide whether *clause* (from 0) is in some MUS, by every route that there is for the formula."""
        routes: list[RouteAnswer] = []
        mus: MusEvidence | None = None
        no: NoEvidence | None = None
        asked = self.whole is None or len(self.formula.clauses) <= CEGAR_CLAUSES
        said = self._by_cegar(clause) if asked else None
        if said is None and self.whole is None:
            routes.append(RouteAnswer(CEGAR, None, "out of time"))
        elif said is not None:
            routes.append(RouteAnswer(CEGAR, said.mus is not None))
        if said is not None and said.mus is None:
            points = said.counterexamples
            no, why = _checked(
                lambda: no_evidence(self.formula, clause, points, deadline=self.deadline),
                functools.partial(no_fault, self.formula, clause, deadline=self.deadline),
            )
            routes.append(RouteAnswer(REFUTATION, None if why else False, why))
        held = [] if said is None or said.mus is None else [said.mus]
        listed = [mus for mus in self.family.muses if clause in mus][:1]
        if listed or self.family.complete:
            routes.append(RouteAnswer(ENUMERATION, bool(listed)))
        else:
            routes.append(RouteAnswer(ENUMERATION, None, "not all MUSes were listed"))
        held += listed
        for candidate in held:
            if mus is None:
                mus, why = self._shown(clause, candidate)
                routes.append(RouteAnswer(EVIDENCE, None if why else True, why))
        if self.whole is not None:
            routes.append(RouteAnswer(WHOLE, clause in self.whole))
        return Member(clause, settled(routes, shown=True if mus is not None else None, yes_on_evidence=True), mus, no)

    def _by_cegar(self, clause: int) -> MusWith | None:
        """Return the answer; None where the time is over, at once, without the work that is linear in the formula."""
        try:
            self.deadline.check()
            return self.cegar.mus_with(clause, self.deadline)
        except OutOfTime:
            return None

    def _shown(self, clause: int, mus: frozenset[int]) -> tuple[MusEvidence | None, str]:
        """Return the checked evidence of a MUS with *clause*, or what is wrong with it."""
        if clause not in mus:
            return None, "the MUS lacks the clause"
        if mus in self.known:
            return self.known[mus], ""

        def evidence() -> MusEvidence:
            self.deadline.check()
            return mus_evidence(self.formula, mus, deadline=self.deadline)

        shown, why = _checked(evidence, functools.partial(mus_fault, self.formula, deadline=self.deadline))
        if shown is not None:
            self.known[mus] = shown
        return shown, why


def _checked(make: Callable[[], E], fault_of: Callable[[E], str | None]) -> tuple[E | None, str]:
    """Return evidence that was made and accepted, or None and what is wrong with it."""
    try:
        evidence = make()
        fault = fault_of(evidence)
    except OutOfTime:
        return None, "out of time"
    except ValueError as error:
        return None, str(error)
    return (evidence, "") if fault is None else (None, fault)


def clauses_of(muses: Sequence[MusEvidence]) -> frozenset[int]:
    """Return the clauses that are in one of *muses*."""
    return frozenset(clause for mus in muses for clause in mus.clauses)
