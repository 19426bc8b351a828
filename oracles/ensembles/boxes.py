"""Eq. 1 and Eq. 2 of an ensemble by boxes: what is left free is split until the votes of each part are decided.

A *box* has a row of neighbouring places of each feature.  The terminals that some point of a box may reach are the bits
of one number, those of one tree side by side, so that one addition counts the trees with such a terminal of some class.

**Bound.**  Every tree that can still vote for a rival does, and every tree that can leave the class of the instance does: if
the rival does not win even so, it wins nowhere in the box.  The other way round, a rival that wins although every tree that
can vote against it does wins everywhere in it.

**Split.**  Where neither decides, the box is cut in two at a place where some tree that is not settled goes two ways:
the one that leaves the rivals least.

Plain Python, no solver, nothing in common with the clauses but the ensemble itself.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Domain
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import Cut, FiniteSet, IntervalSet, ValueSet
from xpgcheck.model.values import MISSING, Point, Value
from xpgcheck.oracles.answers import Answer

MAX_BOXES = 20_000
"""Boxes that one question may take; beyond, it stays open."""

MAX_LEAVES = 200_000
"""Paths from roots to terminals, of all trees, up to which boxes are tried."""

MAX_BITS = 1_000_000_000
"""Terminals times places of features up to which boxes are tried: the bits of one of two tables, 125 MB."""

MAX_CUTS = 16
"""Cuts that are compared before a box is split."""


class FeatureRow:
    """The places of one feature: the gaps between the ends of literals, or the values of a finite domain, in a row."""

    def __init__(self, domain: Domain, sets: list[ValueSet]) -> None:
        whole = domain.all_values()
        self._missing = False
        self._ends: list[Cut] = []
        self._listed: list[Value] = []
        self._places: dict[ValueSet, int] = {}
        if isinstance(whole, FiniteSet):
            self._listed = sorted(whole.values, key=str)
            self.count = len(self._listed)
            return
        low, high = whole.cuts
        inside = {cut for values in sets if isinstance(values, IntervalSet) for cut in values.cuts if low < cut < high}
        self._grid = whole.grid
        self._ends = [low, *sorted(inside), high]
        self._missing = whole.missing
        self.count = len(self._ends) - 1 + self._missing

    def place(self, value: Value) -> int:
        """Return the place of *value*."""
        if self._listed:
            return self._listed.index(value)
        if value is MISSING:
            return self.count - 1
        location = self._grid.locate(value)
        assert isinstance(location, tuple)
        return bisect.bisect_right(self._ends, location) - 1

    def value(self, place: int) -> Value:
        """Return a value at *place*."""
        if self._listed:
            return self._listed[place]
        if self._missing and place == self.count - 1:
            return MISSING
        return IntervalSet(self._grid, (self._ends[place], self._ends[place + 1])).representative()

    def places(self, values: ValueSet) -> int:
        """Return the places whose values are in *values*, as bits."""
        known = self._places.get(values)
        if known is None:
            known = self._places[values] = self._found(values)
        return known

    def _found(self, values: ValueSet) -> int:
        if isinstance(values, FiniteSet):
            return sum(1 << k for k, value in enumerate(self._listed) if value in values.values)
        found = 1 << self.count - 1 if self._missing and values.missing else 0
        for low, high in zip(values.cuts[::2], values.cuts[1::2], strict=True):
            start, end = bisect.bisect_left(self._ends, low), bisect.bisect_left(self._ends, high)
            found |= (1 << min(end, len(self._ends) - 1)) - (1 << start)
        return found


def positions(bits: int) -> Iterator[int]:
    """Yield the places of the bits that are set, the lowest first."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


class Leaf(NamedTuple):
    """A terminal at the end of one path: the places of each feature on it, as bits."""

    places: dict[int, int]
    class_index: int


class Fork(NamedTuple):
    """A node of a tree: its feature, of each edge the terminals behind it as bits, and the places where edges change."""

    feature: int
    behind: tuple[tuple[int, int], ...]
    cuts: tuple[int, ...]


def rows_of(ensemble: Ensemble) -> list[FeatureRow]:
    """Return the places of each feature of *ensemble*, as the literals of all trees have them."""
    sets: list[list[ValueSet]] = [[] for _ in ensemble.features]
    for tree in ensemble.trees:
        for literal in tree.literals:
            sets[literal.feature].append(literal.values)
    return [FeatureRow(feature.domain, own) for feature, own in zip(ensemble.features, sets, strict=True)]


def paths_of(
    tree: DecisionGraph, rows: Sequence[FeatureRow], offset: int, most: int
) -> tuple[list[tuple[int, Leaf]], dict[int, Fork]] | None:
    """Return the terminals of *tree* with their bits, from *offset* on, and its forks; None where over *most*.

    One terminal for each path, with the places of each feature on it.  No recursion.
    """
    leaves: list[tuple[int, Leaf]] = []
    forks: dict[int, Fork] = {}
    # Where the same node is reached by several paths, each visit is a node of its own.
    visits: list[tuple[int, int, dict[int, int]]] = [(0, -1, {})]
    edges: list[list[int]] = []
    bits: list[int] = []
    for visit, (node, _, places) in enumerate(visits):
        edges.append([])
        bits.append(0)
        if tree.class_of[node] >= 0:
            if len(leaves) >= most:
                return None
            bits[visit] = 1 << (offset + len(leaves))
            leaves.append((bits[visit], Leaf(places, tree.class_of[node])))
            continue
        feature = tree.feature_of[node]
        row = rows[feature]
        before = places.get(feature, (1 << row.count) - 1)
        for child, values in tree.edges(node):
            left = before & row.places(values)
            if left:
                edges[visit].append(len(visits))
                visits.append((child, visit, {**places, feature: left}))
        if len(visits) > 4 * most:
            return None
    for visit in range(len(visits) - 1, 0, -1):
        bits[visits[visit][1]] |= bits[visit]
    for visit, (node, _, _) in enumerate(visits):
        if edges[visit]:
            feature = tree.feature_of[node]
            # Where the places of some edge begin, but at the first place.
            begins = 0
            for way in edges[visit]:
                own = visits[way][2][feature]
                begins |= own & ~(own << 1)
            behind = tuple((bits[way], way) for way in edges[visit])
            forks[visit] = Fork(feature, behind, tuple(positions(begins & ~1)))
    return leaves, forks


class Forest:
    """An ensemble as rows of places and terminals in bits, for every instance."""

    def __init__(self, ensemble: Ensemble) -> None:
        self.ensemble = ensemble
        self.rows = rows_of(ensemble)
        self.problem = ""
        self.everything = self.full = self.guards = 0
        self.of_class = [0] * len(ensemble.classes)
        self.forks: dict[int, dict[int, Fork]] = {}
        self.holes: list[dict[int, int]] = []
        self.starts: list[list[int]] = []
        self.stops: list[list[int]] = []
        leaves: list[tuple[int, Leaf]] = []
        offset = 0
        for tree in ensemble.trees:
            grown = paths_of(tree, self.rows, offset, MAX_LEAVES - len(leaves))
            if grown is None:
                self.problem = f"the trees have over {MAX_LEAVES:,} paths"
                return
            found, forks = grown
            leaves += found
            width = len(found)
            guard = 1 << (offset + width)
            self.full |= ((1 << width) - 1) << offset
            self.guards |= guard
            self.forks[guard] = forks
            offset += width + 1
        for bit, leaf in leaves:
            self.of_class[leaf.class_index] |= bit
        self.everything = self.full
        if offset * sum(row.count for row in self.rows) > MAX_BITS:
            self.problem = "the trees have too many terminals and thresholds"
        else:
            self._index(leaves)

    def _index(self, leaves: list[tuple[int, Leaf]]) -> None:
        """Note, of each place of each feature, the terminals whose places begin before it, or end at it or behind it.

        What lies between the first and the last place of a terminal and is none of its places is a hole.
        """
        for feature, row in enumerate(self.rows):
            starts, stops = [0] * (row.count + 1), [0] * row.count
            holes: dict[int, int] = {}
            anywhere = 0
            for bit, leaf in leaves:
                places = leaf.places.get(feature)
                if places is None:
                    anywhere |= bit
                    continue
                first, last = (places & -places).bit_length() - 1, places.bit_length() - 1
                starts[first + 1] |= bit
                stops[last] |= bit
                for place in positions((1 << last + 1) - (1 << first) & ~places):
                    holes[place] = holes.get(place, 0) | bit
            starts[0] |= anywhere
            stops[-1] |= anywhere
            for place in range(row.count):
                starts[place + 1] |= starts[place]
            for place in range(row.count - 2, -1, -1):
                stops[place] |= stops[place + 1]
            self.starts.append(starts)
            self.stops.append(stops)
            self.holes.append(holes)

    def reached_at(self, feature: int, place: int) -> int:
        """Return the terminals that can be reached at one place of a feature."""
        return self.starts[feature][place + 1] & self.stops[feature][place] & ~self.holes[feature].get(place, 0)

    def unsettled(self, terminals: int) -> int:
        """Return the guards of the trees that have *terminals* of several classes."""
        once = twice = 0
        for own in self.of_class:
            voting = ((terminals & own) + self.full) & self.guards
            twice |= once & voting
            once |= voting
        return twice

    def trees_with(self, terminals: int) -> int:
        """Return the number of trees that have one of *terminals*: a guard above each tree's bits takes the carry."""
        return ((terminals + self.full) & self.guards).bit_count()

    def at(self, point: Point, most: int = MAX_BOXES) -> ForestBoxOracle:
        """Return the oracle for the instance *point*, which looks at *most* boxes a question."""
        return ForestBoxOracle(self, point, most)


@dataclass(slots=True)
class OpenBox:
    """The first place and that behind the last of each feature that is free and tested; the terminals within."""

    ranges: dict[int, tuple[int, int]]
    terminals: int


class ForestBoxOracle:
    """The oracle of one instance, by splitting boxes."""

    name = "boxes"
    engine = "boxes"

    def __init__(self, forest: Forest, point: Point, most: int = MAX_BOXES) -> None:
        self._forest = forest
        self._point = point
        self._own = forest.ensemble.kappa(point)
        self._most = most
        self._trees = len(forest.ensemble.trees)
        self._places = [row.place(value) for row, value in zip(forest.rows, point, strict=True)]
        of_class = forest.of_class
        # For each rival: how far ahead it has to be, its terminals, and those against it.
        self._rivals = [
            (int(rival > self._own), terminals, forest.everything & ~terminals)
            for rival, terminals in enumerate(of_class)
            if rival != self._own
        ]
        self._kept = of_class[self._own]
        self._left = forest.everything & ~self._kept

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Tell whether some point that agrees with the instance on *fixed* has another class."""
        forest = self._forest
        if forest.problem:
            return Answer(None, None, self.name, forest.problem)
        terminals = forest.everything
        chosen = frozenset(fixed)
        for feature in chosen:
            terminals &= forest.reached_at(feature, self._places[feature])
        ranges = {i: (0, row.count) for i, row in enumerate(forest.rows) if i not in chosen and row.count > 1}
        stack = [OpenBox(ranges, terminals)]
        for _ in range(self._most):
            if not stack:
                return Answer(False, None, self.name)
            box = stack.pop()
            if self._ahead(box.terminals) < 0:
                continue
            if self._lost(box.terminals):
                return Answer(True, self._point_in(box), self.name)
            stack += self._halves(box)
        reason = f"more than {self._most:,} boxes"
        return Answer(None, None, self.name, reason) if stack else Answer(False, None, self.name)

    def _ahead(self, terminals: int) -> int:
        """Return by how many votes some rival may be beyond what it needs to win, at most; less than 0: none can win."""
        full, guards = self._forest.full, self._forest.guards
        leaving = (((terminals & self._left) + full) & guards).bit_count()
        most = -1
        for lead, own, _ in self._rivals:
            # Where there are two classes, every tree that leaves the one votes for the other.
            winning = leaving if own == self._left else (((terminals & own) + full) & guards).bit_count()
            most = max(most, winning + leaving - self._trees - lead)
        return most

    def _lost(self, terminals: int) -> bool:
        """Tell whether some rival wins at every point whose terminals are among *terminals*."""
        forest = self._forest
        against = self._trees - forest.trees_with(terminals & self._kept)
        return any(against - forest.trees_with(terminals & others) >= lead for lead, _, others in self._rivals)

    def _halves(self, box: OpenBox) -> Iterator[OpenBox]:
        """Yield the parts of *box* on either side of the best cut that are not decided, the last to be looked at first."""
        best: tuple[int, int] | None = None
        found: list[OpenBox] = []
        forest, terminals, ranges, ahead = self._forest, box.terminals, box.ranges, self._ahead
        for feature, place in self._cuts(box):
            low, high = ranges[feature]
            before, behind = terminals & forest.starts[feature][place], terminals & forest.stops[feature][place]
            if forest.holes[feature]:
                # For one place, it is known exactly what is reached there.
                before &= forest.reached_at(feature, low) if place - low == 1 else -1
                behind &= forest.reached_at(feature, place) if high - place == 1 else -1
            one, other = ahead(before), ahead(behind)
            score = (one, other) if one > other else (other, one)
            if best is None or score < best:
                best = score
                parts = ((one, (low, place), before), (other, (place, high), behind))
                found = [OpenBox({**ranges, feature: part}, left) for still, part, left in parts if still >= 0]
        return iter(found)

    def _cuts(self, box: OpenBox) -> Iterable[tuple[int, int]]:
        """Return (feature, place) pairs at which *box* can be split: where the trees that are not settled fork first."""
        found: dict[tuple[int, int], None] = {}
        forest = self._forest
        terminals, ranges = box.terminals, box.ranges
        unsettled = forest.unsettled(terminals)
        while unsettled and len(found) < MAX_CUTS:
            guard = unsettled & -unsettled
            unsettled ^= guard
            found.update(dict.fromkeys(cuts_of(forest.forks[guard], terminals, ranges)))
        return found or any_cut(ranges)

    def _point_in(self, box: OpenBox) -> Point:
        """Return a point of *box* that has the values of the instance where it can."""
        values = list(self._point)
        for feature, (low, high) in box.ranges.items():
            if not low <= self._places[feature] < high:
                values[feature] = self._forest.rows[feature].value(low)
        return tuple(values)


def cuts_of(
    forks: Mapping[int, Fork], terminals: int, ranges: Mapping[int, tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield (feature, place) pairs at which *ranges* can be split: where paths to *terminals* of one tree first part."""
    visit = 0
    while visit in forks:
        feature, behind, cuts = forks[visit]
        ways = [way for bits, way in behind if bits & terminals]
        if len(ways) > 1:
            low, high = ranges.get(feature, (0, 0))
            yield from ((feature, cut) for cut in cuts if low < cut < high)
            return
        visit = ways[0]


def any_cut(ranges: Mapping[int, tuple[int, int]]) -> list[tuple[int, int]]:
    """Return some cut of *ranges*, if there is one.

    It is asked for where terminals were kept that no point reaches: any cut brings that to light.
    """
    return [(feature, (low + high) // 2) for feature, (low, high) in ranges.items() if high - low > 1][:1]
