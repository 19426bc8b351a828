"""Is a point evidence under a constraint?  It is replayed by κ and by the constraint, both by their plain definitions."""

from __future__ import annotations

from collections.abc import Iterable

from xpgcheck.model.classifier import Classifier
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import replay


def replay_possible(
    model: Classifier,
    constraint: Constraint,
    instance: Point,
    fixed: Iterable[int],
    witness: Point,
    own_class: int | None = None,
) -> str | None:
    """Return what is wrong with *witness* as evidence of "changeable under *constraint*", or None where it proves it.

    What :func:`xpgcheck.oracles.answers.replay` asks for, and that the witness can occur.
    """
    problem = replay(model, instance, fixed, witness, own_class)
    if problem is None and not _allows(constraint, witness):
        return "the witness breaks the constraint: it cannot occur"
    return problem


def _allows(constraint: Constraint, point: Point) -> bool:
    """Tell whether *point* can occur, clause by clause and edge by edge."""
    for clause in constraint.clauses:
        if not any(point[feature] in values for feature, values in clause.literals):
            return False
    graph = constraint.graph
    if graph is None:
        return True
    node = 0
    while graph.class_of[node] < 0:
        feature = graph.feature_of[node]
        node = next(child for child, values in graph.edges(node) if point[feature] in values)
    return graph.classes[graph.class_of[node]] == "allowed"
