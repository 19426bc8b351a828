"""Fitted ensembles of scikit-learn, with the exact semantics of their ``predict``, whether objects or files.

* Forests and bagging average the values of the leaves in float64; the first largest average wins.
* AdaBoost (SAMME) adds the weight w of a tree to the class that it predicts, and −w / (K − 1) to the K − 1 others.
* Gradient boosting adds the leaves' values, times the learning rate, to what the prior gives; of two classes the last one
  wins where the sum is ≥ 0.  HistGradientBoosting adds the leaves' values to its baseline; of two classes the last one
  wins where the sum is > 0, and numbers are compared in float64.

All in float64, tree by tree.  Several threads (``n_jobs``) add in another order, which the bound on rounding covers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Protocol

from xpgcheck.errors import InputError, shown
from xpgcheck.model.combination import Arithmetic, CombinationRule, Majority, Row, Sum, Threshold, average
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Feature, Float32
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.readers.fields import damaged
from xpgcheck.readers.pauses import no_cycle_collection
from xpgcheck.readers.sklearn_tree import Sides, TreeArrays, arrays_graph, fitted_to_missing
from xpgcheck.readers.summed_trees import refuse_count
from xpgcheck.readers.weighed_trees import (
    Numbers,
    TreeAnswers,
    Weights,
    in_tree,
    only_at,
    positions,
)

FORESTS = ("RandomForestClassifier", "ExtraTreesClassifier")
AVERAGED = (*FORESTS, "BaggingClassifier")
BOOSTED = ("AdaBoostClassifier", "GradientBoostingClassifier")
HISTOGRAM = "HistGradientBoostingClassifier"
ENSEMBLES = (*AVERAGED, *BOOSTED, HISTOGRAM)
"""The ensembles that are read."""

CLASSIFIERS = ("DecisionTreeClassifier", "ExtraTreeClassifier")
REGRESSORS = ("DecisionTreeRegressor", "ExtraTreeRegressor")

_EPSILON = 2.0**-52


@dataclass(frozen=True, slots=True)
class MemberTree:
    """A tree of an ensemble: its arrays, the row of values of each node, and the samples of each node."""

    features: int
    arrays: TreeArrays
    values: list[list[float]]
    samples: list[int]


def member_tree(features: int, arrays: TreeArrays, values: Any, samples: list[int]) -> MemberTree:
    """Return the tree of *arrays*, with *values* of shape nodes × 1 × numbers.

    Raises ``InputError`` where one of them is NaN or infinite.
    """
    if not (abs(values) < math.inf).all():
        raise InputError("a leaf weighs what is no finite number", mend="train again on finite numbers")
    return MemberTree(features, arrays, values[:, 0, :].tolist(), samples)


class Estimator(Protocol):
    """A fitted estimator's attributes, of an object or of a file, each of its type.

    Each raises ``FormatError`` where the attribute is missing or of another type.
    """

    kind: str
    place: str

    def text(self, key: str) -> str:
        """Return an attribute that is a text; "" for any other."""

    def whole(self, key: str) -> int:
        """Return an attribute that is a count."""

    def number(self, key: str) -> float:
        """Return an attribute that is a number."""

    def numbers(self, key: str) -> list[float]:
        """Return the numbers of an array of any shape."""

    def labels(self, key: str) -> list[Any]:
        """Return the labels in a list or an array."""

    def part(self, key: str) -> Estimator:
        """Return an attribute that is an estimator."""

    def parts(self, key: str) -> list[Estimator]:
        """Return the estimators in a list or an array, which may be nested, in order."""

    def index_lists(self, key: str) -> list[list[int]]:
        """Return the integers of a list of arrays."""

    def tree(self) -> MemberTree:
        """Return the tree of this estimator, which is one of a tree."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names of the model, its features and its classes."""

    model: str
    features: list[str]
    classes: list[str]


def check_choice(kind: str, combine: str | None) -> None:
    """Refuse a choice of the rule where *kind* leaves none.  Raises ``InputError``."""
    if combine not in (None, "majority", "average"):
        raise InputError(f"{shown(combine)} is no rule", place="combine", mend="pass 'majority' or 'average'")
    if combine is not None and kind not in AVERAGED:
        problem = f"the rule of a {kind} is not open: it sums what its trees weigh"
        raise InputError(problem, place="combine", mend="leave it out")


def sklearn_ensemble(source: Estimator, names: Names, missing: bool | None, combine: str | None) -> Ensemble:
    """Return the ensemble that *source* is, one of :data:`AVERAGED` or :data:`BOOSTED`.

    *missing* as ``from_sklearn`` has it, None where values may be missing if the trees show that they were fitted to some.
    *combine* ``"majority"`` counts the trees' votes instead of averaging.  Raises ``InputError`` with the tree's place where
    its trees are not such as scikit-learn fits.  O(n·h) for n nodes in trees of depth h.
    """
    check_choice(source.kind, combine)
    members = source.parts("estimators_")
    refuse_count(len(members), source.place, "train at least one tree")
    with no_cycle_collection():
        count = len(names.features)
        trees = [_member(source, member, number, count) for number, member in enumerate(members)]
        if missing is None:
            missing = any(fitted_to_missing(tree.arrays, tree.samples) for tree in trees)
        features = [Feature(text, Float32(missing)) for text in names.features]
        if source.kind in AVERAGED:
            return _averaged(source, members, trees, features, names, combine)
        if source.kind == "AdaBoostClassifier":
            return _ada_boost(source, members, trees, features, names)
        return _gradient_boosting(source, trees, features, names)


def _member(source: Estimator, member: Estimator, number: int, count: int) -> MemberTree:
    wanted = REGRESSORS if source.kind == "GradientBoostingClassifier" else CLASSIFIERS
    with in_tree(number):
        if member.kind not in wanted:
            problem = f"it is a {shown(member.kind)}, and no {wanted[0]}"
            raise InputError(problem, mend="fit an ensemble of trees alone")
        if member.whole("n_outputs_") != 1:
            raise InputError(f"it has {member.whole('n_outputs_')} outputs", mend="fit one ensemble per output")
        tree = member.tree()
        if source.kind != "BaggingClassifier" and tree.features != count:
            raise InputError(f"it has {tree.features} features, the ensemble {count}", mend="fit the ensemble again")
        return tree


class _Builder:
    """Builds the graphs of an ensemble's trees one by one, and what their answers add."""

    def __init__(self, features: list[Feature]) -> None:
        self._features = features
        self._sides: Sides = {}
        self._numbers = Numbers()
        self.graphs: list[DecisionGraph] = []
        self.outputs: list[list[Row]] = []

    def add(
        self,
        arrays: TreeArrays,
        values: list[list[float]],
        weights_of: Callable[[list[float]], Weights],
    ) -> None:
        """Add the tree of *arrays*, a leaf of which adds what *weights_of* makes of its row of *values*."""
        number = len(self.graphs)
        answers = TreeAnswers(self._numbers)
        with in_tree(number):
            class_of = [
                answers.number(weights_of(row)) if left < 0 else -1
                for left, row in zip(arrays.left, values, strict=True)
            ]
            self.graphs.append(self.graph(replace(arrays, class_of=class_of), answers.names, number))
        self.outputs.append(answers.rows)

    def graph(self, arrays: TreeArrays, classes: list[str], number: int) -> DecisionGraph:
        """Return the graph of *arrays*, the tree *number*."""
        return arrays_graph(arrays, self._features, classes, f"tree {number}", self._sides)

    def ensemble(self, names: Names, rule: CombinationRule) -> Ensemble:
        """Return the ensemble of the trees so far."""
        return ensemble(names.model, self._features, names.classes, self.graphs, rule, self.outputs)


def _averaged(
    source: Estimator,
    members: Sequence[Estimator],
    trees: Sequence[MemberTree],
    features: list[Feature],
    names: Names,
    combine: str | None,
) -> Ensemble:
    classes = len(names.classes)
    columns = source.index_lists("estimators_features_") if source.kind == "BaggingClassifier" else []
    if columns and (len(columns) != len(trees) or source.whole("n_estimators") != len(trees)):
        raise InputError("its trees are not those that it was fitted with", mend="fit it again")
    builder = _Builder(features)
    votes = []
    for number, (member, tree) in enumerate(zip(members, trees, strict=True)):
        own = positions(member.labels("classes_"), range(classes))
        arrays = tree.arrays
        if columns:
            with in_tree(number):
                arrays = replace(arrays, feature=_renumbered(tree, columns[number], len(features)))
        if own is None or any(len(row) != len(own) for row in tree.values[:1]):
            problem = "its classes are not those of the ensemble"
            raise InputError(problem, place=f"tree {number}", mend="fit the ensemble again")
        if combine == "majority":
            class_of = [own[row.index(max(row))] for row in tree.values]
            with in_tree(number):
                votes.append(builder.graph(replace(arrays, class_of=class_of), names.classes, number))
        else:
            builder.add(arrays, tree.values, _spread(own, classes))
    if combine == "majority":
        return ensemble(names.model, features, names.classes, votes, Majority())
    return builder.ensemble(names, average(classes, Arithmetic.BINARY64))


def _spread(own: Sequence[int], classes: int) -> Callable[[list[float]], Weights]:
    """Return what makes of the values of a tree's own classes those of all classes."""
    if list(own) == list(range(classes)):
        return tuple

    def spread(row: list[float]) -> Weights:
        found = [0.0] * classes
        for position, value in zip(own, row, strict=True):
            found[position] = value
        return tuple(found)

    return spread


def _renumbered(tree: MemberTree, columns: list[int], count: int) -> list[int]:
    """Return the features of *tree*, which are numbered by *columns*, by their numbers in the ensemble."""
    if len(columns) != tree.features or any(not 0 <= column < count for column in columns):
        raise damaged(f"its {tree.features} features are not {len(columns)} of those of the ensemble", "")
    own = dict(enumerate(columns))
    return [own.get(feature, -1) for feature in tree.arrays.feature]


def _ada_boost(
    source: Estimator,
    members: Sequence[Estimator],
    trees: Sequence[MemberTree],
    features: list[Feature],
    names: Names,
) -> Ensemble:
    if source.text("algorithm") == "SAMME.R":
        raise InputError("the algorithm 'SAMME.R' is not read", place="algorithm", mend="fit it with algorithm='SAMME'")
    weights = source.numbers("estimator_weights_")
    if len(weights) < len(trees) or not 0 < sum(weights) < math.inf:
        problem = "the weights of its trees are not there, or their sum is not positive"
        raise InputError(problem, place="estimator_weights_", mend="fit it again")
    labels = source.labels("classes_")
    classes = len(labels)
    builder = _Builder(features)
    for number, (member, tree, weight) in enumerate(zip(members, trees, weights[: len(trees)], strict=True)):
        own = positions(member.labels("classes_"), labels)
        if own is None or any(len(row) != len(own) for row in tree.values[:1]):
            problem = "its classes are not those of the ensemble"
            raise InputError(problem, place=f"tree {number}", mend="fit the ensemble again")
        builder.add(tree.arrays, tree.values, _samme(own, weight, classes))
    base = (Fraction(0),) * (1 if classes == 2 else classes)
    threshold = Threshold(Fraction(0)) if classes == 2 else None
    # With two classes the scores are exactly each other's negatives: one of them is enough.
    return builder.ensemble(names, Sum(base, threshold, Arithmetic.BINARY64))


def _samme(own: Sequence[int], weight: float, classes: int) -> Callable[[list[float]], Weights]:
    if classes == 1:
        return lambda row: (0.0,)
    if classes == 2:
        return lambda row: (weight if own[row.index(max(row))] else -weight,)
    other = -1 / (classes - 1) * weight

    def weights(row: list[float]) -> Weights:
        predicted = own[row.index(max(row))]
        return tuple([weight if k == predicted else other for k in range(classes)])

    return weights


def _gradient_boosting(
    source: Estimator, trees: Sequence[MemberTree], features: list[Feature], names: Names
) -> Ensemble:
    classes = len(names.classes)
    scores = 1 if classes == 2 else classes
    if len(trees) % scores:
        raise damaged(f"there are {len(trees)} trees for {scores} classes", source.place)
    rate = source.number("learning_rate")
    base = _prior(source, scores)
    builder = _Builder(features)
    for number, tree in enumerate(trees):
        score = number % scores
        builder.add(tree.arrays, tree.values, only_at(score, scores, rate))
    threshold = Threshold(Fraction(0), inclusive=True) if scores == 1 else None
    # The logarithms of the prior may be those of another library: a few units in their last place.
    doubt = Fraction(32 * _EPSILON * (1 + max(map(abs, base)))) if any(base) else Fraction(0)
    exact = tuple(map(Fraction, base))
    return builder.ensemble(names, Sum(exact, threshold, Arithmetic.BINARY64, doubt=doubt))


def _prior(source: Estimator, scores: int) -> list[float]:
    """Return what the sums of gradient boosting begin with: the link of the classes' frequencies, or zeros."""
    loss = source.text("loss")
    if loss not in ("log_loss", "exponential"):
        raise InputError(f"the loss {shown(loss)} is not read", place="loss", mend="fit it with loss='log_loss'")
    if source.text("init_") == "zero":
        return [0.0] * scores
    init = source.part("init_")
    if init.kind != "DummyClassifier" or init.text("strategy") != "prior":
        problem = f"its sums begin with what a {shown(init.kind)} predicts"
        raise InputError(problem, place="init", mend="fit it with init=None or init='zero'")
    prior = [min(max(p, _EPSILON), 1 - _EPSILON) for p in init.numbers("class_prior_")]
    if len(prior) != (2 if scores == 1 else scores):
        raise damaged("the frequencies of the classes are not there", source.place)
    if scores == 1:
        return [_logit(prior[1]) * (0.5 if loss == "exponential" else 1)]
    middle = math.exp(sum(map(math.log, prior)) / scores)
    return [math.log(p / middle) for p in prior]


def _logit(p: float) -> float:
    if 0.3 <= p <= 0.65:
        half = 2 * (p - 0.5)
        return math.log1p(half) - math.log1p(-half)
    return math.log(p / (1 - p))
