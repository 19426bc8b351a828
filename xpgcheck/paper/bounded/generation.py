"""Every decision graph up to a size, one of each kind that renaming cannot tell apart.

A graph is read from its root, breadth first, the values of a node in order: that numbers its nodes, and names features
and classes by their first occurrence.  What is left to rename are the values of each feature.  A graph is *canonical*
where no renaming of values makes its text smaller, and only canonical ones are generated: a prefix of a text that some
renaming makes smaller is given up with all that starts so (orderly generation after Read and Faradžev).

The instance is (0, …, 0): renamings that keep 0 in place make one of each (graph, instance) that renaming cannot tell
apart, so all instances of all graphs are covered.

A text has one row a non-terminal: its feature, and what each value leads to: a class, a node, or nothing (a value that
no path leaves open may lead anywhere or nowhere: assumption (i) says nothing of it).  Values of a node that lead to one
child are one edge.  There is one terminal per class; :mod:`xpgcheck.paper.bounded.forms` splits them.
"""

from __future__ import annotations

import enum
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

NODE = 16
"""The number of node 0 in a row, and ``NODE + j`` that of node j.  Smaller numbers are classes."""

NOTHING = 64
"""The target of a value that is in no literal."""

Row = tuple[int, ...]
"""The feature, then what each of its values leads to."""

Rows = tuple[Row, ...]

Renaming = tuple[tuple[int, ...], ...]
"""For each feature, the value that comes first, second, …"""


class Assumed(enum.Enum):
    """The conditions on the paths of a graph."""

    BOTH = "both"
    """Assumptions (i) and (ii): decision graphs."""
    WITHOUT_I = "without (i)"
    """Every path is consistent, but a value that a path leaves open may lead nowhere."""
    WITHOUT_II = "without (ii)"
    """Every value leads somewhere, but a path may be inconsistent."""


@dataclass(frozen=True, slots=True)
class Bound:
    """At most ``nodes`` non-terminals and ``classes`` classes; ``features`` features of ``values`` values each.

    A graph with fewer features leaves some untested; one of a feature with fewer values leads the last ones alike.
    """

    nodes: int
    features: int
    values: int
    classes: int

    def __str__(self) -> str:
        return f"{self.nodes},{self.features},{self.values},{self.classes}"


@dataclass(frozen=True, slots=True)
class Generated:
    """A graph, and how many renamings (of features, values and classes) keep it and the instance."""

    rows: Rows
    automorphisms: int


@dataclass(frozen=True, slots=True)
class _Part:
    """A beginning of a text: rows, the nodes known (some without a row), features and classes seen, renamings open."""

    rows: Rows
    known: int
    features: int
    classes: int
    paths: tuple[frozenset[int], ...]
    open: tuple[Renaming, ...]


def generate(
    bound: Bound, assumed: Assumed = Assumed.BOTH, share: tuple[int, int] = (0, 1), *, tested: int = 0
) -> Iterator[Generated]:
    """Yield the canonical graphs that test at least *tested* features, with their instance, by number of non-terminals.

    *share* = (k, of): of the beginnings of two rows, numbered in the order of generation, those that are k modulo *of*.
    The shares are disjoint and together they are everything.
    """
    group = tuple(_renamings(bound))
    mine, count = share
    if mine == 0 and not tested:
        yield Generated((), math.factorial(bound.features) * len(group) * math.factorial(bound.classes - 1))
    for nodes in range(1, bound.nodes + 1):
        start = _Part((), 1, 0, 0, (frozenset({_all_open(bound)}), *[frozenset()] * (nodes - 1)), group)
        beginnings = _grown(bound, assumed, nodes, start, min(nodes, max(2, nodes - 2)))
        for number, part in enumerate(beginnings):
            if number % count == mine:
                for whole in _grown(bound, assumed, nodes, part, nodes):
                    if whole.features >= tested:
                        yield Generated(whole.rows, _automorphisms(bound, whole, len(group)))


def orbit(bound: Bound, graph: Generated) -> int:
    """Return how many graphs with named features, values and classes come of *graph* by renaming."""
    names = math.factorial(bound.features) * math.factorial(bound.classes)
    of_values: int = math.factorial(bound.values - 1) ** bound.features
    return names * of_values // graph.automorphisms


def _renamings(bound: Bound) -> Iterator[Renaming]:
    orders = [(0, *rest) for rest in itertools.permutations(range(1, bound.values))]
    return itertools.product(orders, repeat=bound.features)


def _all_open(bound: Bound) -> int:
    return (1 << bound.features * bound.values) - 1


def _automorphisms(bound: Bound, part: _Part, group: int) -> int:
    # The open renamings give this very text; those of untested features are among them.  Names by first occurrence
    # leave no choice of features and classes but among those that do not occur.
    untested = math.factorial(bound.features - part.features)
    return len(part.open) * untested * math.factorial(bound.classes - part.classes)


def _grown(bound: Bound, assumed: Assumed, nodes: int, part: _Part, length: int) -> Iterator[_Part]:
    """Yield the canonical beginnings of *length* rows that start with *part*, of graphs with *nodes* non-terminals."""
    here = len(part.rows)
    if here == length:
        yield part
        return
    for feature in range(min(part.features + 1, bound.features)):
        features = max(part.features, feature + 1)
        for targets, known, classes in _targets(bound, assumed, nodes, part, bound.values):
            if known == here + 1 < nodes:
                continue
            rows = (*part.rows, (feature, *targets))
            if _cyclic(rows):
                continue
            paths = part.paths if assumed is Assumed.WITHOUT_II else _paths(bound, assumed, rows, part.paths)
            if paths is None:
                continue
            left = _still_open(rows, part.open)
            if left is not None:
                yield from _grown(bound, assumed, nodes, _Part(rows, known, features, classes, paths, left), length)


def _targets(
    bound: Bound, assumed: Assumed, nodes: int, part: _Part, values: int
) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Yield (what the first *values* values lead to, nodes known, classes seen)."""
    if not values:
        yield (), part.known, part.classes
        return
    here = len(part.rows)
    for before, known, classes in _targets(bound, assumed, nodes, part, values - 1):
        for target in range(min(classes + 1, bound.classes)):
            yield (*before, target), known, max(classes, target + 1)
        for node in range(1, min(known + 1, nodes)):
            if node != here:
                yield (*before, NODE + node), max(known, node + 1), classes
        if assumed is not Assumed.WITHOUT_II and here + (assumed is Assumed.WITHOUT_I):
            yield (*before, NOTHING), known, classes


def _cyclic(rows: Rows) -> bool:
    """Tell whether the last row closes a cycle."""
    here = NODE + len(rows) - 1
    stack = [target for target in rows[-1][1:] if NODE <= target < NOTHING]
    seen = 0
    while stack:
        target = stack.pop()
        if target == here:
            return True
        node = target - NODE
        if node < len(rows) and not seen >> node & 1:
            seen |= 1 << node
            stack.extend(child for child in rows[node][1:] if NODE <= child < NOTHING)
    return False


def _paths(
    bound: Bound, assumed: Assumed, rows: Rows, paths: tuple[frozenset[int], ...]
) -> tuple[frozenset[int], ...] | None:
    """Return what the paths to each node leave open, ``values`` bits a feature; None where an assumption fails.

    Rows that are still to come add paths and take none away, so what fails stays failed.
    """
    width = bound.values
    whole = (1 << width) - 1
    literals = [_literals(row) for row in rows]
    found = [set(states) for states in paths]
    here = len(rows) - 1
    waiting = [(here, state) for state in paths[here]]
    while waiting:
        node, state = waiting.pop()
        shift = rows[node][0] * width
        left = state >> shift & whole
        covered = 0
        for target, values in literals[node]:
            rest = left & values
            if not rest:
                return None
            covered |= rest
            if target >= NODE:
                child = target - NODE
                following = state & ~(whole << shift) | rest << shift
                if following not in found[child]:
                    found[child].add(following)
                    if child < len(rows):
                        waiting.append((child, following))
        if not literals[node] or (covered != left and assumed is Assumed.BOTH):
            return None
    return tuple(map(frozenset, found))


def _literals(row: Row) -> list[tuple[int, int]]:
    merged: dict[int, int] = {}
    for value, target in enumerate(row[1:]):
        if target != NOTHING:
            merged[target] = merged.get(target, 0) | 1 << value
    return list(merged.items())


def _still_open(rows: Rows, renamings: Sequence[Renaming]) -> tuple[Renaming, ...] | None:
    """Return the renamings that may still give a smaller text, or None where one does."""
    left = []
    for renaming in renamings:
        compared = _compare(rows, renaming)
        if compared < 0:
            return None
        if not compared:
            left.append(renaming)
    return tuple(left)


def _compare(rows: Rows, renaming: Renaming) -> int:
    """Return −1 where *renaming* makes the text smaller, 1 where larger, 0 where equal as far as rows are known."""
    order = [0]
    number = {NODE: NODE, NOTHING: NOTHING}
    features: dict[int, int] = {}
    classes: dict[int, int] = {}
    for place, row in enumerate(rows):
        if place == len(order) or order[place] >= len(rows):
            return 0
        read = rows[order[place]]
        feature = features.setdefault(read[0], len(features))
        if feature != row[0]:
            return -1 if feature < row[0] else 1
        for value, own in zip(renaming[read[0]], row[1:], strict=True):
            target = read[value + 1]
            if target < NODE:
                target = classes.setdefault(target, len(classes))
            elif target in number:
                target = number[target]
            else:
                number[target] = NODE + len(order)
                order.append(target - NODE)
                target = NODE + len(order) - 1
            if target != own:
                return -1 if target < own else 1
    return 0
