"""Sums: the question by branch and bound over boxes.

A *box* has a row of places of each feature that is free.  In every tree the heaviest terminal that some point of the box
reaches counts for the rival: their sum bounds its lead.

* Where the bound is too low, the rival wins nowhere in the box.
* Where the heaviest terminals of all trees meet, any point where they do has that lead, and no point of the box has more.
* Else the heaviest terminals of two trees need different places of some feature: the box is cut between them, so that either
  half loses one of the two.  Among several such cuts the one is taken that leaves the better half least.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xpgcheck.model.values import Point
from xpgcheck.xpg.ensembles.climbing import Climb
from xpgcheck.xpg.ensembles.deciding import WITHIN_ROUNDING, Allowance, Decision
from xpgcheck.xpg.ensembles.places import EnsemblePlaces
from xpgcheck.xpg.ensembles.rival_terminals import RivalTerminals, Weighed, terminals_of_rival
from xpgcheck.xpg.ensembles.tree_groups import Groups, better_groups, in_groups

DEFAULT_BOXES = 200_000
"""Boxes that one question may take for one rival."""

NEAR = 4
"""Features by which a question may differ from the last one that was refuted, to begin with its boxes."""

STAGES = {40: (64, 30), 200: (256, 60), 800: (1024, 200)}
"""After how many boxes of one question trees are taken together, so that a group has at most so many terminals, and how
often a climb for a point begins again before that."""

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
            known = self._pairs[own, rival] = terminals_of_rival(self.places, own, rival)
        return known

    def at(self, point: Point) -> SumsAt:
        """Return what decides questions about the instance *point*."""
        return SumsAt(self, point)


class _Node:
    """A box of a refutation: it is cut in two, or closed by its bound."""

    __slots__ = ("feature", "lower", "place", "upper")

    def __init__(self) -> None:
        self.feature = -1
        self.place = 0
        self.lower: _Node | None = None
        self.upper: _Node | None = None


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
        self._order: list[int] = []

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
        features = [feature for feature in self.order() if mattering >> feature & 1]
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
        for search in self._searches:
            search.refuted_with(core)
        return core

    def order(self) -> list[int]:
        """Return the features by how far a rival gets where one alone is free, the least first."""
        if not self._order:
            gains = [0] * len(self.own_places)
            for search in self._searches:
                for feature, gain in search.gains().items():
                    gains[feature] = max(gains[feature], gain)
            self._order = sorted(range(len(gains)), key=gains.__getitem__)
        return self._order


class RivalSearch:
    """The questions about one instance for one rival, and the last refutation."""

    def __init__(self, rival: RivalTerminals, own: tuple[int, ...]) -> None:
        """Search for points where *rival* wins; *own* are the places of the instance."""
        self._rival = rival
        self._own = own
        self._root = _Node()
        self._refuted = 0
        self._groups: Groups = ()
        self._most = 0
        self._reached = {feature: rival.at(feature, own[feature]) for feature in rival.below}
        self.boxes = 0

    def _left(self, fixed: int) -> int:
        """Return the terminals that are reached with the features *fixed*."""
        left = self._rival.all
        for feature, terminals in self._reached.items():
            if fixed >> feature & 1:
                left &= terminals
        return left

    def shortfall(self, fixed: int) -> int:
        """Return by how much the rival cannot win with *fixed* by the plainest bound: not over 0 where it may."""
        return self._rival.short(self._left(fixed)) - self._rival.room

    def gains(self) -> dict[int, int]:
        """Return, of each feature, by how much the rival gets ahead where it alone is free, at most."""
        rival, features = self._rival, list(self._reached)
        before = [rival.all]
        for feature in features:
            before.append(before[-1] & self._reached[feature])
        short = rival.short(before[-1])
        behind = rival.all
        found = {}
        for place in range(len(features) - 1, -1, -1):
            found[features[place]] = short - rival.short(before[place] & behind)
            behind &= self._reached[features[place]]
        return found

    def mattering(self, fixed: int) -> int:
        """Return those of the features *fixed* that the trees test."""
        return sum(1 << feature for feature in self._reached if fixed >> feature & 1)

    def is_refuted(self, fixed: int) -> bool:
        """Tell whether all boxes of the last refutation are closed with *fixed*, too, by the plain bound of single trees."""
        rival = self._rival
        room, short, below, above = rival.room, rival.short, rival.below, rival.above
        left = self._left(fixed)
        if short(left) > room:
            return True
        stack = [(self._root, left)]
        while stack:
            node, left = stack.pop()
            if short(left) > room:
                continue
            if node.lower is None or node.upper is None:
                return False
            feature, place = node.feature, node.place
            if fixed >> feature & 1:
                stack.append((node.upper if self._own[feature] >= place else node.lower, left))
            else:
                stack.append((node.lower, left & below[feature][place]))
                stack.append((node.upper, left & above[feature][place]))
        return True

    def _laid_out(self, trees: list[list[Weighed]]) -> RivalTerminals:
        """Return the terminals of one question, some trees taken together."""
        whole = self._rival
        kept = in_groups(trees, self._groups, self._most) if self._groups else [tree for tree in trees if tree]
        return RivalTerminals(kept, whole.constant, whole.lead, whole.shift)

    def refuted_with(self, fixed: int) -> None:
        """Note that the last refutation is one with *fixed*."""
        self._refuted = fixed

    def run(self, fixed: int, allowance: Allowance) -> tuple[tuple[int, ...] | None, str]:
        """Return the places of a point where the rival wins for certain, or why none is known ("" if there is none)."""
        left = self._left(fixed)
        if self._rival.short(left) > self._rival.room:
            return None, ""
        if (fixed ^ self._refuted).bit_count() > NEAR:
            self._root = _Node()
        trees = self._rival.within(left, fixed)
        rival = self._laid_out(trees)
        most = DEFAULT_BOXES if allowance.steps is None else allowance.steps
        lead = rival.lead
        doubt = ""
        count = looked = 0
        stack: list[tuple[_Node, int, _Cut | None]] = [(self._root, rival.all, None)]
        while stack:
            looked += 1
            if looked % SLICE == 0 and allowance.is_over():
                return None, "the time is over"
            node, inside, cut = stack.pop()
            if rival.short(inside) > rival.room:
                continue
            if node.lower is None:
                count += 1
                if count > most:
                    return None, f"more than {most:,} boxes"
                heaviest = rival.heaviest(inside)
                clashes = _clashes(heaviest)
                if not clashes:
                    ahead = rival.constant + sum(weight for weight, _ in heaviest)
                    if ahead >= lead.must:
                        return self._nearer(self._point(heaviest, cut, fixed)), ""
                    if ahead >= lead.may:
                        doubt = WITHIN_ROUNDING
                    continue
                self.boxes += 1
                if count in STAGES:
                    climbed = Climb(rival).find(self._own, STAGES[count][1])
                    if climbed is not None:
                        return self._nearer(tuple([climbed.get(f, own) for f, own in enumerate(self._own)])), ""
                    # The trees on their own tell too little: begin again with groups of them.
                    self._most = STAGES[count][0]
                    self._groups = better_groups(trees, self._groups, self._most)
                    self._root = _Node()
                    rival = self._laid_out(trees)
                    stack = [(self._root, rival.all, None)]
                    continue
                _split(rival, node, inside, clashes)
            stack += self._halves(rival, node, inside, cut, fixed)
        self._refuted = fixed
        return None, doubt

    def _halves(
        self, rival: RivalTerminals, node: _Node, inside: int, cut: _Cut | None, fixed: int
    ) -> list[tuple[_Node, int, _Cut | None]]:
        """Return the halves of a box, the better one last; one half where the feature is fixed, or no longer tested."""
        feature, place, lower, upper = node.feature, node.place, node.lower, node.upper
        assert lower is not None
        assert upper is not None
        if feature not in rival.below:
            return [(upper if self._own[feature] >= place else lower, inside, cut)]
        under, over = inside & rival.below_place(feature, place), inside & rival.above_place(feature, place)
        halves: list[tuple[_Node, int, _Cut | None]] = [
            (lower, under, _Cut(feature, -1, place, cut)),
            (upper, over, _Cut(feature, place, -1, cut)),
        ]
        return halves if rival.short(under) >= rival.short(over) else halves[::-1]

    def _point(self, heaviest: Sequence[Weighed], cut: _Cut | None, fixed: int) -> tuple[int, ...]:
        """Return the places where all of *heaviest* are reached, within the cuts: the instance's own where they can be."""
        low = dict.fromkeys(range(len(self._own)), 0)
        high: dict[int, int] = {}
        for _, rows in heaviest:
            for feature, (first, behind) in rows.items():
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
            if not fixed >> feature & 1:
                found[feature] = max(low[feature], min(place, high.get(feature, place + 1) - 1))
        return tuple(found)

    def _nearer(self, found: tuple[int, ...]) -> tuple[int, ...]:
        """Return *found* with as many features as can be, one after the other, back at the instance's own place."""
        rival = self._rival
        places = list(self._own)
        moved = {
            feature: rival.at(feature, found[feature]) for feature in rival.below if found[feature] != places[feature]
        }
        rest = rival.all
        for feature, terminals in self._reached.items():
            if feature not in moved:
                rest &= terminals
        while moved:
            feature, there = moved.popitem()
            left = rest & self._reached[feature]
            for terminals in moved.values():
                left &= terminals
            if rival.short(left) <= rival.enough:
                rest &= self._reached[feature]
            else:
                rest &= there
                places[feature] = found[feature]
        return tuple(places)


def _split(rival: RivalTerminals, node: _Node, inside: int, clashes: list[tuple[int, int, int]]) -> None:
    """Cut the box *node* where the better half is left least."""
    best, room = -1, rival.room
    for feature, low, high in clashes:
        below, above = rival.below[feature], rival.above[feature]
        for place in (low, high) if low != high else (low,):
            least = min(rival.short(inside & below[place]), rival.short(inside & above[place]))
            if least > best:
                best = least
                node.feature, node.place = feature, place
        if best > room:
            break
    node.lower, node.upper = _Node(), _Node()


def _clashes(heaviest: Sequence[Weighed]) -> list[tuple[int, int, int]]:
    """Return the features of which some of *heaviest* need places that do not meet: the first and last cut between them."""
    low: dict[int, int] = {}
    high: dict[int, int] = {}
    for _, rows in heaviest:
        for feature, (first, behind) in rows.items():
            if feature not in low:
                low[feature], high[feature] = first, behind
                continue
            if first > low[feature]:
                low[feature] = first
            if behind < high[feature]:
                high[feature] = behind
    return [(feature, high[feature], first) for feature, first in low.items() if first >= high[feature]]
