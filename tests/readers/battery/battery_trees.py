"""Abstract little trees, and their plain evaluation by the comparison that a source documents.

Nothing here uses a reader or the model of the package: what a reader is held to must not come from it.
"""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

NAN = float("nan")
LARGEST = 1.7976931348623157e308
LARGEST_SINGLE = 3.4028234663852886e38

Cell = float | int | bool
"""The value of a feature at a point: a number, the position of a category, or a Boolean."""


@dataclass(frozen=True)
class Variable:
    """A feature: ``number``, ``boolean`` or ``category``; ``constant`` where training saw one number only.

    ``mapped`` says that the file has codes and, elsewhere, the categories that they stand for.
    """

    name: str
    kind: str = "number"
    values: tuple[str | int, ...] = ()
    constant: bool = False
    mapped: bool = False


@dataclass(frozen=True)
class Split:
    """An inner node.  ``test`` is a threshold, the positions of the categories that go left, or None: False goes left.

    ``own`` is the label of the node itself, for sources whose descent can stop there.
    """

    feature: int
    test: float | frozenset[int] | None
    left: int
    right: int
    missing_left: bool = False
    own: int = 0


@dataclass(frozen=True)
class Leaf:
    """A leaf: the position of its label."""

    label: int


@dataclass(frozen=True)
class Tree:
    """A tree; node 0 is the root.  ``missing`` says that numbers may be missing."""

    features: tuple[Variable, ...]
    labels: tuple[object, ...]
    nodes: tuple[Split | Leaf, ...]
    missing: bool = False


GoesLeft = Callable[[Split, Cell], "bool | None"]


def label_at(tree: Tree, point: Sequence[Cell], goes_left: GoesLeft) -> int:
    """Return the position of the label at *point*; where *goes_left* says None, the descent stops at the node."""
    node = tree.nodes[0]
    while isinstance(node, Split):
        left = goes_left(node, point[node.feature])
        if left is None:
            return node.own
        node = tree.nodes[node.left if left else node.right]
    return node.label


def single(number: float) -> float:
    """Return *number* rounded to float32, ties to even; numbers that are not finite stay as they are."""
    if number - number != 0:
        return number
    rounded: float = struct.unpack("<f", struct.pack("<f", number))[0]
    return rounded


def next_single(number: float, up: bool) -> float:
    """Return the float32 number after (or before) *number*, which is one."""
    if number == 0:
        return 2.0**-149 if up else -(2.0**-149)
    (bits,) = struct.unpack("<i", struct.pack("<f", number))
    found: float = struct.unpack("<f", struct.pack("<i", bits + (1 if up == (number > 0) else -1)))[0]
    return found


def nearby(number: float, largest: float) -> list[float]:
    """Return *number*, its float64 and float32 neighbours and where a cast has to round, none over *largest*."""
    if number != number:
        return []
    number = max(-LARGEST, min(LARGEST, number))
    found = [number, math.nextafter(number, math.inf), math.nextafter(number, -math.inf)]
    if abs(number) <= LARGEST_SINGLE:
        middle = single(number)
        for other in (middle, next_single(middle, True), next_single(middle, False)):
            found += [other, (other + middle) / 2]
    return [x for x in found if abs(x) <= largest]


def stump(feature: Variable, test: float | frozenset[int] | None, labels: Sequence[object], **more: bool) -> Tree:
    """Return the tree of one test: label 0 goes left, label 1 right; the node's own label is 1."""
    missing = "missing_left" in more
    return Tree((feature,), tuple(labels), (Split(0, test, 1, 2, own=1, **more), Leaf(0), Leaf(1)), missing)


def chain(feature: Callable[[str], Variable], depth: int, labels: Sequence[object], pure: bool = False) -> Tree:
    """Return a chain: of thresholds 1, 2, … on one feature, or of one Boolean feature after the other."""
    numbers = feature("x").kind == "number"
    nodes: list[Split | Leaf] = []
    for step in range(depth):
        here = len(nodes)
        test = float(step + 1) if numbers else None
        nodes += [Split(0 if numbers else step, test, here + 1, here + 2, own=step % 2), Leaf(0 if pure else step % 2)]
    nodes.append(Leaf(0 if pure else depth % 2))
    names = ["x"] if numbers else [f"x{step}" for step in range(max(1, depth))]
    return Tree(tuple(map(feature, names)), tuple(labels), tuple(nodes))


def bushy(feature: Callable[[str], Variable], leaves: int, labels: Sequence[object], classes: int = 2) -> Tree:
    """Return a tree of so many leaves that no path contradicts: thresholds halve intervals, Boolean features follow."""
    chance = random.Random(leaves)
    numbers = feature("x").kind == "number"
    count = 3 if numbers else max(1, math.ceil(math.log2(leaves)))
    nodes: list[Split | Leaf | None] = [None]
    pending = [(0, leaves, 0, tuple((0.0, 2.0**20) for _ in range(count)))]
    given = 0
    while pending:
        at, share, depth, box = pending.pop()
        if share == 1:
            nodes[at] = Leaf(given % classes if classes > 2 else chance.randrange(2))
            given += 1
            continue
        chosen = chance.randrange(count) if numbers else depth
        low, high = box[chosen]
        middle = (low + high) / 2
        left, right = len(nodes), len(nodes) + 1
        nodes += [None, None]
        nodes[at] = Split(chosen, middle if numbers else None, left, right, own=depth % 2)
        for child, part, end in ((right, share - share // 2, (middle, high)), (left, share // 2, (low, middle))):
            inner = tuple(end if i == chosen else old for i, old in enumerate(box))
            pending.append((child, part, depth + 1, inner))
    done = tuple(node for node in nodes if node is not None)
    return Tree(tuple(feature(f"x{i}") for i in range(count)), tuple(labels), done)


def points_of(tree: Tree, largest: float, count: int = 60) -> list[tuple[Cell, ...]]:
    """Return points around every threshold of *tree*, and *count* random ones; the other features at random too."""
    chance = random.Random(len(tree.nodes))
    around: list[list[Cell]] = [list(_usual(feature)) for feature in tree.features]
    found: list[tuple[Cell, ...]] = []
    for node in tree.nodes:
        if isinstance(node, Split) and isinstance(node.test, float):
            around[node.feature] += nearby(node.test, largest)
    for position, cells in enumerate(around):
        for cell in cells:
            point = [chance.choice(choices) for choices in around]
            point[position] = cell
            found.append(tuple(point))
    if len(found) > 700:
        found = chance.sample(found, 700)
    found += [tuple(chance.choice(choices) for choices in around) for _ in range(count)]
    if all(feature.kind == "boolean" for feature in tree.features):
        size = len(tree.features)
        found += [tuple(i < ones for i in range(size)) for ones in range(size + 1)]
    return found


def _usual(feature: Variable) -> Iterable[Cell]:
    if feature.kind == "number":
        return [3.0] if feature.constant else [0.0, -0.0, 0.5, -7.0]
    return [False, True] if feature.kind == "boolean" else range(len(feature.values))


def inner_nodes(tree: Tree) -> Iterator[tuple[int, Split]]:
    """Return the inner nodes with their numbers."""
    return ((i, node) for i, node in enumerate(tree.nodes) if isinstance(node, Split))
