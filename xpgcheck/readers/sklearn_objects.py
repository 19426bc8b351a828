"""Fitted ensembles of scikit-learn as they are in memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from inspect import getattr_static
from typing import Any

from xpgcheck.errors import InputError, shown
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.readers.names import check_name, checked_names
from xpgcheck.readers.sklearn_ensemble import (
    ENSEMBLES,
    HISTOGRAM,
    Estimator,
    MemberTree,
    Names,
    check_choice,
    member_tree,
    sklearn_ensemble,
)
from xpgcheck.readers.sklearn_histogram import (
    CategoryColumns,
    Predictors,
    category_columns,
    histogram_ensemble,
    refuse_dates,
)
from xpgcheck.readers.sklearn_tree import TreeArrays, takes_missing
from xpgcheck.readers.summed_trees import refuse_count

_DECIDING = ("predict", "predict_proba", "decision_function")


class EstimatorObject(Estimator, Predictors):
    """The attributes of a fitted estimator."""

    place = ""

    def __init__(self, estimator: Any, kind: str = "") -> None:
        self.kind = kind or type(estimator).__name__
        self._estimator = estimator

    def text(self, key: str) -> str:
        """Return an attribute that is a text; "" for any other."""
        value = getattr(self._estimator, key, None)
        return value if isinstance(value, str) else ""

    def whole(self, key: str) -> int:
        """Return an attribute that is a count."""
        return int(getattr(self._estimator, key))

    def number(self, key: str) -> float:
        """Return an attribute that is a number."""
        return float(getattr(self._estimator, key))

    def numbers(self, key: str) -> list[float]:
        """Return the numbers of an array of any shape."""
        found: list[float] = getattr(self._estimator, key).astype(float).reshape(-1).tolist()
        return found

    def labels(self, key: str) -> list[Any]:
        """Return the labels in an array."""
        found: list[Any] = getattr(self._estimator, key).tolist()
        return found

    def part(self, key: str) -> Estimator:
        """Return an attribute that is an estimator."""
        return EstimatorObject(getattr(self._estimator, key))

    def parts(self, key: str) -> list[Estimator]:
        """Return the estimators in a list, or in an array of rows."""
        return [EstimatorObject(part) for part in _flat(getattr(self._estimator, key))]

    def index_lists(self, key: str) -> list[list[int]]:
        """Return the integers of a list of arrays."""
        return [columns.tolist() for columns in getattr(self._estimator, key)]

    def tree(self) -> MemberTree:
        """Return the tree of this estimator, which is one of a tree."""
        tree = getattr(self._estimator, "tree_", None)
        if tree is None:
            raise InputError(f"this {self.kind} is not fitted", mend="call its 'fit' first")
        arrays = TreeArrays(
            tree.children_left.tolist(),
            tree.children_right.tolist(),
            tree.feature.tolist(),
            tree.threshold.tolist(),
            tree.missing_go_to_left.astype(bool).tolist(),
            [],
        )
        return member_tree(int(tree.n_features), arrays, tree.value, tree.n_node_samples.tolist())

    def predictors(self) -> list[tuple[Any, Any]]:
        """Return the arrays ``nodes`` and ``raw_left_cat_bitsets`` of each tree, in order."""
        return [(part.nodes, part.raw_left_cat_bitsets) for part in _flat(self._estimator._predictors)]

    def category_columns(self, count: int) -> CategoryColumns:
        """Return which of *count* features have categories."""
        preprocessor = getattr(self._estimator, "_preprocessor", None)
        if preprocessor is None:
            if getattr(self._estimator, "is_categorical_", None) is not None:
                problem = "this version of scikit-learn does not encode the categories itself"
                raise InputError(problem, mend="fit it with scikit-learn 1.4 or later")
            return CategoryColumns([False] * count, [])
        encoder = preprocessor.named_transformers_["encoder"]
        for own in encoder.categories_:
            refuse_dates(own, self.place)
        known = [own.tolist() for own in encoder.categories_]
        return category_columns(self._estimator.is_categorical_.tolist(), known, count, self.place)


def _flat(parts: Any) -> Iterator[Any]:
    for part in parts:
        yield from part if isinstance(part, list) or hasattr(part, "shape") else [part]


def ensemble_kind(estimator: object) -> str:
    """Return which of the ensembles that are read *estimator* is; "" where it is none.  Nothing is imported."""
    module = sys.modules.get("sklearn.ensemble")
    for kind in ENSEMBLES:
        known = getattr(module, kind, None)
        if known is not None and isinstance(estimator, known):
            for method in _DECIDING:
                if getattr_static(type(estimator), method, None) is not getattr_static(known, method, None):
                    problem = f"the type {shown(type(estimator).__name__)} has its own {shown(method)}"
                    raise InputError(problem, mend=f"pass a plain {kind}")
            return kind
    return ""


def ensemble_of_object(
    estimator: Any,
    kind: str,
    name: str,
    feature_names: Sequence[str] | None,
    class_names: Sequence[str] | None,
    missing: bool | None,
    combine: str | None,
) -> Ensemble:
    """Return the ensemble of *estimator*, of one of the :data:`ENSEMBLES`; the rest is as ``from_sklearn`` has it."""
    check_choice(kind, combine)
    if getattr(estimator, "_predictors" if kind == HISTOGRAM else "estimators_", None) is None:
        raise InputError(f"this {kind} is not fitted", mend="call its 'fit' first")
    outputs = getattr(estimator, "n_outputs_", 1)
    if outputs != 1:
        raise InputError(f"this {kind} has {outputs} outputs", mend="fit one ensemble per output")
    check_name("model", name)
    count = int(estimator.n_features_in_)
    if feature_names is None:
        fitted = getattr(estimator, "feature_names_in_", None)
        feature_names = [f"feature_{i}" for i in range(count)] if fitted is None else fitted
    labels = estimator.classes_.tolist()
    names = Names(
        name,
        checked_names("feature", feature_names, count),
        checked_names("class", labels if class_names is None else class_names, len(labels)),
    )
    source = EstimatorObject(estimator, kind)
    if kind == HISTOGRAM:
        return histogram_ensemble(source, names, missing is not False)
    # Before its 'predict' is asked.
    refuse_count(len(source.parts("estimators_")), "", "train at least one tree")
    allowed = missing is not False and takes_missing(estimator, count)
    if missing and not allowed:
        raise InputError(f"this {kind} does not predict for missing values", mend="leave 'missing' out")
    return sklearn_ensemble(source, names, None if allowed and missing is None else allowed, combine)
