"""The theorems, each as formulas that are unsatisfiable exactly if it holds of all graphs of a kind and a size.

A theorem is denied in parts: it fails if and only if some part is satisfiable.  A part is one formula and cubes that
distinguish cases (:mod:`xpgcheck.paper.symbolic.cases`).  The formulas state definitions alone; an idea of a proof is
in the cubes only: "the points that follow the path" where σ is 0, "the member that was dropped last".

What follows from σ and Eq. 1: a set of features is a weak AXp of σ at (1, …, 1) if and only if it is one of the classifier,
and a weak CXp likewise (the complement is no weak AXp).  AXps and CXps are the minimal ones of equal families, so they
are equal too: Prop. 5.

With s = ∅, "necessary" says that a path to a terminal is followed by some point: Prop. 3, for any terminal in the part of
``OTHER``.

Eq. 1 and Eq. 2 are monotone by their text, so a weak XP that is none without any one of its members is minimal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from xpgcheck.paper.symbolic.algorithms import Run, algorithm_2, algorithm_3
from xpgcheck.paper.symbolic.cases import Cube, both, by_first, by_last
from xpgcheck.paper.symbolic.formulas import Formula
from xpgcheck.paper.symbolic.graphs import GraphKind, Size, graphs
from xpgcheck.paper.symbolic.points import changes, classes, instance_class, some_point, suffices
from xpgcheck.paper.symbolic.sigma import activation, path_to_zero


@dataclass(frozen=True, slots=True)
class Denial:
    """A part of a theorem's negation.  ``cubes`` distinguish cases.

    ``sets`` maps a name to the literals "feature i is a member"; variables of ``name_fI`` hold them.
    """

    formula: Formula
    cubes: tuple[Cube, ...]
    sets: dict[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Theorem:
    """A theorem: its ``key``, what it says, where the paper says it, and of which kinds of graphs it is proved.

    ``refuted`` are the kinds, each for want of one assumption, of which it is refuted, and the part that is satisfiable.
    ``turned_red_by`` names, by kind, groups of clauses without which some part becomes satisfiable.
    """

    key: str
    statement: str
    source: str
    kinds: tuple[GraphKind, ...]
    refuted: dict[GraphKind, str]
    turned_red_by: dict[GraphKind, tuple[str, ...]]
    parts: Callable[[Size], tuple[str, ...]]
    deny: Callable[[Formula, Size, GraphKind, str], Denial]

    def denial(self, size: Size, kind: GraphKind, part: str, left_out: Iterable[str] = ()) -> Denial:
        """Return *part* of the negation for the graphs of *kind* and *size*, without the groups *left_out*."""
        return self.deny(Formula(left_out=frozenset(left_out)), size, kind, part)


def _features(formula: Formula, size: Size, name: str) -> tuple[int, ...]:
    return tuple(formula.variable(f"{name}_f{i}") for i in range(size.features))


def _sufficiency(formula: Formula, size: Size, kind: GraphKind, part: str) -> Denial:
    g = graphs(formula, size, kind)
    instance_class(formula, g)
    s = _features(formula, size, "s")
    at = activation(formula, g, s, "s")
    x = some_point(formula, g, "x")
    formula.heading("theorem", "σ(s) = 1, and a point of another class agrees with the instance on s")
    formula.add(-at.zero)
    changes(formula, x, s, "s")
    return Denial(formula, tuple(by_first(x.rows(size))), {"s": s})


def _necessity(formula: Formula, size: Size, kind: GraphKind, part: str) -> Denial:
    g = graphs(formula, size, kind)
    s = _features(formula, size, "s")
    at = activation(formula, g, s, "s")
    kappa = classes(formula, g)
    formula.heading("theorem", "σ(s) = 0, and all points that agree with the instance on s have its class")
    formula.add(at.zero)
    suffices(formula, kappa, s, "s")
    return Denial(formula, tuple(by_first(path_to_zero(formula, g, at).followed(size))), {"s": s})


def _monotone(formula: Formula, size: Size, kind: GraphKind, part: str) -> Denial:
    g = graphs(formula, size, kind)
    instance_class(formula, g)
    lower, upper = _features(formula, size, "lower"), _features(formula, size, "upper")
    first, second = activation(formula, g, lower, "lower"), activation(formula, g, upper, "upper")
    formula.heading("theorem", "lower ≤ upper, and σ(lower) = 1, and σ(upper) = 0")
    for low, high in zip(lower, upper, strict=True):
        formula.implies([low], high)
    formula.add(-first.zero)
    formula.add(second.zero)
    return Denial(formula, (Cube(()),), {"lower": lower, "upper": upper})


def _one_terminal(formula: Formula, size: Size, kind: GraphKind, part: str) -> Denial:
    g = graphs(formula, size, kind)
    instance_class(formula, g)
    x = some_point(formula, g, "x")
    formula.heading("theorem", "a point reaches no terminal, or both")
    same, other = x.reaches[size.same], x.reaches[size.other]
    formula.implies([same], other)
    formula.implies([other], same)
    return Denial(formula, tuple(by_first(x.rows(size))), {})


def _axp_weak(formula: Formula, size: Size, kind: GraphKind) -> Denial:
    g = graphs(formula, size, kind)
    kappa = classes(formula, g)
    run = algorithm_2(formula, g)
    x = some_point(formula, g, "x")
    formula.heading("theorem", "the seed is a weak AXp, the result of Algorithm 2 is none")
    suffices(formula, kappa, run.seed, "seed")
    changes(formula, x, run.result, "result")
    *some, none = by_last(run.dropped)
    return Denial(formula, (*some, *both(none, by_first(x.rows(size)))), _sets(run))


def _axp_minimal(formula: Formula, size: Size, kind: GraphKind, member: int) -> Denial:
    g = graphs(formula, size, kind)
    kappa = classes(formula, g)
    run = algorithm_2(formula, g)
    formula.heading("theorem", f"the result of Algorithm 2 holds feature {member}, and is a weak AXp without it")
    suffices(formula, kappa, run.seed, "seed")
    formula.heading("theorem", "")
    formula.add(run.result[member])
    suffices(formula, kappa, _without(formula, run.result, member), "result without one")
    path = path_to_zero(formula, g, run.asked[member])
    return Denial(formula, tuple(by_first(path.followed(size))), _sets(run))


def _cxp_weak(formula: Formula, size: Size, kind: GraphKind) -> Denial:
    g = graphs(formula, size, kind)
    kappa = classes(formula, g)
    run = algorithm_3(formula, g)
    y = some_point(formula, g, "y")
    formula.heading("theorem", "the seed is a weak CXp, the result of Algorithm 3 is none")
    changes(formula, y, [-member for member in run.seed], "seed")
    suffices(formula, kappa, [-member for member in run.result], "result")
    *some, none = by_last(run.dropped)
    cubes = both(none, by_first(y.rows(size)))
    for step, cube in enumerate(some):
        cubes += both(cube, by_first(path_to_zero(formula, g, run.asked[step]).followed(size)))
    return Denial(formula, tuple(cubes), _sets(run))


def _cxp_minimal(formula: Formula, size: Size, kind: GraphKind, member: int) -> Denial:
    g = graphs(formula, size, kind)
    instance_class(formula, g)
    run = algorithm_3(formula, g)
    y, z = some_point(formula, g, "y"), some_point(formula, g, "z")
    formula.heading("theorem", f"the result of Algorithm 3 holds feature {member}, and is a weak CXp without it")
    changes(formula, y, [-kept for kept in run.seed], "seed")
    formula.heading("theorem", "")
    formula.add(run.result[member])
    changes(formula, z, [-kept for kept in _without(formula, run.result, member)], "result without one")
    return Denial(formula, tuple(by_first(z.rows(size))), _sets(run))


def _without(formula: Formula, members: tuple[int, ...], left_out: int) -> list[int]:
    return [-formula.true() if i == left_out else member for i, member in enumerate(members)]


def _sets(run: Run) -> dict[str, tuple[int, ...]]:
    return {"seed": run.seed, "result": run.result}


def _algorithm(
    weak: Callable[[Formula, Size, GraphKind], Denial], minimal: Callable[[Formula, Size, GraphKind, int], Denial]
) -> Callable[[Formula, Size, GraphKind, str], Denial]:
    def deny(formula: Formula, size: Size, kind: GraphKind, part: str) -> Denial:
        if part == "weak":
            return weak(formula, size, kind)
        return minimal(formula, size, kind, int(part.removeprefix("minimal-")))

    return deny


def _whole(size: Size) -> tuple[str, ...]:
    return ("all",)


def _weak_and_minimal(size: Size) -> tuple[str, ...]:
    return ("weak", *[f"minimal-{i}" for i in range(size.features)])


DECISION_GRAPHS = (GraphKind.READ_ONCE, GraphKind.CONSISTENT)

LOOPS = {
    GraphKind.READ_ONCE: ("loop", "Eq. 3", "Eq. 4", "κ", "Eq. 1", "Eq. 2", "read-once"),
    GraphKind.CONSISTENT: ("assumption (i)", "assumption (ii)"),
}

THEOREMS = (
    Theorem(
        "sufficient",
        "σ(s) = 1 implies Eq. 1: no point that agrees with the instance on s has another class.",
        "Prop. 5, Eq. 1, Eq. 4",
        (*DECISION_GRAPHS, GraphKind.INCONSISTENT),
        {GraphKind.UNCOVERED: "all"},
        {
            GraphKind.READ_ONCE: ("Eq. 3", "Eq. 4", "Eq. 2", "path of x"),
            GraphKind.CONSISTENT: ("assumption (i)", "root", "left tested", "left untested"),
        },
        _whole,
        _sufficiency,
    ),
    Theorem(
        "necessary",
        "Eq. 1 implies σ(s) = 1: where σ(s) = 0, a point that agrees with the instance on s has another class.",
        "Prop. 5, Eq. 1, Eq. 4",
        (*DECISION_GRAPHS, GraphKind.UNCOVERED),
        {GraphKind.INCONSISTENT: "all", GraphKind.OVERLAPPING: "all"},
        {
            GraphKind.READ_ONCE: ("read-once", "used", "κ", "Eq. 3", "Eq. 4", "Eq. 1"),
            GraphKind.CONSISTENT: ("assumption (ii)", "root", "left tested", "left untested"),
        },
        _whole,
        _necessity,
    ),
    Theorem(
        "monotone",
        "σ is monotone: fixing more features never makes σ smaller.",
        "Prop. 4",
        tuple(GraphKind),
        {},
        {GraphKind.READ_ONCE: ("Eq. 3", "Eq. 4")},
        _whole,
        _monotone,
    ),
    Theorem(
        "one terminal",
        "each point reaches exactly one terminal.",
        "Prop. 2",
        (*DECISION_GRAPHS, GraphKind.INCONSISTENT),
        {GraphKind.UNCOVERED: "all"},
        {GraphKind.READ_ONCE: ("some child", "path of x"), GraphKind.CONSISTENT: ("assumption (i)", "nowhere")},
        _whole,
        _one_terminal,
    ),
    Theorem(
        "Algorithm 2",
        "from every weak AXp as seed, the result is a weak AXp, and none without any one of its members, by Eq. 1.",
        "Algorithm 2",
        DECISION_GRAPHS,
        {GraphKind.INCONSISTENT: "minimal-0", GraphKind.UNCOVERED: "weak", GraphKind.OVERLAPPING: "minimal-0"},
        LOOPS,
        _weak_and_minimal,
        _algorithm(_axp_weak, _axp_minimal),
    ),
    Theorem(
        "Algorithm 3",
        "from every weak CXp as seed, the result is a weak CXp, and none without any one of its members, by Eq. 2.",
        "Algorithm 3",
        DECISION_GRAPHS,
        {GraphKind.INCONSISTENT: "weak", GraphKind.UNCOVERED: "minimal-0", GraphKind.OVERLAPPING: "weak"},
        LOOPS,
        _weak_and_minimal,
        _algorithm(_cxp_weak, _cxp_minimal),
    ),
)
"""A theorem on all graphs at once."""


def theorem(key: str) -> Theorem:
    """Return the theorem called *key*; raise ``KeyError`` where there is none."""
    return {found.key: found for found in THEOREMS}[key]
