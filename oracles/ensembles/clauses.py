"""Eq. 1 and Eq. 2 of an ensemble as clauses: positions of features in unary, a vote a tree, counters of votes.

**Features.**  What no tree can tell apart is one *position* of a feature; positions are in a row, and for each but the first
there is a variable "at least this one", which implies the one before (the order encoding: thresholds of one feature cannot
clash).

**Votes.**  For each tree and class there is a variable.  Along the path to each terminal, the literals hold at some run of
positions; where all do, the tree votes for the terminal's class, and for no other.

**The rule.**  Class r beats the class c of the instance iff r has at least d more votes than c, where d is 0 if r comes
first among equals, else 1.  With T trees that is: of the 2T variables "tree t does not vote for r" and "tree t votes for
c", at most T − d are true; of two classes they come in equal pairs.  A totalizer counts them.

One incremental SAT solver answers for all instances: fixed features are assumptions, and so is "some rival beats c".
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any

from xpgcheck.model.cells import cells
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble, literals_of
from xpgcheck.model.value_sets import FiniteSet, IntervalSet, ValueSet
from xpgcheck.model.values import Point, Value
from xpgcheck.oracles.answers import Answer

SOLVER = "glucose4"

MAX_PATHS = 200_000
"""Paths from roots to terminals, of all trees, that are written as clauses."""

MAX_CONFLICTS = 200_000
"""Conflicts of the solver in one question; beyond, it stays open.  A limit that does not depend on the machine."""

MAX_COUNTED = 1_000_000
"""Variables that are counted, times the number that they are counted up to: about the clauses of a counter."""

Run = tuple[int, int]
"""Positions from the first to before the second."""


class Positions:
    """The positions of one feature, and their variables: ``first + k`` says "at least position k + 1"."""

    def __init__(self, whole: ValueSet, literals: list[ValueSet], first: int) -> None:
        found = cells(whole, literals)
        self.cells = found.cells
        self.runs: dict[ValueSet, tuple[Run, ...]] = dict(zip(literals, found.ranges, strict=True))
        self._first = first
        self._starts = [cell.cuts[0] for cell in self.cells if isinstance(cell, IntervalSet) and cell.cuts]
        self._values = [cell.representative() for cell in self.cells]

    @property
    def variables(self) -> range:
        """The variables, in order."""
        return range(self._first, self._first + len(self.cells) - 1)

    def of(self, value: Value) -> int:
        """Return the position of *value*, which is in the domain."""
        if isinstance(self.cells[0], FiniteSet):
            return next(k for k, cell in enumerate(self.cells) if value in cell)
        location = self.cells[0].grid.locate(value)
        if not isinstance(location, tuple):
            # The missing value comes last.
            return len(self.cells) - 1
        return bisect.bisect_right(self._starts, location) - 1

    def at(self, position: int) -> list[int]:
        """Return the literals that say "this position"."""
        return self.between((position, position + 1))

    def between(self, run: Run) -> list[int]:
        """Return the literals that say "a position of *run*"."""
        low, high = run
        at_least = [self._first + low - 1] if low > 0 else []
        return at_least + ([-(self._first + high - 1)] if high < len(self.cells) else [])

    def read(self, true: set[int]) -> int:
        """Return the position that a model with the variables *true* has."""
        return sum(variable in true for variable in self.variables)

    def value(self, position: int) -> Value:
        """Return a value at *position*."""
        return self._values[position]


def paths_to_terminals(tree: DecisionGraph, positions: Sequence[Positions]) -> Iterator[tuple[dict[int, Run], int]]:
    """Yield, of each path to a terminal of *tree*, a run of positions of each feature on it, and the terminal's class.

    A literal of several runs makes several paths; runs of one feature that do not meet make none.  No recursion.
    """
    stack: list[tuple[int, dict[int, Run]]] = [(0, {})]
    while stack:
        node, runs = stack.pop()
        if tree.class_of[node] >= 0:
            yield runs, tree.class_of[node]
            continue
        feature = tree.feature_of[node]
        low, high = runs.get(feature, (0, len(positions[feature].cells)))
        for child, values in tree.edges(node):
            for start, end in positions[feature].runs[values]:
                both = max(low, start), min(high, end)
                if both[0] < both[1]:
                    stack.append((child, {**runs, feature: both}))


def positions_of(ensemble: Ensemble) -> list[Positions]:
    """Return the positions of each feature of *ensemble*, with variables from 1 on, each once."""
    found: list[Positions] = []
    first = 1
    for feature, literals in zip(ensemble.features, literals_of(ensemble.trees, len(ensemble.features)), strict=True):
        found.append(Positions(feature.domain.all_values(), [literal.values for literal in literals], first))
        first += len(found[-1].variables)
    return found


class VoteClauses:
    """An ensemble as clauses, with one solver; :meth:`at` gives the oracle for an instance.

    A context manager: the solver is freed on leaving.  Oracles of a closed session answer "unknown".
    """

    engine = "clauses"
    name = "clauses with counters"

    def __init__(self, ensemble: Ensemble) -> None:
        """Write the clauses of *ensemble*: linear in its paths."""
        from pysat.solvers import Solver

        self.ensemble = ensemble
        self._solver: Any = Solver(SOLVER)
        self._rivals: dict[int, int] = {}
        self.problem = ""
        self.positions = positions_of(ensemble)
        self._next = 1 + sum(len(positions.variables) for positions in self.positions)
        for positions in self.positions:
            self._order(positions)
        self._votes = [[self._fresh() for _ in ensemble.classes] for _ in ensemble.trees]
        left = MAX_PATHS
        for tree, votes in zip(ensemble.trees, self._votes, strict=True):
            left = self._vote(tree, votes, left)
            if left < 0:
                self.problem = f"the trees have over {MAX_PATHS:,} paths"
                return

    def _order(self, positions: Positions) -> None:
        """Say that "at least this position" implies "at least the one before"."""
        for lower, upper in itertools.pairwise(positions.variables):
            self._solver.add_clause([-upper, lower])

    def _fresh(self) -> int:
        self._next += 1
        return self._next - 1

    def _vote(self, tree: DecisionGraph, votes: list[int], left: int) -> int:
        """Add the clauses that say how *tree* votes; return how many of *left* paths are left, less than 0: too many."""
        for runs, class_index in self._paths(tree):
            left -= 1
            if left < 0:
                return left
            path = [-literal for feature, run in runs.items() for literal in self.positions[feature].between(run)]
            for vote, of_class in zip(votes, range(len(tree.classes)), strict=True):
                self._solver.add_clause([*path, vote if of_class == class_index else -vote])
        return left

    def _paths(self, tree: DecisionGraph) -> Iterator[tuple[dict[int, Run], int]]:
        """Yield, of each path to a terminal, a run of positions of each feature on it, and the terminal's class."""
        return paths_to_terminals(tree, self.positions)

    def _changed(self, own: int) -> int:
        """Return a literal under which the class is not *own*."""
        known = self._rivals.get(own)
        if known is None:
            classes = len(self.ensemble.classes)
            beaten = [self._beaten(own, rival) for rival in range(classes) if rival != own]
            known = self._rivals[own] = self._fresh()
            self._solver.add_clause([-known, *beaten])
        return known

    def _beaten(self, own: int, rival: int) -> int:
        """Return a literal under which *rival* has as many votes more than *own* as it takes to win against it."""
        lead = int(rival > own)
        spare = len(self._votes) - lead
        counted = [votes[own] for votes in self._votes]
        if len(self.ensemble.classes) == 2:
            # A tree that does not vote for the one votes for the other.
            spare //= 2
        else:
            counted += [-votes[rival] for votes in self._votes]
        return self._at_most(counted, spare)

    def _at_most(self, literals: list[int], most: int) -> int:
        """Return a literal under which at most *most* of *literals* are true."""
        from pysat.card import ITotalizer

        held = self._fresh()
        if len(literals) * most > MAX_COUNTED:
            self.problem = f"the votes of {len(self._votes):,} trees are too many to count"
        elif most < 0:
            self._solver.add_clause([-held])
        elif most < len(literals):
            with ITotalizer(lits=literals, ubound=most, top_id=self._next - 1) as counter:
                self._solver.append_formula(counter.cnf.clauses)
                self._next = max(self._next, counter.top_id + 1)
                self._solver.add_clause([-held, -counter.rhs[most]])
        return held

    def at(self, point: Point) -> ClauseOracle:
        """Return the oracle for the instance *point*."""
        return ClauseOracle(self, point)

    def ask(self, assumptions: list[int], own: int) -> set[int] | str | None:
        """Return the true variables of a model of another class than *own* under *assumptions*; None where there is none.

        A text says why nothing is known.
        """
        changed = self._changed(own)
        if self.problem:
            return self.problem
        self._solver.conf_budget(MAX_CONFLICTS)
        answer = self._solver.solve_limited([changed, *assumptions])
        if answer is None:
            return f"more than {MAX_CONFLICTS:,} conflicts"
        return {literal for literal in self._solver.get_model() if literal > 0} if answer else None

    @property
    def closed(self) -> bool:
        """Whether the solver was freed."""
        return self._solver is None

    def close(self) -> None:
        """Free the solver.  Closing twice is harmless."""
        if self._solver is not None:
            self._solver.delete()
            self._solver = None

    def __enter__(self) -> VoteClauses:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class ClauseOracle:
    """The oracle of one instance, by the clauses of its ensemble."""

    def __init__(self, clauses: VoteClauses, point: Point) -> None:
        self.name = clauses.name
        self.engine = clauses.engine
        self._clauses = clauses
        self._point = point
        self._own = clauses.ensemble.kappa(point)
        self._at = [positions.of(value) for positions, value in zip(clauses.positions, point, strict=True)]
        self._fixing = [positions.at(position) for positions, position in zip(clauses.positions, self._at, strict=True)]

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Tell whether some point that agrees with the instance on *fixed* has another class (one call of the solver)."""
        clauses = self._clauses
        if clauses.closed or clauses.problem:
            return Answer(None, None, self.name, clauses.problem or "the session is closed")
        assumptions = [literal for feature in fixed for literal in self._fixing[feature]]
        model = clauses.ask(assumptions, self._own)
        if model is None:
            return Answer(False, None, self.name)
        if isinstance(model, str):
            return Answer(None, None, self.name, model)
        values = list(self._point)
        for feature, positions in enumerate(clauses.positions):
            position = positions.read(model)
            if position != self._at[feature]:
                values[feature] = positions.value(position)
        return Answer(True, tuple(values), self.name)
