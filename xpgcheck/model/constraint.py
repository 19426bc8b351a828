"""Constraints: which points of feature space can occur, as background knowledge next to a classifier.

A constraint C is a list of clauses over literals, all of which have to hold, or a decision graph of two classes, forbidden
and allowed.  It says nothing of classes: a classifier answers at points that cannot occur, too, and what it answers there
is of no interest: see ``docs/reference/constraints.md``.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from xpgcheck.errors import InputError, InstanceError, ModelError, shown
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.cells import cells
from xpgcheck.model.decision_graph import DecisionGraph, Literal, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Feature
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.graph_errors import NodeId, path_text
from xpgcheck.model.literals import write_literal
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point

FORBIDDEN, ALLOWED = 0, 1
"""The classes of a decision graph that is a constraint, by their indices."""

OUTCOMES = ("forbidden", "allowed")
"""The names of those classes."""

MAX_STEPS = 200_000
"""Steps of the search for a point that satisfies clauses; beyond, it stays open whether there is one."""


class Clause(NamedTuple):
    """A clause: some of its literals, each on another feature, has to hold.  ``name``, which may be empty, says why."""

    literals: tuple[Literal, ...]
    name: str = ""

    def holds(self, point: Point) -> bool:
        """Tell whether some literal holds at *point*."""
        return any(point[feature] in values for feature, values in self.literals)


class ImpossibleError(ModelError):
    """A constraint that no point satisfies.  ``clauses`` are the positions of some that are in conflict, none needless."""

    def __init__(self, problem: str, clauses: tuple[int, ...] = (), *, mend: str) -> None:
        super().__init__(problem, mend=mend)
        self.clauses = clauses


class BrokenError(InstanceError):
    """An instance that a constraint forbids.  ``clause`` is the position of a clause that it breaks, −1 of a graph."""

    def __init__(self, problem: str, clause: int, *, mend: str) -> None:
        super().__init__(problem, mend=mend)
        self.clause = clause


@dataclass(frozen=True, slots=True)
class Constraint:
    """The points that can occur, over ``features``: every clause holds there, and ``graph`` allows them, if there is one.

    Made by :func:`constraint_of_clauses` and :func:`constraint_of_graph`, which validate.
    """

    features: tuple[Feature, ...]
    clauses: tuple[Clause, ...] = ()
    graph: DecisionGraph | None = None

    def allows(self, point: Point) -> bool:
        """Tell whether *point* can occur.  O(literals), or the depth of the graph."""
        if self.graph is not None and self.graph.kappa(point) != ALLOWED:
            return False
        return all(clause.holds(point) for clause in self.clauses)

    def literals(self) -> Iterator[Literal]:
        """Yield the literals of the constraint."""
        for clause in self.clauses:
            yield from clause.literals
        if self.graph is not None:
            yield from self.graph.literals

    def cells_with(self, classifier: DecisionGraph | Ensemble) -> tuple[tuple[ValueSet, ...], ...]:
        """Return the parts of each feature's domain that neither *classifier* nor the constraint can tell apart."""
        sets: list[dict[ValueSet, None]] = [{} for _ in self.features]
        graphs = classifier.trees if isinstance(classifier, Ensemble) else (classifier,)
        for feature, values in itertools.chain(*(graph.literals for graph in graphs), self.literals()):
            sets[feature][values] = None
        pairs = zip(self.features, sets, strict=True)
        return tuple([cells(feature.domain.all_values(), list(own)).cells for feature, own in pairs])

    def clause_graph(self, position: int) -> DecisionGraph:
        """Return a clause as a decision graph of the classes of constraints: where a literal fails, the next is tested."""
        nodes: dict[NodeId, Node] = {"allowed": Terminal(ALLOWED)}
        for k, (feature, values) in enumerate(self.clauses[position].literals):
            rest = self.features[feature].domain.all_values().difference(values)
            if rest.is_empty():
                nodes[k] = NonTerminal(feature, (("allowed", values),))
                break
            nodes[k] = NonTerminal(feature, (("allowed", values), (k + 1, rest)))
        else:
            nodes[len(nodes) - 1] = Terminal(FORBIDDEN)
        return decision_graph("clause", self.features, OUTCOMES, nodes, 0)

    def require(self, point: Point) -> None:
        """Raise ``BrokenError``, with the clause or the path, where *point* cannot occur."""
        for position, clause in enumerate(self.clauses):
            if not clause.holds(point):
                problem = f"the instance breaks the constraint: {self.clause_text(position)} does not hold"
                raise BrokenError(problem, position, mend=_OCCURS)
        if self.graph is not None and self.graph.kappa(point) != ALLOWED:
            walked = path_text([self.graph.node_ids[node] for node in _walk(self.graph, point)])
            problem = f"the instance breaks the constraint: it takes the path {walked} to 'forbidden'"
            raise BrokenError(problem, -1, mend=_OCCURS)

    def clause_text(self, position: int) -> str:
        """Return a clause for a message: its number from 1, its name, and its literals."""
        clause = self.clauses[position]
        literals = " or ".join(f"{self.features[i].name} in {values}" for i, values in clause.literals)
        return f"clause {position + 1}{f' {shown(clause.name)}' if clause.name else ''} ({shown(literals)[1:-1]})"

    @property
    def digest(self) -> str:
        """Hash of the constraint: SHA-256 of the features' names, the clauses without names, and the graph."""
        named = [feature.name for feature in self.features]
        clauses = [
            [[named[i], write_literal(self.features[i].domain, values)] for i, values in clause.literals]
            for clause in self.clauses
        ]
        text = json.dumps([named, clauses, self._nodes()], ensure_ascii=False, separators=(",", ":"))
        # It is of use for few, and slow to import.
        import hashlib

        return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def _nodes(self) -> list[object] | None:
        if self.graph is None:
            return None
        graph = self.graph
        return [
            graph.class_of[node]
            if graph.is_terminal(node)
            else [
                graph.feature_of[node],
                [
                    [edge.child, write_literal(graph.features[graph.feature_of[node]].domain, edge.values)]
                    for edge in graph.edges(node)
                ],
            ]
            for node in range(graph.node_count)
        ]

    def __repr__(self) -> str:
        what = f"{len(self.clauses)} clauses" if self.graph is None else f"a graph of {self.graph.node_count} nodes"
        return f"<Constraint: {what}>"


_OCCURS = "explain an instance that can occur, or correct the constraint"


def _walk(graph: DecisionGraph, point: Point) -> list[int]:
    nodes = [0]
    while not graph.is_terminal(nodes[-1]):
        nodes.append(
            next(edge.child for edge in graph.edges(nodes[-1]) if point[graph.feature_of[nodes[-1]]] in edge.values)
        )
    return nodes


def constraint_of_clauses(
    features: Sequence[Feature], clauses: Iterable[Iterable[tuple[int, ValueSet]]], names: Sequence[str] = ()
) -> Constraint:
    """Return the constraint that all of *clauses* hold, each a list of (feature, values); *names* are of the clauses.

    Literals of one feature in a clause become one.  Raises ``InputError`` where a feature does not exist or a literal holds
    nowhere in its domain, and ``ImpossibleError`` where no point satisfies all of them.  Whether one does is searched for
    within ``MAX_STEPS``; what stays open is not refused.
    """
    made = []
    for position, literals in enumerate(clauses):
        place = f"clause {position + 1}"
        made.append(Clause(_literals(features, literals, place), names[position] if names else ""))
    constraint = Constraint(tuple(features), tuple(made))
    _require_possible(constraint)
    return constraint


def _literals(features: Sequence[Feature], literals: Iterable[tuple[int, ValueSet]], place: str) -> tuple[Literal, ...]:
    united: dict[int, ValueSet] = {}
    for feature, values in literals:
        if not 0 <= feature < len(features):
            raise InputError(f"there is no feature {feature}", place=place, mend="name a feature of the model")
        own = values.intersection(features[feature].domain.all_values())
        if own.is_empty():
            name = shown(features[feature].name)
            problem = f"no value of feature {name} is in {shown(values)}"
            raise InputError(problem, place=place, mend="leave that literal out, or correct its values")
        united[feature] = united[feature].union(own) if feature in united else own
    if not united:
        raise InputError("it has no literals, so that nothing satisfies it", place=place, mend="give it a literal")
    return tuple(Literal(feature, values) for feature, values in sorted(united.items(), key=lambda pair: pair[0]))


def constraint_of_graph(graph: DecisionGraph, features: Sequence[Feature] | None = None) -> Constraint:
    """Return the constraint that *graph* allows a point: its classes are 'allowed' and 'forbidden', in any order.

    *features* are those of the model, which have to be those of the graph, in any order.  Raises ``ModelError`` where
    features or classes are others, or a literal breaks the assumptions on decision graphs, and ``ImpossibleError`` where
    the graph allows nothing.
    """
    if not {*graph.classes} <= {*OUTCOMES}:
        other = next(name for name in graph.classes if name not in OUTCOMES)
        problem = f"the constraint has the class {shown(other)}"
        raise ModelError(problem, mend="call its classes 'allowed' and 'forbidden'")
    check_assumptions(graph)
    graph = _over(graph, tuple(features) if features is not None else graph.features)
    place = [OUTCOMES.index(name) for name in graph.classes]
    outcomes = tuple([-1 if k < 0 else place[k] for k in graph.class_of])
    graph = replace(graph, classes=OUTCOMES, class_of=outcomes)
    if ALLOWED not in outcomes:
        problem = "the constraint allows nothing: no path leads to 'allowed'"
        raise ImpossibleError(problem, mend="let a terminal be of class 'allowed'")
    return Constraint(graph.features, (), graph)


def _over(graph: DecisionGraph, features: tuple[Feature, ...]) -> DecisionGraph:
    """Return *graph* over *features*, which are its own in another order."""
    if graph.features == features:
        return graph
    own = {feature.name: k for k, feature in enumerate(graph.features)}
    for feature in features:
        if feature.name not in own:
            problem = f"the constraint has no feature {shown(feature.name)}"
            raise ModelError(problem, mend="declare the features of the model in it")
        found = graph.features[own[feature.name]]
        if found.domain.all_values() != feature.domain.all_values():
            problem = (
                f"feature {shown(feature.name)} has the domain {found.domain} there, and {feature.domain} in the model"
            )
            raise ModelError(problem, mend="declare the features of the model in the constraint")
    if len(features) != len(graph.features):
        other = next(feature.name for feature in graph.features if feature.name not in {f.name for f in features})
        raise ModelError(f"the model has no feature {shown(other)}", mend="leave it out of the constraint")
    number = [own[feature.name] for feature in features]
    to = {k: position for position, k in enumerate(number)}
    return replace(
        graph,
        features=features,
        feature_of=tuple([-1 if k < 0 else to[k] for k in graph.feature_of]),
        literals=tuple([Literal(to[literal.feature], literal.values) for literal in graph.literals]),
        cells=tuple([graph.cells[k] for k in number]),
    )


def _require_possible(constraint: Constraint) -> None:
    """Raise ``ImpossibleError`` with clauses in conflict, no needless one among them, where no point satisfies all."""
    clauses = [dict(clause.literals) for clause in constraint.clauses]
    if _satisfiable(constraint.features, clauses) is not False:
        return
    kept = list(range(len(clauses)))
    for position in range(len(clauses)):
        rest = [k for k in kept if k != position]
        if _satisfiable(constraint.features, [clauses[k] for k in rest]) is False:
            kept = rest
    texts = "; ".join(constraint.clause_text(k) for k in kept)
    problem = f"nothing satisfies the constraint: {len(kept)} clauses are in conflict, {texts}"
    raise ImpossibleError(problem, tuple(kept), mend="correct or remove one of them")


def _satisfiable(features: Sequence[Feature], clauses: Sequence[Mapping[int, ValueSet]]) -> bool | None:
    """Tell whether some point satisfies all *clauses*; None after ``MAX_STEPS``.

    Depth first: the clause with the fewest literals that can still hold is made to hold by one after the other.
    """
    stack: list[dict[int, ValueSet]] = [{}]
    for _ in range(MAX_STEPS):
        if not stack:
            return False
        left = stack.pop()
        open_clauses = []
        for clause in clauses:
            live = _live(clause, left)
            if live is not None:
                open_clauses.append(live)
        if not open_clauses:
            return True
        excluded = dict(left)
        for feature, values in min(open_clauses, key=len):
            before = excluded.get(feature, features[feature].domain.all_values())
            inside = before.intersection(values)
            if not inside.is_empty():
                stack.append({**excluded, feature: inside})
            excluded[feature] = before.difference(values)
            if excluded[feature].is_empty():
                break
    return None


def _live(clause: Mapping[int, ValueSet], left: Mapping[int, ValueSet]) -> list[tuple[int, ValueSet]] | None:
    """Return the literals of *clause* that can hold where *left* is left of features; None where it holds anyway."""
    live = []
    for feature, values in clause.items():
        if feature in left:
            if left[feature].difference(values).is_empty():
                return None
            if left[feature].intersection(values).is_empty():
                continue
        live.append((feature, values))
    return live


def require_features(constraint: Constraint, features: Sequence[Feature]) -> None:
    """Raise ``ModelError`` where *constraint* is not over *features*, those of a model."""
    if constraint.features != tuple(features):
        raise ModelError("the constraint is not over the features of the model", mend="read it with that model")


@dataclass(frozen=True, slots=True, eq=False)
class ConstrainedModel:
    """A decision graph or an ensemble and what can occur: what a subject is asked about that explains under constraints.

    It is the classifier ``model``, of which only the points that ``constraint`` allows count.
    """

    model: DecisionGraph | Ensemble
    constraint: Constraint

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features of the model."""
        return self.model.features

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of the model."""
        return self.model.classes

    @property
    def cells(self) -> tuple[tuple[ValueSet, ...], ...]:
        """The parts of each feature's domain that the model cannot tell apart; the constraint may."""
        return self.model.cells

    @property
    def node_count(self) -> int:
        """The number of nodes of the model."""
        return self.model.node_count

    def kappa(self, point: Point) -> int:
        """Return κ(*point*), whether or not it can occur."""
        return self.model.kappa(point)
