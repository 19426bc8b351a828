"""Explainers that give rules or points, as subjects: the recipe of docs/how-to/rules-and-points.md.

An explainer of tables is rarely asked for a set of features.  It says *if these values, then this class* (a rule), or shows
*a row of another class* (a counterfactual).  A rule's features are claimed to suffice, the features that a counterfactual
changes to be enough for a change: what :meth:`RuleExplainer.axp` and :meth:`PointExplainer.cxp` answer.  Neither is meant
to be minimal, so ``redundant`` is not their fault; ``insufficient`` and ``ineffective`` are.
"""

from __future__ import annotations

from collections.abc import Sequence

from xpgcheck.judging.rule_judge import changed_features
from xpgcheck.model.boxes import Box
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point


class RuleExplainer:
    """An explainer that gives one rule; say which by :meth:`rule`."""

    name = "rules"
    models: tuple[str, ...] = ("decision-graph", "majority", "sum")

    def rule(self, classifier: DecisionGraph | Ensemble, instance: Point) -> Box:
        """Return the rule that explains *instance*: of each feature in it, the values that it allows.

        Raises ``NotImplementedError`` where the explainer has no answer; so does this method, which is to be overridden.
        """
        raise NotImplementedError("no rule is given")

    def axp(self, classifier: DecisionGraph | Ensemble, instance: Point) -> list[int]:
        """Return the features of the rule, which are claimed to suffice."""
        return sorted(self.rule(classifier, instance))


class PointExplainer:
    """An explainer that gives counterfactuals; say which by :meth:`points`."""

    name = "points"
    models: tuple[str, ...] = ("decision-graph", "majority", "sum")

    def points(self, classifier: DecisionGraph | Ensemble, instance: Point) -> Sequence[Point]:
        """Return points that are claimed to have another class than *instance*, the first of which is judged by the gate.

        Raises ``NotImplementedError`` as :meth:`RuleExplainer.rule` does.
        """
        raise NotImplementedError("no point is given")

    def cxp(self, classifier: DecisionGraph | Ensemble, instance: Point) -> list[int]:
        """Return the features that the first point changes, which are claimed to be enough for another class.

        Raises ``NotImplementedError`` where no point is found: that is not a claim that there is none.
        """
        points = self.points(classifier, instance)
        if not points:
            raise NotImplementedError("no counterfactual was found")
        return sorted(changed_features(instance, points[0]))
