"""``PyXAI``, forests of trees that vote: a forest is built of the trees of an ensemble, with the package's ``Builder``.

PyXAI has several kinds of reasons, and none of them is an AXp or a CXp over features by its own definition:

* a *sufficient* reason is a prime implicant of the class, over the forest's conditions ``feature > threshold``;
* a *majoritary* reason is a minimal set of conditions of which each implies the class in a majority of trees by itself;
* a *direct* reason are the conditions on the instance's paths through the trees that vote for the class;
* a *contrastive* reason is a smallest set of conditions that have to change for another class.

Subjects answer the *features* that a reason mentions, to be judged by Eq. 1 and Eq. 2: another definition than PyXAI's, as
their names say.  :meth:`_Forest.opened` gives the conditions themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from xpgcheck.model.combination import Majority
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.oracles.conditions import conditions_of
from xpgcheck.subjects.adapters.packages import imported, titled
from xpgcheck.subjects.adapters.pyxai import (
    REQUIREMENT,
    Opened,
    Test,
    elsewhere,
    floats_of,
    test_of,
    translated_tree,
    types_of,
)

SUFFICIENT = "sufficient_reason"
SMALLEST_SUFFICIENT = "minimal_sufficient_reason"
MAJORITARY = "majoritary_reason"
SMALLEST_MAJORITARY = "minimal_majoritary_reason"
DIRECT = "direct_reason"
CONTRASTIVE = "minimal_contrastive_reason"

REASONS = (SUFFICIENT, SMALLEST_SUFFICIENT, MAJORITARY, SMALLEST_MAJORITARY, DIRECT, CONTRASTIVE)
"""The methods of PyXAI's explainer of forests that return one reason."""


class _Forest:
    """What all subjects share: the package, the translation, and one reason by the name of its method."""

    notion = "features"
    models = ("majority",)
    title = ""
    theory = False

    def __init__(self) -> None:
        """Import the package, which takes seconds.  Raises ``MissingPackageError`` where it cannot be."""
        self._builder: Any = imported("pyxai.Builder", REQUIREMENT)
        self._explaining: Any = imported("pyxai.Explaining", REQUIREMENT)
        # It reports on stdout otherwise.
        imported("pyxai.Tools", REQUIREMENT).set_verbose(0)
        self.name = f"{titled('PyXAI', 'pyxai')}, features of {self.title}"

    def opened(self, ensemble: Ensemble, instance: Point) -> Opened:
        """Return PyXAI's explainer of *instance*, whose conditions are answered as their features.

        Raises ``NotImplementedError`` as :meth:`translated` does.
        """
        forest = self.translated(ensemble)
        floats = floats_of(instance)
        types = types_of(ensemble.features) if self.theory else None
        explainer = self._explaining.initialize(forest, instance=floats, features_type=types)
        return Opened(explainer, forest.map_id_binaries_to_features, _features_of(ensemble), floats)

    def translated(self, ensemble: Ensemble) -> Any:
        """Return the ``RandomForest`` of PyXAI for *ensemble*, its leaves being indices of classes.

        Raises ``NotImplementedError`` where *ensemble* does not vote, and where a tree is none that PyXAI has
        (:meth:`xpgcheck.subjects.adapters.pyxai.PyXAI.translated`).  Linear.
        """
        if not isinstance(ensemble, Ensemble) or not isinstance(ensemble.rule, Majority):
            raise NotImplementedError("it is no ensemble whose trees vote")
        trees = [translated_tree(self._builder, tree, None) for tree in ensemble.trees]
        names = [f"f{index}" for index in range(len(ensemble.features))]
        return self._builder.RandomForest(trees, n_classes=len(ensemble.classes), feature_names=names)

    def reason(self, ensemble: Ensemble, instance: Point, method: str) -> frozenset[int] | None:
        """Return the features of the reason that *method* (one of :data:`REASONS`) returns, None where it returns none."""
        return in_features(self.opened(ensemble, instance), method)


def in_features(opened: Opened, method: str) -> frozenset[int] | None:
    """Return the features of the reason that *method* of an explainer returns, None where there is none."""
    reason = literals(opened, method)
    return None if reason is None else opened.members(reason)


def literals(opened: Opened, method: str) -> tuple[int, ...] | None:
    """Return the literals of the reason that *method* of an explainer returns, None where there is none.

    Works in a folder of its own: solvers leave files.  One of several reasons is the first.
    """
    with elsewhere():
        reason = getattr(opened.explainer, method)()
    if reason is None:
        return None
    if method in (CONTRASTIVE, SMALLEST_MAJORITARY) and reason and isinstance(reason[0], tuple | list):
        reason = reason[0]
    return tuple(reason) or (None if method == CONTRASTIVE else ())


def _features_of(ensemble: Ensemble) -> dict[Test, int]:
    """Return what is answered for each condition of *ensemble*: its feature."""
    return {
        test_of(tree, condition.feature, condition.values)[0]: condition.feature
        for tree in ensemble.trees
        for condition in conditions_of(tree)
    }


class PyXAIForest(_Forest):
    """One sufficient reason, one of the smallest contrastive ones; conditions independent of each other."""

    title = "sufficient and contrastive reasons of forests"

    def axp(self, ensemble: Ensemble, instance: Point) -> Iterable[int] | None:
        """Return the features of one sufficient reason.  Raises ``NotImplementedError`` on what PyXAI has not."""
        return self.reason(ensemble, instance, SUFFICIENT)

    def cxp(self, ensemble: Ensemble, instance: Point) -> Iterable[int] | None:
        """Return the features of one of the smallest contrastive reasons, None where there is none; two classes alone."""
        return self.reason(ensemble, instance, CONTRASTIVE)


class PyXAIForestWithTheory(PyXAIForest):
    """The same with the features' types declared: by PyXAI's domain theory, conditions of a feature depend on each other."""

    title = "sufficient and contrastive reasons of forests, with theory"
    theory = True


class _OneReason(_Forest):
    """One kind of reason, answered as an AXp."""

    method = ""

    def axp(self, ensemble: Ensemble, instance: Point) -> Iterable[int] | None:
        """Return the features of one reason.  Raises ``NotImplementedError`` on what PyXAI has not."""
        return self.reason(ensemble, instance, self.method)


class PyXAIForestSmallest(_OneReason):
    """``minimal_sufficient_reason``: a sufficient reason of the fewest conditions."""

    title = "smallest sufficient reasons of forests"
    method = SMALLEST_SUFFICIENT


class PyXAIForestMajoritary(_OneReason):
    """``majoritary_reason``, which PyXAI finds by a greedy search in many orders."""

    title = "majoritary reasons of forests"
    method = MAJORITARY


class PyXAIForestSmallestMajoritary(_OneReason):
    """``minimal_majoritary_reason``: a majoritary reason of the fewest conditions."""

    title = "smallest majoritary reasons of forests"
    method = SMALLEST_MAJORITARY


class PyXAIForestDirect(_OneReason):
    """``direct_reason``, which is not meant to be minimal."""

    title = "direct reasons of forests"
    method = DIRECT
