"""Wrong explanations are noticed: each seeded bug is caught by the law that is named for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import laws
import pytest
from hard_cases import hard_cases
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from nearest_law import a_nearest_value_is_nearest

from xpgcheck.errors import XpgcheckError
from xpgcheck.explanations import families_shown, preferences, roles, smallest
from xpgcheck.explanations.closest import ClosestSearch
from xpgcheck.explanations.distances import NONE, Distance
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.properties.running.hypothesis_internals import without_local_constants
from xpgcheck.properties.strategies import cases

Law = Callable[[DecisionGraph, Point, st.DataObject], None]


def names_of(graph: DecisionGraph) -> list[str]:
    return [feature.name for feature in graph.features]


def wishes(graph: DecisionGraph, point: Point, data: st.DataObject) -> None:
    names = data.draw(st.permutations(names_of(graph)))
    first, second = sorted(data.draw(st.tuples(*[st.integers(0, len(names))] * 2)))
    laws.wishes_are_granted_where_they_can(graph, point, names[:first], names[second:])


def smallest_without(graph: DecisionGraph, point: Point, data: st.DataObject) -> None:
    never = data.draw(st.lists(st.sampled_from(names_of(graph)), unique=True, max_size=2))
    laws.a_smallest_is_minimum(graph, point, never)


def plain(law: Callable[[DecisionGraph, Point], None]) -> Law:
    return lambda graph, point, data: law(graph, point)


def first_seen_wins(search: Any, seen: set[Any], node: int, masks: Any, features: Any) -> bool:
    """Forget what a path has left of the features: a node is taken once."""
    if node in seen:
        return True
    seen.add(node)
    return False


def highest(mask: int) -> int:
    return mask.bit_length() - 1


def all_one(cells: Any, value: Any) -> list[Distance]:
    return [NONE if value in cell else replace_cells(1) for cell in cells]


def replace_cells(cells: int) -> Distance:
    return Distance(cells, NONE.value)


def claims_completeness(xpg: Any, limit: int | None = None) -> Any:
    axps, cxps = right_families(xpg, limit)
    return replace(axps, total=len(axps.masks)), replace(cxps, total=len(cxps.masks))


def loses_the_last(xpg: Any, limit: int | None = None) -> Any:
    axps, cxps = right_families(xpg, limit)
    return replace(axps, masks=axps.masks[:-1], total=len(axps.masks) - 1), cxps


def greedy(finder: Any, kind: Any, never: int = 0) -> int | None:
    found = preferences.preferred_xp(finder.xpg, kind, (), never)
    return None if found is None else found.mask


right_families = families_shown.all_families
right_smallest = smallest.smallest_xp
right_preferred = preferences.preferred_xp

BUGS: dict[str, tuple[str, object, Law]] = {
    "a list lacks an AXp": (
        "xpgcheck.explanations.graph_explainer.all_families",
        loses_the_last,
        plain(laws.families_are_all_xps),
    ),
    "a part is called complete": (
        "xpgcheck.explanations.graph_explainer.all_families",
        claims_completeness,
        plain(laws.a_limit_is_honest),
    ),
    "the farthest cell is taken": (
        "xpgcheck.explanations.closest._Ranking.nearest",
        lambda ranking, mask: highest(mask),
        plain(laws.closest_points_are_closest),
    ),
    "every cell is one away": (
        "xpgcheck.explanations.closest.distances",
        all_one,
        plain(laws.closest_points_are_closest),
    ),
    "literals do not narrow": (
        "xpgcheck.explanations.closest.ClosestSearch._literal_mask",
        lambda search, literal: -1 & (1 << 40) - 1,
        plain(laws.closest_points_are_closest),
    ),
    "any path is called closest": (
        "xpgcheck.explanations.closest.ClosestSearch._search",
        ClosestSearch._any_path,
        plain(laws.closest_points_are_closest),
    ),
    "a node is visited once in a shared graph": (
        "xpgcheck.explanations.closest.ClosestSearch._seen",
        first_seen_wins,
        plain(laws.closest_points_are_closest),
    ),
    "membership is read off a truncated list": (
        "xpgcheck.explanations.roles._relevant",
        lambda xpg, known: known,
        plain(laws.roles_are_exact),
    ),
    "necessary means sufficient": (
        "xpgcheck.explanations.roles.necessary",
        lambda xpg, fixed, free: fixed & ~roles.droppable(xpg, fixed),
        plain(laws.roles_are_exact),
    ),
    "a minimal XP is called smallest": ("xpgcheck.explanations.graph_explainer.smallest_xp", greedy, smallest_without),
    "a smallest XP holds what it should not": (
        "xpgcheck.explanations.graph_explainer.smallest_xp",
        lambda finder, kind, never=0: right_smallest(finder, kind),
        smallest_without,
    ),
    "preferences are only an order": ("xpgcheck.explanations.preferences._weak_xp_holding", lambda *_: None, wishes),
    "never is forgotten": (
        "xpgcheck.explanations.graph_explainer.preferred_xp",
        lambda xpg, kind, prefer, never=0: right_preferred(xpg, kind, prefer),
        wishes,
    ),
    "the obstacle is of the wrong kind": (
        "xpgcheck.explanations.graph_explainer.shrink_cxp",
        lambda xpg, never: never,
        wishes,
    ),
    "any value of the cell is called nearest": (
        "nearest_law.nearest_value",
        lambda domain, cell, value: cell.representative(),
        lambda graph, point, data: a_nearest_value_is_nearest(graph, point),
    ),
}


@pytest.mark.parametrize("bug", BUGS.values(), ids=BUGS)
def test_a_seeded_bug_is_caught(bug: tuple[str, object, Law], monkeypatch: pytest.MonkeyPatch) -> None:
    target, wrong, law = bug
    monkeypatch.setattr(target, wrong)
    if target.endswith("_relevant"):
        monkeypatch.setattr("xpgcheck.explanations.families_shown.xp_masks", lambda xpg: None)
    with pytest.raises((AssertionError, XpgcheckError)):
        searched(law)


def searched(law: Law) -> None:
    """Look for a case that breaks *law*, the same cases each time; without a bug the laws hold (test_explanation_laws)."""

    @settings(
        max_examples=1_000,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        report_multiple_bugs=False,
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(st.one_of(cases(), hard_cases()), st.data())
    def holds(case: tuple[DecisionGraph, Point], data: st.DataObject) -> None:
        law(*case, data)

    # Hypothesis draws constants of the modules that are loaded: with them, the cases would be others in every run.
    with without_local_constants():
        holds()
