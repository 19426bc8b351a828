"""``RFxpl`` (Izza and Marques-Silva, IJCAI 2021), forests of trees that vote: a checkout that the user has explains by SAT.

The repository is no package: the environment variable ``XPGCHECK_RFXPL`` names the folder with a checkout of it, and its
requirements (``python-sat[pb]``, scikit-learn, anytree, six, namedlist) have to be installed.  It takes scikit-learn's
trees, of which it reads arrays; those are made here of the trees of an ensemble, so nothing is trained.  Its majority vote
breaks ties for the lowest class, as ours does.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable
from typing import Any, NamedTuple

from xpgcheck.model.combination import Majority
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.subjects.adapters.checkouts import imported_from
from xpgcheck.subjects.adapters.pyxai import floats_of, test_of

FOLDER = "XPGCHECK_RFXPL"
"""The environment variable that names the folder with the checkout."""


class RFxpl:
    """Its SAT encoding, of which deletion gives an AXp and LBX a CXp."""

    name = "RFxpl"
    models = ("majority",)

    def __init__(self) -> None:
        """Import it from the checkout.  Raises ``InputError``, ``MissingPackageError`` where that cannot be."""
        self._forest, self._encoder, self._explainer = imported_from(
            FOLDER,
            "RFxpl",
            "https://github.com/izzayacine/RFxpl",
            "",
            {"xrf.tree": "Forest", "xrf.encode": "SATEncoder", "xrf.explain": "SATExplainer"},
            "'python-sat[pb]' scikit-learn anytree six namedlist",
        )

    def predict(self, ensemble: Ensemble, instance: Point) -> int:
        """Return the class by its majority vote."""
        return int(self._translated(ensemble).predict(floats_of(instance)))

    def axp(self, ensemble: Ensemble, instance: Point) -> Iterable[int]:
        """Return one abductive explanation.  Raises ``NotImplementedError`` on what RFxpl's forests cannot be."""
        return self._explained(ensemble, instance, "abd")

    def cxp(self, ensemble: Ensemble, instance: Point) -> Iterable[int]:
        """Return one contrastive explanation.  Raises ``NotImplementedError`` on what RFxpl's forests cannot be."""
        return self._explained(ensemble, instance, "con")

    def _explained(self, ensemble: Ensemble, instance: Point, kind: str) -> list[int]:
        import numpy

        forest, sample = self._translated(ensemble), numpy.array(floats_of(instance))
        encoder = self._encoder(forest, forest.attr_names)
        with contextlib.redirect_stdout(sys.stderr):
            encoder.encode(sample)
            preamble = list(map(str, sample))
            explainer = self._explainer(encoder, forest.attr_names, preamble, list(ensemble.classes), verb=0)
            return [int(feature) for feature in explainer.explain(sample, kind)]

    def _translated(self, ensemble: Ensemble) -> Any:
        if not isinstance(ensemble.rule, Majority):
            raise NotImplementedError("it is no ensemble whose trees vote")
        names = [f"f{index}" for index in range(len(ensemble.features))]
        with contextlib.redirect_stdout(sys.stderr):
            return self._forest([_fitted(tree, len(names)) for tree in ensemble.trees], names)


class RfxplTree(NamedTuple):
    """The parts of a scikit-learn tree that are read: each node's test, its children and the samples of each class."""

    feature: Any
    threshold: Any
    children_left: Any
    children_right: Any
    value: Any
    node_count: int
    max_depth: int


class FittedTree(NamedTuple):
    """The parts of a fitted ``DecisionTreeClassifier`` that are read."""

    tree_: RfxplTree
    n_features_in_: int
    n_classes_: int


def _fitted(tree: DecisionGraph, features: int) -> FittedTree:
    """Return *tree* as RFxpl reads it, one sample at each terminal.

    Raises ``NotImplementedError`` where it is no tree or a test is not ``x ≤ t``.  Linear.
    """
    import numpy

    if not tree.is_tree():
        raise NotImplementedError("it is no tree")
    count = tree.node_count
    feature, threshold = [-2] * count, [-2.0] * count
    left, right = [-1] * count, [-1] * count
    value = numpy.zeros((count, 1, len(tree.classes)))
    for node in range(count):
        if tree.is_terminal(node):
            value[node, 0, tree.class_of[node]] = 1.0
            continue
        edges = tree.edges(node)
        if len(edges) != 2:
            raise NotImplementedError("a test that is not two-way")
        feature[node] = tree.feature_of[node]
        (_, operator, bound), first_above = test_of(tree, feature[node], edges[0].values)
        if operator != "GT" and not isinstance(tree.features[feature[node]].domain, Boolean):
            raise NotImplementedError("a test x < t of dense numbers")
        threshold[node] = bound
        right[node], left[node] = (edges[0].child, edges[1].child) if first_above else (edges[1].child, edges[0].child)
    arrays = RfxplTree(
        feature=numpy.array(feature),
        threshold=numpy.array(threshold),
        children_left=numpy.array(left),
        children_right=numpy.array(right),
        value=value,
        node_count=count,
        max_depth=tree.depth(),
    )
    return FittedTree(arrays, features, len(tree.classes))
