"""Constraints in the package's own JSON format; reading them back gives equal objects."""

from __future__ import annotations

import json

from xpgcheck.model.constraint import Constraint
from xpgcheck.model.literals import write_literal


def constraint_json(constraint: Constraint) -> str:
    """Return *constraint* as a ``constraints`` document in one line; the same constraint always gives the same text.

    ``parse_constraint(constraint_json(c).encode(), c.features).digest == c.digest``.  Linear.
    """
    document: dict[str, object] = {"format": "constraints", "version": 1}
    if constraint.graph is not None:
        document |= {"root": 0, "nodes": constraint_nodes(constraint)}
    else:
        document["clauses"] = [
            {
                **({"name": clause.name} if clause.name else {}),
                "any": [
                    {
                        "feature": constraint.features[feature].name,
                        "in": write_literal(constraint.features[feature].domain, values),
                    }
                    for feature, values in clause.literals
                ],
            }
            for clause in constraint.clauses
        ]
    return json.dumps(document, ensure_ascii=False) + "\n"


def constraint_nodes(constraint: Constraint) -> list[dict[str, object]]:
    """Return the nodes of the graph of *constraint* as documents have them, numbered from 0."""
    graph = constraint.graph
    assert graph is not None
    nodes: list[dict[str, object]] = []
    for node in range(graph.node_count):
        if graph.is_terminal(node):
            nodes.append({"id": node, "class": graph.classes[graph.class_of[node]]})
            continue
        feature = graph.features[graph.feature_of[node]]
        edges = [{"to": child, "in": write_literal(feature.domain, values)} for child, values in graph.edges(node)]
        nodes.append({"id": node, "feature": feature.name, "edges": edges})
    return nodes
