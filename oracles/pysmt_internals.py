"""The one place that touches what pySMT does not document: its solvers' own solvers, and a table that it forgets.

Questions go to the solver object that pySMT made, because pySMT's ``solve`` converts and classifies each assumption again at
every call, which costs more than the check on small graphs.  Where a version of pySMT does not show that object they go
through ``solve`` and ``get_py_value``, with the same answers.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from typing import Any


@functools.cache
def remember_names() -> None:
    """Let pySMT work out once what the methods for each kind of node are called.

    It has no switch for that, so this replaces an internal function by the same one with a memory; where a version of pySMT
    has none of that name, nothing is done.
    """
    from pysmt.walkers import generic

    # Looked up by name: it is internal.
    module: Any = generic
    names = getattr(module, "nt_to_fun", None)
    if callable(names):
        module.nt_to_fun = functools.cache(names)


def lean_environment() -> Any:
    """Return an environment of pySMT whose services are made when they are first used.

    It makes ten at its start and looks up a method for each of its kinds of nodes in each of them; sessions use the type
    checker and the formula manager.  That a service's class can be replaced is documented; what :class:`_Late` rests on is
    that nothing but attributes is asked of a service.
    """
    return _lean_environment_class()()


@functools.cache
def _lean_environment_class() -> Any:
    from pysmt.environment import Environment

    services = {name: getattr(Environment, name) for name in LATE if hasattr(Environment, name)}
    classes: dict[str, Any] = {name: _late(service) for name, service in services.items()}
    # Asserting a formula checks the types of all its parts: they need not be looked at when they are made too.
    classes["FormulaManagerClass"] = type(
        "UncheckedFormulas", (Environment.FormulaManagerClass,), {"_do_type_check": lambda self, formula: None}
    )
    return type("LeanEnvironment", (Environment,), classes)


LATE = (
    "SimplifierClass",
    "SubstituterClass",
    "HRSerializerClass",
    "QuantifierOracleClass",
    "TheoryOracleClass",
    "FreeVarsOracleClass",
    "SizeOracleClass",
    "AtomsOracleClass",
    "TypesOracleClass",
)
"""The services of an environment that no session needs for its encoding."""


def _late(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    # An attribute of a class that is a function, or from Python 3.14 on a partial call, would become a method.
    return staticmethod(functools.partial(_Late, make))


class _Late:
    """A service of an environment, made when something is asked of it."""

    def __init__(self, make: Callable[[Any], Any], environment: Any) -> None:
        self._make = make
        self._environment = environment

    def __getattr__(self, name: str) -> Any:
        service = self.__dict__.get("_service")
        if service is None:
            service = self.__dict__["_service"] = self._make(self._environment)
        return getattr(service, name)


def solver_class(solver: str) -> Any:
    """Return pySMT's class for *solver*; its factory would look for every solver there is, at each session again."""
    if solver == "z3":
        from pysmt.solvers.z3 import Z3Solver

        return Z3Solver
    from pysmt.solvers.cvcfive import CVC5Solver

    return CVC5Solver


def native_solver(solver: Any, name: str) -> Any | None:
    """Return what pySMT's *solver* drives, which it keeps under *name*; None where it does not, or shows no converter."""
    if not callable(getattr(getattr(solver, "converter", None), "convert", None)):
        return None
    return getattr(solver, name, None)


class BySolve:
    """pySMT's documented methods; literals are asked for as they are, without a conversion."""

    def __init__(self, solver: Any, installed: Callable[[], AbstractContextManager[None]]) -> None:
        """Ask *solver*, each time while its environment is *installed* as pySMT's global one."""
        self._solver = solver
        self._installed = installed

    def check(self, assumptions: Sequence[Any]) -> bool | None:
        """Tell whether *assumptions* (literals of pySMT) can hold; None: the solver does not know."""
        from pysmt.exceptions import SolverReturnedUnknownResultError

        try:
            with self._installed():
                return bool(self._solver.solve(list(assumptions)))
        except SolverReturnedUnknownResultError:
            return None

    def why_unknown(self) -> str:
        """Return that there is no reason: pySMT does not pass it on."""
        return "pySMT gives no reason"

    def values(self, handles: Sequence[Any]) -> list[bool | int | Fraction]:
        """Return the values of *handles* (symbols of pySMT) in the model of the last check."""
        with self._installed():
            return [_plain(self._solver.get_py_value(handle)) for handle in handles]


def _plain(value: Any) -> bool | int | Fraction:
    """Return *value* as a type of Python's own: pySMT may give those of gmpy2."""
    if isinstance(value, bool):
        return value
    exact = Fraction(int(value.numerator), int(value.denominator))
    return exact.numerator if exact.denominator == 1 else exact
