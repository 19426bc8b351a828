"""Wrong sums: κ that adds other numbers than the trees do, and every cell that forgets what rounding decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from xpgcheck.model.combination import Sum, Tally
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.oracles.ensembles.every_cell import EveryCell
from xpgcheck.properties.ensembles.routes import HonestEnsembleRoutes
from xpgcheck.properties.seeded.bugs import ensemble_route

Rows = tuple[tuple[tuple[int, ...], ...], ...]


class _Tallied(HonestEnsembleRoutes):
    rules = ("sums",)

    def ensemble(self, ensemble: Ensemble) -> Ensemble:
        """Return *ensemble* with other whole numbers, where it sums."""
        if not isinstance(ensemble.rule, Sum):
            return ensemble
        return replace(ensemble, tally=self.tally(ensemble.tally, ensemble.rule, len(ensemble.trees)))

    def tally(self, tally: Tally, rule: Sum, trees: int) -> Tally:
        """Return the wrong whole numbers."""
        raise NotImplementedError


@ensemble_route
class SumsBaseLeftOut(_Tallied):
    """κ leaves the base out."""

    def tally(self, tally: Tally, rule: Sum, trees: int) -> Tally:
        """Return what the classes begin with as nothing, but for a threshold."""
        at = () if rule.threshold is None else tally.base[:1]
        return replace(tally, base=(*at, *[0] * (len(tally.base) - len(at))))


@ensemble_route
class SumsTiesToLastIgnored(_Tallied):
    """κ gives a sum at an inclusive threshold to the first class."""

    def tally(self, tally: Tally, rule: Sum, trees: int) -> Tally:
        """Return ties to the first."""
        return replace(tally, ties_to_last=False)


@ensemble_route
class SumsThresholdInclusive(_Tallied):
    """κ takes every threshold to be inclusive: ≥ for >."""

    def tally(self, tally: Tally, rule: Sum, trees: int) -> Tally:
        """Return ties to the last of two classes."""
        return replace(tally, ties_to_last=rule.threshold is not None)


@ensemble_route
class SumsTiesToTheHighest(_Tallied):
    """κ gives equal sums to the highest class."""

    def tally(self, tally: Tally, rule: Sum, trees: int) -> Tally:
        """Return ties to the last, where there is no threshold."""
        return replace(tally, ties_to_last=tally.ties_to_last or rule.threshold is None)


@ensemble_route
class SumsDivisionForgotten(_Tallied):
    """κ compares the sum, not the average, with the threshold."""

    def tally(self, tally: Tally, rule: Sum, trees: int) -> Tally:
        """Return the threshold as it is given."""
        if rule.threshold is None or not rule.divided:
            return tally
        return replace(tally, base=(tally.base[0] // trees, *tally.base[1:]))


@ensemble_route
class SumsLearningRateTwice(_Tallied):
    """κ takes the learning rate twice: the trees add half of what they should."""

    def tally(self, tally: Tally, rule: Sum, trees: int) -> Tally:
        """Return twice what does not come from the trees."""
        return replace(tally, base=tuple(2 * number for number in tally.base))


@ensemble_route
class SumsTreeUncounted(_Tallied):
    """κ leaves the last tree out."""

    def tally(self, tally: Tally, rule: Sum, trees: int) -> Tally:
        """Return nothing of the last tree."""
        nothing = tuple((0,) * len(row) for row in tally.rows[-1])
        return replace(tally, rows=(*tally.rows[:-1], nothing))


@ensemble_route
class SumsRowsOfAnotherTree(_Tallied):
    """κ takes what the first tree adds from the last one, where they have as many answers."""

    def tally(self, tally: Tally, rule: Sum, trees: int) -> Tally:
        """Return the rows of the last tree for the first."""
        first, *others = tally.rows
        swap = bool(others) and len(others[-1]) == len(first)
        return replace(tally, rows=(others[-1] if swap else first, *others))


@ensemble_route
class SumsOfTheFirstClass(_Tallied):
    """κ takes what a terminal adds for the second class as for all others: one score too few is read."""

    def tally(self, tally: Tally, rule: Sum, trees: int) -> Tally:
        """Return rows of two different numbers."""
        rows: Rows = tuple(tuple((row[0], *[row[1]] * (len(row) - 1)) for row in rows) for rows in tally.rows)
        return replace(tally, rows=rows)


@ensemble_route
class SumsThresholdForgotten(_Tallied):
    """κ compares every sum with nothing, whatever the threshold."""

    def tally(self, tally: Tally, rule: Sum, trees: int) -> Tally:
        """Return no threshold."""
        return tally if rule.threshold is None else replace(tally, base=(0, *tally.base[1:]))


@ensemble_route
class SumsInFloats(_Tallied):
    """κ adds floats where sums are exact."""

    def tally(self, tally: Tally, rule: Sum, trees: int) -> Tally:
        """Return sums that are rounded."""
        return _Floats(tally.rows, tally.base, tally.unit, tally.ties_to_last, tally.slack)


class _Floats(Tally):
    def sums(self, votes: Sequence[int]) -> list[int]:
        found: list[Any] = [float(base * self.unit) for base in self.base]
        for rows, vote in zip(self.rows, votes, strict=True):
            found = [total + float(number * self.unit) for total, number in zip(found, rows[vote], strict=True)]
        return found


@ensemble_route
class SumsSlackIgnored(_Tallied):
    """κ takes the sums of a machine to be exact."""

    def tally(self, tally: Tally, rule: Sum, trees: int) -> Tally:
        """Return no slack."""
        return replace(tally, slack=0)


@ensemble_route
class SumsAlwaysSettled(_Tallied):
    """κ is settled as soon as sums differ at all."""

    def tally(self, tally: Tally, rule: Sum, trees: int) -> Tally:
        """Return another answer to whether rounding decides."""
        return _Hasty(tally.rows, tally.base, tally.unit, tally.ties_to_last, tally.slack)


class _Hasty(Tally):
    def is_settled(self, sums: Sequence[int]) -> bool:
        return len(set(sums)) == len(sums)


@ensemble_route
class SumsTruncated(_Tallied):
    """κ truncates what the trees add to whole numbers."""

    def tally(self, tally: Tally, rule: Sum, trees: int) -> Tally:
        """Return rows without what is behind the point."""
        one = tally.unit.denominator
        rows: Rows = tuple(tuple(tuple(int(x / one) * one for x in row) for row in rows) for rows in tally.rows)
        return replace(tally, rows=rows)


@ensemble_route
class SumsAbsolute(_Tallied):
    """κ adds negative numbers as positive ones."""

    def tally(self, tally: Tally, rule: Sum, trees: int) -> Tally:
        """Return rows without signs."""
        return replace(tally, rows=tuple(tuple(tuple(map(abs, row)) for row in rows) for rows in tally.rows))


class _Cells(HonestEnsembleRoutes):
    rules = ("sums",)

    def cells(self, ensemble: Ensemble) -> Any:
        """Return the cells of *ensemble*, at whose points it says what is wrong."""
        table = EveryCell(ensemble)
        if ensemble.tally.slack:
            table.ensemble = self.wrong(ensemble)
        return table

    def wrong(self, ensemble: Ensemble) -> Any:
        """Return what stands for *ensemble*."""
        raise NotImplementedError


class _Instead:
    """Stands for an ensemble."""

    def __init__(self, ensemble: Ensemble) -> None:
        self._ensemble = ensemble

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ensemble, name)


@ensemble_route
class CellsRoundingIsAChange(_Cells):
    """Cells take the machine's class at its word, however near to a tie."""

    def wrong(self, ensemble: Ensemble) -> Any:
        """Return an ensemble whose classes always differ or do not."""

        class _Sure(_Instead):
            def differs(self, point: Point, own: int) -> bool:
                return bool(self._ensemble.kappa(point) != own)

        return _Sure(ensemble)


@ensemble_route
class CellsRoundingIsNoChange(_Cells):
    """Cells pass over points where rounding decides."""

    def wrong(self, ensemble: Ensemble) -> Any:
        """Return an ensemble where such points have the class of the instance."""

        class _Blind(_Instead):
            def differs(self, point: Point, own: int) -> bool:
                return bool(self._ensemble.differs(point, own))

        return _Blind(ensemble)


@ensemble_route
class CellsInstanceUnsettled(_Cells):
    """Cells judge instances whose own class hangs on rounding."""

    def wrong(self, ensemble: Ensemble) -> Any:
        """Return an ensemble of which every point is settled."""

        class _Certain(_Instead):
            def is_settled(self, point: Point) -> bool:
                return True

        return _Certain(ensemble)
