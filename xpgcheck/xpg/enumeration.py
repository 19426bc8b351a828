"""Algorithm 4: the MARCO-like enumeration of all XPs with one SAT call each.

The SAT solver (PySAT) holds the paper's ℋ over S: a model splits S into fixed and free variables; one traversal says
which kind of XP its seed holds; Algorithm 2 or 3 finds it; a clause keeps later models away from it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

from xpgcheck.xpg.explanation_graph import MANY_VARIABLES, ExplanationGraph, indices
from xpgcheck.xpg.find_one import cxp_inside, shrink_axp
from xpgcheck.xpg.traversal import cheapest_path
from xpgcheck.xpg.xps import XP, Kind, axp_of, cxp_of

DEFAULT_SOLVER = "minisat-gh"

_Take = Callable[[list[int]], object]
"""Takes a list of literals."""


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
        cxp_kind = Kind.CXP
        for kind, mask in self.masks():
            yield cxp_of(mask) if kind is cxp_kind else axp_of(mask)

    def masks(self) -> Generator[tuple[Kind, int], None, None]:
        """Yield (kind, mask of features) pairs: what :meth:`__iter__` yields, without building sets."""
        xpg, limit = self._xpg, self._limit
        everything = xpg.all_variables
        many = len(xpg.variables) > MANY_VARIABLES
        bits = _bit_of_literal(0 if many else len(xpg.variables))
        find_cxp = cheapest_path if xpg.cheapest_is_minimal else cxp_inside
        axp_kind, cxp_kind = Kind.AXP, Kind.CXP
        sat, solve, get_model, add_clause, prefer = _start(self._solver)
        cxps: list[int] = []
        mentioned = 0
        calls = 0
        try:
            while calls != limit:
                self.sat_calls = calls = calls + 1
                if not solve():
                    self.complete = True
                    return
                # The literals that the model fixes; a variable that no clause mentions is free.
                model = get_model() or ()
                fixed = (
                    _fixed_by(model) & everything if many else sum([bits[literal] for literal in model if literal > 0])
                )
                cxp = find_cxp(xpg, everything ^ fixed)
                if cxp is not None:
                    some_fixed = _fixed_literals(cxp)
                    if cxp & ~mentioned:
                        mentioned |= cxp
                        prefer([-literal for literal in some_fixed])
                    add_clause(some_fixed)
                    cxps.append(cxp)
                    yield cxp_kind, cxp
                else:
                    axp = fixed if _is_hit_minimally(cxps, fixed) else shrink_axp(xpg, fixed)
                    if axp:
                        add_clause([-literal for literal in _fixed_literals(axp)])
                    else:
                        # The blocking clause of the empty AXp is the empty clause, which not every solver takes.
                        sat.append_formula([[1], [-1]])
                    yield axp_kind, axp
        finally:
            sat.delete()


@lru_cache(maxsize=10_000)
def _fixed_literals(mask: int) -> list[int]:
    """Return the SAT literals "i is fixed" of *mask*; their negations mean "i is free".  Instances share many XPs."""
    return [i + 1 for i in indices(mask)]


def _is_hit_minimally(cxps: list[int], fixed: int) -> bool:
    """Tell whether each variable in *fixed* is the only one of *fixed* in some of *cxps*.

    Then it is needed, since without it *fixed* leaves that CXp free: no traversal has to show that.
    """
    needed = 0
    for cxp in cxps:
        common = cxp & fixed
        if not common & (common - 1):
            needed |= common
            if needed == fixed:
                return True
    return needed == fixed


def _fixed_by(model: Sequence[int]) -> int:
    """Return the mask of what *model* fixes, in time linear in its length."""
    digits = ["0"] * max(map(abs, model), default=0)
    for literal in model:
        if literal > 0:
            digits[-literal] = "1"
    return int("".join(digits) or "0", 2)


@lru_cache
def _bit_of_literal(variables: int) -> list[int]:
    """Return of each literal i + 1 ("i is fixed") bit i; it begins with 0, as literals count from 1."""
    return [0, *(1 << i for i in range(variables))]


def _start(
    solver: str,
) -> tuple[Any, Callable[[], bool], Callable[[], list[int] | None], _Take, _Take]:
    """Return a new PySAT solver, and what asks it, reads its model, adds a clause and tells it which literals to prefer.

    The default is told to leave variables free, so that its models fix as few as they can and are AXps or leave CXps.
    """
    if solver != DEFAULT_SOLVER:
        sat = _solvers().Solver(name=solver)
        return sat, sat.solve, sat.get_model, sat.add_clause, _ignore
    sat = _solvers().MinisatGH()
    # Expecting no limit but an interrupt, it is ``solve`` without a signal handler for each call: that took half the time.
    calls, engine = _direct_calls(), sat.minisat
    if calls is None or engine is None:
        return sat, partial(sat.solve_limited, [], True), sat.get_model, sat.add_clause, sat.set_phases
    solve, model, add, prefer = calls
    return sat, partial(solve, engine, [], 1, 1), partial(model, engine), partial(add, engine), partial(prefer, engine)


@lru_cache
def _direct_calls() -> tuple[Callable[..., Any], ...] | None:
    """Return what PySAT's methods of its MiniSat call; None in a version that does not show it.

    The methods look at the thread and the clock, which takes a third of the time of Algorithm 4 on small graphs.
    """
    try:
        import pysolvers

        return tuple(getattr(pysolvers, f"minisatgh_{name}") for name in ("solve_lim", "model", "add_cl", "setphases"))
    except (ImportError, AttributeError):
        return None


def _ignore(_: list[int]) -> None:
    pass


@lru_cache
def _solvers() -> Any:
    from pysat import solvers

    return solvers
