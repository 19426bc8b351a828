"""Eq. 1 and Eq. 2 of an ensemble whose trees are summed, by boxes: what is left free is split until a bound decides.

A box has a row of neighbouring places of each feature, as in :mod:`xpgcheck.oracles.ensembles.boxes`, whose paths and
places these are.  Each rival of the class of the instance is looked at by itself: a terminal's *gain* is what it adds for
the rival less what it adds for the class, in whole numbers of the ensemble's tally.

**Bound.**  The sum of the largest gain of each tree among the terminals that the box may reach: if it is less than what lets
the rival win perhaps, the rival wins nowhere in the box.  If even the sum of the smallest gains is what lets it win for
certain, it wins everywhere in it.

**Split.**  Where neither decides, the box is cut in two at a place where some tree forks: the cut that leaves the least
bounds.  A box whose points all are so near to a tie that rounding decides is put aside: nothing in it shows anything.

Plain Python and exact, no solver.
"""

from __future__ import annotations

import bisect
import itertools
import operator
from collections.abc import Iterable
from dataclasses import dataclass

from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import WITHIN_ROUNDING, Answer
from xpgcheck.oracles.ensembles.boxes import MAX_LEAVES, Fork, Leaf, any_cut, cuts_of, paths_of, positions, rows_of

MAX_BOXES = 20_000
"""Boxes that one question may take, those of all rivals together; beyond, it stays open."""

MAX_CUTS = 6
"""Cuts that are compared before a box is split."""


class _Side:
    """The terminals of one tree by where they begin and end on one feature, as bits."""

    def __init__(self, tree: int, row: int, leaves: list[tuple[int, Leaf]], feature: int) -> None:
        self.tree = tree
        everywhere = (1 << row) - 1
        spans = [(bit, leaf.places.get(feature, everywhere)) for bit, leaf in leaves]
        begins = sorted([((places & -places).bit_length() - 1, bit) for bit, places in spans])
        ends = sorted([(places.bit_length() - 1, bit) for bit, places in spans], reverse=True)
        self._begins = [place for place, _ in begins]
        self._begun = [0, *itertools.accumulate([bit for _, bit in begins], operator.or_)]
        self._ends = [-place for place, _ in ends]
        self._unended = [0, *itertools.accumulate([bit for _, bit in ends], operator.or_)]
        self._holes: dict[int, int] = {}
        for bit, places in spans:
            first, last = (places & -places).bit_length() - 1, places.bit_length() - 1
            for place in positions((1 << last + 1) - (1 << first) & ~places):
                self._holes[place] = self._holes.get(place, 0) | bit

    def within(self, low: int, high: int) -> int:
        """Return the terminals that a place from *low* to before *high* may reach; exact of one place."""
        begun: int = self._begun[bisect.bisect_left(self._begins, high)]
        found: int = begun & self._unended[bisect.bisect_right(self._ends, -low)]
        return found & ~self._holes.get(low, 0) if self._holes and high - low == 1 else found


class SumForest:
    """An ensemble of summed trees as rows of places and terminals in bits, for every instance."""

    def __init__(self, ensemble: Ensemble) -> None:
        self.ensemble = ensemble
        self.rows = rows_of(ensemble)
        self.problem = ""
        self.everything: list[int] = []
        self.answers: list[list[int]] = []
        self.forks: list[dict[int, Fork]] = []
        self.sides: list[list[_Side]] = [[] for _ in self.rows]
        self._gains: dict[tuple[int, int], Gains] = {}
        left = MAX_LEAVES
        for number, tree in enumerate(ensemble.trees):
            found = paths_of(tree, self.rows, 0, left)
            if found is None:
                self.problem = f"the trees have over {MAX_LEAVES:,} paths"
                return
            leaves, forks = found
            left -= len(leaves)
            self.everything.append((1 << len(leaves)) - 1)
            self.answers.append([leaf.class_index for _, leaf in leaves])
            self.forks.append(forks)
            for feature in sorted({fork.feature for fork in forks.values()}):
                self.sides[feature].append(_Side(number, self.rows[feature].count, leaves, feature))

    def gains(self, own: int, rival: int) -> Gains:
        """Return what each terminal gains for *rival* over *own*."""
        if (own, rival) not in self._gains:
            self._gains[own, rival] = Gains(self, own, rival)
        return self._gains[own, rival]

    def at(self, point: Point, most: int = MAX_BOXES) -> SumBoxOracle:
        """Return the oracle for the instance *point*, which looks at *most* boxes a question."""
        return SumBoxOracle(self, point, most)


class Gains:
    """By how much each terminal brings one rival ahead of one class, and the most and the least of sets of them."""

    def __init__(self, forest: SumForest, own: int, rival: int) -> None:
        tally = forest.ensemble.tally
        self.start = tally.base[rival] - tally.base[own]
        self._of = [
            [rows[answer][rival] - rows[answer][own] for answer in answers]
            for rows, answers in zip(tally.rows, forest.answers, strict=True)
        ]
        self._known: list[dict[int, tuple[int, int]]] = [{} for _ in self._of]

    def span(self, tree: int, terminals: int) -> tuple[int, int]:
        """Return the most and the least that one of *terminals* of *tree* gains."""
        known = self._known[tree]
        found = known.get(terminals)
        if found is None:
            own = self._of[tree]
            gains = [own[position] for position in positions(terminals)]
            # No point of a box reaches the terminals of such a tree: nothing is won there.
            found = known[terminals] = (max(gains), min(gains)) if gains else (_NEVER, _NEVER)
        return found


_NEVER = -(1 << 4000)
"""Less than any sum: what a tree gains that no point of the box reaches a terminal of."""


@dataclass(slots=True)
class SumBox:
    """The first place and that behind the last of each free feature that is tested; the terminals within of each tree."""

    ranges: dict[int, tuple[int, int]]
    terminals: list[int]
    most: int


class BoxRivalSearch:
    """The search for a point at which one rival wins for certain.

    ``left`` is less than 0 where it was given up; ``near`` tells whether rounding may make the rival win somewhere.
    """

    def __init__(self, forest: SumForest, own: int, rival: int, left: int) -> None:
        self._forest = forest
        self._gains = forest.gains(own, rival)
        lead = forest.ensemble.tally.lead(own, rival)
        self._may, self._must = lead.may, lead.must
        self.left = left
        self.near = False

    def point(self, box: SumBox, instance: Point, places: list[int]) -> Point | None:
        """Return a point of *box* at which the rival wins, which has the values of *instance* where it can."""
        box.most = self._bound(box.terminals)
        stack = [box]
        while stack:
            box = stack.pop()
            if box.most < self._needed():
                continue
            self.left -= 1
            if self.left < 0:
                return None
            least = self._least(box.terminals)
            if least >= self._must:
                return self._point_in(box, instance, places)
            if least >= self._may and box.most < self._must:
                self.near = True
                continue
            stack += self._halves(box)
        return None

    def _needed(self) -> int:
        """Return what a box has to promise: once rounding may decide somewhere, only what is certain counts."""
        return self._must if self.near else self._may

    def _bound(self, terminals: list[int]) -> int:
        span = self._gains.span
        return self._gains.start + sum([span(tree, own)[0] for tree, own in enumerate(terminals)])

    def _least(self, terminals: list[int]) -> int:
        span = self._gains.span
        return self._gains.start + sum([span(tree, own)[1] for tree, own in enumerate(terminals)])

    def _halves(self, box: SumBox) -> list[SumBox]:
        """Return the parts of *box* on either side of the best cut that are not decided, the most promising last."""
        best: tuple[int, int] | None = None
        chosen = (-1, 0)
        for feature, place in self._cuts(box):
            low, high = box.ranges[feature]
            one, other = self._left_by(box, feature, low, place), self._left_by(box, feature, place, high)
            score = (one, other) if one > other else (other, one)
            if best is None or score < best:
                best, chosen = score, (feature, place)
        feature, place = chosen
        low, high = box.ranges[feature]
        parts = [self._part(box, feature, part) for part in ((low, place), (place, high))]
        parts.sort(key=lambda part: part.most)
        return [part for part in parts if part.most >= self._needed()]

    def _left_by(self, box: SumBox, feature: int, low: int, high: int) -> int:
        """Return the bound of what is left of *box* where *feature* is kept within *low* and *high*."""
        terminals, span, most = box.terminals, self._gains.span, box.most
        for side in self._forest.sides[feature]:
            before = terminals[side.tree]
            after = before & side.within(low, high)
            if after != before:
                most += span(side.tree, after)[0] - span(side.tree, before)[0]
        return most

    def _part(self, box: SumBox, feature: int, part: tuple[int, int]) -> SumBox:
        terminals = list(box.terminals)
        for side in self._forest.sides[feature]:
            terminals[side.tree] &= side.within(*part)
        return SumBox({**box.ranges, feature: part}, terminals, self._bound(terminals))

    def _cuts(self, box: SumBox) -> Iterable[tuple[int, int]]:
        """Return (feature, place) pairs at which *box* can be split: where the trees whose gains differ most fork first."""
        found: dict[tuple[int, int], None] = {}
        spread = [span[0] - span[1] for span in map(self._gains.span, range(len(box.terminals)), box.terminals)]
        ranges = box.ranges
        for tree in sorted(range(len(spread)), key=spread.__getitem__, reverse=True):
            if len(found) >= MAX_CUTS:
                break
            found.update(dict.fromkeys(cuts_of(self._forest.forks[tree], box.terminals[tree], ranges)))
        return found or any_cut(ranges)

    def _point_in(self, box: SumBox, instance: Point, places: list[int]) -> Point:
        values = list(instance)
        for feature, (low, high) in box.ranges.items():
            if not low <= places[feature] < high:
                values[feature] = self._forest.rows[feature].value(low)
        return tuple(values)


class SumBoxOracle:
    """The oracle of one instance, by splitting boxes."""

    name = "boxes"
    engine = "boxes"
    search = BoxRivalSearch

    def __init__(self, forest: SumForest, point: Point, most: int = MAX_BOXES) -> None:
        self._forest = forest
        self._point = point
        self._own = forest.ensemble.kappa(point)
        self._settled = forest.ensemble.is_settled(point)
        self._most = most
        self._rivals = [rival for rival in range(len(forest.ensemble.classes)) if rival != self._own]
        self._places = [row.place(value) for row, value in zip(forest.rows, point, strict=True)]

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Tell whether some point that agrees with the instance on *fixed* has another class."""
        forest = self._forest
        if forest.problem or not self._settled:
            return Answer(None, None, self.name, forest.problem or WITHIN_ROUNDING)
        chosen = frozenset(fixed)
        terminals = list(forest.everything)
        for feature in chosen:
            place = self._places[feature]
            for side in forest.sides[feature]:
                terminals[side.tree] &= side.within(place, place + 1)
        ranges = {i: (0, row.count) for i, row in enumerate(forest.rows) if i not in chosen and row.count > 1}
        left, near = self._most, False
        for rival in self._rivals:
            search = self.search(forest, self._own, rival, left)
            found = search.point(SumBox(ranges, terminals, 0), self._point, self._places)
            if found is not None:
                return Answer(True, found, self.name)
            left, near = search.left, near or search.near
            if left < 0:
                return Answer(None, None, self.name, f"more than {self._most:,} boxes")
        return Answer(None if near else False, None, self.name, WITHIN_ROUNDING if near else "")
