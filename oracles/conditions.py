"""Explanations over *conditions*: what the two-way tests of a classifier's graphs are, and the classifier over them.

A condition is a two-way test, a feature i and a set E: at a point x it is true where x_i ∈ E.  Two tests whose sets are
each other's complement in the domain are one condition.  The instance v fixes how each condition comes out; an
explanation is then a set 𝒳 of conditions, and there are two notions of what fixing them leaves open:

*conditions*
    Conditions are independent Boolean variables.  Eq. 1 and Eq. 2 are those of :func:`over_conditions` at
    :func:`conditions_at`, and every oracle of such models applies to it as it is.  Some assignments, such as x ≤ 3
    without x ≤ 5, come from no point of feature space.

*conditions with theory*
    The domains link conditions of one feature.  𝒳 is a weak AXp iff every point of feature space at which the conditions
    in 𝒳 come out as at v has v's class; 𝒴 is a weak CXp iff some point that agrees with v on all conditions but 𝒴 has
    another one.  These points are a *box*, a product of one set per feature (:mod:`xpgcheck.oracles.box_closed_set`).

A weak AXp over independent conditions is one with theory too, so an AXp of the first notion can be redundant in the second.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from xpgcheck.errors import InputError, ModelError, XpgcheckError, shown
from xpgcheck.model.classifier import Classifier
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Domain, Feature, Float32, Float64
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.ensemble import ensemble as make_ensemble
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.literals import write_literal
from xpgcheck.model.value_sets import FiniteSet, Interval, ValueSet, number_text, value_text
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import replay


@dataclass(frozen=True, slots=True)
class Condition:
    """A two-way test: true at a point whose value of ``feature`` (an index) is in ``values``."""

    feature: int
    values: ValueSet

    def holds(self, point: Point) -> bool:
        """Tell whether the condition is true at *point*."""
        return point[self.feature] in self.values


class NotTwoWayError(ModelError):
    """The non-terminal ``node`` is no two-way test of ``feature``, so that the graph has no conditions.

    ``uncovered`` are the values of the domain that are in neither of its two literals, None where it has not two edges.
    """

    def __init__(self, problem: str, node: NodeId, feature: int, uncovered: ValueSet | None, *, mend: str) -> None:
        super().__init__(problem, place=f"node {shown(node)}", mend=mend)
        self.node = node
        self.feature = feature
        self.uncovered = uncovered


def conditions_of(model: Classifier) -> tuple[Condition, ...]:
    """Return the distinct conditions of *model*, in the order in which its nodes, the root first, test them.

    Those of an ensemble are those of its trees, one tree after the other; trees that test the same share the condition.

    A condition's ``values`` are those of the first edge of the first node that tests it, as they are written there: they may
    reach beyond the domain, within which tests are compared.

    Raises ``NotTwoWayError`` where a non-terminal has not two edges (parallel ones are one), or two whose literals are no
    complements in the domain.  The second happens where literals cover only what paths leave open: of ``x ∈ {a}`` and
    ``x ∈ {b}`` below ``x ∈ {a, b}``, either could be the condition, with the other as its opposite; the two choices come out
    differently for c and give unlike explanations, so none is made.

    O(nodes), and a few set operations for each distinct pair of literals.
    """
    return _analysed(model)[0]


def conditions_at(conditions: Iterable[Condition], point: Point) -> Point:
    """Return which of *conditions* are true at *point*: the instance of :func:`over_conditions`."""
    return tuple(condition.holds(point) for condition in conditions)


def literals_at(model: Classifier, point: Point) -> tuple[str, ...]:
    """Return the text of each condition as it comes out at *point*: of its set, or of the rest of the domain.

    No two are alike.  Raises what :func:`conditions_of` does.
    """
    held = []
    for condition in conditions_of(model):
        whole = model.features[condition.feature].domain.all_values()
        side = whole.intersection if condition.holds(point) else whole.difference
        held.append(Condition(condition.feature, side(condition.values)))
    return tuple(_names(model, held))


def condition_graph(graph: DecisionGraph) -> DecisionGraph:
    """Return *graph* over its conditions: one Boolean feature a condition, named by the condition's text.

    Nodes, their numbers and names, terminals and classes are those of *graph*; an edge holds where the condition is true,
    or where it is false.  So κ(:func:`conditions_at` (x)) there is κ(x) here.  It satisfies both assumptions where *graph*
    does: (i) as both truth values have an edge; (ii) as no path tests a condition twice, for one of the two outcomes would
    leave the path inconsistent in *graph*.  A graph without non-terminals has no conditions: one feature that nothing
    tests then stands for them, for a decision graph has features.

    Raises what :func:`conditions_of` does.  O(edges).
    """
    conditions, (tests,) = _analysed(graph)
    return _tree_over(graph, f"{graph.name}, over conditions", _condition_features(graph, conditions), tests)


def condition_ensemble(ensemble: Ensemble) -> Ensemble:
    """Return *ensemble* over the conditions of all its trees: each is its :func:`condition_graph`, and the rule is the same.

    Raises what :func:`conditions_of` does.  O(edges).
    """
    conditions, tests = _analysed(ensemble)
    features = _condition_features(ensemble, conditions)
    trees = [_tree_over(tree, tree.name, features, own) for tree, own in zip(ensemble.trees, tests, strict=True)]
    name = f"{ensemble.name}, over conditions"
    return make_ensemble(name, features, ensemble.classes, trees, ensemble.rule, ensemble.outputs)


def over_conditions(model: Classifier) -> DecisionGraph | Ensemble:
    """Return :func:`condition_graph` of a decision graph, :func:`condition_ensemble` of an ensemble."""
    if isinstance(model, Ensemble):
        return condition_ensemble(model)
    assert isinstance(model, DecisionGraph)
    return condition_graph(model)


def _condition_features(model: Classifier, conditions: Sequence[Condition]) -> list[Feature]:
    return [Feature(name, Boolean()) for name in _names(model, conditions) or ["no condition"]]


def _tree_over(
    graph: DecisionGraph, name: str, features: Sequence[Feature], tests: Sequence[_Test | None]
) -> DecisionGraph:
    nodes: dict[NodeId, NonTerminal | Terminal] = {}
    for node, (key, test) in enumerate(zip(graph.node_ids, tests, strict=True)):
        if test is None:
            nodes[key] = Terminal(graph.class_of[node])
            continue
        condition, first_is_true = test
        literals = (_TRUE, _FALSE) if first_is_true else (_FALSE, _TRUE)
        children = [graph.node_ids[child] for child in graph.children[node]]
        nodes[key] = NonTerminal(condition, tuple(zip(children, literals, strict=True)))
    return decision_graph(name, features, graph.classes, nodes, graph.node_ids[0])


_TRUE, _FALSE = FiniteSet(frozenset((True,))), FiniteSet(frozenset((False,)))


def project(graph: Classifier, conditions: Sequence[Condition], members: Collection[int]) -> frozenset[int]:
    """Return the features (indices) that the conditions *members* (indices into *conditions*) are about.

    Under both notions, the features of a weak AXp (CXp) over conditions are a weak AXp (CXp) over features: who fixes a
    feature fixes its conditions; and a path of another class, which is consistent, can be reached by changing the
    features of those of its conditions that come out otherwise at v.  Minimal sets need not stay minimal.

    Raises ``InputError`` on an index that is no condition.
    """
    for i in members:
        if type(i) is not int or not 0 <= i < len(conditions):
            mend = f"the model {shown(graph.name)} has {len(conditions)} conditions; name them by index from 0"
            raise InputError(f"there is no condition {shown(repr(i))}", mend=mend)
    return frozenset(conditions[i].feature for i in members)


def replay_on_conditions(
    graph: Classifier,
    conditions: Sequence[Condition],
    instance: Point,
    fixed: Iterable[int],
    witness: Point,
    own_class: int | None = None,
) -> str | None:
    """Return what is wrong with *witness* as evidence of ``changeable(fixed)`` with theory, or None where it proves it.

    Exact, by the definition: the witness is a point of *graph*'s feature space, each condition in *fixed* comes out at it as
    at *instance*, and it has another class.  *own_class* is κ(*instance*), for callers that have it.  O(m + depth).
    """
    problem = replay(graph, instance, (), witness, own_class)
    if problem is not None:
        return problem
    for i in fixed:
        if conditions[i].holds(witness) is not conditions[i].holds(instance):
            return f"the witness differs from the instance on the fixed condition {i}"
    return None


_Test = tuple[int, bool]
"""The test of a non-terminal: the index of its condition, and whether the condition is true on the first edge."""


def _analysed(model: Classifier) -> tuple[tuple[Condition, ...], list[list[_Test | None]]]:
    """Return the conditions, and of each tree, of each of its nodes the test (None of a terminal)."""
    conditions: list[Condition] = []
    known: dict[tuple[int, ValueSet], _Test] = {}
    if not isinstance(model, Ensemble):
        assert isinstance(model, DecisionGraph)
        tests = [_tests_of(model, conditions, known)]
        return tuple(conditions), tests
    of_trees = [_tests_of(tree, conditions, known, f"tree {number}") for number, tree in enumerate(model.trees)]
    return tuple(conditions), of_trees


def _tests_of(
    graph: DecisionGraph, conditions: list[Condition], known: dict[tuple[int, ValueSet], _Test], place: str = ""
) -> list[_Test | None]:
    """Return of each node of *graph* its test; conditions that are new are added to *conditions* and *known*.

    *place* is where *graph* stands, for errors.
    """
    by_literals: dict[tuple[int, ...], _Test] = {}
    tests: list[_Test | None] = []
    for node, ids in enumerate(graph.literal_ids):
        if graph.is_terminal(node):
            tests.append(None)
            continue
        if ids not in by_literals:
            feature = graph.feature_of[node]
            first, second = _sides(graph, node, place)
            if (feature, first) not in known:
                known[feature, first] = len(conditions), True
                known[feature, second] = len(conditions), False
                conditions.append(Condition(feature, graph.literals[ids[0]].values))
            by_literals[ids] = known[feature, first]
        tests.append(by_literals[ids])
    return tests


def _sides(graph: DecisionGraph, node: int, place: str) -> tuple[ValueSet, ValueSet]:
    """Return the two literals of *node* within the domain, which they must share out; else *place* stands in the error."""
    name, feature = graph.node_ids[node], graph.feature_of[node]
    what = shown(graph.features[feature].name)
    edges = graph.edges(node)
    if len(edges) != 2:
        problem = f"its test of feature {what} has {len(edges)} {'edge' if len(edges) == 1 else 'edges'}"
        mend = "write a node of one edge as its child" if len(edges) == 1 else "split it into tests of two edges"
        raise _at(place, NotTwoWayError(f"{problem}, and a condition has two", name, feature, None, mend=mend))
    whole = graph.features[feature].domain.all_values()
    first, second = (whole.intersection(edge.values) for edge in edges)
    # Literals of one node are disjoint by construction, in the domain at least.
    uncovered = whole.difference(first).difference(second)
    if not uncovered.is_empty():
        problem = f"its literals on feature {what} are no complements: {shown(uncovered)} is in neither"
        mend = "add it to one of them, which does no harm where it cannot arrive"
        raise _at(place, NotTwoWayError(problem, name, feature, uncovered, mend=mend))
    return first, second


def _at(place: str, error: NotTwoWayError) -> XpgcheckError:
    return error.at(place) if place else error


def _names(model: Classifier, conditions: Sequence[Condition]) -> list[str]:
    """Return a text for each condition, no two alike whatever features and categories are called."""
    names: dict[str, None] = {}
    for condition in conditions:
        text = name = _text(model.features[condition.feature], condition.values)
        number = 1
        while name in names:
            number += 1
            name = f"{text} ({number})"
        names[name] = None
    return list(names)


def _text(feature: Feature, values: ValueSet) -> str:
    domain = feature.domain
    if isinstance(values, FiniteSet):
        items = (
            write_literal(domain, values) if isinstance(domain, Categorical) else sorted(map(value_text, values.values))
        )
        if len(items) == 1:
            return f"{feature.name} = {items[0]}"
        return f"{feature.name} in {{{', '.join(map(str, items))}}}"
    spans = values.intervals()
    if len(spans) != 1:
        return f"{feature.name} in {values}"
    return f"{feature.name} {_relation(domain, spans[0])}{' or missing' if values.missing else ''}"


def _relation(domain: Domain, span: Interval) -> str:
    if span.low is None and span.high is not None:
        return f"{'<' if span.high_open else '<='} {_number(domain, span.high)}"
    if span.high is None and span.low is not None:
        return f"{'>' if span.low_open else '>='} {_number(domain, span.low)}"
    return f"= {_number(domain, span.low)}" if span.low == span.high and span.low is not None else f"in {span}"


def _number(domain: Domain, number: Fraction) -> str:
    """Return *number*, of a float domain by as few digits as tell it from other floats."""
    exact = number_text(number)
    return min(exact, repr(float(number)), key=len) if isinstance(domain, (Float32, Float64)) else exact
