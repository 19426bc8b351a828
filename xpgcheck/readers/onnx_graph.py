"""The one operator of trees of an ONNX graph, with what is around it known to be harmless.

Between the input and the tree may stand ``Identity`` and ``Cast`` to float or double.  From the label of a
``TreeEnsembleClassifier`` to an output of the graph, ``Identity`` and ``Cast`` to integers or texts.  A ``TreeEnsemble``
(ai.onnx.ml 5) gives scores: its label is that of ``ArgMax``, and of a ``LabelEncoder`` after it.  On the scores of a
classifier, which κ does not need, ``ZipMap``, ``Normalizer``, ``Cast`` and ``Identity`` too.  Any other operator is
refused by its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xpgcheck.errors import InputError, shown
from xpgcheck.readers.fields import damaged

TREE, TREE_5 = "TreeEnsembleClassifier", "TreeEnsemble"

_FLOATS = {1: "float", 11: "double"}
MAX_TARGETS = 100_000
"""Targets that a ``TreeEnsemble`` may announce by their number alone."""

_LABEL_CASTS = (6, 7, 8)
"""int32, int64 and string."""

_HARMLESS = ("Cast", "Identity", "ZipMap", "Normalizer")

_WHOLE = {6: "int32", 7: "int64", 9: "bool"}

_ELEMENT_NAMES = {8: "string", 10: "float16", 16: "bfloat16"}

_PRECISION = {"float": 24, "double": 53}


@dataclass(frozen=True, slots=True)
class TreeOperator:
    """A tree operator: its attributes and labels.

    ``domain_type`` says which numbers arrive (``float``, ``double``, ``int32``, ``int64``, ``bool``), ``input_type`` as what
    they are compared: ``float`` or ``double``.  ``roundings`` are the precisions, in bits, to which integers are rounded
    on the way.
    """

    kind: str

    attributes: Mapping[str, Any]
    labels: Sequence[str]
    labels_are_texts: bool
    domain_type: str
    input_type: str
    roundings: Sequence[int]
    feature_count: int | None
    place: str

    def integers(self, key: str) -> list[int]:
        """Return an attribute that is a list of integers; an absent one is empty."""
        attribute = self.attributes.get(key)
        return [] if attribute is None else list(attribute.ints)

    def texts(self, key: str) -> list[str]:
        """Return an attribute that is a list of texts; an absent one is empty."""
        attribute = self.attributes.get(key)
        try:
            return [] if attribute is None else [text.decode() for text in attribute.strings]
        except UnicodeDecodeError:
            raise damaged(f"the attribute {shown(key)} is not UTF-8", self.place) from None

    def numbers(self, key: str) -> list[float]:
        """Return an attribute that is a list of floats, or a tensor of doubles as ``…_as_tensor``."""
        tensor = self.attributes.get(f"{key}_as_tensor")
        attribute = self.attributes.get(key)
        if tensor is None:
            return [] if attribute is None else list(attribute.floats)
        if attribute is not None and attribute.floats:
            raise damaged(f"both {key} and {key}_as_tensor are given", self.place)
        if tensor.t.data_type != 11 or self.input_type != "double":
            problem = f"{key}_as_tensor is not of the type that the input has"
            raise InputError(problem, place=self.place, mend="use double tensors with a double input only")
        return _items(tensor.t, self.place)

    def tensor(self, key: str) -> list[float]:
        """Return an attribute of a ``TreeEnsemble`` that is a tensor of the input's type; an absent one is empty."""
        attribute = self.attributes.get(key)
        if attribute is None:
            return []
        if attribute.t.data_type != {"float": 1, "double": 11}[self.input_type]:
            problem = f"{key} is not of the type that the input has"
            raise InputError(problem, place=self.place, mend=f"use a tensor of {self.input_type}")
        return _items(attribute.t, self.place)

    def bytes_of(self, key: str) -> list[int]:
        """Return an attribute that is a tensor of bytes (uint8)."""
        attribute = self.attributes.get(key)
        if attribute is None or attribute.t.data_type != 2:
            raise damaged(f"{key} is not a tensor of uint8", self.place)
        return [int(item) for item in _items(attribute.t, self.place)]


def _items(tensor: Any, place: str) -> list[float]:
    from onnx import numpy_helper

    try:
        numbers: list[float] = numpy_helper.to_array(tensor).reshape(-1).tolist()
    except (ValueError, TypeError, OSError):
        raise damaged("a tensor is damaged, or kept in another file", place) from None
    return numbers


def tree_operator(model: Any) -> TreeOperator:
    """Return the tree of *model*, an ``onnx.ModelProto``.  Raises ``InputError`` or ``FormatError`` that names the place."""
    graph = model.graph
    trees = [node for node in graph.node if node.op_type in (TREE, TREE_5) and node.domain in ("ai.onnx.ml", "")]
    if len(trees) != 1:
        raise _not_one_tree(graph, len(trees))
    (node,) = trees
    place = f"operator {shown(node.name or node.op_type)}"
    made_by = {output: other for other in graph.node for output in other.output if output}
    types, count = _input(graph, node, made_by)
    attributes = {attribute.name: attribute for attribute in node.attribute}
    if len(attributes) < len(node.attribute):
        raise damaged("an attribute is given twice", place)
    if node.op_type == TREE_5:
        labels, are_texts = _scored_labels(graph, node, made_by, place)
    else:
        _refuse_unless_output(graph, node, made_by, {node.output[0] if node.output else ""}, [])
        labels, are_texts = _labels(attributes, "classlabels_strings", "classlabels_int64s", place)
    # Once rounded to float32, a number stays one: that is the domain, whatever type it is compared in.
    arriving = types[0] if types[0] in _WHOLE.values() else "float" if "float" in types else "double"
    if types[-1] == "bool" or (node.op_type == TREE_5 and types[-1] not in _PRECISION):
        raise damaged(f"the tree has an input of type {types[-1]}", place)
    compared = types[-1] if types[-1] in _PRECISION else "float"
    roundings = [_PRECISION[kind] for kind in (*types[1:], compared) if kind in _PRECISION]
    return TreeOperator(node.op_type, attributes, labels, are_texts, arriving, compared, roundings, count, place)


def _labels(attributes: Mapping[str, Any], texts: str, integers: str, place: str) -> tuple[list[str], bool]:
    """Return the labels in one of two attributes, and whether they are texts."""
    raw = list(attributes[texts].strings) if texts in attributes else []
    if not raw:
        return [str(label) for label in attributes[integers].ints] if integers in attributes else [], False
    try:
        return [text.decode() for text in raw], True
    except UnicodeDecodeError:
        raise damaged("the class labels are not UTF-8", place) from None


def _scored_labels(graph: Any, tree: Any, made_by: Mapping[str, Any], place: str) -> tuple[list[str], bool]:
    """Return the label of each target of a ``TreeEnsemble``: its number, or what a ``LabelEncoder`` makes of that."""
    targets = next((attribute.i for attribute in tree.attribute if attribute.name == "n_targets"), 0)
    if not 0 < targets <= MAX_TARGETS:
        raise damaged(f"there are {targets} targets", place)
    labels = [str(number) for number in range(targets)]
    scores = _and_identities(graph, tree.output[0] if tree.output else "")
    largest = [node for node in graph.node if node.op_type == "ArgMax" and node.input and node.input[0] in scores]
    if len(largest) != 1:
        mend = "add an ArgMax (axis 1) over the scores, or export a TreeEnsembleClassifier (ai.onnx.ml 3)"
        raise InputError("a TreeEnsemble gives scores, and no ArgMax makes a class of them", place=place, mend=mend)
    options = {attribute.name: attribute.i for attribute in largest[0].attribute}
    if options.get("axis", 0) not in (1, -1) or options.get("select_last_index", 0):
        problem = "ArgMax is not over the scores of a row, or does not take the first of equal ones"
        raise InputError(problem, place=place, mend="use axis 1 and select_last_index 0")
    indices = _and_identities(graph, largest[0].output[0])
    after = [largest[0]]
    encoders = [
        node for node in graph.node if node.op_type == "LabelEncoder" and node.input[:1] and node.input[0] in indices
    ]
    if len(encoders) > 1:
        raise InputError("there are two LabelEncoder", place=place, mend="export the classifier with one label")
    if encoders:
        attributes = {attribute.name: attribute for attribute in encoders[0].attribute}
        values, are_texts = _labels(attributes, "values_strings", "values_int64s", place)
        keys = list(attributes["keys_int64s"].ints) if "keys_int64s" in attributes else []
        if sorted(keys) != list(range(targets)) or len(values) != targets:
            problem = "the LabelEncoder does not give each target one label"
            raise InputError(problem, place=place, mend="use keys_int64s 0, 1, … and values_strings or values_int64s")
        named = dict(zip(keys, values, strict=True))
        _refuse_unless_output(graph, tree, made_by, {encoders[0].output[0]}, [*after, encoders[0]])
        return [named[number] for number in range(targets)], are_texts
    _refuse_unless_output(graph, tree, made_by, {largest[0].output[0]}, after)
    return labels, False


def _and_identities(graph: Any, name: str) -> set[str]:
    """Return *name* and what ``Identity`` makes of it; nodes of a graph are in topological order."""
    found = {name}
    for node in graph.node:
        if node.op_type == "Identity" and node.input and node.input[0] in found:
            found.update(node.output)
    return found


def _operator(node: Any) -> str:
    """Return the operator's name; protobuf hands over bytes where it is not UTF-8."""
    name = node.op_type
    return name if isinstance(name, str) else name.decode("utf-8", "replace")


def _not_one_tree(graph: Any, count: int) -> InputError:
    names = sorted({_operator(node) for node in graph.node})
    if count > 1:
        return InputError(f"there are {count} tree operators", mend="export the trees as one operator")
    if "TreeEnsembleRegressor" in names:
        return InputError("a TreeEnsembleRegressor predicts numbers", mend="export a classifier")
    found = ", ".join(map(shown, names[:5])) or "none"
    return InputError(f"there is no {TREE}; the operators are: {found}", mend="export a tree classifier")


def _unknown(node: Any, where: str) -> InputError:
    problem = f"unknown ONNX operator {shown(_operator(node))} {where}"
    return InputError(problem, mend="export the tree alone, and give instances as the tree gets them")


def _input(graph: Any, tree: Any, made_by: Mapping[str, Any]) -> tuple[list[str], int | None]:
    """Return the types from the input of the graph to that of the tree, and the number of features if it is stated."""
    name = tree.input[0] if tree.input else ""
    casts: list[str] = []
    for _ in range(len(graph.node) + 1):
        node = made_by.get(name)
        if node is None:
            break
        target = next((attribute.i for attribute in node.attribute if attribute.name == "to"), 0)
        if node.op_type not in ("Cast", "Identity") or (node.op_type == "Cast" and target not in _FLOATS):
            raise _unknown(node, "before the tree")
        if node.op_type == "Cast":
            casts.insert(0, _FLOATS[target])
        name = node.input[0] if node.input else ""
    sources = {value.name: value.type.tensor_type for value in graph.input}
    if name not in sources:
        raise damaged("the input of the tree comes from nowhere", f"operator {shown(tree.name or tree.op_type)}")
    tensor = sources[name]
    known = {**_FLOATS, **_WHOLE}
    if tensor.elem_type not in known:
        kind = _ELEMENT_NAMES.get(tensor.elem_type, f"type {tensor.elem_type}")
        mend = "export the tree with an input of float, double, int64, int32 or bool"
        raise InputError(f"the input {shown(name)} is {kind}", mend=mend)
    types = [known[tensor.elem_type], *casts]
    dimensions = tensor.shape.dim
    count = dimensions[-1].dim_value if len(dimensions) == 2 else 0
    return types, count or None


def _refuse_unless_output(
    graph: Any, tree: Any, made_by: Mapping[str, Any], derived: set[str], labelling: Sequence[Any]
) -> None:
    """Refuse unknown operators after the tree, and a graph that gives none of *derived*, the tree's label."""
    known = [tree, *labelling, *_ancestors(tree, made_by)]
    for node in graph.node:
        if any(node is other for other in known):
            continue
        if node.op_type not in _HARMLESS:
            raise _unknown(node, "after the tree")
        if node.op_type in ("Cast", "Identity") and node.input and node.input[0] in derived:
            target = next((attribute.i for attribute in node.attribute if attribute.name == "to"), 0)
            if node.op_type == "Identity" or target in _LABEL_CASTS:
                derived.update(node.output)
    if not any(output.name in derived for output in graph.output):
        raise InputError("no output of the graph is the label of the tree", mend="export the classifier with its label")


def _ancestors(tree: Any, made_by: Mapping[str, Any]) -> list[Any]:
    found: list[Any] = []
    pending = list(tree.input)
    while pending:
        node = made_by.get(pending.pop())
        if node is not None and not any(node is other for other in found):
            found.append(node)
            pending.extend(node.input)
    return found
