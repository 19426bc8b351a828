"""A short notation for hand-made groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from xpgcheck.readers.instances import read_point
from xpgcheck.vectors.grouping import Document, Group

BOOLEAN: Document = {"type": "boolean"}
REAL: Document = {"type": "real"}
FLOAT32: Document = {"type": "float32"}
FLOAT64: Document = {"type": "float64"}
MAYBE_FLOAT32: Document = {"type": "float32", "missing": True}
MAYBE_FLOAT64: Document = {"type": "float64", "missing": True}

Inner = tuple[str, str, Sequence[tuple[str, Sequence[Any]]]]
"""A non-terminal: id, feature, edges as (child, what the literal lists)."""

Leaf = tuple[str, str]
"""A terminal: id, class."""

Nodes = list[Inner | Leaf]
Points = list[tuple[str, Sequence[object]]]
"""Instances: (comment, values in the order of the features)."""

Space = dict[str, Document]


def categories(*values: str) -> Document:
    """Return the domain of these categories."""
    return {"type": "categorical", "values": list(values)}


def integers(low: int | None = None, high: int | None = None) -> Document:
    """Return a domain of integers."""
    bounds = {"low": low, "high": high}
    return {"type": "integer", **{key: _bound(end) for key, end in bounds.items() if end is not None}}


def _bound(end: int) -> int | str:
    return end if abs(end) < 2**53 else str(end)


def below(end: str, to: str, otherwise: str) -> list[tuple[str, list[str]]]:
    """Return the two edges of ``x <= end``."""
    return [(to, [f"(-inf, {end}]"]), (otherwise, [f"({end}, inf)"])]


def zero_one(zero: str, one: str) -> list[tuple[str, list[int]]]:
    """Return the two edges of a Boolean feature."""
    return [(zero, [0]), (one, [1])]


def group(
    name: str,
    features: Mapping[str, Document],
    classes: Sequence[str],
    nodes: Sequence[Inner | Leaf],
    instances: Sequence[tuple[str, Sequence[object]]],
    flags: tuple[str, ...] = (),
) -> Group:
    """Return a group of *nodes*, the first of which is the root, and *instances*: (comment, values) each.

    An empty comment stands for *name*.  Raises what our reader and ``read_point`` raise, so that no group is wrong in form.
    """
    document: Document = {
        "format": "decision-graph",
        "version": 1,
        "name": name,
        "features": [{"name": key, "domain": domain} for key, domain in features.items()],
        "classes": list(classes),
        "root": nodes[0][0],
        "nodes": [_node(node) for node in nodes],
    }
    made = Group("edge case", document, (), flags)
    space = made.graph.features
    points = tuple((comment or name, read_point(space, list(values))) for comment, values in instances)
    return replace(made, instances=points)


def _node(node: Inner | Leaf) -> Document:
    if len(node) == 2:
        return {"id": node[0], "class": node[1]}
    edges = [{"to": to, "in": list(items)} for to, items in node[2]]
    return {"id": node[0], "feature": node[1], "edges": edges}


def backwards(made: Group) -> Group:
    """Return *made* with its nodes in the opposite order, and without naming the root."""
    document = {key: value for key, value in made.document.items() if key != "root"}
    document["nodes"] = document["nodes"][::-1]
    return replace(made, document=document, flags=(*made.flags, "node_order"))
