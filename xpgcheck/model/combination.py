"""Rules by which the answers of an ensemble's trees become one class: majority, or sums of what their terminals weigh.

Sums are exact, and compared as whole numbers of one unit (:class:`Tally`).  A machine adds floats instead: nearer to a tie
than the rounding of all its additions can reach, the exact sums do not say what it answers.  There κ is the machine's
own arithmetic, step by step, and a verdict that hangs on such a point has to say so.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from xpgcheck.errors import ModelError
from xpgcheck.model.ieee754 import BINARY32, BINARY64, BinaryFormat

Row = tuple[Fraction, ...]
"""The numbers that a terminal adds to the scores, one per score."""


class Arithmetic(enum.Enum):
    """In which numbers a source adds."""

    EXACT = "exact"
    BINARY32 = "binary32"
    BINARY64 = "binary64"

    @property
    def format(self) -> BinaryFormat | None:
        """The binary format of the sums; None where they are exact."""
        return {Arithmetic.BINARY32: BINARY32, Arithmetic.BINARY64: BINARY64}.get(self)

    @property
    def digits(self) -> int:
        """The binary digits of a significand."""
        return 24 if self is Arithmetic.BINARY32 else 53


@dataclass(frozen=True, slots=True)
class Majority:
    """Each tree votes for the class of its terminal; the most votes win, among equals the lowest class."""

    def winner(self, votes: Sequence[int], classes: int) -> int:
        """Return which of *classes* classes the trees' *votes*, an index of a class each, elect."""
        counts = [0] * classes
        for vote in votes:
            counts[vote] += 1
        return counts.index(max(counts))

    def __str__(self) -> str:
        return "majority, ties to the lowest class"


@dataclass(frozen=True, slots=True)
class Threshold:
    """The last of two classes wins where the only score is over ``at``, or equal to it where ``inclusive``."""

    at: Fraction
    inclusive: bool = False


@dataclass(frozen=True, slots=True)
class Sum:
    """Each terminal adds a number to every score, ``base`` included; the largest score wins, among equals the lowest class.

    With a ``threshold`` there is one score and there are two classes.  ``divided`` says that the sums are divided by the
    number of trees before they are compared (an average).  Trees are added in their order, in the numbers of
    ``arithmetic``; ``doubt`` is how near to a tie the source may answer otherwise for reasons beyond its additions.
    """

    base: Row
    threshold: Threshold | None = None
    arithmetic: Arithmetic = Arithmetic.EXACT
    divided: bool = False
    doubt: Fraction = Fraction(0)

    def machine(self, rows: Sequence[Row]) -> int:
        """Return the class that the source's own arithmetic makes of *rows*, one of each tree.  O(trees · scores)."""
        scores = [
            self._machine_score([base, *column])
            for base, column in zip(self.base, zip(*rows, strict=True), strict=True)
        ]
        if self.threshold is None:
            return scores.index(max(scores))
        at = self.threshold.at
        return int(scores[0] >= at if self.threshold.inclusive else scores[0] > at)

    def _machine_score(self, terms: Sequence[Fraction]) -> Fraction:
        number_format = self.arithmetic.format
        if number_format is None:
            total = sum(terms, Fraction(0))
            return total / (len(terms) - 1) if self.divided else total
        found = 0.0
        for term in terms:
            # A sum or quotient of two such numbers in binary64 is rounded once more without harm: 53 ≥ 2 · 24 + 2.
            found = number_format.rounded(found + float(term))
        return Fraction(number_format.rounded(found / (len(terms) - 1)) if self.divided else found)

    def __str__(self) -> str:
        what = "average" if self.divided else "sum"
        decided = "the largest wins, ties to the lowest class"
        if self.threshold is not None:
            relation = "≥" if self.threshold.inclusive else ">"
            decided = f"the last class where it is {relation} {self.threshold.at}"
        numbers = "" if self.arithmetic is Arithmetic.EXACT else f" in {self.arithmetic.value}"
        return f"{what}{numbers}, {decided}"


CombinationRule = Majority | Sum
"""A rule by which the trees' answers become one class."""


def average(scores: int, arithmetic: Arithmetic = Arithmetic.EXACT) -> Sum:
    """Return the rule of an average of *scores* scores, one a class: the first largest wins."""
    return Sum((Fraction(0),) * scores, None, arithmetic, divided=True)


@dataclass(frozen=True, slots=True)
class Lead:
    """By how many units a rival has to be ahead of a class: ``may`` to win perhaps, ``must`` to win for certain."""

    may: int
    must: int


@dataclass(frozen=True, slots=True)
class Tally:
    """The sums of an ensemble as whole numbers, one a class: what every rule comes down to.

    ``rows[t][a][c]`` is what answer a of tree t (a class of that tree, by its index) adds for class c, ``base[c]`` what c
    begins with, both in units of ``unit``.  The largest sum wins; among equals the lowest class, or the highest where
    ``ties_to_last``.  ``slack`` is how far the source's sums of any two classes may be off together.
    """

    rows: tuple[tuple[tuple[int, ...], ...], ...]
    base: tuple[int, ...]
    unit: Fraction
    ties_to_last: bool
    slack: int

    def sums(self, votes: Sequence[int]) -> list[int]:
        """Return the sum of each class where tree t gives its answer ``votes[t]``.  O(trees · classes)."""
        chosen = [rows[vote] for rows, vote in zip(self.rows, votes, strict=True)]
        return [base + sum(column) for base, column in zip(self.base, zip(*chosen, strict=True), strict=True)]

    def lead(self, own: int, rival: int) -> Lead:
        """Return by how much *rival* has to be ahead of *own* to win against it."""
        if self.slack:
            return Lead(-self.slack, self.slack + 1)
        first = rival > own if self.ties_to_last else rival < own
        return Lead(int(not first), int(not first))

    def winner(self, sums: Sequence[int]) -> int:
        """Return the class that wins by the exact *sums*."""
        most = max(sums)
        return len(sums) - 1 - list(reversed(sums)).index(most) if self.ties_to_last else list(sums).index(most)

    def is_settled(self, sums: Sequence[int]) -> bool:
        """Tell whether no rounding can make another class win than the exact *sums* do."""
        if not self.slack:
            return True
        first, second = sorted(sums, reverse=True)[:2] if len(sums) > 1 else (1, -self.slack)
        return first - second > self.slack


def tally_of_votes(trees: int, classes: int) -> Tally:
    """Return the tally of *trees* trees that vote for one of *classes* classes each."""
    one = tuple([tuple([int(c == vote) for c in range(classes)]) for vote in range(classes)])
    return Tally((one,) * trees, (0,) * classes, Fraction(1), False, 0)


def tally_of_sums(rule: Sum, outputs: Sequence[Sequence[Row]]) -> Tally:
    """Return the tally of *rule* over *outputs*: of each tree, of each of its answers, the row of what it adds.

    Raises ``ModelError`` where the source's sums may overflow.  Linear in the numbers.
    """
    own = [number for rows in outputs for row in rows for number in row] + list(rule.base)
    unit = math.lcm(*{number.denominator for number in own})
    rows = tuple([tuple([_whole(row, unit) for row in answers]) for answers in outputs])
    base, last = _whole(rule.base, unit), False
    # They are integers, which are compared in a twentieth of the time that fractions take.
    most = [
        Fraction(abs(base[k]) + sum([max(abs(row[k]) for row in answers) for answers in rows]), unit)
        for k in range(len(base))
    ]
    _refuse_overflow(rule, most)
    slack = _slack(rule, most, len(outputs), unit)
    at = None if rule.threshold is None else rule.threshold.at * (len(outputs) if rule.divided else 1)
    denominator = unit if at is None else math.lcm(unit, at.denominator)
    while 0 < slack * denominator < 1:
        # Sums are whole numbers: of the slack what is a whole number counts, but not as none at all.
        denominator *= 2
    times = denominator // unit
    if times > 1:
        rows = tuple([tuple([tuple([times * weight for weight in row]) for row in answers]) for answers in rows])
        base = tuple([times * weight for weight in base])
    if rule.threshold is not None and at is not None:
        rows = tuple([tuple([(0, row[0]) for row in answers]) for answers in rows])
        base, last = (*_whole([at], denominator), base[0]), rule.threshold.inclusive
    return Tally(rows, base, Fraction(1, denominator), last, math.floor(slack * denominator))


def _whole(row: Sequence[Fraction], denominator: int) -> tuple[int, ...]:
    return tuple([number.numerator * (denominator // number.denominator) for number in row])


def _refuse_overflow(rule: Sum, most: Sequence[Fraction]) -> None:
    number_format = rule.arithmetic.format
    if number_format is not None and max(most) * 2 > number_format.highest:
        problem = f"its sums may exceed what {rule.arithmetic.value} holds"
        raise ModelError(problem, mend="scale the weights of the terminals down")


def _slack(rule: Sum, most: Sequence[Fraction], trees: int, denominator: int) -> Fraction:
    """Return how far the machine's sums of two classes may be off together, undivided (Higham's γ for sums in any order)."""
    doubt = rule.doubt * (trees if rule.divided else 1)
    number_format = rule.arithmetic.format
    if number_format is None or not any(most):
        return doubt
    digits, least = rule.arithmetic.digits, number_format.from_rank(1)
    # Where every partial sum is a whole number of units with room for two digits more, the machine's sums are exact, and
    # dividing them by one number cannot make different ones equal, unless they are so small that digits are lost.  But it
    # may make one equal to a threshold.
    whole = denominator & (denominator - 1) == 0 and max(most) * denominator * 4 < 1 << digits
    if whole and least * denominator**2 <= 1 and not (rule.divided and rule.threshold is not None):
        return doubt
    roundings = trees + 2
    gamma = Fraction(roundings, (1 << digits) - roundings)
    first, *rest = sorted(most, reverse=True)
    # The last term is for numbers that are too small to have all digits.
    return gamma * (first + (rest[0] if rest else 0)) + doubt + 2 * roundings * least
