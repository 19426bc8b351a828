"""XGBoost models (``save_model`` as JSON or UBJSON), with the exact semantics of ``XGBClassifier.predict``.

What the predictor does, and so does κ:

* Inputs are cast to float32.  A numerical node goes left where ``x < split_condition``, also a float32.
* A categorical node goes left unless the category is in its set.  The category is the float32 cut to an integer, so that
  1.5 is category 1; a negative one, one not in the set and one that training never saw all go left.
* The missing value (NaN) goes where ``default_left`` says.  An instance with another mark for missing values (the
  ``missing`` of ``XGBClassifier``) has to be given with NaN: the mark is not in the file.
* Weights are summed, and sums become a class, as :mod:`xpgcheck.readers.xgboost_sums` says.
* A model that stopped early predicts with the rounds up to its best one, which the file names.

A tree of two classes alone is a decision graph, whose leaves have classes; anything else is an ensemble.  A tree alone is
refused where a margin comes so close to the border that the machine's logarithm decides.

Where the file has the categories of a table's columns (``cats``, XGBoost 3.1 and later), they are the domain; else cells
are codes.  A category that training never saw is not in the domain: XGBoost 3.2 refuses one behind the last in order, and
takes any other for the next larger one.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xpgcheck.errors import InputError, ModelNotice, XpgcheckError, shown
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Domain, Feature, Float32
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.readers import ubjson
from xpgcheck.readers.categories import category_domain, warn_of_codes
from xpgcheck.readers.fields import Fields, damaged, decode_json
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, PathLike, place_of, read_bytes
from xpgcheck.readers.names import check_name, numbered_names
from xpgcheck.readers.other_names import OtherNames, stored_names
from xpgcheck.readers.pauses import no_cycle_collection
from xpgcheck.readers.source_trees import tree_graph
from xpgcheck.readers.summed_trees import WeighingTree, Weights, refuse_count, summed_trees
from xpgcheck.readers.xgboost_sums import BORDERS, XGBoostScores, scores_of
from xpgcheck.readers.xgboost_trees import XGBoostTests, float32, tree_nodes


def read_xgboost(
    path: PathLike, *, max_bytes: int = DEFAULT_MAX_BYTES, missing: bool = True, name: str | None = None
) -> DecisionGraph | Ensemble:
    """Return the model that XGBoost stored at *path*; see :func:`parse_xgboost`."""
    data = read_bytes(path, max_bytes)
    try:
        return parse_xgboost(data, name or Path(path).stem, missing=missing)
    except XpgcheckError as error:
        raise error.at(place_of(path)) from None


def parse_xgboost(
    data: bytes, name: str, *, missing: bool = True, names: OtherNames | None = None
) -> DecisionGraph | Ensemble:
    """Return the ensemble of a model, JSON or UBJSON, or the graph of one tree of two classes.  Needs no XGBoost.

    Features are called as in the model, else f0, f1 …; classes are "0", "1", …, as ``XGBClassifier`` has them.  The
    missing value is in every domain unless *missing* is False.  *names* may give other names.

    Raises ``InputError`` for another booster or objective, no trees, several outputs and vector leaves; ``LimitError`` for
    too many trees; ``FormatError`` for a damaged file.
    """
    check_name("model", name)
    # In a function of its own: what it does not return is gone before the collector is on again.
    with no_cycle_collection():
        return _model(data, name, missing, names)


def _model(data: bytes, name: str, missing: bool, names: OtherNames | None) -> DecisionGraph | Ensemble:
    learner = Fields(_decoded(data), "$").fields("learner")
    if learner.optional("generic_param", dict) is not None:
        problem = "this is XGBoost's configuration (save_config), without the model"
        raise InputError(problem, place=learner.place, mend="write the model with save_model('model.json')")
    model, drops = _boosted(learner.fields("gradient_booster"))
    trained = len(model.items("trees"))
    refuse_count(trained, f"{model.place}.trees", "train with n_estimators=1 or more")
    arrays = _arrays(model)
    scores = scores_of(learner, trained)
    trees = _trees(model, arrays, drops, len(scores.base))[: _used(learner, model, len(scores.base), name)]
    count = learner.fields("learner_model_param").whole("num_feature")
    own = stored_names("feature", learner.optional("feature_names", list) or numbered_names("f", count), count, names)
    lists = _category_lists(model, count)
    features = [Feature(text, _domain(text, lists.get(column), missing)) for column, text in enumerate(own)]
    literals = XGBoostTests([feature.domain for feature in features], missing)
    labels = stored_names("class", [str(k) for k in range(scores.classes)], scores.classes, names)
    if len(trees) == 1 and scores.objective in BORDERS:
        found: DecisionGraph | Ensemble = _alone(name, features, labels, trees[0], literals, scores)
    else:
        found = _summed(name, features, labels, trees, literals, scores)
    warn_of_codes(name, own, _categorical(learner, trees) - lists.keys())
    return found


@dataclass(frozen=True, slots=True)
class _Tree:
    """A tree's arrays, the score that it adds to, and its drop weight where the booster is ``dart``."""

    arrays: Fields
    score: int
    dropped: float | None


def _boosted(booster: Fields) -> tuple[Fields, list[float] | None]:
    """Return the trees' model and the drop weights, if there are any."""
    kind = booster.text("name")
    if kind == "gbtree":
        return booster.fields("model"), None
    if kind != "dart":
        raise InputError(f"the booster is {shown(kind)}", place=booster.place, mend="train with booster='gbtree'")
    model = booster.fields("gbtree").fields("model")
    drops, count = booster.numbers("weight_drop"), len(model.items("trees"))
    place = f"{booster.place}.weight_drop"
    if len(drops) != count:
        raise damaged(f"there are {len(drops)} weights for {count} trees", place)
    try:
        drops = [float32(drop) for drop in drops]
    except OverflowError:
        raise damaged("a number is beyond the float32 numbers", place) from None
    if not all(drop - drop == 0 for drop in drops):
        raise damaged("a weight is no finite number", place)
    return model, drops


def _used(learner: Fields, model: Fields, scores: int, name: str) -> int:
    """Return how many trees ``XGBClassifier.predict`` uses: those up to the best round where training stopped early."""
    trained = len(model.items("trees"))
    attributes = learner.optional("attributes", dict) or {}
    best = attributes.get("best_iteration")
    if best is None:
        return trained
    last = Fields(attributes, f"{learner.place}.attributes").whole("best_iteration")
    starts = model.integers("iteration_indptr", default=[])
    if starts:
        used = starts[last + 1] if 0 <= last + 1 < len(starts) else trained
    else:
        parallel = model.fields("gbtree_model_param").whole("num_parallel_tree", default=1)
        used = (last + 1) * parallel * scores
    if last < 0 or used < 1:
        raise damaged(f"the best round is {last}", f"{learner.place}.attributes.best_iteration")
    if used < trained:
        problem = (
            f"training stopped early: {used:,} of {trained:,} trees are read, up to the best round, as by "
            "XGBClassifier.predict (Booster.predict takes all)"
        )
        warnings.warn(ModelNotice(f"model {shown(name)}: {problem}"), stacklevel=2)
    return min(used, trained)


def _arrays(model: Fields) -> list[Fields]:
    """Return the arrays of each tree.  Raises ``InputError`` where leaves are vectors."""
    found = [Fields(raw, f"{model.place}.trees[{number}]") for number, raw in enumerate(model.items("trees"))]
    for tree in found:
        if tree.fields("tree_param").whole("size_leaf_vector", default=1) > 1:
            mend = "train with multi_strategy='one_output_per_tree'"
            raise InputError("the leaves are vectors", place=tree.place, mend=mend)
    return found


def _trees(model: Fields, arrays: Sequence[Fields], drops: list[float] | None, scores: int) -> list[_Tree]:
    infos = model.integers("tree_info", default=[0] if len(arrays) == 1 else [])
    if len(infos) != len(arrays):
        raise damaged(f"there are {len(infos)} numbers for {len(arrays)} trees", f"{model.place}.tree_info")
    for number, score in enumerate(infos):
        if not 0 <= score < scores:
            problem = f"there is no score {score} of {scores}"
            raise damaged(problem, f"{model.place}.tree_info[{number}]")
    kept: Sequence[float | None] = drops or [None] * len(arrays)
    return [_Tree(*each) for each in zip(arrays, infos, kept, strict=True)]


def _alone(
    name: str, features: list[Feature], labels: list[str], tree: _Tree, literals: XGBoostTests, scores: XGBoostScores
) -> DecisionGraph:
    """Return the graph of the only *tree* of two classes, whose leaves have classes."""

    def class_of(weight: float, place: str) -> int:
        return scores.class_alone(scores.added(weight, 0, tree.dropped, place), place)

    return tree_graph(name, features, labels, tree_nodes(tree.arrays, literals, class_of), 0)


def _summed(
    name: str,
    features: list[Feature],
    labels: list[str],
    trees: list[_Tree],
    literals: XGBoostTests,
    scores: XGBoostScores,
) -> Ensemble:
    found, weighed = [], []
    for tree in trees:
        weights = Weights()

        def class_of(weight: float, place: str, tree: _Tree = tree, weights: Weights = weights) -> int:
            return weights.answer(scores.added(weight, tree.score, tree.dropped, place), place)

        nodes = tree_nodes(tree.arrays, literals, class_of)
        found.append(WeighingTree(nodes, 0, weights, tree.score, tree.arrays.place))
        weighed.append((tree.score, weights, tree.dropped))
    return summed_trees(name, features, labels, found, scores.rule(weighed))


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


def _categorical(learner: Fields, trees: Sequence[_Tree]) -> set[int]:
    """Return the columns of categories: those declared, and those that a node tests as such."""
    declared = learner.optional("feature_types", list) or []
    found = {column for column, kind in enumerate(declared) if kind == "c"}
    for tree in trees:
        kinds = tree.arrays.integers("split_type", default=[])
        found.update(
            index for index, kind in zip(tree.arrays.integers("split_indices"), kinds, strict=False) if kind == 1
        )
    return found


def _decoded(data: bytes) -> Any:
    if data[:1] == b"{" and data[1:2] in (b"L", b"U", b"i", b"I", b"l"):
        return ubjson.decode(data)
    return decode_json(data, "write the model again with save_model")
