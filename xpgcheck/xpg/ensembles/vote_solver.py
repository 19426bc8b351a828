"""Votes that are counted: the question as clauses, for one incremental SAT solver that gives points and cores.

**Features.**  Places are in a row, and for each but the first there is a variable "at this place or a later one", which
implies the one before.  Where a path holds at places that are no row, a variable of its own says "at one of these".

**Votes.**  A variable a tree and class (of two classes, a variable per tree): where all literals of a path hold, the tree
votes as its terminal says.

**The rule.**  A rival is ahead of the class of the instance by d votes iff, of the votes for the rival and the votes against
the class, at least T + d are cast, for T trees.  A totalizer counts what is missing.  Some rival has to be ahead.

Fixed features are assumptions, and the assumptions that a refutation used are the fixed features that suffice.
"""

from __future__ import annotations

import itertools
import weakref
from types import TracebackType
from typing import Any

from xpgcheck.model.values import Point
from xpgcheck.xpg.ensembles.deciding import Allowance, Decision
from xpgcheck.xpg.ensembles.places import EnsemblePlaces, runs

SOLVER = "glucose4"

SLICE = 2_000
"""Conflicts between two looks at the clock."""

DEFAULT_CONFLICTS = 1_000_000
"""Conflicts that one question may take."""


class VoteSolver:
    """An ensemble that votes, as clauses in one solver, for every instance.  A context manager: it frees the solver."""

    def __init__(self, places: EnsemblePlaces) -> None:
        """Write the clauses.  Linear in the paths."""
        from pysat.solvers import Solver

        self.places = places
        self._solver: Any = Solver(name=SOLVER)
        # At the end of the process, too, where modules that the solver needs to be freed may be gone before it.
        self._freed = weakref.finalize(self, self._solver.delete)
        self._top = 0
        self._from: list[int] = []
        self._among: dict[tuple[int, int], int] = {}
        self._changed: dict[int, int] = {}
        for feature in places.features:
            first = self._new(feature.count - 1)
            self._from.append(first - 1)
            for place in range(1, feature.count - 1):
                self._solver.add_clause([-(first + place), first + place - 1])
        self._votes: list[list[int]] = []
        self._write_votes()
        self._owner = {
            first + place: feature
            for feature, (first, own) in enumerate(zip(self._from, places.features, strict=True))
            for place in range(1, own.count)
        }

        self._kept_among: dict[tuple[int, int], int] = {}
        for rule in places.rules:
            for occurs, tested in rule:
                if not occurs:
                    where = [-literal for feature, bits in tested.items() for literal in self._at(feature, bits)]
                    # Where nothing is tested, nothing can occur.
                    self._solver.append_formula([where] if where else [[1], [-1]])

    def _new(self, count: int = 1) -> int:
        """Return the first of *count* new variables."""
        self._top += count
        return self._top - count + 1

    def _between(self, feature: int, low: int, high: int) -> list[int]:
        """Return the literals that say: at a place from *low* to before *high*."""
        first = self._from[feature]
        found = [first + low] if low > 0 else []
        return [*found, -(first + high)] if high < self.places.features[feature].count else found

    def _at(self, feature: int, bits: int) -> list[int]:
        """Return the literals that say: at one of the places *bits*."""
        rows = runs(bits)
        if len(rows) == 1:
            return self._between(feature, *rows[0])
        known = self._among.get((feature, bits))
        if known is None:
            known = self._among[feature, bits] = self._new()
            for low, high in rows:
                self._solver.add_clause([known, *(-literal for literal in self._between(feature, low, high))])
        return [known]

    def _write_votes(self) -> None:
        classes = len(self.places.ensemble.classes)
        for paths in self.places.paths:
            first = self._new(1 if classes == 2 else classes)
            own = [-first, first] if classes == 2 else list(range(first, first + classes))
            self._votes.append(own)
            for answer, tested in paths:
                where = [-literal for feature, bits in tested.items() for literal in self._at(feature, bits)]
                self._solver.add_clause([*where, own[answer]])
            if classes > 2:
                self._solver.append_formula([[-a, -b] for a, b in itertools.combinations(own, 2)])

    def _some_rival(self, own: int) -> int:
        """Return a literal under which some class is ahead of *own*."""
        known = self._changed.get(own)
        if known is None:
            classes = range(len(self.places.ensemble.classes))
            ahead = [self._ahead(own, rival) for rival in classes if rival != own]
            known = self._changed[own] = self._new()
            self._solver.add_clause([-known, *ahead])
        return known

    def _ahead(self, own: int, rival: int) -> int:
        """Return a literal under which *rival* is as far ahead of *own* as it has to be."""
        lead = self.places.ensemble.tally.lead(own, rival).may
        missing = [-votes[rival] for votes in self._votes]
        spare = len(self._votes) - lead
        if len(self.places.ensemble.classes) == 2:
            spare //= 2
        else:
            missing += [votes[own] for votes in self._votes]
        return self._at_most(missing, spare)

    def _at_most(self, literals: list[int], most: int) -> int:
        """Return a literal under which at most *most* of *literals* are true."""
        from pysat.card import ITotalizer

        if most < 0:
            never = self._new()
            self._solver.add_clause([-never])
            return never
        if most >= len(literals):
            return self._new()
        with ITotalizer(lits=literals, ubound=most, top_id=self._top) as counter:
            self._solver.append_formula(counter.cnf.clauses)
            self._top = max(self._top, counter.top_id)
            return -int(counter.rhs[most])

    def at(self, point: Point) -> VotesAt:
        """Return what decides questions about the instance *point*."""
        return VotesAt(self, point)

    def solve(self, assumptions: list[int], allowance: Allowance) -> bool | None:
        """Tell whether *assumptions* can hold; None where the allowance is used up."""
        left = DEFAULT_CONFLICTS if allowance.steps is None else allowance.steps
        while left > 0 and not allowance.is_over():
            self._solver.conf_budget(min(SLICE, left))
            answer: bool | None = self._solver.solve_limited(assumptions)
            if answer is not None:
                return answer
            left -= SLICE
        return None

    def model_places(self) -> tuple[int, ...]:
        """Return the place of each feature in the model found."""
        model = self._solver.get_model()
        found = []
        for first, feature in zip(self._from, self.places.features, strict=True):
            row = model[first : first + feature.count - 1]
            found.append(sum(literal > 0 for literal in row))
        return tuple(found)

    def core_features(self) -> int:
        """Return the features whose places the refutation found used, as a mask."""
        mask = 0
        for literal in self._solver.get_core() or ():
            feature = self._owner.get(abs(literal))
            if feature is not None:
                mask |= 1 << feature
        return mask

    def some_rival(self, own: int) -> int:
        """Return the assumption that some class beats *own*."""
        return self._some_rival(own)

    def fixing(self, feature: int, place: int) -> list[int]:
        """Return the assumptions that *feature* is at *place*."""
        return self._between(feature, place, place + 1)

    def among(self, feature: int, bits: int) -> list[int]:
        """Return the assumptions that *feature* is at one of the places *bits*."""
        rows = runs(bits)
        if len(rows) == 1:
            return self._between(feature, *rows[0])
        known = self._kept_among.get((feature, bits))
        if known is None:
            known = self._kept_among[feature, bits] = self._new()
            for low, high in runs((1 << self.places.features[feature].count) - 1 & ~bits):
                self._solver.add_clause([-known, *(-literal for literal in self._between(feature, low, high))])
        return [known]

    def prefer(self, literals: list[int]) -> None:
        """Try *literals* first: models then differ from an instance on few features."""
        self._solver.set_phases(literals)

    def close(self) -> None:
        """Free the solver.  Closing twice is harmless."""
        self._freed()

    def __enter__(self) -> VoteSolver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class VotesAt:
    """Decides questions about one instance of an ensemble that votes."""

    def __init__(self, solver: VoteSolver, point: Point) -> None:
        """Ask *solver* about *point*."""
        self._solver = solver
        places = solver.places
        self.own_places = tuple(own.of(value) for own, value in zip(places.features, point, strict=True))
        self._fixing = [solver.fixing(feature, place) for feature, place in enumerate(self.own_places)]
        self._goal = solver.some_rival(places.ensemble.kappa(point))
        solver.prefer([literal for literals in self._fixing for literal in literals])

    def decide(self, fixed: int, allowance: Allowance) -> Decision:
        """Decide by one call of the solver."""
        assumptions = [self._goal]
        for feature, literals in enumerate(self._fixing):
            if fixed >> feature & 1:
                assumptions += literals
        answer = self._solver.solve(assumptions, allowance)
        if answer is None:
            return Decision(None, reason="the time is over" if allowance.is_over() else "too many conflicts")
        if not answer:
            return Decision(False, self._solver.core_features())
        found = self._solver.model_places()
        mask = 0
        for feature, (place, own) in enumerate(zip(found, self.own_places, strict=True)):
            if place != own:
                mask |= 1 << feature
        return Decision(True, mask, found)

    def order(self) -> list[int]:
        """Return the features in their order."""
        return list(range(len(self.own_places)))
