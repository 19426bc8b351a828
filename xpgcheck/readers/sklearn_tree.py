"""Fitted scikit-learn decision tree classifiers, with the exact semantics of their ``predict``.

``predict`` casts its input to float32 (binary32, ties to even) and goes left where ``x <= threshold``, the threshold
being a binary64; a missing value (NaN) goes where the node's ``missing_go_to_left`` says; the class is the first of the
largest entries of the leaf's ``value``.  So the domain is the float32 numbers and a threshold is taken at its exact
value.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xpgcheck.arguments import FLAG, LABELS, TEXT, optional, takes
from xpgcheck.errors import InputError, shown
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal
from xpgcheck.model.domains import Feature, Float32
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import Grid, IntervalSet
from xpgcheck.readers.comparisons import at_most, sides
from xpgcheck.readers.names import check_name, checked_names, numbered_names
from xpgcheck.readers.pauses import no_cycle_collection
from xpgcheck.readers.sklearn_advice import advice
from xpgcheck.readers.source_trees import tree_graph


@takes(
    feature_names=optional(LABELS),
    class_names=optional(LABELS),
    missing=optional(FLAG),
    combine=optional(TEXT),
    name=optional(TEXT),
)
def from_sklearn(
    estimator: object,
    *,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
    missing: bool | None = None,
    combine: str | None = None,
    name: str | None = None,
    domains: object = None,
) -> DecisionGraph | Ensemble:
    """Return the decision graph of a fitted tree of scikit-learn, or the ensemble of a fitted forest.

    Parameters
    ----------
    estimator
        A fitted ``DecisionTreeClassifier`` or ``ExtraTreeClassifier``; a ``RandomForestClassifier``,
        ``ExtraTreesClassifier``,
        ``BaggingClassifier`` or ``AdaBoostClassifier`` of trees, ``GradientBoostingClassifier`` or
        ``HistGradientBoostingClassifier``; or a ``Pipeline`` whose last step is one of these, or a model of XGBoost or
        LightGBM, which gives a classifier over the columns of the table that it was fitted to.
    feature_names
        The names of the features; by default those that the tree was fitted with, else ``feature_0`` ….
    class_names
        The names of the classes; by default ``classes_``.
    missing
        Whether the missing value (NaN) is in every domain; by default it is where the tree shows that it was fitted to
        missing
        values (:func:`fitted_to_missing`).
    combine
        ``"majority"`` counts the votes of the trees of a forest, where ``predict`` averages.
    name
        The name of the model.
    domains
        The values that the columns have, such as ``frame.dtypes`` or a path
        (:func:`xpgcheck.readers.table_schemas.table_schema`); whole numbers are then whole in every explanation.

    Returns
    -------
    DecisionGraph or Ensemble
        Its κ of a float32 point is what ``estimator.predict`` says of it.  Node ids are scikit-learn's node numbers.

    Raises
    ------
    InputError
        Any other object, an unfitted or multi-output tree, names that do not fit, or ``missing`` of a tree whose
        ``predict``
        refuses missing values.

    Notes
    -----
    O(n·h) for n nodes and depth h.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[0], [1], [2]], ["no", "no", "yes"])
    >>> from_sklearn(tree, feature_names=["age"])
    <DecisionGraph 'tree': 1 features, 3 nodes>
    """
    from xpgcheck.readers.sklearn_objects import ensemble_kind, ensemble_of_object

    if domains is not None:
        from xpgcheck.readers.table_schemas import table_schema, with_domains

        schema = table_schema(domains)
        own = from_sklearn(
            estimator,
            feature_names=feature_names,
            class_names=class_names,
            missing=missing,
            combine=combine,
            name=name,
        )
        return with_domains(own, schema)
    kind = ensemble_kind(estimator)
    from xpgcheck.readers.sklearn_pipeline import is_pipeline

    if is_pipeline(estimator):
        return _of_pipeline(estimator, feature_names, class_names, missing, combine, name or "pipeline")
    if name is None:
        name = "ensemble" if kind else "tree"
    if kind:
        return ensemble_of_object(estimator, kind, name, feature_names, class_names, missing, combine)
    tree = _fitted_tree(estimator)
    if combine is not None:
        raise InputError("one tree has nothing to combine", place="combine", mend="leave it out")
    names = _feature_names(estimator, tree, feature_names)
    classes = _class_names(estimator, class_names)
    check_name("model", name)
    # argmax returns the first of equal maxima, as predict does on these same numbers.
    arrays = TreeArrays(
        tree.children_left.tolist(),
        tree.children_right.tolist(),
        tree.feature.tolist(),
        tree.threshold.tolist(),
        tree.missing_go_to_left.astype(bool).tolist(),
        tree.value[:, 0, :].argmax(axis=1).tolist(),
    )
    allowed = missing is not False and takes_missing(estimator, len(names))
    if missing and not allowed:
        problem = f"this {type(estimator).__name__} does not predict for missing values"
        raise InputError(problem, mend="leave 'missing' out")
    if missing is None:
        missing = allowed and fitted_to_missing(arrays, tree.n_node_samples.tolist())
    return arrays_graph(arrays, [Feature(text, Float32(missing)) for text in names], classes, name)


def _of_pipeline(
    pipeline: Any,
    feature_names: Sequence[str] | None,
    class_names: Sequence[str] | None,
    missing: bool | None,
    combine: str | None,
    name: str,
) -> DecisionGraph | Ensemble:
    from xpgcheck.readers.booster_objects import from_booster, is_booster
    from xpgcheck.readers.fitted_parts import PartObject
    from xpgcheck.readers.pipeline_replay import check_replayed
    from xpgcheck.readers.sklearn_columns import EncodedColumns
    from xpgcheck.readers.sklearn_pipeline import pipeline_classifier, pipeline_columns

    def read(last: PartObject, names: list[str], missing: bool | None) -> DecisionGraph | Ensemble:
        if is_booster(last.value):
            return from_booster(last.value, missing=missing, name=name)
        return from_sklearn(
            last.value, feature_names=names, class_names=class_names, missing=missing, combine=combine, name=name
        )

    def replay(table: EncodedColumns, over: DecisionGraph | Ensemble) -> None:
        check_replayed(pipeline, table.columns, over, None if own.names is None else [str(text) for text in own.names])

    part = PartObject(pipeline)
    own = pipeline_columns(part)
    given = feature_names
    if given is None:
        given = numbered_names("feature_", own.count) if own.names is None else [str(text) for text in own.names]
    return pipeline_classifier(part, checked_names("feature", given, own.count), missing, read, replay)


@dataclass(frozen=True, slots=True)
class TreeArrays:
    """The arrays of a ``Tree`` as Python values; ``missing_left`` is empty where the tree has no such array."""

    left: list[int]
    right: list[int]
    feature: list[int]
    threshold: list[float]
    missing_left: list[bool]
    class_of: list[int]


def fitted_to_missing(arrays: TreeArrays, samples: Sequence[int]) -> bool:
    """Tell whether the tree of *arrays*, with *samples* at its nodes, shows that it was fitted to missing values.

    Where a node's feature had none in training, scikit-learn sends missing values to the child with more samples, the
    right one of two alike.  A node that does otherwise has seen them, and so has one with an infinite threshold.  A tree
    that shows neither may still have seen some.
    """
    count = len(samples)
    for node, (left, right) in enumerate(zip(arrays.left, arrays.right, strict=True)):
        if 0 <= left < count and 0 <= right < count:
            with_most = samples[left] > samples[right]
            if arrays.threshold[node] == math.inf or arrays.missing_left[node] is not with_most:
                return True
    return False


Sides = dict[tuple[float, bool | None], tuple[IntervalSet, IntervalSet]]
"""Values that go left and values that go right, by the threshold and whether the missing value goes left."""


def arrays_graph(
    arrays: TreeArrays, features: list[Feature], classes: list[str], name: str, literals: Sides | None = None
) -> DecisionGraph:
    """Return the decision graph of *arrays* over float32 *features*, all with the missing value or none.

    *literals* keeps literals from one tree to the next.
    """
    missing = bool(features) and features[0].domain == Float32(missing=True)
    literals = {} if literals is None else literals
    terminals = [Terminal(position) for position in range(len(classes))]
    nodes: dict[NodeId, Node] = {}
    with no_cycle_collection():
        for node, left in enumerate(arrays.left):
            if left < 0:
                nodes[node] = terminals[arrays.class_of[node]]
                continue
            key = (arrays.threshold[node], arrays.missing_left[node] if missing else None)
            below, above = literals.get(key) or literals.setdefault(key, _literals(*key))
            nodes[node] = NonTerminal(arrays.feature[node], ((left, below), (arrays.right[node], above)))
        return tree_graph(name, features, classes, nodes, 0)


def _literals(threshold: float, missing_left: bool | None) -> tuple[IntervalSet, IntervalSet]:
    """Return what goes left (``x <= threshold``) and what goes right; None: there are no missing values."""
    return sides(at_most(Grid.FLOAT32, threshold), missing_left is not None, missing_left is True)


def _fitted_tree(estimator: object) -> Any:
    """Return ``estimator.tree_`` after refusing whatever is not a fitted single-output tree classifier."""
    from xpgcheck.readers.sklearn_objects import ensemble_kind

    # An object of scikit-learn's exists only where its module is already imported: no import is needed to tell.
    module = sys.modules.get("sklearn.tree")
    kind = type(estimator).__name__
    classifier = getattr(module, "DecisionTreeClassifier", None)
    if classifier is None or not isinstance(estimator, classifier):
        what, mend = advice(
            estimator,
            lambda other: classifier is not None and isinstance(other, classifier),
            lambda other: bool(ensemble_kind(other)),
        )
        problem = f"an object of type {shown(kind)} is not one of the classifiers that are read"
        raise InputError(f"{problem}: {what}" if what else problem, mend=mend)
    if type(estimator).predict is not classifier.predict:
        problem = f"the type {shown(kind)} has its own 'predict'"
        raise InputError(problem, mend="pass a plain DecisionTreeClassifier")
    tree = getattr(estimator, "tree_", None)
    if tree is None:
        raise InputError(f"this {kind} is not fitted", mend="call its 'fit' first")
    outputs = getattr(estimator, "n_outputs_", 1)
    if outputs != 1:
        raise InputError(f"this {kind} has {outputs} outputs", mend="fit one tree per output")
    return tree


def _feature_names(estimator: object, tree: Any, given: Sequence[str] | None) -> list[str]:
    count = int(tree.n_features)
    if given is None:
        fitted = getattr(estimator, "feature_names_in_", None)
        given = [f"feature_{i}" for i in range(count)] if fitted is None else fitted
    return checked_names("feature", given, count)


def _class_names(estimator: object, given: Sequence[str] | None) -> list[str]:
    classes = estimator.classes_.tolist()  # type: ignore[attr-defined]
    return checked_names("class", classes if given is None else given, len(classes))


def takes_missing(estimator: Any, count: int) -> bool:
    """Tell whether *estimator*, fitted to *count* features, predicts for missing values.

    Ask ``predict`` itself: whether it takes missing values depends on version, splitter and criterion.
    """
    import warnings

    try:
        with warnings.catch_warnings():
            # Names that the tree was fitted with are not given here, which is warned of.
            warnings.simplefilter("ignore")
            estimator.predict([[float("nan")] * count])
    except ValueError:
        return False
    return True
