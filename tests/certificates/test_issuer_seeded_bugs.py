"""An issuer that goes wrong is found out: each bug makes a certificate that the checker refuses, within a few cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from tamperings import random_cases

from xpgcheck import embedded
from xpgcheck.certificates import closed_sets_and_points, completeness, family_lines
from xpgcheck.certificates.closed_sets_and_points import ClosedSet, GraphTables, OtherPoint
from xpgcheck.certificates.issuing import certificate
from xpgcheck.check_certificate import check_lines
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
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


def accepted(graph: DecisionGraph, points: Sequence[Point], method: str) -> bool:
    return check_lines(certificate(graph, points, method).encode().splitlines(keepends=True)).status == 0
