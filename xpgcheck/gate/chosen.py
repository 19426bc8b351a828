"""Instances of a model that are chosen, not sampled: where its classes, its terminals and its thresholds are.

A point of each class, a point at each terminal, values on and next to each threshold, and the point with the largest AXp
that a cheap search meets.  An AND of 14 Booleans has one point of its rare class in 16,384: a sample never asks it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from xpgcheck.gate.inputs import Job
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point, Value
from xpgcheck.properties.borders import border_values
from xpgcheck.wording import counted
from xpgcheck.xpg.explanation_graph import explanation_graph
from xpgcheck.xpg.find_one import find_axp

MOST = 150
"""Instances that are chosen of a model at most."""

LOOKED_AT = 200
"""Points whose AXps are found in the search for a large one."""


def with_chosen(job: Job, seed: int = 0, most: int = MOST) -> Job:
    """Return *job* with chosen instances in front of its own, where its model is a decision graph."""
    graph = job.graph
    if not isinstance(graph, DecisionGraph) or graph.node_count == 1:
        return job
    chosen, words = chosen_points(graph, seed, most)
    points = tuple(dict.fromkeys((*chosen, *job.points)))
    return Job(graph, points, f"{words}, and {job.origin}")


def chosen_points(graph: DecisionGraph, seed: int = 0, most: int = MOST) -> tuple[list[Point], str]:
    """Return the chosen instances of *graph*, and what they are in words.

    O(nodes + values at thresholds + ``LOOKED_AT`` AXps).
    """
    terminals = dict(_at_terminals(graph))
    by_class: dict[int, Point] = {}
    for node, point in terminals.items():
        by_class.setdefault(graph.class_of[node], point)
    thresholds = list(dict.fromkeys(_at_thresholds(graph)))
    wanted = dict.fromkeys((*by_class.values(), *terminals.values(), *thresholds))
    chosen = dict.fromkeys((*by_class.values(), *_spread(list(terminals.values()), most // 2)))
    left = [point for point in thresholds if point not in chosen]
    chosen |= dict.fromkeys(_spread(left, most - 1 - len(chosen)))
    reached = len({graph.terminal(point) for point in chosen})
    largest, size = _largest_axp(graph, list(chosen), seed)
    chosen[largest] = None
    without = len(wanted.keys() - chosen.keys())
    words = (
        f"{counted(len(by_class), 'class', 'classes')}, {reached} of {counted(len(terminals), 'terminal')}, "
        f"values on and next to thresholds ({len(chosen)} chosen points, {without} without room), "
        f"an AXp of {counted(size, 'feature')} (the largest that a search met)"
    )
    return list(chosen), words


def _spread(points: list[Point], most: int) -> list[Point]:
    """Return *points*, or *most* of them in equal steps."""
    if len(points) <= most:
        return points
    return [points[k * len(points) // most] for k in range(max(most, 0))]


def _at_terminals(graph: DecisionGraph) -> Iterator[tuple[int, Point]]:
    """Yield each terminal with a point that reaches it: along the first path, all of whose literals hold together."""
    entered: dict[int, tuple[int, ValueSet]] = {}
    for node in range(graph.node_count):
        for child, values in graph.edges(node):
            entered.setdefault(child, (node, values))
    for node in range(graph.node_count):
        if not graph.is_terminal(node):
            continue
        held: dict[int, ValueSet] = {}
        at = node
        while at:
            at, values = entered[at]
            feature = graph.feature_of[at]
            held[feature] = held[feature].intersection(values) if feature in held else values
        point = _point(graph, held)
        if point is not None and graph.terminal(point) == node:
            yield node, point


def _point(graph: DecisionGraph, held: dict[int, ValueSet]) -> Point | None:
    found: list[Value] = []
    for i, feature in enumerate(graph.features):
        values = feature.domain.all_values()
        if i in held:
            values = values.intersection(held[i])
        if values.is_empty():
            return None
        found.append(graph.cells[i][0].representative() if i not in held else values.representative())
    return tuple(found)


def _at_thresholds(graph: DecisionGraph) -> Iterator[Point]:
    """Yield, of each feature and each value at an end of its cells, a point with it that reaches a test of the feature."""
    by_feature: dict[int, Point] = {}
    for _, point in _at_terminals(graph):
        node = 0
        while not graph.is_terminal(node):
            feature = graph.feature_of[node]
            by_feature.setdefault(feature, point)
            node = next(child for child, values in graph.edges(node) if point[feature] in values)
    for feature, point in sorted(by_feature.items()):
        for cell in graph.cells[feature]:
            for value in border_values(cell):
                yield (*point[:feature], value, *point[feature + 1 :])


def _largest_axp(graph: DecisionGraph, points: list[Point], seed: int) -> tuple[Point, int]:
    """Return a point whose AXp, found by deletion, is the largest of those at *points* and at points at random."""
    dice = random.Random(seed)
    tried = points[: LOOKED_AT // 2]
    tried += [tuple(dice.choice(cells).representative() for cells in graph.cells) for _ in range(LOOKED_AT // 2)]
    sizes = [len(find_axp(explanation_graph(graph, point))) for point in tried]
    best = max(range(len(tried)), key=sizes.__getitem__)
    return tried[best], sizes[best]
