import itertools

import pytest

from xpgcheck.paper.symbolic.cases import Cube, both, by_first, by_last, uncovered
from xpgcheck.paper.symbolic.graphs import Size
from xpgcheck.paper.symbolic.theorems import THEOREMS


def holding(cubes, assignment):
    return [cube for cube in cubes if all(assignment[abs(literal) - 1] == (literal > 0) for literal in cube.literals)]


def assignments(variables):
    return itertools.product((False, True), repeat=variables)


def test_one_of_the_firsts_holds_or_none_of_a_row():
    cubes = by_first([[1, 2], [3, 4, 5]])
    assert len(cubes) == 2 * 3 + 2
    for assignment in assignments(5):
        held = holding(cubes, assignment)
        assert held
        if any(assignment[:2]) and any(assignment[2:]):
            assert len(held) == 1


def test_exactly_one_is_the_last():
    cubes = by_last([1, 2, 3])
    assert all(len(holding(cubes, assignment)) == 1 for assignment in assignments(3))


def test_cubes_within_a_cube():
    assert both(Cube((1, -2)), [Cube((3,), (0,)), Cube((-3,))]) == [Cube((1, -2, 3), (0,)), Cube((1, -2, -3))]


def test_a_case_that_is_left_out_is_found():
    cubes = by_first([[1, 2], [3, 4]])
    assert uncovered(cubes) is None
    for left_out in cubes:
        missed = uncovered([cube for cube in cubes if cube != left_out])
        assert missed is not None
        assert set(left_out.literals) <= set(missed)


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.key)
def test_the_cubes_of_every_theorem_cover_all_cases(theorem):
    size = Size(3, 2, 3)
    for kind in theorem.kinds:
        for part in theorem.parts(size):
            assert uncovered(theorem.denial(size, kind, part).cubes) is None
