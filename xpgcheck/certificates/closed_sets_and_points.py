"""Closed sets of nodes and points of another class, for many sets of free features in one pass over the graph.

Free some features and fix the others at their values in v.  The nodes that are then reached are the least closed set: it
shows that what is fixed is a weak AXp where no terminal of another class is in it.  Where one is, a path to it gives a
point of another class that differs from v in free features only.

All sets of free features that an instance asks about are followed at once, one bit a set: a node carries the sets that
reach it.  So the evidence for hundreds of explanations takes one traversal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from xpgcheck.certificates.canonical_texts import value_json
from xpgcheck.errors import ModelError
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.graph_errors import path_text
from xpgcheck.xpg.explanation_graph import ExplanationGraph, indices

AT_ONCE = 256
"""Sets of free features that one pass follows: more would take memory, not less time."""


class ClosedSet(NamedTuple):
    """Nodes as a hexadecimal number (bit k is node k) that are closed where the features in the mask ``fixed`` are."""

    fixed: int
    nodes: str

    @property
    def shown(self) -> str:
        """The evidence as a field of a JSON object."""
        return f'"nodes":"{self.nodes}"'


class BoxTree(NamedTuple):
    """A tree of boxes, as JSON text, where ``fixed`` is fixed: it stands for a closed set where the model is an ensemble."""

    fixed: int
    boxes: str

    @property
    def shown(self) -> str:
        """The evidence as a field of a JSON object."""
        return f'"boxes":{self.boxes}'


class OtherPoint(NamedTuple):
    """A point of another class: the mask of the features in which it differs from v, and its changes as JSON text."""

    changed: int
    text: str


class GraphTables:
    """The tables that points of one graph's certificates are made from; made once, for every instance."""

    def __init__(self, graph: DecisionGraph) -> None:
        """O(edges + literals' ranges of cells)."""
        self.graph = graph
        self.terminals = [node for node, class_index in enumerate(graph.class_of) if class_index >= 0]
        # For each node the edges that lead to it: their starts, the features of these, and the literals' cells as masks.
        self.incoming: list[list[tuple[int, int, int]]] = [[] for _ in range(graph.node_count)]
        cells_of = [sum((1 << high) - (1 << low) for low, high in ranges) for ranges in graph.literal_cells]
        for node, (children, ids) in enumerate(zip(graph.children, graph.literal_ids, strict=True)):
            for child, index in zip(children, ids, strict=True):
                self.incoming[child].append((node, graph.feature_of[node], cells_of[index]))
        self._changes: dict[tuple[int, int], str] = {}

    def change(self, feature: int, cells: int) -> str:
        """Return ``[feature,value]`` for a value in the first of *cells* (a mask of the feature's cells)."""
        key = feature, cells & -cells
        text = self._changes.get(key)
        if text is None:
            value = self.graph.cells[feature][key[1].bit_length() - 1].representative()
            text = self._changes[key] = f"[{feature},{value_json(value)}]"
        return text


def evidence_of(
    tables: GraphTables, xpg: ExplanationGraph, free_sets: Sequence[int], *, tight: bool = False
) -> list[ClosedSet | OtherPoint]:
    """Return what each mask of free features shows: a closed set of nodes, or a point of another class.

    *xpg* is the explanation graph of the instance over the graph of *tables*.  With *tight*, a closed set's ``fixed`` are
    only those features that keep it closed.  Raises ``ModelError`` where the way to another class is an inconsistent path,
    which assumption (ii) excludes.  O(edges) operations on masks of as many bits as there are sets.
    """
    if len(free_sets) <= AT_ONCE:
        return _Pass(tables, xpg, free_sets).evidence(tight)
    starts = range(0, len(free_sets), AT_ONCE)
    return [
        item for start in starts for item in evidence_of(tables, xpg, free_sets[start : start + AT_ONCE], tight=tight)
    ]


@lru_cache(maxsize=20_000)
def members_of(mask: int) -> tuple[int, ...]:
    """Return the features in *mask*, in increasing order.  The instances of a model share many sets."""
    return tuple(indices(mask))


class _Pass:
    """One pass from the root down; ``reached[node]`` has bit k where the k-th set of free features reaches the node."""

    __slots__ = ("_everything", "_free_of", "_free_sets", "_reached", "_tables", "_xpg")

    def __init__(self, tables: GraphTables, xpg: ExplanationGraph, free_sets: Sequence[int]) -> None:
        self._tables, self._xpg, self._free_sets = tables, xpg, free_sets
        self._free_of = free_of = _transposed(free_sets, xpg.all_variables)
        self._reached = reached = [0] * len(xpg.variable_of)
        reached[0] = self._everything = (1 << len(free_sets)) - 1
        for case, variable, one, zeros in zip(  # cases of later nodes grow while the loop runs
            reached, xpg.variable_of, xpg.one_child, xpg.zero_children, strict=False
        ):
            if case:
                if one >= 0:
                    reached[one] |= case
                if zeros:
                    case &= free_of[variable]
                    if case:
                        for child in zeros:
                            reached[child] |= case

    def evidence(self, tight: bool) -> list[ClosedSet | OtherPoint]:
        """Return what each set shows."""
        xpg, reached, is_zero = self._xpg, self._reached, self._xpg.is_zero
        everything = xpg.all_variables
        ends = [node for node in self._tables.terminals if is_zero[node] and reached[node]]
        changeable = 0
        for node in ends:
            changeable |= reached[node]
        rows = self._rows() if changeable != self._everything else ""
        kept = self._kept() if tight else []
        count = len(self._free_sets)
        found: list[ClosedSet | OtherPoint] = []
        bit = 1
        for k, free in enumerate(self._free_sets):
            if changeable & bit:
                found.append(self._point(bit, free, next(node for node in ends if reached[node] & bit)))
            else:
                fixed = sum([1 << i for i, sets in enumerate(kept) if sets & bit]) if tight else everything ^ free
                # The k-th set's column, from the last node to the first.
                found.append(ClosedSet(fixed, f"{int(rows[count - 1 - k :: count], 2):x}"))
            bit <<= 1
        return found

    def _rows(self) -> str:
        """Return of each node, the last one first, a digit for each set, the last one first: whether it is reached."""
        top = 1 << len(self._free_sets)
        return "".join([bin(case | top)[3:] for case in reversed(self._reached)])

    def _kept(self) -> list[int]:
        """Return of each feature the sets under which it keeps some edge closed that leaves what is reached."""
        xpg, reached, free_of = self._xpg, self._reached, self._free_of
        kept = [0] * len(xpg.variables)
        for case, variable, zeros in zip(reached, xpg.variable_of, xpg.zero_children, strict=True):
            case &= ~free_of[variable]
            if case:
                for child in zeros:
                    kept[variable] |= case & ~reached[child]
        return kept

    def _point(self, bit: int, free: int, node: int) -> OtherPoint:
        """Return a point that walks to *node*, which the set *free*, that of *bit*, reaches; the walk is found backwards."""
        tables, reached, one_child = self._tables, self._reached, self._xpg.one_child
        incoming = tables.incoming
        path = [node]
        left: dict[int, int] = {}
        changed = 0
        while node:
            for start, feature, cells in incoming[node]:
                if reached[start] & bit:
                    if one_child[start] == node:
                        if free >> feature & 1:
                            left[feature] = left.get(feature, cells) & cells
                        break
                    if free >> feature & 1:
                        left[feature] = left.get(feature, cells) & cells
                        changed |= 1 << feature
                        break
            node = start
            path.append(node)
        texts = []
        for feature in members_of(changed):
            cells = left[feature]
            if not cells:
                names = [tables.graph.node_ids[step] for step in reversed(path)]
                problem = f"the path {path_text(names)} is inconsistent, so that no point can be given for it"
                raise ModelError(problem, mend="correct its literals; readers of files check that")
            texts.append(tables.change(feature, cells))
        return OtherPoint(changed, f"[{','.join(texts)}]")


def _transposed(free_sets: Sequence[int], everything: int) -> list[int]:
    """Return of each feature the sets that it is free in, as a mask of their positions.

    Sets with more than half of the features are taken by what they leave out.
    """
    half = everything.bit_length() // 2
    large = sum(1 << k for k, free in enumerate(free_sets) if free.bit_count() > half)
    free_of = [large] * everything.bit_length()
    for k, free in enumerate(free_sets):
        for i in members_of(everything & ~free if large >> k & 1 else free):
            free_of[i] ^= 1 << k
    return free_of
