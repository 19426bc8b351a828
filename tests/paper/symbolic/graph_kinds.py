"""Which tables are graphs of a kind, by going along every path: what the encoding of the kinds is compared with."""

from __future__ import annotations

from collections.abc import Iterator

from xpgcheck.paper.symbolic.graphs import GraphKind
from xpgcheck.paper.symbolic.plain import Features, Table

Left = tuple[Features, ...]


def path_ends(table: Table) -> Iterator[tuple[int, Left, Features]]:
    """Yield for each path from the root: its last node, what it leaves of each feature, the features tested before."""
    whole = frozenset(range(table.size.values))
    stack: list[tuple[int, Left, Features]] = [(0, (whole,) * table.size.features, frozenset())]
    while stack:
        node, left, tested = stack.pop()
        yield node, left, tested
        if node < table.size.nodes:
            i = table.feature[node]
            for child, literal in table.literals(node).items():
                rest = (*left[:i], left[i] & literal, *left[i + 1 :])
                stack.append((child, rest, tested | {i}))


def is_of_kind(table: Table, kind: GraphKind) -> bool:
    """Tell whether *table* is a graph of *kind*."""
    ways = [len(children) for node in table.leads for children in node]
    if kind is not GraphKind.OVERLAPPING and max(ways) > 1:
        return False
    if kind not in (GraphKind.UNCOVERED, GraphKind.CONSISTENT) and min(ways) == 0:
        return False
    if kind is GraphKind.INCONSISTENT:
        return True
    if kind is not GraphKind.CONSISTENT:
        return not any(r < table.size.nodes and table.feature[r] in tested for r, _, tested in path_ends(table))
    for node, left, _ in path_ends(table):
        if not all(left):
            return False
        if node < table.size.nodes and not all(table.leads[node][value] for value in left[table.feature[node]]):
            return False
    return True
