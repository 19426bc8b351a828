"""The closest change of a row of a tree, over all its CXps.

A point that differs from the row exactly on a CXp takes a path that these features, and no others, shut to the row.  So a
closest one takes the cells nearest to the row's on one of these paths, and all of them are tried.
"""

from __future__ import annotations

from fractions import Fraction

from xpgcheck.explanations.closest import CellRanking
from xpgcheck.explanations.distances import Distance, nearest_value
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.tables.asked import RowChange
from xpgcheck.xpg.explanation_graph import indices
from xpgcheck.xpg.tree_table import Places, RowCxps, TreeTable


class TreeChanges:
    """Finds closest changes of rows of one tree."""

    def __init__(self, graph: DecisionGraph, table: TreeTable) -> None:
        """Look at nothing yet."""
        self._graph = graph
        self._table = table

    def closest(self, point: Point, cells: Places, row: RowCxps) -> RowChange | None:
        """Return a closest change of *point*, which is in *cells*; None where nothing changes the class.

        Of two that are as close, the one of fewer features, then of the first.  O(paths) distances.
        """
        ranked: dict[int, CellRanking] = {}
        best: tuple[tuple[Distance, int, tuple[int, ...]], int, tuple[int, ...]] | None = None
        for mask, path in self._table.paths_of(cells, row):
            features = tuple(indices(mask))
            label, left = self._table.paths[path]
            count, value = 0, Fraction(0)
            chosen = []
            for feature in features:
                ranking = ranked.get(feature)
                if ranking is None:
                    ranking = ranked[feature] = CellRanking.of(self._graph.cells[feature], point[feature])
                nearest = ranking.nearest(left[feature])
                count += ranking.away[nearest].cells
                value += ranking.away[nearest].value
                chosen.append(nearest)
            key = Distance(count, value), len(features), features
            if best is None or key < best[0]:
                best = key, label, tuple(chosen)
        if best is None:
            return None
        (distance, _, features), label, chosen_cells = best
        values = []
        for feature, cell in zip(features, chosen_cells, strict=True):
            domain = self._graph.features[feature].domain
            values.append((feature, nearest_value(domain, self._graph.cells[feature][cell], point[feature])))
        return RowChange(tuple(values), label, distance, True)
