"""ONNX models around trees: a ``TreeEnsembleClassifier``, or a ``TreeEnsemble`` with ``ArgMax``, as onnxruntime has them.

* The input is float (float32), double, int64, int32 or Boolean.  Integers are rounded to the type of the thresholds before
  they are compared.  Float thresholds are compared as they are, double ones only with double input,
  as the operator demands.  A ``Cast`` to float in front of the tree makes float32 the domain.
* A node takes its true branch where the comparison of its mode holds (``BRANCH_LEQ``, ``LT``, ``GTE``, ``GT``, ``EQ``,
  ``NEQ``) or where the value is missing (NaN) and ``nodes_missing_value_tracks_true`` is set for it.  A NaN is unequal to
  everything: it takes the true branch of ``NEQ``.
* The class of a leaf is the first of the largest scores among the classes that it has weights for.  With two classes and
  weights of one of them only, it is the second class where the score is over 1/2, or over 0 if any weight is negative.
  ``post_transform`` changes scores, never the class.

A ``TreeEnsemble`` (ai.onnx.ml 5) has modes as numbers, and a weight and a target at a leaf: the class is the first of the
largest scores, those of the other targets being 0.

Several trees are summed: see :mod:`xpgcheck.readers.onnx_ensemble`.

Where onnxruntime and the specification disagree (two classes with weights of both, classes that a leaf has no weight
for), a leaf on which they say different classes is refused.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from xpgcheck.errors import FormatError, InputError, MissingPackageError, XpgcheckError, shown
from xpgcheck.extras import install
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal
from xpgcheck.model.domains import Boolean, Domain, Feature, Float32, Float64, Integer
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import FiniteSet, Grid, IntervalSet, ValueSet
from xpgcheck.readers.comparisons import at_most, equal_to, less_than, sides, whole_preimage
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, PathLike, place_of, read_bytes
from xpgcheck.readers.names import check_name, numbered_names
from xpgcheck.readers.onnx_arrays import OnnxTest, Tree, Votes, classifier_trees, shows_missing, trees_5
from xpgcheck.readers.onnx_ensemble import onnx_ensemble
from xpgcheck.readers.onnx_graph import TREE_5, TreeOperator, tree_operator
from xpgcheck.readers.other_names import OtherNames, stored_names
from xpgcheck.readers.source_trees import tree_graph

Literals = tuple[ValueSet, ValueSet]


def read_onnx(
    path: PathLike, *, max_bytes: int = DEFAULT_MAX_BYTES, missing: bool | None = None, name: str | None = None
) -> DecisionGraph | Ensemble:
    """Return the decision graph, or the ensemble, of the ONNX model at *path*; see :func:`parse_onnx`."""
    data = read_bytes(path, max_bytes)
    try:
        return parse_onnx(data, name or Path(path).stem, missing=missing)
    except XpgcheckError as error:
        raise error.at(place_of(path)) from None


def parse_onnx(
    data: bytes, name: str, *, missing: bool | None = None, names: OtherNames | None = None
) -> DecisionGraph | Ensemble:
    """Return the decision graph of a model around one tree, the ensemble of one around several.

    Needs the package `onnx`, not onnxruntime.

    Features are called ``feature_0`` …, classes by their labels; *names* may give others.  *missing* puts the
    missing value into every domain; left out, it does so where the model sends missing values somewhere
    (``nodes_missing_value_tracks_true``, or an infinite threshold).

    Raises ``InputError`` for a model of another kind, and operators that are not known to be harmless;
    ``FormatError`` for a damaged file; ``MissingPackageError`` without `onnx`.
    """
    check_name("model", name)
    operator = tree_operator(_decoded(data))
    trees = trees_5(operator) if operator.kind == TREE_5 else classifier_trees(operator)
    whole = operator.domain_type in _WHOLE_RANGES or operator.domain_type == "bool"
    if missing is None:
        missing = not whole and shows_missing(trees)
    elif missing and whole:
        problem = f"an input of {operator.domain_type} has no missing values"
        raise InputError(problem, place=operator.place, mend="leave 'missing' out")
    domain = _domain(operator.domain_type, missing)
    tested = [test.feature for tree in trees for test in tree.tests.values()]
    count = operator.feature_count or 1 + max(tested, default=0)
    features = [
        Feature(text, domain) for text in stored_names("feature", numbered_names("feature_", count), count, names)
    ]
    classes = stored_names("class", operator.labels, len(operator.labels), names)
    tests = Tests(operator, missing)
    if len(trees) > 1:
        return onnx_ensemble(operator, trees, name, features, classes, tests.nodes)
    (tree,) = trees
    return tree_graph(name, features, classes, tests.nodes(tree, _class_of(operator, tree)), tree.root)


_WHOLE_RANGES = {"int64": (-(2**63), 2**63 - 1), "int32": (-(2**31), 2**31 - 1)}


def _domain(kind: str, missing: bool) -> Domain:
    if kind == "bool":
        return Boolean()
    if kind in _WHOLE_RANGES:
        return Integer(*_WHOLE_RANGES[kind])
    return Float32(missing) if kind == "float" else Float64(missing)


def _decoded(data: bytes) -> Any:
    try:
        import onnx
        from google.protobuf.message import DecodeError
    except ImportError:
        raise MissingPackageError("reading ONNX models needs the package 'onnx'", mend=install("models")) from None
    model = onnx.ModelProto()
    try:
        model.ParseFromString(data)
    except (DecodeError, ValueError, RecursionError):
        raise FormatError("this is no ONNX model, or cut off", mend="export the model again") from None
    return model


class Tests:
    """Makes nodes of the tests of an operator's trees: equal tests of all of them have the same literals."""

    def __init__(self, operator: TreeOperator, missing: bool) -> None:
        self._operator = operator
        self._missing = missing
        self._known: dict[tuple[str, float, bool], Literals] = {}

    def nodes(self, tree: Tree, class_of: Mapping[NodeId, int]) -> dict[NodeId, Node]:
        """Return the nodes of *tree*, with the class of each leaf that counts."""
        found: dict[NodeId, Node] = {key: Terminal(index) for key, index in class_of.items()}
        for key, test in tree.tests.items():
            literals = self._known.get(test.key)
            if literals is None:
                literals = self._known[test.key] = _literals(self._operator, test, self._missing)
            found[key] = NonTerminal(test.feature, tuple(zip(test.ends, literals, strict=True)))
        return found


def _literals(operator: TreeOperator, test: OnnxTest, missing: bool) -> Literals:
    """Return the values of the true branch and those of the false one."""
    # The numbers that are compared: of an integer, what it is rounded to; of a double that was a float, the float.
    single = "float" in (operator.domain_type, operator.input_type)
    grid = Grid.FLOAT32 if single else Grid.FLOAT64
    true = _holding(operator, grid, test)
    if operator.domain_type == "bool":
        inside = [value for value in (False, True) if Fraction(value) in true]
        return FiniteSet(frozenset(inside)), FiniteSet(frozenset((False, True)).difference(inside))
    if operator.domain_type in _WHOLE_RANGES:
        return sides(whole_preimage(true, *_WHOLE_RANGES[operator.domain_type], operator.roundings))
    return sides(true, missing, test.missing_true or test.mode == "BRANCH_NEQ")


def _holding(operator: TreeOperator, grid: Grid, test: OnnxTest) -> IntervalSet:
    """Return the numbers of *grid* for which the comparison of *test* holds."""
    threshold = test.threshold
    if test.mode == "BRANCH_LEQ":
        return at_most(grid, threshold)
    if test.mode == "BRANCH_LT":
        return less_than(grid, threshold)
    if test.mode == "BRANCH_GTE":
        return IntervalSet(grid, ()) if threshold != threshold else less_than(grid, threshold).complement()
    if test.mode == "BRANCH_GT":
        return IntervalSet(grid, ()) if threshold != threshold else at_most(grid, threshold).complement()
    if test.mode in ("BRANCH_EQ", "BRANCH_NEQ"):
        true = equal_to(grid, threshold)
        return true.complement() if test.mode == "BRANCH_NEQ" else true
    raise InputError(f"the node mode {shown(test.mode)} is not read", place=operator.place, mend="export it again")


def _class_of(operator: TreeOperator, tree: Tree) -> dict[NodeId, int]:
    """Return the class of each leaf."""
    if operator.kind == TREE_5:
        return {key: _of_target(votes, len(operator.labels)) for key, votes in tree.votes.items()}
    weights = [weight for votes in tree.votes.values() for weight in votes.values()]
    rule = _Rule(operator, {k for votes in tree.votes.values() for k in votes}, all(weight >= 0 for weight in weights))
    return {key: rule.class_of(key, votes) for key, votes in tree.votes.items()}


def _of_target(votes: Votes, count: int) -> int:
    """Return the first of the largest scores, those of the other targets being 0."""
    ((target, weight),) = votes.items()
    others = 1 if target == 0 and count > 1 else 0
    return target if weight > 0 or count == 1 else min(target, others) if weight == 0 else others


class _Rule:
    """From the weights of a leaf to its class."""

    def __init__(self, operator: TreeOperator, voted: set[int], all_positive: bool) -> None:
        base = operator.numbers("base_values")
        self._operator = operator
        self._count = len(operator.labels)
        self._single = self._count == 2 and len(voted) == 1
        self._border = 0.5 if all_positive else 0.0
        self._base = base if any(base) else []
        if self._base and (self._count == 2 or len(base) != self._count):
            problem = f"base values {list(base)[:3]} for {self._count} classes are understood differently by runtimes"
            raise InputError(problem, place=operator.place, mend="export the model without base_values")

    def class_of(self, node: NodeId, votes: Votes) -> int:
        if self._single:
            (weight,) = votes.values()
            return int(weight > self._border)
        scores = [votes.get(k, 0.0) for k in range(self._count)]
        if self._base:
            scores = [self._sum(score, added) for score, added in zip(scores, self._base, strict=True)]
        by_specification = scores.index(max(scores))
        if by_specification != self._by_runtime(votes, scores):
            problem = "onnxruntime and the specification give this leaf different classes"
            mend = "export it with the weights of one class only (skl2onnx does), or with weights of all classes"
            raise InputError(problem, place=f"{self._operator.place}: node {node}", mend=mend)
        return by_specification

    def _by_runtime(self, votes: Votes, scores: Sequence[float]) -> int:
        if self._count == 2:
            # The runtime gives the labels 0 and 1 here, whatever the list of integer labels says.
            positive = votes.get(1, votes.get(0, 0.0)) > 0
            label = str(int(positive))
            return int(positive) if self._operator.labels_are_texts else _position(self._operator.labels, label)
        voted = range(self._count) if self._base else sorted(votes)
        return max(voted, key=lambda k: (scores[k], -k))

    def _sum(self, score: float, added: float) -> float:
        """Add as the runtime does: in float32, unless the input is double."""
        if self._operator.input_type == "double":
            return score + added
        rounded: float = struct.unpack("<f", struct.pack("<f", score + added))[0]
        return rounded


def _position(labels: Sequence[str], label: str) -> int:
    return labels.index(label) if label in labels else -1
