"""The map to an XpG, ε, σ and masks, exactly, on small graphs."""

import dataclasses
import random

import pytest
from mutation_corpus import built, cases, labelled, mask, subsets

from xpgcheck.errors import InputError, InstanceError
from xpgcheck.xpg import explanation_graph as module
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.explanation_graph import (
    ExplanationGraph,
    explanation_graph,
    features_of,
    from_labels,
    indices,
    mask_of,
)


def test_epsilon_and_sigma_are_reachability_by_open_edges():
    for parts, xpg, truth in built():
        everything = frozenset(range(parts.m))
        for fixed in subsets(everything):
            active = parts.reached(everything - fixed)
            assert xpg.epsilon(fixed) == bytes([node in active for node in range(len(parts.variable_of))])
            assert xpg.sigma(fixed) is (fixed in truth.weak_axps)


def test_epsilon_of_a_graph_by_hand():
    """The root leads to node 1 by its 1-edge, to nodes 2 and 3 by 0-edges; node 1 has no 1-edge."""
    variable_of = (0, 1, 1, -1, -1)
    xpg = ExplanationGraph(("a", "b"), variable_of, (1, -1, 4, -1, -1), ((2, 3), (3,), (3,), (), ()), b"\0\0\0\1\0")
    assert xpg.epsilon([]) == b"\1\1\1\1\1"
    assert xpg.epsilon([0]) == b"\1\1\0\1\0"
    assert xpg.epsilon([1]) == b"\1\1\1\1\1"
    assert xpg.epsilon([1, 0]) == b"\1\1\0\0\0"
    assert type(xpg.epsilon(iter([0]))) is bytes
    assert [xpg.sigma(s) for s in ([], [0], [1], iter([0, 1]))] == [False, False, False, True]
    assert xpg.node_count == 5
    assert xpg.all_variables == 3
    assert xpg.shape == (False, True, (2, 1, 0))
    assert not xpg.is_tree()
    assert xpg.cheapest_is_minimal


def test_derived_fields_on_the_corpus():
    for parts, xpg, _ in built():
        count = len(parts.variable_of)
        assert xpg.node_count == count
        assert xpg.all_variables == 2**parts.m - 1
        assert xpg.bit_of == tuple(2**v if v >= 0 else 0 for v in parts.variable_of)
        assert type(xpg.live) is bytes
        assert xpg.live == bytes([v >= 0 or z == 1 for v, z in zip(parts.variable_of, parts.is_zero, strict=True)])
        assert xpg.is_tree() is parts.is_tree()
        assert xpg.cheapest_is_minimal is (parts.is_tree() or parts.is_read_once())
        inner = [node for node in range(count) if parts.variable_of[node] >= 0]
        assert xpg.shape == (parts.is_tree(), parts.is_read_once(), tuple(reversed(inner)))


def test_masks_of_many_variables_are_made_when_needed(monkeypatch):
    parts, xpg, _ = built()[7]
    assert type(xpg.bit_of) is tuple
    for many, kind in ((parts.m, tuple), (parts.m - 1, module._Bits)):
        monkeypatch.setattr(module, "MANY_VARIABLES", many)
        again = parts.build()
        assert type(again.bit_of) is kind
        assert len(again.bit_of) == len(parts.variable_of)
        assert list(again.bit_of) == list(xpg.bit_of)
        with pytest.raises(IndexError):
            again.bit_of[len(parts.variable_of)]


def test_columns_of_unequal_length_are_refused():
    parts = built()[7][0]
    assert parts.variable_of
    shape = parts.build().shape
    names = tuple(f"s{i}" for i in range(parts.m))
    columns = (names, parts.variable_of, parts.one_child, parts.zero_children, parts.is_zero)
    for column in (2, 3, 4):
        shorter = [c[:-1] if k == column else c for k, c in enumerate(columns)]
        with pytest.raises(ValueError, match=r"zip\(\) argument"):
            ExplanationGraph(*shorter)
    with pytest.raises(ValueError, match=r"zip\(\) argument"):
        ExplanationGraph(names, parts.variable_of, parts.one_child, parts.zero_children, parts.is_zero + b"\0", shape)


def test_explanation_graphs_are_frozen_and_compared_by_identity():
    parts, xpg, _ = built()[7]
    with pytest.raises(dataclasses.FrozenInstanceError):
        xpg.variables = ()
    with pytest.raises((AttributeError, TypeError)):
        xpg.another = 1
    assert xpg != parts.build()
    assert len({xpg, parts.build()}) == 2
    assert repr(xpg).startswith(f"ExplanationGraph(variables={xpg.variables!r}, variable_of={xpg.variable_of!r}")
    assert not any(name in repr(xpg) for name in ("shape=", "bit_of=", "live="))


def mapped(graph, point):
    """The mapping by its text: (one child, zero children) a node."""
    for node in range(len(graph.feature_of)):
        holding, others = [], []
        for child, index in zip(graph.children[node], graph.literal_ids[node], strict=True):
            feature, values = graph.literals[index]
            (holding if point[feature] in values else others).append(child)
        assert len(holding) <= 1
        yield (holding or [-1])[0], tuple(others)


def test_the_map_from_a_decision_graph_and_a_point():
    met = set()
    for graph, point in cases():
        xpg = explanation_graph(graph, point)
        ones, zeros = zip(*mapped(graph, point), strict=True)
        assert xpg.one_child == ones
        assert xpg.zero_children == zeros
        assert all(type(children) is tuple for children in (xpg.one_child, xpg.zero_children, *xpg.zero_children))
        assert xpg.variables == tuple(feature.name for feature in graph.features)
        assert xpg.variable_of == graph.feature_of
        assert xpg.shape is graph.shape
        target = graph.kappa(point)
        assert xpg.is_zero == bytes([c >= 0 and c != target for c in graph.class_of])
        assert type(xpg.is_zero) is bytes
        met |= {
            (len(c), graph.children[k].index(ones[k]) if ones[k] >= 0 else -1) for k, c in enumerate(graph.children)
        }
    assert {(1, 0), (1, -1), (2, 0), (2, 1), (2, -1), (3, 0), (3, 1), (3, 2), (3, -1)} <= met


def test_points_outside_feature_space_are_refused():
    graph, point = cases()[3]
    for wrong in ((*point, True), (), (None,) * len(point)):
        with pytest.raises(InstanceError) as caught:
            explanation_graph(graph, wrong)
        assert (
            str(caught.value) == "the point is not in the model's feature space; give one domain value for each feature"
        )
        assert caught.value.problem == "the point is not in the model's feature space"
        assert caught.value.mend == "give one domain value for each feature"
        assert caught.value.place == ""


@pytest.mark.parametrize("children", [2, 3])
def test_a_decision_graph_whose_columns_do_not_fit_is_refused(children):
    graph, point = next(case for case in cases() if any(len(c) == children for c in case[0].children))
    node = next(k for k, c in enumerate(graph.children) if len(c) == children)
    assert explanation_graph(graph, point)
    with pytest.raises(ValueError, match=r"zip\(\) argument"):
        explanation_graph(dataclasses.replace(graph, children=(*graph.children, ())), point)
    if children == 3:
        longer = [(*ids, ids[0]) if k == node else ids for k, ids in enumerate(graph.literal_ids)]
        with pytest.raises(ValueError, match=r"zip\(\) argument"):
            explanation_graph(dataclasses.replace(graph, literal_ids=tuple(longer)), point)


def test_the_map_from_labels():
    for parts, xpg, _ in built():
        graph = labelled(parts)
        again = from_labels(graph)
        # The reader numbers nodes again: compare by the nodes' own names.
        name = graph.node_ids
        number = {old: new for new, old in enumerate(name)}
        assert again.variables == xpg.variables
        assert again.variable_of == tuple(parts.variable_of[old] for old in name)
        assert again.one_child == tuple(number.get(parts.one_child[old], -1) for old in name)
        assert again.zero_children == tuple(tuple(number[c] for c in parts.zero_children[old]) for old in name)
        assert again.is_zero == bytes([parts.is_zero[old] for old in name])
        assert again.shape is graph.shape
        assert type(again.one_child) is type(again.zero_children) is tuple
        assert type(again.is_zero) is bytes
    with pytest.raises(ValueError, match=r"zip\(\) argument"):
        from_labels(dataclasses.replace(graph, terminal_label=(*graph.terminal_label, True)))


def test_masks_and_sets_are_one_another():
    rng = random.Random(22)
    for features in [*subsets(range(6)), *(frozenset(rng.sample(range(300), 20)) for _ in range(20))]:
        number = mask(features)
        assert mask_of(features) == mask_of(iter(sorted(features))) == mask_of([*features, *features]) == number
        assert indices(number) == sorted(features)
        assert type(indices(number)) is list
        assert features_of(number) == features
        assert type(features_of(number)) is frozenset


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: explanation_graph("x", ()),
            "graph: 'x' is not a decision graph; pass what xpgcheck.read_model(path) or from_sklearn(tree) returns",
        ),
        (
            lambda: explanation_graph(cases()[0][0], [1]),
            "point: [1] is not a point; pass what xpgcheck.read_point(graph.features, instance) returns",
        ),
        (
            lambda: enumerate_xps("x"),
            "xpg: 'x' is not an explanation graph; pass what xpgcheck.explanation_graph(graph, point) returns",
        ),
        (
            lambda: enumerate_xps(next(iter(built()))[1], -1),
            "limit: -1 is not an integer from 0; pass such a number",
        ),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(call, said):
    with pytest.raises(InputError) as caught:
        call()
    assert str(caught.value) == said
