"""Subjects that explain under constraints, wrong ones among them."""

from __future__ import annotations

from xpgcheck.model.constraint import ConstrainedModel
from xpgcheck.model.values import Point
from xpgcheck.properties.ours import FastExplainer
from xpgcheck.properties.ours_constraints import ConstrainedExplainer


class ForgetsThem(ConstrainedExplainer):
    """Explains the decision graph alone, and says that it explains under constraints."""

    models = ("decision-graph",)

    def axp(self, model: ConstrainedModel, instance: Point) -> frozenset[int]:
        """Return an AXp without the constraint."""
        return FastExplainer().axp(model.model, instance)  # type: ignore[arg-type]

    def cxp(self, model: ConstrainedModel, instance: Point) -> frozenset[int] | None:
        """Return a CXp without the constraint."""
        return FastExplainer().cxp(model.model, instance)  # type: ignore[arg-type]


class SaysNothing(ConstrainedExplainer):
    """The right explainer, whose notion is that of features."""

    notion = "features"
