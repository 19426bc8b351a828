"""MUS membership by CEGAR on two PySAT solvers: is a clause in some MUS?  Without listing MUSes.

Clause γ_j of φ = {γ_1, …, γ_k} is in some MUS iff

    ∃s, y ∀x.  s_j ∧ ⋀_{i≠j} (s_i → γ_i(y)) ∧ ⋁_i (s_i ∧ ¬γ_i(x)):

clauses S with γ_j among them, unsatisfiable, and all but γ_j true at a point y.  A MUS M with γ_j is such an S, with a
model of M∖{γ_j} as y.  Any MUS within such an S has γ_j, as y satisfies what is left without γ_j.  It follows that
y falsifies γ_j, and that S may be taken as large as y allows.

The *outer* solver proposes y, the *inner* one looks for a point x that satisfies S.  If there is none, S is shrunk to
a MUS.  Else x is a counterexample to every S whose clauses it satisfies: "S has a clause that x falsifies" refines the
outer formula.  That does not speak of j, so what one question learns serves all others.  x is first grown to satisfy as
many clauses as it can, after which what it falsifies is an MCS.

M. Janota, J. Marques-Silva, "Abstraction-based algorithm for 2QBF", SAT 2011; "On deciding MUS membership with QBF",
CP 2011.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from xpgcheck.oracles.propositional.formulas import Cnf, Literals, Point, clause_holds
from xpgcheck.oracles.propositional.limits import Deadline, solved
from xpgcheck.oracles.propositional.rup import refutation, rup_fault

SOLVER = "minisat22"


@dataclass(frozen=True, slots=True)
class MusWith:
    """A MUS with the clause that was asked about; or None, and ``counterexamples`` that leave no candidate for one."""

    mus: frozenset[int] | None
    counterexamples: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class NoEvidence:
    """A clause is in no MUS: ``refutation`` (RUP) refutes ``no_clauses`` of it and the ``counterexamples``."""

    counterexamples: tuple[Point, ...]
    refutation: tuple[Literals, ...]


def mus_with(formula: Cnf, clause: int, deadline: Deadline | None = None) -> MusWith:
    """Return a MUS of *formula* with *clause* (from 0), or that there is none.  See ``MusMembership.mus_with``."""
    with MusMembership(formula) as asked:
        return asked.mus_with(clause, deadline)


class MusMembership:
    """Questions about the clauses of one formula, by one pair of solvers.  To be used as a context manager.

    ``muses`` and ``counterexamples`` are what the questions so far have found, in that order.
    """

    def __init__(self, formula: Cnf) -> None:
        self.formula = formula
        self.muses: list[frozenset[int]] = []
        self.counterexamples: list[Point] = []
        self._corrections: list[frozenset[int]] = []
        self._count = len(formula.clauses)
        self._first = formula.variables + 1
        self._outer: Any = None
        self._inner: Any = None

    def __enter__(self) -> MusMembership:
        from pysat.solvers import Solver

        self._outer = Solver(name=SOLVER)
        self._inner = Solver(name=SOLVER)
        for position, clause in enumerate(self.formula.clauses):
            selected = self._selector(position)
            # A selected clause holds at y, unless it is the one asked about.
            self._outer.add_clause([-selected, self._asked(position), *clause])
            self._inner.add_clause([-selected, *clause])
        self._outer.set_phases([self._selector(position) for position in range(self._count)])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._outer.delete()
        self._inner.delete()

    def model(self, deadline: Deadline | None = None) -> Point | None:
        """Return a point that satisfies the formula, or None.  Raises ``OutOfTime`` once *deadline* has passed."""
        return self._satisfied(range(self._count), deadline or Deadline())

    def mus_with(self, clause: int, deadline: Deadline | None = None) -> MusWith:
        """Return a MUS with *clause* (from 0), or the counterexamples that leave none.

        Raises ``OutOfTime`` once *deadline* has passed; what was learned until then is kept for the next question, and
        ``ValueError`` where the formula has no such clause.  At worst exponentially many rounds (the problem is
        Σ₂ᵖ-complete), each of at most 2k + 2 questions to a SAT solver for k clauses.
        """
        _check(self.formula, clause)
        known = next((mus for mus in self.muses if clause in mus), None)
        if known is not None:
            return MusWith(known, ())
        until = deadline or Deadline()
        assumed = [self._asked(other) if other == clause else -self._asked(other) for other in range(self._count)]
        assumed += [self._selector(clause), *(-literal for literal in dict.fromkeys(self.formula.clauses[clause]))]
        while solved(self._outer, until, assumed):
            selected = self._held(self._point(self._outer)) | {clause}
            x = self._satisfied(selected, until)
            if x is None:
                return MusWith(self._shrunk(self._core(), clause, until), ())
            self._refine(self._grown(x, until))
        return MusWith(None, self._needed(clause, until))

    def _refine(self, x: Point) -> None:
        """Ask that all candidates have a clause that *x* falsifies."""
        falsified = frozenset(range(self._count)) - self._held(x)
        self.counterexamples.append(x)
        self._corrections.append(falsified)
        self._outer.add_clause([self._selector(position) for position in sorted(falsified)])

    def _grown(self, point: Point, deadline: Deadline) -> Point:
        """Return a point that satisfies the clauses that *point* does, and to which no clause could be added."""
        held = self._held(point)
        for position in range(self._count):
            if position not in held and (better := self._satisfied(held | {position}, deadline)) is not None:
                point = better
                held = self._held(point)
        return point

    def _shrunk(self, unsatisfiable: set[int], clause: int, deadline: Deadline) -> frozenset[int]:
        """Return a MUS with *clause* among *unsatisfiable*, the others of which hold together at some point.

        So each unsatisfiable subset has *clause*: it need not be tried, and no core can lack it.
        """
        needed = {clause}
        rest = set(unsatisfiable)
        while rest != needed:
            tried = max(rest - needed)
            if self._satisfied(rest - {tried}, deadline) is None:
                rest = self._core() | needed
            else:
                needed.add(tried)
        mus = frozenset(rest)
        self.muses.append(mus)
        return mus

    def _needed(self, clause: int, deadline: Deadline) -> tuple[Point, ...]:
        """Return counterexamples that leave no candidate, of those found: the ones in an unsatisfiable core."""
        from pysat.solvers import Solver

        # One that falsifies the clause says nothing: the clause is selected.
        useful = [number for number, falsified in enumerate(self._corrections) if clause not in falsified]
        first = self._first + self._count
        with Solver(name=SOLVER, bootstrap_with=no_clauses(self.formula, clause, ())) as solver:
            for number in useful:
                falsified = sorted(self._corrections[number])
                solver.add_clause([-first - number, *(self._selector(position) for position in falsified)])
            kept = useful
            while True:
                if solved(solver, deadline, [first + number for number in kept]):
                    raise AssertionError(f"the counterexamples leave a candidate for clause {clause}")
                core = sorted(literal - first for literal in solver.get_core() or ())
                if len(core) == len(kept):
                    return tuple(self.counterexamples[number] for number in kept)
                kept = core

    def _satisfied(self, selected: Iterable[int], deadline: Deadline) -> Point | None:
        """Return a point that satisfies the *selected* clauses, replayed, or None."""
        chosen = sorted(selected)
        if not solved(self._inner, deadline, [self._selector(position) for position in chosen]):
            return None
        point = self._point(self._inner)
        for position in chosen:
            if not clause_holds(self.formula.clauses[position], point):
                raise AssertionError(f"the solver's model does not satisfy clause {position}")
        return point

    def _point(self, solver: Any) -> Point:
        true = {literal for literal in solver.get_model() if literal > 0}
        return tuple(variable in true for variable in range(1, self._first))

    def _core(self) -> set[int]:
        """Return the clauses that the last unsatisfiable question to the inner solver needed."""
        return {literal - self._first for literal in self._inner.get_core() or ()}

    def _held(self, point: Point) -> set[int]:
        return {position for position, clause in enumerate(self.formula.clauses) if clause_holds(clause, point)}

    def _selector(self, clause: int) -> int:
        return self._first + clause

    def _asked(self, clause: int) -> int:
        return self._first + self._count + clause


def no_clauses(formula: Cnf, clause: int, points: Iterable[Point]) -> tuple[Literals, ...]:
    """Return clauses that any MUS of *formula* with *clause*, and a model of the rest of it, satisfy; whatever the *points*.

    Variable v is that of *formula*, for the model y; n + i + 1, for n variables, says that clause i is in the MUS.

    * y falsifies *clause*, or the MUS would be satisfiable;
    * y satisfies each other clause that is in the MUS;
    * of the clauses that a point falsifies one is in the MUS, or that point would satisfy it.  This says nothing where
      *clause* is among them.

    So if they are unsatisfiable, *clause* is in no MUS.  O(literals · points).  Raises ``ValueError`` where the formula has
    no such clause, or a point has another number of values.
    """
    _check(formula, clause)
    found: list[Literals] = [(-literal,) for literal in dict.fromkeys(formula.clauses[clause])]
    for position, other in enumerate(formula.clauses):
        if position != clause:
            found.append((-_member(formula, position), *other))
    for point in points:
        if len(point) != formula.variables:
            raise ValueError(f"a point has {len(point)} values, not {formula.variables}")
        falsified = _falsified(formula, point)
        if clause not in falsified:
            found.append(tuple(_member(formula, position) for position in falsified))
    return tuple(found)


def no_evidence(formula: Cnf, clause: int, points: Sequence[Point], *, deadline: Deadline | None = None) -> NoEvidence:
    """Return the evidence that *clause* is in no MUS of *formula*: *points* with a refutation.

    Raises ``ValueError`` where *points* do not show it, and ``OutOfTime`` once *deadline* has passed.  Exponential at worst.
    """
    clauses = no_clauses(formula, clause, points)
    try:
        return NoEvidence(tuple(points), refutation(clauses, deadline=deadline))
    except ValueError:
        raise ValueError(f"the points do not show that clause {clause} (from 0) is in no MUS") from None


def no_fault(formula: Cnf, clause: int, evidence: NoEvidence, *, deadline: Deadline | None = None) -> str | None:
    """Return None where *evidence* shows that *clause* is in no MUS of *formula*, else what is wrong.

    O(literals · points) and ``rup_fault``.  Raises ``OutOfTime`` once *deadline* has passed.
    """
    try:
        clauses = no_clauses(formula, clause, evidence.counterexamples)
    except ValueError as error:
        return str(error)
    fault = rup_fault(clauses, evidence.refutation, deadline=deadline)
    return None if fault is None else f"the refutation: {fault}"


def _check(formula: Cnf, clause: int) -> None:
    if not 0 <= clause < len(formula.clauses):
        raise ValueError(f"the formula has {len(formula.clauses)} clauses, and none at position {clause} (from 0)")


def _member(formula: Cnf, clause: int) -> int:
    return formula.variables + 1 + clause


def _falsified(formula: Cnf, point: Point) -> list[int]:
    return [position for position, clause in enumerate(formula.clauses) if not clause_holds(clause, point)]
