"""A trial: one case, one set of routes, and each answer asked for once, however many properties read it."""

from __future__ import annotations

import contextlib
import random
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from xpgcheck.oracles.propositional.families import Family
from xpgcheck.oracles.propositional.formulas import Dnf, Literals, Point
from xpgcheck.oracles.propositional.limits import OutOfTime, TooLarge
from xpgcheck.oracles.propositional.membership_cegar import MusWith
from xpgcheck.oracles.propositional.truth_tables import VARIABLES, Tables
from xpgcheck.properties.reduction.cases import FormulaCase
from xpgcheck.properties.reduction.routes import MUS_ROUTES, HonestRoutes, NotInstalled
from xpgcheck.properties.verdicts import Inconclusive, NotApplicable, Violation

T = TypeVar("T")

SHARES = {"z3": 1, "depqbf": 1, "primer": 1}
"""Of how many formulas one is given to a slow route; others are given all."""


class Trial:
    """A formula and the routes that are asked of it.

    With *thorough*, slow routes are asked whatever their share is, and of every clause: so a failure does not depend on how
    the formula falls while it is shrunk.  ``answers`` counts the answers of each
    route, ``formulas`` has each route that gave one.
    """

    def __init__(self, case: FormulaCase, routes: HonestRoutes, *, thorough: bool = True) -> None:
        self.formula = case.formula
        self.routes = routes
        self.thorough = thorough
        self.answers: Counter[str] = Counter()
        self._dice = case.dice
        self._given: dict[Any, Any] = {}

    @property
    def formulas(self) -> tuple[str, ...]:
        """The routes that gave an answer, each once."""
        return tuple(self.answers)

    @property
    def count(self) -> int:
        """The number of clauses."""
        return len(self.formula.clauses)

    @cached_property
    def tables(self) -> Tables:
        """The definitions.  Raises ``NotApplicable`` where the formula is too large for them."""
        if self.formula.variables > VARIABLES:
            raise NotApplicable("too many variables for truth tables")
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
        return self.ask("reduction", "", lambda: self.routes.selector_dnf(self.formula))

    def muses(self, route: str) -> Family:
        """All MUSes by *route*."""
        return self.ask("MUSes", route, lambda: self.routes.muses(route, self.formula))

    @property
    def reference(self) -> Family:
        """All MUSes by the first route that takes the formula: by the definition where that is possible."""
        muses: Family = self.each("muses", MUS_ROUTES, most=1)[0][1]
        return muses

    def each(self, what: str, routes: Iterable[str], most: int | None = None) -> list[tuple[str, Any]]:
        """Return the answers of the method *what* by each of *routes* that takes the formula, *most* at most.

        Raises ``NotApplicable`` where none does.
        """
        found: list[tuple[str, Any]] = []
        for route in routes:
            if most is not None and len(found) == most:
                break
            with contextlib.suppress(NotApplicable):
                found.append((route, getattr(self, what)(route)))
        if not found:
            raise NotApplicable(f"no route to {what} takes the formula")
        return found

    def mcses(self, route: str) -> Family:
        """All MCSes by *route*."""
        return self.ask("MCSes", route, lambda: self.routes.mcses(route, self.formula))

    def selector_primes(self, route: str) -> Family:
        """The prime implicants of ∀x. ψ by *route*."""
        psi = self.psi
        return self.ask("selector primes", route, lambda: self.routes.selector_primes(route, psi, self.count))

    def primes(self, route: str) -> tuple[Literals, ...]:
        """The prime implicants of ψ by *route*."""
        psi = self.psi
        self.take_turns(route)
        return self.ask("primes", route, lambda: self.routes.primes(route, psi))

    def axps(self, point: Point) -> Family:
        """All AXps of the classifier ψ at *point*, by the definition over all points."""
        psi = self.psi
        return self.ask("AXps", "exhaustive", lambda: self.routes.axps(psi, point), point)

    def members(self) -> tuple[MusWith, ...]:
        """Of each clause what CEGAR says of it."""
        return self.ask("MUS membership", "cegar", lambda: self.routes.members(self.formula))

    def is_member(self, route: str, clause: int) -> bool:
        """Whether *clause* is in some MUS, by *route*."""
        return self.ask("MUS membership", route, lambda: self.routes.is_member(route, self.formula, clause), clause)

    def some_clauses(self, route: str) -> Iterator[int]:
        """Yield the clauses that a slow route is asked of: one by the dice, all where the trial is thorough."""
        if not self.count:
            raise NotApplicable("no clause")
        self.take_turns(route)
        if self.thorough:
            yield from range(self.count)
        else:
            yield self.random(route).randrange(self.count)

    def take_turns(self, route: str) -> None:
        """Raise ``NotApplicable`` where it is not the turn of a slow *route*."""
        every = SHARES.get(route, 1)
        if not self.thorough and zlib.crc32(f"{route} {self._dice} {self.formula}".encode()) % every:
            raise NotApplicable(f"{route} is asked of one formula in {every}")

    def ask(self, what: str, route: str, question: Callable[[], T], *details: object) -> T:
        """Return the answer to *question*, asked once for *what*, *route* and *details*.

        Raises ``NotApplicable`` where the route does not take the formula or is not installed, ``Inconclusive`` where no
        answer comes, and a ``Violation`` where it breaks down.
        """
        key = (what, route, *details)
        name = f"{what}: {route}" if route else what
        if key not in self._given:
            self._given[key] = self._answer(name, question)
        given = self._given[key]
        if isinstance(given, _Failed):
            raise given.reason
        answer: T = given
        return answer

    def _answer(self, name: str, question: Callable[[], object]) -> object:
        reason: Exception
        try:
            answer = question()
        except TooLarge as declined:
            reason = NotApplicable(f"{name}: {declined}")
        except NotInstalled as missing:
            reason = NotApplicable(f"{missing} is not installed")
        except OutOfTime:
            reason = Inconclusive(f"{name}: no answer in time")
        except Exception as error:
            reason = Violation("crash", f"{name}: {type(error).__name__}: {error}"[:500])
        else:
            self.answers[name] += 1
            return answer
        return _Failed(reason)


@dataclass(frozen=True, slots=True)
class _Failed:
    """That a question had no answer, and why: not asked again."""

    reason: Exception
