"""All CXps of many rows of one tree at once: its paths against the rows, as bit masks.

A row is given by its *cells*: for each feature the index of the cell that holds its value.  Take a row and a path to a
terminal of another class: the features whose cell is not among those that the path leaves are a weak CXp, and every CXp is
one of these sets.  So the CXps are the subset-minimal ones among them (Proposition 6 of the tree's explanation graph,
without the graph).  NumPy works out the masks of a block of rows in one pass a feature.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.xpg.families import minimal
from xpgcheck.xpg.tree_boxes import TreePaths

BLOCK = 512
"""Rows whose masks are held at a time."""

WORD = 64
"""Tested features up to which a set of them is one number for NumPy."""

MAX_TABLE = 1 << 27
"""Cells times paths that are tabulated (128 MiB); for larger trees each row is compared with each path."""

Places = Sequence[int]
"""A row: of each feature the index of the cell that its value is in."""


class RowCxps(NamedTuple):
    """The class that a row is given, and the masks of all its CXps, the smallest number first."""

    label: int
    cxps: list[int]


class TreeTable:
    """The paths of a tree, for rows of cells to be held against.

    ``paths`` are the class at the end of each path, and the cells that it leaves of each feature on it, as bits.
    """

    def __init__(self, graph: DecisionGraph) -> None:
        """Follow every path of *graph*, a tree.  O(nodes · depth), and the table of all cells against all paths."""
        self.paths: Sequence[tuple[int, dict[int, int]]] = TreePaths(graph).paths
        self._tested = sorted({feature for _, left in self.paths for feature in left})
        # Where they fit into a word, bits of NumPy's masks are those of the features.
        self._own_bits = not self._tested or self._tested[-1] < WORD
        self._bits = self._tested if self._own_bits else list(range(len(self._tested)))
        self._tables: list[Any] | None = None
        size = sum(len(graph.cells[feature]) for feature in self._tested) * len(self.paths)
        if len(self._tested) <= WORD and size <= MAX_TABLE:
            self._tables = _tables(graph, self.paths, self._tested)

    def cxps(self, rows: Sequence[Places]) -> Iterator[RowCxps]:
        """Yield the class and the CXps of each of *rows*.

        O(rows · paths · features) operations on numbers, most of them NumPy's, and for a row its CXps times its paths.
        """
        if self._tables is None:
            yield from map(self._of_row, rows)
            return
        for start in range(0, len(rows), BLOCK):
            yield from self._of_block(rows[start : start + BLOCK], self._tables)

    def paths_of(self, row: Places, found: RowCxps) -> Iterator[tuple[int, int]]:
        """Yield the CXps of *row*, which are *found*, each with the index of a path to another class that it opens alone."""
        wanted = set(found.cxps)
        for path, mask in enumerate(self._shut(row)):
            if mask in wanted and self.paths[path][0] != found.label:
                yield mask, path

    def _shut(self, row: Places) -> list[int]:
        """Return of each path the features of *row* that shut it."""
        if self._tables is not None:
            import numpy

            shut = numpy.zeros(len(self.paths), dtype=numpy.uint64)
            for feature, bit, table in zip(self._tested, self._bits, self._tables, strict=True):
                shut |= table[row[feature]].astype(numpy.uint64) << numpy.uint64(bit)
            masks: list[int] = shut.tolist()
            return masks if self._own_bits else [self._expanded(mask) for mask in masks]
        found = []
        for _, left in self.paths:
            mask = 0
            for feature, bits in left.items():
                if not bits >> row[feature] & 1:
                    mask |= 1 << feature
            found.append(mask)
        return found

    def _of_row(self, row: Places) -> RowCxps:
        """Return the CXps of one row without NumPy."""
        shut = self._shut(row)
        label = self.paths[shut.index(0)][0]
        others = {mask for mask, (other, _) in zip(shut, self.paths, strict=True) if other != label}
        return RowCxps(label, sorted(minimal(list(others))))

    def _of_block(self, rows: Sequence[Places], tables: list[Any]) -> Iterator[RowCxps]:
        import numpy

        cells = numpy.array(rows, dtype=numpy.int64).reshape(len(rows), -1)
        labels = numpy.array([label for label, _ in self.paths])
        shut = numpy.zeros((len(rows), len(labels)), dtype=numpy.uint64)
        for feature, bit, table in zip(self._tested, self._bits, tables, strict=True):
            shut |= table[cells[:, feature]].astype(numpy.uint64) << numpy.uint64(bit)
        # A row's own path is the one that nothing shuts.
        own = labels[(shut == 0).argmax(axis=1)]
        for row, label in zip(shut, own.tolist(), strict=True):
            cxps = _minimal(row[labels != label])
            yield RowCxps(label, cxps if self._own_bits else sorted(map(self._expanded, cxps)))

    def _expanded(self, mask: int) -> int:
        """Return a mask over the tested features as one over all."""
        return sum(1 << feature for place, feature in enumerate(self._tested) if mask >> place & 1)


def _tables(
    graph: DecisionGraph, paths: Sequence[tuple[int, dict[int, int]]], tested: Sequence[int]
) -> list[Any] | None:
    """Return of each tested feature, of each of its cells and each path, whether the path shuts the cell out, as a byte.

    None without NumPy.
    """
    try:
        import numpy
    except ImportError:
        return None
    tables = []
    for feature in tested:
        cells = len(graph.cells[feature])
        whole = (1 << cells) - 1
        shut = numpy.zeros((cells, len(paths)), dtype=numpy.uint8)
        known: dict[int, Any] = {}
        for path, (_, left) in enumerate(paths):
            out = whole & ~left.get(feature, whole)
            if not out:
                continue
            if out not in known:
                packed = numpy.frombuffer(out.to_bytes(-(-cells // 8), "little"), dtype=numpy.uint8)
                known[out] = numpy.unpackbits(packed, count=cells, bitorder="little")
            shut[:, path] = known[out]
        tables.append(shut)
    return tables


def _minimal(masks: Any) -> list[int]:
    """Return the subset-minimal ones of an array of masks, the smallest number first.

    A subset of a set is never the larger number: so of what is left, the least is minimal, and what holds it is not.
    """
    import numpy

    rest = numpy.unique(masks)
    kept = []
    while rest.size:
        least = rest[0]
        kept.append(int(least))
        rest = rest[rest & least != least]
    return kept
