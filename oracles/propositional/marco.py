"""All MUSes and MCSes of a CNF by MARCO, on two PySAT solvers.

The *map* is a formula over one variable per clause, whose models are the subsets not yet accounted for.  A model of it is
a *seed*: an unsatisfiable one is shrunk to a MUS, whose supersets then leave the map, a satisfiable one is grown to a
maximal satisfiable subset (MSS), whose subsets leave it.  The map is unsatisfiable once every subset is accounted for.

M. H. Liffiton, A. Previti, A. Malik, J. Marques-Silva, "Fast, flexible MUS enumeration", Constraints 21 (2016) 223–250.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from xpgcheck.oracles.propositional.clause_families import MusEnumeration, family
from xpgcheck.oracles.propositional.formulas import Cnf, Point, clause_holds
from xpgcheck.oracles.propositional.limits import Deadline, OutOfTime, solved

SOLVER = "minisat22"


def enumerate_muses(formula: Cnf, *, limit: int | None = None, deadline: Deadline | None = None) -> MusEnumeration:
    """Return the MUSes of *formula* and the MCSes met on the way: all MUSes and all MCSes where it is complete.

    It ends incomplete where there are over *limit* MUSes, or *deadline* has passed; what it then returns is right as
    far as it goes.  A satisfiable formula has no MUS and the one MCS ∅.  Exponentially many subsets at worst; of each
    MUS and MSS at most one question per clause to a SAT solver.
    """
    with Muses(formula) as muses:
        complete = muses.explore(limit, deadline or Deadline())
        return MusEnumeration(family(muses.muses), family(muses.mcses), complete)


@dataclass
class Muses:
    """A MARCO run that can be continued: ``explore`` goes on where it stopped.  To be used as a context manager.

    ``muses`` and ``mcses`` are in the order they were found.
    """

    formula: Cnf
    muses: list[frozenset[int]] = field(default_factory=list)
    mcses: list[frozenset[int]] = field(default_factory=list)
    _map: Any = None
    _subsets: Any = None

    def __enter__(self) -> Muses:
        from pysat.solvers import Solver

        count = len(self.formula.clauses)
        self._map = Solver(name=SOLVER)
        # Large seeds first: they are unsatisfiable early, and near to an MSS where they are not.
        self._map.set_phases([self._selector(clause) for clause in range(count)])
        self._subsets = Solver(name=SOLVER)
        for position, clause in enumerate(self.formula.clauses):
            self._subsets.add_clause([-self._selector(position), *clause])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._map.delete()
        self._subsets.delete()

    def explore(self, limit: int | None, deadline: Deadline) -> bool:
        """Find MUSes until there are no more (True), or there are over *limit*, or *deadline* passes (False)."""
        try:
            while (seed := self._seed(deadline)) is not None:
                point = self._model(seed, deadline)
                if point is not None:
                    self._grow(point, deadline)
                elif limit is not None and len(self.muses) >= limit:
                    return False
                else:
                    self._shrink(self._core(), deadline)
        except OutOfTime:
            return False
        return True

    def _seed(self, deadline: Deadline) -> set[int] | None:
        """Return a subset that is not accounted for, or None."""
        if not solved(self._map, deadline, []):
            return None
        # A clause that the map does not speak of is free: it goes into the seed.
        out = {-literal for literal in self._map.get_model() if literal < 0}
        return {c for c in range(len(self.formula.clauses)) if self.formula.variables + 1 + c not in out}

    def _shrink(self, unsatisfiable: set[int], deadline: Deadline) -> None:
        """Take clauses out of *unsatisfiable* until it is a MUS."""
        undecided = sorted(unsatisfiable)
        rest = set(unsatisfiable)
        while undecided:
            clause = undecided.pop()
            if self._model(rest - {clause}, deadline) is None:
                # Clauses found necessary are in every core of a subset.
                rest = self._core()
                undecided = [other for other in undecided if other in rest]
        mus = frozenset(rest)
        self._map.add_clause([-self._selector(clause) for clause in sorted(mus)])
        self.muses.append(mus)

    def _grow(self, point: Point, deadline: Deadline) -> None:
        """Add clauses to those that hold at *point* until they are an MSS."""
        held = self._held(point)
        left: list[int] = []
        for clause in range(len(self.formula.clauses)):
            if clause in held:
                continue
            better = self._model(held | {clause}, deadline)
            if better is None:
                left.append(clause)
            else:
                held = self._held(better)
        self._map.add_clause([self._selector(clause) for clause in left])
        self.mcses.append(frozenset(left))

    def _model(self, subset: Iterable[int], deadline: Deadline) -> Point | None:
        """Return a point that satisfies *subset*, replayed, or None."""
        chosen = sorted(subset)
        if not solved(self._subsets, deadline, [self._selector(clause) for clause in chosen]):
            return None
        given = self._subsets.get_model()
        true = {literal for literal in given if literal > 0}
        point = tuple(variable in true for variable in range(1, self.formula.variables + 1))
        for clause in chosen:
            if not clause_holds(self.formula.clauses[clause], point):
                raise AssertionError(f"the solver's model does not satisfy clause {clause}")
        return point

    def _core(self) -> set[int]:
        """Return the clauses that the last unsatisfiable question to the subset solver needed."""
        return {selector - self.formula.variables - 1 for selector in self._subsets.get_core() or ()}

    def _held(self, point: Point) -> set[int]:
        return {position for position, clause in enumerate(self.formula.clauses) if clause_holds(clause, point)}

    def _selector(self, clause: int) -> int:
        return self.formula.variables + 1 + clause
