"""LightGBM models of one tree (``save_model`` text, ``dump_model`` JSON), with the semantics of ``LGBMClassifier.predict``.

What the predictor does, and so does κ:

* Inputs are float64 (float32 data is widened).  Numbers of at most 1e-35f (a float32) in magnitude are set to zero first.
* A numerical node goes left where ``x <= threshold``.  Its missing type says what is missing: ``None`` nothing (a NaN is
  0), ``Zero`` both zero and NaN, ``NaN`` a NaN; what is missing goes where ``default_left`` says.
* A categorical node goes left where the input, cut to an integer towards zero, is in its set: −0.5 is category 0, 1.5 is
  category 1.  A NaN, a negative category and one that training never saw go right.
* The class is 1 where the probability 1/(1 + exp(−σ·s)) of the leaf's score s is larger than one minus it, in float64.

``dump_model`` writes every threshold from 1e300 on as 1e300; here it is read as infinite, which it was unless the data
reach that far.  The text has thresholds in full.

LightGBM sees the categories of a pandas column as codes: positions in a list of ``pandas_categorical``.  Where the file has
that list, the categories are the domain, and one that training never saw is the missing value, as to ``predict``.
"""

from __future__ import annotations

import codecs
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from xpgcheck.errors import FormatError, InputError, XpgcheckError, shown
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal
from xpgcheck.model.domains import Categorical, Domain, Feature, Float64
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import Grid, Interval, IntervalSet, interval_set
from xpgcheck.readers.categories import category_domain, category_literals, warn_of_choice, warn_of_codes
from xpgcheck.readers.comparisons import at_most, less_than, sides, whole_parts
from xpgcheck.readers.fields import Fields, damaged, decode_json, plain
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, PathLike, decode_utf8, place_of, read_bytes
from xpgcheck.readers.lightgbm_columns import Column, columns_of_lists, json_column, other_ways, text_column
from xpgcheck.readers.names import check_name
from xpgcheck.readers.other_names import OtherNames, stored_names
from xpgcheck.readers.source_trees import tree_graph

ZERO = 1.0000000180025095e-35
"""The largest magnitude that is zero to LightGBM: the float32 nearest to 1e-35."""

DUMPED_INFINITY = 1e300
"""``dump_model`` writes an infinite threshold (of a split of the missing values from all others) as this."""

NONE, ZERO_IS_MISSING, NAN_IS_MISSING = range(3)
_MISSING_TYPES = {"None": NONE, "Zero": ZERO_IS_MISSING, "NaN": NAN_IS_MISSING}

_ZEROS = interval_set(Grid.FLOAT64, [Interval(Fraction(-ZERO), False, Fraction(ZERO), False)])

T = TypeVar("T")


def read_lightgbm(
    path: PathLike, *, max_bytes: int = DEFAULT_MAX_BYTES, missing: bool = True, name: str | None = None
) -> DecisionGraph:
    """Return the decision graph of the LightGBM model at *path*; see :func:`parse_lightgbm`."""
    data = read_bytes(path, max_bytes)
    try:
        return parse_lightgbm(data, name or Path(path).stem, missing=missing)
    except XpgcheckError as error:
        raise error.at(place_of(path)) from None


def parse_lightgbm(data: bytes, name: str, *, missing: bool = True, names: OtherNames | None = None) -> DecisionGraph:
    """Return the decision graph of a model of one tree, text or JSON.  Needs no LightGBM.

    Features are called as in the model; classes are "0" and "1", as ``LGBMClassifier`` numbers them.  The missing value
    is in every domain unless *missing* is False.  *names* may give other names.

    Raises ``InputError`` for another objective, several trees and linear leaves; ``FormatError`` for a damaged file.
    """
    check_name("model", name)
    source = _json(data) if data.removeprefix(codecs.BOM_UTF8).lstrip()[:1] == b"{" else _text(decode_utf8(data))
    if not source.objective.startswith("binary"):
        problem = f"the objective {shown(source.objective)} is not read"
        raise InputError(problem, mend="train a binary classifier: objective='binary'")
    own = stored_names("feature", source.names, len(source.names), names)
    columns = _columns(source, len(own))
    lists = columns_of_lists(source.lists, columns) if source.lists else {}
    features = [Feature(text, _domain(text, lists.get(column), missing)) for column, text in enumerate(own)]
    if lists and other_ways(source.lists, columns):
        warn_of_choice(name, own, lists)
    warn_of_codes(name, own, {k for k, column in enumerate(columns) if column.categorical} - lists.keys())
    sigmoid = _sigmoid(source.objective)
    nodes: dict[NodeId, Node] = {
        f"leaf {leaf}": Terminal(_class_of(sigmoid * score)) for leaf, score in source.leaves.items()
    }
    literals: dict[object, tuple[IntervalSet, IntervalSet]] = {}
    for key, split in source.splits.items():
        pair = literals.get(split.test) or literals.setdefault(split.test, split.test.literals(missing))
        domain = features[split.feature].domain if 0 <= split.feature < len(features) else None
        left, right = category_literals(domain, pair) if isinstance(domain, Categorical) else pair
        nodes[key] = NonTerminal(split.feature, ((split.left, left), (split.right, right)))
    labels = stored_names("class", ["0", "1"], 2, names)
    return tree_graph(name, features, labels, nodes, source.root)


def _domain(name: str, categories: Sequence[object] | None, missing: bool) -> Domain:
    return (
        Float64(missing) if categories is None else category_domain(categories, name, missing=missing, unseen=missing)
    )


def _columns(source: _Source, count: int) -> list[Column]:
    """Return what *source* says of its columns; what the tree tests is certain."""
    columns = list(source.columns[:count]) + [Column(None)] * (count - len(source.columns))
    for split in source.splits.values():
        categorical = split.test.categories is not None
        if 0 <= split.feature < count and columns[split.feature].categorical is not categorical:
            columns[split.feature] = Column(categorical)
    return columns


@dataclass(frozen=True, slots=True)
class _Test:
    """The test of a node; ``categories`` is None for a numerical one."""

    threshold: float
    missing_type: int
    default_left: bool
    categories: tuple[int, ...] | None

    def literals(self, missing: bool) -> tuple[IntervalSet, IntervalSet]:
        """Return what goes left and what goes right."""
        if self.categories is not None:
            inside = whole_parts(Grid.FLOAT64, self.categories)
            return sides(inside, missing)
        below = _snapped_at_most(self.threshold)
        nan_left = Fraction(0) in below
        if self.missing_type == ZERO_IS_MISSING:
            below = below.union(_ZEROS) if self.default_left else below.difference(_ZEROS)
        if self.missing_type != NONE:
            nan_left = self.default_left
        return sides(below, missing, nan_left)


def _snapped_at_most(threshold: float) -> IntervalSet:
    """Return ``{x : zero(x) <= threshold}``, zero(x) being 0 where x is as good as zero and else x."""
    if threshold >= 0:
        return at_most(Grid.FLOAT64, max(threshold, ZERO))
    return less_than(Grid.FLOAT64, -ZERO) if threshold >= -ZERO else at_most(Grid.FLOAT64, threshold)


@dataclass(frozen=True, slots=True)
class _Split:
    feature: int
    test: _Test
    left: NodeId
    right: NodeId


@dataclass(frozen=True, slots=True)
class _Source:
    """A model as either format gives it; ids are split numbers and ``leaf k``, ``lists`` the categories of columns."""

    objective: str
    names: Sequence[str]
    columns: Sequence[Column]
    lists: Sequence[Sequence[object]]
    splits: dict[NodeId, _Split]
    leaves: dict[int, float]
    root: NodeId


def _sigmoid(objective: str) -> float:
    for word in objective.split()[1:]:
        key, _, value = word.partition(":")
        if key == "sigmoid":
            return _cast(float, value, "objective")
    return 1.0


def _class_of(score: float) -> int:
    try:
        probability = 1.0 / (1.0 + math.exp(-score))
    except OverflowError:
        probability = 0.0
    return int(probability > 1.0 - probability)


def _cast(kind: Callable[[str], T], text: str, place: str) -> T:
    try:
        number = kind(plain(text))
        # LightGBM writes inf; digits without end mean another number.
        if isinstance(number, float) and math.isinf(number) and "n" not in text.lower():
            raise ValueError(text)
        return number
    except ValueError:
        raise damaged(f"{shown(text)} is not a number", place) from None


def _refuse_count(count: int) -> None:
    if count != 1:
        problem = f"there are {count} trees, and an ensemble is no decision graph"
        raise InputError(problem, mend="train with num_boost_round=1 (n_estimators=1), and two classes")


def _refuse_linear(linear: object) -> None:
    if linear:
        raise InputError("the leaves are linear models", mend="train with linear_tree=False")


def _text(text: str) -> _Source:
    """Read the text format: a header of ``key=value`` lines, a block a tree, ``end of trees``."""
    # Not str.splitlines, which ends lines within a name too, at U+2028 for one.
    lines = text.replace("\r\n", "\n").split("\n")
    if "end of trees" not in lines:
        raise FormatError("the file breaks off before 'end of trees'", mend="write the model again with save_model")
    starts = [i for i, line in enumerate(lines) if line.startswith("Tree=")]
    _refuse_count(len(starts))
    header = _values([line for line in lines[: starts[0]] if line], "the header")
    block = lines[starts[0] + 1 :]
    tree = _Block(_values(block[: block.index("") if "" in block else None], "Tree=0"))
    _refuse_linear(tree.whole("is_linear", 0))
    names = header.get("feature_names", "").split(" ")
    count = tree.whole("num_leaves")
    leaves = dict(enumerate(tree.numbers("leaf_value", float, count)))
    objective = header.get("objective", "")
    columns = _text_columns(header.get("feature_infos", ""), lines)
    lists = _text_lists(lines)
    if count < 2:
        return _Source(objective, names, columns, lists, {}, leaves, "leaf 0")
    return _Source(objective, names, columns, lists, dict(_text_splits(tree, count - 1)), leaves, 0)


def _text_columns(infos: str, lines: Sequence[str]) -> list[Column]:
    """Return the columns; of one that training made no use of, the parameters say whether it has categories."""
    columns = [text_column(info) for info in infos.split()]
    given = next((line for line in lines if line.startswith("[categorical_feature: ")), None)
    words = [] if given is None else given[len("[categorical_feature: ") : -1].split(",")
    if given is None or not all(word.isdecimal() and len(word) < 10 for word in words if word):
        return columns
    named = {int(word) for word in words if word}
    return [
        Column(position in named) if column.categorical is None else column for position, column in enumerate(columns)
    ]


def _text_lists(lines: Sequence[str]) -> Sequence[Sequence[object]]:
    """Return the lists of the last line, which LightGBM for Python appends."""
    given = next((line for line in reversed(lines) if line.startswith("pandas_categorical:")), None)
    if given is None:
        return []
    try:
        lists = decode_json(given.partition(":")[2].encode(), "write the model again with save_model")
    except XpgcheckError as error:
        raise error.at("pandas_categorical") from None
    return _checked_lists(lists)


def _checked_lists(lists: object) -> Sequence[Sequence[object]]:
    if lists is None:
        return []
    if not isinstance(lists, list) or not all(isinstance(categories, list) for categories in lists):
        raise damaged("these are not lists of categories", "pandas_categorical")
    return lists


def _values(lines: Sequence[str], place: str) -> dict[str, str]:
    """Return the values of ``key=value`` lines.  Raises ``FormatError`` where a key comes twice."""
    pairs = [line.partition("=") for line in lines]
    found = {key: value for key, _, value in pairs}
    if len(found) < len(pairs):
        keys = [key for key, _, _ in pairs]
        twice = next(key for position, key in enumerate(keys) if key in keys[:position])
        raise damaged(f"the key {shown(twice)} is written twice", place)
    return found


class _Block:
    """The lines of a tree."""

    def __init__(self, lines: dict[str, str]) -> None:
        self._lines = lines

    def whole(self, key: str, default: int | None = None) -> int:
        if key not in self._lines and default is not None:
            return default
        return _cast(int, self._lines.get(key, ""), f"Tree=0: {key}")

    def numbers(self, key: str, kind: Callable[[str], T], count: int | None = None) -> list[T]:
        items = [_cast(kind, word, f"Tree=0: {key}") for word in self._lines.get(key, "").split()]
        if count is not None and len(items) != count:
            raise damaged(f"there are {len(items)} numbers, expected {count}", f"Tree=0: {key}")
        return items


def _text_splits(tree: _Block, count: int) -> Iterator[tuple[NodeId, _Split]]:
    thresholds, types = tree.numbers("threshold", float, count), tree.numbers("decision_type", int, count)
    children = zip(tree.numbers("left_child", int, count), tree.numbers("right_child", int, count), strict=True)
    features = tree.numbers("split_feature", int, count)
    bounds, words = tree.numbers("cat_boundaries", int), tree.numbers("cat_threshold", int)
    for node, (left, right) in enumerate(children):
        threshold, bits = thresholds[node], types[node]
        missing_type = bits >> 2 & 3
        categories = _bit_set(threshold, bounds, words, node) if bits & 1 else None
        if missing_type > NAN_IS_MISSING:
            raise damaged(f"the decision type {bits} is unknown", f"Tree=0: node {node}")
        test = _Test(threshold if categories is None else 0.0, missing_type, bool(bits & 2), categories)
        yield node, _Split(features[node], test, _child(left), _child(right))


def _child(number: int) -> NodeId:
    return number if number >= 0 else f"leaf {~number}"


def _bit_set(position: float, bounds: Sequence[int], words: Sequence[int], node: int) -> tuple[int, ...]:
    index = int(position) if position == position and 0 <= position < len(bounds) - 1 else -1
    if index < 0 or not 0 <= bounds[index] <= bounds[index + 1] <= len(words):
        raise damaged("the categories of a node are not there", f"Tree=0: node {node}")
    inside = words[bounds[index] : bounds[index + 1]]
    return tuple(32 * k + bit for k, word in enumerate(inside) for bit in range(32) if word >> bit & 1)


def _json(data: bytes) -> _Source:
    model = Fields(decode_json(data, "write the model with save_model, or the result of dump_model() again"), "$")
    trees = model.items("tree_info")
    _refuse_count(len(trees))
    objective = model.optional("objective", str) or ""
    names = model.items("feature_names")
    infos = model.optional("feature_infos", dict) or {}
    columns = [json_column(infos.get(name) if isinstance(name, str) else None) for name in names]
    lists = _checked_lists(model.optional("pandas_categorical", list))
    splits: dict[NodeId, _Split] = {}
    leaves: dict[int, float] = {}
    stack: list[tuple[Any, str]] = [(Fields(trees[0], "$.tree_info[0]").get("tree_structure"), "$.tree_info[0]")]
    root: NodeId | None = None
    while stack:
        raw, place = stack.pop()
        node = Fields(raw, place)
        split = node.optional("split_index", int)
        _refuse_linear("leaf_coeff" in raw)
        if split is None:
            # A tree of one leaf has no leaf number.
            leaf = node.whole("leaf_index", 0)
            leaves[leaf] = node.number("leaf_value")
            root = f"leaf {leaf}" if root is None else root
            continue
        root = split if root is None else root
        if split in splits:
            raise damaged(f"there are two nodes {split}", place)
        sides = [(node.get(side), f"{place}.{side}") for side in ("left_child", "right_child")]
        left, right = (_json_id(Fields(*side)) for side in sides)
        splits[split] = _Split(node.whole("split_feature"), _json_test(node), left, right)
        stack.extend(sides)
    return _Source(objective, names, columns, lists, splits, leaves, 0 if root is None else root)


def _json_id(node: Fields) -> NodeId:
    split = node.optional("split_index", int)
    return f"leaf {node.whole('leaf_index')}" if split is None else split


def _json_test(node: Fields) -> _Test:
    kind, missing_type = node.text("decision_type"), _MISSING_TYPES.get(node.text("missing_type"))
    if missing_type is None:
        raise damaged("the missing type is unknown", f"{node.place}.missing_type")
    default_left = node.optional("default_left", bool) is True
    if kind == "==":
        words = node.text("threshold").split("||")
        categories = tuple(_cast(int, word, f"{node.place}.threshold") for word in words if word)
        if any(k < 0 for k in categories):
            raise damaged("a category is negative", f"{node.place}.threshold")
        return _Test(0.0, missing_type, default_left, categories)
    if kind != "<=":
        raise damaged(f"the decision type {shown(kind)} is unknown", f"{node.place}.decision_type")
    threshold = node.number("threshold")
    if abs(threshold) >= DUMPED_INFINITY:
        threshold = math.copysign(math.inf, threshold)
    return _Test(threshold, missing_type, default_left, None)
