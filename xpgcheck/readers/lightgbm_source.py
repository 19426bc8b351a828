"""LightGBM's files, text and JSON, as the same records: splits and leaves of each tree, and what is said of the model."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from xpgcheck.errors import FormatError, InputError, XpgcheckError, shown
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.readers.fields import Fields, damaged, decode_json, plain
from xpgcheck.readers.lightgbm_columns import Column, json_column, text_column
from xpgcheck.readers.lightgbm_literals import NAN_IS_MISSING, NONE, ZERO_IS_MISSING, LightGBMTest
from xpgcheck.readers.summed_trees import refuse_count

DUMPED_INFINITY = 1e300
"""``dump_model`` writes an infinite threshold (of a split of the missing values from all others) as this."""

_MISSING_TYPES = {"None": NONE, "Zero": ZERO_IS_MISSING, "NaN": NAN_IS_MISSING}

T = TypeVar("T", int, float)


@dataclass(frozen=True, slots=True)
class Split:
    """A node that tests a feature."""

    feature: int
    test: LightGBMTest
    left: NodeId
    right: NodeId


@dataclass(frozen=True, slots=True)
class SourceTree:
    """A tree as either format gives it; ids are split numbers and ``leaf k``, ``place`` says where it is."""

    splits: dict[NodeId, Split]
    leaves: dict[int, float]
    root: NodeId
    place: str


@dataclass(frozen=True, slots=True)
class LightGBMSource:
    """A model as either format gives it; ``lists`` are the categories of columns.

    A round of training has ``per_round`` trees; the sums are ``averaged`` over the rounds where the file says so.
    """

    objective: str
    names: Sequence[str]
    columns: Sequence[Column]
    lists: Sequence[Sequence[object]]
    trees: Sequence[SourceTree]
    per_round: int
    averaged: bool


def cast(kind: Callable[[str], T], text: str, place: str) -> T:
    """Return *text* as a number of *kind*.  Raises ``FormatError`` at *place* where it is none."""
    try:
        number = kind(plain(text))
        # LightGBM writes inf; digits without end mean another number.
        if isinstance(number, float) and math.isinf(number) and "n" not in text.lower():
            raise ValueError(text)
        return number
    except ValueError:
        raise damaged(f"{shown(text)} is not a number", place) from None


def _refuse_linear(linear: object, place: str) -> None:
    if linear:
        raise InputError("the leaves are linear models", place=place, mend="train with linear_tree=False")


def _refuse_number(trees: int, place: str) -> None:
    refuse_count(trees, place, "train with num_boost_round=1 (n_estimators=1) or more")


def of_text(text: str) -> LightGBMSource:
    """Read the text format: a header of ``key=value`` lines, a block a tree, ``end of trees``."""
    # Not str.splitlines, which ends lines within a name too, at U+2028 for one.
    lines = text.replace("\r\n", "\n").split("\n")
    if "end of trees" not in lines:
        raise FormatError("the file breaks off before 'end of trees'", mend="write the model again with save_model")
    starts = [i for i, line in enumerate(lines) if line.startswith("Tree=")]
    _refuse_number(len(starts), "")
    header = _values([line for line in lines[: starts[0]] if line], "the header")
    sizes = header.get("tree_sizes")
    if sizes is not None and len(sizes.split()) != len(starts):
        raise damaged(
            f"the header has the sizes of {len(sizes.split())} trees, and there are {len(starts)}", "tree_sizes"
        )
    ends = [*starts[1:], lines.index("end of trees")]
    trees = [_text_tree(lines[start:end], number) for number, (start, end) in enumerate(zip(starts, ends, strict=True))]
    per_round = cast(int, header.get("num_tree_per_iteration", "1"), "num_tree_per_iteration")
    names = header.get("feature_names", "").split(" ")
    columns = _text_columns(header.get("feature_infos", ""), lines)
    objective, averaged = header.get("objective", ""), "average_output" in header
    return LightGBMSource(objective, names, columns, _text_lists(lines), trees, per_round, averaged)


def _text_tree(lines: Sequence[str], number: int) -> SourceTree:
    place = f"Tree={number}"
    if lines[0] != place:
        raise damaged(f"{shown(lines[0])} comes where {place} has to", place)
    block = lines[1:]
    tree = _Block(_values(block[: block.index("") if "" in block else None], place), place)
    _refuse_linear(tree.whole("is_linear", 0), place)
    count = tree.whole("num_leaves")
    leaves = dict(enumerate(tree.numbers("leaf_value", float, count)))
    if count < 2:
        return SourceTree({}, leaves, "leaf 0", place)
    return SourceTree(dict(_text_splits(tree, count - 1)), leaves, 0, place)


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

    def __init__(self, lines: dict[str, str], place: str) -> None:
        self._lines = lines
        self.place = place

    def whole(self, key: str, default: int | None = None) -> int:
        if key not in self._lines and default is not None:
            return default
        return cast(int, self._lines.get(key, ""), f"{self.place}: {key}")

    def numbers(self, key: str, kind: Callable[[str], T], count: int | None = None) -> list[T]:
        line, place = self._lines.get(key, ""), f"{self.place}: {key}"
        words = line.split()
        try:
            # All of a line at once, where nothing needs a closer look.
            items = list(map(kind, words)) if line.isascii() and "_" not in line else []
        except ValueError:
            items = []
        if len(items) != len(words) or any(item - item != 0 for item in items):
            items = [cast(kind, word, place) for word in words]
        if count is not None and len(items) != count:
            raise damaged(f"there are {len(items)} numbers, expected {count}", place)
        return items


def _text_splits(tree: _Block, count: int) -> Iterator[tuple[NodeId, Split]]:
    thresholds, types = tree.numbers("threshold", float, count), tree.numbers("decision_type", int, count)
    children = zip(tree.numbers("left_child", int, count), tree.numbers("right_child", int, count), strict=True)
    features = tree.numbers("split_feature", int, count)
    bounds, words = tree.numbers("cat_boundaries", int), tree.numbers("cat_threshold", int)
    for node, (left, right) in enumerate(children):
        threshold, bits, place = thresholds[node], types[node], f"{tree.place}: node {node}"
        missing_type = bits >> 2 & 3
        categories = _bit_set(threshold, bounds, words, place) if bits & 1 else None
        if missing_type > NAN_IS_MISSING:
            raise damaged(f"the decision type {bits} is unknown", place)
        test = LightGBMTest(threshold if categories is None else 0.0, missing_type, bool(bits & 2), categories)
        yield node, Split(features[node], test, _child(left), _child(right))


def _child(number: int) -> NodeId:
    return number if number >= 0 else f"leaf {~number}"


def _bit_set(position: float, bounds: Sequence[int], words: Sequence[int], place: str) -> tuple[int, ...]:
    index = int(position) if position == position and 0 <= position < len(bounds) - 1 else -1
    if index < 0 or not 0 <= bounds[index] <= bounds[index + 1] <= len(words):
        raise damaged("the categories of a node are not there", place)
    inside = words[bounds[index] : bounds[index + 1]]
    return tuple(32 * k + bit for k, word in enumerate(inside) for bit in range(32) if word >> bit & 1)


def of_json(data: bytes) -> LightGBMSource:
    """Read the JSON of ``dump_model``."""
    model = Fields(decode_json(data, "write the model with save_model, or the result of dump_model() again"), "$")
    infos = model.items("tree_info")
    _refuse_number(len(infos), "$.tree_info")
    trees = [
        _json_tree(Fields(info, f"$.tree_info[{number}]").get("tree_structure"), f"$.tree_info[{number}]")
        for number, info in enumerate(infos)
    ]
    objective = model.optional("objective", str) or ""
    names = model.items("feature_names")
    told = model.optional("feature_infos", dict) or {}
    columns = [json_column(told.get(name) if isinstance(name, str) else None) for name in names]
    lists = _checked_lists(model.optional("pandas_categorical", list))
    per_round = model.whole("num_tree_per_iteration", 1)
    return LightGBMSource(
        objective, names, columns, lists, trees, per_round, bool(model.optional("average_output", bool))
    )


def _json_tree(structure: object, place: str) -> SourceTree:
    """Return the tree of nested nodes *structure*.  No recursion."""
    splits: dict[NodeId, Split] = {}
    leaves: dict[int, float] = {}
    top = Fields(structure, place)
    # A tree of one leaf has no leaf number.
    alone = top.optional("split_index", int) is None
    root: NodeId = f"leaf {top.whole('leaf_index', 0)}" if alone else _json_id(top)
    stack = [top]
    while stack:
        node = stack.pop()
        split = node.optional("split_index", int)
        _refuse_linear(node.optional("leaf_coeff", list) is not None, node.place)
        if split is None:
            leaves[node.whole("leaf_index", 0)] = node.number("leaf_value")
            continue
        if split in splits:
            raise damaged(f"there are two nodes {split}", node.place)
        left, right = node.fields("left_child"), node.fields("right_child")
        splits[split] = Split(node.whole("split_feature"), _json_test(node), _json_id(left), _json_id(right))
        stack += [left, right]
    return SourceTree(splits, leaves, root, place)


def _json_id(node: Fields) -> NodeId:
    split = node.optional("split_index", int)
    return f"leaf {node.whole('leaf_index')}" if split is None else split


def _json_test(node: Fields) -> LightGBMTest:
    kind, missing_type = node.text("decision_type"), _MISSING_TYPES.get(node.text("missing_type"))
    if missing_type is None:
        raise damaged("the missing type is unknown", f"{node.place}.missing_type")
    default_left = node.optional("default_left", bool) is True
    if kind == "==":
        words = node.text("threshold").split("||")
        categories = tuple(cast(int, word, f"{node.place}.threshold") for word in words if word)
        if any(k < 0 for k in categories):
            raise damaged("a category is negative", f"{node.place}.threshold")
        return LightGBMTest(0.0, missing_type, default_left, categories)
    if kind != "<=":
        raise damaged(f"the decision type {shown(kind)} is unknown", f"{node.place}.decision_type")
    threshold = node.number("threshold")
    if abs(threshold) >= DUMPED_INFINITY:
        threshold = math.copysign(math.inf, threshold)
    return LightGBMTest(threshold, missing_type, default_left, None)
