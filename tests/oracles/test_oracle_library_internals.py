"""Code that hangs on the internals of pySMT and on Z3's C interface: each way gives the same answers, and is needed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import oracle_graphs as graphs
import pytest
from oracle_graphs import SOLVER_PARAMS
from pysmt.walkers import generic

from xpgcheck.oracles import pysmt_backend, pysmt_internals, z3_calls
from xpgcheck.oracles.pysmt_backend import Backend, UnknownError
from xpgcheck.oracles.smt_sessions import SmtSession


def without_c_functions(patch: pytest.MonkeyPatch) -> None:
    """Have a z3py without one of the functions of the C interface."""
    patch.setattr(z3_calls, "C_FUNCTIONS", (*z3_calls.C_FUNCTIONS, "Z3_no_such_function"))


def without_native_solver(patch: pytest.MonkeyPatch) -> None:
    """Have a pySMT that does not show the solver that it drives."""
    patch.setattr(pysmt_backend, "native_solver", lambda solver, name: None)


WAYS = {"as it is": None, "no C functions": without_c_functions, "no native solver": without_native_solver}


@pytest.fixture(params=list(WAYS))
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    change = WAYS[request.param]
    if change is not None:
        change(monkeypatch)
    return str(request.param)


@contextlib.contextmanager
def numbers(solver: str) -> Iterator[tuple[Backend, dict[str, Any]]]:
    """Give a backend that knows a Boolean b, integers i and j, and a real r, with an assumption for each statement."""
    from pysmt.typing import INT, REAL

    with Backend(solver, "QF_UFLIRA") as backend:
        f = backend.formulas
        i, j, r = f.Symbol("i", INT), f.Symbol("j", INT), f.Symbol("r", REAL)
        b, never = f.Symbol("b"), f.Symbol("never")
        backend.add(f.And(f.GE(i, f.Int(0)), f.LE(i, f.Int(9))))
        backend.add(f.Equals(r, f.Real(Fraction(1, 3))), f.Equals(j, f.Int(-(10**30))))
        backend.add(f.Implies(b, f.Equals(i, f.Int(7))), f.Implies(never, f.GT(i, f.Int(9))))
        yield backend, {str(s): backend.handle(s) for s in (i, j, r, b, never)} | {"not b": backend.handle(f.Not(b))}


@pytest.mark.parametrize("solver", SOLVER_PARAMS)
def test_checks_and_values_are_the_same_each_way(way: str, solver: str) -> None:
    with numbers(solver) as (backend, handle):
        assert backend.check([handle["never"]]) is False
        assert backend.check([handle["b"], handle["not b"]]) is False
        assert backend.check([handle["b"]]) is True
        assert backend.values([handle[n] for n in "ijrb"]) == [7, -(10**30), Fraction(1, 3), True]
        assert backend.check([handle["not b"]]) is True
        assert backend.values([handle["b"]]) == [False]
        engine = type(backend._engine).__name__
    expected = {"as it is": "ByC", "no C functions": "ByMethods", "no native solver": "BySolve"}[way]
    assert engine == (expected if solver == "z3" or expected == "BySolve" else "_Cvc5")


@pytest.mark.parametrize("solver", SOLVER_PARAMS)
def test_an_oracle_answers_the_same_each_way(way: str, solver: str) -> None:
    with SmtSession(graphs.fig1(), solver) as session:
        oracle = session.at(graphs.FIG1_INSTANCE)
        answers = [oracle.changeable(fixed).changeable for fixed in ([], [0], [1], [0, 1], range(5))]
    assert None not in answers
    assert set(answers) == {True, False}
    with SmtSession(graphs.fig1(), "z3") as plain:
        assert answers == [
            plain.at(graphs.FIG1_INSTANCE).changeable(f).changeable for f in ([], [0], [1], [0, 1], range(5))
        ]


def test_what_a_solver_does_not_know_is_unknown_each_way(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from pysmt.exceptions import SolverReturnedUnknownResultError

    def unknown(*_: object, **__: object) -> Any:
        raise SolverReturnedUnknownResultError

    with numbers("z3") as (backend, handle):
        native = backend._solver.z3
        native.set("rlimit", 1)
        if way == "no native solver":
            monkeypatch.setattr(backend._solver, "solve", unknown)
        else:
            from pysmt.typing import INT

            f = backend.formulas
            x, y = f.Symbol("x", INT), f.Symbol("y", INT)
            backend.add(f.Equals(f.Times(x, f.Times(x, x)), f.Plus(f.Times(y, f.Times(y, y)), f.Int(74))))
        with pytest.raises(UnknownError, match=r"^z3 says unknown: \S"):
            backend.check([handle["b"]])


class TestRememberedNames:
    """The one replaced function of pySMT."""

    @pytest.fixture
    def forgetful(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        """Undo the memory for the time of a test."""
        monkeypatch.setattr(generic, "nt_to_fun", getattr(generic.nt_to_fun, "__wrapped__", generic.nt_to_fun))
        pysmt_internals.remember_names.cache_clear()
        yield
        monkeypatch.undo()
        pysmt_internals.remember_names.cache_clear()

    def test_pysmt_still_works_names_out_again_and_again(
        self, forgetful: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """If this fails, pySMT remembers them itself: ``remember_names`` may go."""
        from pysmt.environment import Environment

        asked: list[int] = []
        plain = generic.nt_to_fun
        monkeypatch.setattr(generic, "nt_to_fun", lambda kind: asked.append(kind) or plain(kind))
        Environment()
        first = len(asked)
        Environment()
        assert len(asked) == 2 * first > 2 * len(set(asked))

    def test_each_is_worked_out_once(self, forgetful: None, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[int] = []
        plain = generic.nt_to_fun
        monkeypatch.setattr(generic, "nt_to_fun", lambda kind: asked.append(kind) or plain(kind))
        with Backend(), Backend():
            pass
        assert len(asked) == len(set(asked)) > 50

    def test_a_pysmt_without_that_function_is_left_alone(
        self, forgetful: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch:
            patch.delattr(generic, "nt_to_fun")
            pysmt_internals.remember_names()
            assert not hasattr(generic, "nt_to_fun")


class TestLeanEnvironment:
    """pySMT's services are made when they are used, and types are checked when a formula is asserted."""

    def test_what_a_session_does_not_use_is_not_made(self) -> None:
        with SmtSession(graphs.fig1()) as session:
            assert session.at(graphs.FIG1_INSTANCE).changeable([]).changeable is not None
            services = vars(session._backend.environment).values()
            late = [held for held in services if isinstance(held, pysmt_internals._Late)]
        assert len(late) == len(pysmt_internals.LATE)
        assert [held for held in late if "_service" in vars(held)] == []

    def test_a_service_works_once_it_is_asked(self) -> None:
        environment = pysmt_internals.lean_environment()
        f = environment.formula_manager
        b = f.Symbol("b")
        assert environment.simplifier.simplify(f.And(b, f.TRUE())) == b
        assert environment.fvo.get_free_variables(f.Not(b)) == {b}

    @pytest.mark.parametrize("solver", SOLVER_PARAMS)
    def test_a_formula_of_wrong_types_is_refused(self, solver: str) -> None:
        from pysmt.exceptions import PysmtTypeError
        from pysmt.typing import INT

        with Backend(solver, "QF_LIA") as backend:
            f = backend.formulas
            wrong = f.Or(f.Symbol("b"), f.Not(f.And(f.Symbol("b"), f.Symbol("i", INT))))
            with pytest.raises(PysmtTypeError):
                backend.add(wrong)
