"""Wrong programs of whole numbers: of rounding, trees, order, rivals and what is fixed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.oracles.ensembles.clauses import Positions
from xpgcheck.oracles.ensembles.integer_sums import IntegerOracle, IntegerSums
from xpgcheck.properties.ensembles.routes import HonestEnsembleRoutes
from xpgcheck.properties.seeded.bugs import ensemble_route


class _Integers(HonestEnsembleRoutes):
    rules = ("sums",)
    solver_cases = 1
    _Wrong: type[IntegerSums]

    def integers(self, ensemble: Ensemble) -> Any:
        """Return *ensemble* as a program of whole numbers, with a bug."""
        return self._Wrong(ensemble)


@ensemble_route
class IntegersTruncated(_Integers):
    """Whole numbers that do not fit are rounded to nought, to which side soever."""

    class _Wrong(IntegerSums):
        bits = 5

        def _divided(self, gain: int, scale: int, *, certain: bool) -> int:
            return gain // scale if gain >= 0 else -(-gain // scale)


@ensemble_route
class IntegersRoundedTheWrongWay(_Integers):
    """Whole numbers that do not fit are rounded down to prove, and up to show."""

    class _Wrong(IntegerSums):
        bits = 5

        def _divided(self, gain: int, scale: int, *, certain: bool) -> int:
            return super()._divided(gain, scale, certain=not certain)


@ensemble_route
class IntegersUnordered(_Integers):
    """Whole numbers take thresholds of one feature to be independent of each other."""

    class _Wrong(IntegerSums):
        def _order(self, positions: Positions) -> None:
            pass


@ensemble_route
class IntegersTreeForgotten(_Integers):
    """Whole numbers leave what the last tree adds out."""

    class _Wrong(IntegerSums):
        def _write(self, own: int, rival: int, certain: bool) -> tuple[Any, int]:
            tally = self.ensemble.tally
            nothing = tuple((0,) * len(row) for row in tally.rows[-1])
            return _written(self, replace(tally, rows=(*tally.rows[:-1], nothing)), own, rival, certain)


@ensemble_route
class IntegersBaseLeftOut(_Integers):
    """Whole numbers begin with nothing."""

    class _Wrong(IntegerSums):
        def _write(self, own: int, rival: int, certain: bool) -> tuple[Any, int]:
            tally = self.ensemble.tally
            return _written(self, replace(tally, base=(0,) * len(tally.base)), own, rival, certain)


@ensemble_route
class IntegersSlackIgnored(_Integers):
    """Whole numbers say that nothing changes the class where rounding may."""

    class _Wrong(IntegerSums):
        def _write(self, own: int, rival: int, certain: bool) -> tuple[Any, int]:
            return super()._write(own, rival, certain=True)


@ensemble_route
class IntegersTiesReversed(_Integers):
    """Whole numbers give a tie to the other class."""

    class _Wrong(IntegerSums):
        def _write(self, own: int, rival: int, certain: bool) -> tuple[Any, int]:
            tally = self.ensemble.tally
            return _written(self, replace(tally, ties_to_last=not tally.ties_to_last), own, rival, certain)


def _written(sums: IntegerSums, tally: Any, own: int, rival: int, certain: bool) -> tuple[Any, int]:
    """Return what ``IntegerSums`` writes, of another tally."""
    right = sums.ensemble
    sums.ensemble = replace(right, tally=tally)
    try:
        return IntegerSums._write(sums, own, rival, certain)
    finally:
        sums.ensemble = right


@ensemble_route
class IntegersOneRival(_Integers):
    """Whole numbers compare the class with the first other one alone."""

    class _Wrong(IntegerSums):
        def at(self, point: Point) -> IntegerOracle:
            oracle = super().at(point)
            oracle._rivals = oracle._rivals[:1]
            return oracle


@ensemble_route
class IntegersAnotherClass(_Integers):
    """Whole numbers remember the first program, whichever classes are compared then."""

    class _Wrong(IntegerSums):
        def program(self, own: int, rival: int, *, certain: bool) -> tuple[Any, int]:
            super().program(own, rival, certain=certain)
            return next(iter(self._programs.values()))


@ensemble_route
class IntegersStayFixed(_Integers):
    """Whole numbers keep fixed what an earlier question fixed."""

    class _Wrong(IntegerSums):
        def solution(self, program: Any, fixing: Iterable[int]) -> list[int] | str | None:
            self._fixed = [*getattr(self, "_fixed", []), *fixing]
            return super().solution(program, self._fixed)


@ensemble_route
class IntegersOneEnd(_Integers):
    """Whole numbers keep the points of a path only from going lower."""

    class _Wrong(IntegerSums):
        def _literal(self, literal: int) -> Any:
            if literal < 0 and not self._programs:
                return self._variables[0] if self._variables[0] is not None else self._any()
            return super()._literal(literal)

        def _any(self) -> Any:
            self._variables[0] = self._model.new_bool_var("")
            return self._variables[0]
