"""The truth about an ensemble, by every combination of cells; knows nothing of the explainer."""

from __future__ import annotations

import itertools

from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point


class EveryCombination:
    """For each combination of cells: where it differs from the instance, and how far the best rival is ahead."""

    def __init__(self, ensemble: Ensemble, point: Point) -> None:
        own = ensemble.kappa(point)
        slack = ensemble.tally.slack
        self.features = len(ensemble.features)
        self.certain: set[int] = set()
        self.possible: set[int] = set()
        for combination in itertools.product(*ensemble.cells):
            moved = [value not in cell for cell, value in zip(combination, point, strict=True)]
            there = tuple(
                cell.representative() if new else value
                for cell, value, new in zip(combination, point, moved, strict=True)
            )
            mask = sum(1 << i for i, new in enumerate(moved) if new)
            sums = ensemble.tally.sums(ensemble.votes(there))
            ahead = max((s for c, s in enumerate(sums) if c != own), default=sums[own] - slack - 1) - sums[own]
            if ahead > slack or (not slack and ensemble.kappa(there) != own):
                self.certain.add(mask)
            if ahead >= -slack if slack else mask in self.certain:
                self.possible.add(mask)

    def answer(self, fixed: int) -> bool | None:
        """Return whether the class can change with *fixed*, None within rounding."""
        if any(not mask & fixed for mask in self.certain):
            return True
        return None if any(not mask & fixed for mask in self.possible) else False
