"""Boosted forests: trained, their AXps found by boxes, and judged right by two routes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

# The benchmarks are in the checkout alone; last on the path, so that an installed xpgcheck comes first.
sys.path.append(str(Path(__file__).parents[2]))

from benchmarks import boosted


@pytest.mark.slow
def test_axps_of_a_boosted_forest_are_judged_right() -> None:
    pytest.importorskip("sklearn")
    report = boosted.run((("wine", 6, 2), ("made 2x4", 5, 2)), rows=2)
    assert [row[:5] for row in report.rows] == [["wine", 13, 6, 2, 3], ["made 2x4", 4, 5, 2, 2]]
    assert [row[-1] for row in report.rows] == [0, 0]
