"""Hypothesis: small ensembles whose trees are summed, of two classes by a threshold and of several by the largest sum."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from xpgcheck.model.combination import Arithmetic, Sum, Threshold
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.properties.ensembles.strategies import ensembles

WEIGHTS = [Fraction(n) for n in (0, 1, -1, 2, 100, -99)] + [Fraction(1, 2), Fraction(-3, 2), Fraction(1, 3)]
"""Weights that tie, clash, and are of very different size."""

DOUBTS = [Fraction(0), Fraction(0), Fraction(1, 3), Fraction(1)]


@st.composite
def summed_ensembles(draw: st.DrawFn, doubts: bool = False) -> Ensemble:
    """Draw trees as those that vote have, with weights; *doubts*: rounding may be off by as much as the weights."""
    drawn = draw(ensembles())
    scores, threshold = len(drawn.classes), None
    if scores == 2 and draw(st.booleans()):
        scores, threshold = 1, Threshold(draw(st.sampled_from(WEIGHTS)), draw(st.booleans()))
    row = st.tuples(*[st.sampled_from(WEIGHTS)] * scores)
    outputs = [[draw(row) for _ in tree.classes] for tree in drawn.trees]
    doubt = draw(st.sampled_from(DOUBTS)) if doubts else Fraction(0)
    rule = Sum(draw(row), threshold, Arithmetic.EXACT, draw(st.booleans()), doubt)
    return ensemble("summed", drawn.features, drawn.classes, drawn.trees, rule, outputs)
