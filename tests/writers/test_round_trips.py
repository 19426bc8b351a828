"""Reading what was written gives an equal object, for every kind of graph that the strategies know."""

from __future__ import annotations

import pytest
from hypothesis import given

from xpgcheck.errors import InstanceError
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.model.values import Point
from xpgcheck.properties.strategies import cases, graphs
from xpgcheck.readers.json_model import parse_json
from xpgcheck.readers.xpg import parse_xpg
from xpgcheck.writers.json_model import model_json
from xpgcheck.writers.xpg import write_xpg, xpg_of
from xpgcheck.xpg.explanation_graph import explanation_graph, from_labels


@given(graphs())
def test_json(graph: DecisionGraph) -> None:
    text = model_json(graph)
    assert parse_json(text.encode()) == graph
    assert model_json(parse_json(text.encode())) == text


def known_by_name(graph: LabelledGraph) -> tuple[object, ...]:
    """Return *graph* with its variables by name, for files drop those that no node tests, and ids in order."""
    names = tuple("" if variable < 0 else graph.variables[variable] for variable in graph.variable_of)
    return names, graph.edges, graph.terminal_label


@given(cases())
def test_xpg(case: tuple[DecisionGraph, Point]) -> None:
    graph, point = case
    labels = xpg_of(graph, point)
    text = write_xpg(labels)
    back = parse_xpg(text.encode(), graph.name)
    assert known_by_name(back) == known_by_name(labels)
    assert parse_xpg(write_xpg(back).encode(), graph.name) == back
    assert write_xpg(back) == text


@given(cases())
def test_the_labels_are_those_of_the_explanation_graph(case: tuple[DecisionGraph, Point]) -> None:
    """Two ways to the same XpG: the explainer's own mapping, and the labels that are written."""
    graph, point = case
    own, written = explanation_graph(graph, point), from_labels(xpg_of(graph, point))
    for field in ("variables", "variable_of", "one_child", "zero_children", "is_zero"):
        assert getattr(own, field) == getattr(written, field)


@given(graphs())
def test_a_point_outside_feature_space_has_no_labels(graph: DecisionGraph) -> None:
    with pytest.raises(InstanceError, match="not in the model's feature space"):
        xpg_of(graph, ())
