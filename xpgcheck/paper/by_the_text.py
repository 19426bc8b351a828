"""Laws that follow the text of the paper on one decision graph and one instance: definitions, σ, and loops step by step.

``Methods`` is what is under test: tests put wrong ones in its place, and each law has to see that.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from xpgcheck.errors import ModelError
from xpgcheck.model.assumptions import InconsistentPathError, UncoveredError
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Categorical, Feature
from xpgcheck.model.graph_errors import NodeId, OverlapError
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.model.values import Point
from xpgcheck.paper.bounded.code import Code
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.explanation_graph import ExplanationGraph
from xpgcheck.xpg.xps import Kind

MAX_TERMS = 6
"""Variables up to which all terms are gone through: 3⁶."""


@dataclass(frozen=True, slots=True)
class TextLaw:
    """A law: ``problem`` returns what contradicts it, "" where nothing does; ``takes`` says of which graphs it speaks."""

    statement: str
    problem: Callable[[Code, DecisionGraph, Point], str]
    limit: str = "embedded models"
    takes: Callable[[DecisionGraph], bool] = lambda graph: True
    graph_alone: bool = False
    what: str = "models"


def mapping(code: Code, graph: DecisionGraph, point: Point) -> str:
    """Definition 3 and the mapping: labels by literals and classes, and its properties (i) and (ii)."""
    xpg, predicted = code.explanation_graph(graph, point), graph.kappa(point)
    if xpg.variable_of != graph.feature_of:
        return "a node has another variable than its feature's"
    for node in range(graph.node_count):
        name = graph.node_ids[node]
        if graph.is_terminal(node):
            if bool(xpg.is_zero[node]) != (graph.class_of[node] != predicted):
                return f"terminal {name} has the wrong label"
            continue
        labels = {child: point[graph.feature_of[node]] in values for child, values in graph.edges(node)}
        ones = {child for child, one in labels.items() if one}
        if len(ones) > 1:
            return f"{len(ones)} edges of node {name} are labelled 1"
        if {xpg.one_child[node]} - {-1} != ones or set(xpg.zero_children[node]) != labels.keys() - ones:
            return f"an edge of node {name} has the wrong label"
    node = 0
    while xpg.variable_of[node] >= 0 and xpg.one_child[node] >= 0:
        node = xpg.one_child[node]
    if xpg.variable_of[node] >= 0 or xpg.is_zero[node]:
        return "edges labelled 1 lead to no terminal labelled 1"
    return ""


def _active(xpg: ExplanationGraph, fixed: frozenset[int]) -> list[bool]:
    """Return ε by Eq. 3, parent by parent, looking at no terminal labelled 1."""
    parents: list[list[tuple[int, bool]]] = [[] for _ in range(xpg.node_count)]
    for node, variable in enumerate(xpg.variable_of):
        if variable >= 0:
            for child in xpg.zero_children[node]:
                parents[child].append((node, False))
            if xpg.one_child[node] >= 0:
                parents[xpg.one_child[node]].append((node, True))
    active = [True]
    for node in range(1, xpg.node_count):
        if xpg.variable_of[node] < 0 and not xpg.is_zero[node]:
            active.append(False)
            continue
        active.append(any(active[p] and (one or xpg.variable_of[p] not in fixed) for p, one in parents[node]))
    return active


def some_sets(variables: int) -> Iterator[frozenset[int]]:
    """Yield all sets of few variables; of many ∅, all, each variable, each rest, and those that are first."""
    everything = frozenset(range(variables))
    if variables <= MAX_TERMS:
        for size in range(variables + 1):
            yield from map(frozenset, itertools.combinations(everything, size))
        return
    for k in range(variables):
        yield from (frozenset({k}), everything - {k}, frozenset(range(k)))
    yield everything


def oblivious(code: Code, graph: DecisionGraph, point: Point) -> str:
    """Eq. 3 and 4: σ is what they say where nobody looks at terminals labelled 1."""
    xpg = code.explanation_graph(graph, point)
    for fixed in some_sets(len(graph.features)):
        active = _active(xpg, fixed)
        wanted = not any(active[node] for node in range(xpg.node_count) if xpg.is_zero[node])
        if code.sigma(xpg, fixed) != wanted:
            return f"σ is {int(not wanted)} and not {int(wanted)} where {sorted(i + 1 for i in fixed)} are fixed"
    return ""


def ends(code: Code, graph: DecisionGraph, point: Point) -> str:
    """σ(1, …, 1) = 1, and σ(0, …, 0) = 0 exactly if some terminal is labelled 0."""
    xpg = code.explanation_graph(graph, point)
    if not code.sigma(xpg, range(len(graph.features))):
        return "σ(1, …, 1) = 0"
    zero = any(xpg.is_zero)
    return "" if code.sigma(xpg, ()) != zero else f"σ(0, …, 0) = {int(zero)}, {'a' if zero else 'no'} terminal is 0"


def positive(code: Code, graph: DecisionGraph, point: Point) -> str:
    """The prime implicants of σ among all terms, negative literals too, are the AXps as conjunctions of s_i."""
    xpg, m = code.explanation_graph(graph, point), len(graph.features)
    table = {s: code.sigma(xpg, s) for s in some_sets(m)}
    implicants = set()
    for signs in itertools.product((0, 1, 2), repeat=m):
        ones = frozenset(i for i, sign in enumerate(signs) if sign == 1)
        zeros = frozenset(i for i, sign in enumerate(signs) if sign == 0)
        if all(value for s, value in table.items() if ones <= s and not zeros & s):
            implicants.add((ones, zeros))
    prime = {
        (ones, zeros)
        for ones, zeros in implicants
        if not any((ones - {i}, zeros - {i}) in implicants for i in ones | zeros)
    }
    negative = next((zeros for _, zeros in prime if zeros), None)
    if negative is not None:
        return f"a prime implicant has ¬s{min(negative) + 1}"
    axps = {xp.features for xp in enumerate_xps(xpg) if xp.kind is Kind.AXP}
    return "" if {ones for ones, _ in prime} == axps else "the prime implicants are not the AXps"


def invariant_2(code: Code, graph: DecisionGraph, point: Point) -> str:
    """Algorithm 2 as printed: before and after each step no path leads to 0 where S ∖ A is free."""
    xpg = code.explanation_graph(graph, point)
    everything = frozenset(range(len(graph.features)))
    a = everything
    for i in sorted(everything):
        if not code.path_to_zero(xpg, everything - (a - {i})):
            a -= {i}
        if not code.sigma(xpg, a):
            return f"after feature {i + 1}, {sorted(k + 1 for k in a)} no longer suffice"
    needless = [i for i in a if code.sigma(xpg, a - {i})]
    return f"feature {needless[0] + 1} is not needed at the end" if needless else ""


def invariant_3(code: Code, graph: DecisionGraph, point: Point) -> str:
    """Algorithm 3 as printed: before and after every step there is a path that leads to 0 where C is free."""
    xpg = code.explanation_graph(graph, point)
    everything = frozenset(range(len(graph.features)))
    c = everything
    for i in sorted(everything):
        if code.path_to_zero(xpg, c - {i}):
            c -= {i}
        if code.sigma(xpg, everything - c):
            return f"after feature {i + 1}, {sorted(k + 1 for k in c)} can no longer change the class"
    needless = [i for i in c if not code.sigma(xpg, everything - (c - {i}))]
    return f"feature {needless[0] + 1} is not needed at the end" if needless else ""


def represented(code: Code, graph: DecisionGraph, _: Point) -> str:
    """Trees and diagrams are decision graphs: both assumptions hold; what is no tree here is a diagram, read once."""
    try:
        code.check_assumptions(graph)
    except ModelError as error:
        return str(error)
    return "" if graph.is_tree() or graph.shape.read_once else "a diagram tests a feature twice on a path"


Part = tuple[str, Sequence[tuple[str, str]]]
FAULTY: dict[str, tuple[dict[str, Part | str], type[Exception]]] = {
    "a dead end": ({"1": ("x", [("2", "a"), ("3", "b")]), "2": "yes", "3": "no"}, UncoveredError),
    "an inconsistent path": (
        {
            "1": ("x", [("2", "a"), ("3", "bc")]),
            "2": ("x", [("4", "a"), ("5", "bc")]),
            "3": "no",
            "4": "yes",
            "5": "no",
        },
        InconsistentPathError,
    ),
    "two edges that both hold": ({"1": ("x", [("2", "ab"), ("3", "bc")]), "2": "yes", "3": "no"}, OverlapError),
}
"""Small trees over x ∈ {a, b, c} that break an assumption, and how each is refused."""


def refused(code: Code, _: DecisionGraph, __: Point) -> str:
    """Trees with a dead end, an inconsistent path, or overlapping edges are told apart from decision graphs."""
    features = [Feature("x", Categorical(("a", "b", "c")))]
    for name, (parts, kind) in FAULTY.items():
        nodes: dict[NodeId, Node] = {
            key: Terminal(("yes", "no").index(part))
            if isinstance(part, str)
            else NonTerminal(0, tuple((child, FiniteSet(frozenset(values))) for child, values in part[1]))
            for key, part in parts.items()
        }
        try:
            code.check_assumptions(decision_graph(name, features, ("yes", "no"), nodes))
        except kind:
            continue
        except ModelError as error:
            return f"a tree with {name} is refused as {type(error).__name__}"
        return f"a tree with {name} is accepted"
    return ""


def few(graph: DecisionGraph) -> bool:
    """Tell whether all terms over the features can be gone through."""
    return len(graph.features) <= MAX_TERMS


LAWS: dict[str, TextLaw] = {
    "mapping": TextLaw("labels read off literals and classes", mapping),
    "1-terminals": TextLaw("σ by Eq. 3 and 4, no terminal labelled 1 looked at", oblivious),
    "ends of σ": TextLaw("σ at (1, …, 1) and (0, …, 0)", ends),
    "positive PIs": TextLaw(
        "prime implicants among all 3ᵐ terms", positive, f"models of at most {MAX_TERMS} features", few
    ),
    "invariant of Algorithm 2": TextLaw("σ after each step of Algorithm 2", invariant_2),
    "invariant of Algorithm 3": TextLaw(
        "σ after each step of Algorithm 3", invariant_3, takes=lambda graph: len(set(graph.class_of) - {-1}) > 1
    ),
    "represented": TextLaw("both assumptions, and diagrams read once", represented, graph_alone=True),
    "refused": TextLaw(
        "trees that break an assumption are refused by name",
        refused,
        "small trees made for it; that published trees have such faults is what the paper cites",
        lambda graph: graph.name == "hardware",
        graph_alone=True,
        what="set of three such trees",
    ),
}
"""The laws, by a short name."""
