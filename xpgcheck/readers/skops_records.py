"""The content of a `.skops` file, read as data: the records of ``schema.json``, and arrays from ``.npy`` members.

No object is made and nothing that is named in the file is imported; arrays are read with ``allow_pickle=False``.
"""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterator
from typing import Any

from xpgcheck.errors import FormatError, InputError, MissingPackageError
from xpgcheck.extras import install
from xpgcheck.readers.fields import Fields, damaged, decode_json
from xpgcheck.readers.sklearn_ensemble import Estimator, MemberTree, member_tree
from xpgcheck.readers.sklearn_histogram import CategoryColumns, Predictors, category_columns, refuse_dates
from xpgcheck.readers.sklearn_tree import TreeArrays
from xpgcheck.readers.zip_files import ZipMembers

SCHEMA = "schema.json"

_MISSING_CRITERIA = ("gini", "log_loss", "entropy")


class Archive:
    """The records of a `.skops` file, by their meaning."""

    def __init__(self, members: ZipMembers) -> None:
        self._members = members
        if SCHEMA not in members:
            raise FormatError(f"the zip file has no {SCHEMA}", mend="store the tree with skops.io.dump")
        try:
            schema = decode_json(members.read(SCHEMA), "store the tree with skops.io.dump")
        except InputError as error:
            raise error.at(SCHEMA) from None
        self.schema = Fields(schema, SCHEMA)

    def constant(self, record: Fields) -> Any:
        """Return the JSON constant that *record* is."""
        if record.text("__loader__") != "JsonNode":
            raise damaged("this is no constant", record.place)
        text = record.text("content")
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise damaged("this constant is not JSON", record.place) from None

    def array(self, record: Fields) -> Any:
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
            shape, in_columns, dtype, start = _header(data)
            count = math.prod(shape)
            # A header may announce what has no bytes: 10⁹ empty texts take none in the file.
            if dtype.hasobject or start + count * max(1, dtype.itemsize) != len(data):
                raise ValueError
            flat = numpy.frombuffer(data, dtype, count, start)
            return flat.reshape(shape, order="F" if in_columns else "C")
        except (ValueError, TypeError, KeyError, EOFError, SyntaxError, MemoryError, OverflowError):
            raise damaged("this is not an array of numbers in numpy's format", member) from None

    def items(self, record: Fields) -> list[Fields]:
        """Return the records in *record*, a list."""
        return [Fields(item, f"{record.place}[{i}]") for i, item in enumerate(record.items("content"))]


class StoredEstimator(Estimator, Predictors):
    """The attributes of a stored object, each of its type."""

    def __init__(self, archive: Archive, record: Fields) -> None:
        self.kind = record.text("__class__")
        self.module = record.text("__module__")
        self.place = record.place
        self._archive = archive
        own = record.text("__loader__") == "ObjectNode"
        self._attributes = record.fields("content").fields("content") if own else record

    def has(self, key: str) -> bool:
        """Tell whether there is an attribute *key*."""
        return self._attributes.optional(key, dict) is not None

    def constant(self, key: str) -> Any:
        """Return an attribute that is a JSON constant; None where there is none of that name."""
        return self._archive.constant(self._attributes.fields(key)) if self.has(key) else None

    def text(self, key: str) -> str:
        """Return an attribute that is a text; "" for any other."""
        if not self.has(key):
            return ""
        record = self._attributes.fields(key)
        value = self._archive.constant(record) if record.text("__loader__") == "JsonNode" else None
        return value if isinstance(value, str) else ""

    def whole(self, key: str) -> int:
        """Return an attribute that is a count: a JSON constant, or a numpy one."""
        value = self._scalar(key)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise damaged("this is not a count", self._attributes.fields(key).place)
        return value

    def number(self, key: str) -> float:
        """Return an attribute that is a finite number: a JSON constant, or a numpy one."""
        value = self._scalar(key)
        place = self._attributes.fields(key).place
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value - value != 0:
            raise damaged("this is not a number", place)
        try:
            return float(value)
        except OverflowError:
            raise damaged("this number is too large", place) from None

    def _scalar(self, key: str) -> Any:
        record = self._attributes.fields(key)
        if record.text("__loader__") != "NdArrayNode":
            return self._archive.constant(record)
        array = self._archive.array(record)
        if array.size != 1:
            raise damaged("this is not one number", record.place)
        return array.item()

    def numbers(self, key: str) -> list[float]:
        """Return the numbers of an array of any shape."""
        record = self._attributes.fields(key)
        array = self._archive.array(record)
        if array.dtype.kind not in "iuf":
            raise damaged("these are no numbers", record.place)
        found: list[float] = array.astype(float).reshape(-1).tolist()
        return found

    def labels(self, key: str) -> list[Any]:
        """Return the values of an array of labels."""
        return self._labels(self._attributes.fields(key))

    def _labels(self, record: Fields) -> list[Any]:
        if record.text("type") == "json":
            return [self._archive.constant(item) for item in self._archive.items(record)]
        array = self._archive.array(record)
        refuse_dates(array, record.place)
        if array.ndim != 1 or array.dtype.kind not in "biufU":
            raise damaged("this is not a list of labels", record.place)
        labels: list[Any] = array.tolist()
        return labels

    def part(self, key: str) -> Estimator:
        """Return an attribute that is an object."""
        return StoredEstimator(self._archive, self._attributes.fields(key))

    def parts(self, key: str) -> list[Estimator]:
        """Return the objects in a list, or in an array of rows."""
        return [StoredEstimator(self._archive, record) for record in self._flat(self._attributes.fields(key))]

    def _flat(self, record: Fields, depth: int = 0) -> Iterator[Fields]:
        """Yield the objects in *record*, in lists of lists at most."""
        if record.text("__loader__") in ("ListNode", "NdArrayNode") and depth < 2:
            for item in self._archive.items(record):
                yield from self._flat(item, depth + 1)
        else:
            yield record

    def index_lists(self, key: str) -> list[list[int]]:
        """Return the integers of a list of arrays."""
        found = []
        for record in self._archive.items(self._attributes.fields(key)):
            array = self._archive.array(record)
            if array.ndim != 1 or array.dtype.kind not in "iu":
                raise damaged("these are not numbers of features", record.place)
            found.append(array.tolist())
        return found

    def tree(self) -> MemberTree:
        """Return the arrays of the tree, after checking their shapes.

        There are no samples where the tree does not say where missing values go (scikit-learn before 1.3).
        """
        if not self.has("tree_"):
            raise InputError(f"this {self.kind} is not fitted", mend="call its 'fit' before it is stored")
        count = 1 if self.kind.endswith("Regressor") else len(self.labels("classes_"))
        state = self._attributes.fields("tree_").fields("content").fields("content")
        nodes, values = (self._archive.array(state.fields(key)) for key in ("nodes", "values"))
        fields = set(nodes.dtype.names or ())
        says_missing = {"missing_go_to_left", "n_node_samples"} <= fields
        size = len(nodes) if nodes.ndim == 1 else 0
        if not {"left_child", "right_child", "feature", "threshold"} <= fields or not size:
            raise damaged("the nodes of the tree are not there", state.place)
        if values.shape != (size, 1, count) or values.dtype.kind != "f":
            raise damaged(f"the values of the tree are not {size} × 1 × {count} numbers", state.place)
        try:
            arrays = TreeArrays(
                nodes["left_child"].astype("int64", casting="safe").tolist(),
                nodes["right_child"].astype("int64", casting="safe").tolist(),
                nodes["feature"].astype("int64", casting="safe").tolist(),
                nodes["threshold"].astype("float64", casting="safe").tolist(),
                nodes["missing_go_to_left"].astype(bool).tolist() if says_missing else [False] * size,
                [],
            )
            samples: list[int] = (
                nodes["n_node_samples"].astype("int64", casting="safe").tolist() if says_missing else []
            )
        except TypeError:
            raise damaged("the nodes of the tree are not numbers", state.place) from None
        return member_tree(self.whole("n_features_in_"), arrays, values, samples)

    def version(self) -> list[int]:
        """Return the first two numbers of the scikit-learn that fitted the object; fewer where it does not say them."""
        return [int(part) for part in str(self.constant("_sklearn_version")).split(".")[:2] if part.isdigit()]

    def takes_missing(self) -> bool:
        """Tell whether a tree's ``predict`` takes missing values: by criterion, splitter and scikit-learn's version."""
        numbers = self.version()
        splitters = ["random"] if numbers >= [1, 6] else []
        if self.kind != "ExtraTreeClassifier":
            splitters.append("best")
        criterion, splitter = self.constant("criterion"), self.constant("splitter")
        return criterion in _MISSING_CRITERIA and splitter in splitters and numbers >= [1, 3]

    def predictors(self) -> list[tuple[Any, Any]]:
        """Return the arrays ``nodes`` and ``raw_left_cat_bitsets`` of each tree, in order."""
        found = []
        for record in self._flat(self._attributes.fields("_predictors")):
            content = record.fields("content").fields("content")
            arrays = [self._archive.array(content.fields(key)) for key in ("nodes", "raw_left_cat_bitsets")]
            found.append((arrays[0], arrays[1]))
        return found

    def category_columns(self, count: int) -> CategoryColumns:
        """Return which of *count* features have categories."""
        if not self.has("_preprocessor") or self._attributes.fields("_preprocessor").text("__loader__") == "JsonNode":
            return CategoryColumns([False] * count, [])
        transformers = self._attributes.fields("_preprocessor").fields("content").fields("content")
        for record in self._archive.items(transformers.fields("transformers_")):
            name, encoder, *_ = self._archive.items(record)
            if name.text("__loader__") == "JsonNode" and self._archive.constant(name) == "encoder":
                lists = encoder.fields("content").fields("content").fields("categories_")
                known = [self._labels(own) for own in self._archive.items(lists)]
                columns = self._archive.array(self._attributes.fields("is_categorical_")).tolist()
                return category_columns(columns, known, count, self.place)
        raise damaged("the encoder of the categories is not there", self.place)


def _header(data: bytes) -> tuple[tuple[int, ...], bool, Any, int]:
    """Return what the header of a ``.npy`` file says: shape, order by columns, type; and where the items begin."""
    from numpy.lib import format as npy

    stream = io.BytesIO(data)
    version = npy.read_magic(stream)
    read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, in_columns, dtype = read_header(stream)
    return shape, in_columns, dtype, stream.tell()
