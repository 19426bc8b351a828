"""Answers about a formula's clauses under each reading of the reduction, as immutable data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from xpgcheck.judging.verdicts import Outcome
from xpgcheck.oracles.propositional.formulas import Cnf, Literals, Point
from xpgcheck.oracles.propositional.membership_cegar import NoEvidence
from xpgcheck.oracles.propositional.refutations import FamilyEvidence, MusEvidence


class Reading(Enum):
    """The readings of "s_j is in some prime implicant of ψ"; see :mod:`xpgcheck.oracles.propositional.reduction`."""

    A = "A"
    B = "B"
    C = "C"
    C_SOME = "C-some"
    C_EVERY = "C-every"
    D = "D"

    @property
    def statement(self) -> str:
        """The paper's equivalence under this reading, for a clause γ_j in some MUS."""
        return _STATEMENTS[self]


_STATEMENTS = {
    Reading.A: "s_j is in some PI of ∀x.ψ(s,x), over the selectors",
    Reading.B: "s_j is in some PI of the DNF ψ, over selectors and x",
    Reading.C: "s_j is in some AXp of ψ at (1,…,1,x₀), at each x₀ for itself",
    Reading.C_SOME: "s_j is in some AXp of ψ at (1,…,1,x₀), for some x₀",
    Reading.C_EVERY: "s_j is in some AXp of ψ at (1,…,1,x₀), for every x₀",
    Reading.D: "s_j is in some AXp of ψ with a third value ∗ at (1,…,1,∗,…,∗)",
}


@dataclass(frozen=True, slots=True)
class RouteAnswer:
    """The answer of one route: yes, no, or None where it does not know, and ``reason`` why."""

    route: str
    answer: bool | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Settled:
    """The answer to one question that is believed; ``reason`` says why it stays open where ``answer`` is None."""

    answer: bool | None
    routes: tuple[RouteAnswer, ...] = ()
    reason: str = ""

    @property
    def disagreement(self) -> bool:
        """Whether two routes say the opposite."""
        return {True, False} <= {route.answer for route in self.routes}


def settled(routes: Sequence[RouteAnswer], *, shown: bool | None = None, yes_on_evidence: bool = False) -> Settled:
    """Return what is believed of *routes*: what evidence has *shown*, else what two say; never against another one.

    With *yes_on_evidence* a yes that no evidence has shown stays open, however many routes say it.
    """
    given = tuple(routes)
    said = {route.answer for route in given if route.answer is not None}
    if len(said) > 1 or (shown is not None and said - {shown}):
        sides = [", ".join(r.route for r in given if r.answer is answer) or "its evidence" for answer in (True, False)]
        return Settled(None, given, f"disagreement: {sides[0]} say yes, {sides[1]} no")
    if shown is not None:
        return Settled(shown, given)
    if not said:
        open_for = "; ".join(f"{r.route}: {r.reason}" for r in given if r.reason)
        return Settled(None, given, open_for or "no route was asked")
    if True in said and yes_on_evidence:
        return Settled(None, given, "no evidence of the yes was accepted")
    if sum(route.answer is not None for route in given) < 2:
        return Settled(None, given, f"only one route says so: {next(r.route for r in given if r.answer is not None)}")
    return Settled(said.pop(), given)


@dataclass(frozen=True, slots=True)
class ClauseStudy:
    """One clause, by its position from 0.

    ``mus`` shows that it is in a MUS, ``no`` that it is in none.  ``prime_implicant`` is a PI of ψ over selectors and x that
    holds s_j, ``axp`` the features (from 0) of an AXp that holds it at the first x₀ that has one.  ``at_points`` answers
    reading C at each x₀, in the order of :func:`xpgcheck.oracles.propositional.formulas.points`; empty: not asked.
    """

    clause: int
    in_mus: Settled
    mus: MusEvidence | None = None
    no: NoEvidence | None = None
    selected: dict[Reading, Settled] = field(default_factory=dict)
    prime_implicant: Literals | None = None
    axp: frozenset[int] | None = None
    at_points: tuple[bool | None, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadingVerdict:
    """Whether γ_j is in some MUS exactly if what a reading says of s_j, over the clauses that were asked.

    ``fails_at`` are the clauses (from 0) at which it does not, ``open_at`` those where it stays open.
    ``evidence`` says of the first of them what is known, for people.
    """

    reading: Reading
    outcome: Outcome
    asked: int
    fails_at: tuple[int, ...] = ()
    open_at: tuple[int, ...] = ()
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Study:
    """All that is known of a formula.

    ``model`` satisfies it, where it is ``satisfiable`` (None: not known).  ``muses`` and ``mcses`` were found, and are all
    where ``complete``; then ``family`` holds the evidence, None where its time was over.  ``notes`` say what was left out
    and why, ``faults`` which list of MUSes is contradicted.
    """

    name: str
    formula: Cnf
    satisfiable: bool | None
    model: Point | None
    muses: tuple[frozenset[int], ...]
    mcses: tuple[frozenset[int], ...]
    complete: bool
    family: FamilyEvidence | None
    clauses: tuple[ClauseStudy, ...]
    readings: tuple[ReadingVerdict, ...]
    notes: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def mus_evidence(self) -> list[MusEvidence]:
        """The evidence of each MUS that was shown to be one, each once: of all, or of those that clauses were found in."""
        shown = list(self.family.muses) if self.family is not None else []
        shown += [clause.mus for clause in self.clauses if clause.mus is not None]
        return [mus for _, mus in sorted({mus.clauses: mus for mus in shown}.items())]

    @property
    def disagreements(self) -> list[str]:
        """The questions on which routes disagree, or evidence contradicts one, in words."""
        found = list(self.faults)
        for study in self.clauses:
            asked = [("in some MUS", study.in_mus)]
            asked += [(f"reading {reading.value}", said) for reading, said in study.selected.items()]
            found += [f"clause {study.clause + 1}, {name}: {said.reason}" for name, said in asked if said.disagreement]
        return found
