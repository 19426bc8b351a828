"""``PyXAI``, forests of trees that vote: a forest is built of the trees of an ensemble, with the package's ``Builder``.

PyXAI explains by the forest's conditions ``feature > threshold``, taken as Boolean variables, by several kinds of reasons:

* a *sufficient* reason is a prime implicant of the class: an AXp over conditions;
* a *majoritary* reason is a minimal set of conditions that implies the class in each tree of some majority: sufficient, and
  not meant to be an AXp over conditions;
* a *direct* reason are the conditions on the instance's paths through the trees that vote for the class;
* a *contrastive* reason is a smallest set of conditions that have to change for another class: a CXp over conditions.

Subjects answer conditions, as indices of :func:`~xpgcheck.oracles.conditions.conditions_of`, with ``notion = "conditions"``;
the features that these are about are judged next to them.  Where the notion is ``features``, their names say so.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from xpgcheck.model.combination import Majority
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.oracles.conditions import NotTwoWayError, conditions_of
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


class ForestSubject:
    """The common part of all subjects: the package, the translation, and one reason by the name of its method."""

    models: tuple[str, ...] = ("majority",)
    kind = "forests"
    notion = "conditions"
    title = ""
    theory = False

    def __init__(self) -> None:
        """Import the package, which takes seconds.  Raises ``MissingPackageError`` where it cannot be."""
        self._builder: Any = imported("pyxai.Builder", REQUIREMENT)
        self._explaining: Any = imported("pyxai.Explaining", REQUIREMENT)
        # It reports on stdout otherwise.
        imported("pyxai.Tools", REQUIREMENT).set_verbose(0)
        self.name = f"{titled('PyXAI', 'pyxai')}, {self.kind}, {self.title}"

    def opened(self, ensemble: Ensemble, instance: Point) -> Opened:
        """Return PyXAI's explainer of *instance*.  Raises ``NotImplementedError`` as :meth:`translated` does."""
        forest = self.translated(ensemble)
        floats = floats_of(instance)
        types = types_of(ensemble.features) if self.theory else None
        explainer = self._explaining.initialize(forest, instance=floats, features_type=types)
        return Opened(explainer, forest.map_id_binaries_to_features, self.index_of(ensemble), floats)

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

    def index_of(self, ensemble: Ensemble) -> dict[Test, int]:
        """Return what is answered for each test of the trees: the index of the condition, or its feature."""
        try:
            conditions = conditions_of(ensemble)
        except NotTwoWayError as error:
            raise NotImplementedError(str(error)) from error
        over_features = self.notion == "features"
        # Any tree has the features' domains, by which tests are read.
        return {
            test_of(ensemble.trees[0], each.feature, each.values)[0]: each.feature if over_features else index
            for index, each in enumerate(conditions)
        }

    def reason(self, ensemble: Ensemble, instance: Point, method: str) -> frozenset[int] | None:
        """Return what is answered of the reason that *method* (in :data:`REASONS`) returns, None where it returns none."""
        return members_of(self.opened(ensemble, instance), method)


def members_of(opened: Opened, method: str) -> frozenset[int] | None:
    """Return what is answered of the reason that *method* of an explainer returns, None where there is none."""
    reason = literals(opened, method)
    return None if reason is None else opened.members(reason)


def literals(opened: Opened, method: str) -> tuple[int, ...] | None:
    """Return the literals of the reason that *method* of an explainer returns, None where there is none.

    Works in a folder of its own: solvers leave files.  Where there are several reasons, it is the first.
    """
    with elsewhere():
        reason = getattr(opened.explainer, method)()
    if reason is None:
        return None
    if reason and isinstance(reason[0], tuple | list):
        reason = reason[0]
    return tuple(reason) or (None if method == CONTRASTIVE else ())


class PyXAIForest(ForestSubject):
    """One sufficient reason, one of the smallest contrastive ones, over independent conditions: PyXAI's own definition."""

    title = "conditions"

    def axp(self, ensemble: Ensemble, instance: Point) -> Iterable[int] | None:
        """Return one sufficient reason.  Raises ``NotImplementedError`` on what PyXAI has not."""
        return self.reason(ensemble, instance, SUFFICIENT)

    def cxp(self, ensemble: Ensemble, instance: Point) -> Iterable[int] | None:
        """Return one of the smallest contrastive reasons, None where there is none; two classes alone."""
        return self.reason(ensemble, instance, CONTRASTIVE)


class PyXAIForestProjected(PyXAIForest):
    """The features that these reasons mention, judged by Eq. 1 and Eq. 2: a definition that is not PyXAI's own."""

    notion = "features"
    title = "projected to features"


class PyXAIForestWithTheory(PyXAIForestProjected):
    """The same with the features' types declared: by PyXAI's domain theory, conditions of a feature depend on each other."""

    title = "with theory, projected to features"
    theory = True


class _OneReason(ForestSubject):
    """One kind of reason, answered as an AXp."""

    method = ""

    def axp(self, ensemble: Ensemble, instance: Point) -> Iterable[int] | None:
        """Return one reason.  Raises ``NotImplementedError`` on what PyXAI has not."""
        return self.reason(ensemble, instance, self.method)


class PyXAIForestSmallest(_OneReason):
    """``minimal_sufficient_reason``: a sufficient reason of the fewest conditions."""

    title = "smallest sufficient reason"
    method = SMALLEST_SUFFICIENT


class PyXAIForestMajoritary(_OneReason):
    """``majoritary_reason``, which PyXAI finds by a greedy search in many orders."""

    title = "majoritary reason, judged as a sufficient one"
    method = MAJORITARY


class PyXAIForestSmallestMajoritary(_OneReason):
    """``minimal_majoritary_reason``: a majoritary reason of the fewest conditions."""

    title = "smallest majoritary reason, judged as a sufficient one"
    method = SMALLEST_MAJORITARY


class PyXAIForestDirect(_OneReason):
    """``direct_reason``, which is not meant to be minimal."""

    title = "direct reason, judged as a sufficient one"
    method = DIRECT
