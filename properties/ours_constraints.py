"""This project's explainer under constraints as a subject."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from xpgcheck.errors import LimitError, ModelError, UndecidedError
from xpgcheck.model.boxes import Box
from xpgcheck.model.constraint import ConstrainedModel
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.properties.ours import FastExplainer
from xpgcheck.properties.ours_ensembles import OurEnsembles, boxed
from xpgcheck.properties.subjects import MODEL_KINDS
from xpgcheck.xpg.constraints.ensembles import ConstrainedEnsemble
from xpgcheck.xpg.constraints.product import ConstrainedGraph
from xpgcheck.xpg.ensembles.explained import ExplainedEnsemble
from xpgcheck.xpg.inflation import inflate_axp, inflate_cxp
from xpgcheck.xpg.xps import XP


class ConstrainedExplainer:
    """The explainer of ``xpgcheck explain --constraints``: the paper's algorithms on products, and questions on ensembles.

    Where a product is too large, the graph is explained as an ensemble of one.  It declines what limits, or rounding, leave
    open.
    """

    name = "xpgcheck, under constraints"
    notion = "constraints"
    models = tuple(MODEL_KINDS)

    def __init__(self) -> None:
        """Keep what is worked out of the last model."""
        self._graphs = FastExplainer()
        self._last: tuple[ConstrainedModel, ConstrainedGraph | None, ConstrainedEnsemble | None] | None = None

    def predict(self, model: ConstrainedModel, instance: Point) -> int:
        """Return κ."""
        return model.kappa(instance)

    def axp(self, model: ConstrainedModel, instance: Point) -> frozenset[int]:
        """Return one AXp."""
        return self._asked(model, instance, "axp")  # type: ignore[no-any-return]

    def cxp(self, model: ConstrainedModel, instance: Point) -> frozenset[int] | None:
        """Return one CXp, None where no point that can occur has another class."""
        return self._asked(model, instance, "cxp")  # type: ignore[no-any-return]

    def axp_inside(self, model: ConstrainedModel, instance: Point, seed: frozenset[int]) -> frozenset[int]:
        """Return an AXp inside *seed*."""
        return self._asked(model, instance, "axp_inside", seed)  # type: ignore[no-any-return]

    def cxp_inside(self, model: ConstrainedModel, instance: Point, seed: frozenset[int]) -> frozenset[int]:
        """Return a CXp inside *seed*."""
        return self._asked(model, instance, "cxp_inside", seed)  # type: ignore[no-any-return]

    def enumerate(self, model: ConstrainedModel, instance: Point) -> Iterator[XP]:
        """Return all XPs."""
        return iter(self._asked(model, instance, "enumerate"))

    def member(self, model: ConstrainedModel, instance: Point, feature: int) -> bool:
        """Tell whether *feature* is in some XP."""
        return bool(self._asked(model, instance, "member", feature))

    def inflate(self, model: ConstrainedModel, instance: Point, axp: frozenset[int], order: Sequence[int]) -> Box:
        """Return the sets of an inflated AXp."""
        return self._asked(model, instance, "inflate", axp, order)  # type: ignore[no-any-return]

    def inflate_cxp(self, model: ConstrainedModel, instance: Point, cxp: frozenset[int]) -> Box:
        """Return the sets of an inflated CXp."""
        return self._asked(model, instance, "inflate_cxp", cxp)  # type: ignore[no-any-return]

    def _asked(self, model: ConstrainedModel, instance: Point, ability: str, *arguments: Any) -> Any:
        """Ask the explainer of the product, or the one of ensembles."""
        _, graph, _ = self._made(model)
        if graph is not None:
            try:
                return getattr(self._graphs, ability)(graph.at(instance), instance, *arguments)
            except LimitError:
                pass
        return getattr(_OfQuestions(self._ensemble_of(model)), ability)(None, instance, *arguments)

    def _made(
        self, model: ConstrainedModel
    ) -> tuple[ConstrainedModel, ConstrainedGraph | None, ConstrainedEnsemble | None]:
        last = self._last
        if last is None or last[0].model is not model.model or last[0].constraint is not model.constraint:
            graph = model.model
            own = ConstrainedGraph(graph, model.constraint) if isinstance(graph, DecisionGraph) else None
            last = self._last = model, own, None
        return last

    def _ensemble_of(self, model: ConstrainedModel) -> ConstrainedEnsemble:
        made, graph, ensemble = self._made(model)
        if ensemble is None:
            try:
                ensemble = ConstrainedEnsemble(model.model, model.constraint)
            except LimitError as error:
                raise NotImplementedError(str(error)) from error
            self._last = made, graph, ensemble
        return ensemble


class _OfQuestions(OurEnsembles):
    """The explainer of ensembles, under a constraint."""

    def __init__(self, ensemble: ConstrainedEnsemble) -> None:
        self._ensemble = ensemble

    def inflate(self, ensemble: object, instance: Point, axp: frozenset[int], order: Sequence[int]) -> Box:
        """Return the sets of an inflated AXp."""
        own = self._ensemble
        return boxed(lambda: inflate_axp(own.ensemble, instance, axp, order, decider=own.decider))

    def inflate_cxp(self, ensemble: object, instance: Point, cxp: frozenset[int]) -> Box:
        """Return the sets of an inflated CXp."""
        own = self._ensemble
        return boxed(lambda: inflate_cxp(own.ensemble, instance, cxp, decider=own.decider))

    def _explained(self, ensemble: object, instance: Point) -> ExplainedEnsemble:
        try:
            return self._ensemble.at(instance)
        except (LimitError, ModelError, UndecidedError) as error:
            raise NotImplementedError(str(error)) from error
