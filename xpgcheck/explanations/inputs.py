"""Models and instances as users hand them over: a path, a name, an object; a dict, a row, a sequence."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Mapping, Sequence
from typing import Any

from xpgcheck.errors import InputError, InstanceError, did_you_mean, shown
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Feature
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.model.values import Point
from xpgcheck.readers import graph_alone, read_classifier
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, place_of
from xpgcheck.readers.instances import read_point
from xpgcheck.readers.names import numbered_names

MAX_NEIGHBOURS = 1_000
"""Files of a folder that are looked at for the one that was meant."""

AS_THEY_ARE = "leave --root, --missing, --names, --combine and --schema out"


def model_of(
    model: object,
    max_bytes: int = DEFAULT_MAX_BYTES,
    *,
    missing: bool | None = None,
    root: str | int | None = None,
    names: object = None,
    combine: str | None = None,
    domains: object = None,
    groups: object = None,
) -> DecisionGraph | LabelledGraph:
    """Return the graph that *model* is or stands for: a graph, a path or an embedded model's name, a scikit-learn tree.

    A file wins over an embedded model of the same name.  *missing* and *combine* are as ``read_model`` takes them, also of
    a tree; *root* and *names* are for files.  Each of *groups* of encoded columns becomes one feature
    (:func:`xpgcheck.readers.groups.grouped`).  *domains* state which values the columns of a table have, as ``read_model``
    takes them, of any model that is not embedded.  Raises what the readers raise, and ``InputError`` of an ensemble.
    """
    found = classifier_of(
        model,
        max_bytes,
        missing=missing,
        root=root,
        names=names,
        combine=combine,
        domains=domains,
        groups=groups,
    )
    return graph_alone(found, place_of(model) if isinstance(model, (str, os.PathLike)) else "")


def classifier_of(
    model: object,
    max_bytes: int = DEFAULT_MAX_BYTES,
    *,
    missing: bool | None = None,
    root: str | int | None = None,
    names: object = None,
    combine: str | None = None,
    domains: object = None,
    groups: object = None,
) -> DecisionGraph | LabelledGraph | Ensemble:
    """Return what *model* is or stands for, as :func:`model_of` does, or the ensemble that it is or stands for."""
    found = _read(model, max_bytes, missing, root, names, combine)
    place = place_of(model) if isinstance(model, (str, os.PathLike)) else ""
    if groups is not None:
        from xpgcheck.readers.groups import grouped

        if isinstance(found, LabelledGraph):
            raise InputError("an .xpg model has no domains, so no groups", place=place, mend="leave the groups out")
        try:
            found = grouped(found, groups)
        except InputError as error:
            raise error.at(place) if place else error from None
    if domains is not None:
        if is_embedded(model):
            raise InputError("an embedded model is read as it is", place=str(model), mend=AS_THEY_ARE)
        from xpgcheck.readers.table_schemas import table_schema, with_domains

        # The columns of a table are the original ones.
        found = with_domains(found, table_schema(domains), place)
    return found


def _read(
    model: object,
    max_bytes: int,
    missing: bool | None,
    root: str | int | None,
    names: object,
    combine: str | None,
) -> DecisionGraph | LabelledGraph | Ensemble:
    if isinstance(model, (DecisionGraph, LabelledGraph, Ensemble)):
        if missing is not None or root is not None or combine is not None:
            mend = "leave 'missing', 'root' and 'combine' out, or pass the file or tree instead"
            raise InputError("a graph is read already", mend=mend)
        return model
    if isinstance(model, (str, os.PathLike)):
        if is_embedded(model):
            from xpgcheck import embedded

            if any(option is not None for option in (missing, root, names, combine)):
                problem = "an embedded model is read as it is"
                raise InputError(problem, place=str(model), mend=AS_THEY_ARE)
            return embedded.load(str(model)).graph
        try:
            return read_classifier(model, max_bytes=max_bytes, missing=missing, root=root, names=names, combine=combine)
        except InputError as error:
            if not os.path.exists(model):
                error.mend = nearest_model(os.fsdecode(model)) or error.mend
            raise
    from xpgcheck.readers.sklearn_tree import from_sklearn

    if root is not None:
        raise InputError("a tree has one root", mend="leave root out")
    from xpgcheck.readers.booster_objects import from_booster, is_booster

    if is_booster(model):
        if combine is not None:
            problem = "boosted trees are summed, and leave no choice how they are combined"
            raise InputError(problem, mend="leave 'combine' out")
        return from_booster(model, missing=missing)
    return from_sklearn(model, missing=missing, combine=combine)


def nearest_model(name: str) -> str:
    """Return what was meant by *name*, which is no file: the nearest file next to it or embedded model; "" for a path."""
    from xpgcheck import embedded

    folder, last = os.path.split(name)
    known = [] if folder else [*embedded.names()]
    with contextlib.suppress(OSError, ValueError), os.scandir(folder or ".") as entries:
        known += [entry.name for entry in itertools.islice(entries, MAX_NEIGHBOURS)]
    near = did_you_mean(last, known)
    if not near and last.isidentifier() and not folder:
        return "correct the path, or name an embedded model ('xpgcheck models' lists them)"
    return near


def is_embedded(name: object) -> bool:
    """Tell whether *name* is an embedded model's and no file's."""
    if not isinstance(name, str) or os.path.isfile(name):
        return False
    from xpgcheck import embedded

    return name in embedded.names()


def instance_of(features: Sequence[Feature], instance: object) -> Point:
    """Return the point that *instance* gives: a mapping, a pandas row or Series, a NumPy row, a sequence or a ``Point``.

    pandas and NumPy are not imported: their objects are taken by their methods.  Raises ``InstanceError``.
    """
    given, instance = instance, _one_row(instance)
    if isinstance(instance, Mapping):
        _refuse_names_for_numbers(features, given, instance)
        return read_point(features, {str(name): value for name, value in instance.items()})
    if isinstance(instance, Sequence) and not isinstance(instance, (str, bytes)):
        return read_point(features, instance)
    problem = f"{shown(repr(instance), 40)} is no instance"
    raise InstanceError(problem, mend="give a dict, a row or a sequence with one value for each feature")


def _refuse_names_for_numbers(features: Sequence[Feature], given: object, named: Mapping[Any, Any]) -> None:
    """Raise ``InstanceError`` where *named* has names, and the features of the model are only numbered."""
    own = [feature.name for feature in features]
    if own != numbered_names("feature_", len(own)) or not named or any(str(name) in own for name in named):
        return
    values = "row.to_numpy()" if hasattr(given, "to_numpy") else "list(row.values())"
    problem = f"this tree has no names of features, and the instance names {shown(next(iter(named)))}"
    mend = (
        f"pass the values alone, {values}; a tree of a forest has the names of features and classes by "
        "xpgcheck.from_sklearn(tree, feature_names=forest.feature_names_in_, class_names=forest.classes_)"
    )
    raise InstanceError(problem, mend=mend)


def _one_row(instance: Any) -> Any:
    """Return a pandas or NumPy row as a dict or a list, a table of one row as that row, anything else as it is."""
    dimensions = getattr(instance, "ndim", None)
    if dimensions == 2 and hasattr(instance, "shape"):
        if instance.shape[0] != 1:
            problem = f"a table of {instance.shape[0]} rows is no instance"
            raise InstanceError(problem, mend="take one row, such as table.iloc[0]")
        instance = instance.iloc[0] if hasattr(instance, "iloc") else instance[0]
    if dimensions in (1, 2):
        if hasattr(instance, "iloc"):
            named: dict[Any, Any] = instance.to_dict()
            return named if all(isinstance(name, str) for name in named) else list(named.values())
        if hasattr(instance, "tolist"):
            return instance.tolist()
    return instance
