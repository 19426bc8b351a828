"""Classes from sums of weights as LightGBM makes them: objectives, averages.

What ``LGBMClassifier.predict`` does, and so does κ:

* Every score is the float64 sum of its trees' weights, in their order; a random forest (``boosting=rf``) divides it by the
  number of rounds.  The start of ``boost_from_average`` and the scales of ``dart`` are in the weights of the file.
* ``binary``: class 1 where the probability p = 1/(1 + exp(−σ·s)) of the only score s is larger than 1 − p, in float64.  That
  is so from some score on: the border is found by the same arithmetic.
* ``multiclass``: the first largest of the softmax; ``multiclassova``: the first largest 1/(1 + exp(−σ·s)).  Scores that are
  very near each other may come out equal, of ``multiclassova`` also large ones that are further apart, whose probabilities
  all round to 1: so near a tie no verdict is given, and κ is the first largest score.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from xpgcheck.errors import InputError, shown
from xpgcheck.model.combination import Arithmetic, Sum, Threshold
from xpgcheck.model.ieee754 import BINARY64
from xpgcheck.readers.fields import damaged
from xpgcheck.readers.lightgbm_source import LightGBMSource, cast
from xpgcheck.readers.summed_trees import Weights
from xpgcheck.wording import counted

BINARY, SOFTMAX, ONE_AGAINST_ALL = "binary", "multiclass", "multiclassova"

_EQUAL = 2.0**-50
"""The distance, relative to their size, at which two numbers may become equal by an exponential and a division."""
_BORDER = 0.75 * 2.0**-53
"""The most by which an exponential that is rounded to one of the two nearest numbers moves the border of p > 1 − p."""


@dataclass(frozen=True, slots=True)
class LightGBMScores:
    """A model's way with the sums: its objective, its number of classes, σ, and over how many rounds it averages."""

    objective: str
    classes: int
    sigmoid: float
    rounds: int | None

    @property
    def count(self) -> int:
        """The number of scores."""
        return 1 if self.objective == BINARY else self.classes

    def class_alone(self, score: float) -> int:
        """Return the class that *score* makes of two."""
        try:
            probability = 1.0 / (1.0 + math.exp(-self.sigmoid * score))
        except OverflowError:
            probability = 0.0
        return int(probability > 1.0 - probability)

    def rule(self, trees: Sequence[tuple[int, Weights]]) -> Sum:
        """Return the rule of *trees*, each with the score that it adds to and its weights."""
        base = (Fraction(0),) * self.count
        if self.objective == BINARY:
            border = Threshold(Fraction(self._border()))
            of_border = Fraction(_BORDER) / Fraction(self.sigmoid)
            return Sum(base, border, Arithmetic.BINARY64, divided=self.rounds is not None, doubt=of_border)
        most = [0.0] * self.count
        for score, weights in trees:
            most[score] += weights.most
        # Dividing all scores by one number can but make them equal: it is left out, and is part of the doubt.
        rounds, lost = (1, 0.0) if self.rounds is None else (self.rounds, 2.0**-51 * max(most))
        doubt = self._equal(max(most) / rounds) * rounds + lost
        if not math.isfinite(doubt):
            raise InputError("its sums may exceed what binary64 holds", mend="scale the weights of the leaves down")
        return Sum(base, None, Arithmetic.BINARY64, doubt=Fraction(doubt))

    def _border(self) -> float:
        """Return the largest score that is still class 0, by bisection."""
        low, high = 0, BINARY64.floor_rank(Fraction(2) / Fraction(self.sigmoid))
        while high - low > 1:
            middle = (low + high) // 2
            if self.class_alone(float(BINARY64.from_rank(middle))):
                high = middle
            else:
                low = middle
        return float(BINARY64.from_rank(low))

    def _equal(self, most: float) -> float:
        """Return how near each other two scores of at most *most* in magnitude may come out equal.

        Two probabilities of ``multiclassova`` are 1/(1 + exp(−σ·s)), which differ by e^(−σ·s) − e^(−σ·t) near 1.
        """
        if self.objective == SOFTMAX:
            return _EQUAL
        exponent = self.sigmoid * most
        if exponent > 100:
            return (exponent + math.log(_EQUAL)) / self.sigmoid + 1e-6 * most
        return math.log1p(_EQUAL * math.exp(exponent)) / self.sigmoid


def scores_of(source: LightGBMSource) -> LightGBMScores:
    """Return the scores of *source*.

    Raises ``InputError`` for another objective, ``FormatError`` where its trees are not those of whole rounds.
    """
    words = source.objective.split()
    kind = words[0] if words else ""
    if kind not in (BINARY, SOFTMAX, ONE_AGAINST_ALL):
        mend = "train a classifier: objective='binary', 'multiclass' or 'multiclassova'"
        raise InputError(f"the objective {shown(source.objective)} is not read", mend=mend)
    options = dict(word.partition(":")[::2] for word in words[1:])
    sigmoid = cast(float, options.get("sigmoid", "1"), "objective")
    if not 0 < sigmoid < math.inf:
        raise damaged(f"the sigmoid {sigmoid} is not a finite number over 0", "objective")
    classes = 2 if kind == BINARY else cast(int, options.get("num_class", ""), "objective")
    per_round = 1 if kind == BINARY else classes
    if source.per_round != per_round or classes < 2:
        problem = (
            f"{kind} with {counted(source.per_round, 'tree')} in a round and {counted(classes, 'class', 'classes')}"
        )
        raise damaged(problem, "num_tree_per_iteration")
    rounds, rest = divmod(len(source.trees), per_round)
    if rest:
        problem = f"{len(source.trees)} trees are no whole number of rounds of {per_round}"
        raise damaged(problem, "num_tree_per_iteration")
    return LightGBMScores(kind, classes, sigmoid, rounds if source.averaged else None)
