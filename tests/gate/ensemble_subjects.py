"""Explainers of ensembles for tests of the gate, in Python; also named as ``ensemble_subjects:NAME``."""

from __future__ import annotations

from xpgcheck.oracles.conditions import NotTwoWayError, conditions_of
from xpgcheck.properties.seeded.ensemble_textbook import EnsembleTextbook
from xpgcheck.properties.seeded.textbook import Textbook


class Both:
    """Explains decision graphs and forests that vote, rightly."""

    name = "both"
    models = ("majority", "decision-graph")

    def __init__(self):
        self._graphs, self._ensembles = Textbook(), EnsembleTextbook()

    def _of(self, model):
        return self._ensembles if hasattr(model, "trees") else self._graphs

    def axp(self, model, instance):
        return self._of(model).axp(model, instance)

    def cxp(self, model, instance):
        return self._of(model).cxp(model, instance)


class AllOfThem:
    """Says that all features are the AXp of a forest that votes."""

    name = "all of them"
    models = ("majority",)

    def axp(self, forest, instance):
        return range(len(instance))


class OfGraphs(Textbook):
    """An explainer that has never heard of ensembles."""

    name = "of graphs"

    def axp(self, graph, instance):
        assert graph.feature_of, "it is asked about decision graphs alone"
        return super().axp(graph, instance)


class Misspelt(AllOfThem):
    models = ("majorities",)


class OfNone(AllOfThem):
    models = ()


class OneWord(AllOfThem):
    models = "majority"


class LastFirst(EnsembleTextbook):
    """Right: deletion from the last feature on, answers as lists, enumerations backwards and as a generator."""

    name = "last first"

    def shrunk(self, seed, is_weak):
        kept = seed
        for feature in sorted(seed, reverse=True):
            if is_weak(kept - {feature}):
                kept -= {feature}
        return kept

    def axp(self, ensemble, instance):
        return sorted(super().axp(ensemble, instance), reverse=True)

    def enumerate(self, ensemble, instance):
        yield from ((kind, list(features)) for kind, features in reversed(super().enumerate(ensemble, instance)))


class ByDuality(EnsembleTextbook):
    """Right: CXps are the smallest differences, AXps their minimal hitting sets; the smallest one is answered."""

    name = "by duality"

    def enumerate(self, ensemble, instance):
        changing = self.changing(ensemble, instance)
        cxps = [s for s in changing if not any(other < s for other in changing)]
        hitting = [frozenset()]
        for cxp in cxps:
            grown = {h if h & cxp else h | {i} for h in hitting for i in cxp}
            hitting = [h for h in grown if not any(other < h for other in grown)]
        return [("AXp", h) for h in hitting] + [("CXp", c) for c in cxps]

    def axp(self, ensemble, instance):
        return min((found for kind, found in self.enumerate(ensemble, instance) if kind == "AXp"), key=len)

    def cxp(self, ensemble, instance):
        return min(
            (found for kind, found in self.enumerate(ensemble, instance) if kind == "CXp"), key=len, default=None
        )


class VotesAlone(EnsembleTextbook):
    """Right, and declines all but ensembles that vote."""

    name = "votes alone"

    def class_of(self, ensemble, point):
        if ensemble.outputs:
            raise NotImplementedError("only majorities")
        return super().class_of(ensemble, point)


class OverConditions:
    """Says that all conditions of a forest are the AXp over its conditions."""

    name = "over conditions of forests"
    notion = "conditions"
    models = ("majority",)

    def axp(self, forest, instance):
        try:
            return range(len(conditions_of(forest)))
        except NotTwoWayError as error:
            raise NotImplementedError(str(error)) from error


class WithTheory(OverConditions):
    """The same with the theory that links conditions."""

    name = "over conditions of forests, with theory"
    notion = "conditions-with-theory"
