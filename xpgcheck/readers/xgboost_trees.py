"""A tree of an XGBoost model: its arrays as nodes, with the exact sets of values that go left and right."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence

from xpgcheck.model.decision_graph import Node, NonTerminal, Terminal
from xpgcheck.model.domains import Categorical, Domain
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import Grid, IntervalSet, ValueSet
from xpgcheck.readers.categories import category_literals
from xpgcheck.readers.comparisons import less_than, sides, whole_parts
from xpgcheck.readers.fields import Fields, damaged

LARGEST_CATEGORY = 2**24
"""Categories from here on are invalid to XGBoost, and go left."""

Pair = tuple[ValueSet, ValueSet]
"""The values that go left and those that go right."""

ClassOfLeaf = Callable[[float, str], int]
"""From the weight of a leaf, a float32, and its place to the class of the terminal."""


class XGBoostTests:
    """Values that go left and right at the tests of a model; equal tests of all its trees share their sets."""

    def __init__(self, domains: Sequence[Domain], missing: bool) -> None:
        self._domains = domains
        self._missing = missing
        self._numerical: dict[tuple[float, bool], Pair] = {}
        self._categorical: dict[tuple[tuple[int, ...], bool], Pair] = {}
        self._named: dict[tuple[int, int], Pair] = {}

    def below(self, feature: int, threshold: float, missing_left: bool) -> Pair:
        """Return the sides of a node that sends what is less than *threshold* to the left."""
        key = (threshold, missing_left)
        pair = self._numerical.get(key)
        if pair is None:
            pair = self._numerical[key] = sides(less_than(Grid.FLOAT32, threshold), self._missing, missing_left)
        return self._of_domain(feature, pair)

    def outside(self, feature: int, categories: Sequence[int], missing_left: bool) -> Pair:
        """Return the sides of a node that sends *categories* to the right."""
        key = (tuple(categories), missing_left)
        pair = self._categorical.get(key)
        if pair is None:
            right, left = sides(_matching(categories), self._missing, not missing_left)
            pair = self._categorical[key] = (left, right)
        return self._of_domain(feature, pair)

    def _of_domain(self, feature: int, pair: Pair) -> Pair:
        domain = self._domains[feature] if 0 <= feature < len(self._domains) else None
        if not isinstance(domain, Categorical):
            return pair
        # Pairs live as long as this, so that their identity tells them apart.
        key = (feature, id(pair))
        if key not in self._named:
            left, right = category_literals(domain, pair)
            self._named[key] = (left, right)
        return self._named[key]


def _matching(categories: Sequence[int]) -> IntervalSet:
    """Return the float32 numbers whose whole part is one of *categories*: those from −1 to 0 are invalid, −0 is 0."""
    parts = whole_parts(Grid.FLOAT32, [k for k in categories if 0 <= k < LARGEST_CATEGORY])
    return parts.difference(less_than(Grid.FLOAT32, 0.0))


def float32(number: float) -> float:
    """Return *number*, a double, rounded to float32.  Raises ``OverflowError`` beyond it."""
    rounded: float = struct.unpack("<f", struct.pack("<f", number))[0]
    return rounded


def _overflows(number: float) -> bool:
    try:
        float32(number)
    except OverflowError:
        return True
    return False


def tree_nodes(tree: Fields, literals: XGBoostTests, class_of: ClassOfLeaf) -> dict[NodeId, Node]:
    """Return the nodes of *tree*, by their numbers; the root is 0.  Raises ``FormatError`` where its arrays do not fit."""
    return dict(_nodes(tree, literals, class_of))


def _nodes(tree: Fields, literals: XGBoostTests, class_of: ClassOfLeaf) -> Iterator[tuple[NodeId, Node]]:
    left, right = tree.integers("left_children"), tree.integers("right_children")
    values, indices = tree.numbers("split_conditions"), tree.integers("split_indices")
    default_left = tree.integers("default_left")
    kinds = tree.integers("split_type", default=[0] * len(left))
    if len({len(left), len(right), len(values), len(indices), len(default_left), len(kinds)}) != 1 or not left:
        raise damaged("the arrays of the tree are not of one length", tree.place)
    categories = _categories(tree)
    for node, (child, value) in enumerate(zip(left, _singles(values, tree.place), strict=True)):
        if child == -1:
            yield node, Terminal(class_of(value, f"{tree.place}: node {node}"))
            continue
        feature, missing_left = indices[node], bool(default_left[node])
        if kinds[node] == 1:
            if node not in categories:
                raise damaged("a categorical node has no categories", f"{tree.place}: node {node}")
            ends = literals.outside(feature, categories[node], missing_left)
        elif kinds[node] == 0:
            ends = literals.below(feature, value, missing_left)
        else:
            raise damaged(f"the split type {kinds[node]} is unknown", f"{tree.place}: node {node}")
        yield node, NonTerminal(feature, ((child, ends[0]), (right[node], ends[1])))


def _singles(values: Sequence[float], place: str) -> Sequence[float]:
    """Return *values*, of the nodes of the tree at *place*, rounded to float32."""
    code = f"<{len(values)}f"
    try:
        return struct.unpack(code, struct.pack(code, *values))
    except OverflowError:
        node = next(number for number, value in enumerate(values) if _overflows(value))
        raise damaged("a number is beyond the float32 numbers", f"{place}: node {node}") from None


def _categories(tree: Fields) -> Mapping[int, list[int]]:
    nodes = tree.integers("categories_nodes", default=[])
    starts, sizes = tree.integers("categories_segments", default=[]), tree.integers("categories_sizes", default=[])
    values = tree.integers("categories", default=[])
    if not len(nodes) == len(starts) == len(sizes):
        raise damaged("the arrays of the categories are not of one length", tree.place)
    found = {}
    for node, start, size in zip(nodes, starts, sizes, strict=True):
        if not 0 <= start <= start + size <= len(values):
            raise damaged("the categories of a node are not there", f"{tree.place}: node {node}")
        found[node] = values[start : start + size]
    return found
