"""Eq. 1 and Eq. 2 of an ensemble whose trees are summed, as a program of whole numbers for CP-SAT of ``ortools``.

**Features.**  Positions in unary, as the clauses of votes have them (:mod:`xpgcheck.oracles.ensembles.clauses`, which is
never asked about sums).  **Trees.**  A variable for each path to a terminal, exactly one of a tree, which implies the path's
literals.  **The rule.**  Of one rival of the class of the instance, one linear inequality over these variables: what the
paths bring it ahead is as much as it takes.

CP-SAT counts in whole numbers of 64 bits, exactly.  Sums that do not fit are divided, and what is left over is rounded so
that it cannot deceive: up where it says that no rival wins, down where it looks for one that does.  Each point is compared
by the ensemble itself.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from typing import Any

from xpgcheck.errors import MissingPackageError
from xpgcheck.extras import install
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import WITHIN_ROUNDING, Answer
from xpgcheck.oracles.ensembles.clauses import Positions, paths_to_terminals, positions_of

MAX_PATHS = 200_000
"""Paths from roots to terminals, of all trees, that become variables."""

MAX_WORK = 10.0
"""The work that the solver may do for one rival in one question, as it counts it itself: about ten seconds."""

MAX_BITS = 60
"""Digits that the sum of all numbers of an inequality may have."""

TOO_FINE = "the sums are too fine for whole numbers of 64 bits"


class IntegerSums:
    """An ensemble of summed trees as a program of whole numbers; :meth:`at` gives the oracle for an instance."""

    name = "whole numbers"
    engine = "CP-SAT"
    bits = MAX_BITS

    def __init__(self, ensemble: Ensemble, most: float = MAX_WORK) -> None:
        """Write the program of *ensemble*, linear in its paths; the solver does at most *most* work a rival.

        Raises ``MissingPackageError`` where ``ortools`` is not installed.
        """
        if not is_available():
            raise MissingPackageError("ortools is not installed", mend=install("integers"))
        from ortools.sat.python import cp_model

        self.ensemble = ensemble
        self.positions = positions_of(ensemble)
        self.problem = ""
        self._cp: Any = cp_model
        self._solver: Any = cp_model.CpSolver()
        self._set_limits(most)
        model: Any = cp_model.CpModel()
        count = sum(len(positions.variables) for positions in self.positions)
        self._variables = [None, *[model.new_bool_var("") for _ in range(count)]]
        self._paths: list[list[tuple[int, Any]]] = []
        self._model = model
        for positions in self.positions:
            self._order(positions)
        self._programs: dict[tuple[int, int, bool], tuple[Any, int]] = {}
        self._write_trees()

    def _set_limits(self, most: float) -> None:
        parameters = self._solver.parameters
        # One worker gives the same answer each time.  Small programs, many of them: what is worked out beforehand, and
        # relaxations to linear programs, take longer than the search (benchmarks/boosted.py).
        parameters.num_workers = 1
        parameters.cp_model_presolve = False
        parameters.linearization_level = 0
        parameters.cp_model_probing_level = 0
        parameters.symmetry_level = 0
        parameters.max_deterministic_time = most

    def _order(self, positions: Positions) -> None:
        """Say that "at least this position" implies "at least the one before"."""
        for lower in positions.variables[:-1]:
            self._model.add_implication(self._variables[lower + 1], self._variables[lower])

    def _write_trees(self) -> None:
        left = MAX_PATHS
        for tree in self.ensemble.trees:
            paths: list[tuple[int, Any]] = []
            for runs, answer in paths_to_terminals(tree, self.positions):
                left -= 1
                if left < 0:
                    self.problem = f"the trees have over {MAX_PATHS:,} paths"
                    return
                taken = self._model.new_bool_var("")
                for feature, run in runs.items():
                    for literal in self.positions[feature].between(run):
                        self._model.add_implication(taken, self._literal(literal))
                paths.append((answer, taken))
            self._model.add_exactly_one([taken for _, taken in paths])
            self._paths.append(paths)

    def _literal(self, literal: int) -> Any:
        variable: Any = self._variables[abs(literal)]
        return variable if literal > 0 else variable.negated()

    def at(self, point: Point) -> IntegerOracle:
        """Return the oracle for the instance *point*."""
        return IntegerOracle(self, point)

    def program(self, own: int, rival: int, *, certain: bool) -> tuple[Any, int]:
        """Return the program that says that *rival* is ahead of *own* by what it takes, and by what numbers are divided.

        With *certain*, every solution is a point where it is; else, every such point is a solution, where it may win too.
        """
        key = own, rival, certain
        if key not in self._programs:
            self._programs[key] = self._write(*key)
        return self._programs[key]

    def _write(self, own: int, rival: int, certain: bool) -> tuple[Any, int]:
        tally, program = self.ensemble.tally, self._model.clone()
        pairs = [
            (taken, rows[answer][rival] - rows[answer][own])
            for rows, paths in zip(tally.rows, self._paths, strict=True)
            for answer, taken in paths
        ]
        lead = tally.lead(own, rival)
        needed = (lead.must if certain else lead.may) - (tally.base[rival] - tally.base[own])
        scale = (sum(abs(gain) for _, gain in pairs) + abs(needed) >> self.bits) + 1
        gains = [self._divided(gain, scale, certain=certain) for _, gain in pairs]
        variables = [program.get_bool_var_from_proto_index(taken.index) for taken, _ in pairs]
        program.add(self._cp.LinearExpr.weighted_sum(variables, gains) >= -(-needed // scale))
        return program, scale

    def _divided(self, gain: int, scale: int, *, certain: bool) -> int:
        return gain // scale if certain else -(-gain // scale)

    def solution(self, program: Any, fixing: Iterable[int]) -> list[int] | str | None:
        """Return the position of each feature in a solution where the literals *fixing* hold; None where there is none.

        A text says why nothing is known.
        """
        held = [(program.proto.variables[self._literal(abs(literal)).index].domain, literal) for literal in fixing]
        try:
            for domain, literal in held:
                domain[0] = domain[1] = int(literal > 0)
            status = self._solver.solve(program)
        finally:
            for domain, _ in held:
                domain[0], domain[1] = 0, 1
        if status == self._cp.INFEASIBLE:
            return None
        if status not in (self._cp.OPTIMAL, self._cp.FEASIBLE):
            return "more work than the limit" if status == self._cp.UNKNOWN else f"CP-SAT says {status}"
        value = self._solver.boolean_value
        true = {variable for variable in range(1, len(self._variables)) if value(self._variables[variable])}
        return [positions.read(true) for positions in self.positions]


class IntegerOracle:
    """The oracle of one instance, by the whole numbers of its ensemble."""

    def __init__(self, sums: IntegerSums, point: Point) -> None:
        self.name = sums.name
        self.engine = sums.engine
        self._sums = sums
        self._point = point
        self._own = sums.ensemble.kappa(point)
        self._settled = sums.ensemble.is_settled(point)
        self._rivals = [rival for rival in range(len(sums.ensemble.classes)) if rival != self._own]
        self._at = [positions.of(value) for positions, value in zip(sums.positions, point, strict=True)]

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Tell whether some point that agrees with the instance on *fixed* has another class (one or two solves a rival)."""
        sums = self._sums
        if sums.problem or not self._settled:
            return Answer(None, None, self.name, sums.problem or WITHIN_ROUNDING)
        fixing = [literal for feature in fixed for literal in self._fixing(feature)]
        reason = ""
        for rival in self._rivals:
            found = self._point_of(rival, fixing)
            if isinstance(found, tuple):
                return Answer(True, found, self.name)
            reason = reason or found
        return Answer(None if reason else False, None, self.name, reason)

    def _fixing(self, feature: int) -> list[int]:
        """Return all literals of a feature as its position has them: none is left to be worked out."""
        positions, own = self._sums.positions[feature], self._at[feature]
        return [variable if k < own else -variable for k, variable in enumerate(positions.variables)]

    def _point_of(self, rival: int, fixing: list[int]) -> Point | str:
        """Return a point where *rival* wins for certain; else why that stays open, nothing where it wins nowhere."""
        program, scale = self._sums.program(self._own, rival, certain=False)
        found = self._sums.solution(program, fixing)
        if isinstance(found, list):
            point = self._at_positions(found)
            if self._sums.ensemble.differs(point, self._own):
                return point
            program, _ = self._sums.program(self._own, rival, certain=True)
            found = self._sums.solution(program, fixing)
            if found is None:
                return WITHIN_ROUNDING if scale == 1 else TOO_FINE
        if isinstance(found, list):
            return self._at_positions(found)
        return found or ""

    def _at_positions(self, found: list[int]) -> Point:
        """Return the point at the positions *found*, with the values of the instance where they are its own."""
        return tuple(
            own if position == here else positions.value(position)
            for positions, position, here, own in zip(self._sums.positions, found, self._at, self._point, strict=True)
        )


def is_available() -> bool:
    """Tell whether ``ortools`` is installed.  Imports nothing."""
    return importlib.util.find_spec("ortools") is not None
