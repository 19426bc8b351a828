"""Algorithm 4: the MARCO-like enumeration of all XPs with one SAT call each.

The SAT solver (PySAT) holds the paper's ℋ over S: a model splits S into fixed and free variables; one traversal says
which kind of XP its seed holds; Algorithm 2 or 3 finds it; a clause keeps later models away from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any

from xpgcheck.xpg.explanation_graph import ExplanationGraph, features_of, indices
from xpgcheck.xpg.find_one import shrink_axp, shrink_path
from xpgcheck.xpg.traversal import used_variables
from xpgcheck.xpg.xps import XP, Kind

DEFAULT_SOLVER = "minisat22"


class Enumeration:
    """An enumeration of the XPs of an XpG, to be iterated once; XPs come one by one, none twice.

    ``sat_calls`` counts the SAT calls so far: exactly one an XP, and one more when the enumeration is complete.
    ``complete`` becomes true with that last call, so it stays false if iteration stops earlier, by *limit* or by choice.
    """

    def __init__(self, xpg: ExplanationGraph, limit: int | None = None, solver: str = DEFAULT_SOLVER) -> None:
        """Prepare the enumeration of at most *limit* XPs of *xpg* (all if None) with PySAT's *solver*."""
        if limit is not None and limit < 0:
            raise ValueError("the limit is negative")
        self.sat_calls = 0
        self.complete = False
        self._xpg = xpg
        self._limit = limit
        self._solver = solver

    def __iter__(self) -> Iterator[XP]:
        for kind, mask in self.masks():
            yield XP(kind, features_of(mask))

    def masks(self) -> Iterator[tuple[Kind, int]]:
        """Yield (kind, mask of features) pairs: what :meth:`__iter__` yields, without building sets."""
        xpg, limit = self._xpg, self._limit
        everything = xpg.all_variables
        found = 0
        sat = _solver_class(self._solver)()
        solve, get_model, add_clause = sat.solve, sat.get_model, sat.add_clause
        try:
            while found != limit:
                self.sat_calls += 1
                if not solve():
                    self.complete = True
                    return
                # A variable that no clause mentions may be missing from the model: it counts as fixed.
                c = 0
                for literal in get_model():
                    if literal < 0:
                        c |= 1 << (-literal - 1)
                c &= everything
                used = used_variables(xpg, c)
                if used is None:
                    kind, x = Kind.AXP, shrink_axp(xpg, everything & ~c)
                    clause = [-i - 1 for i in indices(x)]
                else:
                    kind, x = Kind.CXP, shrink_path(xpg, used)
                    clause = [i + 1 for i in indices(x)]
                if clause:
                    add_clause(clause)
                else:
                    # The blocking clause of the empty AXp is the empty clause, which not every solver takes.
                    false = len(xpg.variables) + 1
                    add_clause([false])
                    add_clause([-false])
                found += 1
                yield kind, x
        finally:
            sat.delete()


@lru_cache
def _solver_class(name: str) -> Callable[[], Any]:
    """Return what makes a PySAT solver; the default's class itself makes one five times as fast as its name does."""
    from pysat import solvers

    return solvers.Minisat22 if name == DEFAULT_SOLVER else partial(solvers.Solver, name=name)
