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


class SumsAt:
    """Decides questions about one instance of an ensemble whose trees are summed."""

    def __init__(self, boxes: SumBoxes, point: Point) -> None:
        """Ask about *point*."""
        places = boxes.places
        self.own_places = tuple(own.of(value) for own, value in zip(places.features, point, strict=True))
        own = places.ensemble.kappa(point)
        self._rivals = [boxes.pair(own, rival) for rival in range(len(places.ensemble.classes)) if rival != own]
        self._at = [self._reached(rival) for rival in self._rivals]

    def _reached(self, rival: RivalTerminals) -> list[tuple[int, int]]:
        """Return of each feature that is tested the terminals at the instance's place."""
        found = []
        for feature in rival.tested:
            place = self.own_places[feature]
            found.append((feature, rival.below[feature][place + 1] & rival.above[feature][place]))
        return found

    def decide(self, fixed: int, allowance: Allowance) -> Decision:
        """Decide by boxes, of one rival after the other."""
        reason = ""
        core = 0
        starts = []
        for rival, reached in zip(self._rivals, self._at, strict=True):
            left = rival.all
            for feature, terminals in reached:
                if fixed >> feature & 1:
                    left &= terminals
                    core |= 1 << feature
            short = rival.short(left)
            if short <= rival.room:
                starts.append((rival.room - short, rival, left))
        starts.sort(key=lambda start: -start[0])
        for _, rival, left in starts:
            found, why = BoxSearch(rival, self.own_places, fixed, allowance).run(left)
            if found is not None:
                mask = 0
                for feature, (place, own) in enumerate(zip(found, self.own_places, strict=True)):
                    mask |= (place != own) << feature
                return Decision(True, mask, found)
            reason = why or reason
        return Decision(None, reason=reason) if reason else Decision(False, core)

    def order(self) -> list[int]:
        """Return the features in their order."""
        return list(range(len(self.own_places)))


class BoxSearch:
    """The search of one question for one rival."""

    def __init__(self, rival: RivalTerminals, own: tuple[int, ...], fixed: int, allowance: Allowance) -> None:
        """Search among the points that agree with *own* places on *fixed*."""
        self._rival = rival
        self._own = own
        self._allowance = allowance
        self._fixed = fixed
        self.boxes = 0

    def run(self, left: int) -> tuple[tuple[int, ...] | None, str]:
        """Return the places of a point where the rival wins for certain, or why none is known ("" if there is none)."""
        rival, room = self._rival, self._rival.room
        most = DEFAULT_BOXES if self._allowance.steps is None else self._allowance.steps
        doubt = ""
        stack: list[tuple[int, _Cut | None]] = [(left, None)]
        while stack:
            self.boxes += 1
            if self.boxes > most:
                return None, f"more than {most:,} boxes"
            if self.boxes % SLICE == 0 and self._allowance.is_over():
                return None, "the time is over"
            left, cut = stack.pop()
            heaviest = rival.heaviest(left)
            clashes = _clashes(heaviest)
            if not clashes:
                ahead = rival.constant + sum(terminal.weight for terminal in heaviest)
                if ahead >= rival.must:
                    return self._point(heaviest, cut), ""
                if ahead >= rival.may:
                    doubt = WITHIN_ROUNDING
                continue
            stack += self._halves(left, cut, clashes, room)
        return None, doubt

    def _halves(
        self, left: int, cut: _Cut | None, clashes: list[tuple[int, int, int]], room: int
    ) -> list[tuple[int, _Cut | None]]:
        """Return the halves of the best cut that may hold a point, the better one last."""
        rival = self._rival
        best: tuple[int, int] | None = None
        halves: tuple[int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0)
        for feature, low, high in clashes:
            below, above = rival.below[feature], rival.above[feature]
            for place in (low, high) if low != high else (low,):
                under, over = left & below[place], left & above[place]
                short_under, short_over = rival.short(under), rival.short(over)
                if short_under > room and short_over > room:
                    return []
                least, most = min(short_under, short_over), max(short_under, short_over)
                if best is None or (min(most, room + 1), least) > best:
                    best = (min(most, room + 1), least)
                    halves = feature, place, under, over, short_under, short_over
        feature, place, under, over, short_under, short_over = halves
        found: list[tuple[int, int, _Cut | None]] = []
        if short_under <= room:
            found.append((short_under, under, _Cut(feature, -1, place, cut)))
        if short_over <= room:
            found.append((short_over, over, _Cut(feature, place, -1, cut)))
        found.sort(key=lambda half: -half[0])
        return [(half, cut) for _, half, cut in found]

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
