"""A Hypothesis strategy for cases with constraints: a graph or an ensemble, an instance, and what can occur.

Constraints are clauses, or graphs that part what is left of some features again and again.  Their literals are cells of the
model, several of them, and parts of cells that the model itself cannot tell apart.  The instance can occur.
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from xpgcheck.model.constraint import (
    ALLOWED,
    FORBIDDEN,
    OUTCOMES,
    Constraint,
    constraint_of_clauses,
    constraint_of_graph,
)
from xpgcheck.model.decision_graph import Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import BOTTOM, Cut, FiniteSet, IntervalSet, ValueSet
from xpgcheck.model.values import Point, Value
from xpgcheck.properties.cases import Case, EnsembleCase, case_of
from xpgcheck.properties.ensembles.strategies import ensemble_cases
from xpgcheck.properties.strategies.atoms import below
from xpgcheck.properties.strategies.kinds import DEFAULT_SIZE
from xpgcheck.properties.strategies.points import property_cases
from xpgcheck.properties.subjects import ENSEMBLE_KINDS, GRAPH_KIND

MAX_CLAUSES = 4

MAX_LITERALS = 3

MAX_DEPTH = 3
"""Tests on a path of a graph that says what can occur."""


@st.composite
def constraint_cases(
    draw: st.DrawFn,
    size: int = DEFAULT_SIZE,
    kinds: Sequence[str] = (GRAPH_KIND, *ENSEMBLE_KINDS),
    graph_kinds: Sequence[str] | None = None,
) -> Case | EnsembleCase:
    """Draw a case of one of the *kinds* of models, most of them decision graphs of *graph_kinds*, under a constraint."""
    of_ensembles = [kind for kind in kinds if kind != GRAPH_KIND]
    if of_ensembles and (GRAPH_KIND not in kinds or draw(below(3)) == 2):
        case: Case | EnsembleCase = draw(ensemble_cases(size=min(size, 9), kinds=of_ensembles))
    else:
        case = draw(property_cases(size, graph_kinds))
    return case_of(case.graph, case.instance, case.dice, draw(constraints(case)))


@st.composite
def constraints(draw: st.DrawFn, case: Case | EnsembleCase) -> Constraint:
    """Draw a constraint over the features of *case* that its instance satisfies."""
    features, cells = case.graph.features, case.graph.cells
    pieces = [_pieces(own) for own in cells]
    if draw(below(2)):
        return _graph(draw, case, pieces)
    clauses: list[list[tuple[int, ValueSet]]] = []
    for _ in range(1 + draw(below(MAX_CLAUSES))):
        clause = [_literal(draw, pieces) for _ in range(1 + draw(below(MAX_LITERALS)))]
        if not any(case.instance[feature] in values for feature, values in clause):
            feature = draw(below(len(features)))
            clause.append((feature, _with(pieces[feature], case.instance[feature])))
        clauses.append(clause)
    return constraint_of_clauses(features, clauses)


def _pieces(cells: tuple[ValueSet, ...]) -> list[ValueSet]:
    """Return *cells*, those of numbers cut in two behind a value where that leaves two parts."""
    found: list[ValueSet] = []
    for cell in cells:
        low, high = _cut(cell)
        found += [part for part in (low, high) if not part.is_empty()]
    return found


def _cut(cell: ValueSet) -> tuple[ValueSet, ValueSet]:
    if isinstance(cell, FiniteSet):
        one = FiniteSet(frozenset([cell.representative()]))
        return one, cell.difference(one)
    location = cell.grid.locate(cell.representative())
    if not isinstance(location, tuple):
        return cell, cell.difference(cell)
    step = 1 if cell.grid.name != "DENSE" else 0
    end = Cut(0, location[1] + step, 0 if step else 1)
    below_it = cell.intersection(IntervalSet(cell.grid, (BOTTOM, end)))
    return below_it, cell.difference(below_it)


def _literal(draw: st.DrawFn, pieces: list[list[ValueSet]]) -> tuple[int, ValueSet]:
    feature = draw(below(len(pieces)))
    own = pieces[feature]
    values = own[draw(below(len(own)))]
    for _ in range(draw(below(3))):
        values = values.union(own[draw(below(len(own)))])
    return feature, values


def _with(pieces: list[ValueSet], value: Value) -> ValueSet:
    return next(piece for piece in pieces if value in piece)


def _graph(draw: st.DrawFn, case: Case | EnsembleCase, pieces: list[list[ValueSet]]) -> Constraint:
    """Draw a tree with shared terminals whose every test parts what its path leaves of a feature."""
    nodes: dict[NodeId, Node] = {FORBIDDEN: Terminal(FORBIDDEN), ALLOWED: Terminal(ALLOWED)}

    def grown(left: dict[int, list[ValueSet]], depth: int, *, own: bool) -> NodeId:
        if depth:
            feature = draw(below(len(pieces)))
            inside = left.get(feature, pieces[feature])
            if len(inside) > 1:
                first = 1 + draw(below(len(inside) - 1))
                start = draw(below(len(inside)))
                turned = inside[start:] + inside[:start]
                parts = turned[:first], turned[first:]
                holds = [own and any(case.instance[feature] in piece for piece in part) for part in parts]
                made = [
                    (grown({**left, feature: part}, depth - 1, own=held), _union(part))
                    for part, held in zip(parts, holds, strict=True)
                ]
                if made[0][0] != made[1][0]:
                    name = len(nodes)
                    nodes[name] = NonTerminal(feature, tuple(made))
                    return name
                return made[0][0]
        return ALLOWED if own else draw(below(2))

    root = grown({}, MAX_DEPTH, own=True)
    reached: dict[NodeId, Node] = {}
    waiting = [root]
    while waiting:
        key = waiting.pop()
        if key not in reached:
            node = reached[key] = nodes[key]
            waiting += [child for child, _ in node.edges] if isinstance(node, NonTerminal) else []
    return constraint_of_graph(decision_graph("constraints", case.graph.features, OUTCOMES, reached, root))


def _union(parts: Sequence[ValueSet]) -> ValueSet:
    united = parts[0]
    for part in parts[1:]:
        united = united.union(part)
    return united


def model_kinds(case: Case | EnsembleCase) -> str:
    """Return what kind of model *case* is about, for tallies."""
    return "ensemble" if isinstance(case.graph, Ensemble) else "graph"


def changed_at(point: Point, instance: Point) -> frozenset[int]:
    """Return the features on which *point* differs from *instance*."""
    return frozenset(i for i, (own, value) in enumerate(zip(instance, point, strict=True)) if own != value)
