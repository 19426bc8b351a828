"""What each reading of the reduction says of the selectors of a formula, by two routes each where the formula is small."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xpgcheck.oracles.propositional.classifier_axps import axp_with
from xpgcheck.oracles.propositional.formulas import Cnf, Dnf, Literals, Point, clashes, points
from xpgcheck.oracles.propositional.limits import Deadline, OutOfTime, TooLarge
from xpgcheck.oracles.propositional.literal_membership import prime_implicant_with
from xpgcheck.oracles.propositional.primes_by_consensus import prime_implicants_by_consensus
from xpgcheck.oracles.propositional.primes_exhaustive import prime_implicants_exhaustive
from xpgcheck.oracles.propositional.reduction import selector
from xpgcheck.oracles.propositional.selector_primes import selector_primes_by_expansion, selector_primes_exhaustive
from xpgcheck.oracles.propositional.starred import starred_axps_exhaustive
from xpgcheck.paper.reduction.answers import Reading, RouteAnswer, Settled, settled

Family = tuple[frozenset[int], ...]

MAX_POINT_QUESTIONS = 4_096
"""Questions "is s_j in some AXp at x₀" up to which reading C is asked."""


MAX_LISTED = 200
"""Clauses up to which prime implicants are listed; most formulas of that size are over the limits of the routes anyway."""


@dataclass(frozen=True, slots=True)
class Listed:
    """The families that readings ask of, listed for a formula that is small enough; None: it is not.

    ``over_selectors`` are the PIs of ∀x.ψ, each by the name of its route; ``over_all`` the PIs of the DNF; ``starred`` the
    AXps of reading D.
    """

    over_selectors: tuple[tuple[str, Family], ...]
    over_all: tuple[tuple[str, tuple[Literals, ...]], ...]
    starred: Family | None
    notes: tuple[str, ...]


def listed(formula: Cnf, psi: Dnf, deadline: Deadline) -> Listed:
    """List what can be listed within the limits of the routes; the notes say what cannot, and why."""
    count = len(formula.clauses)
    if count > MAX_LISTED:
        return Listed((), (), None, (f"lists for readings A, B and D: {count:,} clauses, taken up to {MAX_LISTED}",))
    notes: list[str] = []

    def attempt(what: str, route: str, make: Callable[[], Family]) -> list[tuple[str, Family]]:
        try:
            deadline.check()
            return [(route, make())]
        except (TooLarge, OutOfTime) as error:
            notes.append(f"{what}, {route}: {error or 'the time is over'}")
            return []

    def attempt_terms(route: str, make: Callable[[], tuple[Literals, ...]]) -> list[tuple[str, tuple[Literals, ...]]]:
        try:
            deadline.check()
            return [(route, make())]
        except (TooLarge, OutOfTime) as error:
            notes.append(f"reading B, {route}: {error or 'the time is over'}")
            return []

    over_selectors = attempt("reading A", "every subset", lambda: selector_primes_exhaustive(psi, count))
    over_selectors += attempt(
        "reading A", "expansion", lambda: selector_primes_by_expansion(psi, count, deadline=deadline)
    )
    over_all = attempt_terms("every term", lambda: prime_implicants_exhaustive(psi))
    over_all += attempt_terms("consensus", lambda: prime_implicants_by_consensus(psi))
    starred = attempt("reading D", "every point", lambda: starred_axps_exhaustive(formula))
    return Listed(tuple(over_selectors), tuple(over_all), starred[0][1] if starred else None, tuple(notes))


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


def reading_a(clause: int, families: Listed, evidence: bool | None) -> Settled:
    """Return whether s_j is in a PI of ∀x.ψ(s,x).

    *evidence* is what evidence of membership in a MUS says once it is accepted of ψ (see ``read_back``): a MUS with its
    refutation and models is a PI with the proof that it is one, and so the refutation of a "no".
    """
    routes = [RouteAnswer(name, any(clause in prime for prime in family)) for name, family in families.over_selectors]
    return settled(routes, shown=evidence)


def reading_b(
    formula: Cnf, psi: Dnf, clause: int, families: Listed, deadline: Deadline
) -> tuple[Settled, Literals | None]:
    """Return whether s_j is in a PI of the DNF *psi* over selectors and x, and such a PI."""
    literal = selector(clause)
    prime = None
    try:
        # Its solver takes time linear in ψ to set up, before it looks at the time: of every clause, too much.
        deadline.check()
        prime = prime_implicant_with(psi, literal, deadline=deadline)
        routes = [RouteAnswer("one SAT call", prime is not None)]
    except OutOfTime:
        routes = [RouteAnswer("one SAT call", None, "out of time")]
    routes += [RouteAnswer(name, any(literal in term for term in terms)) for name, terms in families.over_all]
    # Terms without a selector are no implicants (set all selectors to 0), so shrinking s_j ∧ ¬γ_j leaves s_j in.
    routes.append(RouteAnswer("no tautology", not clashes(formula.clauses[clause])))
    return settled(routes), prime


def reading_c(
    formula: Cnf, psi: Dnf, clause: int, families: Listed, deadline: Deadline
) -> tuple[tuple[Settled, ...], frozenset[int] | None]:
    """Return at each x₀ whether s_j is in an AXp of ψ at (1, …, 1, x₀), and the first such AXp (features from 0)."""
    answers: list[Settled] = []
    first: frozenset[int] | None = None
    for point in points(formula.variables):
        instance = (True,) * len(formula.clauses) + point
        routes = []
        try:
            deadline.check()
            axp = axp_with(psi, instance, clause, deadline)
        except OutOfTime:
            routes.append(RouteAnswer("CEGAR", None, "out of time"))
        else:
            first = first or axp
            routes.append(RouteAnswer("CEGAR", axp is not None))
        # At an instance of class 0 no s_j = 1 helps: ψ grows with the selectors.
        routes += [
            RouteAnswer(name, any(selector(clause) in term and _agrees(term, instance) for term in terms))
            for name, terms in families.over_all
        ]
        answers.append(settled(routes))
    return tuple(answers), first


def reading_d(clause: int, families: Listed) -> Settled:
    """Return whether s_j is in an AXp of ψ with a third value ∗ at (1, …, 1, ∗, …, ∗)."""
    routes = []
    if families.starred is not None:
        routes.append(RouteAnswer("every point", any(clause in axp for axp in families.starred)))
    routes += [
        # With a variable fixed at ∗ the class is 1 whatever the rest: the other AXps fix selectors alone.
        RouteAnswer(f"{name}, and {{x = ∗}}", any(clause in prime for prime in family))
        for name, family in families.over_selectors
    ]
    return settled(routes)


def over_points(answers: Sequence[Settled], reading: Reading) -> Settled:
    """Return the answer for some or for every x₀ of the *answers* at each."""
    said = [answer.answer for answer in answers]
    decisive = reading is Reading.C_SOME
    if decisive in said:
        return Settled(decisive)
    return Settled(None, reason="open at some x₀") if None in said else Settled(not decisive)


def _agrees(term: Literals, instance: Point) -> bool:
    return all(instance[abs(literal) - 1] == (literal > 0) for literal in term)
