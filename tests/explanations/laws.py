"""Laws of explanations, each as one function of a case that fails by assertion."""

from __future__ import annotations

from collections.abc import Sequence

from brute_force import Names, Truth, truth

from xpgcheck.explanations.api import explain, explain_one
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.xpg.xps import Kind


def as_sets(family: Sequence[tuple[str, ...]]) -> set[Names]:
    sets = {frozenset(names) for names in family}
    assert len(sets) == len(family), "an XP is listed twice"
    return sets


def families_are_all_xps(graph: DecisionGraph, point: Point) -> None:
    expected, found = truth(graph, point), explain(graph, point)
    assert found.complete
    assert as_sets(found.axps) == expected.axps
    assert as_sets(found.cxps) == expected.cxps
    assert found.prediction == graph.classes[graph.kappa(point)]
    order = [feature.name for feature in graph.features]
    assert all(list(xp) == [name for name in order if name in xp] for xp in (*found.axps, *found.cxps))
    assert [len(xp) for xp in found.axps] == sorted(len(xp) for xp in found.axps)


def a_limit_is_honest(graph: DecisionGraph, point: Point) -> None:
    expected = truth(graph, point)
    total = len(expected.axps) + len(expected.cxps)
    for limit in (1, 2, total - 1, total, total + 1):
        if limit < 1:
            continue
        found = explain(graph, point, limit=limit)
        axps, cxps = as_sets(found.axps), as_sets(found.cxps)
        assert axps <= expected.axps
        assert cxps <= expected.cxps
        assert len(axps) + len(cxps) == min(limit, total)
        assert found.complete == (limit >= total)
        assert found.families[Kind.AXP].total in (None, len(expected.axps))
        assert found.families[Kind.CXP].total in (None, len(expected.cxps))
        assert ("t least" in str(found) or "he smallest" in str(found)) == (limit < total)


def closest_points_are_closest(graph: DecisionGraph, point: Point) -> None:
    expected, found = truth(graph, point), explain(graph, point)
    names = [feature.name for feature in graph.features]
    for cxp in found.cxps:
        change = found.closest(cxp)
        assert set(change.values) == set(cxp)
        there = tuple(change.values.get(name, value) for name, value in zip(names, point, strict=True))
        assert {name for name, old, new in zip(names, point, there, strict=True) if old != new} == set(cxp)
        assert change.prediction == graph.classes[graph.kappa(there)]
        assert change.prediction != found.prediction
        assert change.proven
        assert tuple(change.distance) == expected.distance[frozenset(cxp)]


def roles_are_exact(graph: DecisionGraph, point: Point) -> None:
    expected = truth(graph, point)
    for found in (explain(graph, point), explain(graph, point, limit=1), explain_one(graph, point)):
        assert set(found.relevant) == expected.relevant
        assert set(found.necessary) == expected.necessary
        in_every_cxp = frozenset.intersection(*expected.cxps) if expected.cxps else frozenset()
        assert set(found.case.names_in(found.roles.in_every_cxp)) == in_every_cxp


def a_smallest_is_minimum(graph: DecisionGraph, point: Point, never: Sequence[str] = ()) -> None:
    expected = truth(graph, point)
    found = explain_one(graph, point, smallest=True, never=never)
    for family, allowed in _wished(found.axps, found.cxps, expected, never):
        assert as_sets(family) <= allowed
        assert [len(xp) for xp in family] == ([min(map(len, allowed))] if allowed else [])


def wishes_are_granted_where_they_can(
    graph: DecisionGraph, point: Point, prefer: Sequence[str], never: Sequence[str]
) -> None:
    expected = truth(graph, point)
    found = explain_one(graph, point, prefer=prefer, never=never)
    for kind, (family, allowed) in zip(Kind, _wished(found.axps, found.cxps, expected, never), strict=True):
        assert as_sets(family) <= allowed
        assert len(family) == bool(allowed)
        wish = found.wishes[kind]
        if not allowed:
            obstacle = frozenset(found.case.names_in(wish.obstacle or 0))
            assert wish.obstacle is not None
            assert obstacle <= set(never)
            assert obstacle in (expected.cxps if kind is Kind.AXP else expected.axps)
            continue
        assert wish.obstacle is None
        held: set[str] = set()
        for name in prefer:
            if any(held | {name} <= xp for xp in allowed):
                held.add(name)
        assert held <= set(family[0])
        assert set(found.case.names_in(wish.left_out)) == set(prefer) - held


def _wished(
    axps: Sequence[tuple[str, ...]], cxps: Sequence[tuple[str, ...]], expected: Truth, never: Sequence[str]
) -> list[tuple[Sequence[tuple[str, ...]], set[Names]]]:
    return [
        (axps, {xp for xp in expected.axps if not xp & set(never)}),
        (cxps, {xp for xp in expected.cxps if not xp & set(never)}),
    ]
