"""scikit-learn trees as objects and in skops files, ONNX models, Orange trees: made from abstract trees."""

from __future__ import annotations

import io
import json
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

import pytest
from battery_plain_readers import (
    BYTES_REFUSED,
    CATEGORIES,
    EVERY_BRANCH,
    FILES,
    NAMES_REFUSED,
    but,
    for_all,
)
from battery_reader import Reader, Spellings, doubled, json_text, ordered, singles
from battery_reader import count_objects as objects_in
from battery_trees import LARGEST_SINGLE, Cell, Leaf, Split, Tree, Variable, inner_nodes, single

ONLY_NUMBERS = "all features are numbers"
UNSEEN = "the file does not say which values training saw"
OBJECT = "an object, not a file"
BINARY = "a binary file"
TREE_REFUSED = {
    **NAMES_REFUSED,
    "infinite value": "",
    "missing value that no domain has": "the value is missing",
}


class Float32Tree(Reader):
    largest = LARGEST_SINGLE
    cannot: ClassVar = {
        **for_all(CATEGORIES, ONLY_NUMBERS),
        "missing value stops at a node": EVERY_BRANCH,
        "feature of one value": UNSEEN,
    }

    def goes_left(self, tree: Tree, split: Split, cell: Any) -> bool | None:
        assert isinstance(split.test, float)
        return split.missing_left if cell != cell else single(cell) <= split.test


def arrays(tree: Tree, dtype: Any) -> tuple[Any, Any]:
    """Return the nodes and the values of a scikit-learn tree."""
    import numpy

    nodes = numpy.zeros(len(tree.nodes), dtype=dtype)
    values = numpy.zeros((len(tree.nodes), 1, len(tree.labels)))
    for number, node in enumerate(tree.nodes):
        if isinstance(node, Leaf):
            nodes[number]["left_child"] = nodes[number]["right_child"] = -1
            nodes[number]["feature"], nodes[number]["threshold"] = -2, -2
            values[number, 0, node.label] = 1
        else:
            nodes[number]["left_child"], nodes[number]["right_child"] = node.left, node.right
            nodes[number]["feature"], nodes[number]["threshold"] = node.feature, node.test
            nodes[number]["missing_go_to_left"] = node.missing_left
        nodes[number]["n_node_samples"] = nodes[number]["weighted_n_node_samples"] = 1
    return nodes, values


def depth_of(tree: Tree) -> int:
    depth = {0: 0}
    for number, node in inner_nodes(tree):
        depth[node.left] = depth[node.right] = depth[number] + 1
    return max(depth.values())


def label_array(labels: Sequence[object]) -> Any:
    import numpy

    return numpy.array(labels, dtype=object if isinstance(labels[0], str) else None)


class SklearnObject(Float32Tree):
    name = "scikit-learn, object"
    cannot: ClassVar = {**Float32Tree.cannot, **for_all(FILES, OBJECT)}
    refused: ClassVar = TREE_REFUSED

    def make(self, tree: Tree) -> Any:
        numpy = pytest.importorskip("numpy", reason="the environment has no numpy")
        trees = pytest.importorskip("sklearn.tree", reason="the environment has no scikit-learn")
        estimator = trees.DecisionTreeClassifier()
        small = trees.DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1]).tree_
        nodes, values = arrays(tree, small.__getstate__()["nodes"].dtype)
        made = type(small)(len(tree.features), numpy.array([len(tree.labels)], dtype=numpy.intp), 1)
        state = {"max_depth": depth_of(tree), "node_count": len(tree.nodes), "nodes": nodes, "values": values}
        made.__setstate__(state)
        estimator.tree_ = made
        estimator.classes_ = label_array(tree.labels)
        estimator.n_classes_ = len(tree.labels)
        estimator.n_features_in_ = len(tree.features)
        estimator.n_outputs_ = 1
        estimator.feature_names_in_ = numpy.array([v.name for v in tree.features], dtype=object)
        return estimator

    def read(self, source: Any, missing: bool) -> Any:
        from xpgcheck import from_sklearn

        return from_sklearn(source, missing=missing)


NODE_FIELDS = [
    ("left_child", "<i8"),
    ("right_child", "<i8"),
    ("feature", "<i8"),
    ("threshold", "<f8"),
    ("impurity", "<f8"),
    ("n_node_samples", "<i8"),
    ("weighted_n_node_samples", "<f8"),
    ("missing_go_to_left", "u1"),
]
"""The fields of a node of a scikit-learn tree, as its files have them."""


class Skops(Float32Tree):
    """A zip file of records and arrays, made without skops."""

    name = "scikit-learn, skops"
    extension = ".skops"
    cannot: ClassVar = {
        **Float32Tree.cannot,
        "byte order mark": BINARY,
        "lines end in CRLF": BINARY,
    }
    refused: ClassVar = {**TREE_REFUSED, **BYTES_REFUSED}
    numbers = ((b'"n_features_in_"', b"2", b""), (b'"n_outputs_"', b"1", b""))

    def array(self, name: str, content: Any) -> tuple[dict[str, Any], bytes]:
        """Return the record of an array in the member *name*, and that member."""
        import numpy

        stream = io.BytesIO()
        numpy.save(stream, content, allow_pickle=False)
        where = {"__class__": "ndarray", "__module__": "numpy", "__loader__": "NdArrayNode"}
        return {**where, "type": "numpy", "file": f"{name}.npy"}, stream.getvalue()

    def document(self, tree: Tree) -> tuple[dict[str, Any], dict[str, bytes]]:
        """Return the records and the other members."""
        numpy = pytest.importorskip("numpy", reason="the environment has no numpy")
        nodes, values = arrays(tree, numpy.dtype(NODE_FIELDS, align=True))
        members: dict[str, bytes] = {}

        def array(name: str, content: Any) -> dict[str, Any]:
            record, members[f"{name}.npy"] = self.array(name, content)
            return record

        numbers = not isinstance(tree.labels[0], str)
        attributes = {
            "criterion": constant("gini"),
            "splitter": constant("best"),
            "n_features_in_": constant(len(tree.features)),
            "feature_names_in_": texts([v.name for v in tree.features]),
            "n_outputs_": constant(1),
            "classes_": array("classes", numpy.array(tree.labels)) if numbers else texts(tree.labels),
            "n_classes_": array("n_classes", numpy.int64(len(tree.labels))),
            "tree_": tree_record(array, tree, nodes, values),
            "_sklearn_version": constant("1.6.1"),
        }
        kind = {
            "__class__": "DecisionTreeClassifier",
            "__module__": "sklearn.tree._classes",
            "__loader__": "ObjectNode",
        }
        return {**kind, "content": dictionary(attributes), "protocol": 2}, members

    def make(self, tree: Tree) -> bytes:
        schema, members = self.document(tree)
        return self.packed(json_text(schema).encode(), members)

    def packed(self, schema: bytes, members: dict[str, bytes], last: bool = True) -> bytes:
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as file:
            content = [*members.items(), ("schema.json", schema)]
            for name, data in content if last else content[::-1]:
                file.writestr(name, data)
        return stream.getvalue()

    def in_other_orders(self, tree: Tree) -> Iterator[bytes]:
        schema, members = self.document(tree)
        yield self.packed(json_text(schema).encode(), members, last=False)
        yield self.packed(json_text(ordered(schema, lambda keys: keys[::-1])).encode(), members)

    def with_doubled_keys(self, tree: Tree) -> Iterator[bytes]:
        schema, members = self.document(tree)
        for number in range(objects_in(schema)):
            yield self.packed(json_text(doubled(schema, number)).encode(), members)

    def with_numbers(self, tree: Tree, spellings: Spellings) -> Iterator[bytes]:
        schema, members = self.document(tree)
        text = json_text(schema).encode()
        for before, number, _ in self.numbers:
            start = text.index(b'"' + number + b'"', text.index(before))
            for new in spellings(number):
                for quote in (b'"', b""):
                    yield self.packed(text[:start] + quote + new + quote + text[start + len(number) + 2 :], members)

    def nested_deeply(self, tree: Tree) -> Iterator[bytes]:
        schema, members = self.document(tree)
        text = json_text(schema).encode()
        for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
            yield self.packed(text.replace(b'"2"', opening * 100_000 + b"1" + closing * 100_000, 1), members)
            yield self.packed(text.replace(b'"2"', b'"' + b"[" * 100_000 + b"]" * 100_000 + b'"', 1), members)


def tree_record(
    array: Callable[[str, Any], dict[str, Any]], tree: Tree, nodes: Any, values: Any, name: str = ""
) -> dict[str, Any]:
    """Return the record of a scikit-learn tree, whose arrays are kept by *array* under names that begin with *name*."""
    import numpy

    counts = array(f"{name}counts", numpy.array([values.shape[2]]))
    content = {
        "max_depth": constant(depth_of(tree)),
        "node_count": constant(len(tree.nodes)),
        "nodes": array(f"{name}nodes", nodes),
        "values": array(f"{name}values", values),
    }
    return {
        "__class__": "Tree",
        "__module__": "sklearn.tree._tree",
        "__reduce__": {"args": several(constant(len(tree.features)), counts, constant(1))},
        "__loader__": "TreeNode",
        "content": dictionary(content),
    }


def constant(value: object) -> dict[str, Any]:
    content = json.dumps(value, ensure_ascii=False)
    kind = {"__class__": "str", "__module__": "builtins", "__loader__": "JsonNode"}
    return {**kind, "content": content, "is_json": True}


def dictionary(content: dict[str, Any]) -> dict[str, Any]:
    builtin = {"__module__": "builtins"}
    kinds = [{"__class__": "str", **builtin, "__loader__": "TypeNode"} for _ in content]
    keys = {"__class__": "list", **builtin, "__loader__": "ListNode", "content": kinds}
    return {"__class__": "dict", **builtin, "__loader__": "DictNode", "content": content, "key_types": keys}


def texts(content: Sequence[object]) -> dict[str, Any]:
    """Return the record of an array of objects."""
    where = {"__class__": "ndarray", "__module__": "numpy", "__loader__": "NdArrayNode"}
    shape = several(constant(len(content)))
    return {**where, "type": "json", "content": [constant(text) for text in content], "shape": shape}


def several(*records: dict[str, Any]) -> dict[str, Any]:
    return {"__class__": "tuple", "__module__": "builtins", "__loader__": "TupleNode", "content": list(records)}


class Onnx(Float32Tree):
    """A protocol buffer, written byte by byte."""

    name = "ONNX"
    extension = ".onnx"
    names_features = False
    cannot: ClassVar = {
        **Float32Tree.cannot,
        "labels: floats": "labels are integers or texts",
        "labels: Booleans": "labels are integers or texts",
        "byte order mark": BINARY,
        "lines end in CRLF": BINARY,
        "a number of 10^6 digits": "numbers have 64 bits",
        "a number that only Python reads": "numbers have 64 bits",
    }
    refused: ClassVar = {
        **TREE_REFUSED,
        **but(BYTES_REFUSED, "a number of 10^6 digits", "a number that only Python reads"),
    }

    def thresholds(self, wanted: Sequence[float]) -> list[float]:
        return singles(wanted)

    trees = 1
    """The number of times that the tree is there."""

    def attributes(self, tree: Tree) -> list[bytes]:
        nodes = tree.nodes
        count = self.trees
        splits = [node if isinstance(node, Split) else None for node in nodes] * count
        leaves = [(t, i, node.label) for t in range(count) for i, node in enumerate(nodes) if isinstance(node, Leaf)]
        texts = isinstance(tree.labels[0], str)
        made = {
            "class_ids": [label for _, _, label in leaves],
            "class_nodeids": [i for _, i, _ in leaves],
            "class_treeids": [t for t, _, _ in leaves],
            "class_weights": [1.0 for _ in leaves],
            "classlabels_strings" if texts else "classlabels_int64s": list(tree.labels),
            "nodes_falsenodeids": [s.right if s else 0 for s in splits],
            "nodes_featureids": [s.feature if s else 0 for s in splits],
            "nodes_missing_value_tracks_true": [int(s is not None and s.missing_left) for s in splits],
            "nodes_modes": ["BRANCH_LEQ" if s else "LEAF" for s in splits],
            "nodes_nodeids": list(range(len(nodes))) * count,
            "nodes_treeids": [t for t in range(count) for _ in nodes],
            "nodes_truenodeids": [s.left if s else 0 for s in splits],
            "nodes_values": [float(s.test) if s else 0.0 for s in splits],  # type: ignore[arg-type]
            "post_transform": "NONE",
        }
        if len(tree.labels) == 2:
            # Two classes have weights of the second alone: one over a half is the second class.
            made["class_ids"] = [1 for _ in leaves]
            made["class_weights"] = [float(label) for _, _, label in leaves]
        return [_attribute(key, value) for key, value in made.items()]

    def model(self, tree: Tree, attributes: Sequence[bytes], more: bytes = b"", reverse: bool = False) -> bytes:
        kind = 8 if isinstance(tree.labels[0], str) else 7
        node = [
            *(
                _text(1, "X"),
                _text(2, "label"),
                _text(2, "scores"),
                _text(3, "tree"),
                _text(4, "TreeEnsembleClassifier"),
            ),
            *(_field(5, attribute) for attribute in attributes),
            _text(7, "ai.onnx.ml"),
        ]
        graph = [
            _field(1, b"".join(node[::-1] if reverse else node) + more),
            _text(2, "made"),
            _field(11, _value("X", 1, (None, len(tree.features)))),
            _field(12, _value("label", kind, (None,))),
            _field(12, _value("scores", 1, (None, len(tree.labels)))),
        ]
        versions = [
            _field(8, _text(1, domain) + _number(2, version)) for domain, version in (("", 17), ("ai.onnx.ml", 3))
        ]
        fields = [_number(1, 8), _text(2, "by hand"), _field(7, b"".join(graph)), *versions]
        return b"".join(fields[::-1] if reverse else fields)

    def make(self, tree: Tree) -> bytes:
        return self.model(tree, self.attributes(tree))

    def in_other_orders(self, tree: Tree) -> Iterator[bytes]:
        yield self.model(tree, self.attributes(tree)[::-1])
        yield self.model(tree, self.attributes(tree), reverse=True)

    def must_be_whole_to(self, data: bytes) -> int:
        # The versions of the operators come last, and the reader needs none.
        return data.index(_field(8, _text(1, "") + _number(2, 17)))

    def with_doubled_keys(self, tree: Tree) -> Iterator[bytes]:
        attributes = self.attributes(tree)
        for attribute in attributes:
            yield self.model(tree, [*attributes, attribute])

    def nested_deeply(self, tree: Tree) -> Iterator[bytes]:
        # An attribute may hold a graph, whose nodes have attributes; sizes of the inner ones cost their square.
        inner = b""
        for _ in range(2_000):
            inner = _field(6, _field(1, _field(5, inner)))
        yield self.model(tree, self.attributes(tree), _field(5, _text(1, "deep") + inner))
        # An unknown group in groups.
        yield self.make(tree) + b"\xa3\x06" * 100_000


def _varint(number: int) -> bytes:
    number &= 2**64 - 1
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def _number(key: int, number: int) -> bytes:
    return _varint(key << 3) + _varint(number)


def _field(key: int, data: bytes) -> bytes:
    return _varint(key << 3 | 2) + _varint(len(data)) + data


def _text(key: int, text: str) -> bytes:
    return _field(key, text.encode())


def _attribute(name: str, value: Any) -> bytes:
    start = _text(1, name)
    if isinstance(value, str):
        return start + _text(4, value) + _number(20, 3)
    if isinstance(value[0], float):
        return start + _field(7, struct.pack(f"<{len(value)}f", *value)) + _number(20, 6)
    if isinstance(value[0], str):
        return start + b"".join(_text(9, text) for text in value) + _number(20, 8)
    return start + b"".join(_number(8, number) for number in value) + _number(20, 7)


def _value(name: str, kind: int, shape: Sequence[int | None]) -> bytes:
    sizes = b"".join(_field(1, b"" if size is None else _number(1, size)) for size in shape)
    return _text(1, name) + _field(2, _field(1, _number(1, kind) + _field(2, sizes)))


class Orange(Reader):
    name = "Orange, object"
    cannot: ClassVar = {
        **for_all(FILES, OBJECT),
        "missing value goes left": "a missing value stops the descent at the node",
        "missing value goes right": "a missing value stops the descent at the node",
        "equal names": "Orange refuses them",
        "map of codes to categories": "values have their names in the domain",
    }
    refused: ClassVar = {
        **but(TREE_REFUSED, "equal names"),
        "no category": "the domain is empty",
        "unknown category": "is not a category",
    }

    def goes_left(self, tree: Tree, split: Split, cell: Any) -> bool | None:
        if isinstance(split.test, frozenset):
            return cell in split.test
        return None if cell != cell else not cell > split.test

    def library(self) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            data = pytest.importorskip("Orange.data", reason="the environment has no Orange")
            return data, pytest.importorskip("Orange.tree", reason="the environment has no Orange")

    def make(self, tree: Tree) -> Any:
        data, trees = self.library()
        with warnings.catch_warnings():
            # The warnings are about empty names, and about what its own imports do.
            warnings.simplefilter("ignore")
            return self.model(tree, data, trees)

    def model(self, tree: Tree, data: Any, trees: Any) -> Any:
        import numpy

        variables = [
            data.ContinuousVariable(v.name)
            if v.kind == "number" and not v.constant
            else data.DiscreteVariable(v.name, values=("3.0",) if v.constant else tuple(map(str, v.values)))
            for v in tree.features
        ]
        labels = data.DiscreteVariable("class of the tree", values=tuple(map(str, tree.labels)))

        def build(number: int) -> Any:
            here = tree.nodes[number]
            value = numpy.zeros(len(tree.labels))
            value[here.label if isinstance(here, Leaf) else here.own] = 1
            if isinstance(here, Leaf):
                return trees.Node(None, 0, value)
            variable = variables[here.feature]
            if isinstance(here.test, frozenset):
                mapping = numpy.array([int(k not in here.test) for k in range(len(variable.values))], dtype=numpy.int16)
                node = trees.MappedDiscreteNode(variable, here.feature, mapping, value)
            else:
                node = trees.NumericNode(variable, here.feature, here.test, value)
            node.children = [build(here.left), build(here.right)]
            return node

        return trees.TreeModel(data.Table.from_domain(data.Domain(variables, labels), 0), build(0))

    def read(self, source: Any, missing: bool) -> Any:
        from xpgcheck.readers.orange_tree import from_orange

        return from_orange(source, missing=missing)

    def cell(self, variable: Variable, cell: Cell) -> Any:
        return "3.0" if variable.constant else super().cell(variable, cell)


TREE_READERS = (SklearnObject(), Skops(), Onnx(), Orange())
