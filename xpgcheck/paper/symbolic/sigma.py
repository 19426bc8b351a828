"""ε and σ of the explanation graph (Eq. 3, Eq. 4), and a path to a terminal labelled 0 where σ is 0.

The instance is (0, …, 0), so the edge by value 0 is the one labelled 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xpgcheck.paper.symbolic.formulas import Formula
from xpgcheck.paper.symbolic.graphs import Graphs, Size

IDEAS = ("path", "off")
"""Groups of clauses that state no definition of the paper: the path, on which cases are distinguished.

They define further variables, so a formula has the same models, but for these, without them.
"""


@dataclass(frozen=True, slots=True)
class SymbolicActivation:
    """``moves[r, q]``: ε(r) = 1 and the edge from r to q can be taken.  ``zero``: σ = 0, as ε of ``OTHER`` is 1."""

    name: str
    moves: dict[tuple[int, int], int]
    zero: int


def activation(formula: Formula, g: Graphs, fixed: Sequence[int], name: str) -> SymbolicActivation:
    """Add ε and σ at s, s_i being the literal ``fixed[i]``.  O(n²·d + n·m) clauses."""
    size = g.size
    formula.heading(
        f"Eq. 3, {name}", "ε: a node is activated by an edge labelled 1, or by any edge if its feature is free"
    )
    moves: dict[tuple[int, int], int] = {}
    root = formula.variable(f"eps_{name}_n0")
    formula.add(root)
    active = root
    for r in range(size.nodes):
        if r:
            active = formula.disjunction(f"eps_{name}_n{r}", [moves[p, r] for p in range(r)])
        free = formula.variable(f"free_{name}_n{r}")
        for i in range(size.features):
            formula.implies([g.tests[r, i], free], -fixed[i])
            formula.implies([g.tests[r, i], -free], fixed[i])
        for q in size.below(r):
            if q != size.same:
                edge = f"{name}_n{r}_{size.name(q)}"
                by_free = [
                    formula.conjunction(f"freed_{edge}_v{k}", [g.leads[r, k, q], free]) for k in range(1, size.values)
                ]
                some = formula.disjunction(f"open_{edge}", [g.leads[r, 0, q], *by_free])
                moves[r, q] = formula.conjunction(f"moves_{edge}", [active, some])
    formula.heading(f"Eq. 4, {name}", "σ is 0 where ε of a terminal labelled 0 is 1")
    zero = formula.disjunction(f"zero_{name}", [moves[r, size.other] for r in range(size.nodes)])
    return SymbolicActivation(name, moves, zero)


@dataclass(frozen=True, slots=True)
class Path:
    """A path to ``OTHER`` where σ is 0.  ``off[i, k]``: a point with value k of feature i does not follow it."""

    off: dict[tuple[int, int], int]

    def followed(self, size: Size) -> list[list[int]]:
        """Return, of each feature, the literals "a point with value k follows the path", k = 0 first."""
        return [[-self.off[i, k] for k in range(size.values)] for i in range(size.features)]


def path_to_zero(formula: Formula, g: Graphs, activated: SymbolicActivation) -> Path:
    """Define a path to ``OTHER`` by open edges, from its end: of a node's activated parents it comes from the first.

    Every variable is defined by an equivalence over earlier ones, so this takes no model away.  O(n²·(n + m·d)) clauses.
    """
    size, name = g.size, activated.name
    formula.heading(
        f"path, {name}", "where σ is 0, a path to OTHER: each of its nodes is come to from its first parent"
    )
    steps: dict[tuple[int, int], int] = {}
    on = {size.other: activated.zero}
    for q in (size.other, *reversed(range(1, size.nodes))):
        if q != size.other:
            on[q] = formula.disjunction(f"on_{name}_n{q}", [step for (r, _), step in steps.items() if r == q])
        earlier: list[int] = []
        for r in range(min(q, size.nodes)):
            move = activated.moves[r, q]
            steps[r, q] = formula.conjunction(f"step_{name}_n{r}_{size.name(q)}", [on[q], move, *earlier])
            earlier.append(-move)
    formula.heading(f"off, {name}", "the values whose points leave the path")
    off = {}
    for i in range(size.features):
        for k in range(size.values):
            leaves = [
                formula.conjunction(
                    f"off_{name}_f{i}_v{k}_n{r}_{size.name(q)}", [step, g.tests[r, i], -g.taken[r, k, q]]
                )
                for (r, q), step in steps.items()
            ]
            off[i, k] = formula.disjunction(f"off_{name}_f{i}_v{k}", leaves)
    return Path(off)
