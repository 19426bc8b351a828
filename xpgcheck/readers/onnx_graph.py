"""The one ``TreeEnsembleClassifier`` of an ONNX graph, with what is around it known to be harmless.

Between the input and the tree may stand ``Identity`` and ``Cast`` between float and double.  From the tree's label to an
output of the graph, ``Identity`` and ``Cast`` to integers or texts.  On the scores, which κ does not need, ``ZipMap``,
``Normalizer``, ``Cast`` and ``Identity`` too.  Any other operator is refused by its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xpgcheck.errors import InputError, shown
from xpgcheck.readers.fields import damaged

TREE = "TreeEnsembleClassifier"

_FLOATS = {1: "float", 11: "double"}
_LABEL_CASTS = (6, 7, 8)
"""int32, int64 and string."""

_HARMLESS = ("Cast", "Identity", "ZipMap", "Normalizer")

_ELEMENT_NAMES = {6: "int32", 7: "int64", 8: "string", 9: "bool", 10: "float16", 16: "bfloat16"}


@dataclass(frozen=True, slots=True)
class TreeOperator:
    """A tree operator: its attributes and labels.

    ``domain_type`` says which numbers arrive, ``input_type`` the type that they are compared in: ``float`` or ``double``.
    """

    attributes: Mapping[str, Any]
    labels: Sequence[str]
    labels_are_texts: bool
    domain_type: str
    input_type: str
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
        return _doubles(tensor.t, self.place)


def _doubles(tensor: Any, place: str) -> list[float]:
    from onnx import numpy_helper

    try:
        numbers: list[float] = numpy_helper.to_array(tensor).reshape(-1).tolist()
    except (ValueError, TypeError, OSError):
        raise damaged("a tensor is damaged, or kept in another file", place) from None
    return numbers


def tree_operator(model: Any) -> TreeOperator:
    """Return the tree of *model*, an ``onnx.ModelProto``.  Raises ``InputError`` or ``FormatError`` that names the place."""
    graph = model.graph
    trees = [node for node in graph.node if node.op_type == TREE and node.domain in ("ai.onnx.ml", "")]
    if len(trees) != 1:
        raise _not_one_tree(graph, len(trees))
    (node,) = trees
    place = f"operator {shown(node.name or TREE)}"
    made_by = {output: other for other in graph.node for output in other.output if output}
    domain_type, input_type, count = _input(graph, node, made_by)
    _refuse_unless_output(graph, node, made_by)
    attributes = {attribute.name: attribute for attribute in node.attribute}
    if len(attributes) < len(node.attribute):
        raise damaged("an attribute is given twice", place)
    texts = attributes.get("classlabels_strings")
    integers = attributes.get("classlabels_int64s")
    raw = [] if texts is None else list(texts.strings)
    are_texts = bool(raw)
    try:
        labels = [text.decode() for text in raw]
    except UnicodeDecodeError:
        raise damaged("the class labels are not UTF-8", place) from None
    if not are_texts and integers is not None:
        labels = [str(label) for label in integers.ints]
    return TreeOperator(attributes, labels, are_texts, domain_type, input_type, count, place)


def _operator(node: Any) -> str:
    """Return the operator's name; protobuf hands over bytes where it is not UTF-8."""
    name = node.op_type
    return name if isinstance(name, str) else name.decode("utf-8", "replace")


def _not_one_tree(graph: Any, count: int) -> InputError:
    names = sorted({_operator(node) for node in graph.node})
    if count > 1:
        return InputError(f"there are {count} operators {TREE}", mend="export one tree alone")
    if "TreeEnsemble" in names:
        problem = "a TreeEnsemble (ai.onnx.ml 5) gives scores, not a class"
        return InputError(problem, mend=f"export it with target_opset={{'ai.onnx.ml': 3}} as a {TREE}")
    if "TreeEnsembleRegressor" in names:
        return InputError("a TreeEnsembleRegressor predicts numbers", mend="export a classifier")
    found = ", ".join(map(shown, names[:5])) or "none"
    return InputError(f"there is no {TREE}; the operators are: {found}", mend="export a tree classifier")


def _unknown(node: Any, where: str) -> InputError:
    problem = f"unknown ONNX operator {shown(_operator(node))} {where}"
    return InputError(problem, mend="export the tree alone, and give instances as the tree gets them")


def _input(graph: Any, tree: Any, made_by: Mapping[str, Any]) -> tuple[str, str, int | None]:
    """Return the type of the domain, the type of the comparisons, and the number of features if it is stated."""
    name = tree.input[0] if tree.input else ""
    casts = []
    for _ in range(len(graph.node) + 1):
        node = made_by.get(name)
        if node is None:
            break
        target = next((attribute.i for attribute in node.attribute if attribute.name == "to"), 0)
        if node.op_type not in ("Cast", "Identity") or (node.op_type == "Cast" and target not in _FLOATS):
            raise _unknown(node, "before the tree")
        if node.op_type == "Cast":
            casts.append(_FLOATS[target])
        name = node.input[0] if node.input else ""
    sources = {value.name: value.type.tensor_type for value in graph.input}
    if name not in sources:
        raise damaged("the input of the tree comes from nowhere", f"operator {shown(tree.name or TREE)}")
    tensor = sources[name]
    if tensor.elem_type not in _FLOATS:
        kind = _ELEMENT_NAMES.get(tensor.elem_type, f"type {tensor.elem_type}")
        raise InputError(f"the input {shown(name)} is {kind}", mend="export the tree with a float or double input")
    types = [_FLOATS[tensor.elem_type], *casts]
    dimensions = tensor.shape.dim
    count = dimensions[-1].dim_value if len(dimensions) == 2 else 0
    # Once rounded to float32, a number stays one: that is the domain, whatever type it is compared in.
    return "float" if "float" in types else "double", types[-1], count or None


def _refuse_unless_output(graph: Any, tree: Any, made_by: Mapping[str, Any]) -> None:
    """Refuse unknown operators after the tree, and a graph that does not give the tree's label."""
    label = tree.output[0] if tree.output else ""
    derived = {label}
    before = _ancestors(tree, made_by)
    for node in graph.node:
        if node is tree or any(node is other for other in before):
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
