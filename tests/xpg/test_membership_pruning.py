"""Preparation of membership: a path that frees a feature, and the pruned XpG.  Against enumeration and by hand."""

import pytest
from any_explanation_graphs import CORPUS, weak_cxps

from xpgcheck.xpg.explanation_graph import ExplanationGraph
from xpgcheck.xpg.membership import in_some_xp
from xpgcheck.xpg.membership_pruning import path_through, pruned


def freed_by_paths(xpg, node=0):
    """Return the features that each path from *node* to a 0-terminal frees, path by path."""
    if xpg.is_zero[node]:
        yield 0
    if xpg.one_child[node] >= 0:
        yield from freed_by_paths(xpg, xpg.one_child[node])
    for child in xpg.zero_children[node]:
        for freed in freed_by_paths(xpg, child):
            yield freed | 1 << xpg.variable_of[node]


def test_a_path_through_a_feature_is_one_of_all_paths():
    none = 0
    for xpg in CORPUS:
        freed = set(freed_by_paths(xpg))
        for i in range(len(xpg.variables)):
            found = path_through(xpg, i, xpg.all_variables)
            through = {free for free in freed if free >> i & 1}
            assert found in through if through else found is None
            none += found is None
    assert none > 100


def test_only_the_features_given_are_freed():
    fewer = 0
    for xpg in CORPUS:
        freed = set(freed_by_paths(xpg))
        for free in range(1 << len(xpg.variables)):
            for i in range(len(xpg.variables)):
                through = {path for path in freed if path >> i & 1 and not path & ~free}
                found = path_through(xpg, i, free)
                assert found in through if through else found is None
                fewer += found is None and path_through(xpg, i, xpg.all_variables) is not None
    assert fewer > 1000


def test_on_read_once_graphs_it_frees_fewest():
    checked = 0
    for xpg in CORPUS:
        if xpg.shape.read_once:
            for i in range(len(xpg.variables)):
                through = [free.bit_count() for free in freed_by_paths(xpg) if free >> i & 1]
                found = path_through(xpg, i, xpg.all_variables)
                assert (None if found is None else found.bit_count()) == min(through, default=None)
                checked += len(set(through)) > 1
    assert checked > 5


def test_the_pruned_graph_has_the_same_weak_xps():
    smaller = 0
    for xpg in CORPUS:
        small = pruned(xpg)
        assert weak_cxps(small) == weak_cxps(xpg)
        assert small.variables == xpg.variables
        assert small.node_count <= xpg.node_count
        smaller += small.node_count < xpg.node_count
    assert smaller > 300


def test_the_pruned_graph_is_an_xpg_with_nothing_to_prune():
    for xpg in CORPUS:
        small = pruned(xpg)
        n = small.node_count
        parts = list(zip(small.variable_of, small.one_child, small.zero_children, strict=True))
        children = [{*zeros, *([one] if one >= 0 else [])} for _, one, zeros in parts]
        assert all(child > node for node in range(n) for child in children[node])
        assert set().union({0}, *children) == set(range(n))
        assert sum(variable < 0 for variable in small.variable_of) == 1
        assert small.is_zero[-1] or n == 1
        assert len(set(parts)) == n
        assert all(zeros and one not in zeros for variable, one, zeros in parts if variable >= 0)
        again = ExplanationGraph(small.variables, *zip(*parts, strict=True), small.is_zero)
        assert (again.shape.tree, again.shape.upward) == (small.shape.tree, small.shape.upward)
        assert again.shape.read_once or not small.shape.read_once
        assert pruned(small).node_count == n


def test_what_pruning_does_by_hand():
    """Nodes 0 and 1 as they are; 2: its 0-edge goes where its 1-edge goes; 3 and 4 are equal; 5 has no way to a 0."""
    variable_of = (0, 1, 2, 3, 3, 2, -1, -1)
    one = (1, 2, 4, 7, 7, 7, -1, -1)
    zeros = ((5, 3), (6,), (3,), (6,), (6,), (7,), (), ())
    xpg = ExplanationGraph(tuple("abcd"), variable_of, one, zeros, b"\0\0\0\0\0\0\1\0")
    small = pruned(xpg)
    assert small.variable_of == (0, 1, 3, -1)
    assert small.one_child == (1, 2, -1, -1)
    assert small.zero_children == ((2,), (3,), (3,), ())
    assert small.is_zero == b"\0\0\0\1"


@pytest.mark.parametrize("zero", [b"\0", b"\1"])
def test_a_terminal_is_pruned_to_itself(zero):
    xpg = ExplanationGraph(("a",), (-1,), (-1,), ((),), zero)
    small = pruned(xpg)
    assert (small.node_count, small.is_zero) == (1, zero)
    assert small.is_tree()
    assert path_through(xpg, 0, 1) is None
    assert not in_some_xp(xpg, 0)
