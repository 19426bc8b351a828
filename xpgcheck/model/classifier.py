"""The common part of all classifiers: a decision graph is one, an ensemble of them is another.

Claims, judges and reports take a classifier; only what looks at nodes and edges takes a decision graph.
"""

from __future__ import annotations

from typing import Protocol

from xpgcheck.model.domains import Feature, contains
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point


class Classifier(Protocol):
    """Features with domains, classes, and κ, which gives each point of feature space one of them."""

    @property
    def name(self) -> str:
        """The classifier's name."""

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features, each with its domain."""

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes, by their index."""

    @property
    def cells(self) -> tuple[tuple[ValueSet, ...], ...]:
        """The parts of each feature's domain in which values cannot be told apart."""

    @property
    def node_count(self) -> int:
        """The number of nodes, terminals counted."""

    def kappa(self, point: Point) -> int:
        """Return κ(*point*), an index in ``classes``."""


def in_feature_space(classifier: Classifier, point: Point) -> bool:
    """Tell whether *point* has one value of the right domain for every feature."""
    return len(point) == len(classifier.features) and all(
        contains(feature.domain, value) for feature, value in zip(classifier.features, point, strict=True)
    )
