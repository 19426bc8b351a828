"""One formula put to the reduction: MUSes, membership of each clause, every reading, within limits of time and number."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xpgcheck.errors import LimitError
from xpgcheck.oracles.propositional.depqbf import find_depqbf
from xpgcheck.oracles.propositional.families import MusEnumeration
from xpgcheck.oracles.propositional.formulas import Cnf, Dnf, Point
from xpgcheck.oracles.propositional.limits import Deadline, OutOfTime, TooLarge
from xpgcheck.oracles.propositional.marco import enumerate_muses
from xpgcheck.oracles.propositional.membership_cegar import MusMembership, no_fault
from xpgcheck.oracles.propositional.reduction import selector_dnf
from xpgcheck.oracles.propositional.refutations import (
    FamilyEvidence,
    family_fault,
    family_refutation,
    mus_fault,
)
from xpgcheck.oracles.propositional.subsets import mcses_exhaustive, muses_exhaustive
from xpgcheck.paper.reduction import membership, readings
from xpgcheck.paper.reduction.answers import ClauseStudy, Reading, Settled, Study
from xpgcheck.paper.reduction.membership import Member
from xpgcheck.paper.reduction.verdicts import verdict_on

MAX_CLAUSES = 50_000
"""Clauses up to which formulas are studied: four solvers hold them, each with a selector a clause."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds for all, seconds for a question to a QBF solver, and the most MUSes to list."""

    seconds: float | None = 60.0
    question_seconds: float = 10.0
    muses: int = 1_000


def study(
    name: str,
    formula: Cnf,
    clauses: Sequence[int] | None = None,
    limits: Limits = Limits(),
    advance: Callable[[int], None] = lambda _: None,
) -> Study:
    """Study *clauses* (positions from 0; None: all) of *formula*, called *name* in reports; *advance* is told of each.

    What a limit leaves open is None in the answers, with the reason.  Raises ``LimitError`` over ``MAX_CLAUSES`` clauses.
    Membership takes exponential time at worst: the problem is Σ₂ᵖ-complete.
    """
    if len(formula.clauses) > MAX_CLAUSES:
        raise LimitError(
            f"{len(formula.clauses):,} clauses, and membership is decided for up to {MAX_CLAUSES:,}",
            place=name,
            mend="take a part of it; --dnf and --qdimacs write questions of any size",
        )
    started = time.monotonic()
    deadline = Deadline(limits.seconds)
    chosen = tuple(range(len(formula.clauses)) if clauses is None else clauses)
    notes: list[str] = []
    families = _families(formula, limits, deadline, notes)
    family = next((f for _, f in families if f.complete), families[0][1])
    faults: list[str] = []
    refuted = _refuted(formula, family, deadline, notes, faults)
    if len({listed.muses for _, listed in families if listed.complete}) > 1:
        faults.append("MARCO and every subset list different MUSes")
    if not membership.small(formula):
        notes.append(f"Z3 and DepQBF: over {membership.QBF_LITERALS} literals, asked only of clauses that stay open")
    if find_depqbf() is None:
        notes.append("DepQBF: it is not installed")
    psi = selector_dnf(formula)
    small = readings.listed(formula, psi, deadline)
    notes += small.notes
    with_points = len(chosen) << formula.variables <= readings.MAX_POINT_QUESTIONS if formula.variables < 64 else False
    if not with_points:
        notes.append(f"reading C: over {readings.MAX_POINT_QUESTIONS:,} questions, one a clause and x₀")
    studies = []
    whole = None if refuted is None else frozenset(clause for mus in refuted.muses for clause in mus.clauses)
    if whole is not None and len(formula.clauses) > membership.CEGAR_CLAUSES:
        notes.append(
            f"CEGAR: over {membership.CEGAR_CLAUSES:,} clauses, and the list of MUSes is proved to be complete"
        )
    accepted: set[int] = set()
    read_back = readings.read_back(psi, len(formula.clauses))
    # Evidence of the formula is evidence of ψ where ψ's terms give the same formula.
    whole_on_psi = whole if read_back == formula else None
    known = {} if refuted is None else {frozenset(mus.clauses): mus for mus in refuted.muses}
    with MusMembership(formula) as cegar:
        satisfiable, model = _satisfiable(cegar, deadline, notes)
        for clause in chosen:
            member = membership.decide(
                formula, clause, cegar, families, known, deadline, limits.question_seconds, whole
            )
            on_psi = _on_psi(read_back, clause, member, accepted, deadline)
            if on_psi is None and whole_on_psi is not None:
                on_psi = clause in whole_on_psi
            studies.append(_read(formula, psi, clause, member, on_psi, small, deadline, with_points=with_points))
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


def _satisfiable(cegar: MusMembership, deadline: Deadline, notes: list[str]) -> tuple[bool | None, Point | None]:
    try:
        model = cegar.model(deadline)
    except OutOfTime:
        notes.append("whether the formula is satisfiable: the time is over")
        return None, None
    return model is not None, model


def _families(formula: Cnf, limits: Limits, deadline: Deadline, notes: list[str]) -> list[tuple[str, MusEnumeration]]:
    """List MUSes by a solver and, of a small formula, from the truth of every subset."""
    # Half of the time at most: membership is decided without the list.
    half = Deadline(None if limits.seconds is None else limits.seconds / 2)
    families = [(membership.ENUMERATION, enumerate_muses(formula, limit=limits.muses, deadline=half))]
    if not families[0][1].complete:
        reached = len(families[0][1].muses) >= limits.muses
        notes.append(f"MUSes: not all, {'the limit of their number' if reached else 'the time for them'} is reached")
    try:
        every = MusEnumeration(muses_exhaustive(formula), mcses_exhaustive(formula), complete=True)
    except TooLarge as error:
        notes.append(f"MUSes from every subset: {error}")
    else:
        families.append((membership.EXHAUSTIVE, every))
    return families


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


def _on_psi(psi_formula: Cnf, clause: int, member: Member, accepted: set[int], deadline: Deadline) -> bool | None:
    """Return what the evidence of *member* says, if it is accepted of the formula that was read off ψ; else None."""
    try:
        if member.mus is not None:
            if id(member.mus) not in accepted and mus_fault(psi_formula, member.mus, deadline=deadline) is not None:
                return None
            accepted.add(id(member.mus))
            return True
        if member.no is not None and no_fault(psi_formula, clause, member.no, deadline=deadline) is None:
            return False
    except OutOfTime:
        return None
    return None


def _read(
    formula: Cnf,
    psi: Dnf,
    clause: int,
    member: Member,
    on_psi: bool | None,
    small: readings.Listed,
    deadline: Deadline,
    *,
    with_points: bool,
) -> ClauseStudy:
    in_prime, prime = readings.reading_b(formula, psi, clause, small, deadline)
    selected: dict[Reading, Settled] = {
        Reading.A: readings.reading_a(clause, small, on_psi),
        Reading.B: in_prime,
        Reading.D: readings.reading_d(clause, small),
    }
    at_points: tuple[Settled, ...] = ()
    axp = None
    if with_points:
        at_points, axp = readings.reading_c(formula, psi, clause, small, deadline)
        selected[Reading.C_SOME] = readings.over_points(at_points, Reading.C_SOME)
        selected[Reading.C_EVERY] = readings.over_points(at_points, Reading.C_EVERY)
    return ClauseStudy(
        clause, member.answer, member.mus, member.no, selected, prime, axp, tuple(said.answer for said in at_points)
    )
