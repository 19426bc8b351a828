"""The same κ and the same sums: an ensemble against what the source library predicts, ties and thresholds first."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from kappa_agreement import SPECIAL, Table, neighbours, random_numbers

from xpgcheck.model.combination import Majority
from xpgcheck.model.domains import Categorical, read_value
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import IntervalSet
from xpgcheck.model.values import Point


@dataclass
class Agreement:
    """Counts of points that were asked, of those that were not settled, and of these that the machine answers otherwise."""

    points: int = 0
    unsettled: int = 0
    otherwise: int = 0

    def __iadd__(self, other: Agreement) -> Agreement:
        self.points += other.points
        self.unsettled += other.unsettled
        self.otherwise += other.otherwise
        return self


def ends(ensemble: Ensemble, feature: int) -> list[float]:
    """Return the numbers at which some tree changes along *feature*, with their neighbours."""
    found: set[float] = set()
    for values in ensemble.cells[feature]:
        if isinstance(values, IntervalSet):
            for span in values.intervals():
                found.update(x for end in (span.low, span.high) if end is not None for x in neighbours(float(end)))
    missing = getattr(ensemble.features[feature].domain, "missing", False)
    return [*sorted(found | set(SPECIAL)), *([float("nan")] if missing else [])]


def rows_for(ensemble: Ensemble, count: int, seed: int, data: Table | None = None) -> Table:
    """Return *count* rows: numbers around thresholds, a third; rows of *data* with one such number; numbers of any size."""
    rng = np.random.default_rng(seed)
    width = len(ensemble.features)
    near = np.column_stack([rng.choice(np.array(ends(ensemble, i)), count) for i in range(width)])
    if data is not None:
        own = data[rng.integers(0, len(data), count)].astype(np.float64)
        for i in range(width):
            own[rng.random(count) < 0.25, i] = np.nan
        missing = [getattr(f.domain, "missing", False) for f in ensemble.features]
        mixed = np.where(np.isnan(own), near, own)
        near[count // 3 : 2 * count // 3] = mixed[count // 3 : 2 * count // 3]
        assert not np.isnan(near[:, [not m for m in missing]]).any()
    for i in range(width):
        near[2 * count // 3 :, i] = random_numbers(rng, count - 2 * count // 3)
    return near


def points_of(ensemble: Ensemble, rows: Table) -> list[Point]:
    """Return the rows as points, read as instances are."""
    known: list[dict[object, Any]] = [{} for _ in ensemble.features]
    points = []
    for row in rows.tolist():
        point = []
        for feature, cell in enumerate(row):
            key = "nan" if cell != cell else cell
            if key not in known[feature]:
                domain = ensemble.features[feature].domain
                raw = None if isinstance(domain, Categorical) and cell != cell else cell
                known[feature][key] = read_value(domain, raw)
            point.append(known[feature][key])
        points.append(tuple(point))
    return points


def agree(
    ensemble: Ensemble,
    rows: Table,
    labels: Iterable[object],
    scores: Any = None,
    scale: Callable[[list[Fraction]], Sequence[Fraction]] = list,
) -> Agreement:
    """Hold κ to *labels*, and the exact sums, as *scale* turns them into the library's, to *scores*; return what was met.

    A point may be answered otherwise only where it is not settled.
    """
    found = Agreement()
    expected = [str(label) for label in labels]
    tally = ensemble.tally
    machine = None if scores is None else np.asarray(scores, dtype=np.float64).reshape(len(rows), -1).tolist()
    bound = float(tally.slack * tally.unit)
    settled_wrong = []
    for index, point in enumerate(points_of(ensemble, rows)):
        votes = ensemble.votes(point)
        sums = tally.sums(votes)
        settled = tally.is_settled(sums)
        found.points += 1
        found.unsettled += not settled
        if ensemble.classes[ensemble.class_of_votes(votes)] != expected[index]:
            found.otherwise += 1
            if settled:
                settled_wrong.append((rows[index].tolist(), expected[index]))
        if machine is not None and not isinstance(ensemble.rule, Majority):
            own = sums[1:] if ensemble.rule.threshold is not None else sums
            exact = [total * tally.unit for total in own]
            if ensemble.rule.divided:
                exact = [total / len(ensemble.trees) for total in exact]
            for ours, theirs in zip(scale(exact), machine[index], strict=True):
                assert math.isclose(float(ours), theirs, rel_tol=1e-15, abs_tol=max(bound, 1e-300)), (ours, theirs)
    assert not settled_wrong, f"{len(settled_wrong)} of {found.points} differ, the first: {settled_wrong[0]}"
    return found
