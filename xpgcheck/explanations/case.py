"""The case that is explained: a model and one instance of it, with what finds the explanations of the two."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass, field

from xpgcheck.errors import InputError, InstanceError, LimitError, UndecidedError, shown
from xpgcheck.explanations.explainer import Explainer
from xpgcheck.explanations.graph_explainer import GraphExplainer
from xpgcheck.model.boxes import Box
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.model.values import Point
from xpgcheck.readers.names import NameLookup
from xpgcheck.wording import mend_name
from xpgcheck.xpg.explanation_graph import ExplanationGraph, indices


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedInstance:
    """A model and the instance to explain.  ``point`` is None for a labelled graph, which stands for one instance.

    ``constraint`` says which points count, where it is explained under one.  Sets of values grow in ``order``, and ``boxes``
    is how many are wanted of an AXp.
    """

    graph: DecisionGraph | LabelledGraph | Ensemble
    point: Point | None
    explainer: Explainer
    constraint: Constraint | None = None
    order: tuple[int, ...] = ()
    boxes: int = 1
    _boxes: dict[int, Box | None] = field(default_factory=dict, init=False, repr=False)
    """The sets of values that were worked out: those of AXps by their masks, of changes by the complements of theirs."""

    @property
    def xpg(self) -> ExplanationGraph:
        """The explanation graph of a graph at the instance.  Raises ``TypeError`` of an ensemble, which has none."""
        if not isinstance(self.explainer, GraphExplainer):
            raise TypeError("an ensemble has no explanation graph")
        return self.explainer.xpg

    @property
    def model(self) -> DecisionGraph | Ensemble | None:
        """The model, where it has values and classes; None for a labelled graph."""
        return None if isinstance(self.graph, LabelledGraph) else self.graph

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features, in the model's order."""
        return self.explainer.names

    @property
    def prediction(self) -> str | None:
        """The class of the instance; None for a labelled graph, which does not know it."""
        if self.model is None or self.point is None:
            return None
        return self.model.classes[self.model.kappa(self.point)]

    def values_of_axp(self, axp: int) -> Box | None:
        """Return an inflated AXp: the values that would do of each feature of *axp*; None where that stays open."""
        if axp not in self._boxes:
            self._boxes[axp] = self.explainer.values_of_axp(axp, self.order)
        return self._boxes[axp]

    def other_values_of_axp(self, axp: int) -> tuple[list[Box], bool]:
        """Return up to ``boxes`` − 1 inflated AXps over *axp* after that of :meth:`values_of_axp`, and if these are all."""
        first = self.values_of_axp(axp)
        found: list[Box] = []
        if self.boxes < 2 or first is None:
            return found, False
        with contextlib.suppress(LimitError, UndecidedError):
            every = self.explainer.every_box(axp)
            for box in every or ():
                if box == first:
                    continue
                if len(found) == self.boxes - 1:
                    break
                found.append(box)
            return found, every is not None and every.complete
        return found, False

    def values_of_cxp(self, cxp: int) -> Box | None:
        """Return an inflated CXp: all values of the features of *cxp* that some change has; None where that stays open."""
        return self.explainer.values_of_cxp(cxp)

    def values_of_change(self, cxp: int, changed: Point) -> Box | None:
        """Return the values around those of the point *changed* that give its class as well, for a CXp."""
        key = ~cxp
        if key not in self._boxes:
            self._boxes[key] = self.explainer.values_of_change(cxp, changed)
        return self._boxes[key]

    def names_in(self, mask: int) -> tuple[str, ...]:
        """Return the names of the features in *mask*, in the model's order."""
        return tuple(self.names[i] for i in indices(mask))

    def mask_of_names(self, names: Iterable[str], place: str = "") -> int:
        """Return the mask of the features called *names*.  Raises ``InputError``, naming *place*, on an unknown name."""
        mask = 0
        for name in names:
            mask |= 1 << self.index(name, place)
        return mask

    def index(self, name: str, place: str = "") -> int:
        """Return the index of the feature called *name*.  Raises ``InputError``, naming *place*, on an unknown name."""
        try:
            found = NameLookup(self.names).position(name)
        except InputError as error:
            raise error.at(place) if place else error from None
        if found is None:
            problem = f"there is no feature {shown(name)}"
            raise InputError(problem, place=place, mend=mend_name(name, self.names))
        return found


def case_of(
    graph: DecisionGraph | LabelledGraph | Ensemble,
    point: Point | None,
    seconds: float | None = None,
    constraint: Constraint | None = None,
) -> ExplainedInstance:
    """Return the case of *graph* at *point*, under *constraint* if there is one.

    The explanations of an ensemble may take *seconds* from now on, all together.  Raises ``InstanceError`` where a decision
    graph comes without a point, or with one outside its feature space or that cannot occur, and where a labelled graph comes
    with one: its labels stand for an instance that it does not hold.  Linear, but for the product with a constraint.
    """
    if isinstance(graph, LabelledGraph):
        if constraint is not None:
            mend = "explain the model that it was made from"
            raise InputError("an .xpg model has no values that a constraint could be about", mend=mend)
        if point is not None:
            problem = "an .xpg model stands for one instance, which it does not hold"
            raise InstanceError(problem, mend="leave the instance out")
        return ExplainedInstance(graph, None, GraphExplainer(graph, None))
    if point is None:
        raise InstanceError("there is no instance to explain", mend="give one value for each feature")
    if constraint is not None:
        return ExplainedInstance(graph, point, _explainer_under(graph, point, seconds, constraint), constraint)
    if isinstance(graph, Ensemble):
        from xpgcheck.explanations.ensemble_explainer import EnsembleExplainer

        return ExplainedInstance(graph, point, EnsembleExplainer(graph, point, seconds))
    return ExplainedInstance(graph, point, GraphExplainer(graph, point))


def _explainer_under(
    graph: DecisionGraph | Ensemble, point: Point, seconds: float | None, constraint: Constraint
) -> Explainer:
    """Return the explainer under *constraint*: of the product with a graph, or by questions where there is none."""
    from xpgcheck.explanations.ensemble_explainer import EnsembleExplainer
    from xpgcheck.xpg.constraints.ensembles import ConstrainedEnsemble
    from xpgcheck.xpg.constraints.product import ConstrainedGraph

    if isinstance(graph, DecisionGraph):
        with contextlib.suppress(LimitError):
            return GraphExplainer(ConstrainedGraph(graph, constraint).at(point), point)
    constrained = ConstrainedEnsemble(graph, constraint)
    constraint.require(point)
    return EnsembleExplainer(constrained.ensemble, point, seconds, constrained)
