"""All decision graphs with n non-terminals over m features of d values, as variables and clauses.

The non-terminals are 0 … n-1 in a topological order, 0 is the root, and edges lead to later ones or to one of two
terminals: ``SAME`` (the class c of the instance) and ``OTHER``.  Two suffice: σ, Eq. 1, Eq. 2 and the algorithms ask of a
terminal nothing but whether its class is c, and merging terminals changes no path.

For each non-terminal there is the feature that it tests, and for each value of that feature the child to which the
value leads; the literal of an edge is the set of values that lead to its child, so parallel edges are one.

The instance is v = (0, …, 0): renaming the values of a feature maps decision graphs one to one to decision graphs, and
keeps σ, κ and every set of features that is asked about.

Nodes that no edge leads to are allowed.  A graph with fewer non-terminals is therefore among these: its spare ones are
left unreached, and lead to ``SAME``.  So is one with fewer features, which no node tests, and one with fewer values: a
further value leads where the last one does.  What is proved of n, m and d is proved of all up to n, m and d.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from xpgcheck.paper.symbolic.formulas import Formula


class GraphKind(enum.Enum):
    """Which graphs: the two kinds of decision graphs, and three that are none for want of one assumption."""

    READ_ONCE = "read-once"
    """Each feature is tested at most once on each path; each value leads somewhere."""
    CONSISTENT = "consistent"
    """Features may be tested again; assumptions (i) and (ii) hold of every path."""
    INCONSISTENT = "inconsistent"
    """Each value leads somewhere, and nothing is asked of paths: without assumption (ii)."""
    UNCOVERED = "uncovered"
    """Read-once, but a value may lead nowhere: without assumption (i).  A point lost there has no class, so not c."""
    OVERLAPPING = "overlapping"
    """Read-once, but a value may lead to several children: the literals of a node are not disjoint, and more than one edge
    of a node may be labelled 1.  κ takes the first of them."""


@dataclass(frozen=True, slots=True)
class Size:
    """``nodes`` non-terminals, ``features`` of ``values`` values each."""

    nodes: int
    features: int
    values: int

    def __str__(self) -> str:
        return f"{self.nodes},{self.features},{self.values}"

    @property
    def same(self) -> int:
        """The terminal of the instance's class."""
        return self.nodes

    @property
    def other(self) -> int:
        """The terminal of the other classes."""
        return self.nodes + 1

    def below(self, node: int) -> range:
        """Return what an edge of *node* can lead to."""
        return range(node + 1, self.nodes + 2)

    def edges(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs of nodes between which there can be an edge."""
        for node in range(self.nodes):
            for child in self.below(node):
                yield node, child

    def name(self, node: int) -> str:
        """Return the name of *node* in names of variables."""
        return {self.same: "SAME", self.other: "OTHER"}.get(node, f"n{node}")


@dataclass(frozen=True, slots=True)
class Graphs:
    """The variables: ``tests[r, i]``, node r tests feature i; ``leads[r, k, q]``, value k leads from r to q.

    ``taken[r, k, q]`` is the edge that κ takes: ``leads`` itself but for overlapping literals.  ``stuck[r, k]`` says that
    value k leads nowhere (only where that can be).
    """

    size: Size
    tests: dict[tuple[int, int], int]
    leads: dict[tuple[int, int, int], int]
    taken: dict[tuple[int, int, int], int]
    stuck: dict[tuple[int, int], int]


def graphs(formula: Formula, size: Size, kind: GraphKind) -> Graphs:
    """Add the graphs of *kind* to *formula*.  O(n²·m·3^d) clauses."""
    nodes, features, values = range(size.nodes), range(size.features), range(size.values)
    tests = {(r, i): formula.variable(f"tests_n{r}_f{i}") for r in nodes for i in features}
    leads = {(r, k, q): formula.variable(f"leads_n{r}_v{k}_{size.name(q)}") for r, q in size.edges() for k in values}
    formula.heading("one feature", "each node tests exactly one feature")
    for r in nodes:
        formula.add(*[tests[r, i] for i in features])
        formula.at_most_one([tests[r, i] for i in features])
    if kind is not GraphKind.OVERLAPPING:
        formula.heading("one child", "each value leads to at most one child")
        for r, k in itertools.product(nodes, values):
            formula.at_most_one([leads[r, k, q] for q in size.below(r)])
    stuck: dict[tuple[int, int], int] = {}
    taken = leads
    if kind in (GraphKind.CONSISTENT, GraphKind.UNCOVERED):
        formula.heading("nowhere", "the values that lead nowhere")
        for r, k in itertools.product(nodes, values):
            stuck[r, k] = formula.variable(f"stuck_n{r}_v{k}")
            formula.add(stuck[r, k], *[leads[r, k, q] for q in size.below(r)])
            for q in size.below(r):
                formula.add(-stuck[r, k], -leads[r, k, q])
    else:
        formula.heading("some child", "each value leads to some child")
        for r, k in itertools.product(nodes, values):
            formula.add(*[leads[r, k, q] for q in size.below(r)])
    if kind is GraphKind.OVERLAPPING:
        taken = _first_edges(formula, size, leads)
    found = Graphs(size, tests, leads, taken, stuck)
    if kind is GraphKind.CONSISTENT:
        _consistent(formula, found)
    elif kind is not GraphKind.INCONSISTENT:
        _read_once(formula, found)
    return found


def _first_edges(
    formula: Formula, size: Size, leads: dict[tuple[int, int, int], int]
) -> dict[tuple[int, int, int], int]:
    formula.heading("first edge", "of several children, κ takes the first")
    return {
        (r, k, q): formula.conjunction(
            f"takes_n{r}_v{k}_{size.name(q)}", [leads[r, k, q], *[-leads[r, k, p] for p in range(r + 1, q)]]
        )
        for r, k, q in leads
    }


def _read_once(formula: Formula, g: Graphs) -> None:
    """Add: no feature is tested twice on a path from the root.

    ``used[r, i]`` is at least "i is tested on some path to r, before r", ``reached[r]`` at least "some path leads to r".
    They may be more, and where that satisfies the clauses the exact ones do, as they forbid and are never asked for.
    """
    size = g.size
    inner = range(1, size.nodes)
    reached = {r: formula.variable(f"reached_n{r}") for r in inner}
    used = {(r, i): formula.variable(f"used_n{r}_f{i}") for r in inner for i in range(size.features)}
    formula.heading("used", "the nodes that paths reach, and the features tested above them")
    for r, k, q in g.leads:
        if q < size.nodes:
            start = [g.leads[r, k, q], *([reached[r]] if r else [])]
            formula.implies(start, reached[q])
            for i in range(size.features):
                formula.implies([*start, g.tests[r, i]], used[q, i])
                if r:
                    formula.implies([g.leads[r, k, q], used[r, i]], used[q, i])
    formula.heading("read-once", "no feature is tested again")
    for r, i in used:
        formula.add(-used[r, i], -g.tests[r, i])


def _consistent(formula: Formula, g: Graphs) -> None:
    """Add assumptions (i) and (ii), of each path by itself as :mod:`xpgcheck.model.assumptions` reads them.

    ``leaves[r, i, W]``, W a set of values, is at least "some path to r leaves exactly W of feature i"; again the exact
    one satisfies the clauses wherever one that is more does.
    """
    size = g.size
    values = range(size.values)
    sets = [frozenset(w) for count in range(1, size.values + 1) for w in itertools.combinations(values, count)]

    def label(w: frozenset[int]) -> str:
        return "".join(map(str, sorted(w)))

    leaves = {
        (r, i, w): formula.variable(f"leaves_n{r}_f{i}_v{label(w)}")
        for r in range(size.nodes)
        for i in range(size.features)
        for w in sets
        if r or len(w) == size.values
    }
    formula.heading("root", "at the root everything is left")
    for i in range(size.features):
        formula.add(leaves[0, i, sets[-1]])
    for (r, i, w), left in leaves.items():
        formula.heading("left untested", "a node that tests another feature leaves what its path left")
        for q in range(r + 1, size.nodes):
            for k in values:
                formula.implies([left, -g.tests[r, i], g.leads[r, k, q]], leaves[q, i, w])
        formula.heading("left tested", "an edge leaves of its feature what its literal and its path have in common")
        for q in range(r + 1, size.nodes):
            for rest in sets:
                if rest <= w:
                    shape = [g.leads[r, k, q] if k in rest else -g.leads[r, k, q] for k in w]
                    formula.implies([left, g.tests[r, i], *shape], leaves[q, i, rest])
        formula.heading("assumption (ii)", "every literal has a value in common with what each path leaves")
        for q in size.below(r):
            for k in values:
                if k not in w:
                    formula.implies([left, g.tests[r, i], g.leads[r, k, q]], *[g.leads[r, other, q] for other in w])
        formula.heading("assumption (i)", "every value that a path leaves leads somewhere")
        for k in w:
            formula.implies([left, g.tests[r, i]], -g.stuck[r, k])
