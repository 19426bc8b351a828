"""XGBoost models of one tree (``save_model`` as JSON or UBJSON), with the exact semantics of ``XGBClassifier.predict``.

What the predictor does, and so does κ:

* Inputs are cast to float32.  A numerical node goes left where ``x < split_condition``, also a float32.
* A categorical node goes left unless the category is in its set.  The category is the float32 cut to an integer, so that
  1.5 is category 1; a negative one, one not in the set and one that training never saw all go left.
* The missing value (NaN) goes where ``default_left`` says.  An instance with another mark for missing values (the
  ``missing`` of ``XGBClassifier``) has to be given with NaN: the mark is not in the file.
* The margin is the leaf's weight plus the margin of ``base_score``, one float32 addition.  Of ``binary:logistic`` the
  class is 1 where the float32 sigmoid of the margin is over 1/2, which a margin up to 1.5·2⁻²⁴ is not yet; of
  ``binary:hinge`` where the margin is over 0; of ``binary:logitraw`` where the margin itself is over 1/2.

Where the file has the categories of a table's columns (``cats``, XGBoost 3.1 and later), they are the domain; else cells
are codes.  A category that training never saw is not in the domain: XGBoost 3.2 refuses one behind the last in order, and
takes any other for the next larger one.

The margin of ``base_score`` is ``base_score`` itself, but −log(1/b − 1) in float32 of ``binary:logistic``.  The last bits
of that depend on the machine's logarithm: a leaf whose margin comes so close to the border is refused.
"""

from __future__ import annotations

import itertools
import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from xpgcheck.errors import FormatError, InputError, XpgcheckError, shown
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal
from xpgcheck.model.domains import Categorical, Domain, Feature, Float32
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import Grid, IntervalSet, ValueSet
from xpgcheck.readers import ubjson
from xpgcheck.readers.categories import category_domain, category_literals, warn_of_codes
from xpgcheck.readers.comparisons import less_than, sides, whole_parts
from xpgcheck.readers.fields import Fields, damaged, decode_json, plain
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, PathLike, place_of, read_bytes
from xpgcheck.readers.names import check_name, numbered_names
from xpgcheck.readers.other_names import OtherNames, stored_names
from xpgcheck.readers.source_trees import tree_graph

LARGEST_CATEGORY = 2**24
"""Categories from here on are invalid to XGBoost, and go left."""

BORDERS = {"binary:logistic": 1.5 * 2**-24, "binary:hinge": 0.0, "binary:logitraw": 0.5}
"""The largest margin that is still class 0, for each objective that is read."""

_ULPS = 4


def read_xgboost(
    path: PathLike, *, max_bytes: int = DEFAULT_MAX_BYTES, missing: bool = True, name: str | None = None
) -> DecisionGraph:
    """Return the decision graph of the XGBoost model at *path*; see :func:`parse_xgboost`."""
    data = read_bytes(path, max_bytes)
    try:
        return parse_xgboost(data, name or Path(path).stem, missing=missing)
    except XpgcheckError as error:
        raise error.at(place_of(path)) from None


def parse_xgboost(data: bytes, name: str, *, missing: bool = True, names: OtherNames | None = None) -> DecisionGraph:
    """Return the decision graph of a model of one tree, JSON or UBJSON.  Needs no XGBoost.

    Features are called as in the model, else f0, f1 …; classes are "0" and "1", as ``XGBClassifier`` has them.  The
    missing value is in every domain unless *missing* is False.  *names* may give other names.

    Raises ``InputError`` for another booster or objective, several trees and vector leaves; ``FormatError`` for a
    damaged file.
    """
    check_name("model", name)
    learner = Fields(_decoded(data), "$").fields("learner")
    if learner.optional("generic_param", dict) is not None:
        problem = "this is XGBoost's configuration (save_config), without the model"
        raise InputError(problem, place=learner.place, mend="write the model with save_model('model.json')")
    parameters = learner.fields("learner_model_param")
    objective = learner.fields("objective").text("name")
    if objective not in BORDERS:
        known = ", ".join(BORDERS)
        problem = f"the objective {shown(objective)} is not read"
        raise InputError(
            problem, place=f"{learner.place}.objective", mend=f"train a binary classifier of one of: {known}"
        )
    count = parameters.whole("num_feature")
    own = stored_names("feature", learner.optional("feature_names", list) or numbered_names("f", count), count, names)
    booster = learner.fields("gradient_booster")
    tree = _only_tree(booster)
    lists = _category_lists(booster.fields("model"), count)
    features = [Feature(text, _domain(text, lists.get(column), missing)) for column, text in enumerate(own)]
    classes = _Classes(objective, _base_margin(objective, parameters))
    nodes = dict(_nodes(tree, classes, missing, [feature.domain for feature in features]))
    warn_of_codes(name, own, _categorical(learner, tree) - lists.keys())
    labels = stored_names("class", ["0", "1"], 2, names)
    return tree_graph(name, features, labels, nodes, 0)


def _domain(name: str, categories: Sequence[object] | None, missing: bool) -> Domain:
    # A category that training never saw is refused: XGBoost refuses it, or takes it for the next larger one.
    return Float32(missing) if categories is None else category_domain(categories, name, missing=missing, unseen=False)


def _category_lists(model: Fields, count: int) -> dict[int, list[object]]:
    """Return the categories of each column of categories, where the file has them (XGBoost 3.1 and later)."""
    if model.optional("cats", dict) is None:
        return {}
    container = model.fields("cats")
    columns = container.items("enc")
    if columns and len(columns) != count:
        raise damaged(f"there are {len(columns)} lists of categories for {count} features", f"{container.place}.enc")
    found = {}
    for column, raw in enumerate(columns):
        record = Fields(raw, f"{container.place}.enc[{column}]")
        if record.optional("offsets", list) is None:
            found[column] = list[object](record.integers("values"))
        elif record.items("offsets"):
            found[column] = list[object](_category_texts(record))
    return found


def _category_texts(record: Fields) -> list[str]:
    """Return the categories that are texts: their bytes one after the other, and where each begins."""
    offsets, values = record.integers("offsets"), record.integers("values")
    if offsets[0] != 0 or offsets[-1] != len(values) or any(a > b for a, b in itertools.pairwise(offsets)):
        raise damaged("the categories do not fit each other", record.place)
    codes = [value % 256 for value in values]
    if any(code > 127 for code in codes):
        problem = "a category has letters beyond ASCII, which XGBoost cuts off"
        raise InputError(problem, place=record.place, mend="rename the categories in the table, and train again")
    text = bytes(codes).decode("ascii")
    return [text[start:end] for start, end in itertools.pairwise(offsets)]


def _categorical(learner: Fields, tree: Fields) -> set[int]:
    """Return the columns of categories: those declared, and those that a node tests as such."""
    declared = learner.optional("feature_types", list) or []
    kinds = tree.integers("split_type", default=[])
    tested = {index for index, kind in zip(tree.integers("split_indices"), kinds, strict=False) if kind == 1}
    return tested | {column for column, kind in enumerate(declared) if kind == "c"}


def _decoded(data: bytes) -> Any:
    if data[:1] == b"{" and data[1:2] in (b"L", b"U", b"i", b"I", b"l"):
        return ubjson.decode(data)
    return decode_json(data, "write the model again with save_model")


def _only_tree(booster: Fields) -> Fields:
    kind = booster.text("name")
    if kind != "gbtree":
        raise InputError(f"the booster is {shown(kind)}", place=booster.place, mend="train with booster='gbtree'")
    model = booster.fields("model")
    trees = model.items("trees")
    if len(trees) != 1:
        problem = f"there are {len(trees)} trees, and an ensemble is no decision graph"
        raise InputError(problem, place=f"{model.place}.trees", mend="train with n_estimators=1, and two classes")
    tree = Fields(trees[0], f"{model.place}.trees[0]")
    if tree.fields("tree_param").whole("size_leaf_vector", default=1) > 1:
        raise InputError(
            "the leaves are vectors", place=tree.place, mend="train with multi_strategy='one_output_per_tree'"
        )
    return tree


class _Classes:
    """The class of a leaf from its weight."""

    def __init__(self, objective: str, base: float) -> None:
        self._border = BORDERS[objective]
        self._base = base
        # A base margin that is exact (0, or no logarithm) leaves nothing in doubt.
        self._doubt = _ULPS * 2**-23 * abs(base) if objective == "binary:logistic" else 0.0

    def of(self, weight: float, place: str) -> int:
        margin = _float32(weight + self._base)
        if self._doubt and abs(margin - self._border) <= self._doubt:
            problem = f"the margin {margin!r} is so close to the border between the classes that the machine decides"
            raise InputError(problem, place=place, mend="train with base_score=0.5")
        return int(margin > self._border)


def _base_margin(objective: str, parameters: Fields) -> float:
    text = parameters.text("base_score").strip("[]")
    try:
        base = _float32(float(plain(text)))
    except (ValueError, OverflowError):
        problem = f"the base score {shown(text)} is not one number"
        raise FormatError(problem, place=f"{parameters.place}.base_score", mend="train with one output") from None
    if objective != "binary:logistic":
        return base
    if not 0 < base < 1:
        problem = f"the base score {base!r} is not between 0 and 1"
        raise FormatError(problem, place=f"{parameters.place}.base_score", mend="train with base_score=0.5")
    return 0.0 if base == 0.5 else _float32(-math.log(_float32(_float32(1 / base) - 1)))


def _float32(number: float) -> float:
    """Return *number*, a double, rounded to float32.  Raises ``OverflowError`` beyond it."""
    rounded: float = struct.unpack("<f", struct.pack("<f", number))[0]
    return rounded


def _nodes(tree: Fields, classes: _Classes, missing: bool, domains: Sequence[Domain]) -> Iterator[tuple[NodeId, Node]]:
    left, right = tree.integers("left_children"), tree.integers("right_children")
    values, indices = tree.numbers("split_conditions"), tree.integers("split_indices")
    default_left = tree.integers("default_left")
    kinds = tree.integers("split_type", default=[0] * len(left))
    if len({len(left), len(right), len(values), len(indices), len(default_left), len(kinds)}) != 1 or not left:
        raise damaged("the arrays of the tree are not of one length", tree.place)
    categories = _categories(tree)
    literals: dict[tuple[float, int], tuple[ValueSet, ValueSet]] = {}
    for node, child in enumerate(left):
        place = f"{tree.place}: node {node}"
        try:
            value = _float32(values[node])
        except OverflowError:
            raise damaged("a number is beyond the float32 numbers", place) from None
        if child == -1:
            yield node, Terminal(classes.of(value, place))
            continue
        goes_left = bool(default_left[node])
        if kinds[node] == 1:
            if node not in categories:
                raise damaged("a categorical node has no categories", place)
            # What is in the set goes right.
            right_side, left_side = sides(_matching(categories[node]), missing, not goes_left)
            pair: tuple[ValueSet, ValueSet] = (left_side, right_side)
        elif kinds[node] == 0:
            key = (value, goes_left)
            pair = literals.get(key) or literals.setdefault(
                key, sides(less_than(Grid.FLOAT32, value), missing, goes_left)
            )
        else:
            raise damaged(f"the split type {kinds[node]} is unknown", place)
        domain = domains[indices[node]] if 0 <= indices[node] < len(domains) else None
        ends = category_literals(domain, pair) if isinstance(domain, Categorical) else pair
        yield node, NonTerminal(indices[node], ((child, ends[0]), (right[node], ends[1])))


def _matching(categories: Sequence[int]) -> IntervalSet:
    """Return the float32 numbers whose whole part is one of *categories*: those from −1 to 0 are invalid, −0 is 0."""
    parts = whole_parts(Grid.FLOAT32, [k for k in categories if 0 <= k < LARGEST_CATEGORY])
    return parts.difference(less_than(Grid.FLOAT32, 0.0))


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
