"""Wrong explainers: what they answer depends on what they were asked before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.properties.seeded.reach import Row, row
from xpgcheck.properties.seeded.scalable import Scalable
from xpgcheck.properties.seeded.textbook import Features, Xpg


class _OfMemory(Scalable):
    kind = "state and time"


class _Counted(_OfMemory):
    def __init__(self, call: int) -> None:
        super().__init__()
        self.call, self.asked = call, 0

    def is_wrong(self) -> bool:
        self.asked += 1
        return self.asked == self.call

    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        wrong = self.is_wrong()
        return frozenset(range(len(instance))) if wrong else super().axp(graph, instance)


class _WrongFrom(_Counted):
    def is_wrong(self) -> bool:
        self.asked += 1
        return self.asked >= self.call


class _WrongEvery(_Counted):
    def is_wrong(self) -> bool:
        self.asked += 1
        return self.asked % self.call == 0


class _WrongAt(_Counted):
    def is_wrong(self) -> bool:
        self.asked += 1
        # At one call, or at the next ones of graphs whose AXps are all features.
        return self.call <= self.asked < self.call + 5


class _RaisesFrom(_Counted):
    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        self.asked += 1
        if self.asked >= self.call:
            raise OSError("too many open files")
        return super().axp(graph, instance)


KEYS: dict[str, Any] = {
    "the name of the graph": lambda graph, instance: (graph.name, instance),
    "the number of nodes": lambda graph, instance: (graph.node_count, instance),
    "the names of the features": lambda graph, instance: (tuple(f.name for f in graph.features), instance),
    "the instance": lambda graph, instance: instance,
    "the text of the instance": lambda graph, instance: "".join(map(str, instance)),
    "the graph": lambda graph, instance: id(graph),
    "the values without their order": lambda graph, instance: (id(graph), tuple(sorted(map(str, instance)))),
    "the rounded instance": lambda graph, instance: (
        id(graph),
        tuple(v if isinstance(v, (str, bool)) else str(v)[:6] for v in instance),
    ),
}
"""By what an XpG is kept, and found again."""


class _KeptBy(_OfMemory):
    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = KEYS[key]
        self.kept: dict[Any, Xpg] = {}

    def xpg(self, graph: DecisionGraph, instance: Point) -> Xpg:
        key = self.key(graph, instance)
        if key not in self.kept:
            self.kept[key] = self.mapped(graph, instance)
        return self.kept[key]


class _AskedAgain(_OfMemory):
    def __init__(self, time: int) -> None:
        super().__init__()
        self.time = time
        self.times: dict[Any, int] = {}

    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        key = graph.name, instance
        self.times[key] = self.times.get(key, 0) + 1
        found = super().axp(graph, instance)
        return frozenset(range(len(instance))) if self.times[key] == self.time else found


class _AfterAnError(_OfMemory):
    failed = False

    def xpg(self, graph: DecisionGraph, instance: Point) -> Xpg:
        try:
            found = super().xpg(graph, instance)
            if found.label_of[0] is None and not any(label for out in found.edges for _, label in out):
                raise ValueError("no edge holds")
        except Exception:
            self.failed = True
            raise
        return found

    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        failed, self.failed = self.failed, False
        found = super().axp(graph, instance)
        return frozenset(range(len(instance))) if failed else found


class _AfterALarge(_OfMemory):
    def __init__(self, nodes: int) -> None:
        super().__init__()
        self.nodes, self.before = nodes, 0

    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        before, self.before = self.before, graph.node_count
        found = super().axp(graph, instance)
        return frozenset(range(len(instance))) if before > self.nodes and graph.node_count < 30 else found


class _BackAgain(_OfMemory):
    """Keeps the answer of the last but one graph when that graph comes back."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        found = super().axp(graph, instance)
        back = graph.name in self.names and self.names[-1] != graph.name
        self.names.append(graph.name)
        return frozenset(range(len(instance))) if back else found


class _Grows(_OfMemory):
    """The list of one answer is the beginning of the next, where the graph is the same."""

    def __init__(self) -> None:
        super().__init__()
        self.of = ""
        self.members: set[int] = set()

    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        if graph.name != self.of:
            self.of, self.members = graph.name, set()
        self.members |= super().axp(graph, instance)
        return frozenset(self.members)


class _WrongAtFirst(_OfMemory):
    def __init__(self, features: int) -> None:
        super().__init__()
        self.features, self.first = features, True

    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        first, self.first = self.first, False
        if first and len(instance) > self.features:
            return frozenset(range(len(instance)))
        return super().axp(graph, instance)


class _LeftByTheAxp(_OfMemory):
    left: tuple[DecisionGraph, Point] | None = None

    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        self.left = graph, instance
        return super().axp(graph, instance)

    def enumerate(self, graph: DecisionGraph, instance: Point) -> Any:
        if self.left is not None and self.left[0].node_count == graph.node_count:
            graph, instance = self.left
        return super().enumerate(graph, instance)


class _AsManyAsBefore(_OfMemory):
    def __init__(self, features: int) -> None:
        super().__init__()
        self.features = features
        self.before: tuple[int, list[tuple[str, Features]]] = 0, []

    def enumerate(self, graph: DecisionGraph, instance: Point) -> Any:
        found = list(super().enumerate(graph, instance))
        features, before = self.before
        self.before = len(instance), found
        return before if features == len(instance) > self.features and len(before) == len(found) else found


def rows() -> Iterator[Row]:
    """Yield the rows of this module."""
    for call in (20, 75, 150, 300, 500):
        yield row(_WrongFrom, "all features are the AXp from call {call} on", call=call)
    for call in (17, 60, 200):
        yield row(_WrongAt, "all features are the AXp at call {call}, and the four after", call=call)
    for call in (13, 50, 97, 171):
        yield row(_WrongEvery, "all features are the AXp at every call {call}", call=call)
    for call in (100, 400):
        yield row(_RaisesFrom, "an error from call {call} on", call=call)
    for key in KEYS:
        yield row(_KeptBy, "an XpG is kept by {key}, and found again for others", key=key)
    for time in (2, 3, 4):
        yield row(_AskedAgain, "all features are the AXp when the same is asked time {time}", time=time)
    yield row(_AfterAnError, "after an error, all features are the AXp once")
    for nodes in (100, 200):
        yield row(
            _AfterALarge,
            "after a graph of more than {nodes} nodes, all features are the AXp of a small one",
            nodes=nodes,
        )
    yield row(_BackAgain, "all features are the AXp when a graph comes back after another")
    for features in (4, 7):
        yield row(
            _WrongAtFirst, "all features are the AXp at the first call, of more than {features}", features=features
        )
    yield row(_LeftByTheAxp, "XPs are listed of the instance that an AXp was asked of, on a graph of as many nodes")
    yield row(_AsManyAsBefore, "as many XPs of as many features, more than {features}, are those before", features=8)
    yield row(_Grows, "the AXps of one graph are put together")
