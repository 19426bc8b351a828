"""Wrong boxes: of ties, bounds, halves, thresholds and budgets."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Answer
from xpgcheck.oracles.ensembles.boxes import Forest, ForestBoxOracle, OpenBox
from xpgcheck.properties.ensembles.routes import HonestEnsembleRoutes
from xpgcheck.properties.seeded.bugs import ensemble_route


class _Boxes(HonestEnsembleRoutes):
    rules = ("votes",)
    _Wrong: type[ForestBoxOracle]

    def boxes(self, ensemble: Ensemble) -> Any:
        """Return *ensemble* as boxes see it, with a bug."""
        return _OfKind(ensemble, self._Wrong)


class _OfKind(Forest):
    def __init__(self, ensemble: Ensemble, kind: type[ForestBoxOracle]) -> None:
        super().__init__(ensemble)
        self._kind = kind

    def at(self, point: Point, most: int = 1_000) -> ForestBoxOracle:
        return self._kind(self, point, most)


@ensemble_route
class BoxesTiesReversed(_Boxes):
    """Boxes give a tie to the highest class."""

    class _Wrong(ForestBoxOracle):
        def __init__(self, forest: Forest, point: Point, most: int) -> None:
            super().__init__(forest, point, most)
            self._rivals = [(1 - lead, own, others) for lead, own, others in self._rivals]


@ensemble_route
class BoxesBoundTooLow(_Boxes):
    """The bound of a box counts one vote too few for the rival."""

    class _Wrong(ForestBoxOracle):
        def _ahead(self, terminals: int) -> int:
            return super()._ahead(terminals) - 1


@ensemble_route
class BoxesLostTooSoon(_Boxes):
    """A box is lost as soon as a rival may win in it."""

    class _Wrong(ForestBoxOracle):
        def _lost(self, terminals: int) -> bool:
            return self._ahead(terminals) >= 0


@ensemble_route
class BoxesOneRival(_Boxes):
    """Boxes compare the class with the first other one alone."""

    class _Wrong(ForestBoxOracle):
        def __init__(self, forest: Forest, point: Point, most: int) -> None:
            super().__init__(forest, point, most)
            self._rivals = self._rivals[:1]


@ensemble_route
class BoxesOneHalf(_Boxes):
    """One half of each box that is split is forgotten."""

    class _Wrong(ForestBoxOracle):
        def _halves(self, box: OpenBox) -> Iterator[OpenBox]:
            return itertools.islice(super()._halves(box), 1)


@ensemble_route
class BoxesStrict(_Boxes):
    """Boxes take a value at a threshold to be above it: < for ≤."""

    class _Wrong(ForestBoxOracle):
        def __init__(self, forest: Forest, point: Point, most: int) -> None:
            super().__init__(forest, point, most)
            for i, (row, value) in enumerate(zip(forest.rows, point, strict=True)):
                ends = row._ends
                if ends and self._places[i] + 2 < len(ends) and ends[self._places[i] + 1][1:] == (value, 1):
                    self._places[i] += 1


@ensemble_route
class BoxesBudgetIsProof(_Boxes):
    """Boxes that run out of their budget say that nothing changes the class."""

    class _Wrong(ForestBoxOracle):
        def changeable(self, fixed: Iterable[int]) -> Answer:
            self._most = 2
            answer = super().changeable(fixed)
            return answer if answer.changeable is not None else Answer(False, None, self.name)


@ensemble_route
class BoxesTreeForgotten(HonestEnsembleRoutes):
    """Boxes count the last tree for nobody."""

    rules = ("votes",)

    def boxes(self, ensemble: Ensemble) -> Any:
        """Return *ensemble* as boxes see it, without the guard of its last tree."""
        forest = Forest(ensemble)
        forest.guards ^= 1 << (forest.guards.bit_length() - 1)
        return forest


@ensemble_route
class BoxesFixedIgnored(_Boxes):
    """Boxes leave the last of the fixed features free."""

    class _Wrong(ForestBoxOracle):
        def changeable(self, fixed: Iterable[int]) -> Answer:
            return super().changeable(sorted(fixed)[:-1])
