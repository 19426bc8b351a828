"""Judging boxes: does every point of a box have the class of a point in it, and can no set of the box be larger?

The classifier :func:`~xpgcheck.model.boxes.confined` to a box is constant iff the box has points of one class alone.  So the
oracles of sets of features answer for boxes, too: "can the class change with nothing fixed?", of one classifier a question.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from xpgcheck.judging.consensus import Belief, Consensus
from xpgcheck.judging.constraint_panel import ConstraintOracles
from xpgcheck.judging.ensemble_panel import EnsemblePanel
from xpgcheck.judging.panel import Panel
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import Judgement, judge_axp, judge_cxp
from xpgcheck.model.boxes import Box, confined, confined_constraint, retracted
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import IntervalSet, ValueSet
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import WITHIN_ROUNDING, Answer, replay
from xpgcheck.oracles.box_paths import BoxPaths

MAX_KNOWN = 10_000
"""Questions whose answers are kept."""


@dataclass(frozen=True, slots=True)
class BoxJudgement:
    """The verdict on a box and its evidence.

    ``witness`` is a point of the box of another class.  ``joining`` has of each feature whose set can be larger values that
    may join it, and ``refused`` of each other piece next to a set per point there of another class.  For an inflated CXp,
    ``idle`` has values that no change has, and ``changes`` of each other piece a change with a value there.  ``features`` is
    the judgement of the features alone.  ``reason`` says what stayed open.
    """

    verdict: Verdict
    box: Box
    witness: Point | None = None
    joining: Mapping[int, ValueSet] = field(default_factory=dict)
    refused: tuple[tuple[int, ValueSet, Point], ...] = ()
    reason: str = ""
    idle: Mapping[int, ValueSet] = field(default_factory=dict)
    changes: tuple[tuple[int, ValueSet, Point], ...] = ()
    features: Judgement | None = None


class BoxJudge:
    """Judges boxes of one classifier around its instances.  The first of *solvers* is asked last, as in a panel.

    Under *constraint*, only points that can occur count; those that boxes are judged around can.
    """

    def __init__(
        self,
        classifier: DecisionGraph | Ensemble,
        solvers: tuple[str, ...] = ("z3",),
        constraint: Constraint | None = None,
    ) -> None:
        self._classifier = classifier
        self._solvers = solvers
        self._constraint = constraint
        self._cells = classifier.cells if constraint is None else constraint.cells_with(classifier)
        self._paths = BoxPaths(classifier, constraint) if isinstance(classifier, DecisionGraph) else None
        self._known: dict[tuple[Point, tuple[tuple[int, ValueSet], ...]], Belief] = {}

    def inflated_axp(self, instance: Point, box: Box, consensus: Consensus | None = None) -> BoxJudgement:
        """Judge the claim that the features of *box* are an AXp of *instance*, and its sets as large as can be.

        Verdicts: ``INFLATED``, or ``INSUFFICIENT``, ``REDUNDANT`` (its features), ``NOT_MAXIMAL``, ``INCONCLUSIVE``.  The
        features are judged by *consensus*, where there is one of the instance.
        """
        if any(instance[i] not in values for i, values in box.items()):
            return BoxJudgement(Verdict.INSUFFICIENT, box, witness=instance)
        judged = self.maximal(instance, box)
        if judged.verdict is Verdict.INSUFFICIENT:
            return judged
        return _with_features(judged, self._features(instance, box, judge_axp, consensus), Verdict.AXP)

    def inflated_cxp(self, instance: Point, box: Box, consensus: Consensus | None = None) -> BoxJudgement:
        """Judge the claim that the features of *box* are a CXp of *instance*, and its sets all values of changes of it.

        Verdicts: ``INFLATED``, or ``INEFFECTIVE`` (the features, or the values ``idle``), ``REDUNDANT``, ``NOT_MAXIMAL``,
        ``INCONCLUSIVE``.
        """
        features = self._features(instance, box, judge_cxp, consensus)
        if features.verdict is not Verdict.CXP:
            return BoxJudgement(features.verdict, box, features=features, reason=features.reason)
        held = self._held(instance, box)
        idle: dict[int, ValueSet] = {}
        joining: dict[int, ValueSet] = {}
        changes: list[tuple[int, ValueSet, Point]] = []
        reason = ""
        for feature, values in sorted(box.items()):
            for cell in self._cells[feature]:
                for piece, claimed in ((cell.intersection(values), True), (cell.difference(values), False)):
                    if piece.is_empty():
                        continue
                    found = self._change_at(instance, held, feature, piece)
                    if found.witness is not None and claimed:
                        changes.append((feature, piece, found.witness))
                    elif found.witness is not None:
                        joining[feature] = piece.union(joining[feature]) if feature in joining else piece
                    elif found.changeable is None:
                        reason = reason or found.reason
                    elif claimed:
                        idle[feature] = piece.union(idle[feature]) if feature in idle else piece
        verdict = Verdict.INCONCLUSIVE if reason else Verdict.INFLATED
        verdict = Verdict.INEFFECTIVE if idle else Verdict.NOT_MAXIMAL if joining else verdict
        return BoxJudgement(verdict, box, None, joining, (), reason, idle, tuple(changes), features)

    def _change_at(self, instance: Point, held: dict[int, ValueSet], feature: int, piece: ValueSet) -> Belief:
        """Return what is believed of "some change of a CXp gives *feature* a value of *piece*".

        The box has the instance's cell of the feature, too: it has no change, as a CXp is minimal.
        """
        own = self._cell(feature, instance)
        if not own.intersection(piece).is_empty():
            return Belief(False, None, (), "", False, ())
        found = self._changeable(instance, {**held, feature: own.union(piece)})
        if found.witness is not None and found.witness[feature] not in piece:
            return Belief(None, None, (), "a CXp that should be minimal is not", True, found.answers)
        return found

    def inflated_change(
        self, instance: Point, box: Box, changed: Point, consensus: Consensus | None = None
    ) -> BoxJudgement:
        """Judge the claim that the features of *box* are a CXp of *instance*, and its points have the class of *changed*.

        Elsewhere points have the values of *instance*.  Verdicts as of :meth:`inflated_axp`, ``INEFFECTIVE`` where *changed*
        has the class of the instance.  Under a constraint, a point that cannot occur is no change, either.
        """
        classifier = self._classifier
        if self._constraint is not None and not self._constraint.allows(changed):
            return BoxJudgement(Verdict.INEFFECTIVE, box, witness=changed)
        if isinstance(classifier, Ensemble) and not all(map(classifier.is_settled, (instance, changed))):
            return BoxJudgement(Verdict.INCONCLUSIVE, box, reason=WITHIN_ROUNDING)
        if classifier.kappa(instance) == classifier.kappa(changed):
            return BoxJudgement(Verdict.INEFFECTIVE, box, witness=changed)
        judged = self._maximal(changed, {**self._held(instance, box), **box}, box, self._no_change)
        if judged.verdict is Verdict.INSUFFICIENT:
            return judged
        return _with_features(judged, self._features(instance, box, judge_cxp, consensus), Verdict.CXP)

    def _held(self, instance: Point, box: Box) -> dict[int, ValueSet]:
        """Return the cells of the instance's values, of the features outside *box*."""
        return {i: self._cell(i, instance) for i in range(len(instance)) if i not in box}

    def _cell(self, feature: int, point: Point) -> ValueSet:
        """Return the cell of *feature* that has the value of *point*."""
        return next(cell for cell in self._cells[feature] if point[feature] in cell)

    def _features(
        self,
        instance: Point,
        box: Box,
        judge: Callable[[Consensus, Iterable[int]], Judgement],
        consensus: Consensus | None,
    ) -> Judgement:
        if consensus is not None:
            return judge(consensus, box.keys())
        with self._panel(self._classifier, self._constraint) as panel:
            return judge(panel.at(instance), box.keys())

    def maximal(self, inside: Point, box: Box, of: Iterable[int] | None = None) -> BoxJudgement:
        """Judge the sets of *box* alone: every point has the class of *inside*, which is in it, and no set can be larger.

        Of the features *of* alone, if they are given.
        """
        return self._maximal(inside, dict(box), box if of is None else {i: box[i] for i in of}, self._changeable)

    def changeable(self, inside: Point, box: Box) -> Belief:
        """Return what is believed of "some point of *box* has another class than *inside*", which is in the box."""
        return self._changeable(inside, dict(box))

    def _no_change(self, inside: Point, box: Box) -> Belief:
        """Return what is believed of "some point of *box* has another class than *inside*, or cannot occur"."""
        found = self._changeable(inside, box)
        for occurs in self._occurs if found.changeable is False else ():
            found = occurs.changeable(inside, box)
            if found.changeable is not False:
                return found
        return found

    @functools.cached_property
    def _occurs(self) -> list[BoxJudge]:
        """Judges of what can occur, each of a graph: one of each clause, and that of the constraint."""
        constraint = self._constraint
        if constraint is None:
            return []
        graphs = [constraint.clause_graph(position) for position in range(len(constraint.clauses))]
        graphs += [constraint.graph] if constraint.graph is not None else []
        return [BoxJudge(graph, self._solvers) for graph in graphs]

    def _maximal(
        self, inside: Point, whole: dict[int, ValueSet], box: Box, differs: Callable[[Point, Box], Belief]
    ) -> BoxJudgement:
        own = differs(inside, whole)
        if own.changeable is None:
            return BoxJudgement(Verdict.INCONCLUSIVE, box, reason=own.reason)
        if own.changeable:
            return BoxJudgement(Verdict.INSUFFICIENT, box, witness=own.witness)
        joining: dict[int, ValueSet] = {}
        refused: list[tuple[int, ValueSet, Point]] = []
        reason = ""
        for feature, values in sorted(box.items()):
            for piece in self._next_to(feature, values):
                larger = differs(inside, {**whole, feature: values.union(piece)})
                if larger.changeable is False:
                    joining[feature] = piece
                elif larger.witness is not None:
                    refused.append((feature, piece, larger.witness))
                else:
                    reason = reason or larger.reason
        if joining:
            return BoxJudgement(Verdict.NOT_MAXIMAL, box, None, joining, tuple(refused), reason)
        verdict = Verdict.INCONCLUSIVE if reason else Verdict.INFLATED
        return BoxJudgement(verdict, box, None, {}, tuple(refused), reason)

    def _changeable(self, inside: Point, box: Box) -> Belief:
        """Return what is believed of "some point of *box* has another class than *inside*"; a witness is in the box."""
        key = inside, tuple(sorted(box.items(), key=lambda pair: pair[0]))
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            known = self._known[key] = self._settled(inside, box)
        return known

    def _settled(self, inside: Point, box: Box) -> Belief:
        """Ask the paths of a graph first, whose points are replayed; "no" takes routes to the confined classifier, too."""
        classifier = self._classifier
        own: Answer | None = None
        if self._paths is not None:
            own = self._paths.changeable(box, inside)
            if own.witness is not None and not self._fault(inside, box, own.witness):
                return Belief(True, own.witness, (own.oracle,), "", False, (own,))
        constraint = self._constraint
        within = None if constraint is None else confined_constraint(constraint, box, inside)
        with self._panel(confined(classifier, box, inside), within) as panel:
            belief = panel.at(inside).ask(())
        if belief.witness is not None:
            witness = retracted(belief.witness, box, inside)
            if constraint is not None and not constraint.allows(witness):
                return Belief(None, None, (), "a witness cannot occur", True, belief.answers)
            if own is not None and own.changeable is False:
                reason = f"{own.oracle} finds no point of another class, and one was replayed"
                return Belief(None, None, (), reason, True, (own, *belief.answers))
            return replace(belief, witness=witness)
        if own is not None and own.changeable is False and any(said.changeable is False for said in belief.answers):
            routes = [said.oracle for said in belief.answers if said.changeable is False]
            return Belief(False, None, (own.oracle, *routes), "", False, (own, *belief.answers))
        return belief

    def _fault(self, inside: Point, box: Box, witness: Point) -> str | None:
        """Return what is wrong with a point that should be in *box* and of another class."""
        outside = [i for i, values in box.items() if witness[i] not in values]
        if outside:
            return f"feature {outside[0]} is outside the box"
        if self._constraint is not None and not self._constraint.allows(witness):
            return "it cannot occur"
        return replay(self._classifier, inside, frozenset(), witness, self._classifier.kappa(inside))

    def _panel(
        self, classifier: DecisionGraph | Ensemble, constraint: Constraint | None
    ) -> Panel | EnsemblePanel | ConstraintOracles:
        if constraint is not None:
            return ConstraintOracles(classifier, constraint, self._solvers)
        if isinstance(classifier, Ensemble):
            return EnsemblePanel(classifier, self._solvers)
        return Panel(classifier, self._solvers, solver_last=True)

    def _next_to(self, feature: int, values: ValueSet) -> Iterator[ValueSet]:
        """Yield what could join *values*: the cells of the feature next to it, of a feature without an order all others."""
        split = self._cells[feature]
        rest = self._classifier.features[feature].domain.all_values().difference(values)
        parts = [part for cell in split if not (part := cell.intersection(rest)).is_empty()]
        if not isinstance(values, IntervalSet):
            yield from parts
            return
        # For a set with gaps, which is no interval, also the pieces that fill a gap.
        ends = set(values.cuts)
        for part in parts:
            assert isinstance(part, IntervalSet)
            for low, high in zip(part.cuts[::2], part.cuts[1::2], strict=True):
                if not ends or low in ends or high in ends:
                    yield IntervalSet(part.grid, (low, high))
            if part.missing:
                yield IntervalSet(part.grid, (), missing=True)


def _with_features(judged: BoxJudgement, features: Judgement, wanted: Verdict) -> BoxJudgement:
    """Return the judgement of sets together with that of the features alone, whose faults come first."""
    if features.verdict is wanted:
        return replace(judged, features=features)
    return replace(judged, verdict=features.verdict, features=features, reason=features.reason or judged.reason)
