"""Is a clause in some MUS?  Asked by several routes; a yes comes with a MUS, a no with a refutation, both checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xpgcheck.oracles.propositional.depqbf import find_depqbf, membership_by_depqbf
from xpgcheck.oracles.propositional.families import MusEnumeration
from xpgcheck.oracles.propositional.formulas import Cnf, Point
from xpgcheck.oracles.propositional.limits import Deadline, OutOfTime
from xpgcheck.oracles.propositional.membership_cegar import (
    MusMembership,
    MusWith,
    NoEvidence,
    no_evidence,
    no_fault,
)
from xpgcheck.oracles.propositional.membership_z3 import mus_with_by_z3
from xpgcheck.oracles.propositional.refutations import MusEvidence, mus_evidence, mus_fault
from xpgcheck.paper.reduction.answers import RouteAnswer, Settled, settled

CEGAR = "CEGAR"
Z3 = "Z3"
DEPQBF = "DepQBF"
ENUMERATION = "MARCO"
EXHAUSTIVE = "every subset"
EVIDENCE = "checked MUS"
REFUTATION = "checked refutation"
WHOLE = "checked list of all MUSes"

QBF_LITERALS = 60
"""Literals of a formula up to which the general QBF solvers are asked of each clause; of larger ones only if it is open."""


CEGAR_CLAUSES = 1_000
"""Clauses of a formula up to which CEGAR is asked of each even though the list of all MUSes is proved to be complete."""


@dataclass(frozen=True, slots=True)
class Member:
    """What is known of one clause: the answer, and the checked evidence for it."""

    answer: Settled
    mus: MusEvidence | None
    no: NoEvidence | None


def decide(
    formula: Cnf,
    clause: int,
    cegar: MusMembership,
    families: Sequence[tuple[str, MusEnumeration]],
    known: dict[frozenset[int], MusEvidence],
    deadline: Deadline,
    seconds: float,
    whole: frozenset[int] | None = None,
) -> Member:
    """Decide whether *clause* (from 0) is in some MUS, by every route that there is for *formula*.

    *families* are enumerations of MUSes that were made before, each with the name of its route; *known* is the evidence
    that was checked before, and grows.  A question to Z3 or DepQBF takes at most *seconds*.  *whole* are the clauses in
    the MUSes of a list whose evidence that it is complete was checked; None: there is none.
    """
    routes: list[RouteAnswer] = []
    mus: MusEvidence | None = None
    no: NoEvidence | None = None
    found = _by_cegar(cegar, clause, deadline) if whole is None or len(formula.clauses) <= CEGAR_CLAUSES else None
    if found is None and whole is None:
        routes.append(RouteAnswer(CEGAR, None, "out of time"))
    elif found is not None:
        routes.append(RouteAnswer(CEGAR, found.mus is not None))
        if found.mus is not None:
            mus, fault = _mus(formula, clause, found.mus, known, deadline)
            routes.append(RouteAnswer(EVIDENCE, None if fault else True, fault or ""))
        else:
            no, why = _no(formula, clause, found.counterexamples, deadline)
            routes.append(RouteAnswer(REFUTATION, None if why else False, why or ""))
    for name, family in families:
        routes.append(_listed(name, family, clause))
        if mus is None and (held := next((m for m in family.muses if clause in m), None)) is not None:
            mus, fault = _mus(formula, clause, held, known, deadline)
            routes.append(RouteAnswer(EVIDENCE, None if fault else True, fault or ""))
    if whole is not None:
        routes.append(RouteAnswer(WHOLE, clause in whole))
    shown = True if mus is not None else None
    open_yet = settled(routes, shown=shown, yes_on_evidence=True).answer is None
    if (open_yet and not deadline.passed()) or small(formula):
        routes.append(_asked(Z3, lambda: mus_with_by_z3(formula, clause, _milliseconds(deadline, seconds))))
        if find_depqbf() is not None:
            routes.append(_asked(DEPQBF, lambda: membership_by_depqbf(formula, clause, deadline.left(seconds))))
    return Member(settled(routes, shown=shown, yes_on_evidence=True), mus, no)


def small(formula: Cnf) -> bool:
    """Tell whether general QBF solvers are asked of each clause.  Constant time, as it is asked once a clause."""
    clauses = formula.clauses
    return len(clauses) <= 2 * QBF_LITERALS and sum(map(len, clauses)) <= QBF_LITERALS


def _by_cegar(cegar: MusMembership, clause: int, deadline: Deadline) -> MusWith | None:
    """Return the answer, or None where the time is over: then at once, without the work that is linear in the formula."""
    try:
        deadline.check()
        return cegar.mus_with(clause, deadline)
    except OutOfTime:
        return None


def _mus(
    formula: Cnf, clause: int, mus: frozenset[int], known: dict[frozenset[int], MusEvidence], deadline: Deadline
) -> tuple[MusEvidence | None, str | None]:
    """Return the checked evidence, or what was wrong with it."""
    if clause not in mus:
        return None, "the MUS lacks the clause"
    if mus in known:
        return known[mus], None
    try:
        deadline.check()
        evidence = mus_evidence(formula, mus, deadline=deadline)
        fault = mus_fault(formula, evidence, deadline=deadline)
    except OutOfTime:
        return None, "out of time"
    except ValueError as error:
        return None, str(error)
    if fault is not None:
        return None, fault
    known[mus] = evidence
    return evidence, None


def _no(
    formula: Cnf, clause: int, counterexamples: Sequence[Point], deadline: Deadline
) -> tuple[NoEvidence | None, str | None]:
    """Return the checked evidence, or what was wrong with it."""
    try:
        evidence = no_evidence(formula, clause, counterexamples, deadline=deadline)
        fault = no_fault(formula, clause, evidence, deadline=deadline)
    except OutOfTime:
        return None, "out of time"
    except ValueError as error:
        return None, str(error)
    return (evidence, None) if fault is None else (None, fault)


def _listed(name: str, family: MusEnumeration, clause: int) -> RouteAnswer:
    if any(clause in mus for mus in family.muses):
        return RouteAnswer(name, True)
    return RouteAnswer(name, False) if family.complete else RouteAnswer(name, None, "not all MUSes were listed")


def _asked(name: str, ask: Callable[[], bool | None]) -> RouteAnswer:
    try:
        answer = ask()
    except OutOfTime:
        answer = None
    return RouteAnswer(name, answer, "" if answer is not None else "unknown, or out of time")


def _milliseconds(deadline: Deadline, seconds: float) -> int:
    return max(1, int(1000 * deadline.left(seconds)))
