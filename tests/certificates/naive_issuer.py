"""A second issuer of certificates, by trying everything: for small graphs, and independent of the one of the package.

All sets of features, all points of the cells of the domains, all nodes: nothing here is shared with explanation graphs,
enumeration, solvers or the checker.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterable, Sequence
from typing import Any

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import value_text
from xpgcheck.model.values import MISSING, Point, Value
from xpgcheck.writers.json_model import model_json

Set = frozenset[int]


def line_of(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def digest_of(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def header(field: str, subject: Any) -> dict[str, Any]:
    return {"format": "xpgcheck-certificate", "version": 1, field: subject, "digest": digest_of(subject)}


def certificate(head: dict[str, Any], lines: Sequence[dict[str, Any]]) -> bytes:
    return b"".join(map(line_of, [head, *lines, {"end": len(lines)}]))


def raw_value(value: Value) -> Any:
    if value is MISSING:
        return None
    return int(value) if isinstance(value, (bool, int)) else value if isinstance(value, str) else value_text(value)


def points_of(graph: DecisionGraph, v: Point) -> list[Point]:
    """All points up to what the literals can tell apart; in the cell of v's value it is v's value that stands for all."""
    choices = []
    for own, parts in zip(v, graph.cells, strict=True):
        choices.append([own if own in part else part.representative() for part in parts])
    return list(itertools.product(*choices))


class Instance:
    """An instance of a small graph: which points change the class, and all AXps and CXps by the definitions."""

    def __init__(self, graph: DecisionGraph, v: Point) -> None:
        self.graph, self.v = graph, v
        self.own = graph.kappa(v)
        self.features = range(len(graph.features))
        others = [point for point in points_of(graph, v) if graph.kappa(point) != self.own]
        self.others = {frozenset(i for i in self.features if point[i] != v[i]): point for point in others}
        subsets = [frozenset(s) for n in range(len(v) + 1) for s in itertools.combinations(self.features, n)]
        self.axps = minimal(s for s in subsets if all(s & changed for changed in self.others))
        self.cxps = minimal(s for s in subsets if any(changed <= s for changed in self.others))

    def point(self, changed: Set) -> list[list[Any]]:
        return [[i, raw_value(self.others[changed][i])] for i in sorted(changed)]

    def closed(self, fixed: Set) -> dict[str, Any]:
        """The least closed set of nodes; every node is looked at in order, as edges go to higher numbers."""
        inside = {0}
        for node in range(self.graph.node_count):
            for child, values in self.graph.edges(node) if node in inside else ():
                if self.graph.feature_of[node] not in fixed or self.v[self.graph.feature_of[node]] in values:
                    inside.add(child)
        return {"fixed": sorted(fixed), "nodes": f"{sum(1 << node for node in inside):x}"}

    def family(self, method: str = "rup") -> dict[str, Any]:
        """All AXps and CXps, and that they are all; the pools hold a closed set per AXp and a point per CXp."""
        claims = []
        for k, axp in enumerate(self.axps):
            needed = [self.partner(self.cxps, axp, i) for i in sorted(axp)]
            claims.append({"kind": "AXp", "features": sorted(axp), "verdict": "AXp", "sufficient": k, "needed": needed})
        for k, cxp in enumerate(self.cxps):
            needed = [self.partner(self.axps, cxp, i) for i in sorted(cxp)]
            claims.append({"kind": "CXp", "features": sorted(cxp), "verdict": "CXp", "changes": k, "needed": needed})
        return self.line(self.axps, self.cxps, claims, self.complete(method))

    def partner(self, family: Sequence[Set], members: Set, i: int) -> int:
        return next(k for k, other in enumerate(family) if other & members == {i})

    def line(
        self, fixed: Iterable[Set], changed: Iterable[Set], claims: list[Any], complete: Any = None
    ) -> dict[str, Any]:
        line = {
            "instance": [raw_value(value) for value in self.v],
            "class": self.graph.classes[self.own],
            "notion": "features",
            "closed": [self.closed(s) for s in fixed],
            "points": [self.point(s) for s in changed],
            "claims": claims,
        }
        return line if complete is None else {**line, "complete": complete}

    def complete(self, method: str) -> dict[str, Any]:
        """A branch on each feature in turn, until a claim settles it; as RUP, each branch is a clause, deepest first."""
        nodes: list[int] = []
        lines: list[list[int]] = []

        def branch(chosen: Set, out: Set) -> None:
            for claim, (members, where) in enumerate([(s, chosen) for s in self.axps] + [(s, out) for s in self.cxps]):
                if members <= where:
                    nodes.append(-claim - 1)
                    return
            feature = len(chosen) + len(out)
            nodes.append(feature)
            branch(chosen | {feature}, out)
            branch(chosen, out | {feature})
            lines.append([-i - 1 if i in chosen else i + 1 for i in range(feature)])

        branch(frozenset(), frozenset())
        if method == "tree":
            return {"method": "tree", "nodes": nodes}
        return {"method": "rup", "lines": lines or [[]]}

    def wrong_claims(self) -> dict[str, Any]:
        """A line of claims that are no XPs, each with what shows it."""
        everything = frozenset(self.features)
        claims: list[dict[str, Any]] = []
        for kind, family, ref in (("AXp", self.axps, "sufficient"), ("CXp", self.cxps, "changes")):
            claims += [
                {"kind": kind, "features": sorted(s | {i}), "verdict": "redundant", ref: k}
                for k, s in enumerate(family)
                for i in sorted(everything - s)[:1]
            ]
        claims += [
            {"kind": "AXp", "features": sorted(everything - s), "verdict": "insufficient", "changes": k}
            for k, s in enumerate(self.cxps)
        ]
        claims += [
            {"kind": "CXp", "features": sorted(everything - s), "verdict": "ineffective", "sufficient": k}
            for k, s in enumerate(self.axps)
        ]
        return self.line(self.axps, self.cxps, claims)


def minimal(sets: Iterable[Set]) -> list[Set]:
    """Return the minimal ones of *sets*, which come in order of size."""
    found: list[Set] = []
    for s in sets:
        if not any(smaller <= s for smaller in found):
            found.append(s)
    return found


def graph_certificate(graph: DecisionGraph, instances: Sequence[Point], method: str = "rup") -> bytes:
    """The certificate of all families of some instances, and of the wrong claims."""
    lines = []
    for v in instances:
        instance = Instance(graph, v)
        lines += [instance.family(method), instance.wrong_claims()]
    return certificate(header("model", json.loads(model_json(graph))), lines)
