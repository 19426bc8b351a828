"""κ at every point of feature space, by its definition: the terminal that a point's own values lead to."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xpgcheck.paper.symbolic.formulas import Formula
from xpgcheck.paper.symbolic.graphs import Graphs, Size

Point = tuple[int, ...]


Classes = dict[Point, int]
"""The literal "κ is not the class c of the instance" for each point."""


def all_points(size: Size) -> list[Point]:
    """Return all d^m points, the instance (0, …, 0) first."""
    return list(itertools.product(range(size.values), repeat=size.features))


def point_label(x: Point) -> str:
    """Return *x* as it stands in names of variables."""
    return "x" + "".join(map(str, x))


def kappa_group(x: Point) -> str:
    """Return the name of the group of clauses that state κ(*x*)."""
    return f"κ, {point_label(x)}"


def instance_class(formula: Formula, g: Graphs) -> None:
    """Add that the class c is that of the instance: it reaches ``SAME``.  O(n²·m) clauses."""
    _classes(formula, g, [(0,) * g.size.features])


def classes(formula: Formula, g: Graphs) -> Classes:
    """Add κ at every point, and that the class c is that of the instance.  O(d^m·n²·m) clauses.

    From each node on, the values of a point lead to one terminal.
    """
    return _classes(formula, g, all_points(g.size))


def _classes(formula: Formula, g: Graphs, points: Iterable[Point]) -> Classes:
    size = g.size
    of_root: Classes = {}
    always = formula.true()
    for x in points:
        label = point_label(x)
        ends = {size.same: -always, size.other: always}
        ends.update({r: formula.variable(f"other_{label}_n{r}") for r in range(size.nodes)})
        formula.heading(
            kappa_group(x), "from a node on, a point ends where it ends from the child that its value leads to"
        )
        for r, q in size.edges():
            for i, k in enumerate(x):
                conditions = [g.tests[r, i], g.taken[r, k, q]]
                if q != size.same:
                    formula.implies([*conditions, ends[q]], ends[r])
                if q != size.other:
                    formula.implies([*conditions, ends[r]], ends[q])
        formula.heading(f"no class, {label}", "a point that is led nowhere does not have the class c")
        for r, i in itertools.product(range(size.nodes), range(size.features)):
            if (r, x[i]) in g.stuck:
                formula.implies([g.tests[r, i], g.stuck[r, x[i]]], ends[r])
        of_root[x] = ends[0]
    formula.heading("instance", "the class c is the class of the instance")
    formula.add(-of_root[(0,) * size.features])
    return of_root


def suffices(formula: Formula, kappa: Classes, fixed: Sequence[int], name: str) -> None:
    """Add Eq. 1 of the features i with ``fixed[i]``: κ is c at every point that agrees with the instance on them.

    The same clauses say that freeing the others changes nothing: Eq. 2 of these does not hold.  d^m clauses.
    """
    formula.heading(f"Eq. 1, {name}", "no point of another class agrees with the instance on the fixed features")
    for x, other in kappa.items():
        formula.add(-other, *[fixed[i] for i, value in enumerate(x) if value])


@dataclass(frozen=True, slots=True)
class SomePoint:
    """A point that the solver chooses: ``takes[i, k]``, feature i has value k; ``other``, its class is not c.

    ``reaches[q]``: it reaches the terminal q.
    """

    takes: dict[tuple[int, int], int]
    other: int
    reaches: dict[int, int]

    def rows(self, size: Size) -> list[list[int]]:
        """Return, of each feature, the literals of its values."""
        return [[self.takes[i, k] for k in range(size.values)] for i in range(size.features)]


def some_point(formula: Formula, g: Graphs, name: str) -> SomePoint:
    """Add a point and the nodes that it passes, from the root on.  O(n²·m·d) clauses."""
    size = g.size
    features, values = range(size.features), range(size.values)
    formula.heading(f"point {name}", "the point has one value of each feature")
    takes = {(i, k): formula.variable(f"{name}_f{i}_v{k}") for i in features for k in values}
    for i in features:
        formula.add(*[takes[i, k] for k in values])
        formula.at_most_one([takes[i, k] for k in values])
    formula.heading(
        f"path of {name}", "the point passes the root, and from each node the child that its value leads to"
    )
    passed = formula.variable(f"{name}_n0")
    formula.add(passed)
    goes: dict[tuple[int, int], int] = {}
    lost: list[int] = []
    for r in range(size.nodes):
        if r:
            passed = formula.disjunction(f"{name}_n{r}", [goes[p, r] for p in range(r)])
        chosen = [formula.variable(f"{name}_n{r}_v{k}") for k in values]
        for i, k in itertools.product(features, values):
            formula.implies([g.tests[r, i], takes[i, k]], chosen[k])
            formula.implies([g.tests[r, i], chosen[k]], takes[i, k])
        for q in size.below(r):
            by = [
                formula.conjunction(f"{name}_n{r}_v{k}_{size.name(q)}", [passed, chosen[k], g.taken[r, k, q]])
                for k in values
            ]
            goes[r, q] = formula.disjunction(f"{name}_n{r}_{size.name(q)}", by)
        lost += [
            formula.conjunction(f"{name}_n{r}_v{k}_lost", [passed, chosen[k], g.stuck[r, k]])
            for k in values
            if (r, k) in g.stuck
        ]
    reaches = {
        q: formula.disjunction(f"{name}_{size.name(q)}", [goes[r, q] for r in range(size.nodes)])
        for q in (size.same, size.other)
    }
    formula.heading(f"class of {name}", "the class is another one at OTHER, and where the point is led nowhere")
    return SomePoint(takes, formula.disjunction(f"{name}_other", [reaches[size.other], *lost]), reaches)


def changes(formula: Formula, point: SomePoint, fixed: Sequence[int], name: str) -> None:
    """Add: *point* has another class and agrees with the instance on the features i with ``fixed[i]``.

    So Eq. 1 does not hold of them, and Eq. 2 holds of the others.  m + 1 clauses.
    """
    formula.heading(f"Eq. 2, {name}", "the point has another class, and agrees with the instance on the fixed features")
    formula.add(point.other)
    for i, literal in enumerate(fixed):
        formula.implies([literal], point.takes[i, 0])
