"""Explanations over conditions with theory by an SMT solver, encoded once a graph and asked by assumptions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import TracebackType

from xpgcheck.errors import InputError
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Answer
from xpgcheck.oracles.conditions import Condition
from xpgcheck.oracles.pysmt_backend import Backend, LiteralHandle, UnknownError
from xpgcheck.oracles.smt_encoding import Activation, NestedChoice, Variables
from xpgcheck.oracles.smt_sessions import DEFAULT_TIMEOUT_MS, FORMULATIONS, logic_of


class BoxSession:
    """One solver for one graph and its conditions; :meth:`at` gives the oracle for an instance.

    The encoding is asserted once, in O(edges), over the variables of the original domains; so are two selectors a condition,
    ``t_c → x_i ∈ E`` and ``f_c → x_i ∉ E``, which serve every instance.  A question is one check under assumptions.  The
    answers are the solver's word: a satisfiable one comes with a witness in feature space, to be replayed.

    A context manager: the solver is freed on leaving.  Oracles of a closed session answer "unknown".
    """

    def __init__(
        self,
        graph: DecisionGraph,
        conditions: Sequence[Condition],
        solver: str = "z3",
        formulation: str = "ite",
        timeout_ms: int | None = DEFAULT_TIMEOUT_MS,
    ) -> None:
        """Encode *graph* for *solver* ("z3", "cvc5") in *formulation* ("ite", "activation").

        Raises ``MissingPackageError`` where the solver is not installed, ``InputError`` for an unknown name.
        """
        if formulation not in FORMULATIONS:
            raise InputError(f"no formulation is called {formulation!r}", mend=f"use one of {', '.join(FORMULATIONS)}")
        self.graph = graph
        self.conditions = tuple(conditions)
        self.engine = solver
        self.name = f"{solver}-{formulation}"
        self.closed = False
        self._backend = Backend(solver, logic_of(graph), timeout_ms)
        self._variables = Variables(self._backend.formulas, graph)
        encoding = NestedChoice if formulation == "ite" else Activation
        self._encoding: NestedChoice | Activation = encoding(self._variables)
        self._backend.add(*self._encoding.common())
        self._classes: dict[int, LiteralHandle] = {}
        self._selectors = [self._selector_pair(index) for index in range(len(self.conditions))]
        self._readers = [
            (i, [self._backend.handle(s) for s in v.symbols], v.value) for i, v in self._variables.of.items()
        ]

    def at(self, point: Point) -> BoxOracle:
        """Return the oracle for the instance *point*."""
        return BoxOracle(self, point)

    def ask(self, point: Point, class_index: int, fixed: Iterable[tuple[int, bool]]) -> Answer:
        """Answer for the instance *point* of class *class_index*, with each (condition, how it comes out) of *fixed*."""
        if self.closed:
            return Answer(None, None, self.name, "the session is closed")
        try:
            assumptions = [self._other_class(class_index), *(self._selectors[i][truth] for i, truth in fixed)]
            if not self._backend.check(assumptions):
                return Answer(False, None, self.name)
            return Answer(True, self._witness(point), self.name)
        except UnknownError as reason:
            return Answer(None, None, self.name, str(reason))
        except (ValueError, IndexError) as problem:
            # Solver or encoding at fault: the claim stands in the answer, but without evidence nobody believes it.
            return Answer(True, None, self.name, f"its model is not a point of feature space: {problem}")

    def close(self) -> None:
        """Free the solver.  Closing twice is harmless."""
        self.closed = True
        self._backend.close()

    def __enter__(self) -> BoxSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _selector_pair(self, index: int) -> tuple[LiteralHandle, LiteralHandle]:
        """Return assumptions that mean "condition *index* is false" and "it is true"."""
        formulas, condition = self._backend.formulas, self.conditions[index]
        holds = self._variables.of[condition.feature].holds(condition.values)
        false, true = formulas.Symbol(f"f{index}"), formulas.Symbol(f"t{index}")
        self._backend.add(formulas.Implies(false, formulas.Not(holds)), formulas.Implies(true, holds))
        return self._backend.handle(false), self._backend.handle(true)

    def _other_class(self, class_index: int) -> LiteralHandle:
        handle = self._classes.get(class_index)
        if handle is None:
            selector, formulas = self._encoding.other_class(class_index)
            self._backend.add(*formulas)
            handle = self._classes[class_index] = self._backend.handle(selector)
        return handle

    def _witness(self, point: Point) -> Point:
        """Read the tested features from the model; the others keep their value.  Replay decides whether it is a witness."""
        values = list(point)
        readings = self._backend.values([handle for _, handles, _ in self._readers for handle in handles])
        start = 0
        for i, handles, value in self._readers:
            end = start + len(handles)
            values[i] = value(readings[start:end])
            start = end
        return tuple(values)


class BoxOracle:
    """A session's oracle for one instance."""

    def __init__(self, session: BoxSession, point: Point) -> None:
        self._session = session
        self._point = point
        self._class = session.graph.kappa(point)
        self._truth = [condition.holds(point) for condition in session.conditions]
        self.name = session.name
        self.engine = session.engine

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Tell whether some point that agrees with the instance on the conditions *fixed* has another class (one check)."""
        return self._session.ask(self._point, self._class, [(i, self._truth[i]) for i in frozenset(fixed)])
