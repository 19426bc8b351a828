"""Trees: all CXps with their steps, dualization, membership."""

import random

import pytest
from mutation_corpus import built, mask, minimal_sets, subsets

from xpgcheck.errors import InputError
from xpgcheck.xpg.trees import NotATreeError, Steps, axps_by_dualization, tree_cxps, tree_membership


def test_all_cxps_of_a_tree_smallest_first_and_counted():
    seen = 0
    for parts, xpg, truth in built():
        if not parts.is_tree():
            for refused in (tree_cxps, lambda xpg: tree_membership(xpg, 0)):
                with pytest.raises(NotATreeError) as caught:
                    refused(xpg)
                assert str(caught.value) == "this explanation graph is not a tree; enumerate it by Algorithm 4"
                assert caught.value.mend == "enumerate it by Algorithm 4"
                assert caught.value.place == ""
                assert isinstance(caught.value, InputError)
            continue
        seen += 1
        steps = Steps()
        assert (steps.visited, steps.compared) == (0, 0)
        found = tree_cxps(xpg, steps)
        assert type(found) is list
        assert all(type(cxp) is frozenset for cxp in found)
        assert len(found) == len(set(found))
        assert set(found) == truth.cxps
        assert [len(cxp) for cxp in found] == sorted(len(cxp) for cxp in found)
        assert tree_cxps(xpg) == found
        # Every node is met once; a terminal labelled 0 gives one candidate.
        leaves = sum(parts.is_zero)
        assert steps == Steps(len(parts.variable_of), leaves**2)
        tree_cxps(xpg, steps)
        assert steps == Steps(2 * len(parts.variable_of), 2 * leaves**2)
        relevant = frozenset().union(*truth.axps)
        assert [tree_membership(xpg, i) for i in range(parts.m)] == [i in relevant for i in range(parts.m)]
        assert set(axps_by_dualization(truth.cxps)) == truth.axps
    assert seen > 50


def test_dualization_is_minimal_hitting_sets():
    rng = random.Random(28)
    for _ in range(60):
        family = [frozenset(rng.sample(range(5), rng.randint(1, 4))) for _ in range(rng.randint(1, 5))]
        dual = minimal_sets(h for h in subsets(range(5)) if all(h & member for member in family))
        found = list(axps_by_dualization(iter([iter(member) for member in family])))
        assert all(type(hit) is frozenset for hit in found)
        assert len(found) == len(set(found))
        assert set(found) == dual
        assert mask(range(5)) == 31
    assert list(axps_by_dualization([])) == [frozenset()]
    assert list(axps_by_dualization(iter([]))) == [frozenset()]
