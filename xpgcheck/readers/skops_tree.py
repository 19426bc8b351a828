"""scikit-learn trees stored by skops (`.skops`), read as data: no object is made, nothing named in the file is imported.

A `.skops` file is a zip archive: ``schema.json`` describes the estimator as nested records, and arrays are ``.npy``
members, which are read with ``allow_pickle=False``.  ``skops.io.load`` would build the estimator instead, which imports
what the file names, and needs a scikit-learn that knows the arrays of its tree; a tree's arrays are all that κ needs.
The semantics are those of :mod:`xpgcheck.readers.sklearn_tree`.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
from pathlib import Path
from typing import Any

from xpgcheck.errors import FormatError, InputError, MissingPackageError, XpgcheckError, shown
from xpgcheck.extras import install
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Feature, Float32
from xpgcheck.readers.fields import Fields, damaged, decode_json
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, PathLike, place_of, read_bytes
from xpgcheck.readers.names import check_name, numbered_names
from xpgcheck.readers.other_names import OtherNames, stored_names
from xpgcheck.readers.sklearn_advice import advice_by_name
from xpgcheck.readers.sklearn_tree import TreeArrays, arrays_graph, fitted_to_missing
from xpgcheck.readers.zip_files import ZipMembers

SCHEMA = "schema.json"

CLASSIFIERS = ("DecisionTreeClassifier", "ExtraTreeClassifier")

_MISSING_CRITERIA = ("gini", "log_loss", "entropy")

_WAYS_OUT = {
    "Pipeline": "store its last step, and give instances as that step gets them",
    "GridSearchCV": "store its best_estimator_",
    "RandomizedSearchCV": "store its best_estimator_",
}

_ANY_OTHER = "store a fitted DecisionTreeClassifier"


def read_skops(
    path: PathLike, *, max_bytes: int = DEFAULT_MAX_BYTES, missing: bool | None = None, name: str | None = None
) -> DecisionGraph:
    """Return the decision graph of the tree classifier in the `.skops` file at *path*; see :func:`parse_skops`."""
    data = read_bytes(path, max_bytes)
    try:
        return parse_skops(data, name or Path(path).stem, missing=missing, max_bytes=max_bytes)
    except XpgcheckError as error:
        raise error.at(place_of(path)) from None


def parse_skops(
    data: bytes,
    name: str,
    *,
    missing: bool | None = None,
    max_bytes: int = DEFAULT_MAX_BYTES,
    names: OtherNames | None = None,
) -> DecisionGraph:
    """Return the decision graph of the tree classifier in *data*; its file may unpack into *max_bytes* at most.

    Features are called as those the tree was fitted with, else ``feature_0`` …; *names* may give others.  *missing* is as
    in ``from_sklearn``.
    Needs numpy, neither skops nor scikit-learn.

    Raises ``InputError`` for anything but a fitted tree classifier with one output, ``FormatError`` for a damaged file
    and ``LimitError`` for one that unpacks into too much; ``MissingPackageError`` without numpy.
    """
    check_name("model", name)
    archive = _Archive(ZipMembers(data, max_bytes))
    estimator = archive.estimator()
    count = archive.whole(estimator, "n_features_in_")
    given = archive.texts(estimator, "feature_names_in_")
    own = stored_names("feature", given or numbered_names("feature_", count), count, names)
    labels = archive.texts(estimator, "classes_")
    if labels is None:
        raise damaged("the classes are missing", SCHEMA)
    classes = stored_names("class", labels, len(labels), names)
    if missing:
        _refuse_unless_missing_allowed(archive, estimator)
    arrays, samples = archive.tree(estimator, len(classes))
    if missing is None:
        missing = bool(samples) and _takes_missing(archive, estimator) and fitted_to_missing(arrays, samples)
    elif missing and not arrays.missing_left:
        raise damaged("the tree does not say where missing values go", SCHEMA)
    return arrays_graph(arrays, [Feature(text, Float32(missing)) for text in own], classes, name)


class _Archive:
    """The records of a `.skops` file, by their meaning."""

    def __init__(self, members: ZipMembers) -> None:
        self._members = members
        if SCHEMA not in members:
            raise FormatError(f"the zip file has no {SCHEMA}", mend="store the tree with skops.io.dump")
        try:
            schema = decode_json(members.read(SCHEMA), "store the tree with skops.io.dump")
        except InputError as error:
            raise error.at(SCHEMA) from None
        self._schema = Fields(schema, SCHEMA)

    def kind(self) -> str:
        """Return the name of the class of the stored object."""
        return self._schema.text("__class__")

    def estimator(self) -> Fields:
        """Return the attributes of the stored object, which has to be a fitted tree classifier with one output."""
        kind, module = self.kind(), self._schema.text("__module__")
        if kind not in CLASSIFIERS or module.split(".")[:2] != ["sklearn", "tree"]:
            problem = f"an object of type {shown(f'{module}.{kind}')} is not a scikit-learn DecisionTreeClassifier"
            what, way_out = advice_by_name(kind, "store") or ("", _WAYS_OUT.get(kind, _ANY_OTHER))
            raise InputError(f"{problem}: {what}" if what else problem, mend=way_out)
        attributes = self._dict(self._schema)
        if attributes.optional("tree_", dict) is None:
            raise InputError(f"this {kind} is not fitted", mend="call its 'fit' before it is stored")
        outputs = self.whole(attributes, "n_outputs_")
        if outputs != 1:
            raise InputError(f"this {kind} has {outputs} outputs", mend="fit one tree per output")
        return attributes

    def _dict(self, record: Fields) -> Fields:
        return record.fields("content").fields("content") if record.text("__loader__") == "ObjectNode" else record

    def constant(self, attributes: Fields, key: str) -> Any:
        """Return a JSON constant among the attributes; None where there is none of that name."""
        if attributes.optional(key, dict) is None:
            return None
        return self._constant(attributes.fields(key))

    def _constant(self, record: Fields) -> Any:
        if record.text("__loader__") != "JsonNode":
            raise damaged("this is no constant", record.place)
        text = record.text("content")
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise damaged("this constant is not JSON", record.place) from None

    def whole(self, attributes: Fields, key: str) -> int:
        """Return an attribute that is an integer: a JSON constant, or a numpy one."""
        record = attributes.fields(key)
        value = self._array(record).item() if record.text("__loader__") == "NdArrayNode" else self._constant(record)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise damaged("this is not a count", record.place)
        return value

    def texts(self, attributes: Fields, key: str) -> list[object] | None:
        """Return the values of an array of labels; None where there is none of that name."""
        if attributes.optional(key, dict) is None:
            return None
        record = attributes.fields(key)
        if record.text("type") == "json":
            items = record.items("content")
            return [self._constant(Fields(item, f"{record.place}[{i}]")) for i, item in enumerate(items)]
        array = self._array(record)
        if array.ndim != 1 or array.dtype.kind not in "biufU":
            raise damaged("this is no list of labels", record.place)
        labels: list[object] = array.tolist()
        return labels

    def _array(self, record: Fields) -> Any:
        """Return the ``.npy`` member of *record* as an array of numbers or texts; never of objects."""
        try:
            import numpy
        except ImportError:
            raise MissingPackageError(
                "reading .skops files needs the package 'numpy'", mend=install("models")
            ) from None
        member = record.text("file")
        data = self._members.read(member)
        try:
            # A header may announce what has no bytes: 10⁹ empty texts take none in the file.
            array = numpy.load(io.BytesIO(data), allow_pickle=False) if _announced(data) <= len(data) else None
        except (
            ValueError,
            TypeError,
            KeyError,
            EOFError,
            SyntaxError,
            MemoryError,
            OverflowError,
            OSError,
            zipfile.BadZipFile,
        ):
            array = None
        if not isinstance(array, numpy.ndarray):
            raise damaged("this is no array of numbers in numpy's format", member)
        return array

    def tree(self, attributes: Fields, class_count: int) -> tuple[TreeArrays, list[int]]:
        """Return the arrays of the tree, after checking their shapes, and the samples of each node.

        There are no samples where the tree does not say where missing values go (scikit-learn before 1.3).
        """
        state = attributes.fields("tree_").fields("content").fields("content")
        nodes, values = self._array(state.fields("nodes")), self._array(state.fields("values"))
        fields = set(nodes.dtype.names or ())
        needed = {"left_child", "right_child", "feature", "threshold"}
        says_missing = {"missing_go_to_left", "n_node_samples"} <= fields
        count = len(nodes) if nodes.ndim == 1 else 0
        if not needed <= fields or not count:
            raise damaged("the nodes of the tree are not there", state.place)
        if values.shape != (count, 1, class_count) or values.dtype.kind != "f":
            raise damaged(f"the values of the tree are not {count} × 1 × {class_count} numbers", state.place)
        try:
            arrays = TreeArrays(
                nodes["left_child"].astype("int64", casting="safe").tolist(),
                nodes["right_child"].astype("int64", casting="safe").tolist(),
                nodes["feature"].astype("int64", casting="safe").tolist(),
                nodes["threshold"].astype("float64", casting="safe").tolist(),
                nodes["missing_go_to_left"].astype(bool).tolist() if says_missing else [],
                values[:, 0, :].argmax(axis=1).tolist(),
            )
            samples: list[int] = (
                nodes["n_node_samples"].astype("int64", casting="safe").tolist() if says_missing else []
            )
        except TypeError:
            raise damaged("the nodes of the tree are not numbers", state.place) from None
        return arrays, samples


def _takes_missing(archive: _Archive, estimator: Fields) -> bool:
    """Tell whether ``predict`` takes missing values: that depends on criterion, splitter and scikit-learn's version."""
    version = archive.constant(estimator, "_sklearn_version")
    numbers = [int(part) for part in str(version).split(".")[:2] if part.isdigit()]
    splitters = ["random"] if numbers >= [1, 6] else []
    if archive.kind() != "ExtraTreeClassifier":
        splitters.append("best")
    criterion, splitter = (archive.constant(estimator, key) for key in ("criterion", "splitter"))
    return criterion in _MISSING_CRITERIA and splitter in splitters and numbers >= [1, 3]


def _refuse_unless_missing_allowed(archive: _Archive, estimator: Fields) -> None:
    if not _takes_missing(archive, estimator):
        criterion, splitter = (archive.constant(estimator, key) for key in ("criterion", "splitter"))
        problem = f"a tree with criterion {shown(criterion)} and splitter {shown(splitter)} takes no missing values"
        raise InputError(problem, mend="leave 'missing' out")


def _announced(data: bytes) -> int:
    """Return how many bytes the header of a ``.npy`` file announces, an empty item counted as one."""
    from numpy.lib import format as npy

    stream = io.BytesIO(data)
    version = npy.read_magic(stream)
    read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, _, dtype = read_header(stream)
    return int(math.prod(shape) * max(1, dtype.itemsize))
