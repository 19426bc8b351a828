"""Decision graphs as small tables, and the paper's definitions on them by their text, in plain Python.

Nothing here knows of formulas: counterexamples are replayed with it, and the encoding is compared with it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from xpgcheck.paper.symbolic.graphs import Size

Features = frozenset[int]
Point = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A graph: the feature that each non-terminal tests, and for each of its values the children that it leads to.

    The terminals follow the non-terminals: first that of the class of the instance (0, …, 0), then that of the others.
    """

    size: Size
    feature: tuple[int, ...]
    leads: tuple[tuple[tuple[int, ...], ...], ...]

    def literals(self, node: int) -> dict[int, Features]:
        """Return, for each child of *node*, the values that lead to it."""
        found: dict[int, set[int]] = {}
        for value, children in enumerate(self.leads[node]):
            for child in children:
                found.setdefault(child, set()).add(value)
        return {child: frozenset(found[child]) for child in sorted(found)}

    def reached(self) -> list[int]:
        """Return what paths from the root lead to, in ascending order."""
        found = {0}
        for node in range(self.size.nodes):
            if node in found:
                found.update(self.literals(node))
        return sorted(found)


def end(table: Table, point: Point) -> int | None:
    """Return the terminal that *point* reaches, taking the first of several edges; None where it is led nowhere."""
    node = 0
    while node < table.size.nodes:
        children = table.leads[node][point[table.feature[node]]]
        if not children:
            return None
        node = min(children)
    return node


def other_class(table: Table, point: Point) -> bool:
    """Tell whether *point* does not have the class of the instance."""
    return end(table, point) != table.size.same


def points(size: Size) -> Iterator[Point]:
    """Yield all points."""
    return itertools.product(range(size.values), repeat=size.features)


def suffices(table: Table, fixed: Features) -> bool:
    """Eq. 1: tell whether all points that agree with the instance on *fixed* have its class."""
    return witness(table, fixed) is None


def witness(table: Table, fixed: Features) -> Point | None:
    """Return a point of another class that agrees with the instance on *fixed*."""
    return next((x for x in points(table.size) if not any(x[i] for i in fixed) and other_class(table, x)), None)


def sigma(table: Table, fixed: Features) -> bool:
    """Eq. 3 and Eq. 4: tell whether no path by open edges leads to a terminal of another class."""
    active = {0}
    for node in range(table.size.nodes):
        if node in active:
            free = table.feature[node] not in fixed
            active.update(child for child, literal in table.literals(node).items() if free or 0 in literal)
    return table.size.other not in active


def algorithm_2(table: Table, seed: Features) -> Features:
    """Algorithm 2, features in ascending order."""
    for i in sorted(seed):
        if sigma(table, seed - {i}):
            seed = seed - {i}
    return seed


def algorithm_3(table: Table, seed: Features) -> Features:
    """Algorithm 3, features in ascending order."""
    everything = frozenset(range(table.size.features))
    for i in sorted(seed):
        if not sigma(table, everything - (seed - {i})):
            seed = seed - {i}
    return seed


def document(table: Table, name: str) -> dict[str, Any]:
    """Return *table* as a ``decision-graph`` document (docs/reference/format.md); it need not keep the assumptions.

    Nodes that no path reaches are left out.  Values are false and true where there are two, else ``"0"``, ``"1"`` …
    """
    size = table.size
    boolean = size.values == 2
    domain = {"type": "boolean"} if boolean else {"type": "categorical", "values": [str(k) for k in range(size.values)]}
    nodes: list[dict[str, Any]] = []
    for node in table.reached():
        if node >= size.nodes:
            nodes.append({"id": node, "class": "same" if node == size.same else "other"})
            continue
        edges = [
            {"to": child, "in": [bool(value) if boolean else str(value) for value in sorted(literal)]}
            for child, literal in table.literals(node).items()
        ]
        nodes.append({"id": node, "feature": f"x{table.feature[node] + 1}", "edges": edges})
    return {
        "format": "decision-graph",
        "version": 1,
        "name": name,
        "features": [{"name": f"x{i + 1}", "domain": domain} for i in range(size.features)],
        "classes": ["same", "other"],
        "root": 0,
        "nodes": nodes,
    }
