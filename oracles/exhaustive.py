"""The ground truth of last resort: κ at every point that the graph's literals can tell apart.

Two values of a feature that are in exactly the same literals cannot be told apart by the graph.  For each tested
feature a list of candidate values hits every such *kind* of value: of a finite domain all values; of an ordered one
each end of each interval, what lies next to it on the grid, a point between neighbouring ends and one beyond them.
One candidate per kind is kept; their combinations are the cells of feature space.

Self-made on purpose (see the independence rule in the design): neither the model's cells nor any set operation is used,
only ``value in values``, the ends of intervals and a walk of the edges.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean, Categorical, Domain, Float32, Float64, Integer, contains
from xpgcheck.model.value_sets import IntervalSet, ValueSet
from xpgcheck.model.values import MISSING, Point, Value
from xpgcheck.oracles.answers import Answer
from xpgcheck.oracles.float_ranks import FloatRanks, ranks_of

DEFAULT_LIMIT = 100_000


def representatives(domain: Domain, literals: Iterable[ValueSet]) -> list[Value]:
    """Return values of *domain* such that every value is in exactly the *literals* of one of them, and only of one.

    Raises nothing; the list is never empty.  O(c log c) candidates for c interval ends (values), each tried in every
    literal.
    """
    return list(_kinds(domain, tuple(literals)).values())


@functools.lru_cache(maxsize=256)
def _kinds(domain: Domain, literals: tuple[ValueSet, ...]) -> dict[tuple[bool, ...], Value]:
    """Return one value of each kind, by which of *literals* hold for it.  Kept: many graphs share a feature's literals."""
    kinds: dict[tuple[bool, ...], Value] = {}
    for value in _candidates(domain, literals):
        if contains(domain, value):
            kinds.setdefault(tuple([value in s for s in literals]), value)
    return kinds


def _candidates(domain: Domain, sets: Sequence[ValueSet]) -> Iterator[Value]:
    if isinstance(domain, Boolean):
        yield from (False, True)
        return
    if isinstance(domain, Categorical):
        yield from domain.values
        return
    ends = {end for s in sets if isinstance(s, IntervalSet) for i in s.intervals() for end in (i.low, i.high)}
    if isinstance(domain, (Float32, Float64)):
        if domain.missing:
            yield MISSING
        line_of = ranks_of(domain)
        ranks = sorted({r for end in ends if end is not None for r in _ranks_around(end, line_of)} | {0})
        yield from (line_of.number_at(r) for r in ranks if abs(r) <= line_of.last)
        return
    ends |= {None if bound is None else Fraction(bound) for bound in (domain.low, domain.high)}
    line = sorted(end for end in ends if end is not None) or [Fraction(0)]
    if isinstance(domain, Integer):
        if domain.missing:
            yield MISSING
        for end in line:
            yield from range(math.floor(end) - 1, math.ceil(end) + 2)
        return
    yield from line
    yield from ((low + high) / 2 for low, high in itertools.pairwise(line))
    yield from (line[0] - 1, line[-1] + 1)


def _ranks_around(number: Fraction, line: FloatRanks) -> range:
    """Return the ranks of *number*'s neighbours, and of itself where it is on the line (bisection on the ranks)."""
    low, high = -line.last, line.last
    while low < high:
        middle = (low + high) // 2
        if line.number_at(middle) < number:
            low = middle + 1
        else:
            high = middle
    return range(low - 1, low + 2)


MAX_WORK = 2_000_000
"""Memberships that a table may look up while it is made (about a second); no table is made of larger graphs."""


class CellTable:
    """The kinds of values of each tested feature, and the class of each combination, made once a graph.

    Each part is made by the first question that needs it.
    """

    def __init__(self, graph: DecisionGraph) -> None:
        self.graph = graph
        literals: dict[int, list[ValueSet]] = {i: [] for i in sorted(set(graph.feature_of)) if i >= 0}
        # For each literal of the graph, its place among those of its feature.
        self._place: list[int] = []
        for literal in graph.literals:
            self._place.append(len(literals[literal.feature]))
            literals[literal.feature].append(literal.values)
        self.features = list(literals)
        self._literals = literals
        self._classes: list[int] | None = None

    @functools.cached_property
    def too_large(self) -> bool:
        """Whether making the table is not worth a try: the kinds of values alone would take more than ``MAX_WORK``."""
        work = 0
        for sets in self._literals.values():
            ends = sum(len(s.cuts) if isinstance(s, IntervalSet) else len(s.values) for s in sets)
            work += ends * len(sets)
        largest = max((len(sets) for sets in self._literals.values()), default=0)
        return max(work, largest * self.graph.node_count) > MAX_WORK

    @functools.cached_property
    def values(self) -> dict[int, list[Value]]:
        """One value of each kind, by feature."""
        return {i: list(kinds.values()) for i, kinds in self._kinds.items()}

    @functools.cached_property
    def _kinds(self) -> dict[int, dict[tuple[bool, ...], Value]]:
        return {i: _kinds(self.graph.features[i].domain, tuple(sets)) for i, sets in self._literals.items()}

    @functools.cached_property
    def size(self) -> int:
        """The number of combinations."""
        return math.prod(len(values) for values in self.values.values())

    @functools.cached_property
    def _kind_of(self) -> dict[int, dict[tuple[bool, ...], int]]:
        return {i: {held: k for k, held in enumerate(kinds)} for i, kinds in self._kinds.items()}

    @functools.cached_property
    def _next(self) -> list[tuple[int, list[int]] | None]:
        return self._steps()

    def kind(self, feature: int, value: Value) -> int:
        """Return which of ``values[feature]`` the graph cannot tell from *value*."""
        return self._kind_of[feature][tuple(value in s for s in self._literals[feature])]

    def classes(self) -> list[int]:
        """Return the class of every combination of kinds, the last feature running fastest.  O(size · depth), once."""
        if self._classes is None:
            kinds = [range(len(self.values[i])) for i in self.features]
            self._classes = [self.class_of(combination) for combination in itertools.product(*kinds)]
        return self._classes

    def class_of(self, kinds: tuple[int, ...]) -> int:
        """Return the class of a combination: follow the edges whose literal holds."""
        node = 0
        while True:
            step = self._next[node]
            if step is None:
                return self.graph.class_of[node]
            node = step[1][kinds[step[0]]]

    def _steps(self) -> list[tuple[int, list[int]] | None]:
        """Return of each node its feature's position and the child of each kind of value; None at a terminal."""
        position = {feature: k for k, feature in enumerate(self.features)}
        steps: list[tuple[int, list[int]] | None] = []
        for node, feature in enumerate(self.graph.feature_of):
            if feature < 0:
                steps.append(None)
                continue
            edges = [
                (child, self._place[index])
                for child, index in zip(self.graph.children[node], self.graph.literal_ids[node], strict=True)
            ]
            # A value that no edge takes cannot arrive here (assumption (i)): a walk there fails, as no node has this number.
            nowhere = self.graph.node_count
            children = [
                next((child for child, place in edges if held[place]), nowhere) for held in self._kinds[feature]
            ]
            steps.append((position[feature], children))
        return steps


class ExhaustiveOracle:
    """Eq. 1 and Eq. 2 by looking at every cell.

    Up to *limit* cells of the graph, the first question of an instance looks at all of them (O(cells)) and keeps, for
    each set of features in which a cell of another class differs from the instance, one such cell; a question is then
    a scan of the minimal ones.  Over the limit, a question is answered where its free features have at most *limit*
    cells, else "unknown".
    """

    name = "exhaustive"
    engine = "exhaustive"

    def __init__(self, table: CellTable | DecisionGraph, point: Point, limit: int = DEFAULT_LIMIT) -> None:
        self.table = table if isinstance(table, CellTable) else CellTable(table)
        self.limit = limit
        self._point = point
        self._class = self.table.graph.kappa(point)
        self._changes: list[tuple[int, int]] | None = None

    @functools.cached_property
    def _kinds(self) -> tuple[int, ...]:
        """The instance's cell; this oracle is often made and seldom asked."""
        return tuple(self.table.kind(i, self._point[i]) for i in self.table.features)

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Tell whether some point that agrees with the instance on *fixed* has another class."""
        chosen = set(fixed)
        if self.table.too_large:
            return Answer(None, None, self.name, "the graph has too many literals for a table of its cells")
        if self.table.size > self.limit:
            return self._scan(chosen)
        mask = 0
        for k, feature in enumerate(self.table.features):
            mask |= (feature in chosen) << k
        for change, row in self._minimal_changes():
            if not change & mask:
                return Answer(True, self._point_of(self._row(row)), self.name)
        return Answer(False, None, self.name)

    def _minimal_changes(self) -> list[tuple[int, int]]:
        """Return (features that differ as bits, row) of cells of another class, only minimal sets of features."""
        if self._changes is None:
            masks = [0]
            for k, (feature, own) in enumerate(zip(self.table.features, self._kinds, strict=True)):
                bits = [0 if kind == own else 1 << k for kind in range(len(self.table.values[feature]))]
                masks = [mask | bit for mask in masks for bit in bits]
            found: dict[int, int] = {}
            for row, (mask, class_index) in enumerate(zip(masks, self.table.classes(), strict=True)):
                if class_index != self._class:
                    found.setdefault(mask, row)
            self._changes = []
            for mask in sorted(found, key=int.bit_count):
                if not any(small & mask == small for small, _ in self._changes):
                    self._changes.append((mask, found[mask]))
        return self._changes

    def _point_of(self, kinds: tuple[int, ...]) -> Point:
        """Return a point of that combination that keeps the instance's value wherever it is of that kind."""
        values = list(self._point)
        for i, kind, own in zip(self.table.features, kinds, self._kinds, strict=True):
            if kind != own:
                values[i] = self.table.values[i][kind]
        return tuple(values)

    def _row(self, row: int) -> tuple[int, ...]:
        """Return the combination of kinds with that row number."""
        kinds = []
        for feature in reversed(self.table.features):
            row, kind = divmod(row, len(self.table.values[feature]))
            kinds.append(kind)
        return tuple(reversed(kinds))

    def _scan(self, fixed: set[int]) -> Answer:
        table = self.table
        choices = [
            (own,) if feature in fixed else tuple(range(len(table.values[feature])))
            for feature, own in zip(table.features, self._kinds, strict=True)
        ]
        cells = math.prod(map(len, choices))
        if cells > self.limit:
            return Answer(None, None, self.name, f"more cells than the limit of {self.limit}")
        for kinds in itertools.product(*choices):
            if table.class_of(kinds) != self._class:
                return Answer(True, self._point_of(kinds), self.name)
        return Answer(False, None, self.name)
