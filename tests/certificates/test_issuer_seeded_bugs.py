"""An issuer that goes wrong is found out: each bug makes a certificate that the checker refuses, within a few cases."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from naive_ensembles import settled, small_ensembles
from tamperings import random_cases

from xpgcheck import embedded
from xpgcheck.certificates import box_trees, closed_sets_and_points, completeness, family_lines
from xpgcheck.certificates.box_trees import SearchResult
from xpgcheck.certificates.closed_sets_and_points import ClosedSet, GraphTables, OtherPoint
from xpgcheck.certificates.issuing import certificate
from xpgcheck.check_certificate import check_lines
from xpgcheck.errors import InputError, UndecidedError
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.properties.strategies.points import draw_point
from xpgcheck.xpg import choose

Cases = list[tuple[DecisionGraph, list[Point]]]
Bug = Callable[[pytest.MonkeyPatch], None]


@pytest.fixture(scope="module")
def cases() -> Cases:
    hard = embedded.load("mofn_3_7_10")  # whose families unit propagation alone does not refute
    return [*random_cases(60), (hard.graph, list(hard.instances[:3]))]


@pytest.fixture(autouse=True)
def _nothing_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(family_lines, "_remembered", family_lines._claims)


def altered(
    change: Callable[[ClosedSet | OtherPoint], ClosedSet | OtherPoint], name: str = "evidence_of"
) -> Callable[[pytest.MonkeyPatch], None]:
    def plant(patch: pytest.MonkeyPatch) -> None:
        plain = closed_sets_and_points.evidence_of

        def wrong(*arguments: Any, **options: Any) -> list[ClosedSet | OtherPoint]:
            return [change(item) for item in plain(*arguments, **options)]

        patch.setattr(family_lines, name, wrong)

    return plant


def a_node_short(item: ClosedSet | OtherPoint) -> ClosedSet | OtherPoint:
    """Drop the last node of a closed set."""
    if isinstance(item, OtherPoint):
        return item
    nodes = int(item.nodes, 16)
    return item._replace(nodes=f"{nodes & ~(1 << (nodes.bit_length() - 1)):x}")


def a_feature_short(item: ClosedSet | OtherPoint) -> ClosedSet | OtherPoint:
    """Say that a closed set fixes one feature less than it does."""
    return item if isinstance(item, OtherPoint) else item._replace(fixed=item.fixed & (item.fixed - 1))


def a_change_short(item: ClosedSet | OtherPoint) -> ClosedSet | OtherPoint:
    """Leave out the first change of a point."""
    if isinstance(item, ClosedSet):
        return item
    rest = item.text.split("],[", 1)
    return item._replace(text="[[" + rest[1] if len(rest) == 2 else "[]")


def another_cell(patch: pytest.MonkeyPatch) -> None:
    """Take the last of the cells, and of every feature the same, whatever the literal holds."""
    plain = GraphTables.change

    def wrong(self: GraphTables, feature: int, cells: int) -> str:
        return plain(self, feature, 1 << (len(self.graph.cells[feature]) - 1))

    patch.setattr(GraphTables, "change", wrong)


def partners_of_the_first(patch: pytest.MonkeyPatch) -> None:
    """Refer to the first piece of evidence for each member."""
    plain = family_lines._partners

    def wrong(family: Sequence[int], others: Sequence[int]) -> list[dict[int, int]]:
        return [dict.fromkeys(found, 0) for found in plain(family, others)]

    patch.setattr(family_lines, "_partners", wrong)


def no_search(patch: pytest.MonkeyPatch) -> None:
    """Take every family to be refuted by unit propagation alone."""
    patch.setattr(completeness, "refutation", lambda axps, cxps: [[]])


def only_half(patch: pytest.MonkeyPatch) -> None:
    """Enumerate all but one XP, and call the rest all."""
    plain = choose.xp_masks

    def wrong(xpg: Any) -> Any:
        found = plain(xpg)
        return found if found is None else (found[0][1:], found[1])

    patch.setattr("xpgcheck.certificates.issuing.xp_masks", wrong)
    patch.setattr(completeness, "refutation", lambda axps, cxps: [[1], [-1], []])


def nearest_leaf(patch: pytest.MonkeyPatch) -> None:
    """Let each leaf of a decision tree name the first claim."""
    plain = completeness.decision_tree

    def wrong(axps: Sequence[int], cxps: Sequence[int]) -> list[int] | None:
        nodes = plain(axps, cxps)
        return nodes if nodes is None else [node if node >= 0 else -1 for node in nodes]

    patch.setattr(completeness, "decision_tree", wrong)


BUGS: dict[str, tuple[Bug, str]] = {
    "a node short": (altered(a_node_short), "rup"),
    "a feature short": (altered(a_feature_short), "rup"),
    "a change short": (altered(a_change_short), "rup"),
    "another cell": (another_cell, "rup"),
    "partners of the first": (partners_of_the_first, "rup"),
    "no search": (no_search, "rup"),
    "an XP short": (only_half, "rup"),
    "the first leaf everywhere": (nearest_leaf, "tree"),
}


@pytest.mark.parametrize("name", BUGS)
def test_a_wrong_issuer_is_refused(name: str, cases: Cases, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, method = BUGS[name]
    assert all(accepted(graph, points, method) for graph, points in cases[:10])
    plant(monkeypatch)
    assert not all(accepted(graph, points, method) for graph, points in cases)


# ------------------------------------------------------------------------------------------------------ of ensembles


def replaced(name: str, change: Callable[..., Any]) -> Bug:
    """Return what lets *change* have the last word on what the search's method *name* says."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        plain = getattr(box_trees.Search, name)
        patch.setattr(
            box_trees.Search, name, lambda self, *arguments: change(self, plain(self, *arguments), *arguments)
        )

    return plant


def decided_at_once(search: Any, found: SearchResult, whole: Any) -> SearchResult:
    """Take every box to be decided as it is."""
    return found if found.boxes is None else SearchResult([-1], None)


def halves_the_other_way_round(search: Any, found: SearchResult, whole: Any) -> SearchResult:
    """Write the place of a cut one further."""
    if found.boxes is None or len(found.boxes) == 1:
        return found
    return SearchResult([found.boxes[0], found.boxes[1] + 1, *found.boxes[2:]], None)


def a_box_short(search: Any, found: SearchResult, whole: Any) -> SearchResult:
    """Leave the last box out."""
    return found if found.boxes is None else SearchResult(found.boxes[:-1], None)


def any_point(search: Any, found: SearchResult, whole: Any) -> SearchResult:
    """Take the whole box for one in which another class wins."""
    return found if found.boxes is not None else SearchResult(None, whole)


def first_half_alone(search: Any, found: Any, part: Any) -> Any:
    """Take the second half of a cut to be decided."""
    feature, cut, low, high = found
    return feature, cut, low, high._replace(views=(), best=(), margins=())


def ties_win(patch: pytest.MonkeyPatch) -> None:
    """Take a rival to need one unit more than it does."""
    plain = box_trees.ForestPaths._view

    def wrong(self: Any, own: int, rival: int) -> Any:
        view = plain(self, own, rival)
        return view._replace(enough=view.enough + 1)

    patch.setattr(box_trees.ForestPaths, "_view", wrong)


def worst_terminal(patch: pytest.MonkeyPatch) -> None:
    """Begin with the terminals that are worst for the rival."""
    plain = box_trees.ForestPaths._view

    def wrong(self: Any, own: int, rival: int) -> Any:
        view = plain(self, own, rival)
        for order in view.order:
            order.sort(key=lambda leaf: view.weight[leaf])
            for position, leaf in enumerate(order):
                view.place[leaf] = position
        return view

    patch.setattr(box_trees.ForestPaths, "_view", wrong)


ENSEMBLE_BUGS: dict[str, Bug] = {
    "decided at once": replaced("boxes", decided_at_once),
    "a cut moved": replaced("boxes", halves_the_other_way_round),
    "a box short": replaced("boxes", a_box_short),
    "any point": replaced("boxes", any_point),
    "the first half alone": replaced("_halves", first_half_alone),
    "ties win": ties_win,
    "the worst terminal": worst_terminal,
}


@functools.cache
def ensemble_cases() -> tuple[tuple[Ensemble, Point], ...]:
    """Return small ensembles, each with an instance at which nothing lies within rounding and some feature is needed."""
    found: list[tuple[Ensemble, Point]] = []

    @seed(0)
    @settings(
        max_examples=500,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def drawn(data: st.DataObject) -> None:
        model = data.draw(small_ensembles())
        instances = settled(model, [draw_point(data.draw, model)])
        found.extend((model, instance.v) for instance in instances if instance.cxps)

    drawn()
    return tuple(found)


@pytest.mark.parametrize("name", ENSEMBLE_BUGS)
def test_a_wrong_issuer_of_ensembles_writes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line is checked before it is handed out; what the searches say wrongly shows there, or as families that clash."""
    ENSEMBLE_BUGS[name](monkeypatch)
    assert any(writes_nothing(model, point) for model, point in ensemble_cases())


def writes_nothing(model: Ensemble, point: Point) -> bool:
    try:
        certificate(model, [point])
    except (UndecidedError, InputError):
        return True
    return False


def accepted(graph: DecisionGraph, points: Sequence[Point], method: str) -> bool:
    return check_lines(certificate(graph, points, method).encode().splitlines(keepends=True)).status == 0
