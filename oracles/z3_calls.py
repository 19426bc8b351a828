"""The one place that calls Z3 past pySMT: checks under assumptions, and values in the model that was found.

z3py's wrapping of every argument costs more than a small check, so this calls the functions of Z3's C interface that z3py
exports; where a version of z3py lacks one of them, it calls z3py's own methods, whose answers are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

C_FUNCTIONS = (
    "Ast",
    "Z3_solver_check_assumptions",
    "Z3_model_eval",
    "Z3_get_bool_value",
    "Z3_get_numeral_string",
    "Z3_get_sort",
    "Z3_mk_numeral",
    "Z3_mk_eq",
    "Z3_mk_not",
    "Z3_mk_implies",
    "Z3_solver_assert",
)
"""The part of the C interface that z3py exports, as far as it is used here."""


def z3_calls(solver: Any) -> ByC | ByMethods:
    """Return the fastest way to ask *solver*, a solver of z3py, that this version of z3py has."""
    import z3

    if all(hasattr(z3, name) for name in C_FUNCTIONS) and hasattr(solver, "solver") and hasattr(solver, "ctx"):
        return ByC(solver)
    return ByMethods(solver)


class ByC:
    """Z3's C functions."""

    def __init__(self, solver: Any) -> None:
        import z3

        self._z3: Any = z3
        self._solver = solver
        self._context = solver.ctx.ref()

    def check(self, assumptions: Sequence[Any]) -> bool | None:
        """Tell whether *assumptions* (expressions of z3py) can hold; None: Z3 does not know."""
        array = (self._z3.Ast * len(assumptions))(*[handle.ast for handle in assumptions])
        answer = self._z3.Z3_solver_check_assumptions(self._context, self._solver.solver, len(array), array)
        return None if not answer else bool(answer > 0)

    def pin(self, selector: Any, symbol: Any, value: bool | int | Fraction) -> None:
        """Assert that *selector* implies that *symbol* is *value*."""
        z3, context, ast = self._z3, self._context, symbol.ast
        # Z3 keeps the last thing that it made until the next one, which refers to it.
        if value is True:
            same = ast
        elif value is False:
            same = z3.Z3_mk_not(context, ast)
        else:
            number = z3.Z3_mk_numeral(context, str(value), z3.Z3_get_sort(context, ast))
            same = z3.Z3_mk_eq(context, ast, number)
        z3.Z3_solver_assert(context, self._solver.solver, z3.Z3_mk_implies(context, selector.ast, same))

    def why_unknown(self) -> str:
        """Return Z3's reason for not knowing."""
        return str(self._solver.reason_unknown())

    def values(self, handles: Sequence[Any]) -> list[bool | int | Fraction]:
        """Read every value from one model; a variable that the model leaves open gets Z3's completion."""
        z3, context = self._z3, self._context
        model = self._solver.model()
        found = (z3.Ast * 1)()
        values: list[bool | int | Fraction] = []
        for handle in handles:
            if not z3.Z3_model_eval(context, model.model, handle.ast, True, found):
                raise ValueError("a variable has no value in its model")
            truth = z3.Z3_get_bool_value(context, found[0])
            if truth:
                values.append(truth > 0)
            else:
                text = z3.Z3_get_numeral_string(context, found[0])
                values.append(Fraction(text) if "/" in text else int(text))
        return values


class ByMethods:
    """z3py's documented methods: what :class:`ByC` does, at about four times the cost of a small check."""

    def __init__(self, solver: Any) -> None:
        import z3

        self._z3: Any = z3
        self._solver = solver

    def check(self, assumptions: Sequence[Any]) -> bool | None:
        """Tell whether *assumptions* (expressions of z3py) can hold; None: Z3 does not know."""
        answer = self._solver.check(*assumptions)
        return True if answer == self._z3.sat else False if answer == self._z3.unsat else None

    def pin(self, selector: Any, symbol: Any, value: bool | int | Fraction) -> None:
        """Assert that *selector* implies that *symbol* is *value*."""
        is_number = not isinstance(value, bool)
        self._solver.add(self._z3.Implies(selector, symbol == (str(value) if is_number else value)))

    def why_unknown(self) -> str:
        """Return Z3's reason for not knowing."""
        return str(self._solver.reason_unknown())

    def values(self, handles: Sequence[Any]) -> list[bool | int | Fraction]:
        """Read every value from one model; a variable that the model leaves open gets Z3's completion."""
        model = self._solver.model()
        return [self._value(model.eval(handle, model_completion=True)) for handle in handles]

    def _value(self, found: Any) -> bool | int | Fraction:
        if self._z3.is_true(found) or self._z3.is_false(found):
            return bool(self._z3.is_true(found))
        if self._z3.is_int_value(found):
            return int(found.as_long())
        if self._z3.is_rational_value(found):
            return Fraction(found.as_string())
        raise ValueError("a variable has no value in its model")
