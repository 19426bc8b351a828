"""Judging what explainers without a guarantee say: rules ("if these values, then this class") and points of another class.

A rule is a box around its instance.  It is judged twice: whether every point of the box has the class, and whether its
features, with the instance's values, are an AXp.  A rule that holds in its whole box has features that suffice; the
converse need not be.  A *counterfactual* is a point, and the features that it changes are judged as a CXp.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xpgcheck.errors import InputError
from xpgcheck.judging.box_judge import BoxJudge
from xpgcheck.judging.consensus import Belief, Consensus
from xpgcheck.judging.ensemble_panel import EnsemblePanel
from xpgcheck.judging.kept_counts import Share, cell_share, in_box, mixed_share, row_share
from xpgcheck.judging.opened import Opening
from xpgcheck.judging.panel import Panel
from xpgcheck.judging.xp_judge import Judgement, judge_axp, judge_cxp
from xpgcheck.model.boxes import Box
from xpgcheck.model.classifier import in_feature_space
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point


@dataclass(frozen=True, slots=True)
class RuleJudgement:
    """The judgement of a rule.

    ``holds``: whether every point of the box has the class of the instance, with a ``witness`` in the box if not, and a
    ``reason`` where it stays open.  ``features``: the rule's features, with the values of the instance, as an AXp.  The
    shares that keep the class: of the ``cells`` of the box, of the ``mixed`` rows (those two are None where they take too
    long to count), and of the ``rows`` of the table in the box.
    """

    box: Box
    holds: bool | None
    witness: Point | None
    reason: str
    features: Judgement
    cells: Share | None
    mixed: Share | None
    rows: Share


@dataclass(frozen=True, slots=True)
class PointJudgement:
    """The judgement of a counterfactual: whether its class is ``another`` one, and the features ``changed`` as a CXp.

    ``another`` is None where the rounding of the source's sums decides.  A CXp may lead to any other class; ``nearer`` is
    the point with changes taken back that its own class does not need: none of those left can be taken back alone.
    """

    point: Point
    another: bool | None
    changed: Judgement
    nearer: Point


class RuleJudge(Opening):
    """Judges rules and points of one classifier.  A context manager: solvers are freed on leaving.

    *rows* are the table that shares are counted over.
    """

    def __init__(
        self, classifier: DecisionGraph | Ensemble, rows: Sequence[Point] = (), solvers: tuple[str, ...] = ("z3",)
    ) -> None:
        super().__init__()
        self._classifier = classifier
        self._rows = tuple(rows)
        self._boxes = BoxJudge(classifier, solvers)
        self._solvers = solvers

    def at(self, instance: Point) -> Consensus:
        """Return the consensus on sets of features at *instance*."""
        return self.opened("panel", self._panel).at(instance)

    def _panel(self) -> Panel | EnsemblePanel:
        if isinstance(self._classifier, Ensemble):
            return EnsemblePanel(self._classifier, self._solvers)
        return Panel(self._classifier, self._solvers, solver_last=True)

    def rule(self, instance: Point, box: Box) -> RuleJudgement:
        """Judge the rule that points of *box* have the class of *instance*, which is in it.

        One question about the box and k + 1 about its k features; the shares take what
        :mod:`xpgcheck.judging.kept_counts` says.  Raises ``InputError`` where the instance is not in the box.

        Where the count of cells and the oracles contradict each other, ``holds`` is None and ``reason`` says so.
        """
        self._refuse_outside(instance)
        if not in_box(instance, box):
            raise InputError("the rule does not hold of the instance", mend="give the instance that it explains")
        belief = self._boxes.changeable(instance, box)
        cells = cell_share(self._classifier, box, instance)
        holds, reason = _settled(belief, cells)
        return RuleJudgement(
            box,
            holds,
            belief.witness,
            reason,
            judge_axp(self.at(instance), box.keys()),
            cells,
            mixed_share(self._classifier, box, instance, self._rows),
            row_share(self._classifier, box, instance, self._rows),
        )

    def point(self, instance: Point, point: Point) -> PointJudgement:
        """Judge the counterfactual *point*: its class, and the features in which it differs from *instance* as a CXp.

        Raises ``InputError`` where one of them is not in feature space.
        """
        for each in (instance, point):
            self._refuse_outside(each)
        own = self._classifier.kappa(instance)
        if isinstance(self._classifier, Ensemble):
            another = self._classifier.differs(point, own)
        else:
            another = self._classifier.kappa(point) != own
        changed = judge_cxp(self.at(instance), changed_features(instance, point))
        return PointJudgement(point, another, changed, nearer_point(self._classifier, instance, point))

    def _refuse_outside(self, point: Point) -> None:
        if not in_feature_space(self._classifier, point):
            raise InputError("the point is not in the feature space", mend="give each feature a value of its domain")


def changed_features(instance: Point, point: Point) -> frozenset[int]:
    """Return the features whose values differ."""
    return frozenset(i for i, (own, other) in enumerate(zip(instance, point, strict=True)) if own != other)


def nearer_point(classifier: DecisionGraph | Ensemble, instance: Point, point: Point) -> Point:
    """Return *point* with values of *instance* wherever it keeps its class, one feature after the other, until none is left.

    At most k² evaluations of κ for k features that differ.
    """
    own, found, waiting = classifier.kappa(point), point, sorted(changed_features(instance, point))
    taken = True
    while taken:
        taken = False
        for i in list(waiting):
            back = (*found[:i], instance[i], *found[i + 1 :])
            if classifier.kappa(back) == own:
                found, taken = back, True
                waiting.remove(i)
    return found


def _settled(belief: Belief, cells: Share | None) -> tuple[bool | None, str]:
    holds = None if belief.changeable is None else not belief.changeable
    if holds is None or cells is None or holds is (cells.kept == cells.total):
        return holds, belief.reason
    return None, f"the oracles say that the rule {'holds' if holds else 'fails'}, and {cells} cells keep the class"
