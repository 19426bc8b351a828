"""Right explainers of other shapes than ours: the gate may not accuse them."""

from __future__ import annotations

import functools
import itertools
from typing import Any

from pysat.solvers import Solver

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point

numpy: Any
try:
    # Here: it takes as long as an answer may.
    import numpy
except ImportError:
    numpy = None


class Recursive:
    """Goes down the graph by recursion, with a memory of nodes for each question; sets as lists."""

    name = "recursive"

    def can_change(self, graph: DecisionGraph, instance: Point, fixed: Any) -> bool:
        own = graph.kappa(instance)

        @functools.cache
        def other_class(node: int) -> bool:
            if graph.is_terminal(node):
                return graph.class_of[node] != own
            feature = graph.feature_of[node]
            return any(
                other_class(child)
                for child, values in graph.edges(node)
                if feature not in fixed or instance[feature] in values
            )

        return other_class(0)

    def axp(self, graph: DecisionGraph, instance: Point) -> Any:
        kept = list(range(len(instance)))
        for feature in range(len(instance)):
            rest = [i for i in kept if i != feature]
            if not self.can_change(graph, instance, rest):
                kept = rest
        return kept

    def cxp(self, graph: DecisionGraph, instance: Point) -> Any:
        everything = set(range(len(instance)))
        if not self.can_change(graph, instance, set()):
            return None
        kept = sorted(everything, reverse=True)
        for feature in list(kept):
            rest = [i for i in kept if i != feature]
            if self.can_change(graph, instance, everything.difference(rest)):
                kept = rest
        return kept


class BySat(Recursive):
    """All XPs with a SAT solver that proposes sets, as a generator: nothing is known until it is asked for."""

    name = "by sat, lazily"

    def enumerate(self, graph: DecisionGraph, instance: Point) -> Any:
        count = len(instance)
        with Solver("glucose4") as solver:
            while solver.solve():
                model = set(solver.get_model() or ())
                fixed = {i for i in range(count) if i + 1 in model}
                if self.can_change(graph, instance, fixed):
                    free = sorted(set(range(count)) - fixed)
                    for feature in list(free):
                        if self.can_change(graph, instance, set(range(count)) - set(free) | {feature}):
                            free.remove(feature)
                    solver.add_clause([i + 1 for i in free])
                    yield "CXp", free
                else:
                    for feature in sorted(fixed):
                        if not self.can_change(graph, instance, fixed - {feature}):
                            fixed -= {feature}
                    solver.add_clause([-i - 1 for i in fixed])
                    yield "AXp", tuple(fixed)
                    if not fixed:
                        return


class BruteForce:
    """Every combination of cells, and every set of features: takes for ever on large graphs, and does not decline them."""

    name = "brute force"

    def _changes(self, graph: DecisionGraph, instance: Point) -> set[frozenset[int]]:
        own = graph.kappa(instance)
        values = [
            [v if v in cell else cell.representative() for cell in cells]
            for v, cells in zip(instance, graph.cells, strict=True)
        ]
        return {
            frozenset(i for i, (a, b) in enumerate(zip(point, instance, strict=True)) if a != b)
            for point in itertools.product(*values)
            if graph.kappa(point) != own
        }

    def enumerate(self, graph: DecisionGraph, instance: Point) -> Any:
        changes = self._changes(graph, instance)
        axps: list[frozenset[int]] = []
        cxps: list[frozenset[int]] = []
        for size in range(len(instance) + 1):
            for chosen in map(frozenset, itertools.combinations(range(len(instance)), size)):
                if not any(axp <= chosen for axp in axps) and all(chosen & change for change in changes):
                    axps.append(chosen)
                if not any(cxp <= chosen for cxp in cxps) and any(change <= chosen for change in changes):
                    cxps.append(chosen)
        return [*(("AXp", list(axp)) for axp in axps), *(("CXp", list(cxp)) for cxp in cxps)]

    def member(self, graph: DecisionGraph, instance: Point, feature: int) -> bool:
        changes = self._changes(graph, instance)
        return any(feature in c for c in changes if not any(other < c for other in changes))


class Cached(Recursive):
    """Keeps every answer, by the graph itself and the instance."""

    name = "with a cache"

    def __init__(self) -> None:
        self._kept: dict[Any, Any] = {}

    def axp(self, graph: DecisionGraph, instance: Point) -> Any:
        key = id(graph), instance
        if key not in self._kept:
            self._kept[key] = graph, super().axp(graph, instance)
        return self._kept[key][1]


class NumpyIntegers(Recursive):
    """Answers arrays of numpy's integers, where numpy is installed, and a generator otherwise."""

    name = "numpy"

    def axp(self, graph: DecisionGraph, instance: Point) -> Any:
        found = super().axp(graph, instance)
        return (i for i in found) if numpy is None else numpy.array(found, dtype=numpy.int64)

    def member(self, graph: DecisionGraph, instance: Point, feature: int) -> Any:
        everything = set(range(len(instance)))
        # In a CXp: some set that can change, and cannot without it; found by deletion with it kept to the last.
        order = [*(i for i in everything if i != feature), feature]
        free = set(everything)
        if not self.can_change(graph, instance, set()):
            return False
        for i in order:
            if self.can_change(graph, instance, everything - (free - {i})):
                free -= {i}
        if feature in free:
            return True
        raise NotImplementedError("deletion did not settle it")


class RandomOrder(Recursive):
    """Another right AXp each time: what differs is no fault."""

    name = "in random order"

    def __init__(self) -> None:
        import random

        self._dice = random.Random(5)

    def axp(self, graph: DecisionGraph, instance: Point) -> Any:
        kept = set(range(len(instance)))
        order = list(kept)
        self._dice.shuffle(order)
        for feature in order:
            if not self.can_change(graph, instance, kept - {feature}):
                kept -= {feature}
        return frozenset(kept)


RIGHT = (Recursive, BySat, BruteForce, Cached, NumpyIntegers, RandomOrder)
