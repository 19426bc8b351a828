"""On generated graphs of every kind: explanations are what the definitions say, by each of the methods behind them."""

from __future__ import annotations

import laws
import pytest
from hard_cases import hard_cases
from hypothesis import given
from hypothesis import strategies as st

from xpgcheck.explanations import closest
from xpgcheck.explanations.api import explain
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.labelled_graph import LabelledNode, labelled_graph
from xpgcheck.model.values import Point
from xpgcheck.properties.strategies import cases, trees

Drawn = tuple[DecisionGraph, Point]

any_case = st.one_of(cases(), hard_cases())


@pytest.fixture(params=["families", "Algorithm 4"])
def method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Take families in one pass, or Algorithm 4 as on large graphs."""
    if request.param == "Algorithm 4":
        monkeypatch.setattr("xpgcheck.explanations.families_shown.xp_masks", lambda xpg: None)
    return str(request.param)


@pytest.mark.usefixtures("method")
@given(any_case)
def test_the_families_are_all_xps(case: Drawn) -> None:
    laws.families_are_all_xps(*case)


@pytest.mark.usefixtures("method")
@given(any_case)
def test_a_limit_is_honest(case: Drawn) -> None:
    laws.a_limit_is_honest(*case)


@given(any_case)
def test_closest_points_are_closest(case: Drawn) -> None:
    laws.closest_points_are_closest(*case)


@given(cases(trees()))
def test_closest_points_of_trees_are_closest(case: Drawn) -> None:
    laws.closest_points_are_closest(*case)


@given(any_case)
def test_roles_are_exact(case: Drawn) -> None:
    laws.roles_are_exact(*case)


@given(cases(trees()))
def test_roles_of_large_trees_are_exact(case: Drawn) -> None:
    """Over a size, trees are asked by SAT as other graphs are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("xpgcheck.explanations.roles.LARGE_TREE", 0)
        patch.setattr("xpgcheck.explanations.families_shown.xp_masks", lambda xpg: None)
        laws.roles_are_exact(*case)


@given(any_case, st.data())
def test_a_smallest_is_minimum(case: Drawn, data: st.DataObject) -> None:
    names = [feature.name for feature in case[0].features]
    laws.a_smallest_is_minimum(*case, data.draw(st.lists(st.sampled_from(names), unique=True, max_size=2)))


@given(any_case, st.data())
def test_wishes_are_granted_where_they_can(case: Drawn, data: st.DataObject) -> None:
    names = data.draw(st.permutations([feature.name for feature in case[0].features]))
    first, second = sorted(data.draw(st.tuples(*[st.integers(0, len(names))] * 2)))
    laws.wishes_are_granted_where_they_can(*case, names[:first], names[second:])


@given(any_case)
def test_a_closest_search_that_is_cut_short_says_so_and_still_changes_the_class(case: Drawn) -> None:
    graph, point = case
    found = explain(graph, point)
    search = closest.ClosestSearch(graph, point, found.case.xpg, budget=0)
    for mask, cxp in zip(found.families[laws.Kind.CXP].masks, found.cxps, strict=True):
        guess = search.closest(mask)
        assert not guess.proven
        assert guess.prediction != found.prediction
        assert guess.distance >= found.closest(cxp).distance
        changed = {f.name for f, old, new in zip(graph.features, point, guess.point, strict=True) if old != new}
        assert changed == set(cxp)


@given(any_case)
def test_a_model_of_labels_has_the_same_explanations(case: Drawn) -> None:
    """The parts of a model and an instance that an .xpg file keeps are enough for all of it but values."""
    graph, point = case
    variables = [feature.name for feature in graph.features]
    nodes: dict[NodeId, LabelledNode] = {}
    for node in range(graph.node_count):
        edges = tuple((edge.child, point[graph.feature_of[node]] in edge.values) for edge in graph.edges(node))
        terminal = graph.class_of[node] == graph.kappa(point)
        nodes[node] = terminal if graph.is_terminal(node) else (graph.feature_of[node], edges)
    found, expected = explain(labelled_graph("labels", variables, nodes, 0)), explain(graph, point)
    assert (found.axps, found.cxps, found.necessary) == (expected.axps, expected.cxps, expected.necessary)
    assert found.relevant == expected.relevant
