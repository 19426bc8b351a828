"""``PyXAI``, boosted trees of two classes: built of the trees of an ensemble whose terminals are summed against a threshold.

PyXAI explains by the conditions of the trees, taken as Boolean variables:

* a *tree-specific* reason is a minimal set of conditions under which the least favourable leaves of the trees, each taken
  alone, still sum up to the class: sufficient, and not meant to be an AXp over conditions;
* a *direct* reason are the conditions on the instance's paths through the trees;
* a *contrastive* reason is a smallest set of conditions that have to change for another class: a CXp over conditions.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from xpgcheck.model.combination import Sum
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.subjects.adapters.pyxai import floats_of, translated_tree
from xpgcheck.subjects.adapters.pyxai_forest import CONTRASTIVE, DIRECT, ForestSubject

TREE_SPECIFIC = "tree_specific_reason"

UNIT, MOST = Fraction(1, 2**20), Fraction(2**20)
"""Weights that are multiples of the first and smaller than the second are summed without rounding."""


class _Boosted(ForestSubject):
    """The translation of sums against a threshold."""

    models = ("sum",)
    kind = "boosted trees"

    def translated(self, ensemble: Ensemble) -> Any:
        """Return the ``BoostedTrees`` of PyXAI for *ensemble*: class 1 is where the sum is positive.

        Raises ``NotImplementedError`` where the ensemble has more than two classes, is averaged, or takes a sum that equals
        the threshold for class 1; where a sum of its weights may be rounded; and where a tree is none that PyXAI has.
        """
        rule = ensemble.rule if isinstance(ensemble, Ensemble) else None
        if not isinstance(rule, Sum) or rule.threshold is None or rule.threshold.inclusive or rule.divided:
            raise NotImplementedError("it is not a sum of trees that is compared with a threshold")
        # PyXAI has no base of its own: the first tree takes what is added to every sum, and the threshold.
        extra = rule.base[0] - rule.threshold.at
        trees = []
        for tree, rows in zip(ensemble.trees, ensemble.outputs, strict=True):
            weights = [row[0] + extra for row in rows]
            if any(weight % UNIT or abs(weight) >= MOST for weight in weights):
                raise NotImplementedError("a sum of these weights may be rounded")
            trees.append(translated_tree(self._builder, tree, None, floats_of(tuple(weights))))
            extra = Fraction(0)
        names = [f"f{index}" for index in range(len(ensemble.features))]
        return self._builder.BoostedTrees(trees, n_classes=2, feature_names=names)


class PyXAIBoosted(_Boosted):
    """One tree-specific reason, judged as a sufficient one, and one of the smallest contrastive reasons."""

    title = "conditions"

    def axp(self, ensemble: Ensemble, instance: Point) -> Iterable[int] | None:
        """Return one tree-specific reason.  Raises ``NotImplementedError`` on what PyXAI has not."""
        return self.reason(ensemble, instance, TREE_SPECIFIC)

    def cxp(self, ensemble: Ensemble, instance: Point) -> Iterable[int] | None:
        """Return one of the smallest contrastive reasons, None where there is none."""
        return self.reason(ensemble, instance, CONTRASTIVE)


class PyXAIBoostedProjected(PyXAIBoosted):
    """The features that these reasons mention, judged by Eq. 1 and Eq. 2: a definition that is not PyXAI's own."""

    notion = "features"
    title = "projected to features"


class PyXAIBoostedDirect(_Boosted):
    """``direct_reason``, which is not meant to be minimal."""

    title = "direct reason, judged as a sufficient one"

    def axp(self, ensemble: Ensemble, instance: Point) -> Iterable[int] | None:
        """Return the direct reason.  Raises ``NotImplementedError`` on what PyXAI has not."""
        return self.reason(ensemble, instance, DIRECT)
