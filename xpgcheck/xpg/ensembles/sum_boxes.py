"""Sums: the question by branch and bound over boxes.

A *box* has a row of places of each feature that is free.  Of every tree the heaviest terminal that some point of the box
reaches counts for the rival: what comes out bounds its lead.

* Where the bound is too low, the rival wins nowhere in the box.
* Where the heaviest terminals of all trees meet, any point where they do has that lead, and no point of the box has more.
* Else the heaviest terminals of two trees need different places of some feature: the box is cut between them, so that either
  half loses one of the two.  Of several such cuts the one is taken that leaves the better half least.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xpgcheck.model.values import Point
from xpgcheck.xpg.ensembles.deciding import WITHIN_ROUNDING, Allowance, Decision
from xpgcheck.xpg.ensembles.places import EnsemblePlaces
from xpgcheck.xpg.ensembles.rival_terminals import RivalTerminal, RivalTerminals
from xpgcheck.xpg.explanation_graph import indices

DEFAULT_BOXES = 200_000
"""Boxes that one question may take for one rival."""

SLICE = 256
"""Boxes between two looks at the clock."""


class _Cut(NamedTuple):
    """A cut that led to a box: what is left of a feature's places, and the cut before."""

    feature: int
    low: int
    high: int
    before: _Cut | None


class SumBoxes:
    """An ensemble whose trees are summed, ready for questions about every instance."""

    def __init__(self, places: EnsemblePlaces) -> None:
        """Prepare nothing yet: the terminals of a class and a rival are laid out when they are needed."""
        self.places = places
        self._pairs: dict[tuple[int, int], RivalTerminals] = {}

    def pair(self, own: int, rival: int) -> RivalTerminals:
        """Return the terminals of *own* and *rival*."""
        known = self._pairs.get((own, rival))
        if known is None:
            known = self._pairs[own, rival] = RivalTerminals(self.places, own, rival)
        return known

    def at(self, point: Point) -> SumsAt:
        """Return what decides questions about the instance *point*."""
        return SumsAt(self, point)


class _Box(NamedTuple):
    """A box: the terminals that the cuts to it leave, whatever is fixed, and the last of these cuts.

    It is without the instance's own place on the features ``away`` (a mask): where one is fixed, no point is left in it.
    """

    terminals: int
    cut: _Cut | None
    away: int


class SumsAt:
    """Decides questions about one instance of an ensemble whose trees are summed.

    A refutation is boxes that are all closed.  It is kept: of the next question only those boxes are searched that are open
    with what is fixed now.
    """

    def __init__(self, boxes: SumBoxes, point: Point) -> None:
        """Ask about *point*."""
        places = boxes.places
        self.own_places = tuple(own.of(value) for own, value in zip(places.features, point, strict=True))
        own = places.ensemble.kappa(point)
        self._searches = [
            RivalSearch(boxes.pair(own, rival), self.own_places)
            for rival in range(len(places.ensemble.classes))
            if rival != own
        ]

    def decide(self, fixed: int, allowance: Allowance) -> Decision:
        """Decide by boxes, of one rival after the other."""
        reason = ""
        nearest = sorted(self._searches, key=lambda search: search.shortfall(fixed))
        for search in nearest:
            found, why = search.run(fixed, allowance)
            if found is not None:
                mask = 0
                for feature, (place, own) in enumerate(zip(found, self.own_places, strict=True)):
                    mask |= (place != own) << feature
                return Decision(True, mask, found)
            reason = why or reason
        if reason:
            return Decision(None, reason=reason)
        return Decision(False, self._core(fixed))

    def _core(self, fixed: int) -> int:
        """Return some of the features *fixed* with which the refutations that are kept still hold."""
        mattering = 0
        for search in self._searches:
            mattering |= search.mattering(fixed)
        features = list(indices(mattering))
        core, start, length = mattering, 0, 1
        while start < len(features):
            chunk = 0
            for feature in features[start : start + length]:
                chunk |= 1 << feature
            if all(search.is_refuted(core & ~chunk) for search in self._searches):
                core &= ~chunk
                start += length
                length *= 2
            elif length == 1:
                start += 1
            else:
                length = max(1, length // 4)
        return core

    def order(self) -> list[int]:
        """Return the features in their order."""
        return list(range(len(self.own_places)))


class RivalSearch:
    """The questions about one instance for one rival, and the last refutation."""

    def __init__(self, rival: RivalTerminals, own: tuple[int, ...]) -> None:
        """Search for points where *rival* wins; *own* are the places of the instance."""
        self._rival = rival
        self._own = own
        self._fixed = 0
        self._closed: list[_Box] = [_Box(rival.all, None, 0)]
        self._reached = {
            feature: rival.below[feature][own[feature] + 1] & rival.above[feature][own[feature]]
            for feature in rival.tested
        }
        self.boxes = 0

    def _left(self, fixed: int) -> int:
        """Return the terminals that are reached with the features *fixed*."""
        left = self._rival.all
        for feature, terminals in self._reached.items():
            if fixed >> feature & 1:
                left &= terminals
        return left

    def shortfall(self, fixed: int) -> int:
        """Return by how much the rival cannot win with *fixed* by the plainest bound: less than 0 where it may."""
        return self._rival.short(self._left(fixed)) - self._rival.room

    def mattering(self, fixed: int) -> int:
        """Return those of the features *fixed* that the trees test."""
        return sum(1 << feature for feature in self._reached if fixed >> feature & 1)

    def is_refuted(self, fixed: int) -> bool:
        """Tell whether all boxes of the last refutation are closed with *fixed*, too."""
        rival, room, closed = self._rival, self._rival.room, self._closed
        left = self._left(fixed)
        for place, box in enumerate(closed):
            if not box.away & fixed and rival.short(left & box.terminals) <= room:
                # What is open now is likely to be the next time.
                closed.insert(0, closed.pop(place))
                return False
        return True

    def run(self, fixed: int, allowance: Allowance) -> tuple[tuple[int, ...] | None, str]:
        """Return the places of a point where the rival wins for certain, or why none is known ("" if there is none)."""
        rival, room = self._rival, self._rival.room
        self._fixed = fixed
        most = DEFAULT_BOXES if allowance.steps is None else allowance.steps
        doubt = ""
        left = self._left(fixed)
        closed = []
        stack = []
        for box in self._closed:
            (closed if box.away & fixed or rival.short(left & box.terminals) > room else stack).append(box)
        if len(stack) > len(closed) // 2:
            closed, stack = [], [_Box(rival.all, None, 0)]
        count = 0
        while stack:
            count += 1
            if count > most:
                return None, f"more than {most:,} boxes"
            if count % SLICE == 0 and allowance.is_over():
                return None, "the time is over"
            box = stack.pop()
            inside = left & box.terminals
            if rival.short(inside) > room:
                closed.append(box)
                continue
            heaviest = rival.heaviest(inside)
            clashes = _clashes(heaviest)
            if not clashes:
                ahead = rival.constant + sum(terminal.weight for terminal in heaviest)
                if ahead >= rival.must:
                    return self._nearer(self._point(heaviest, box.cut)), ""
                if ahead >= rival.may:
                    doubt = WITHIN_ROUNDING
                closed.append(box)
                continue
            stack += self._halves(left, box, clashes)
        if not doubt:
            self._closed = closed
        self.boxes += count
        return None, doubt

    def _halves(self, left: int, box: _Box, clashes: list[tuple[int, int, int]]) -> list[_Box]:
        """Return the halves of the best cut, the better one last."""
        rival, room = self._rival, self._rival.room
        inside = left & box.terminals
        best = -1
        chosen: tuple[int, int, int, int] = (0, 0, 0, 0)
        for feature, low, high in clashes:
            below, above = rival.below[feature], rival.above[feature]
            for place in (low, high) if low != high else (low,):
                under, over = rival.short(inside & below[place]), rival.short(inside & above[place])
                least = min(under, over)
                if least > best:
                    best = least
                    chosen = feature, place, under, over
            if best > room:
                break
        feature, place, under, over = chosen
        bit = 1 << feature
        own_is_over = self._own[feature] >= place
        lower = _Box(
            box.terminals & rival.below[feature][place],
            _Cut(feature, -1, place, box.cut),
            box.away | bit if own_is_over else box.away,
        )
        upper = _Box(
            box.terminals & rival.above[feature][place],
            _Cut(feature, place, -1, box.cut),
            box.away if own_is_over else box.away | bit,
        )
        return [lower, upper] if under >= over else [upper, lower]

    def _point(self, heaviest: Sequence[RivalTerminal], cut: _Cut | None) -> tuple[int, ...]:
        """Return the places where all of *heaviest* are reached, within the cuts: the instance's own where they can be."""
        low = dict.fromkeys(range(len(self._own)), 0)
        high: dict[int, int] = {}
        for terminal in heaviest:
            for feature, (first, behind) in terminal.rows.items():
                low[feature] = max(low[feature], first)
                high[feature] = min(high.get(feature, behind), behind)
        while cut is not None:
            if cut.low >= 0:
                low[cut.feature] = max(low[cut.feature], cut.low)
            if cut.high >= 0:
                high[cut.feature] = min(high.get(cut.feature, cut.high), cut.high)
            cut = cut.before
        found = list(self._own)
        for feature, place in enumerate(self._own):
            if not self._fixed >> feature & 1:
                found[feature] = max(low[feature], min(place, high.get(feature, place + 1) - 1))
        return tuple(found)

    def _nearer(self, found: tuple[int, ...]) -> tuple[int, ...]:
        """Return *found* with as many features as can be, one after the other, back at the instance's own place."""
        rival = self._rival
        # What was cut off of weights may add up to so much.
        enough = rival.room - ((rival.must - rival.may) >> rival.shift) - len(rival.fields) - 2
        moved = [feature for feature in rival.tested if found[feature] != self._own[feature]]
        rest = rival.all
        for feature in rival.tested:
            if found[feature] == self._own[feature]:
                rest &= self._reached[feature]
        there = {
            feature: rival.below[feature][found[feature] + 1] & rival.above[feature][found[feature]]
            for feature in moved
        }
        places = list(found)
        for feature, own in enumerate(self._own):
            if feature not in there:
                places[feature] = own
        while moved:
            feature = moved.pop()
            left = rest & self._reached[feature]
            for other in moved:
                left &= there[other]
            if rival.short(left) <= enough:
                places[feature] = self._own[feature]
                rest &= self._reached[feature]
            else:
                rest &= there[feature]
        return tuple(places)


def _clashes(heaviest: Sequence[RivalTerminal]) -> list[tuple[int, int, int]]:
    """Return the features of which some of *heaviest* need places that do not meet: the first and last cut between them."""
    low: dict[int, int] = {}
    high: dict[int, int] = {}
    for terminal in heaviest:
        for feature, (first, behind) in terminal.rows.items():
            if feature not in low:
                low[feature], high[feature] = first, behind
                continue
            if first > low[feature]:
                low[feature] = first
            if behind < high[feature]:
                high[feature] = behind
    return [(feature, high[feature], first) for feature, first in low.items() if first >= high[feature]]
