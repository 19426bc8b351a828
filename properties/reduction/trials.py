"""A trial: one case, one set of routes, and each answer asked for once, however many properties read it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from xpgcheck.oracles.propositional.clause_families import Family
from xpgcheck.oracles.propositional.formulas import Dnf, Literals, Point
from xpgcheck.oracles.propositional.limits import OutOfTime, TooLarge
from xpgcheck.oracles.propositional.membership_cegar import MusWith
from xpgcheck.oracles.propositional.truth_tables import Tables, mcses_exhaustive, muses_exhaustive
from xpgcheck.properties.reduction.cases import FormulaCase
from xpgcheck.properties.reduction.routes import HonestRoutes
from xpgcheck.properties.verdicts import Inconclusive, NotApplicable, Violation

T = TypeVar("T")


class ReductionTrial:
    """A formula and the routes that are asked of it."""

    def __init__(self, case: FormulaCase, routes: HonestRoutes) -> None:
        self.formula = case.formula
        self.routes = routes
        self._dice = case.dice
        self._given: dict[Any, Any] = {}

    @property
    def count(self) -> int:
        """The number of clauses."""
        return len(self.formula.clauses)

    @cached_property
    def tables(self) -> Tables:
        """The definitions.  Raises ``TooLarge``."""
        return Tables(self.formula)

    @cached_property
    def unsatisfiable(self) -> bool:
        """Whether the formula is unsatisfiable, by its truth table."""
        return self.tables.unsatisfiable(range(self.count))

    def random(self, purpose: str) -> random.Random:
        """Return the dice for *purpose*: the same again and again for one case."""
        return random.Random(f"{self._dice} {purpose}")

    def some_points(self, purpose: str, most: int) -> Iterator[Point]:
        """Yield points of the formula's variables: the all-0 one, the all-1 one, others by the dice; *most* at most."""
        count = self.formula.variables
        dice = self.random(purpose)
        yield (False,) * count
        if count:
            yield (True,) * count
            for _ in range(most - 2):
                yield tuple(dice.random() < 0.5 for _ in range(count))

    @property
    def psi(self) -> Dnf:
        """The DNF of the reduction."""
        return self.ask("reduction", lambda: self.routes.selector_dnf(self.formula))

    @property
    def muses(self) -> Family:
        """All MUSes by the routes' enumerator."""
        return self.ask("MUSes", lambda: self.routes.muses(self.formula))

    @property
    def mcses(self) -> Family:
        """All MCSes by the routes' enumerator."""
        return self.ask("MCSes", lambda: self.routes.mcses(self.formula))

    @cached_property
    def all_muses(self) -> Family:
        """The MUSes by the definition, from every subset.  Raises ``TooLarge``."""
        return muses_exhaustive(self.formula)

    @cached_property
    def all_mcses(self) -> Family:
        """The MCSes by the definition, from every subset.  Raises ``TooLarge``."""
        return mcses_exhaustive(self.formula)

    @property
    def reference(self) -> Family:
        """All MUSes: by the definition where the formula is small enough, else those that were enumerated."""
        try:
            return self.all_muses
        except TooLarge:
            return self.muses

    @property
    def selector_primes(self) -> Family:
        """The prime implicants of ∀x. ψ."""
        psi = self.psi
        return self.ask("selector primes", lambda: self.routes.selector_primes(psi, self.count))

    @property
    def primes(self) -> tuple[Literals, ...]:
        """The prime implicants of ψ."""
        psi = self.psi
        return self.ask("primes", lambda: self.routes.primes(psi))

    def axps(self, point: Point) -> Family:
        """All AXps of the classifier ψ at *point*, by the definition over all points."""
        psi = self.psi
        return self.ask("AXps", lambda: self.routes.axps(psi, point), point)

    def members(self) -> tuple[MusWith, ...]:
        """The answer of CEGAR for each clause."""
        return self.ask("MUS membership", lambda: self.routes.members(self.formula))

    def ask(self, what: str, question: Callable[[], T], *details: object) -> T:
        """Return the answer to *question*, asked once for *what* and *details*.

        Raises ``NotApplicable`` where the route does not take the formula, ``Inconclusive`` where no answer comes, and a
        ``Violation`` where it breaks down.
        """
        key = (what, *details)
        if key not in self._given:
            self._given[key] = self._answer(what, question)
        given = self._given[key]
        if isinstance(given, _Failed):
            raise given.reason
        answer: T = given
        return answer

    def _answer(self, name: str, question: Callable[[], object]) -> object:
        reason: Exception
        try:
            return question()
        except TooLarge as declined:
            reason = NotApplicable(f"{name}: {declined}")
        except OutOfTime:
            reason = Inconclusive(f"{name}: no answer in time")
        except Exception as error:
            reason = Violation("crash", f"{name}: {type(error).__name__}: {error}"[:500])
        return _Failed(reason)


@dataclass(frozen=True, slots=True)
class _Failed:
    """The mark of a question that had no answer, and why: it is not asked again."""

    reason: Exception
