"""Case distinctions: cubes of which one holds in every assignment, whatever the formula says.

A formula is refuted by refuting it with each cube.  That some cube always holds needs no trust: the clauses that deny
the cubes are unsatisfiable by themselves, and :func:`uncovered` looks at that.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xpgcheck.paper.symbolic.formulas import Clause

Point = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cube:
    """A case: its ``literals``, and the only ``point`` whose κ should matter there (None: no point's).

    The point is a hint for speed.  Clauses on κ of other points are left out first; that the rest is unsatisfiable is more
    than what is asked.
    """

    literals: Clause
    point: Point | None = None


def by_first(rows: Sequence[Sequence[int]]) -> list[Cube]:
    """Distinguish by the first literal of each row that holds; one cube more a row for "none of them holds".

    Row i is about the values of feature i, so each choice is a point.  As many cubes as there are points, and rows.
    """
    firsts = [[(*[-earlier for earlier in row[:place]], literal) for place, literal in enumerate(row)] for row in rows]
    chosen = [
        Cube(tuple(itertools.chain.from_iterable(row[value] for row, value in zip(firsts, point, strict=True))), point)
        for point in itertools.product(*[range(len(row)) for row in rows])
    ]
    return [*chosen, *[Cube(tuple(-literal for literal in row)) for row in rows]]


def by_last(literals: Sequence[int]) -> list[Cube]:
    """Distinguish by the last of *literals* that holds; the last cube says that none does."""
    lasts = [(literal, *[-later for later in literals[place + 1 :]]) for place, literal in enumerate(literals)]
    return [Cube(cube) for cube in [*lasts, tuple(-literal for literal in literals)]]


def both(first: Cube, cubes: Iterable[Cube]) -> list[Cube]:
    """Return *cubes*, each together with *first*."""
    return [Cube((*first.literals, *cube.literals), cube.point) for cube in cubes]


def uncovered(cubes: Iterable[Cube]) -> Clause | None:
    """Return an assignment in which none of *cubes* holds; None where there is none, as it should be."""
    from pysat.solvers import Solver

    with Solver(name="glucose4", bootstrap_with=[[-literal for literal in cube.literals] for cube in cubes]) as solver:
        return tuple(solver.get_model()) if solver.solve() else None
