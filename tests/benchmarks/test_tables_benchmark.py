"""The benchmark of whole tables runs, on a small one."""

from __future__ import annotations

from benchmarks import tables
from benchmarks.explain import random_tree


def test_it_runs_and_counts_every_row() -> None:
    report = tables.run(trees=((40, 6),), rows=60, alone=20, compared=2)
    ((name, nodes, rows, different, *figures),) = report.rows
    assert name == "40 leaves, depth ≤ 6"
    assert nodes == random_tree(40, 6, 0, tables.FEATURES).node_count
    assert rows == 60
    assert 0 < int(str(different)) <= 60
    assert all(figure is None or float(figure) > 0 for figure in figures)
    assert report.targets[0].met
