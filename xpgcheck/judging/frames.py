"""A frame: what the sets of a claim are made of under its notion, and the oracles that answer for them at one instance."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xpgcheck.judging.claim import Notion
from xpgcheck.judging.condition_panel import ConditionOracles
from xpgcheck.judging.consensus import Consensus
from xpgcheck.judging.constraint_panel import ConstraintOracles
from xpgcheck.model.classifier import Classifier
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.model.values import Point
from xpgcheck.oracles.box_closed_set import check_closed_set_in_box, closed_set_in_box
from xpgcheck.oracles.closed_set import check_closed_set, closed_set
from xpgcheck.oracles.conditions import Condition, conditions_at, conditions_of, literals_at

ClosedSet = Callable[[frozenset[int]], frozenset[int] | None]


@dataclass(frozen=True, slots=True)
class Frame:
    """The oracles for claims of one notion at one instance.

    ``labels`` are the members that sets are made of, by index; ``space`` is the classifier whose points witnesses are, and
    ``instance`` the instance in it.  A labelled graph has no points: its ``space`` is None, and witnesses are assignments of
    s, as is the instance, 1 everywhere.  ``closed_set`` returns, of some fixed members, a set of nodes that its checker
    accepts as a proof that they leave one class, or None.  ``features`` has of each member the feature that it is about.
    ``under`` is the digest of the constraint, and ``allows`` tells whether a point can occur, where the notion is one of
    constraints.
    """

    notion: Notion
    labels: tuple[str, ...]
    space: Classifier | None
    instance: Point
    consensus: Consensus
    closed_set: ClosedSet
    features: tuple[int, ...]
    under: str = ""
    allows: Callable[[Point], bool] | None = None


def frame_of_features(graph: DecisionGraph, instance: Point, consensus: Consensus) -> Frame:
    """Return the frame of Eq. 1 and Eq. 2."""
    labels = tuple(feature.name for feature in graph.features)
    prove = functools.partial(proved_closed_set, graph, instance)
    return Frame(Notion.FEATURES, labels, graph, instance, consensus, prove, tuple(range(len(labels))))


def frame_of_ensemble(ensemble: Ensemble, instance: Point, consensus: Consensus) -> Frame:
    """Return the frame of Eq. 1 and Eq. 2 of an ensemble, of which no set of nodes proves anything."""
    labels = tuple(feature.name for feature in ensemble.features)
    return Frame(Notion.FEATURES, labels, ensemble, instance, consensus, lambda _: None, tuple(range(len(labels))))


def frame_under_constraint(oracles: ConstraintOracles, instance: Point) -> Frame:
    """Return the frame of Eq. 1 and Eq. 2 over the points that can occur.

    Raises ``BrokenError`` where *instance* cannot.
    """
    model = oracles.model
    labels = tuple(feature.name for feature in model.features)
    consensus, members = oracles.at(instance), tuple(range(len(labels)))
    digest = oracles.constraint.digest
    allows = oracles.constraint.allows
    return Frame(Notion.CONSTRAINTS, labels, model, instance, consensus, lambda _: None, members, digest, allows)


def frame_of_ensemble_conditions(
    ensemble: Ensemble, instance: Point, over_conditions: Ensemble | None, consensus: Consensus
) -> Frame:
    """Return the frame of independent conditions of *ensemble*, which is *over_conditions* over these; with theory, if None.

    Raises ``NotTwoWayError`` where it has none.
    """
    conditions = conditions_of(ensemble)
    features = tuple(condition.feature for condition in conditions)
    labels = literals_at(ensemble, instance)
    if over_conditions is None:
        return Frame(Notion.THEORY, labels, ensemble, instance, consensus, lambda _: None, features)
    truth = conditions_at(conditions, instance) or (False,)
    return Frame(Notion.CONDITIONS, labels, over_conditions, truth, consensus, lambda _: None, features)


def frame_of_labels(graph: LabelledGraph, consensus: Consensus) -> Frame:
    """Return the frame of Eq. 1 and Eq. 2 in terms of σ, for a graph of which the labels are all that is known."""
    count = len(graph.variables)
    instance = (True,) * count
    return Frame(Notion.FEATURES, graph.variables, None, instance, consensus, lambda _: None, tuple(range(count)))


def frame_of_conditions(oracles: ConditionOracles, instance: Point, notion: Notion) -> Frame:
    """Return the frame of a notion of conditions; see :mod:`xpgcheck.oracles.conditions`.

    Raises ``NotTwoWayError`` where the graph has no conditions.
    """
    graph, conditions = oracles.graph, oracles.conditions
    boolean = oracles.boolean_graph
    labels = literals_at(graph, instance)
    features = tuple(condition.feature for condition in conditions)
    theory = notion is Notion.THEORY
    consensus = oracles.at(instance, theory=theory)
    if theory:
        prove = functools.partial(_proved_in_box, graph, conditions, instance)
        return Frame(notion, labels, graph, instance, consensus, prove, features)
    truth = conditions_at(conditions, instance) or (False,)
    prove = functools.partial(proved_closed_set, boolean, truth)
    return Frame(notion, labels, boolean, truth, consensus, prove, features)


def _proved_in_box(
    graph: DecisionGraph, conditions: Sequence[Condition], instance: Point, fixed: frozenset[int]
) -> frozenset[int] | None:
    nodes = closed_set_in_box(graph, conditions, instance, fixed)
    return None if check_closed_set_in_box(graph, conditions, instance, fixed, nodes) else frozenset(nodes)


def proved_closed_set(graph: DecisionGraph, instance: Point, fixed: frozenset[int]) -> frozenset[int] | None:
    """Return the least closed set of nodes with *fixed* fixed, where it proves that only one class is left, else None."""
    nodes = closed_set(graph, instance, fixed)
    return None if check_closed_set(graph, instance, fixed, nodes) else frozenset(nodes)
