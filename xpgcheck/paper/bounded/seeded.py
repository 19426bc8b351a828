"""Seeded bugs: each puts a wrong function in the place of one of the code under test, and turns laws red.

Which law is turned red by which is named in ``Law.turned_red_by``; :mod:`xpgcheck.paper.bounded.law_bugs` sees to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from xpgcheck.errors import ModelError
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Answer
from xpgcheck.paper.bounded.code import (
    OURS,
    Code,
    Enumerated,
    Features,
    TreeCxps,
    algorithm_4,
    all_xps,
    axps_with,
    cxps_of_tree,
)
from xpgcheck.paper.bounded.laws import LAWS
from xpgcheck.properties.seeded.bugs import SeededBug, first_line
from xpgcheck.xpg.explanation_graph import ExplanationGraph, explanation_graph, features_of, mask_of
from xpgcheck.xpg.find_one import SeedError, find_axp
from xpgcheck.xpg.traversal import cheapest_path, path_to_zero
from xpgcheck.xpg.xps import XP, Kind

F = TypeVar("F", bound=Callable[..., Any])

BUGS: list[SeededBug] = []
"""All of them, in the order in which the laws look at the functions."""


def _in_place_of(field: str, name: str) -> Callable[[F], F]:
    """Register what is decorated as the bug *name*, in the place of *field* of the code."""
    source = next(law.place for law in LAWS if name in law.turned_red_by)

    def register(wrong: F) -> F:
        make = partial(_code_with, field, wrong)
        BUGS.append(SeededBug(name, "code", first_line(wrong), make, "xpgcheck.paper.bounded.law_bugs", source))
        return wrong

    return register


def _code_with(field: str, wrong: Callable[..., Any]) -> Code:
    return replace(OURS, **{field: wrong})


@_in_place_of("check_assumptions", "retested features refused")
def _refuse_retested(graph: DecisionGraph) -> None:
    """A graph that tests a feature twice on a path is taken to break an assumption."""
    check_assumptions(graph)
    if not graph.shape.read_once:
        raise ModelError("a feature is tested twice on a path", mend="test it once")


@_in_place_of("terminal", "first edge taken")
def _first_edge(graph: DecisionGraph, point: Point) -> int:
    """A point takes the first edge of each node, whatever its values are."""
    node = 0
    while graph.children[node]:
        node = graph.children[node][0]
    return node


@_in_place_of("explanation_graph", "class 0 labelled 1")
def _class_0(graph: DecisionGraph, point: Point) -> ExplanationGraph:
    """Terminals of the first class are labelled 1, not those of the instance's class."""
    return _with(explanation_graph(graph, point), is_zero=bytes(index > 0 for index in graph.class_of))


@_in_place_of("explanation_graph", "first value labelled")
def _first_value(graph: DecisionGraph, point: Point) -> ExplanationGraph:
    """An edge is labelled 1 only where its literal has one value, as where parallel edges are overwritten."""
    xpg = explanation_graph(graph, point)
    ones = []
    zeros = []
    for node, one in enumerate(xpg.one_child):
        values: Any = next((edge.values for edge in graph.edges(node) if edge.child == one), None)
        kept = one < 0 or len(values.values) == 1
        ones.append(one if kept else -1)
        zeros.append(xpg.zero_children[node] if kept else (*xpg.zero_children[node], one))
    return _with(xpg, one_child=tuple(ones), zero_children=tuple(zeros))


def _with(xpg: ExplanationGraph, **changed: Any) -> ExplanationGraph:
    kept = {name: getattr(xpg, name) for name in ("variables", "variable_of", "one_child", "zero_children", "is_zero")}
    return ExplanationGraph(**{**kept, **changed}, known_shape=xpg.shape)


@_in_place_of("sigma", "fixed and free swapped")
def _swapped(xpg: ExplanationGraph, fixed: Iterable[int]) -> bool:
    """σ fixes the features that it should free."""
    return xpg.sigma(_all(xpg) - set(fixed))


def _all(xpg: ExplanationGraph) -> Features:
    return frozenset(range(len(xpg.variables)))


@_in_place_of("path_to_zero", "one 0-edge a node")
def _one_0_edge(xpg: ExplanationGraph, free: Iterable[int]) -> bool:
    """Only the first of a node's edges labelled 0 is followed."""
    return path_to_zero(_with(xpg, zero_children=tuple(children[:1] for children in xpg.zero_children)), free)


@_in_place_of("path_to_zero_as_printed", "no 1-edge where free")
def _no_1_edge(xpg: ExplanationGraph, free: Iterable[int]) -> bool:
    """The edge labelled 1 is not followed where the feature is free."""
    freed = set(free)
    ones = [-1 if variable in freed else one for variable, one in zip(xpg.variable_of, xpg.one_child, strict=True)]
    return path_to_zero(_with(xpg, one_child=tuple(ones)), freed)


@_in_place_of("find_axp", "last feature kept")
def _last_kept(xpg: ExplanationGraph, seed: Features, order: Sequence[int] | None) -> Features:
    """The last feature of the seed is never dropped."""
    return find_axp(xpg, seed, order) | frozenset(sorted(seed)[-1:])


@_in_place_of("find_axp", "seed taken on trust")
def _on_trust(xpg: ExplanationGraph, seed: Features, order: Sequence[int] | None) -> Features:
    """A seed that is no weak AXp is returned instead of refused."""
    try:
        return find_axp(xpg, seed, order)
    except SeedError:
        return seed


@_in_place_of("find_axp_by_deletion", "one pass backwards")
def _backwards(xpg: ExplanationGraph, seed: Features) -> Features:
    """Features are dropped from the last to the first."""
    return find_axp(xpg, seed, range(len(xpg.variables))[::-1])


@_in_place_of("find_cxp", "cheapest path taken for a CXp")
def _cheapest(xpg: ExplanationGraph, seed: Features, order: Sequence[int] | None) -> Features:
    """The features of a path to 0 with the fewest of the seed are not shrunk."""
    found = cheapest_path(xpg, mask_of(seed)) if order is None else None
    return OURS.find_cxp(xpg, seed, order) if found is None else features_of(found)


@_in_place_of("find_cxp_by_deletion", "dropped where no path")
def _dropped_where_no_path(xpg: ExplanationGraph, seed: Features) -> Features:
    """A feature is dropped where no path to 0 is left without it."""
    left = set(seed)
    for feature in sorted(seed):
        if not path_to_zero(xpg, left - {feature}):
            left.discard(feature)
    return frozenset(left)


@_in_place_of("algorithm_4", "last XP lost")
def _last_lost(xpg: ExplanationGraph) -> Enumerated:
    """Algorithm 4 ends one XP early."""
    xps, calls, complete = algorithm_4(xpg)
    return Enumerated(xps[:-1], calls - 1, complete)


@_in_place_of("algorithm_4", "XP twice")
def _twice(xpg: ExplanationGraph) -> Enumerated:
    """Algorithm 4 lists its first XP again at the end."""
    xps, calls, complete = algorithm_4(xpg)
    return Enumerated([*xps, xps[0]], calls + 1, complete)


@_in_place_of("algorithm_4", "SAT call uncounted")
def _uncounted(xpg: ExplanationGraph) -> Enumerated:
    """The SAT call that ends Algorithm 4 is not counted."""
    xps, calls, complete = algorithm_4(xpg)
    return Enumerated(xps, calls - 1, complete)


@_in_place_of("all_xps", "largest CXp lost")
def _largest_lost(xpg: ExplanationGraph) -> list[XP]:
    """The enumeration without SAT loses the last CXp."""
    xps = all_xps(xpg)
    cxps = [xp for xp in xps if xp.kind is Kind.CXP]
    return [xp for xp in xps if xp not in cxps[-1:]]


@_in_place_of("all_xps", "AXps not minimal")
def _not_minimal(xpg: ExplanationGraph) -> list[XP]:
    """The enumeration without SAT lists all features as an AXp too."""
    return [*all_xps(xpg), XP(Kind.AXP, _all(xpg))]


@_in_place_of("tree_membership", "tested is relevant, in trees")
@_in_place_of("in_some_xp", "tested is relevant")
def _tested(xpg: ExplanationGraph, feature: int) -> bool:
    """A feature is said to be in some XP where it is tested."""
    return feature in xpg.variable_of


@_in_place_of("axps_with", "weak AXp for an AXp")
def _weak(xpg: ExplanationGraph) -> list[Features | None]:
    """The SAT query shows membership by the set of all features."""
    return [found and _all(xpg) for found in axps_with(xpg)]


@_in_place_of("tree_cxps", "candidates not minimal")
def _candidates(xpg: ExplanationGraph) -> TreeCxps:
    """The candidates of all paths of a tree are taken for its CXps."""
    candidates = set()
    waiting: list[tuple[int, Features]] = [(0, frozenset())]
    while waiting:
        node, freed = waiting.pop()
        variable = xpg.variable_of[node]
        if variable < 0:
            if xpg.is_zero[node]:
                candidates.add(freed)
            continue
        if xpg.one_child[node] >= 0:
            waiting.append((xpg.one_child[node], freed))
        waiting.extend((child, freed | {variable}) for child in xpg.zero_children[node])
    return TreeCxps(list(candidates), 0, 0)


@_in_place_of("tree_cxps", "paths walked twice")
def _walked_twice(xpg: ExplanationGraph) -> TreeCxps:
    """Every node of a tree is visited twice."""
    found = cxps_of_tree(xpg)
    return found._replace(visited=2 * found.visited)


@_in_place_of("closed_set", "only the root's literals held")
class _RootOnly:
    """A closed set holds the instance's values at the root alone."""

    name = engine = "closed set"

    def __init__(self, graph: DecisionGraph, point: Point) -> None:
        self._xpg = explanation_graph(graph, point)

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Answer wrongly where a fixed feature is tested below the root."""
        free = _all(self._xpg) - ({self._xpg.variable_of[0]} & set(fixed))
        return Answer(None if path_to_zero(self._xpg, free) else False, None, self.name)


@_in_place_of("exhaustive", "cells that differ in one feature")
class _OneFeature:
    """Only cells that differ from the instance in one feature are looked at."""

    name = engine = "exhaustive"

    def __init__(self, graph: DecisionGraph, point: Point) -> None:
        self._graph, self._point = graph, point

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Answer wrongly where two features have to change."""
        chosen = set(fixed)
        own = self._graph.kappa(self._point)
        for feature, value in enumerate(self._point):
            for other in self._graph.features[feature].domain.all_values().values - {value}:  # type: ignore[union-attr]
                changed = (*self._point[:feature], other, *self._point[feature + 1 :])
                if feature not in chosen and self._graph.kappa(changed) != own:
                    return Answer(True, changed, self.name)
        return Answer(False, None, self.name)
