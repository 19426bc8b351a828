"""Claims of a certificate's line, tested against the model itself: κ, oracles, every set of features.

Nothing of the checker is used, so that issuer and checker are also tested apart.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

from xpgcheck.model.classifier import in_feature_space
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.oracles.closed_set import check_closed_set
from xpgcheck.readers.instances import read_point


def facts_of(graph: DecisionGraph, line: str) -> Iterator[tuple[str, bool]]:
    """Yield each thing that *line* has to have, and whether it has."""
    record = json.loads(line)
    instance = read_point(graph.features, record["instance"])
    everything = set(range(len(graph.features)))
    yield "class", graph.classes[graph.kappa(instance)] == record["class"]
    fixed = []
    for k, item in enumerate(record["closed"]):
        fixed.append(set(item["fixed"]))
        nodes = [node for node in range(graph.node_count) if int(item["nodes"], 16) >> node & 1]
        yield f"closed {k}", check_closed_set(graph, instance, fixed[-1], nodes) is None
    changed = []
    for k, changes in enumerate(record["points"]):
        point = _changed(graph, instance, changes)
        changed.append({i for i, _ in changes})
        yield f"point {k} changes", all(point[i] != instance[i] for i in changed[-1]) and changes == sorted(changes)
        yield f"point {k} is another's", in_feature_space(graph, point) and graph.kappa(point) != graph.kappa(instance)
    axps, cxps = [], []
    for k, claim in enumerate(record["claims"]):
        members = set(claim["features"])
        kind, verdict = claim["kind"], claim["verdict"]
        if kind == verdict == "AXp":
            axps.append(members)
            yield f"claim {k} suffices", fixed[claim["sufficient"]] <= members
            for i, p in zip(sorted(members), claim["needed"], strict=True):
                yield f"claim {k} needs {i}", not changed[p] & (members - {i})
        elif kind == verdict == "CXp":
            cxps.append(members)
            yield f"claim {k} changes", changed[claim["changes"]] <= members
            for j, c in zip(sorted(members), claim["needed"], strict=True):
                yield f"claim {k} needs {j}", not fixed[c] & (members - {j})
        elif verdict == "redundant" and kind == "AXp":
            yield f"claim {k} is redundant", fixed[claim["sufficient"]] < members
        elif verdict == "redundant":
            yield f"claim {k} is redundant", changed[claim["changes"]] < members
        elif verdict == "insufficient":
            yield f"claim {k} is insufficient", not changed[claim["changes"]] & members
        else:
            yield f"claim {k} is ineffective", verdict == "ineffective" and not fixed[claim["sufficient"]] & members
    if "complete" in record and len(everything) <= 10:
        sets = itertools.chain.from_iterable(itertools.combinations(everything, k) for k in range(len(everything) + 1))
        yield "complete", all(any(a <= set(s) for a in axps) or any(not c & set(s) for c in cxps) for s in sets)


def assert_facts(graph: DecisionGraph, line: str) -> None:
    for what, holds in facts_of(graph, line):
        assert holds, f"{what}: {line}"


def _changed(graph: DecisionGraph, instance: Point, changes: list[Any]) -> Point:
    values: list[Any] = list(instance)
    for i, value in changes:
        values[i] = value
    return read_point(graph.features, values)
