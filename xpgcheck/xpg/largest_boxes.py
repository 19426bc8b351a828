"""All inflated AXps over the features of one AXp: every largest box, in the manner of Algorithm 4.

A SAT solver proposes which cells a box has, sets of ordered features as runs.  If every point there has the prediction, the
box grows to a largest one, and whatever lies inside that is not proposed again; else a point of another class says which
cells no box has together.  At most one question a largest box, one a point, and one that there are no more.

Values that are excluded are a hitting set: a box has one class iff of each point of another class it lacks some value.  So
the values outside largest boxes are the minimal hitting sets of the changes that are minimal in values, and these of those
(the duality of inflated AXps and CXps, Izza et al. 2024, cell by cell).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from xpgcheck.arguments import INDICES, takes
from xpgcheck.errors import InputError, UndecidedError
from xpgcheck.model.boxes import Box, union_of_cells
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import IntervalSet, ValueSet
from xpgcheck.model.values import Point
from xpgcheck.xpg.ensembles.places import FeaturePlaces
from xpgcheck.xpg.explanation_graph import indices
from xpgcheck.xpg.graph_boxes import CellBox, box_at, one_piece
from xpgcheck.xpg.inflation import CLASSIFIER, POINT, members_in_order, own_class
from xpgcheck.xpg.tree_boxes import ShutPaths

if TYPE_CHECKING:
    from xpgcheck.xpg.ensembles.deciding import Allowance
    from xpgcheck.xpg.ensembles.inflation import BoxDecider

Cells = dict[int, int]
"""The cells that a box has, as bits, for each feature of an AXp."""


class BoxQuestioner(Protocol):
    """Answers for boxes of cells around a point, of which all other features are free."""

    def changed(self, box: Cells) -> Cells | None:
        """Return cells of *box* that no box of one class has all of, the point's own left out; None where it has one class.

        Mostly they are those of a point of another class, one of each feature on which it differs.  Raises
        ``UndecidedError``.
        """

    def grown(self, box: Cells) -> Cells:
        """Return a largest box around *box*, which has one class."""


class LargestBoxes:
    """An enumeration of all inflated AXps over one AXp, to be iterated once; none comes twice.

    ``complete`` becomes true where it ends because there are no more; ``reason`` says why it ended before.
    """

    @takes(graph=CLASSIFIER, point=POINT, axp=INDICES)
    def __init__(
        self,
        graph: DecisionGraph | Ensemble,
        point: Point,
        axp: Iterable[int],
        *,
        allowance: Allowance | None = None,
        decider: BoxDecider | None = None,
    ) -> None:
        """Prepare for *axp*, a weak AXp of *graph* at *point*.  Raises ``InputError`` where it does not suffice.

        Under a constraint as :func:`~xpgcheck.xpg.inflation.inflate_axp`.
        """
        own_class(graph, point)
        self.complete = False
        self.reason = ""
        self._growing = members_in_order(graph, axp)
        self._cells = graph.cells
        places = [FeaturePlaces(graph.cells[i]).of(point[i]) for i in self._growing]
        self._at = dict(zip(self._growing, places, strict=True))
        if isinstance(graph, Ensemble):
            from xpgcheck.xpg.ensembles.inflation import EnsembleQuestioner

            self._ask: BoxQuestioner = EnsembleQuestioner(graph, point, self._growing, allowance, decider)
        else:
            self._ask = _GraphQuestioner(graph, point, self._growing)
        if self._ask.changed({i: 1 << place for i, place in self._at.items()}) is not None:
            raise InputError("these features do not suffice for the prediction", mend="give a weak AXp")

    def __iter__(self) -> Iterator[Box]:
        from pysat.solvers import Solver

        with Solver(name="minisat22") as solver:
            proposed = _Proposals(solver, self._cells, self._at)
            while (box := proposed.next()) is not None:
                try:
                    changed = self._ask.changed(box)
                    if changed is not None:
                        proposed.without_all(changed)
                        continue
                    largest = self._ask.grown(box)
                except UndecidedError as error:
                    self.reason = error.problem
                    return
                proposed.beyond(largest)
                yield {i: union_of_cells(self._cells[i], bits) for i, bits in largest.items()}
        self.complete = True


class _Proposals:
    """The SAT solver's view: a variable per cell, true where a box has it; a box has the point's own cells anyway."""

    def __init__(self, solver: Any, cells: Sequence[tuple[ValueSet, ...]], at: Cells) -> None:
        self._solver = solver
        self._at = at
        self._first: dict[int, int] = {}
        self._count = {i: len(cells[i]) for i in at}
        self._last = 0
        for i, place in at.items():
            self._first[i] = self._last + 1
            self._last += self._count[i]
            solver.add_clause([self._first[i] + place])
        boxes = self._last
        for i in at:
            self._as_a_run(i, cells[i])
        # Few cells at first: boxes that have one class come soon, and grow.
        solver.set_phases([-variable for variable in range(1, boxes + 1)])

    def next(self) -> Cells | None:
        """Return a box that nothing forbids so far; None where there is none."""
        if not self._solver.solve():
            return None
        true = {literal for literal in self._solver.get_model() or () if literal > 0}
        return {i: sum(1 << k for k in range(self._count[i]) if first + k in true) for i, first in self._first.items()}

    def without_all(self, changed: Cells) -> None:
        """Propose no box that has all these cells."""
        self._solver.add_clause([-(self._first[i] + cell) for i, cells in changed.items() for cell in indices(cells)])

    def beyond(self, largest: Cells) -> None:
        """Propose no box inside *largest*."""
        self._solver.add_clause(
            [first + k for i, first in self._first.items() for k in range(self._count[i]) if not largest[i] >> k & 1]
        )

    def _as_a_run(self, feature: int, split: tuple[ValueSet, ...]) -> None:
        """Demand that the numbers in a set follow one another."""
        if not isinstance(split[0], IntervalSet):
            return
        first, own = self._first[feature], self._at[feature]
        count = sum(isinstance(cell, IntervalSet) and bool(cell.cuts) for cell in split)
        if own < count:
            for k in range(count - 1):
                # What is farther from the own cell takes what is nearer.
                self._solver.add_clause([-(first + k + 1), first + k] if k >= own else [-(first + k), first + k + 1])
            return
        # The point has no value: of any run, once it has ended nothing follows.
        ended = range(self._last + 1, self._last + count + 1)
        self._last += count
        for k in range(count - 1):
            self._solver.add_clause([-(first + k), first + k + 1, ended[k + 1]])
            self._solver.add_clause([-ended[k], ended[k + 1]])
        for k in range(count):
            self._solver.add_clause([-ended[k], -(first + k)])


class _GraphQuestioner:
    """Answers for boxes of a decision graph."""

    def __init__(self, graph: DecisionGraph, point: Point, growing: Sequence[int]) -> None:
        self._graph = graph
        self._growing = growing
        self._at = [FeaturePlaces(split).of(value) for split, value in zip(graph.cells, point, strict=True)]
        self._own = graph.kappa(point)

    def changed(self, box: Cells) -> Cells | None:
        """Return the cells of a point of another class in *box*, of those on which it differs from the point.

        One traversal a feature; of a tree, a look at all paths.
        """
        open_box = self._opened(box)
        if not open_box.is_open:
            return None
        if isinstance(open_box, ShutPaths):
            found = [self._nearest(left, box) for left in open_box.open_paths()]
            return min(found, key=len)
        chosen = {}
        for feature in self._growing:
            cell = self._near(feature, open_box.bad(feature) & box[feature])
            open_box.grow(feature, 1 << cell)
            if cell != self._at[feature]:
                chosen[feature] = 1 << cell
        return chosen

    def grown(self, box: Cells) -> Cells:
        """Return a largest box around *box*, the first feature's set first."""
        open_box, largest = self._opened(box), dict(box)
        for feature in self._growing:
            split = self._graph.cells[feature]
            good = (1 << len(split)) - 1 & ~open_box.bad(feature)
            largest[feature] = one_piece(split, self._at[feature], good, box[feature])
            open_box.grow(feature, largest[feature])
        return largest

    def _opened(self, box: Cells) -> CellBox:
        found = box_at(self._graph, self._at, self._own, self._growing, free=True)
        for feature, cells in box.items():
            found.grow(feature, cells)
        return found

    def _nearest(self, left: Cells, box: Cells) -> Cells:
        """Return of a path that leaves the cells *left* those of its nearest point in *box*, where it differs."""
        pairs = [(i, self._near(i, left[i] & box[i])) for i in self._growing if i in left]
        return {i: 1 << cell for i, cell in pairs if cell != self._at[i]}

    def _near(self, feature: int, cells: int) -> int:
        """Return the one of *cells* that is nearest to the point's own."""
        own = self._at[feature]
        above = cells >> own
        if above & 1:
            return own
        below = (cells & (1 << own) - 1).bit_length() - 1
        if not above:
            return below
        nearest = own + (above & -above).bit_length() - 1
        return nearest if below < 0 or nearest - own <= own - below else below
