"""Classes from sums of weights as XGBoost makes them: objectives, the base score, dropped trees.

What ``XGBClassifier.predict`` does on a CPU, and so does κ:

* Every score begins with the margin of ``base_score`` and gets the weights of its trees in their order, in float32.
* ``binary:logistic``: class 1 where the float32 sigmoid of the only score is over 1/2, which a score up to 1.5·2⁻²⁴ is not
  yet; ``binary:hinge``: over 0; ``binary:logitraw``: where the score itself is over 1/2.
* ``multi:softmax``: the first largest score.  ``multi:softprob``: the first largest of the float32 softmax, in which scores
  that are nearer than 2⁻²¹ may come out equal: so near a tie no verdict is given, and κ is the first largest score.
* ``dart``: a tree with drop weight w and a leaf of weight v adds w · ((v + b) − b), each step in float32, b being the base.
  ``Booster.predict`` adds w · v: the difference is part of what verdicts leave room for.

The margin of ``base_score`` is ``base_score`` itself, but −log(1/b − 1) in float32 of ``binary:logistic``.  The last bits
of that depend on the machine's logarithm, and the border of the sigmoid on its exponential: both are part of the doubt.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from xpgcheck.errors import FormatError, InputError, shown
from xpgcheck.model.combination import Arithmetic, Sum, Threshold
from xpgcheck.readers.fields import Fields, damaged, plain
from xpgcheck.readers.summed_trees import Weights, refuse_infinite
from xpgcheck.readers.xgboost_trees import float32
from xpgcheck.wording import counted

BORDERS = {"binary:logistic": 1.5 * 2**-24, "binary:hinge": 0.0, "binary:logitraw": 0.5}
"""The largest margin that is still class 0, for each objective of two classes."""

SEVERAL_CLASSES = ("multi:softmax", "multi:softprob")

_ULPS = 4
_SIGMOID = 2.0**-25
"""The most by which an exponential that is rounded to one of the two nearest numbers moves the border of the sigmoid."""
_SOFTMAX = 2.0**-21
_DROPPED = 2.0**-22
"""The part of a weight and the base that the steps of a dropped tree may round away, twice over."""


@dataclass(frozen=True, slots=True)
class XGBoostScores:
    """A model's way with the sums: its objective and the base of each score."""

    objective: str
    base: tuple[float, ...]

    @property
    def classes(self) -> int:
        """The number of classes."""
        return 2 if self.objective in BORDERS else len(self.base)

    def class_alone(self, weight: float, place: str) -> int:
        """Return the class where the only tree adds *weight*.  Raises ``InputError`` where the machine decides."""
        refuse_infinite(weight, place)
        margin, border = _step(weight + self.base[0], place), BORDERS[self.objective]
        doubt = self._of_logarithm()
        if doubt and abs(margin - border) <= doubt:
            problem = f"the margin {margin!r} is so close to the border between the classes that the machine decides"
            raise InputError(problem, place=place, mend="train with base_score=0.5")
        return int(margin > border)

    def added(self, weight: float, score: int, dropped: float | None, place: str) -> float:
        """Return what a leaf of *weight* adds to *score*, *dropped* being the drop weight of its tree, if there is one."""
        if dropped is None:
            return weight
        refuse_infinite(weight, place)
        base = self.base[score]
        return _step(_step(_step(weight + base, place) - base, place) * dropped, place)

    def rule(self, trees: Sequence[tuple[int, Weights, float | None]]) -> Sum:
        """Return the rule of *trees*, each with the score that it adds to, its weights and its drop weight."""
        lost = [0.0] * len(self.base)
        for score, weights, dropped in trees:
            if dropped is not None:
                lost[score] += _DROPPED * (weights.most + abs(self.base[score] * dropped))
        base = tuple(map(Fraction, self.base))
        if self.objective in BORDERS:
            doubt = max(lost) + self._of_logarithm() + (_SIGMOID if self.objective == "binary:logistic" else 0.0)
            at = Threshold(Fraction(BORDERS[self.objective]))
            return Sum(base, at, Arithmetic.BINARY32, doubt=Fraction(doubt))
        doubt = 2 * max(lost) + (_SOFTMAX if self.objective == "multi:softprob" else 0.0)
        return Sum(base, None, Arithmetic.BINARY32, doubt=Fraction(doubt))

    def _of_logarithm(self) -> float:
        """Return what the logarithm in the base leaves in doubt: nothing where the base is exact."""
        return _ULPS * 2**-23 * abs(self.base[0]) if self.objective == "binary:logistic" else 0.0


def _step(number: float, place: str) -> float:
    """Return *number* rounded to float32.  Raises ``FormatError`` where it overflows."""
    try:
        return float32(number)
    except OverflowError:
        raise damaged("the sum of a leaf's weight and the base is beyond the float32 numbers", place) from None


def scores_of(learner: Fields, trees: int) -> XGBoostScores:
    """Return the scores of the model *learner* of *trees* trees.

    Raises ``InputError`` for another objective and several outputs, ``FormatError`` where what is there does not fit.
    """
    objective = learner.fields("objective").text("name")
    parameters = learner.fields("learner_model_param")
    if objective not in BORDERS and objective not in SEVERAL_CLASSES:
        mend = f"train a classifier of one of: {', '.join([*BORDERS, *SEVERAL_CLASSES])}"
        problem = f"the objective {shown(objective)} is not read"
        raise InputError(problem, place=f"{learner.place}.objective", mend=mend)
    if (targets := parameters.whole("num_target", default=1)) > 1:
        problem = f"there are {targets} outputs"
        raise InputError(problem, place=f"{parameters.place}.num_target", mend="train one classifier for each output")
    classes = parameters.whole("num_class", default=0)
    if objective in BORDERS:
        if classes > 1:
            problem = f"there are {classes} classes, and {objective} has two"
            raise damaged(problem, f"{parameters.place}.num_class")
        return XGBoostScores(objective, _bases(objective, parameters, 1))
    if not 2 <= classes <= trees:
        problem = f"{objective} with {counted(classes, 'class', 'classes')} and {counted(trees, 'tree')}"
        raise damaged(problem, f"{parameters.place}.num_class")
    return XGBoostScores(objective, _bases(objective, parameters, classes))


def _bases(objective: str, parameters: Fields, count: int) -> tuple[float, ...]:
    """Return the margin that each of *count* scores begins with.

    XGBoost wrote one number before 3.1, and since then a vector, ``[…]``, of one number for each class or for all.
    """
    text, place = parameters.text("base_score"), f"{parameters.place}.base_score"
    words = text.removeprefix("[").removesuffix("]").split(",")
    try:
        bases = [float32(float(plain(word))) for word in words]
    except (ValueError, OverflowError):
        bases = []
    if len(bases) not in (1, count) or not all(base - base == 0 for base in bases):
        one = "one number" if count == 1 else f"one number, or one for each of {count} classes"
        problem = f"the base score {shown(text)} is not {one}"
        raise FormatError(problem, place=place, mend="train with one output")
    margins = [_margin(objective, base, place) for base in bases]
    return tuple(margins * (count // len(margins)))


def _margin(objective: str, base: float, place: str) -> float:
    if objective != "binary:logistic":
        return base
    if not 0 < base < 1:
        problem = f"the base score {base!r} is not between 0 and 1"
        raise FormatError(problem, place=place, mend="train with base_score=0.5")
    return 0.0 if base == 0.5 else float32(-math.log(float32(float32(1 / base) - 1)))
