"""The bare table against the other second look at Eq. 1 and Eq. 2, which reads the project's graphs."""

import itertools

import pytest

from xpgcheck.paper.bounded import forms, truth
from xpgcheck.paper.bounded.cases import mask
from xpgcheck.paper.bounded.generation import Bound, generate
from xpgcheck.properties.definitions import Definition


def subsets(count):
    return [frozenset(c) for size in range(count + 1) for c in itertools.combinations(range(count), size)]


@pytest.mark.parametrize("bound", [Bound(3, 2, 2, 2), Bound(2, 2, 3, 3)], ids=str)
def test_the_table_is_the_definition(bound):
    sizes = set()
    for generated in generate(bound):
        found = truth.truth_of(bound, truth.ends(bound, generated.rows))
        graph = forms.merged(bound, generated.rows)
        definition = Definition(graph, forms.instance(bound))
        for fixed in subsets(bound.features):
            assert found.sufficient[mask(fixed)] == (definition.witness(fixed) is None), generated
        sizes.add((len(found.axps), len(found.cxps)))
    assert {(1, 0), (1, 1), (1, 2), (2, 1)} <= sizes


def test_families_of_two_features_by_hand():
    # x1 ∧ x2 at (0, 0), where 0 is false: each alone keeps it false.
    bound = Bound(2, 2, 2, 2)
    rows = ((0, 0, 17), (1, 0, 1))
    found = truth.truth_of(bound, truth.ends(bound, rows))
    assert found.sufficient == (False, True, True, True)
    assert found.axps == (0b01, 0b10)
    assert found.cxps == (0b11,)
    assert found.axp_inside(0b11, [0, 1]) == 0b10
    assert found.axp_inside(0b11, [1, 0]) == 0b01
    assert found.cxp_inside(0b11, [0, 1]) == 0b11


def test_what_ends_nowhere_is_of_no_class():
    bound = Bound(1, 1, 2, 2)
    ends = truth.ends(bound, ((0, 0, 64),))
    assert ends == {0: 0b01, truth.NOWHERE: 0b10}
    assert truth.truth_of(bound, ends).axps == (1,)


def test_points_are_numbered_alike():
    bound = Bound(0, 2, 3, 1)
    having = truth.points_having(2, 3)
    for number, point in enumerate(forms.points(bound)):
        assert all(having[feature][int(value)] >> number & 1 for feature, value in enumerate(point))


def test_minimal_hitting_sets():
    assert truth.minimal_hitting_sets([], 2) == (0,)
    assert truth.minimal_hitting_sets([0], 2) == ()
    assert truth.minimal_hitting_sets([0b011, 0b110], 3) == (0b010, 0b101)


def test_trees_get_leaves_of_their_own():
    bound = Bound(2, 2, 2, 2)
    rows = ((0, 0, 17), (1, 0, 1))
    assert not forms.merged(bound, rows).is_tree()
    tree = forms.with_leaves(bound, rows)
    assert tree.is_tree()
    assert tree.node_count == 5
    assert [tree.kappa(point) for point in forms.points(bound)] == [0, 0, 0, 1]
    shared = ((0, 17, 18), (1, 18, 0), (1, 0, 1))
    assert forms.with_leaves(Bound(3, 2, 2, 2), shared) is None
    assert forms.with_leaves(bound, ((0, 0, 1),)) is None
