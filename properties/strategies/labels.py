"""Labels of a generated case, for a run that shows what it has tried."""

from __future__ import annotations

import math
from collections import Counter

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean, Categorical, Domain, Float32, Float64, Integer
from xpgcheck.model.values import MISSING, Point

WIDE = 4
"""Children from which on a node counts as wide."""


def labels(graph: DecisionGraph, instance: Point) -> tuple[str, ...]:
    """Return labels of a case, ``what: which``, each at most once.  O(nodes + edges).

    Sharing, repetition (a feature twice on a path), depth, non-terminals, classes reached, domains and their cells; and
    features never tested, wide nodes, several terminals of one class and a missing value where there are such.
    """
    reached = Counter(index for index in graph.class_of if index >= 0)
    inner = sum(1 for feature in graph.feature_of if feature >= 0)
    found = [
        f"sharing: {_sharing(graph)}",
        f"repetition: {_yes(not graph.shape.read_once)}",
        f"tree: {_yes(graph.is_tree())}",
        f"depth: {_bucket(graph.depth(), (0, 2, 4, 8))}",
        f"non-terminals: {_bucket(inner, (0, 3, 6, 12, 40))}",
        f"classes reached: {len(reached)}",
        f"constant: {_yes(len(reached) == 1)}",
        f"cells: {_bucket(math.prod(map(len, graph.cells)), (1, 10, 100, 1_000, 20_000))}",
    ]
    kinds = dict.fromkeys(_kind(feature.domain) for feature in graph.features)
    found += [f"domain: {kind}" for kind in kinds]
    tested = {feature for feature in graph.feature_of if feature >= 0}
    several = any(count > 1 for count in reached.values())
    more = {
        "domain: mixed": len(kinds) > 1,
        "domain: one value": any(_one_value(feature.domain) for feature in graph.features),
        "domain: missing value": any(getattr(feature.domain, "missing", False) for feature in graph.features),
        "feature: never tested": len(tested) < len(graph.features),
        "node: wide": any(len(children) >= WIDE for children in graph.children),
        "node: one child": any(len(children) == 1 for children in graph.children),
        "terminals: several of one class": several,
        "instance: missing value": MISSING in instance,
    }
    return (*found, *(label for label, holds in more.items() if holds))


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


def _sharing(graph: DecisionGraph) -> str:
    entries = Counter(child for children in graph.children for child in children)
    shared = [node for node, count in entries.items() if count > 1]
    if any(not graph.is_terminal(node) for node in shared):
        return "non-terminals"
    return "terminals" if shared else "none"


def _bucket(number: int, ends: tuple[int, ...]) -> str:
    low = 0
    for end in ends:
        if number <= end:
            return str(end) if low == end else f"{low}-{end}"
        low = end + 1
    return f"{low}-"


_FINITE = {Boolean: "Boolean", Categorical: "categorical", Float32: "float32", Float64: "float64"}


def _kind(domain: Domain) -> str:
    if isinstance(domain, Integer):
        return "integer, bounded" if domain.low is not None and domain.high is not None else "integer, unbounded"
    return _FINITE.get(type(domain), "real")


def _one_value(domain: Domain) -> bool:
    if isinstance(domain, Categorical):
        return len(domain.values) == 1
    low, high = getattr(domain, "low", None), getattr(domain, "high", None)
    return low is not None and low == high
