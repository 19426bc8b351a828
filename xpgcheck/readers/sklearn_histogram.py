"""``HistGradientBoostingClassifier`` of scikit-learn: float64 comparisons, categories, and missing values at any node.

``predict`` goes left where ``x <= num_threshold`` in binary64; a missing value (NaN) goes where ``missing_go_to_left`` says.
A column of categories is encoded first: the codes 0, 1, … go left where their bit is set, and what is no category that
training saw is missing.  The encoder puts such columns before the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from xpgcheck.errors import InputError
from xpgcheck.model.combination import Arithmetic, Sum, Threshold
from xpgcheck.model.decision_graph import Node, NonTerminal, Terminal
from xpgcheck.model.domains import Categorical, Feature, Float64
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import FiniteSet, Grid, ValueSet
from xpgcheck.model.values import MISSING
from xpgcheck.readers.categories import category_domain
from xpgcheck.readers.comparisons import at_most, sides
from xpgcheck.readers.fields import damaged
from xpgcheck.readers.pauses import no_cycle_collection
from xpgcheck.readers.sklearn_ensemble import Names
from xpgcheck.readers.summed_trees import WeighingTree, Weights, refuse_count, summed_trees
from xpgcheck.readers.weighed_trees import in_tree

CODES = 256
"""Categories that a feature has at most."""

_FIELDS = (
    ("value", "float64"),
    ("feature_idx", "int64"),
    ("num_threshold", "float64"),
    ("missing_go_to_left", "uint8"),
    ("left", "int64"),
    ("right", "int64"),
    ("is_leaf", "uint8"),
    ("is_categorical", "uint8"),
    ("bitset_idx", "int64"),
)

Literals = tuple[ValueSet, ValueSet]


@dataclass(frozen=True, slots=True)
class CategoryColumns:
    """Which features have categories, and the categories of each, in the order of the features."""

    is_category: list[bool]
    categories: list[list[Any]]

    def order(self) -> list[int]:
        """Return which feature each column of the encoded table is: those with categories come first."""
        return sorted(range(len(self.is_category)), key=lambda feature: not self.is_category[feature])


def category_columns(
    is_category: Sequence[object], known: Sequence[Sequence[Any]], count: int, place: str
) -> CategoryColumns:
    """Return which of *count* features have categories, *known* being those of the encoder, a missing value among them."""
    columns = [flag is True for flag in is_category]
    if len(columns) != count or sum(columns) != len(known) or any(len(own) > CODES for own in known):
        raise damaged("the categories are not those of the features", place)
    # What is not equal to itself is NaN: a missing value, like None.
    return CategoryColumns(columns, [[c for c in own if c is not None and c == c] for own in known])


def refuse_dates(known: Any, place: str) -> None:
    """Refuse *known*, the array of labels or of a column's categories, of dates or times.  Raises ``InputError``."""
    if known.dtype.kind in "mM":
        raise InputError(
            "labels or categories are dates or times", place=place, mend="make them texts, and train again"
        )


class Predictors(Protocol):
    """A fitted ``HistGradientBoostingClassifier``, of an object or of a file."""

    place: str

    def numbers(self, key: str) -> list[float]:
        """Return the numbers of an array of any shape."""

    def predictors(self) -> list[tuple[Any, Any]]:
        """Return the arrays ``nodes`` and ``raw_left_cat_bitsets`` of each tree, in order."""

    def category_columns(self, count: int) -> CategoryColumns:
        """Return which of *count* features have categories."""


def histogram_ensemble(source: Predictors, names: Names, missing: bool) -> Ensemble:
    """Return the ensemble that *source* is; *missing* puts the missing value into the domains of numbers.

    Raises ``InputError`` or ``FormatError`` with the tree's place.  O(n·h) for n nodes in trees of depth h.
    """
    predictors = source.predictors()
    refuse_count(len(predictors), source.place, "train at least one round")
    classes = len(names.classes)
    scores = 1 if classes <= 2 else classes
    base = source.numbers("_baseline_prediction")
    if any(number - number != 0 for number in base):
        raise damaged("the baseline is no finite number", source.place)
    if classes < 2 or len(base) != scores or len(predictors) % scores:
        raise damaged(f"there are {len(predictors)} trees for {classes} classes", source.place)
    with no_cycle_collection():
        columns = source.category_columns(len(names.features))
        builder = _Builder(names.features, columns, missing)
        trees = []
        for number, (nodes, bitsets) in enumerate(predictors):
            weights, place = Weights(), f"tree {number}"
            with in_tree(number):
                found = builder.nodes(nodes, bitsets, weights)
            trees.append(WeighingTree(found, 0, weights, number % scores, place))
    threshold = Threshold(Fraction(0)) if scores == 1 else None
    rule = Sum(tuple(map(Fraction, base)), threshold, Arithmetic.BINARY64)
    return summed_trees(names.model, builder.features, names.classes, trees, rule)


class _Builder:
    """Builds graphs of trees over the same features."""

    def __init__(self, names: Sequence[str], columns: CategoryColumns, missing: bool) -> None:
        own = iter(columns.categories)
        self.features = [
            Feature(name, category_domain(next(own), name, missing=True, unseen=True) if category else Float64(missing))
            for name, category in zip(names, columns.is_category, strict=True)
        ]
        self._order = columns.order()
        self._missing = missing
        self._known: dict[object, Literals] = {}

    def nodes(self, nodes: Any, bitsets: Any, weights: Weights) -> dict[NodeId, Node]:
        """Return the nodes of a tree, whose terminals' classes are numbers of *weights*."""
        rows = _columns(nodes)
        found: dict[NodeId, Node] = {}
        for key, (value, column, threshold, missing_left, left, right, leaf, category, bitset) in enumerate(rows):
            if leaf:
                found[key] = Terminal(weights.answer(value, f"node {key}"))
                continue
            if not 0 <= column < len(self._order):
                raise damaged(f"node {key} tests feature {column} of {len(self._order)}", f"node {key}")
            feature = self._order[column]
            if category:
                literals = self._categories(feature, _members(bitsets, bitset, key), bool(missing_left))
            else:
                literals = self._numbers(feature, threshold, bool(missing_left))
            found[key] = NonTerminal(feature, ((left, literals[0]), (right, literals[1])))
        return found

    def _numbers(self, feature: int, threshold: float, missing_left: bool) -> Literals:
        domain = self.features[feature].domain
        if isinstance(domain, Categorical):
            raise InputError("it compares categories with a number", mend="fit it again")
        key = threshold, missing_left
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = sides(at_most(Grid.FLOAT64, threshold), self._missing, missing_left)
        return known

    def _categories(self, feature: int, members: int, missing_left: bool) -> Literals:
        domain = self.features[feature].domain
        if not isinstance(domain, Categorical):
            raise InputError("it asks a number for its category", mend="fit it again")
        key = feature, members, missing_left
        known = self._known.get(key)
        if known is None:
            pairs = enumerate(zip(domain.values, domain.cells, strict=True))
            left = [
                value for code, (value, cell) in pairs if (missing_left if cell is MISSING else members >> code & 1)
            ]
            right = frozenset(domain.values).difference(left)
            known = self._known[key] = FiniteSet(frozenset(left)), FiniteSet(right)
        return known


def _columns(nodes: Any) -> list[tuple[Any, ...]]:
    """Return the fields of each node of a structured array as Python values."""
    fields = set(getattr(getattr(nodes, "dtype", None), "names", None) or ())
    if nodes.ndim != 1 or not len(nodes) or not {name for name, _ in _FIELDS} <= fields:
        raise damaged("the nodes of the tree are not there", "nodes")
    try:
        return list(zip(*[nodes[name].astype(kind, casting="safe").tolist() for name, kind in _FIELDS], strict=True))
    except TypeError:
        raise damaged("the nodes of the tree are not numbers", "nodes") from None


def _members(bitsets: Any, row: int, node: int) -> int:
    """Return the set bits of a row of words of 32 bits as one integer."""
    if bitsets.ndim != 2 or bitsets.dtype.kind != "u" or not 0 <= row < len(bitsets):
        raise damaged("its categories are not there", f"node {node}")
    return sum(word << 32 * position for position, word in enumerate(bitsets[row].tolist()))
