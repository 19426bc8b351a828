"""A denial put to a SAT solver, cube by cube; each refutation checked by unit propagation, or by another solver."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

from xpgcheck.oracles.propositional.rup import refutation, rup_fault
from xpgcheck.paper.symbolic.cases import Cube
from xpgcheck.paper.symbolic.formulas import Clause
from xpgcheck.paper.symbolic.points import kappa_group
from xpgcheck.paper.symbolic.theorems import Denial

FIRST = "cadical153"
SECOND = "glucose4"
"""Another solver than the one that writes the proofs, of another family."""


@dataclass(frozen=True, slots=True)
class CubesAnswer:
    """The results of some cubes.

    ``model``: the names of the variables that are true in a model; None where all cubes were refuted.  ``fault``: why
    that is not shown; None where it is.  ``cubes``, ``lines``: how many were refuted, by how many lines of proofs.
    """

    model: frozenset[str] | None
    fault: str | None
    cubes: int
    lines: int


def decide(denial: Denial, cubes: Iterable[Cube], *, check_proofs: bool) -> CubesAnswer:
    """Refute *denial* with each of *cubes*, or find a model with one.

    With *check_proofs* each refutation is one in RUP that the project's own checker has gone through; else two solvers
    of different families have answered alike.  Exponential at worst.
    """
    done = lines = 0
    for cube in cubes:
        answer = _decide(denial, _few(denial, cube), check_proofs=check_proofs)
        if answer.model is not None:
            # A model of a part of the clauses says nothing: all of them are asked.
            answer = _decide(denial, [*denial.formula.bare(), *_units(cube)], check_proofs=check_proofs)
        if answer.model is not None or answer.fault is not None:
            return CubesAnswer(answer.model, answer.fault, done, lines)
        done += 1
        lines += answer.lines
    return CubesAnswer(None, None, done, lines)


def _few(denial: Denial, cube: Cube) -> list[Clause]:
    """Return the clauses without those on κ of other points than that of *cube*."""
    kept = "" if cube.point is None else kappa_group(cube.point)
    few = [clause for group, clause in denial.formula.clauses if group == kept or not group.startswith("κ, ")]
    return [*few, *_units(cube)]


def _units(cube: Cube) -> list[Clause]:
    return [(literal,) for literal in cube.literals]


def _decide(denial: Denial, clauses: list[Clause], *, check_proofs: bool) -> CubesAnswer:
    if check_proofs:
        try:
            proof = refutation(clauses)
        except ValueError:
            model = satisfied(clauses, SECOND)
            fault = "two solvers disagree" if model is None else None
        else:
            return CubesAnswer(None, rup_fault(clauses, proof), 1, len(proof))
    else:
        model = satisfied(clauses, FIRST)
        fault = "two solvers disagree" if (satisfied(clauses, SECOND) is None) is not (model is None) else None
    true = None if model is None or fault else frozenset(itertools.compress(denial.formula.names, model))
    return CubesAnswer(true, fault, 1, 0)


def satisfied(clauses: Iterable[Clause], name: str) -> list[bool] | None:
    """Return a model of *clauses* by the solver called *name*, a Boolean a variable; None where there is none."""
    from pysat.solvers import Solver

    with Solver(name=name, bootstrap_with=clauses) as solver:
        return [literal > 0 for literal in solver.get_model()] if solver.solve() else None
