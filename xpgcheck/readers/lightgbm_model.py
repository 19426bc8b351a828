"""LightGBM models (``save_model`` text, ``dump_model`` JSON), with the semantics of ``LGBMClassifier.predict``.

What the predictor does, and so does κ:

* Inputs are float64 (float32 data is widened).  Numbers of at most 1e-35f (a float32) in magnitude are set to zero first.
* A numerical node goes left where ``x <= threshold``.  Its missing type says what is missing: ``None`` nothing (a NaN is
  0), ``Zero`` both zero and NaN, ``NaN`` a NaN; what is missing goes where ``default_left`` says.
* A categorical node goes left where the input, cut to an integer towards zero, is in its set: −0.5 is category 0, 1.5 is
  category 1.  A NaN, a negative category and one that training never saw go right.
* Weights are summed, and sums become a class, as :mod:`xpgcheck.readers.lightgbm_sums` says.

A tree of two classes alone is a decision graph, whose leaves have classes; anything else is an ensemble.

``dump_model`` writes every threshold from 1e300 on as 1e300; here it is read as infinite, which it was unless the data
reach that far.  The text has thresholds in full.

LightGBM sees the categories of a pandas column as codes: positions in a list of ``pandas_categorical``.  Where the file has
that list, the categories are the domain, and one that training never saw is the missing value, as to ``predict``.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Sequence
from pathlib import Path

from xpgcheck.errors import XpgcheckError
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal
from xpgcheck.model.domains import Domain, Feature, Float64
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.readers.categories import category_domain, warn_of_choice, warn_of_codes
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, PathLike, decode_utf8, place_of, read_bytes
from xpgcheck.readers.lightgbm_columns import Column, columns_of_lists, other_ways
from xpgcheck.readers.lightgbm_literals import LightGBMTests
from xpgcheck.readers.lightgbm_source import LightGBMSource, SourceTree, of_json, of_text
from xpgcheck.readers.lightgbm_sums import BINARY, LightGBMScores, scores_of
from xpgcheck.readers.names import check_name
from xpgcheck.readers.other_names import OtherNames, stored_names
from xpgcheck.readers.pauses import no_cycle_collection
from xpgcheck.readers.source_trees import tree_graph
from xpgcheck.readers.summed_trees import WeighingTree, Weights, refuse_infinite, summed_trees


def read_lightgbm(
    path: PathLike, *, max_bytes: int = DEFAULT_MAX_BYTES, missing: bool = True, name: str | None = None
) -> DecisionGraph | Ensemble:
    """Return the model that LightGBM stored at *path*; see :func:`parse_lightgbm`."""
    data = read_bytes(path, max_bytes)
    try:
        return parse_lightgbm(data, name or Path(path).stem, missing=missing)
    except XpgcheckError as error:
        raise error.at(place_of(path)) from None


def parse_lightgbm(
    data: bytes, name: str, *, missing: bool = True, names: OtherNames | None = None
) -> DecisionGraph | Ensemble:
    """Return the ensemble of a model, text or JSON, or the graph of one tree of two classes.  Needs no LightGBM.

    Features are called as in the model; classes are "0", "1", …, as ``LGBMClassifier`` numbers them.  The missing value
    is in every domain unless *missing* is False.  *names* may give other names.

    Raises ``InputError`` for another objective, no trees and linear leaves; ``LimitError`` for too many trees;
    ``FormatError`` for a damaged file.
    """
    check_name("model", name)
    # In a function of its own: what it does not return is gone before the collector is on again.
    with no_cycle_collection():
        return _model(data, name, missing, names)


def _model(data: bytes, name: str, missing: bool, names: OtherNames | None) -> DecisionGraph | Ensemble:
    in_json = data.removeprefix(codecs.BOM_UTF8).lstrip()[:1] == b"{"
    source = of_json(data) if in_json else of_text(decode_utf8(data))
    scores = scores_of(source)
    own = stored_names("feature", source.names, len(source.names), names)
    columns = _columns(source, len(own))
    lists = columns_of_lists(source.lists, columns) if source.lists else {}
    features = [Feature(text, _domain(text, lists.get(column), missing)) for column, text in enumerate(own)]
    if lists and other_ways(source.lists, columns):
        warn_of_choice(name, own, lists)
    warn_of_codes(name, own, {k for k, column in enumerate(columns) if column.categorical} - lists.keys())
    literals = LightGBMTests([feature.domain for feature in features], missing)
    labels = stored_names("class", [str(k) for k in range(scores.classes)], scores.classes, names)
    if len(source.trees) == 1 and scores.objective == BINARY:
        return _alone(name, features, labels, source.trees[0], literals, scores)
    return _summed(name, features, labels, source.trees, literals, scores)


def _domain(name: str, categories: Sequence[object] | None, missing: bool) -> Domain:
    return (
        Float64(missing) if categories is None else category_domain(categories, name, missing=missing, unseen=missing)
    )


def _columns(source: LightGBMSource, count: int) -> list[Column]:
    """Return what *source* says of its columns; what a tree tests is certain."""
    columns = list(source.columns[:count]) + [Column(None)] * (count - len(source.columns))
    for tree in source.trees:
        for split in tree.splits.values():
            categorical = split.test.categories is not None
            if 0 <= split.feature < count and columns[split.feature].categorical is not categorical:
                columns[split.feature] = Column(categorical)
    return columns


def _nodes(tree: SourceTree, literals: LightGBMTests, class_of: Callable[[float, str], int]) -> dict[NodeId, Node]:
    """Return the nodes of *tree*; *class_of* makes the class of a leaf of its weight and its place."""
    # In the order of their numbers, whatever the format: that of the answers.
    nodes: dict[NodeId, Node] = {
        f"leaf {leaf}": Terminal(class_of(weight, f"{tree.place}: leaf {leaf}"))
        for leaf, weight in sorted(tree.leaves.items())
    }
    for key, split in tree.splits.items():
        left, right = literals.of(split.feature, split.test)
        nodes[key] = NonTerminal(split.feature, ((split.left, left), (split.right, right)))
    return nodes


def _alone(
    name: str,
    features: list[Feature],
    labels: list[str],
    tree: SourceTree,
    literals: LightGBMTests,
    scores: LightGBMScores,
) -> DecisionGraph:
    """Return the graph of the only *tree* of two classes, whose leaves have classes."""

    def class_of(weight: float, place: str) -> int:
        refuse_infinite(weight, place)
        return scores.class_alone(weight)

    return tree_graph(name, features, labels, _nodes(tree, literals, class_of), tree.root)


def _summed(
    name: str,
    features: list[Feature],
    labels: list[str],
    trees: Sequence[SourceTree],
    literals: LightGBMTests,
    scores: LightGBMScores,
) -> Ensemble:
    found = []
    for number, tree in enumerate(trees):
        weights = Weights()
        nodes = _nodes(tree, literals, weights.answer)
        found.append(WeighingTree(nodes, tree.root, weights, number % scores.count, tree.place))
    return summed_trees(name, features, labels, found, scores.rule([(tree.score, tree.weights) for tree in found]))
