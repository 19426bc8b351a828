"""The benchmark of hardness at tiny sizes; nothing here is timed."""

import math
import sys
from pathlib import Path

import pytest

# The benchmarks are in the checkout alone; last on the path, so that an installed xpgcheck comes first.
sys.path.append(str(Path(__file__).parents[2]))

from benchmarks import hardness


def point(n, seconds, capped=False, answers=(True,)):
    return hardness.Point(n, 10.0 * n, seconds, list(answers), capped)


@pytest.mark.slow
def test_every_family_is_measured_at_small_sizes():
    report = hardness.run(picture=None, questions=2, largest=0.05)
    assert {row[0] for row in report.rows} == {family.name for family in hardness.families(1)}
    assert all(len(row) == len(report.columns) for row in report.rows)
    assert all(sum(row[3:6]) == 2 for row in report.rows)
    assert not report.targets


def test_a_family_ends_where_half_of_the_questions_are_given_up():
    asked = []

    def make(n, seed):
        answer = None if n == 3 or (n, seed) == (2, 0) else seed % 2 == 0
        return hardness.Question(n + seed, lambda: asked.append((n, seed)) or answer)

    curve = hardness.measured(hardness.Family("some", "P", (1, 2, 3, 4), make), 5, 20, 1e9, 1)
    assert [(p.n, p.capped, p.answers) for p in curve.points] == [
        (1, False, [True, False, True, False, True]),
        (2, False, [None, False, True, False, True]),
        (3, True, [None] * 3),
    ]
    assert curve.points[-1].seconds == 20
    assert curve.points[0].size == 3
    assert len(asked) == 13


def test_a_family_ends_where_its_time_is_used_up():
    family = hardness.Family("some", "P", (1, 2), lambda n, seed: hardness.Question(n, lambda: True))
    assert hardness.measured(family, 3, 20, 0, 1).points == []
    assert [p.n for p in hardness.measured(family, 3, 20, 1e9, 0.5).points] == [1]


def test_answers_that_differ_are_no_figures():
    one, other = (hardness.Curve(family) for family in hardness.families(1)[:2])
    one.points.append(point(1, 1, answers=[True, None, False]))
    other.points.append(point(1, 1, answers=[True, False, None]))
    hardness.compare(one, other)
    other.points[0].answers[0] = False
    with pytest.raises(AssertionError, match="differ at n = 1"):
        hardness.compare(one, other)


def test_growth_is_the_power_of_the_size():
    assert math.isclose(hardness.exponent(point(1, 1.0), point(2, 8.0)), 3)


@pytest.mark.extra
def test_the_picture_is_the_same_for_the_same_figures(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    from benchmarks import growth_chart

    curves = []
    for number, family in enumerate(hardness.families(1)):
        points = [point(n, 0.001 * n ** (6 - number)) for n in (1, 2, 4)]
        curves.append(hardness.Curve(family, [*points, point(8, 10.0, capped=True)]))
    first, second = tmp_path / "first.svg", tmp_path / "second.svg"
    for target in (first, second):
        growth_chart.draw(curves, 10.0, target)
    text = first.read_text(encoding="utf-8")
    assert text == second.read_text(encoding="utf-8")
    assert "<title>Time of deciding membership</title>" in text
    assert "<dc:date>" not in text
    assert "<script" not in text
