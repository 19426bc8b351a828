"""Seeded bugs: each replaces one function of the code by a wrong one, and turns a law red.

Which law is caught by which is named in ``Law.turned_red_by``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

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
from xpgcheck.xpg.explanation_graph import ExplanationGraph, explanation_graph, features_of, mask_of
from xpgcheck.xpg.find_one import SeedError, find_axp
from xpgcheck.xpg.traversal import cheapest_path, path_to_zero
from xpgcheck.xpg.xps import XP, Kind


def _refuse_retested(graph: DecisionGraph) -> None:
    check_assumptions(graph)
    if not graph.shape.read_once:
        raise ValueError("a feature is tested twice on a path")


def _first_edge(graph: DecisionGraph, point: Point) -> int:
    node = 0
    while graph.children[node]:
        node = graph.children[node][0]
    return node


def _class_0(graph: DecisionGraph, point: Point) -> ExplanationGraph:
    xpg = explanation_graph(graph, point)
    return _with(xpg, is_zero=bytes(class_index > 0 for class_index in graph.class_of))


def _first_value(graph: DecisionGraph, point: Point) -> ExplanationGraph:
    """An edge is labelled 1 only where the value is the first of its literal, as where parallel edges are overwritten."""
    xpg = explanation_graph(graph, point)
    ones = []
    zeros = []
    for node, one in enumerate(xpg.one_child):
        kept = one < 0 or len(_edge(graph, node, one).values) == 1
        ones.append(one if kept else -1)
        zeros.append(xpg.zero_children[node] if kept else (*xpg.zero_children[node], one))
    return _with(xpg, one_child=tuple(ones), zero_children=tuple(zeros))


def _edge(graph: DecisionGraph, node: int, child: int) -> Any:
    return next(edge.values for edge in graph.edges(node) if edge.child == child)


def _with(xpg: ExplanationGraph, **changed: Any) -> ExplanationGraph:
    kept = {name: getattr(xpg, name) for name in ("variables", "variable_of", "one_child", "zero_children", "is_zero")}
    return ExplanationGraph(**{**kept, **changed}, known_shape=xpg.shape)


def _swapped(xpg: ExplanationGraph, fixed: Iterable[int]) -> bool:
    return xpg.sigma(set(range(len(xpg.variables))) - set(fixed))


def _one_0_edge(xpg: ExplanationGraph, free: Iterable[int]) -> bool:
    return path_to_zero(_with(xpg, zero_children=tuple(children[:1] for children in xpg.zero_children)), free)


def _no_1_edge(xpg: ExplanationGraph, free: Iterable[int]) -> bool:
    freed = set(free)
    ones = [-1 if variable in freed else one for variable, one in zip(xpg.variable_of, xpg.one_child, strict=True)]
    return path_to_zero(_with(xpg, one_child=tuple(ones)), freed)


def _last_kept(xpg: ExplanationGraph, seed: Features, order: Sequence[int] | None) -> Features:
    found = find_axp(xpg, seed, order)
    last = max(seed, default=None)
    return found if last is None else found | {last}


def _on_trust(xpg: ExplanationGraph, seed: Features, order: Sequence[int] | None) -> Features:
    try:
        return find_axp(xpg, seed, order)
    except SeedError:
        return seed


def _backwards(xpg: ExplanationGraph, seed: Features) -> Features:
    return find_axp(xpg, seed, range(len(xpg.variables))[::-1])


def _cheapest(xpg: ExplanationGraph, seed: Features, order: Sequence[int] | None) -> Features:
    if order is not None:
        return OURS.find_cxp(xpg, seed, order)
    found = cheapest_path(xpg, mask_of(seed))
    return OURS.find_cxp(xpg, seed, None) if found is None else features_of(found)


def _dropped_where_no_path(xpg: ExplanationGraph, seed: Features) -> Features:
    left = set(seed)
    for feature in sorted(seed):
        if not path_to_zero(xpg, left - {feature}):
            left.discard(feature)
    return frozenset(left)


def _last_lost(xpg: ExplanationGraph) -> Enumerated:
    xps, calls, complete = algorithm_4(xpg)
    return Enumerated(xps[:-1], calls - 1, complete)


def _twice(xpg: ExplanationGraph) -> Enumerated:
    xps, calls, complete = algorithm_4(xpg)
    return Enumerated([*xps, xps[0]], calls + 1, complete)


def _uncounted(xpg: ExplanationGraph) -> Enumerated:
    xps, calls, complete = algorithm_4(xpg)
    return Enumerated(xps, calls - 1, complete)


def _largest_lost(xpg: ExplanationGraph) -> list[XP]:
    xps = all_xps(xpg)
    cxps = [xp for xp in xps if xp.kind is Kind.CXP]
    return [xp for xp in xps if xp != cxps[-1]] if cxps else xps


def _not_minimal(xpg: ExplanationGraph) -> list[XP]:
    everything = frozenset(range(len(xpg.variables)))
    return [*all_xps(xpg), XP(Kind.AXP, everything)]


def _tested(xpg: ExplanationGraph, feature: int) -> bool:
    return feature in xpg.variable_of


def _weak(xpg: ExplanationGraph) -> list[Features | None]:
    everything = frozenset(range(len(xpg.variables)))
    return [found and everything for found in axps_with(xpg)]


def _candidates(xpg: ExplanationGraph) -> TreeCxps:
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


def _walked_twice(xpg: ExplanationGraph) -> TreeCxps:
    found = cxps_of_tree(xpg)
    return found._replace(visited=2 * found.visited)


class _RootOnly:
    """A closed set that holds the instance's values at the root alone."""

    name = engine = "closed set"

    def __init__(self, graph: DecisionGraph, point: Point) -> None:
        self._xpg = explanation_graph(graph, point)

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Answer wrongly where a fixed feature is tested below the root."""
        free = set(range(len(self._xpg.variables))) - ({self._xpg.variable_of[0]} & set(fixed))
        return Answer(None if path_to_zero(self._xpg, free) else False, None, self.name)


class _OneFeature:
    """Looks only at cells that differ from the instance in one feature."""

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


@dataclass(frozen=True, slots=True)
class Bug:
    """A wrong *code*, its *name*, and a *bound* within which a law turns red."""

    name: str
    code: Code
    bound: str


def _bug(name: str, field: str, wrong: Callable[..., Any], bound: str = "2,2,2,2") -> Bug:
    return Bug(name, replace(OURS, **{field: wrong}), bound)


BUGS = (
    _bug("retested features refused", "check_assumptions", _refuse_retested),
    _bug("first edge taken", "terminal", _first_edge),
    _bug("class 0 labelled 1", "explanation_graph", _class_0),
    _bug("first value labelled", "explanation_graph", _first_value),
    _bug("fixed and free swapped", "sigma", _swapped),
    _bug("one 0-edge a node", "path_to_zero", _one_0_edge, "2,2,3,2"),
    _bug("no 1-edge where free", "path_to_zero_as_printed", _no_1_edge),
    _bug("last feature kept", "find_axp", _last_kept),
    _bug("seed taken on trust", "find_axp", _on_trust),
    _bug("one pass backwards", "find_axp_by_deletion", _backwards),
    _bug("cheapest path taken for a CXp", "find_cxp", _cheapest, "3,3,3,2"),
    _bug("dropped where no path", "find_cxp_by_deletion", _dropped_where_no_path),
    _bug("last XP lost", "algorithm_4", _last_lost),
    _bug("XP twice", "algorithm_4", _twice),
    _bug("SAT call uncounted", "algorithm_4", _uncounted),
    _bug("largest CXp lost", "all_xps", _largest_lost),
    _bug("AXps not minimal", "all_xps", _not_minimal),
    _bug("tested is relevant", "in_some_xp", _tested),
    _bug("weak AXp for an AXp", "axps_with", _weak),
    _bug("candidates not minimal", "tree_cxps", _candidates, "3,2,2,2"),
    _bug("paths walked twice", "tree_cxps", _walked_twice),
    _bug("tested is relevant, in trees", "tree_membership", _tested),
    _bug("only the root's literals held", "closed_set", _RootOnly),
    _bug("cells that differ in one feature", "exhaustive", _OneFeature),
)
