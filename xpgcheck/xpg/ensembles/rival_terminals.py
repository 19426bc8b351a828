"""The terminals of an ensemble as bits of one number, sorted by how much they speak for one rival of a class.

What matters is how far the rival's sum is ahead of that of the class.  Each tree adds the weight of the terminal that is
reached, rival less class.  The bits of one tree stand side by side, the heaviest terminal lowest, with a guard bit above
them: one subtraction then finds the heaviest of each tree that is left, and a few masks add up what it falls short of the
heaviest that the tree has at all.  A tree whose terminals all weigh the same is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xpgcheck.xpg.ensembles.places import EnsemblePlaces, Rows, rows_of

DIGITS = 14
"""Binary digits to which a shortfall is added up; what is cut off is in favour of the rival."""


class RivalTerminal(NamedTuple):
    """A terminal, or a part of it that has one row of places of each feature: its tree, its weight, its shortfall."""

    tree: int
    weight: int
    short: int
    rows: Rows


class RivalTerminals:
    """The terminals of an ensemble for one class and one rival, for every instance.

    ``room`` is by how much the terminals of all trees may fall short together where the rival can still win.
    """

    def __init__(self, places: EnsemblePlaces, own: int, rival: int) -> None:
        """Lay the terminals out.  Linear in the paths, times the length of a number with a bit for each."""
        tally = places.ensemble.tally
        lead = tally.lead(own, rival)
        self.may, self.must = lead.may, lead.must
        self.constant = tally.base[rival] - tally.base[own]
        weighed: list[list[tuple[int, Rows]]] = []
        for rows, paths in zip(tally.rows, places.paths, strict=True):
            own_weights = [row[rival] - row[own] for row in rows]
            terminals = [(own_weights[path.answer], box) for path in paths for box in rows_of(path)]
            if len({weight for weight, _ in terminals}) == 1:
                self.constant += terminals[0][0]
                continue
            terminals.sort(key=lambda terminal: -terminal[0])
            weighed.append(terminals)
        most = [terminals[0][0] for terminals in weighed]
        spread = max((terminals[0][0] - terminals[-1][0] for terminals in weighed), default=0)
        self.shift = max(0, spread.bit_length() - DIGITS)
        self.room = (self.constant + sum(most) - self.may) >> self.shift
        self._lay_out(weighed, [feature.count for feature in places.features])

    def _lay_out(self, weighed: list[list[tuple[int, Rows]]], counts: Sequence[int]) -> None:
        self.at_bit: list[RivalTerminal | None] = []
        self.guards = self.floors = self.all = 0
        self.fields: list[tuple[int, int, list[int]]] = []
        planes = [0] * (DIGITS + 1)
        for tree, terminals in enumerate(weighed):
            offset = len(self.at_bit)
            self.floors |= 1 << offset
            shorts = [(terminals[0][0] - weight) >> self.shift for weight, _ in terminals]
            for (weight, rows), short in zip(terminals, shorts, strict=True):
                bit = 1 << len(self.at_bit)
                self.at_bit.append(RivalTerminal(tree, weight, short, rows))
                for digit in range(short.bit_length()):
                    if short >> digit & 1:
                        planes[digit] |= bit
            self.fields.append((offset, len(terminals), shorts))
            self.all |= (1 << len(self.at_bit)) - (1 << offset)
            self.guards |= 1 << len(self.at_bit)
            self.at_bit.append(None)
        self.planes = [(digit, plane) for digit, plane in enumerate(planes) if plane]
        self.tested: list[int] = sorted({f for terminal in self.at_bit if terminal for f in terminal.rows})
        self.below: dict[int, list[int]] = {}
        self.above: dict[int, list[int]] = {}
        for feature in self.tested:
            self._index(feature, counts[feature])

    def _index(self, feature: int, count: int) -> None:
        """Note, of each place, the terminals that hold somewhere below it, and those that hold at it or above."""
        starts: list[list[int]] = [[] for _ in range(count + 1)]
        ends: list[list[int]] = [[] for _ in range(count + 1)]
        anywhere = bytearray(self.all.to_bytes(len(self.at_bit) // 8 + 1, "little"))
        for index, terminal in enumerate(self.at_bit):
            if terminal is not None and feature in terminal.rows:
                first, behind = terminal.rows[feature]
                starts[first].append(index)
                ends[behind].append(index)
                anywhere[index >> 3] &= ~(1 << (index & 7))
        found = int.from_bytes(anywhere, "little")
        below = [found]
        for place in range(count):
            for index in starts[place]:
                found |= 1 << index
            below.append(found)
        found = int.from_bytes(anywhere, "little")
        above = [found]
        for place in range(count, 0, -1):
            for index in ends[place]:
                found |= 1 << index
            above.append(found)
        above.reverse()
        self.below[feature], self.above[feature] = below, above

    def short(self, left: int) -> int:
        """Return by how much the heaviest of the terminals *left* of each tree fall short, at least."""
        low = left & ~((left | self.guards) - self.floors)
        total = 0
        for digit, plane in self.planes:
            total += (low & plane).bit_count() << digit
        return total

    def heaviest(self, left: int) -> list[RivalTerminal]:
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

    def ahead(self, left: int) -> int:
        """Return by how much the rival is ahead with the heaviest of the terminals *left*, exactly."""
        return self.constant + sum(terminal.weight for terminal in self.heaviest(left))
