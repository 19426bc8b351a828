"""Small graphs for the oracles' tests: the paper's two, a few of mixed domains, and a random generator."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Domain, Feature, Float32, Float64, Integer, Real
from xpgcheck.model.value_sets import FiniteSet, Grid, Interval, IntervalSet, ValueSet, interval_set
from xpgcheck.model.values import MISSING, Point, Value
from xpgcheck.oracles.float_ranks import FLOAT32_RANKS, FLOAT64_RANKS
from xpgcheck.oracles.pysmt_backend import SOLVERS, available_solvers

LAST, number_at = FLOAT32_RANKS.last, FLOAT32_RANKS.number_at

SOLVER_PARAMS = [
    pytest.param(
        name,
        marks=pytest.mark.skipif(
            name not in available_solvers(), reason=f"{name} is not installed: pip install 'xpgcheck[cvc5]'"
        ),
    )
    for name in SOLVERS
]


def only(*values: Value) -> FiniteSet:
    return FiniteSet(frozenset(values))


def span(grid: Grid, low: object, high: object, brackets: str = "[]", missing: bool = False) -> IntervalSet:
    """Return one interval; an end that is None is infinite."""
    ends = [None if end is None else Fraction(end) for end in (low, high)]  # type: ignore[arg-type]
    interval = Interval(ends[0], low is None or brackets[0] == "(", ends[1], high is None or brackets[1] == ")")
    return interval_set(grid, [interval], missing)


def fig1() -> DecisionGraph:
    """Return the paper's Fig. 1, nodes named as there.  Instance (O, L, Y, P) of class T."""
    features = [
        Feature("Age", Categorical(("W", "T", "O"))),
        Feature("Income", Categorical(("L", "M", "H"))),
        Feature("Student", Categorical(("N", "Y"))),
        Feature("Credit Rating", Categorical(("P", "F", "E"))),
    ]
    nodes = {
        1: NonTerminal(2, ((2, only("N")), (3, only("Y")))),
        2: NonTerminal(0, ((4, only("O")), (5, only("W", "T")))),
        3: NonTerminal(3, ((6, only("E")), (7, only("P", "F")))),
        4: Terminal(1),
        5: NonTerminal(1, ((8, only("H")), (9, only("L", "M")))),
        6: Terminal(2),
        7: NonTerminal(0, ((10, only("W", "O")), (11, only("T")))),
        8: NonTerminal(0, ((12, only("T")), (13, only("W")))),
        9: Terminal(0),
        10: Terminal(1),
        11: NonTerminal(1, ((14, only("H")), (15, only("L", "M")))),
        12: Terminal(2),
        13: Terminal(0),
        14: Terminal(1),
        15: Terminal(2),
    }
    return decision_graph("fig1", features, ["N", "T", "L"], nodes, 1)


FIG1_INSTANCE: Point = ("O", "L", "Y", "P")


def fig2() -> DecisionGraph:
    """Return the paper's Fig. 2, nodes named as there.  Instance (0, 1, 2) of class R."""
    features = [Feature("x1", Boolean()), Feature("x2", Boolean()), Feature("x3", Integer(0, 2))]

    def number(value: int) -> IntervalSet:
        return span(Grid.INTEGERS, value, value)

    nodes = {
        1: NonTerminal(2, ((6, number(0)), (2, number(1)), (3, number(2)))),
        2: NonTerminal(1, ((6, only(False)), (4, only(True)))),
        3: NonTerminal(1, ((6, only(False)), (5, only(True)))),
        4: NonTerminal(0, ((6, only(False)), (7, only(True)))),
        5: NonTerminal(0, ((6, only(False)), (8, only(True)))),
        6: Terminal(0),
        7: Terminal(1),
        8: Terminal(2),
    }
    return decision_graph("fig2", features, ["R", "G", "B"], nodes, 1)


FIG2_INSTANCE: Point = (False, True, 2)


def stump(domain: Domain, *parts: ValueSet, name: str = "stump") -> DecisionGraph:
    """Return the graph that tests one feature once: the k-th of *parts* leads to class k mod 2."""
    nodes: dict[int | str, NonTerminal | Terminal] = {
        "root": NonTerminal(0, tuple((k, part) for k, part in enumerate(parts)))
    }
    nodes.update({k: Terminal(k % 2) for k in range(len(parts))})
    return decision_graph(name, [Feature("x", domain)], ["0", "1"], nodes, "root")


def constant() -> DecisionGraph:
    """Return a classifier of one class."""
    return decision_graph("constant", [Feature("x", Boolean()), Feature("y", Integer())], ["c", "d"], {0: Terminal(0)})


def random_domain(rng: random.Random) -> Domain:
    kind = rng.randrange(7)
    if kind == 0:
        return Boolean()
    if kind == 1:
        return Categorical(tuple("abcd"[: rng.randint(1, 4)]))
    if kind == 2:
        return Integer(0, rng.randint(0, 5))
    if kind == 3:
        return Integer(rng.choice((None, -3)), rng.choice((None, 4)))
    if kind == 4:
        bounds = (Fraction(-1), Fraction(2)) if rng.random() < 0.5 else (None, rng.choice((None, Fraction(7, 3))))
        return Real(*bounds, rng.random() < 0.5, rng.random() < 0.5)
    return rng.choice((Float32, Float64))(missing=rng.random() < 0.5)


_DOUBLES = [FLOAT64_RANKS.number_at(r) for r in (-FLOAT64_RANKS.last, -1, 0, 1, 2, 2**62, 2**62 + 1)]
_FLOATS = [number_at(r) for r in (-LAST, -1, 0, 1, 2, 1065353216, 1065353217, LAST)]


def random_value(rng: random.Random, domain: Domain) -> Value:
    """Return a value of *domain*, thresholds and their neighbours first."""
    if isinstance(domain, Boolean):
        return rng.random() < 0.5
    if isinstance(domain, Categorical):
        return rng.choice(domain.values)
    if isinstance(domain, (Float32, Float64)):
        floats = _FLOATS if isinstance(domain, Float32) else _DOUBLES
        return MISSING if domain.missing and rng.random() < 0.3 else rng.choice(floats)
    whole = domain.all_values()
    candidates = [Fraction(k, 3) for k in range(-12, 16)] if isinstance(domain, Real) else list(range(-5, 8))
    return rng.choice([c for c in candidates if c in whole])


def random_split(rng: random.Random, domain: Domain, within: ValueSet) -> list[ValueSet]:
    """Split *within* into one to three non-empty parts."""
    if isinstance(within, FiniteSet):
        names: list[list[Value]] = [[] for _ in range(rng.randint(1, 3))]
        for value in sorted(within.values, key=str):
            rng.choice(names).append(value)
        return [only(*part) for part in names if part]
    parts: list[ValueSet] = [within]
    for _ in range(rng.randint(0, 2)):
        value = random_value(rng, domain)
        if value is MISSING:
            half = IntervalSet(within.grid, (), True)
        else:
            half = span(within.grid, None, value, rng.choice(("[]", "[)")), rng.random() < 0.5 and within.missing)
        parts = [p for part in parts for p in (part.intersection(half), part.difference(half)) if not p.is_empty()]
    if len(parts) > 2 and rng.random() < 0.5:
        parts = [parts[0].union(parts[-1]), *parts[1:-1]]
    return parts


def random_graph(rng: random.Random, features: int = 4, classes: int = 3, depth: int = 4) -> DecisionGraph:
    """Return a random decision graph that satisfies both assumptions, with shared terminals and subgraphs.

    A tree in which each path splits what it has left of a feature, whose equal subtrees are then shared.
    """
    domains = [random_domain(rng) for _ in range(features)]
    nodes: dict[str, NonTerminal | Terminal] = {}
    known: dict[object, str] = {}

    def share(node: NonTerminal | Terminal) -> str:
        return known.setdefault(node, f"q{len(known)}")

    def grow(left: tuple[ValueSet, ...], levels: int) -> str:
        if levels == 0 or rng.random() < 0.15:
            node: NonTerminal | Terminal = Terminal(rng.randrange(classes))
        else:
            i = rng.randrange(features)
            parts = random_split(rng, domains[i], left[i])
            edges = tuple((grow((*left[:i], part, *left[i + 1 :]), levels - 1), part) for part in parts)
            merged: dict[str, ValueSet] = {}
            for child, part in edges:
                merged[child] = merged[child].union(part) if child in merged else part  # type: ignore[arg-type]
            node = NonTerminal(i, tuple(merged.items()))
        name = share(node)
        nodes[name] = node
        return name

    root = grow(tuple(d.all_values() for d in domains), depth)
    reached, stack = {root}, [root]
    while stack:
        node = nodes[stack.pop()]
        for child, _ in node.edges if isinstance(node, NonTerminal) else ():
            if child not in reached:
                reached.add(str(child))
                stack.append(str(child))
    features_ = [Feature(f"x{i}", d) for i, d in enumerate(domains)]
    names = [f"c{k}" for k in range(classes)]
    return decision_graph("random", features_, names, {k: v for k, v in nodes.items() if k in reached}, root)


def random_point(rng: random.Random, graph: DecisionGraph) -> Point:
    return tuple(random_value(rng, feature.domain) for feature in graph.features)
