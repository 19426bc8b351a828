"""Whether a literal is in some prime implicant (PI) of a DNF, by one SAT call; and such a PI.

A literal l is in some PI of f exactly if there is a point a with l true, f(a) = 1 and f(a′) = 0, where a′ is a with l
flipped.  From the point to the PI: the literals of a are an implicant, and any PI among them has l, since without l it
would hold at a′ too.  From the PI to the point: without l it is no implicant, so it holds without l at a point where f
is 0; there l is false, and flipping it makes the PI, hence f, true.

So for DNFs over all their variables the question is in NP, and reading B of the reduction cannot carry Σ₂ᵖ-hardness.
"""

from __future__ import annotations

from typing import Any

from xpgcheck.oracles.propositional.formulas import Dnf, Literals, Point, clashes, dnf_holds, holds, term_holds
from xpgcheck.oracles.propositional.limits import Deadline, solved
from xpgcheck.oracles.propositional.prime_implicants import sorted_terms

SOLVER = "minisat22"


def prime_implicant_with(formula: Dnf, literal: int, *, deadline: Deadline | None = None) -> Literals | None:
    """Return a PI of *formula* that has *literal*, its literals sorted by variable, or None if there is none.

    One SAT call over n variables and a variable a term; then at most one a literal of one term, to shrink it.  The point
    is replayed, and so is the point that shows of each literal that it cannot be spared.

    Raises ``OutOfTime`` once *deadline* has passed, ``ValueError`` for a literal over no variable of *formula*.
    """
    if literal == 0 or abs(literal) > formula.variables:
        raise ValueError(f"literal {literal} is not over the variables 1 … {formula.variables}")
    until = deadline or Deadline()
    point = critical_point(formula, literal, deadline=until)
    if point is None:
        return None
    # A term that holds at the point has the literal: else it would hold, and f be 1, with the literal flipped.
    implicant = min((set(term) for term in formula.terms if term_holds(term, point)), key=len)
    return sorted_terms([_shrunk(formula, implicant, literal, until)])[0]


def critical_point(formula: Dnf, literal: int, *, deadline: Deadline | None = None) -> Point | None:
    """Return a point with *literal* true at which *formula* is 1, and 0 with *literal* flipped; None if there is none.

    One SAT call.  The point is replayed.  Raises ``OutOfTime`` once *deadline* has passed.
    """
    from pysat.solvers import Solver

    until = deadline or Deadline()
    some_term: list[int] = []
    with Solver(name=SOLVER) as solver:
        solver.add_clause([literal])
        for position, term in enumerate(formula.terms):
            holding = formula.variables + 1 + position
            some_term.append(holding)
            for one in term:
                solver.add_clause([-holding, one])
            # With the literal flipped a term that has it is 0, and its negative is no obstacle to any other term.
            if literal not in term:
                solver.add_clause([-one for one in term if one != -literal])
        solver.add_clause(some_term)
        if not solved(solver, until, []):
            return None
        point = _point(solver, formula.variables)
    flipped = (*point[: abs(literal) - 1], not point[abs(literal) - 1], *point[abs(literal) :])
    if not holds(literal, point) or not dnf_holds(formula, point) or dnf_holds(formula, flipped):
        raise AssertionError(f"the solver's point does not show that {literal} is needed")
    return point


def _shrunk(formula: Dnf, implicant: set[int], literal: int, deadline: Deadline) -> set[int]:
    """Take literals other than *literal* out of *implicant* until none can be spared.

    *literal* is not tried: the caller has a point where *implicant* holds and f is 0 with *literal* flipped, and there
    whatever is left of *implicant* without *literal* holds.
    """
    from pysat.solvers import Solver

    with Solver(name=SOLVER) as solver:
        # ¬f: an implicant of f is a term with which this is unsatisfiable.
        for term in formula.terms:
            if not clashes(term):
                solver.add_clause([-one for one in term])
        if solved(solver, deadline, sorted(implicant)):
            raise AssertionError(f"the term {sorted(implicant)} of the formula is not an implicant of it")
        for one in sorted(implicant - {literal}, key=abs):
            if one not in implicant:
                continue
            if solved(solver, deadline, sorted(implicant - {one})):
                witness = _point(solver, formula.variables)
                if not term_holds(tuple(implicant - {one}), witness) or dnf_holds(formula, witness):
                    raise AssertionError(f"the solver's point does not show that {one} is needed")
            else:
                # The literal is in every core, as it cannot be spared.
                implicant = set(solver.get_core() or ())
    if literal not in implicant:
        raise AssertionError(f"{literal} was shown to be needed, and is not")
    return implicant


def _point(solver: Any, variables: int) -> Point:
    true = {given for given in solver.get_model() if given > 0}
    return tuple(variable in true for variable in range(1, variables + 1))
