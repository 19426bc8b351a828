"""Wrong pictures are noticed: each seeded bug is caught by the law that is named for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import picture_laws as laws
import pytest
from svg_reading import Drawn

pytest.importorskip("graphlay", reason="graphlay is not installed: pip install 'xpgcheck[draw]'")

from xpgcheck import embedded
from xpgcheck.drawing import markup, picture, plan, shapes
from xpgcheck.drawing.picture import Picture
from xpgcheck.drawing.placing import Layout
from xpgcheck.drawing.view import View
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.xpg.xps import XP, Kind

HARDWARE = embedded.load("hardware")
GRAPH = replace(HARDWARE.graph, classes=('<b onclick="x">N</b>', "T", "L"))
POINT = HARDWARE.paper_instance or HARDWARE.instances[0]
AXP = XP(Kind.AXP, frozenset([0, 3]))

Law = Callable[[str, Drawn], None]

LAWS: dict[str, Law] = {
    "nothing runs": laws.nothing_runs,
    "nodes": lambda svg, drawn: laws.every_node_once(drawn, GRAPH),
    "path": lambda svg, drawn: laws.path_is_bold(drawn, GRAPH, POINT),
    "marks": lambda svg, drawn: laws.marks_are_the_features(drawn, GRAPH, AXP),
    "grey": lambda svg, drawn: laws.grey_is_not_reached(drawn, GRAPH, POINT, AXP),
    "overlaps": lambda svg, drawn: laws.nothing_overlaps(drawn),
    "inside": lambda svg, drawn: laws.everything_is_inside(drawn),
    "texts": lambda svg, drawn: laws.texts_fit_their_boxes(drawn),
    "ends": lambda svg, drawn: laws.ends_touch(drawn),
}


def drawn() -> str:
    return Picture(View(GRAPH, POINT, AXP)).svg


def test_the_right_picture_obeys_every_law() -> None:
    svg = drawn()
    for law in LAWS.values():
        law(svg, Drawn(svg))


def squeezed(layout: Layout) -> Layout:
    """A layout that forgets how wide labels are."""
    return replace(layout, routes=tuple(replace(r, label=layout.middles[0]) for r in layout.routes))


def cut(layout: Layout) -> Layout:
    return replace(layout, height=layout.height - 40)


def crossed(layout: Layout) -> Layout:
    """A layout whose routes belong to the edges in another order."""
    return replace(layout, routes=layout.routes[::-1])


def patch_layout(change: Callable[[Layout], Layout]) -> Callable[[pytest.MonkeyPatch], None]:
    original = picture.place
    return lambda patch: patch.setattr(picture, "place", lambda planned: change(original(planned)))


def patch_view(**changes: Any) -> Callable[[pytest.MonkeyPatch], None]:
    def apply(patch: pytest.MonkeyPatch) -> None:
        for name, value in changes.items():
            patch.setattr(View, name, value)

    return apply


def leave_out_an_edge(patch: pytest.MonkeyPatch) -> None:
    arrows = plan._arrows
    patch.setattr(plan, "_arrows", lambda *arguments: arrows(*arguments)[:-1])


def forget_to_escape(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(markup, "escape", lambda text: text)


def narrow_boxes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(plan, "text_width", lambda text, size, bold=False: len(text) * 2.0)


def draw_the_path_thin(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(shapes, "BOLD", shapes.THIN)


def first_children(graph: DecisionGraph) -> dict[int, int]:
    return {0: graph.children[0][0], graph.children[0][0]: -1}


BUGS: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], str]] = {
    "names are not escaped": (forget_to_escape, "nothing runs"),
    "an edge is left out": (leave_out_an_edge, "nodes"),
    "the path takes first children": (patch_view(taken=property(lambda view: first_children(view.graph))), "path"),
    "the path is as thin as the rest": (draw_the_path_thin, "path"),
    "all features but the XP's are marked": (
        patch_view(is_marked=lambda view, node: view.graph.feature_of[node] not in view.xp.features),
        "marks",
    ),
    "an AXp frees its features": (
        patch_view(fixed=property(lambda view: frozenset(range(4)) - view.xp.features)),
        "grey",
    ),
    "every edge of a reached node is open": (
        patch_view(is_open=lambda view, node, child: bool(view.active[node])),
        "grey",
    ),
    "labels have no place of their own": (patch_layout(squeezed), "overlaps"),
    "the lowest row is cut": (patch_layout(cut), "inside"),
    "edges take the routes of others": (patch_layout(crossed), "ends"),
    "boxes are too narrow for their texts": (narrow_boxes, "texts"),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_is_caught(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    apply, law = BUGS[bug]
    apply(monkeypatch)
    svg = drawn()
    if law == "nothing runs":
        # Markup from a name may leave the picture well formed, and then it must be seen, or not.
        with pytest.raises((AssertionError, SyntaxError)):
            LAWS[law](svg, Drawn(svg))
        return
    with pytest.raises(AssertionError):
        LAWS[law](svg, Drawn(svg))
