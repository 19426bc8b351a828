"""``PyXAI``, decision trees: a tree of two-way tests is built node by node with the package's ``Builder``.

PyXAI explains by the tests of the tree, not by features: a reason is a set of literals of *binary variables*, one a
condition ``feature operator threshold``.  They are answered as indices of
:func:`~xpgcheck.oracles.conditions.conditions_of`, with ``notion = "conditions"``.  Conditions are written as
scikit-learn trees are imported by PyXAI, ``x > t``, and ``x >= t`` where a dense domain needs it; the domain theory of
PyXAI takes it that they are.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean, Domain, Feature
from xpgcheck.model.value_sets import FiniteSet, ValueSet
from xpgcheck.model.values import Point, Value
from xpgcheck.oracles.conditions import NotTwoWayError, conditions_of
from xpgcheck.subjects.adapters.packages import imported, titled

REQUIREMENT = "pyxai==2.0.1"


class PyXAI:
    """``sufficient_reason`` and ``contrastive_reason``, over the tree's conditions as independent Boolean variables."""

    notion = "conditions"
    title = "conditions"

    def __init__(self) -> None:
        """Import the package, which takes seconds.  Raises ``MissingPackageError`` where it cannot be."""
        self._builder: Any = imported("pyxai.Builder", REQUIREMENT)
        self._explaining: Any = imported("pyxai.Explaining", REQUIREMENT)
        # It reports on stdout otherwise.
        imported("pyxai.Tools", REQUIREMENT).set_verbose(0)
        self.name = f"{titled('PyXAI', 'pyxai')}, {self.title}"

    def axp(self, graph: DecisionGraph, instance: Point) -> Iterable[int]:
        """Return one sufficient reason.  Raises ``NotImplementedError`` on what PyXAI's trees cannot be."""
        opened = self.opened(graph, instance)
        return opened.members(opened.explainer.sufficient_reason())

    def cxp(self, graph: DecisionGraph, instance: Point) -> Iterable[int] | None:
        """Return one contrastive reason, None where PyXAI answers that there is none."""
        opened = self.opened(graph, instance)
        return opened.members(opened.explainer.contrastive_reason()) or None

    def enumerate(self, graph: DecisionGraph, instance: Point) -> Iterable[tuple[str, frozenset[int]]]:
        """Yield all sufficient reasons and all contrastive ones, repeated ones too."""
        opened = self.opened(graph, instance)
        for reason in opened.explainer.sufficient_reason(n=self._explaining.ALL):
            yield "AXp", opened.members(reason)
        for reason in opened.explainer.contrastive_reason(n=self._explaining.ALL):
            yield "CXp", opened.members(reason)

    def features_type(self, graph: DecisionGraph) -> dict[str, list[str]] | None:
        """Return what PyXAI is told about the features of *graph* for its domain theory: nothing."""
        return None

    def labels(self, graph: DecisionGraph) -> list[Any] | None:
        """Return the labels of classes that PyXAI is told: none, classes are their indices."""
        return None

    def translated(self, graph: DecisionGraph) -> Any:
        """Return the ``DecisionTree`` of PyXAI for *graph*, its leaves being indices of classes.

        Raises ``NotImplementedError`` where *graph* is no tree, a test is not two-way, a literal does not halve the domain
        of a Boolean feature or a number, or a threshold is no binary64 number.  Linear.
        """
        return translated_tree(self._builder, graph, self.labels(graph))

    def opened(self, graph: DecisionGraph, instance: Point) -> Opened:
        """Return PyXAI's explainer of *instance*.  Raises ``NotImplementedError`` as :meth:`translated` does."""
        tree = self.translated(graph)
        floats = floats_of(instance)
        explainer = self._explaining.initialize(tree, instance=floats, features_type=self.features_type(graph))
        return Opened(explainer, tree.map_id_binaries_to_features, self.index_of(graph), floats)

    def index_of(self, graph: DecisionGraph) -> dict[Test, int]:
        """Return what is answered for each test of the tree: the index of the condition."""
        return {test_of(graph, c.feature, c.values)[0]: index for index, c in enumerate(_conditions(graph))}


class PyXAIProjected(PyXAI):
    """The features that reasons mention, judged by Eq. 1 and Eq. 2: a definition that is not PyXAI's own."""

    notion = "features"
    title = "projected to features"

    def enumerate(self, graph: DecisionGraph, instance: Point) -> Iterable[tuple[str, frozenset[int]]]:
        """Return the sets of features of all reasons: many reasons may have the same, which is listed once."""
        return dict.fromkeys(super().enumerate(graph, instance))

    def index_of(self, graph: DecisionGraph) -> dict[Test, int]:
        """Return what is answered for each test of the tree: its feature."""
        return {test_of(graph, c.feature, c.values)[0]: c.feature for c in _conditions(graph)}


class PyXAIWithTheory(PyXAI):
    """With the features' types declared, which switches on PyXAI's domain theory, and judged given that theory."""

    notion = "conditions-with-theory"
    title = "conditions with theory"

    def features_type(self, graph: DecisionGraph) -> dict[str, list[str]]:
        """Return which features are numerical, which binary."""
        return types_of(graph.features)


class PyXAILabelled(PyXAI):
    """With 1, 2, … as labels of the classes: PyXAI gives each tree that it imports from scikit-learn its labels."""

    title = "conditions, labels from 1"

    def labels(self, graph: DecisionGraph) -> list[Any]:
        """Return as many numbers as *graph* has classes."""
        return list(range(1, len(graph.classes) + 1))


class PyXAINamed(PyXAI):
    """With the names of the classes as their labels."""

    title = "conditions, labels that are names"

    def labels(self, graph: DecisionGraph) -> list[Any]:
        """Return the names of *graph*'s classes."""
        return list(graph.classes)


class PyXAISmallest:
    """``minimal_sufficient_reason``: one of the smallest sufficient reasons, which is an AXp too."""

    notion = PyXAI.notion

    def __init__(self) -> None:
        """Import the package.  Raises ``MissingPackageError`` where it cannot be."""
        self._all = PyXAI()
        self.name = f"{titled('PyXAI', 'pyxai')}, minimal sufficient reason"

    def axp(self, graph: DecisionGraph, instance: Point) -> Iterable[int]:
        """Return one sufficient reason of the fewest conditions."""
        opened = self._all.opened(graph, instance)
        with elsewhere():
            return opened.members(opened.explainer.minimal_sufficient_reason())


def types_of(features: Iterable[Feature]) -> dict[str, list[str]]:
    """Return which of *features*, called f0, f1, …, are numerical, which binary, as ``features_type`` takes them."""
    types: dict[str, list[str]] = {"numerical": [], "binary": []}
    for index, feature in enumerate(features):
        types["binary" if isinstance(feature.domain, Boolean) else "numerical"].append(f"f{index}")
    return types


@contextmanager
def elsewhere() -> Iterator[None]:
    """Work in a folder that is removed afterwards: PyXAI leaves files for its MaxSAT solver in the current one."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


Test = tuple[int, str, float]
"""A condition as PyXAI knows it: a feature (counted from 1), ``GT`` or ``GE``, and the threshold."""


@dataclass(frozen=True, slots=True)
class Opened:
    """PyXAI's explainer of one instance; ``tests`` are its conditions by binary variable, ``index_of`` ours."""

    explainer: Any
    tests: list[Any]
    index_of: dict[Test, int]
    instance: list[float]

    def members(self, reason: Iterable[int]) -> frozenset[int]:
        """Return what the literals of *reason* are answered as.

        Raises ``ValueError`` where one does not hold at the instance: a reason is a part of its description.
        """
        found = set()
        for literal in reason:
            feature, operator, threshold = self.tests[abs(literal)]
            value = self.instance[feature - 1]
            if (value > threshold if operator == "GT" else value >= threshold) is not (literal > 0):
                raise ValueError(f"the literal {literal} of the reason {reason} does not hold at {self.instance}")
            found.add(self.index_of[feature, operator.value, threshold])
        return frozenset(found)


def translated_tree(
    builder: Any, graph: DecisionGraph, labels: list[Any] | None, weights: Sequence[float] | None = None
) -> Any:
    """Return the ``DecisionTree`` of PyXAI for *graph*, as :meth:`PyXAI.translated` does.

    A leaf has the index of its class, or the one of *weights* at that index.
    """
    if not graph.is_tree():
        raise NotImplementedError("it is no tree")
    _conditions(graph)
    built: list[Any] = [None] * graph.node_count
    # Children have higher numbers.
    for node in reversed(range(graph.node_count)):
        if graph.is_terminal(node):
            built[node] = graph.class_of[node] if weights is None else weights[graph.class_of[node]]
            continue
        (first, values), (second, _) = graph.edges(node)
        (feature, operator, threshold), first_holds = test_of(graph, graph.feature_of[node], values)
        right, left = (first, second) if first_holds else (second, first)
        built[node] = builder.DecisionNode(
            feature, operator=operator, threshold=threshold, left=built[left], right=built[right]
        )
    root = built[0] if not graph.is_terminal(0) else builder.LeafNode(built[0])
    names = [f"f{index}" for index in range(len(graph.features))]
    return builder.DecisionTree(len(names), root, n_classes=len(graph.classes), feature_names=names, class_names=labels)


def _conditions(graph: DecisionGraph) -> Iterable[Any]:
    try:
        return conditions_of(graph)
    except NotTwoWayError as error:
        raise NotImplementedError(str(error)) from error


def test_of(graph: DecisionGraph, feature: int, values: ValueSet) -> tuple[Test, bool]:
    """Return the test whether a value lies above a threshold, and whether *values* are those above it."""
    operator, threshold, above = _half(graph.features[feature].domain, values)
    return (feature + 1, operator, threshold), above


def _half(domain: Domain, values: ValueSet) -> tuple[str, float, bool]:
    """Return operator and threshold of the upper half of *domain* in its partition by *values*, and if *values* is it."""
    whole = domain.all_values()
    inside = whole.intersection(values)
    outside = whole.difference(inside)
    if isinstance(inside, FiniteSet) or isinstance(outside, FiniteSet):
        if not isinstance(domain, Boolean):
            raise NotImplementedError("a categorical feature")
        return "GE", 0.5, True in inside
    if inside.missing or outside.missing:
        raise NotImplementedError("a feature that may be missing")
    if len(inside.intervals()) != 1 or len(outside.intervals()) != 1:
        raise NotImplementedError("a literal that does not halve the domain")
    (one,), (other,) = inside.intervals(), outside.intervals()
    above = one.low is not None and other.high is not None and other.high <= one.low
    low, high = (other, one) if above else (one, other)
    assert low.high is not None
    # Where the halves do not meet, in the integers and the floats, the last number of the lower one is the threshold.
    closed = low.high == high.low and low.high_open
    return "GE" if closed else "GT", _float(low.high), above


def floats_of(instance: Point) -> list[float]:
    """Return *instance* as binary64 numbers.  Raises ``NotImplementedError`` where a value is none."""
    return [_float(value) for value in instance]


def _float(value: Value) -> float:
    """Return *value* as a binary64 number.  Raises ``NotImplementedError`` where it is none."""
    if not isinstance(value, (bool, int, Fraction)):
        raise NotImplementedError(f"the value {value!r} is no number")
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if Fraction(value) != (Fraction(number) if abs(number) != float("inf") else None):
        raise NotImplementedError(f"the number {value} is no binary64 number")
    return number
