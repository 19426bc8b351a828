"""Explainers of ensembles for tests of the gate, in Python; also named as ``ensemble_subjects:NAME``."""

from __future__ import annotations

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
