"""The same sums: an ensemble against the margins and the classes of the source library, near ties above all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from kappa_agreement import Table
from numpy.typing import NDArray

from xpgcheck.model.combination import Arithmetic, Sum
from xpgcheck.model.domains import read_value
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point, Value

CLOSE = (0.1, 0.2, 0.3, -0.1, -0.2, -0.3)
"""Weights whose sums in floats miss ties by a few last bits, depending on their order."""


@dataclass(frozen=True)
class Agreement:
    """Counts of points that agreed, and of those where the exact sums leave the class to the machine's own rounding."""

    points: int
    unsettled: int


def points_of(ensemble: Ensemble, rows: Table) -> Iterator[Point]:
    """Yield the rows as points, read as instances are read."""
    known: list[dict[object, Value]] = [{} for _ in ensemble.features]
    for row in rows.tolist():
        point = []
        for feature, number in enumerate(row):
            key = "nan" if number != number else number
            if key not in known[feature]:
                known[feature][key] = read_value(ensemble.features[feature].domain, number)
            point.append(known[feature][key])
        yield tuple(point)


def assert_sums(
    ensemble: Ensemble, rows: Table, margins: Any, labels: Sequence[object], base_is_exact: bool = True
) -> Agreement:
    """Hold the sums to *margins*, one row of scores a point, and κ to *labels*.

    The exact sums are within the slack of the margins, which are the machine's sums to the last bit; κ is the label wherever
    the sums are settled, and elsewhere the class that the rule makes of the margins.
    """
    rule, tally = ensemble.rule, ensemble.tally
    assert isinstance(rule, Sum)
    margins = np.asarray(margins).reshape(len(rows), len(rule.base))
    votes, unsettled = [], 0
    for row, point, found, label in zip(rows, points_of(ensemble, rows), margins.tolist(), labels, strict=True):
        votes.append(ensemble.votes(point))
        sums = tally.sums(votes[-1])
        exact = sums if rule.threshold is None else sums[1:]
        for whole, number in zip(exact, found, strict=True):
            assert abs(whole - Fraction(number) / tally.unit) <= tally.slack, (row, whole * tally.unit, number)
        expected = str(label)
        if not tally.is_settled(sums):
            unsettled += 1
            assert not ensemble.is_settled(point)
            expected = ensemble.classes[of_margins(rule, found, len(ensemble.trees))]
        assert ensemble.classes[ensemble.class_of_votes(votes[-1])] == expected, (row, found, label)
    machine = added(ensemble, rule, np.array(votes))
    if base_is_exact:
        assert (machine == margins).all(), "the margins are not the machine's sums"
    return Agreement(len(rows), unsettled)


def of_margins(rule: Sum, margins: Sequence[float], trees: int) -> int:
    """Return the class that *rule* makes of the machine's sums."""
    if rule.threshold is None:
        return list(margins).index(max(margins))
    return int((margins[0] / trees if rule.divided else margins[0]) > rule.threshold.at)


def added(ensemble: Ensemble, rule: Sum, votes: NDArray[np.int64]) -> Table:
    """Return the sums of the weights of *votes* in the order of the trees, in the floats of the source."""
    kind = np.float32 if rule.arithmetic is Arithmetic.BINARY32 else np.float64
    total = np.tile(np.array(list(map(float, rule.base)), kind), (len(votes), 1))
    for number, rows in enumerate(ensemble.outputs):
        weights = np.array([list(map(float, row)) for row in rows], kind)
        total += weights[votes[:, number]]
    return total
