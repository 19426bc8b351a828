"""One formula put to the reduction: MUSes, membership of each clause, every reading, within limits of time and number."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xpgcheck.errors import LimitError, NothingCheckedError
from xpgcheck.oracles.propositional.clause_families import MusEnumeration
from xpgcheck.oracles.propositional.formulas import Cnf, Point
from xpgcheck.oracles.propositional.limits import Deadline, OutOfTime
from xpgcheck.oracles.propositional.marco import enumerate_muses
from xpgcheck.oracles.propositional.membership_cegar import MusMembership
from xpgcheck.oracles.propositional.reduction import selector_dnf
from xpgcheck.oracles.propositional.refutations import FamilyEvidence, family_fault, family_refutation
from xpgcheck.paper.reduction import mus_membership, readings
from xpgcheck.paper.reduction.answers import ClauseStudy, Reading, Study
from xpgcheck.paper.reduction.mus_membership import Membership, clauses_of
from xpgcheck.paper.reduction.verdicts import verdict_on

MAX_CLAUSES = 50_000
"""Clauses up to which formulas are studied: four solvers hold them, each with a selector a clause."""


@dataclass(frozen=True, slots=True)
class StudyLimits:
    """Seconds for all, and the most MUSes to list."""

    seconds: float | None = 60.0
    muses: int = 1_000


def study(
    name: str,
    formula: Cnf,
    clauses: Sequence[int] | None = None,
    limits: StudyLimits = StudyLimits(),
    advance: Callable[[int], None] = lambda _: None,
) -> Study:
    """Study *clauses* (positions from 0; None: all) of *formula*, called *name* in reports; *advance* is told of each.

    What a limit leaves open is None in the answers, with the reason.  Raises ``LimitError`` over ``MAX_CLAUSES`` clauses.
    Membership takes exponential time at worst: the problem is Σ₂ᵖ-complete.
    """
    _refuse_what_cannot_be_studied(name, formula, clauses)
    started = time.monotonic()
    deadline = Deadline(limits.seconds)
    chosen = tuple(range(len(formula.clauses)) if clauses is None else clauses)
    notes: list[str] = []
    family = _listed(formula, limits, notes)
    faults: list[str] = []
    refuted = _refuted(formula, family, deadline, notes, faults)
    psi = selector_dnf(formula)
    asked = readings.Readings.of(formula, psi, len(chosen), deadline, notes)
    whole = None if refuted is None else clauses_of(refuted.muses)
    if whole is not None and len(formula.clauses) > mus_membership.CEGAR_CLAUSES:
        notes.append(
            f"CEGAR: over {mus_membership.CEGAR_CLAUSES:,} clauses, and the list of MUSes is proved to be complete"
        )
    known = {} if refuted is None else {frozenset(mus.clauses): mus for mus in refuted.muses}
    # Evidence of the formula is evidence of ψ where the same formula is read off ψ's terms.
    on_psi = readings.read_back(psi, len(formula.clauses)) == formula
    studies = []
    with MusMembership(formula) as cegar:
        satisfiable, model = _satisfiable(cegar, deadline, notes)
        members = Membership(formula, cegar, family, whole, deadline, known)
        for clause in chosen:
            member = members.decide(clause)
            selected, prime, at_points, axp = asked.about(clause, member.shown(whole) if on_psi else None)
            answers = tuple(said.answer for said in at_points)
            studies.append(ClauseStudy(clause, member.answer, member.mus, member.no, selected, prime, axp, answers))
            advance(1)
    return Study(
        name,
        formula,
        satisfiable,
        model,
        family.muses,
        family.mcses,
        family.complete,
        refuted,
        tuple(studies),
        tuple(verdict_on(reading, formula, studies) for reading in Reading),
        tuple(notes),
        tuple(faults),
        time.monotonic() - started,
    )


def _refuse_what_cannot_be_studied(name: str, formula: Cnf, clauses: Sequence[int] | None) -> None:
    """Raise ``LimitError`` where *formula* has too many clauses, and ``NothingCheckedError`` where none is asked about."""
    if len(formula.clauses) > MAX_CLAUSES:
        raise LimitError(
            f"{len(formula.clauses):,} clauses, and membership is decided for up to {MAX_CLAUSES:,}",
            place=name,
            mend="take a part of it; --dnf and --qdimacs write questions of any size",
        )
    if not (formula.clauses if clauses is None else clauses):
        mend = "give a formula with clauses" if clauses is None else "name a clause"
        raise NothingCheckedError("there is no clause to ask about", place=name, mend=mend)


def _satisfiable(cegar: MusMembership, deadline: Deadline, notes: list[str]) -> tuple[bool | None, Point | None]:
    try:
        model = cegar.model(deadline)
    except OutOfTime:
        notes.append("whether the formula is satisfiable: the time is over")
        return None, None
    return model is not None, model


def _listed(formula: Cnf, limits: StudyLimits, notes: list[str]) -> MusEnumeration:
    """List MUSes, in half of the time at most: membership is decided without the list."""
    half = Deadline(None if limits.seconds is None else limits.seconds / 2)
    listed = enumerate_muses(formula, limit=limits.muses, deadline=half)
    if not listed.complete:
        reached = len(listed.muses) >= limits.muses
        notes.append(f"MUSes: not all, {'the limit of their number' if reached else 'the time for them'} is reached")
    return listed


def _refuted(
    formula: Cnf, family: MusEnumeration, deadline: Deadline, notes: list[str], faults: list[str]
) -> FamilyEvidence | None:
    """Return the checked evidence that *family* lacks no MUS."""
    if not family.complete:
        return None
    try:
        evidence = family_refutation(formula, family.muses, family.mcses, deadline=deadline)
        fault = family_fault(formula, evidence, deadline=deadline)
    except OutOfTime:
        notes.append("MUSes: the refutation that there are no others, the time is over")
        return None
    except ValueError as error:
        fault = str(error)
    if fault is not None:
        faults.append(f"the list of MUSes is called complete, and is not shown to be: {fault}")
        return None
    return evidence
