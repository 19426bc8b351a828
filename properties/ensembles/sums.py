"""A Hypothesis strategy for what the trees of a small ensemble add: weights, a base, thresholds and arithmetic.

Weights of one ensemble are of one kind: small whole numbers, which tie; tenths, which do so but for rounding; numbers that
cancel each other; or numbers of very different size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

from xpgcheck.model.combination import Arithmetic, Row, Sum, Threshold
from xpgcheck.properties.strategies.atoms import below

WEIGHTS = tuple(
    tuple(map(Fraction, weights))
    for weights in (
        ("0", "1", "2", "-1", "3", "-2"),
        ("0", "0.1", "0.2", "0.3", "-0.1", "0.7"),
        ("0", "1/3", "2/3", "1", "-1/3"),
        ("0", "1.25", "-1.25", "2.5", "-2.5", "5"),
        ("0", "1", "1e-9", "-1e-9", "1e9", "-1e9", "3e-9"),
        ("0", "1e30", "-1e30", "1", "1e-30", "-1"),
        ("0", "1e17", "-1e17", "1", "-1", "2"),
    )
)
"""Kinds of weights, the simplest first."""

ARITHMETIC = (Arithmetic.EXACT, Arithmetic.BINARY64, Arithmetic.EXACT, Arithmetic.BINARY32, Arithmetic.BINARY64)

DOUBTS = tuple(map(Fraction, ("0", "0", "0", "1", "0.05")))


@dataclass(frozen=True, slots=True)
class Weighed:
    """The rule of an ensemble of sums, and what each answer of each tree adds."""

    rule: Sum
    outputs: tuple[tuple[Row, ...], ...]


def draw_sums(draw: st.DrawFn, classes: int, answers: Sequence[int]) -> Weighed:
    """Draw a rule for *classes* classes and the outputs of trees with *answers* answers each."""
    arithmetic = ARITHMETIC[draw(below(len(ARITHMETIC)))]
    kind = WEIGHTS[draw(below(len(WEIGHTS)))]
    weights = [_rounded(weight, arithmetic) for weight in kind]
    alone = classes == 2 and bool(draw(below(3)))
    scores = 1 if alone else classes

    def row() -> Row:
        return tuple([weights[draw(below(len(weights)))] for _ in range(scores)])

    outputs = tuple([tuple([row() for _ in range(count)]) for count in answers])
    base = row() if draw(below(3)) == 2 else (Fraction(0),) * scores
    divided = draw(below(3)) == 2
    threshold = None
    if alone:
        # A sum that some answers make, so that it comes to ties.
        chosen = [rows[draw(below(len(rows)))][0] for rows in outputs] if draw(below(3)) else []
        at = _rounded(sum(chosen, base[0] if chosen else Fraction(0)) / (len(answers) if divided else 1), arithmetic)
        threshold = Threshold(at, inclusive=bool(draw(below(2))))
    return Weighed(Sum(base, threshold, arithmetic, divided, DOUBTS[draw(below(len(DOUBTS)))]), outputs)


def _rounded(number: Fraction, arithmetic: Arithmetic) -> Fraction:
    """Return *number* as the source has it, whose weights are numbers of its arithmetic."""
    own = arithmetic.format
    return number if own is None else Fraction(own.rounded(float(number)))
