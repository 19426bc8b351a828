"""Seeded bugs of explainers of ensembles: the class that they take the ensemble to have."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from xpgcheck.model.combination import Majority
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import FiniteSet, ValueSet
from xpgcheck.model.values import MISSING, Point, Value
from xpgcheck.properties.seeded.bugs import ensemble_explainer
from xpgcheck.properties.seeded.ensemble_textbook import EnsembleTextbook


@ensemble_explainer
class EnsembleTiesToTheLast(EnsembleTextbook):
    """Among equals the last class wins."""

    def first_largest(self, scores: Sequence[Fraction]) -> int:
        """Return the last class among those with the largest score."""
        return max(range(len(scores)), key=lambda c: (scores[c], c))


@ensemble_explainer
class EnsembleTiesToTheInstance(EnsembleTextbook):
    """A tie of some class with that of the instance is no change."""

    def __init__(self) -> None:
        super().__init__()
        self._own = -1

    def changing(self, ensemble: Ensemble, instance: Point) -> set[frozenset[int]]:
        """Note the class of the instance first."""
        self._own = -1
        self._own = self.class_of(ensemble, instance)
        return super().changing(ensemble, instance)

    def first_largest(self, scores: Sequence[Fraction]) -> int:
        """Return the noted class if it is among those with the largest score."""
        if 0 <= self._own < len(scores) and scores[self._own] == max(scores):
            return self._own
        return super().first_largest(scores)


@ensemble_explainer
class EnsembleLastTreeForgotten(EnsembleTextbook):
    """The last of several trees is forgotten."""

    def answers(self, ensemble: Ensemble, point: Point) -> list[int]:
        """Return the answers of all trees but the last."""
        found = super().answers(ensemble, point)
        return found[:-1] or found


@ensemble_explainer
class EnsembleFirstTreeAlone(EnsembleTextbook):
    """Only the first tree is asked."""

    def answers(self, ensemble: Ensemble, point: Point) -> list[int]:
        """Return the answer of the first tree."""
        return super().answers(ensemble, point)[:1]


@ensemble_explainer
class EnsembleFirstTreeTwice(EnsembleTextbook):
    """The first tree has two votes."""

    def votes(self, answers: Sequence[int], index: int) -> Fraction:
        """Return how many votes a class has, with one more of the first tree."""
        return super().votes([*answers, answers[0]], index)


@ensemble_explainer
class EnsembleEqualTreesOnce(EnsembleTextbook):
    """Trees that answer alike at this point and are alike in size count once."""

    def answers(self, ensemble: Ensemble, point: Point) -> list[int]:
        """Return the answers of the trees, one for each answer and number of nodes."""
        pairs = zip(super().answers(ensemble, point), ensemble.trees, strict=True)
        return [answer for answer, _ in dict.fromkeys((answer, tree.node_count) for answer, tree in pairs)]


@ensemble_explainer
class EnsembleMajorityOfAll(EnsembleTextbook):
    """Without more than half of the votes for a class, the first class wins."""

    def first_largest(self, scores: Sequence[Fraction]) -> int:
        """Return the class with more than half of the score, else the first."""
        return next((c for c, score in enumerate(scores) if 2 * score > sum(scores)), 0)


@ensemble_explainer
class EnsembleAverageForMajority(EnsembleTextbook):
    """A tree does not vote: each of its classes gets the share of terminals on the last fork that has it."""

    def scores(self, ensemble: Ensemble, answers: Sequence[int]) -> list[Fraction]:
        """Return votes that are shared with the class of the tree's last terminal."""
        if not isinstance(ensemble.rule, Majority):
            return super().scores(ensemble, answers)
        found = [Fraction(0)] * len(ensemble.classes)
        for tree, answer in zip(ensemble.trees, answers, strict=True):
            found[answer] += Fraction(3, 5)
            found[tree.class_of[-1]] += Fraction(2, 5)
        return found


@ensemble_explainer
class EnsembleAtMostForBelow(EnsembleTextbook):
    """Open ends of literals count as closed ones, and closed ones as open."""

    def holds(self, value: Value, values: ValueSet) -> bool:
        """Tell whether a literal holds, its ends exchanged; a value in none or two of them goes to the first."""
        if isinstance(values, FiniteSet) or value is MISSING or not isinstance(value, (int, Fraction)):
            return super().holds(value, values)
        return any(
            (low is None or (value >= low if low_open else value > low))
            and (high is None or (value <= high if high_open else value < high))
            for low, low_open, high, high_open in values.intervals()
        )

    def answer(self, tree: DecisionGraph, point: Point) -> int:
        """Return the class of the terminal that is reached, of the first one where no literal holds."""
        try:
            return super().answer(tree, point)
        except StopIteration:
            return next(c for c in tree.class_of if c >= 0)


@ensemble_explainer
class EnsembleLastEdgeTaken(EnsembleTextbook):
    """The last edge of a test that has more than two is taken for all but the first."""

    def answer(self, tree: DecisionGraph, point: Point) -> int:
        """Return the class of the terminal that two-way tests would reach."""
        node = 0
        while not tree.is_terminal(node):
            edges = tree.edges(node)
            node = edges[0].child if point[tree.feature_of[node]] in edges[0].values else edges[-1].child
        return tree.class_of[node]


@ensemble_explainer
class EnsembleVotesForSums(EnsembleTextbook):
    """Trees that are summed vote instead: each for the class to which it adds most."""

    def total(self, terms: Sequence[Fraction]) -> Fraction:
        """Return how many trees add something rather than take it away."""
        return Fraction(sum((term > 0) - (term < 0) for term in terms))


@ensemble_explainer
class EnsembleBaseLeftOut(EnsembleTextbook):
    """The base score is left out."""

    def base(self, number: Fraction) -> Fraction:
        """Begin with nothing."""
        return Fraction(0)


@ensemble_explainer
class EnsembleLearningRateTwice(EnsembleTextbook):
    """The weights of trees are shrunk by the learning rate once more."""

    def total(self, terms: Sequence[Fraction]) -> Fraction:
        """Return the sum, a tenth of it."""
        return super().total(terms) / 10


@ensemble_explainer
class EnsembleWholeSums(EnsembleTextbook):
    """The weights of trees are rounded to whole numbers first."""

    def total(self, terms: Sequence[Fraction]) -> Fraction:
        """Return the sum of rounded terms."""
        return Fraction(sum(map(round, terms)))


@ensemble_explainer
class EnsembleThresholdEqualsExchanged(EnsembleTextbook):
    """A score that is equal to the threshold counts on its other side; among equal scores the last class wins."""

    def winner(self, ensemble: Ensemble, scores: Sequence[Fraction]) -> int:
        """Return the class, the relation to the threshold exchanged."""
        rule = ensemble.rule
        if isinstance(rule, Majority) or rule.threshold is None:
            return len(scores) - 1 - list(scores)[::-1].index(max(scores))
        return int(scores[0] > rule.threshold.at or (not rule.threshold.inclusive and scores[0] == rule.threshold.at))
