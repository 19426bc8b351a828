"""Wrong boxes of sums: of bounds, rivals, rounding, thresholds, halves and what terminals gain."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from xpgcheck.model.combination import Majority
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Answer
from xpgcheck.oracles.ensembles.box_sums import BoxRivalSearch, Gains, SumBox, SumBoxOracle, SumForest
from xpgcheck.properties.ensembles.routes import HonestEnsembleRoutes
from xpgcheck.properties.seeded.bugs import ensemble_route


class _BoxSums(HonestEnsembleRoutes):
    rules: tuple[str, ...] = ("sums",)
    _Forest: type[SumForest] = SumForest
    _Oracle: type[SumBoxOracle] = SumBoxOracle
    _Search: type[BoxRivalSearch] = BoxRivalSearch

    def boxes(self, ensemble: Ensemble) -> Any:
        """Return *ensemble* as boxes see it, with a bug where it sums."""
        if isinstance(ensemble.rule, Majority):
            # Where the same votes are put to it as sums, it is wrong too.
            return super().boxes(ensemble)
        return _At(self._Forest(ensemble), self._Oracle, self._Search)


class _At:
    """A forest whose oracles are of other kinds."""

    def __init__(self, forest: SumForest, oracle: type[SumBoxOracle], search: type[BoxRivalSearch]) -> None:
        self._parts = forest, oracle, search

    def at(self, point: Point, most: int = 1_000) -> SumBoxOracle:
        forest, kind, search = self._parts
        oracle = kind(forest, point, most)
        oracle.search = search
        return oracle


@ensemble_route
class BoxSumsStrict(_BoxSums):
    """Boxes of sums take a value at a threshold to be above it: < for ≤."""

    class _Oracle(SumBoxOracle):
        def __init__(self, forest: SumForest, point: Point, most: int) -> None:
            super().__init__(forest, point, most)
            for i, (row, value) in enumerate(zip(forest.rows, point, strict=True)):
                ends = row._ends
                if ends and self._places[i] + 2 < len(ends) and ends[self._places[i] + 1][1:] == (value, 1):
                    self._places[i] += 1


@ensemble_route
class BoxSumsOneRival(_BoxSums):
    """Boxes of sums compare the class with the first other one alone."""

    class _Oracle(SumBoxOracle):
        def __init__(self, forest: SumForest, point: Point, most: int) -> None:
            super().__init__(forest, point, most)
            self._rivals = self._rivals[:1]


@ensemble_route
class BoxSumsInstanceUnsettled(_BoxSums):
    """Boxes of sums judge instances whose own class hangs on rounding."""

    class _Oracle(SumBoxOracle):
        def __init__(self, forest: SumForest, point: Point, most: int) -> None:
            super().__init__(forest, point, most)
            self._settled = True


@ensemble_route
class BoxSumsBudgetIsProof(_BoxSums):
    """Boxes of sums that run out of their budget say that nothing changes the class."""

    class _Oracle(SumBoxOracle):
        def changeable(self, fixed: Iterable[int]) -> Answer:
            self._most = 2
            answer = super().changeable(fixed)
            return answer if not answer.reason.startswith("more") else Answer(False, None, self.name)


@ensemble_route
class BoxSumsFixedIgnored(_BoxSums):
    """Boxes of sums leave the last of the fixed features free."""

    class _Oracle(SumBoxOracle):
        def changeable(self, fixed: Iterable[int]) -> Answer:
            return super().changeable(sorted(fixed)[:-1])


@ensemble_route
class BoxSumsBaseLeftOut(_BoxSums):
    """Boxes of sums begin with nothing: base and threshold are left out."""

    class _Forest(SumForest):
        def gains(self, own: int, rival: int) -> Gains:
            gains = super().gains(own, rival)
            gains.start = 0
            return gains


@ensemble_route
class BoxSumsAnotherClass(_BoxSums):
    """Boxes of sums remember what the first terminals gained, whichever classes are compared then."""

    class _Forest(SumForest):
        def gains(self, own: int, rival: int) -> Gains:
            super().gains(own, rival)
            return next(iter(self._gains.values()))


@ensemble_route
class BoxSumsTheOtherWay(_BoxSums):
    """Boxes of sums count what the class gains over its rival."""

    class _Forest(SumForest):
        def gains(self, own: int, rival: int) -> Gains:
            return super().gains(rival, own)


@ensemble_route
class BoxSumsInFloats(_BoxSums):
    """Boxes of sums add floats."""

    class _Forest(SumForest):
        def gains(self, own: int, rival: int) -> Gains:
            gains: Any = super().gains(own, rival)
            gains._of = [[float(gain) for gain in of_tree] for of_tree in gains._of]
            gains.start = float(gains.start)
            return gains  # type: ignore[no-any-return]


@ensemble_route
class BoxSumsAnswersReversed(_BoxSums):
    """Boxes of sums number the answers of the last tree from the end."""

    rules = ("votes", "sums")

    class _Forest(SumForest):
        def __init__(self, ensemble: Ensemble) -> None:
            super().__init__(ensemble)
            last = len(ensemble.trees[-1].classes) - 1
            self.answers[-1] = [last - answer for answer in self.answers[-1]]


@ensemble_route
class BoxSumsRowsOfAnotherTree(_BoxSums):
    """Boxes of sums take the terminals of the last tree for those of the first, where it has as many."""

    class _Forest(SumForest):
        def __init__(self, ensemble: Ensemble) -> None:
            super().__init__(ensemble)
            if len(self.answers[0]) == len(self.answers[-1]):
                most = len(ensemble.tally.rows[0]) - 1
                self.answers[0] = [min(answer, most) for answer in self.answers[-1]]


@ensemble_route
class BoxSumsTreeForgotten(_BoxSums):
    """The bounds of a box are over all trees but the last."""

    class _Search(BoxRivalSearch):
        def _bound(self, terminals: list[int]) -> int:
            return super()._bound(terminals) - self._gains.span(len(terminals) - 1, terminals[-1])[0]

        def _least(self, terminals: list[int]) -> int:
            return super()._least(terminals) - self._gains.span(len(terminals) - 1, terminals[-1])[1]


@ensemble_route
class BoxSumsBoundTooLow(_BoxSums):
    """The bound of a box takes the least gain of the last tree."""

    class _Search(BoxRivalSearch):
        def _bound(self, terminals: list[int]) -> int:
            most, least = self._gains.span(len(terminals) - 1, terminals[-1])
            return super()._bound(terminals) - most + least


@ensemble_route
class BoxSumsLostTooSoon(_BoxSums):
    """A box of sums is lost as soon as a rival may win in it."""

    class _Search(BoxRivalSearch):
        def _least(self, terminals: list[int]) -> int:
            return self._bound(terminals)


class _Leads(BoxRivalSearch):
    def __init__(self, forest: SumForest, own: int, rival: int, left: int) -> None:
        super().__init__(forest, own, rival, left)
        self._may, self._must = self.leads(forest.ensemble.tally.slack)

    def leads(self, slack: int) -> tuple[int, int]:
        """Return what may make the rival win, and what must."""
        raise NotImplementedError


@ensemble_route
class BoxSumsSlackIgnored(_BoxSums):
    """Boxes of sums say that nothing changes the class where rounding may."""

    class _Search(_Leads):
        def leads(self, slack: int) -> tuple[int, int]:
            return self._must, self._must


@ensemble_route
class BoxSumsRoundingIsAChange(_BoxSums):
    """Boxes of sums show points where rounding decides."""

    class _Search(_Leads):
        def leads(self, slack: int) -> tuple[int, int]:
            return self._may, self._may


@ensemble_route
class BoxSumsSlackTwice(_BoxSums):
    """Boxes of sums take the slack twice."""

    class _Search(_Leads):
        def leads(self, slack: int) -> tuple[int, int]:
            return self._may - slack, self._must + slack


@ensemble_route
class BoxSumsTiesReversed(_BoxSums):
    """Boxes of sums give a tie to the other class."""

    class _Search(_Leads):
        def leads(self, slack: int) -> tuple[int, int]:
            return (self._may, self._must) if slack else (1 - self._may, 1 - self._must)


@ensemble_route
class BoxSumsTieIsAChange(_BoxSums):
    """Boxes of sums let every rival win by a tie."""

    class _Search(_Leads):
        def leads(self, slack: int) -> tuple[int, int]:
            return (self._may, self._must) if slack else (0, 0)


@ensemble_route
class BoxSumsOneHalf(_BoxSums):
    """The more promising half of each box of sums that is split is forgotten."""

    class _Search(BoxRivalSearch):
        def _halves(self, box: SumBox) -> list[SumBox]:
            return super()._halves(box)[:1]


@ensemble_route
class BoxSumsNearForgotten(_BoxSums):
    """Boxes of sums forget that they put aside what rounding decides."""

    class _Search(BoxRivalSearch):
        def point(self, box: SumBox, instance: Point, places: list[int]) -> Point | None:
            found = super().point(box, instance, places)
            self.near = False
            return found
