"""Dummies and a tree of depth 8: over the original columns no AXp is redundant, and every change can exist."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sklearn")

# The example is that of the benchmark, which is in the checkout alone.
sys.path.append(str(Path(__file__).parents[2]))

from benchmarks.dummies import counted, dummies, exists, models, table
from xpgcheck.readers.instances import read_point

ROWS = 100


@pytest.fixture(scope="module")
def both() -> Any:
    return models()


def test_over_dummies_explanations_are_of_rows_that_cannot_exist(both: Any) -> None:
    """The reason for groups."""
    encoded, over = both
    found = counted(encoded, over, table()[0][:ROWS])
    assert found.axps > 100
    assert found.redundant > found.axps // 10
    assert found.impossible > found.changes // 2


def test_over_the_original_columns_none_is(both: Any) -> None:
    encoded, over = both
    assert [str(feature.domain) for feature in over.features[1:]] == [
        "'{free, own, rent}'",
        "'{clerk, engineer, nurse, student}'",
    ]
    assert over.is_tree()
    assert over.node_count <= encoded.node_count
    found = counted(over, over, table()[0][:ROWS])
    assert found.axps > 100
    assert found.changes > 100
    assert (found.redundant, found.impossible) == (0, 0)


def test_kappa_is_that_of_the_tree_on_dummies(both: Any) -> None:
    encoded, over = both
    for row in table()[0]:
        point = read_point(over.features, row)
        assert over.kappa(point) == encoded.kappa(read_point(encoded.features, dummies(row)))
        assert read_point(over.features, dummies(row)) == point


def test_what_can_exist() -> None:
    assert exists([40, 1, 0, 0, 0, 0, 1, 0], encoded=True)
    assert not exists([40, 1, 1, 0, 0, 0, 1, 0], encoded=True)
    assert not exists([40, 0, 0, 0.5, 0, 0, 1, 0], encoded=True)
    assert not exists([40, 0, 0, 0, 0, 0, 1, 0], encoded=True)
    assert exists([40, "own", "clerk"], encoded=False)
