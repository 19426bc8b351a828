"""The selectors of a formula under each reading of the reduction, by two routes each where the formula is small."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from xpgcheck.oracles.propositional.classifier_axps import axp_with
from xpgcheck.oracles.propositional.clause_families import Family
from xpgcheck.oracles.propositional.formulas import Cnf, Dnf, Literals, Point, clashes, points
from xpgcheck.oracles.propositional.limits import Deadline, OutOfTime, TooLarge
from xpgcheck.oracles.propositional.literal_membership import prime_implicant_with
from xpgcheck.oracles.propositional.prime_implicants import prime_implicants
from xpgcheck.oracles.propositional.reduction import selector
from xpgcheck.oracles.propositional.selector_primes import selector_primes
from xpgcheck.oracles.propositional.starred import starred_axps_exhaustive
from xpgcheck.paper.reduction.answers import Reading, RouteAnswer, Settled, settled

MAX_POINT_QUESTIONS = 4_096
"""Questions "is s_j in some AXp at x₀" up to which reading C is asked."""

MAX_LISTED = 200
"""Clauses up to which prime implicants are listed; most formulas of that size are over the limits of the routes anyway."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Readings:
    """The readings of one formula and its *psi*, with the families that they ask of, where these could be listed.

    ``over_selectors`` are the PIs of ∀x.ψ, ``over_all`` those of the DNF, ``starred`` the AXps of reading D; None: not
    listed.  With ``at_points`` reading C is asked.
    """

    formula: Cnf
    psi: Dnf
    deadline: Deadline
    at_points: bool
    over_selectors: Family | None = None
    over_all: tuple[Literals, ...] | None = None
    starred: Family | None = None

    @classmethod
    def of(cls, formula: Cnf, psi: Dnf, asked: int, deadline: Deadline, notes: list[str]) -> Readings:
        """List what the limits allow, for questions about *asked* clauses; *notes* learn what they do not, and why."""
        count = len(formula.clauses)
        at_points = formula.variables < 64 and asked << formula.variables <= MAX_POINT_QUESTIONS
        if count > MAX_LISTED:
            notes.append(f"lists for readings A, B and D: {count:,} clauses, taken up to {MAX_LISTED}")
            made: tuple[Family | None, tuple[Literals, ...] | None, Family | None] = (None, None, None)
        else:
            made = (
                _listed("reading A, every subset", lambda: selector_primes(psi, count), deadline, notes),
                _listed("reading B, consensus", lambda: prime_implicants(psi), deadline, notes),
                _listed("reading D, every point", lambda: starred_axps_exhaustive(formula), deadline, notes),
            )
        if not at_points:
            notes.append(f"reading C: over {MAX_POINT_QUESTIONS:,} questions, one for each clause and x₀")
        return cls(formula, psi, deadline, at_points, *made)

    def about(
        self, clause: int, evidence: bool | None
    ) -> tuple[dict[Reading, Settled], Literals | None, tuple[Settled, ...], frozenset[int] | None]:
        """Return what each reading says of *clause*; a PI of ψ with s_j; the answers at each x₀; and the first AXp with s_j.

        *evidence* is what checked evidence of membership in a MUS says, if it is of ψ too (see ``read_back``): a MUS with
        its refutation and models is a PI with the proof that it is one, and so the refutation of a "no".
        """
        in_prime, prime = self._reading_b(clause)
        said = {
            Reading.A: self._reading_a(clause, evidence),
            Reading.B: in_prime,
            Reading.D: self._reading_d(clause, evidence),
        }
        if not self.at_points:
            return said, prime, (), None
        at_points, axp = self._reading_c(clause)
        said |= {reading: over_points(at_points, reading) for reading in (Reading.C_SOME, Reading.C_EVERY)}
        return said, prime, at_points, axp

    def _reading_a(self, clause: int, evidence: bool | None) -> Settled:
        """Return whether s_j is in a PI of ∀x.ψ(s,x)."""
        return settled(_in_a_member("every subset", self.over_selectors, clause), shown=evidence)

    def _reading_b(self, clause: int) -> tuple[Settled, Literals | None]:
        """Return whether s_j is in a PI of the DNF over selectors and x, and such a PI."""
        literal = selector(clause)
        prime = None
        try:
            # Its solver takes time linear in ψ to set up, before it looks at the time: of every clause, too much.
            self.deadline.check()
            prime = prime_implicant_with(self.psi, literal, deadline=self.deadline)
            routes = [RouteAnswer("one SAT call", prime is not None)]
        except OutOfTime:
            routes = [RouteAnswer("one SAT call", None, "out of time")]
        routes += _in_a_member("consensus", self.over_all, literal)
        # Terms without a selector are no implicants (set all selectors to 0), so shrinking s_j ∧ ¬γ_j leaves s_j in.
        routes.append(RouteAnswer("no tautology", not clashes(self.formula.clauses[clause])))
        return settled(routes), prime

    def _reading_c(self, clause: int) -> tuple[tuple[Settled, ...], frozenset[int] | None]:
        """Return at each x₀ whether s_j is in an AXp of ψ at (1, …, 1, x₀), and the first such AXp (features from 0)."""
        answers: list[Settled] = []
        first: frozenset[int] | None = None
        for point in points(self.formula.variables):
            instance = (True,) * len(self.formula.clauses) + point
            try:
                self.deadline.check()
                axp = axp_with(self.psi, instance, clause, self.deadline)
                first = first or axp
                routes = [RouteAnswer("CEGAR", axp is not None)]
            except OutOfTime:
                routes = [RouteAnswer("CEGAR", None, "out of time")]
            if self.over_all is not None:
                # At an instance of class 0 no s_j = 1 helps: ψ grows with the selectors.
                held = [term for term in self.over_all if _agrees(term, instance)]
                routes += _in_a_member("consensus", held, selector(clause))
            answers.append(settled(routes))
        return tuple(answers), first

    def _reading_d(self, clause: int, evidence: bool | None) -> Settled:
        """Return whether s_j is in an AXp of ψ with a third value ∗ at (1, …, 1, ∗, …, ∗)."""
        routes = _in_a_member("every point", self.starred, clause)
        # With a variable fixed at ∗ the class is 1 whatever the rest is: the other AXps fix selectors alone.
        routes += _in_a_member("every subset, and {x = ∗}", self.over_selectors, clause)
        if evidence is not None:
            routes.append(RouteAnswer("evidence of reading A, and {x = ∗}", evidence))
        return settled(routes)


def _listed(what: str, make: Callable[[], T], deadline: Deadline, notes: list[str]) -> T | None:
    try:
        deadline.check()
        return make()
    except (TooLarge, OutOfTime) as error:
        notes.append(f"{what}: {error or 'the time is over'}")
        return None


def _in_a_member(
    route: str, family: Sequence[Sequence[int] | frozenset[int]] | None, element: int
) -> list[RouteAnswer]:
    """Return what *route* says: whether *element* is in one of *family*; nothing where that could not be listed."""
    return [] if family is None else [RouteAnswer(route, any(element in member for member in family))]


def read_back(psi: Dnf, count: int) -> Cnf:
    """Return the formula of which *psi* is the DNF of the reduction, with *count* selectors: read off the terms alone.

    A term that lacks its selector, or has another one, gives no clause: the formula is then another one.  Linear.
    """
    clauses = []
    for position, term in enumerate(psi.terms):
        if [literal for literal in term if abs(literal) <= count] == [selector(position)]:
            rest = [literal for literal in term if abs(literal) > count]
            clauses.append(tuple(count - literal if literal > 0 else -(literal + count) for literal in rest))
    return Cnf(psi.variables - count, tuple(clauses))


def over_points(answers: Sequence[Settled], reading: Reading) -> Settled:
    """Return the answer for some or for every x₀ of the *answers* at each."""
    said = [answer.answer for answer in answers]
    decisive = reading is Reading.C_SOME
    if decisive in said:
        return Settled(decisive)
    return Settled(None, reason="open at some x₀") if None in said else Settled(not decisive)


def _agrees(term: Literals, instance: Point) -> bool:
    return all(instance[abs(literal) - 1] == (literal > 0) for literal in term)
