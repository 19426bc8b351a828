"""The tests of LightGBM's nodes: which values go left, and which right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from xpgcheck.model.domains import Categorical, Domain
from xpgcheck.model.value_sets import Grid, Interval, IntervalSet, ValueSet, interval_set
from xpgcheck.readers.categories import category_literals
from xpgcheck.readers.comparisons import at_most, less_than, sides, whole_parts

ZERO = 1.0000000180025095e-35
"""The largest magnitude that is zero to LightGBM: the float32 nearest to 1e-35."""

NONE, ZERO_IS_MISSING, NAN_IS_MISSING = range(3)

_ZEROS = interval_set(Grid.FLOAT64, [Interval(Fraction(-ZERO), False, Fraction(ZERO), False)])


@dataclass(frozen=True, slots=True)
class LightGBMTest:
    """The test of a node; ``categories`` is None for a numerical one."""

    threshold: float
    missing_type: int
    default_left: bool
    categories: tuple[int, ...] | None

    def literals(self, missing: bool) -> tuple[IntervalSet, IntervalSet]:
        """Return what goes left and what goes right."""
        if self.categories is not None:
            inside = whole_parts(Grid.FLOAT64, self.categories)
            return sides(inside, missing)
        below = _snapped_at_most(self.threshold)
        nan_left = Fraction(0) in below
        if self.missing_type == ZERO_IS_MISSING:
            below = below.union(_ZEROS) if self.default_left else below.difference(_ZEROS)
        if self.missing_type != NONE:
            nan_left = self.default_left
        return sides(below, missing, nan_left)


def _snapped_at_most(threshold: float) -> IntervalSet:
    """Return ``{x : zero(x) <= threshold}``, zero(x) being 0 where x is as good as zero and else x."""
    if threshold >= 0:
        return at_most(Grid.FLOAT64, max(threshold, ZERO))
    return less_than(Grid.FLOAT64, -ZERO) if threshold >= -ZERO else at_most(Grid.FLOAT64, threshold)


class LightGBMTests:
    """Values that go left and right at the tests of a model; equal tests of all its trees share their sets."""

    def __init__(self, domains: Sequence[Domain], missing: bool) -> None:
        self._domains = domains
        self._missing = missing
        self._found: dict[LightGBMTest, tuple[IntervalSet, IntervalSet]] = {}
        self._named: dict[tuple[int, LightGBMTest], tuple[ValueSet, ...]] = {}

    def of(self, feature: int, test: LightGBMTest) -> tuple[ValueSet, ...]:
        """Return the sides of a node that makes *test* of *feature*."""
        pair = self._found.get(test)
        if pair is None:
            pair = self._found[test] = test.literals(self._missing)
        domain = self._domains[feature] if 0 <= feature < len(self._domains) else None
        if not isinstance(domain, Categorical):
            return pair
        key = (feature, test)
        if key not in self._named:
            self._named[key] = category_literals(domain, pair)
        return self._named[key]
