"""The one place that touches pySMT's solvers: how to start, ask, read and close them without their known traps.

* ``is_sat``/``is_valid`` on a live cvc5 solver leave their assertion behind, so nothing here calls them: every question
  is ``check(assumptions)``.
* pySMT switches cvc5's ``ite-simp`` and ``simp-ite-compress`` on, which makes cvc5 1.4 answer wrongly under push and
  pop: they are switched off.
* Z3's first check must not be bare (20 × slower): every check here has at least one assumption.
* pySMT's environment is global and grows for ever: each backend has its own, and installs it for the time of a call,
  because a pySMT formula asks the *global* environment for its type.
* pySMT works out the names of its 70 kinds of nodes for each of the ten walkers of each environment, which takes longer
  than starting Z3: they are remembered (``pysmt_internals``).
* After an unsolved assertion, Z3 raises on reading and cvc5 returns a stale value: values are read only right after a
  check that said sat.
"""

from __future__ import annotations

import contextlib
import importlib.util
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from types import TracebackType
from typing import Any

from xpgcheck.errors import InputError, MissingPackageError
from xpgcheck.extras import install
from xpgcheck.oracles.pysmt_internals import BySolve, lean_environment, native_solver, remember_names, solver_class
from xpgcheck.oracles.z3_calls import ByC, ByMethods, z3_calls

Term = Any
"""A pySMT formula; pySMT has no types."""

LiteralHandle = Any
"""An assumption in the solver's own representation."""

SOLVERS = ("z3", "cvc5")

_CVC5_OPTIONS = {"ite-simp": "false", "simp-ite-compress": "false"}


def available_solvers() -> tuple[str, ...]:
    """Return the names of the solvers that are installed, Z3 first.  Imports none of them."""
    return tuple(name for name in SOLVERS if importlib.util.find_spec(name) is not None)


def require_solvers(names: Iterable[str]) -> None:
    """See that each of *names* is a solver that is installed.

    Raises ``MissingPackageError`` where one is not installed, ``InputError`` for another name.
    """
    for name in names:
        if name not in SOLVERS:
            raise InputError(f"no solver is called {name!r}", mend=f"use one of {', '.join(SOLVERS)}")
        if name not in available_solvers():
            mend = install("cvc5") if name == "cvc5" else "run: pip install z3-solver"
            raise MissingPackageError(f"the solver {name} is not installed", mend=mend)


class UnknownError(Exception):
    """The solver gave no answer: it said unknown, ran out of time, or failed inside.  The text says which."""


class Backend:
    """One incremental pySMT solver with an environment of its own.  A context manager; ``close`` frees the solver."""

    def __init__(self, solver: str = "z3", logic: str = "QF_UFLIRA", timeout_ms: int | None = None) -> None:
        """Start *solver* ("z3" or "cvc5").

        Raises ``MissingPackageError`` where it is not installed, ``InputError`` for another name.
        """
        require_solvers([solver])
        from pysmt.logics import get_logic_by_name

        remember_names()
        options: dict[str, object] = dict(_CVC5_OPTIONS) if solver == "cvc5" else {}
        if timeout_ms is not None:
            options["tlimit-per" if solver == "cvc5" else "timeout"] = timeout_ms
        self.solver = solver
        self._closed = False
        self._handles: dict[Term, LiteralHandle] = {}
        self.environment = lean_environment()
        self.formulas: Any = self.environment.formula_manager
        with self._installed():
            self._solver: Any = solver_class(solver)(
                environment=self.environment, logic=get_logic_by_name(logic), solver_options=options
            )
        native = native_solver(self._solver, solver)
        self._convert: Any = _as_it_is if native is None else self._solver.converter.convert
        self._engine: ByC | ByMethods | BySolve | _Cvc5
        if native is None:
            self._engine = BySolve(self._solver, self._installed)
        else:
            self._engine = z3_calls(native) if solver == "z3" else _Cvc5(native)

    @contextlib.contextmanager
    def _installed(self) -> Iterator[None]:
        from pysmt.environment import pop_env, push_env

        push_env(self.environment)
        try:
            yield
        finally:
            pop_env()

    def add(self, *formulas: Term) -> None:
        """Assert *formulas* in the current scope."""
        with self._installed():
            for formula in formulas:
                self._solver.add_assertion(formula)

    def pin(self, pins: Sequence[tuple[Term, Term, bool | int | Fraction]]) -> None:
        """Assert in the current scope, of each (selector, symbol, value), that the selector implies ``symbol = value``.

        Every instance has as many as it has features, so that they go to the solver without pySMT where that is possible.
        """
        if isinstance(self._engine, (ByC, ByMethods)):
            for selector, symbol, value in pins:
                self._engine.pin(self._known(selector), self._known(symbol), value)
            return
        formulas = self.formulas
        for selector, symbol, value in pins:
            if isinstance(value, bool):
                self.add(formulas.Implies(selector, symbol if value else formulas.Not(symbol)))
            else:
                real = symbol.symbol_type().is_real_type()
                self.add(
                    formulas.Implies(
                        selector, formulas.Equals(symbol, (formulas.Real if real else formulas.Int)(value))
                    )
                )

    def _known(self, literal: Term) -> LiteralHandle:
        handle = self._handles.get(literal)
        if handle is None:
            handle = self._handles[literal] = self.handle(literal)
        return handle

    def push(self) -> None:
        """Open a scope."""
        self._solver.push()

    def pop(self) -> None:
        """Close the last scope and drop its assertions."""
        self._solver.pop()

    def handle(self, literal: Term) -> LiteralHandle:
        """Return *literal* (a Boolean symbol or its negation) converted once, to be used in many checks."""
        with self._installed():
            return self._convert(literal)

    def check(self, assumptions: Sequence[LiteralHandle]) -> bool:
        """Tell whether the assertions and *assumptions* are satisfiable.  Raises :class:`UnknownError`.

        Goes past ``solve`` of pySMT to the same solver object, where there is a way (``pysmt_internals``).
        """
        if not assumptions:
            raise ValueError("a check without assumptions; assert a selector and assume it")
        try:
            answer = self._engine.check(assumptions)
        except Exception as error:
            # Each solver raises its own types, for an unlucky timeout or a bug: none of them is an answer.
            raise UnknownError(f"{self.solver} failed: {type(error).__name__}: {error}") from error
        if answer is None:
            raise UnknownError(f"{self.solver} says unknown: {self._engine.why_unknown()}")
        return answer

    def values(self, handles: Sequence[LiteralHandle]) -> list[bool | int | Fraction]:
        """Return the values of *handles* (converted symbols) in the model of the last check, which said sat."""
        try:
            return self._engine.values(handles)
        except Exception as error:
            raise UnknownError(f"{self.solver} gave no model: {type(error).__name__}: {error}") from error

    def close(self) -> None:
        """Free the solver.  Closing twice is harmless."""
        if not self._closed:
            self._closed = True
            self._handles.clear()
            del self._convert, self._engine
            self._solver.exit()

    def __enter__(self) -> Backend:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _as_it_is(literal: Term) -> LiteralHandle:
    return literal


class _Cvc5:
    """Checks and readings through the cvc5 solver that pySMT made."""

    def __init__(self, solver: Any) -> None:
        self._solver = solver
        self._why = ""

    def check(self, assumptions: Sequence[LiteralHandle]) -> bool | None:
        result = self._solver.checkSatAssuming(*assumptions)
        if result.isUnknown():
            self._why = str(result.getUnknownExplanation())
            return None
        return bool(result.isSat())

    def why_unknown(self) -> str:
        return self._why

    def values(self, handles: Sequence[LiteralHandle]) -> list[bool | int | Fraction]:
        return [_cvc5_value(self._solver.getValue(handle)) for handle in handles]


def _cvc5_value(value: Any) -> bool | int | Fraction:
    if value.isBooleanValue():
        return bool(value.getBooleanValue())
    if value.isIntegerValue():
        return int(value.getIntegerValue())
    return Fraction(value.getRealValue())
