"""The terminals of an ensemble as bits of one number, sorted by how much they speak for one rival of a class.

The question is how far the rival's sum is ahead of that of the class.  Each tree adds the weight of the terminal that is
reached, rival less class.  The bits of one tree stand side by side, the heaviest terminal lowest, with a guard bit above
them: one subtraction then finds the heaviest of each tree that is left, and a few masks add up what it falls short of the
heaviest that the tree has at all.  A tree whose terminals all weigh the same is left out.
"""

from __future__ import annotations

from xpgcheck.model.combination import Lead
from xpgcheck.xpg.ensembles.places import EnsemblePlaces, Rows, TerminalPath, rows_of

DIGITS = 14
"""Binary digits to which a shortfall is added up; what is cut off is in favour of the rival."""


Weighed = tuple[int, Rows]
"""A terminal, or a part of it that has one row of places of each feature: its weight, and these rows."""


class RivalTerminals:
    """The terminals of an ensemble for one class and one rival, of all instances or of one question.

    ``room`` is by how much the terminals of all trees may fall short together where the rival can still win; it wins for
    certain where they fall short by ``enough`` at most.
    """

    def __init__(self, trees: list[list[Weighed]], constant: int, lead: Lead, shift: int | None = None) -> None:
        """Lay out the terminals of *trees*, to which *constant* is added.  What is cut off of weights is 2 ** *shift*.

        Linear in the terminals, times the length of a number with a bit for each.
        """
        self.lead = lead
        self.constant = constant
        self.trees: list[list[Weighed]] = []
        for terminals in trees:
            if len({weight for weight, _ in terminals}) == 1:
                self.constant += terminals[0][0]
            else:
                self.trees.append(sorted(terminals, key=_lightest_last))
        spread = max((terminals[0][0] - terminals[-1][0] for terminals in self.trees), default=0)
        self.shift = max(0, spread.bit_length() - DIGITS) if shift is None else shift
        most = self.constant + sum(terminals[0][0] for terminals in self.trees)
        self.room = (most - lead.may) >> self.shift
        self.enough = ((most - lead.must) >> self.shift) - len(self.trees)
        self._lay_out()

    def _lay_out(self) -> None:
        self.at_bit: list[Weighed | None] = []
        self.guards = self.floors = self.all = 0
        planes: dict[int, int] = {}
        for terminals in self.trees:
            offset = len(self.at_bit)
            self.floors |= 1 << offset
            heaviest = terminals[0][0]
            for terminal in terminals:
                bit = 1 << len(self.at_bit)
                short = (heaviest - terminal[0]) >> self.shift
                while short:
                    digit = short.bit_length() - 1
                    planes[digit] = planes.get(digit, 0) | bit
                    short ^= 1 << digit
                self.at_bit.append(terminal)
            self.all |= (1 << len(self.at_bit)) - (1 << offset)
            self.guards |= 1 << len(self.at_bit)
            self.at_bit.append(None)
        self.planes = list(planes.items())
        tested: dict[int, list[int]] = {}
        for index, held in enumerate(self.at_bit):
            if held is not None:
                for feature in held[1]:
                    tested.setdefault(feature, []).append(index)
        self.below: dict[int, list[int]] = {}
        self.above: dict[int, list[int]] = {}
        for feature in sorted(tested):
            self._index(feature, tested[feature])

    def _index(self, feature: int, tested: list[int]) -> None:
        """Note, of each place, the terminals that hold somewhere below it, and those that hold at it or above."""
        starts: dict[int, int] = {}
        ends: dict[int, int] = {}
        anywhere = self.all
        for index in tested:
            terminal = self.at_bit[index]
            assert terminal is not None
            first, behind = terminal[1][feature]
            bit = 1 << index
            starts[first] = starts.get(first, 0) | bit
            ends[behind] = ends.get(behind, 0) | bit
            anywhere ^= bit
        last = max(*starts, *ends)
        found = anywhere
        below = [found]
        for place in range(last):
            found |= starts.get(place, 0)
            below.append(found)
        found = anywhere
        above = [found]
        for place in range(last, 0, -1):
            found |= ends.get(place, 0)
            above.append(found)
        above.reverse()
        self.below[feature], self.above[feature] = below, above

    def at(self, feature: int, place: int) -> int:
        """Return the terminals that hold at a place of a feature that is tested."""
        return self.below_place(feature, place + 1) & self.above_place(feature, place)

    def below_place(self, feature: int, place: int) -> int:
        """Return the terminals that hold somewhere below *place* of a feature that is tested."""
        below = self.below[feature]
        return below[min(place, len(below) - 1)]

    def above_place(self, feature: int, place: int) -> int:
        """Return the terminals that hold at *place* of a feature that is tested, or above."""
        above = self.above[feature]
        return above[min(place, len(above) - 1)]

    def within(self, left: int, fixed: int) -> list[list[Weighed]]:
        """Return of each tree the terminals *left* alone, where the features *fixed* need not be looked at any more."""
        trees: list[list[Weighed]] = [[]]
        for held in self.at_bit:
            if held is None:
                trees.append([])
            elif left & 1:
                weight, rows = held
                trees[-1].append((weight, {f: row for f, row in rows.items() if not fixed >> f & 1}))
            left >>= 1
        return trees[:-1]

    def short(self, left: int) -> int:
        """Return by how much the heaviest of the terminals *left* of each tree fall short, at least."""
        low = left & ~((left | self.guards) - self.floors)
        total = 0
        for digit, plane in self.planes:
            total += (low & plane).bit_count() << digit
        return total

    def heaviest(self, left: int) -> list[Weighed]:
        """Return the heaviest of the terminals *left* of each tree."""
        low = left & ~((left | self.guards) - self.floors)
        found = []
        at_bit = self.at_bit
        while low:
            bit = low & -low
            low ^= bit
            terminal = at_bit[bit.bit_length() - 1]
            assert terminal is not None
            found.append(terminal)
        return found


def terminals_of_rival(places: EnsemblePlaces, own: int, rival: int) -> RivalTerminals:
    """Return the terminals of an ensemble for the class *own* and a *rival*.  Linear in the paths."""
    tally = places.ensemble.tally
    trees = []
    for rows, paths in zip(tally.rows, places.paths, strict=True):
        weights = [row[rival] - row[own] for row in rows]
        trees.append([(weights[path.answer], box) for path in paths for box in rows_of(path)])
    constant, lead = tally.base[rival] - tally.base[own], tally.lead(own, rival)
    if places.rules:
        # Where nothing can occur, a terminal is too light for the rival to win with it, at any precision.
        most = constant + sum(max(weight for weight, _ in terminals) for terminals in trees) - lead.may
        spread = max(max(weight for weight, _ in own) - min(weight for weight, _ in own) for own in trees)
        too_light = -max(2 * most + 2, spread + 1, 1)
        for rule in places.rules:
            paths = [TerminalPath(0 if occurs else 1, tested) for occurs, tested in rule]
            trees.append([((0, too_light)[path.answer], box) for path in paths for box in rows_of(path)])
    return RivalTerminals(trees, constant, lead)


def _lightest_last(terminal: Weighed) -> int:
    return -terminal[0]
