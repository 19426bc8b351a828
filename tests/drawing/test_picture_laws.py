"""Pictures of any graph, instance and XP obey the laws of pictures."""

from __future__ import annotations

from dataclasses import replace

import picture_laws as laws
import pytest
from hypothesis import given
from hypothesis import strategies as st
from svg_reading import Drawn

pytest.importorskip("graphlay", reason="graphlay is not installed: pip install 'xpgcheck[draw]'")

from xpgcheck.drawing.picture import Picture
from xpgcheck.drawing.view import View
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.properties.strategies import cases, graphs, trees
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.explanation_graph import explanation_graph
from xpgcheck.xpg.xps import XP, Kind

NAMES = st.one_of(
    st.text(min_size=1, max_size=60),
    st.sampled_from(
        ['<b>"bold" & more</b>', "]]>", "日本語のとても長い特徴の名前です", "العمر", "x" * 300, "\x00\n\t", "🏠" * 20]
    ),
)


@st.composite
def named_graphs(draw: st.DrawFn) -> DecisionGraph:
    """A graph with any names."""
    graph = draw(st.one_of(graphs(), trees()))
    texts = st.lists(NAMES, min_size=len(graph.features), max_size=len(graph.features), unique=True)
    features = tuple(replace(f, name=name) for f, name in zip(graph.features, draw(texts), strict=True))
    classes = draw(st.lists(NAMES, min_size=len(graph.classes), max_size=len(graph.classes), unique=True))
    return replace(graph, name=draw(NAMES), features=features, classes=tuple(classes))


@given(st.data())
def test_pictures_obey_the_laws(data: st.DataObject) -> None:
    graph, point = data.draw(cases(named_graphs()))
    features = data.draw(st.frozensets(st.sampled_from(range(len(graph.features)))))
    xp = data.draw(st.one_of(st.none(), st.builds(XP, st.sampled_from(Kind), st.just(features))))
    svg = Picture(View(graph, point, xp)).svg
    drawn = Drawn(svg)
    laws.nothing_runs(svg, drawn)
    laws.every_node_once(drawn, graph)
    laws.path_is_bold(drawn, graph, point)
    laws.marks_are_the_features(drawn, graph, xp)
    if xp is not None:
        laws.grey_is_not_reached(drawn, graph, point, xp)
    laws.nothing_overlaps(drawn)
    laws.everything_is_inside(drawn)
    laws.texts_fit_their_boxes(drawn)
    laws.ends_touch(drawn)
    assert Picture(View(graph, point, xp)).svg == svg


@given(graphs())
def test_a_model_alone_has_no_path_and_no_marks(graph: DecisionGraph) -> None:
    svg = Picture(View(graph)).svg
    drawn = Drawn(svg)
    laws.every_node_once(drawn, graph)
    laws.path_is_bold(drawn, graph, None)
    laws.marks_are_the_features(drawn, graph, None)
    assert all(item.states == frozenset() for item in drawn.items)


@given(cases())
def test_an_axp_reaches_its_class_alone_and_a_cxp_another_one(case: tuple[DecisionGraph, tuple[object, ...]]) -> None:
    graph, point = case
    for xp, _ in zip(enumerate_xps(explanation_graph(graph, point)), range(4), strict=False):  # type: ignore[arg-type]
        drawn = Drawn(Picture(View(graph, point, xp)).svg)  # type: ignore[arg-type]
        others = [item for item in drawn.of("terminal") if "other" in item.states]
        assert bool(others) == (xp.kind is Kind.CXP)


@given(cases(), st.integers(1, 6), st.data())
def test_folded_pictures_count_every_node(
    case: tuple[DecisionGraph, tuple[object, ...]], most: int, data: st.DataObject
) -> None:
    graph, point = case
    kind = data.draw(st.sampled_from(Kind))
    xp = XP(kind, data.draw(st.frozensets(st.sampled_from(range(len(graph.features))))))
    drawn = Drawn(Picture(View(graph, point, xp), most).svg)  # type: ignore[arg-type]
    hidden = [int(item.texts[0].split()[1].replace(",", "")) for item in drawn.of("fold")]
    assert len(drawn.nodes) + sum(hidden) == graph.node_count
    assert all(count > 1 for count in hidden)
    assert 0 in drawn.nodes
    laws.nothing_overlaps(drawn)
    laws.everything_is_inside(drawn)
    laws.texts_fit_their_boxes(drawn)
    laws.ends_touch(drawn)
    if hidden:
        shown = f"{len(drawn.nodes):,} of {graph.node_count:,} nodes are shown."
        assert shown in [text.text for text in drawn.root.iter() if text.text]
