"""The standing of an ensemble at an instance: what each class gets from the trees, and which trees decide."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from xpgcheck.errors import printable
from xpgcheck.model.combination import Majority
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import number_text
from xpgcheck.model.values import Point
from xpgcheck.wording import counted

WIDTH = 24
"""Characters of the longest bar."""

MAX_CLASSES = 8
"""Classes that are shown, those with the most."""


class Standing(NamedTuple):
    """The votes or the exact sum of each class at a point, the lead of the first, and how far rounding may be off."""

    amounts: list[Fraction]
    margin: Fraction
    rounding: Fraction


def standing(ensemble: Ensemble, point: Point) -> Standing:
    """Return how *ensemble* stands at *point*.  With a threshold, the class below it has what the threshold asks for."""
    tally = ensemble.tally
    sums = tally.sums(ensemble.votes(point))
    first, *rest = sorted(sums, reverse=True)
    margin = first - max(rest) if rest else 0
    return Standing([value * tally.unit for value in sums], margin * tally.unit, tally.slack * tally.unit)


def standing_lines(ensemble: Ensemble, point: Point) -> Iterator[str]:
    """Yield a bar a class, the most first, and what the first is ahead by."""
    found = standing(ensemble, point)
    votes = isinstance(ensemble.rule, Majority)
    what = "votes of" if votes else "sums of"
    yield f"{what} {counted(len(ensemble.trees), 'tree')}; {ensemble.rule}"
    order = sorted(range(len(ensemble.classes)), key=lambda c: (-found.amounts[c], c))[:MAX_CLASSES]
    room = max(len(printable(ensemble.classes[c])) for c in order)
    least = Fraction(0) if votes else min(Fraction(0), min(found.amounts))
    span = max(found.amounts) - least or Fraction(1)
    for c in order:
        length = round(WIDTH * (found.amounts[c] - least) / span)
        bar = "█" * (max(1, length) if found.amounts[c] > least else 0)
        yield f"  {printable(ensemble.classes[c]):<{room}} {bar:<{WIDTH}} {_short(found.amounts[c])}"
    if not votes:
        times = "" if not found.rounding else f", {_short(found.margin / found.rounding)} times what rounding can do"
        yield f"  ahead by {_short(found.margin)}{times}"


def settled_trees(ensemble: Ensemble, point: Point, fixed: int) -> int:
    """Return how many trees give the same answer wherever a point agrees with *point* on *fixed* (a mask).  Linear."""
    return sum(_is_settled(tree, point, fixed) for tree in ensemble.trees)


def _is_settled(tree: DecisionGraph, point: Point, fixed: int) -> bool:
    answers: set[int] = set()
    stack, seen = [0], {0}
    while stack and len(answers) < 2:
        node = stack.pop()
        if tree.class_of[node] >= 0:
            answers.add(tree.class_of[node])
            continue
        feature = tree.feature_of[node]
        for child, values in tree.edges(node):
            if child not in seen and (not fixed >> feature & 1 or point[feature] in values):
                seen.add(child)
                stack.append(child)
    return len(answers) == 1


def _short(number: Fraction) -> str:
    return number_text(number) if number.denominator == 1 and abs(number) < 10**6 else f"{float(number):.6g}"
