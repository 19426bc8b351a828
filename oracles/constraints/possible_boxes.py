"""Eq. 1 and Eq. 2 of an ensemble under a constraint, by boxes: what is left free is split until each part is decided.

A *box* has some values of each feature.  In every tree the terminals that some point of the box reaches are looked up; a
rival's lead over the class of the instance is at most the sum of what each tree gives it most, and at least of what each
gives it least, in whole numbers of the ensemble's tally (votes are sums, too).  The box is checked likewise
against the constraint: whether all of it, some or none of it can occur.

A box is done where no rival can win in it or nothing of it can occur, and shows a change where all of it can occur and a
rival wins everywhere.  Else it is split by the first literal, of a tree or the constraint, that parts it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import WITHIN_ROUNDING, Answer
from xpgcheck.oracles.ensembles.boxes import FeatureRow

MAX_BOXES = 5_000
"""Boxes that one question may take; beyond, it stays open."""

Masks = list[int]
"""The places in a box of each feature, as bits."""

Step = int | tuple[int, tuple[tuple[int, int], ...]]
"""A node of a graph: its class, or its feature with the places of each edge and where it leads."""

Cut = tuple[int, int]
"""A feature and the places of a literal, by which a box can be split."""


class PossibleBoxes:
    """An ensemble and a constraint over rows of places, for every instance."""

    def __init__(self, ensemble: Ensemble, constraint: Constraint) -> None:
        self.ensemble = ensemble
        sets: list[list[ValueSet]] = [[] for _ in ensemble.features]
        for feature, values in itertools.chain(constraint.literals(), *(tree.literals for tree in ensemble.trees)):
            sets[feature].append(values)
        self.rows = [FeatureRow(feature.domain, own) for feature, own in zip(ensemble.features, sets, strict=True)]
        self.trees = [self._steps(tree) for tree in ensemble.trees]
        self.graph = None if constraint.graph is None else self._steps(constraint.graph)
        self.allowed = -1 if constraint.graph is None else constraint.graph.classes.index("allowed")
        self.clauses = [
            [(feature, self.rows[feature].places(values)) for feature, values in clause.literals]
            for clause in constraint.clauses
        ]

    def _steps(self, graph: DecisionGraph) -> list[Step]:
        found: list[Step] = []
        for node, feature in enumerate(graph.feature_of):
            if feature < 0:
                found.append(graph.class_of[node])
            else:
                edges = graph.edges(node)
                found.append((feature, tuple((self.rows[feature].places(values), child) for child, values in edges)))
        return found

    def at(self, point: Point, most: int = MAX_BOXES) -> PossibleBoxesOracle:
        """Return the oracle for the instance *point*, which looks at *most* boxes a question."""
        return PossibleBoxesOracle(self, point, most)

    @staticmethod
    def reached(steps: Sequence[Step], box: Masks) -> tuple[set[int], Cut | None]:
        """Return the classes of the terminals of a graph that edges lead to in *box*, and a cut where the walk forks."""
        classes: set[int] = set()
        seen, stack = {0}, [0]
        cut: Cut | None = None
        while stack:
            step = steps[stack.pop()]
            if not isinstance(step, tuple):
                classes.add(step)
                continue
            feature, edges = step
            for places, child in edges:
                if places & box[feature]:
                    if cut is None and box[feature] & ~places:
                        cut = feature, places
                    if child not in seen:
                        seen.add(child)
                        stack.append(child)
        return classes, cut

    def possible(self, box: Masks) -> tuple[bool | None, Cut | None]:
        """Tell whether all of *box* can occur, or none of it; None where neither is known, with a cut."""
        whole, cut = True, None
        for clause in self.clauses:
            live = [(feature, places) for feature, places in clause if places & box[feature]]
            if not live:
                return False, None
            if any(not box[feature] & ~places for feature, places in live):
                continue
            whole, cut = False, cut or live[0]
        if self.graph is not None:
            classes, fork = self.reached(self.graph, box)
            if self.allowed not in classes:
                return False, None
            if len(classes) > 1:
                whole, cut = False, cut or fork
        return (True, None) if whole else (None, cut)


class PossibleBoxesOracle:
    """The oracle of one instance, by splitting boxes."""

    name = "boxes of what can occur"
    engine = "boxes"

    def __init__(self, boxes: PossibleBoxes, point: Point, most: int) -> None:
        self._boxes = boxes
        self._point = point
        self._most = most
        ensemble = boxes.ensemble
        self._own = ensemble.kappa(point)
        self._settled = ensemble.is_settled(point)
        self._places = [row.place(value) for row, value in zip(boxes.rows, point, strict=True)]
        tally, own = ensemble.tally, self._own
        self._rivals = [
            (rival, tally.base[rival] - tally.base[own], tally.lead(own, rival))
            for rival in range(len(ensemble.classes))
            if rival != own
        ]

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Tell whether some point that can occur agrees with the instance on *fixed* and has another class."""
        if not self._settled:
            return Answer(None, None, self.name, WITHIN_ROUNDING)
        chosen = frozenset(fixed)
        pairs = enumerate(zip(self._boxes.rows, self._places, strict=True))
        stack = [[1 << place if i in chosen else (1 << row.count) - 1 for i, (row, place) in pairs]]
        near = False
        for _ in range(self._most):
            if not stack:
                return Answer(None if near else False, None, self.name, WITHIN_ROUNDING if near else "")
            box = stack.pop()
            possible, cut = self._boxes.possible(box)
            if possible is False:
                continue
            wins, fork = self._wins(box)
            if wins is False:
                continue
            cut = cut or fork
            if cut is None:
                if wins:
                    return Answer(True, self._point_of(box), self.name)
                near = True
                continue
            feature, places = cut
            parts = box[feature] & places, box[feature] & ~places
            stack += [[part if i == feature else own for i, own in enumerate(box)] for part in parts]
        return Answer(None, None, self.name, f"more than {self._most:,} boxes")

    def _wins(self, box: Masks) -> tuple[bool | None, Cut | None]:
        """Tell whether a rival wins everywhere in *box*, or nowhere; None where neither is known, with a cut if any."""
        boxes, tally = self._boxes, self._boxes.ensemble.tally
        rows, cut = [], None
        for steps, outputs in zip(boxes.trees, tally.rows, strict=True):
            classes, fork = boxes.reached(steps, box)
            rows.append([outputs[c] for c in classes])
            if len(classes) > 1:
                cut = cut or fork
        perhaps = False
        for rival, start, lead in self._rivals:
            gains = [[row[rival] - row[self._own] for row in own] for own in rows]
            if start + sum(map(min, gains)) >= lead.must:
                return True, None
            perhaps = perhaps or start + sum(map(max, gains)) >= lead.may
        return (None, cut) if perhaps else (False, None)

    def _point_of(self, box: Masks) -> Point:
        """Return a point of *box* that has the values of the instance where it can."""
        values = list(self._point)
        for feature, (own, place) in enumerate(zip(box, self._places, strict=True)):
            if not own >> place & 1:
                values[feature] = self._boxes.rows[feature].value((own & -own).bit_length() - 1)
        return tuple(values)
