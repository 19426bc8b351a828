"""scikit-learn trees and ensembles stored by skops (`.skops`), read as data: no object is made, nothing named is imported.

A `.skops` file is a zip archive: ``schema.json`` describes the estimator as nested records, and arrays are ``.npy``
members, which are read with ``allow_pickle=False``.  ``skops.io.load`` would build the estimator instead, which imports
what the file names, and needs a scikit-learn that knows the arrays of its tree; a tree's arrays are all that κ needs.
The semantics are those of :mod:`xpgcheck.readers.sklearn_tree` and :mod:`xpgcheck.readers.sklearn_ensemble`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from xpgcheck.errors import InputError, XpgcheckError, shown
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Feature, Float32
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.readers.fields import damaged
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, PathLike, place_of, read_bytes
from xpgcheck.readers.names import check_name, numbered_names
from xpgcheck.readers.other_names import OtherNames, stored_names
from xpgcheck.readers.sklearn_advice import advice_by_name
from xpgcheck.readers.sklearn_ensemble import (
    AVERAGED,
    CLASSIFIERS,
    ENSEMBLES,
    HISTOGRAM,
    Names,
    check_choice,
    sklearn_ensemble,
)
from xpgcheck.readers.sklearn_histogram import histogram_ensemble
from xpgcheck.readers.sklearn_pipeline import pipeline_classifier, pipeline_columns
from xpgcheck.readers.sklearn_tree import arrays_graph, fitted_to_missing
from xpgcheck.readers.skops_records import SCHEMA, Archive, StoredEstimator
from xpgcheck.readers.zip_files import ZipMembers

_WAYS_OUT = {
    "GridSearchCV": "store its best_estimator_",
    "RandomizedSearchCV": "store its best_estimator_",
}

_ANY_OTHER = "store a fitted DecisionTreeClassifier, a forest or boosted trees"


def read_skops(
    path: PathLike,
    *,
    max_bytes: int = DEFAULT_MAX_BYTES,
    missing: bool | None = None,
    combine: str | None = None,
    name: str | None = None,
) -> DecisionGraph | Ensemble:
    """Return the decision graph, or the ensemble, in the `.skops` file at *path*; see :func:`parse_skops`."""
    data = read_bytes(path, max_bytes)
    try:
        return parse_skops(data, name or Path(path).stem, missing=missing, combine=combine, max_bytes=max_bytes)
    except XpgcheckError as error:
        raise error.at(place_of(path)) from None


def parse_skops(
    data: bytes,
    name: str,
    *,
    missing: bool | None = None,
    max_bytes: int = DEFAULT_MAX_BYTES,
    combine: str | None = None,
    names: OtherNames | None = None,
) -> DecisionGraph | Ensemble:
    """Return the decision graph of the tree classifier, or the ensemble, in *data*, which may unpack into *max_bytes*.

    Of a pipeline it is over the columns of the table that the pipeline was fitted to.
    Features are called as those the tree was fitted with, else ``feature_0`` …; *names* may give others.  *missing* and
    *combine* are as in ``from_sklearn``.
    Needs numpy, neither skops nor scikit-learn.

    Raises ``InputError`` for anything but a fitted tree classifier with one output, ``FormatError`` for a damaged file
    and ``LimitError`` for one that unpacks into too much; ``MissingPackageError`` without numpy.
    """
    check_name("model", name)
    archive = Archive(ZipMembers(data, max_bytes))
    estimator = StoredEstimator(archive, archive.schema)
    if estimator.kind == "Pipeline" and estimator.module.split(".")[0] == "sklearn":
        return _pipeline(archive, name, missing, combine, names)
    return _classifier(estimator, name, None, missing, combine, names)


def _pipeline(
    archive: Archive, name: str, missing: bool | None, combine: str | None, names: OtherNames | None
) -> DecisionGraph | Ensemble:
    """Return the classifier that a stored pipeline is, over the columns of the table that it was fitted to."""
    from xpgcheck.readers.skops_parts import StoredPart

    def read(last: StoredPart, columns: list[str], missing: bool | None) -> DecisionGraph | Ensemble:
        others = None if names is None else replace(names, features=None)
        return _classifier(StoredEstimator(archive, last.record), name, columns, missing, combine, others)

    part = StoredPart(archive, archive.schema)
    own = pipeline_columns(part)
    given = numbered_names("feature_", own.count) if own.names is None else own.names
    return pipeline_classifier(part, stored_names("feature", given, own.count, names), missing, read)


def _classifier(
    estimator: StoredEstimator,
    name: str,
    columns: list[str] | None,
    missing: bool | None,
    combine: str | None,
    names: OtherNames | None,
) -> DecisionGraph | Ensemble:
    """Return the tree or the ensemble that *estimator* is; *columns* are what its features are called, if that is known."""
    _check_kind(estimator)
    count = estimator.whole("n_features_in_")
    given = columns
    if given is None:
        given = numbered_names("feature_", count)
        if estimator.has("feature_names_in_"):
            given = estimator.labels("feature_names_in_")
    own = stored_names("feature", given, count, names)
    labels = estimator.labels("classes_") if estimator.has("classes_") else []
    if not labels:
        raise damaged("the classes are missing", SCHEMA)
    classes = stored_names("class", labels, len(labels), names)
    if estimator.kind in ENSEMBLES:
        return _ensemble(estimator, Names(name, own, classes), missing, combine)
    if combine is not None:
        raise InputError("one tree has nothing to combine", place="combine", mend="leave it out")
    if missing and not estimator.takes_missing():
        raise _takes_none(estimator)
    tree = estimator.tree()
    if missing is None:
        missing = bool(tree.samples) and estimator.takes_missing() and fitted_to_missing(tree.arrays, tree.samples)
    elif missing and not tree.samples:
        raise damaged("the tree does not say where missing values go", SCHEMA)
    # The first of the largest values, as in predict.
    arrays = replace(tree.arrays, class_of=[row.index(max(row)) for row in tree.values])
    return arrays_graph(arrays, [Feature(text, Float32(missing)) for text in own], classes, name)


def _check_kind(estimator: StoredEstimator) -> None:
    """Refuse what is no fitted classifier of a tree or of trees with one output."""
    kind, module = estimator.kind, estimator.module
    home = "ensemble" if kind in ENSEMBLES else "tree"
    if kind not in (*CLASSIFIERS, *ENSEMBLES) or module.split(".")[:2] != ["sklearn", home]:
        problem = f"an object of type {shown(f'{module}.{kind}')} is not one of the classifiers that are read"
        what, way_out = advice_by_name(kind, "store") or ("", _WAYS_OUT.get(kind, _ANY_OTHER))
        raise InputError(f"{problem}: {what}" if what else problem, mend=way_out)
    fitted = "_predictors" if kind == HISTOGRAM else "estimators_" if kind in ENSEMBLES else "tree_"
    if not estimator.has(fitted):
        raise InputError(f"this {kind} is not fitted", mend="call its 'fit' before it is stored")
    outputs = estimator.whole("n_outputs_") if estimator.has("n_outputs_") or kind in CLASSIFIERS else 1
    if outputs != 1:
        raise InputError(f"this {kind} has {outputs} outputs", mend="fit one tree per output")


def _ensemble(estimator: StoredEstimator, names: Names, missing: bool | None, combine: str | None) -> Ensemble:
    if estimator.kind == HISTOGRAM:
        check_choice(estimator.kind, combine)
        return histogram_ensemble(estimator, names, missing is not False)
    if estimator.kind in AVERAGED and combine != "majority" and estimator.version() < [1, 3]:
        problem = "its scikit-learn is older than 1.3: the leaves have numbers of samples, not their frequencies"
        raise InputError(problem, place="_sklearn_version", mend="fit it again with a later one")
    allowed = estimator.kind in AVERAGED and all(
        isinstance(member, StoredEstimator) and member.takes_missing() for member in estimator.parts("estimators_")
    )
    if missing and not allowed:
        raise _takes_none(estimator)
    return sklearn_ensemble(estimator, names, missing if allowed else False, combine)


def _takes_none(estimator: StoredEstimator) -> InputError:
    problem = f"a {estimator.kind} takes no missing values"
    if estimator.kind in CLASSIFIERS:
        criterion, splitter = estimator.constant("criterion"), estimator.constant("splitter")
        problem = f"a tree with criterion {shown(criterion)} and splitter {shown(splitter)} takes no missing values"
    return InputError(problem, mend="leave 'missing' out")
