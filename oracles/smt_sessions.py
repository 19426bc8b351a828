"""Eq. 1 and Eq. 2 by an SMT solver, encoded once a graph and asked by assumptions."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from types import TracebackType

from xpgcheck.errors import InputError
from xpgcheck.model.combination import Majority
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean, Categorical, Domain, Integer, Real
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point, Value
from xpgcheck.oracles.answers import WITHIN_ROUNDING, Answer
from xpgcheck.oracles.constraints.smt_constraint import ConstraintFormulas, tested_by
from xpgcheck.oracles.ensembles.vote_sums import GainSums, VoteSums, VoteVariables
from xpgcheck.oracles.pysmt_backend import Backend, LiteralHandle, Term, UnknownError
from xpgcheck.oracles.smt_encoding import Activation, NestedChoice, Variables
from xpgcheck.oracles.smt_variables import Reading

FORMULATIONS = ("ite", "activation")

FORMULATION_OF = {"z3": "ite", "cvc5": "activation"}
"""A different formulation for each solver, so that they do not share an encoding's mistake."""

VOTES = "votes"
"""The formulation of ensembles."""

DEFAULT_TIMEOUT_MS = 30_000

MAX_STANDING = 64
"""Values of a domain up to which each gets a selector that outlives its instance."""


class SmtSession:
    """One solver for one graph or ensemble; :meth:`at` gives the oracle for an instance.

    The encoding is asserted once, in O(edges).  An instance costs one selector a feature (``s_i → x_i = v_i``), a
    question one check under assumptions.  Selectors of small domains are kept, so that what the solver learns serves
    the next instance too; those of numbers live in a scope that the next instance closes, or they would pile up.  The
    answers are the solver's word: a satisfiable one comes with a witness to be replayed, and the consensus believes
    nothing else.

    A context manager: the solver is freed on leaving.  Oracles of a closed session answer "unknown".
    """

    def __init__(
        self,
        graph: DecisionGraph | Ensemble,
        solver: str = "z3",
        formulation: str = "ite",
        timeout_ms: int | None = DEFAULT_TIMEOUT_MS,
        constraint: Constraint | None = None,
    ) -> None:
        """Encode *graph* for *solver* ("z3", "cvc5") in *formulation* ("ite", "activation"); an ensemble has one alone.

        Only points that *constraint* allows, if there is one, are looked for.  Raises ``MissingPackageError`` where the
        solver is not installed, ``InputError`` for an unknown name.
        """
        if formulation not in FORMULATIONS:
            raise InputError(f"no formulation is called {formulation!r}", mend=f"use one of {', '.join(FORMULATIONS)}")
        self.graph = graph
        self.engine = solver
        self.name = f"{solver}-{VOTES if isinstance(graph, Ensemble) else formulation}"
        self.closed = False
        self._backend = Backend(solver, logic_of(graph, constraint), timeout_ms)
        self.variables: Variables | VoteVariables
        self._encoding: NestedChoice | Activation | VoteSums | GainSums
        if isinstance(graph, Ensemble):
            self.variables = VoteVariables(self._backend.formulas, graph, tested_by(constraint))
            votes = isinstance(graph.rule, Majority)
            self._encoding = (VoteSums if votes else GainSums)(self.variables, graph)
        else:
            self.variables = Variables(self._backend.formulas, graph, tested_by(constraint))
            self._encoding = (NestedChoice if formulation == "ite" else Activation)(self.variables)
        self._backend.add(*self._encoding.common())
        if constraint is not None:
            self._backend.add(*ConstraintFormulas(self._backend.formulas, constraint, self.variables.of).all())
        self._classes: dict[tuple[int, bool], LiteralHandle] = {}
        self._readers = [
            (i, [self._backend.handle(s) for s in v.symbols], v.value) for i, v in self.variables.of.items()
        ]
        self._focus: Point | None = None
        self._selectors: dict[int, LiteralHandle] = {}
        self._standing: dict[tuple[int, Value], LiteralHandle] = {}
        self._in_scope = False
        self._scoped: dict[int, tuple[Term, LiteralHandle]] = {}
        for i, variable in self.variables.of.items():
            if not values_recur(variable.domain):
                selector = self._backend.formulas.Symbol(f"s{i}")
                self._scoped[i] = selector, self._backend.handle(selector)

    def at(self, point: Point) -> SmtOracle:
        """Return the oracle for the instance *point*."""
        return SmtOracle(self, point)

    def ask(self, point: Point, class_index: int, fixed: Iterable[int]) -> Answer:
        """Answer for the instance *point* of class *class_index*."""
        if self.closed:
            return Answer(None, None, self.name, "the session is closed")
        try:
            if isinstance(self.graph, Ensemble) and self.graph.tally.slack:
                return self._beyond_rounding(self.graph, point, class_index, frozenset(fixed))
            witness = self._model(point, class_index, frozenset(fixed))
            return Answer(witness is not None, witness, self.name)
        except UnknownError as reason:
            return Answer(None, None, self.name, str(reason))
        except (ValueError, IndexError) as problem:
            # Solver or encoding at fault: the claim stands in the answer, but without evidence nobody believes it.
            return Answer(True, None, self.name, f"its model is not a point of feature space: {problem}")

    def close(self) -> None:
        """Free the solver.  Closing twice is harmless."""
        self.closed = True
        self._backend.close()

    def __enter__(self) -> SmtSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _beyond_rounding(self, ensemble: Ensemble, point: Point, class_index: int, fixed: frozenset[int]) -> Answer:
        """Ask for a point that perhaps has another class; where rounding decides that, for one that has it for certain."""
        if not ensemble.is_settled(point):
            return Answer(None, None, self.name, WITHIN_ROUNDING)
        witness = self._model(point, class_index, fixed, perhaps=True)
        if witness is None:
            return Answer(False, None, self.name)
        if not ensemble.differs(witness, class_index):
            witness = self._model(point, class_index, fixed)
        return Answer(True, witness, self.name) if witness else Answer(None, None, self.name, WITHIN_ROUNDING)

    def _model(self, point: Point, class_index: int, fixed: frozenset[int], *, perhaps: bool = False) -> Point | None:
        """Return a point of another class, *perhaps* one of which rounding decides it; None where there is none."""
        other_class = self._other_class(class_index, perhaps=perhaps)
        if self._focus is not point:
            self._turn_to(point)
        selectors = self._selectors
        if not self._backend.check([other_class, *[selectors[i] for i in fixed if i in selectors]]):
            return None
        return self._witness(point, fixed)

    def _other_class(self, class_index: int, *, perhaps: bool) -> LiteralHandle:
        handle = self._classes.get((class_index, perhaps))
        if handle is None:
            self._leave()
            encoding = self._encoding
            meaning = (
                encoding.perhaps_other_class if perhaps and isinstance(encoding, GainSums) else encoding.other_class
            )
            selector, formulas = meaning(class_index)
            self._backend.add(*formulas)
            handle = self._classes[class_index, perhaps] = self._backend.handle(selector)
        return handle

    def _turn_to(self, point: Point) -> None:
        """Make the selectors mean the values of *point*: standing ones where values recur, else ones in a scope."""
        self._leave()
        selectors: dict[int, LiteralHandle] = {}
        scoped: list[tuple[Term, Term, Reading]] = []
        for i, variable in self.variables.of.items():
            key = (i, point[i])
            if key in self._standing:
                selectors[i] = self._standing[key]
            elif values_recur(variable.domain):
                selectors[i] = self._standing[key] = self._standing_selector(i, point[i])
            else:
                selector, handle = self._scoped[i]
                scoped += [(selector, variable.symbols[k], reading) for k, reading in variable.pins(point[i])]
                selectors[i] = handle
        if scoped:
            self._backend.push()
            self._in_scope = True
            self._backend.pin(scoped)
        self._focus, self._selectors = point, selectors

    def _standing_selector(self, feature: int, value: Value) -> LiteralHandle:
        """Return an assumption that means ``x_i = value`` for as long as the session lives."""
        variable = self.variables.of[feature]
        same = variable.equals(value)
        if isinstance(variable.domain, Boolean):
            return self._backend.handle(same)
        selector = self._backend.formulas.Symbol(f"s{feature}_{len(self._standing)}")
        self._backend.add(self._backend.formulas.Implies(selector, same))
        return self._backend.handle(selector)

    def _leave(self) -> None:
        if self._in_scope:
            self._backend.pop()
            self._in_scope = False
        self._focus = None

    def _witness(self, point: Point, fixed: Collection[int]) -> Point:
        """Read the free features from the model; the others, and those that the graph does not test, keep their value.

        Replay decides whether that is a witness: nothing is taken on the solver's word.
        """
        values = list(point)
        free = [reader for reader in self._readers if reader[0] not in fixed]
        readings = self._backend.values([handle for _, handles, _ in free for handle in handles])
        start = 0
        for i, handles, value in free:
            end = start + len(handles)
            values[i] = value(readings[start:end])
            start = end
        return tuple(values)


class SmtOracle:
    """A session's oracle for one instance."""

    def __init__(self, session: SmtSession, point: Point) -> None:
        self._session = session
        self._point = point
        self._class = session.graph.kappa(point)
        self.name = session.name
        self.engine = session.engine

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Tell whether some point that agrees with the instance on *fixed* has another class (one solver check)."""
        return self._session.ask(self._point, self._class, fixed)


def values_recur(domain: Domain) -> bool:
    """Tell whether the domain is so small that instances share its values: their selectors are then kept."""
    if isinstance(domain, Categorical):
        return len(domain.values) <= MAX_STANDING
    if isinstance(domain, Integer) and domain.low is not None and domain.high is not None:
        return domain.high - domain.low < MAX_STANDING
    return isinstance(domain, Boolean)


def logic_of(graph: DecisionGraph | Ensemble, constraint: Constraint | None = None) -> str:
    """Return the smallest quantifier-free logic that the tested features need, as pySMT names it."""
    if isinstance(graph, Ensemble):
        # Votes are integers.
        return "QF_UFLIRA" if any(isinstance(feature.domain, Real) for feature in graph.features) else "QF_LIA"
    tested = {i for i in graph.feature_of if i >= 0} | tested_by(constraint)
    domains = {type(graph.features[i].domain) for i in tested} - {Boolean}
    if not domains:
        return "QF_BOOL"
    if domains == {Real}:
        return "QF_LRA"
    return "QF_UFLIRA" if Real in domains else "QF_LIA"
