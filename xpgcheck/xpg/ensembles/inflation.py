"""Inflated explanations of ensembles: whether a box has one class alone is asked of the deciders of sets of features.

Ends of intervals are found by bisection: a larger box is never easier to keep.  Points of another class that came with an
answer settle every later box that has them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xpgcheck.errors import InputError, UndecidedError
from xpgcheck.model.boxes import cell_index, union_of_cells
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import IntervalSet, ValueSet
from xpgcheck.model.values import Point
from xpgcheck.xpg.ensembles.choose import prepared_once
from xpgcheck.xpg.ensembles.deciding import WITHIN_ROUNDING, Allowance, Decision
from xpgcheck.xpg.ensembles.explained import UNLIMITED, ExplainedEnsemble, mend_of
from xpgcheck.xpg.ensembles.sum_boxes import SumBoxes
from xpgcheck.xpg.ensembles.vote_solver import VoteSolver

Places = Mapping[int, int]
"""The places that a box leaves of some features, as bits by the feature's index."""

BoxDecider = VoteSolver | SumBoxes
"""The deciders of questions about an ensemble."""


class BoxQuestions:
    """Tells of boxes around *inside* whether all their points have its class, for certain."""

    def __init__(
        self,
        ensemble: Ensemble,
        inside: Point,
        allowance: Allowance = UNLIMITED,
        decider: BoxDecider | None = None,
        *,
        occurring: bool = False,
    ) -> None:
        """Ask about *ensemble*; ``asked`` counts the boxes that no earlier point settled.

        *decider* answers for it under a constraint, where there is one.  Where boxes are to be *occurring*, one that has a
        point that cannot occur is not constant.
        """
        self._occurring = occurring
        self.asked = 0
        self.within_rounding = False
        """Whether rounding left the last question open."""
        self._inside = inside
        self._allowance = allowance
        self._decider = decider or prepared_once(ensemble)
        self._explained = ExplainedEnsemble(self._decider.places, inside, self._decider.at(inside))
        self._own = self._decider.at(inside).own_places
        self._points: list[tuple[int, ...]] = []

    def constant(self, box: Places) -> bool:
        """Tell whether every point of *box* has the class of the point inside, whatever the rounding.

        Raises ``UndecidedError`` where that stays open for want of time.
        """
        if self._occurring and any(
            not occurs and all(bits & box.get(feature, bits) for feature, bits in tested.items())
            for rule in self._decider.places.rules
            for occurs, tested in rule
        ):
            return False
        return self.other(box) is None and not self.within_rounding

    def other(self, box: Places) -> tuple[int, ...] | None:
        """Return the places of a point of *box* of another class, None where there is none for certain.

        None, too, where rounding leaves that open: then ``within_rounding`` says so.  Raises as :meth:`constant`.
        """
        self.within_rounding = False
        for point in self._points:
            if all(bits >> point[i] & 1 for i, bits in box.items()):
                return point
        self.asked += 1
        if self._allowance.is_over():
            raise UndecidedError("whether a set can be larger stays open: the time is over", mend=mend_of(""))
        found = self._by_votes(box) if isinstance(self._decider, VoteSolver) else self._by_sums(box)
        if found.changed:
            # Where a place outside makes no difference, it stands for the own one.
            places = tuple(
                own if i in box and not box[i] >> place & 1 else place
                for i, (place, own) in enumerate(zip(found.places, self._own, strict=True))
            )
            mask = sum(1 << i for i, (place, own) in enumerate(zip(places, self._own, strict=True)) if place != own)
            if self._explained.other_class(self._explained.point_at(Decision(True, mask, places))) is None:
                raise UndecidedError("a point that should have another class has not", mend="report this")
            self._points.append(places)
            return places
        if found.changed is None and found.reason != WITHIN_ROUNDING:
            raise UndecidedError(f"whether a set can be larger stays open: {found.reason}", mend=mend_of(found.reason))
        self.within_rounding = found.changed is None
        return None

    def changes(self, places: Sequence[int]) -> bool:
        """Tell whether the point at *places* has another class, for certain.  It is evaluated."""
        point = self._explained.point_at(Decision(True, self._explained.everything, tuple(places)))
        return self._explained.other_class(point) is not None

    def _by_votes(self, box: Places) -> Decision:
        """Ask the one solver, of which the box is assumptions."""
        solver = self._decider
        assert isinstance(solver, VoteSolver)
        assumptions = [solver.some_rival(self._explained.prediction)]
        for feature, bits in box.items():
            assumptions += solver.among(feature, bits)
        answer = solver.solve(assumptions, self._allowance)
        if answer is None:
            return Decision(None, reason="the time is over" if self._allowance.is_over() else "too many conflicts")
        return Decision(True, 0, solver.model_places()) if answer else Decision(False)

    def _by_sums(self, box: Places) -> Decision:
        """Search the boxes of the paths as the box leaves them."""
        decider = SumBoxes(self._decider.places.within(box, self._own))
        return decider.at(self._inside).decide(0, self._allowance)


def grown_by_questions(
    ensemble: Ensemble,
    inside: Point,
    held: Places,
    order: Sequence[int],
    allowance: Allowance | None = None,
    decider: BoxDecider | None = None,
    *,
    occurring: bool = False,
) -> dict[int, ValueSet]:
    """Return of each feature of *order* a largest set of values around *inside* that leaves its class, in that order.

    *held* has the places of features that do not grow; all others are free.  Raises ``InputError`` where these do not
    suffice, ``UndecidedError`` where a question stays open.  Some log(cells) questions an ordered feature, else one a cell.
    """
    questions = BoxQuestions(ensemble, inside, allowance or UNLIMITED, decider, occurring=occurring)
    at = {i: cell_index(ensemble.cells[i], inside[i]) for i in order}
    box = {**held, **{i: 1 << place for i, place in at.items()}}
    if not questions.constant(box):
        raise InputError("these features do not suffice for the prediction", mend="give a weak AXp")
    for feature in order:
        box[feature] = _Growing(questions, box, feature, ensemble.cells[feature], at[feature]).around()
    return {i: union_of_cells(ensemble.cells[i], box[i]) for i in order}


def changes_by_questions(
    ensemble: Ensemble,
    inside: Point,
    loose: Sequence[int],
    allowance: Allowance | None = None,
    decider: BoxDecider | None = None,
) -> dict[int, int]:
    """Return of each feature of *loose* the places of points of another class that are at those of *inside* elsewhere.

    One question a place that is found, and one a feature.  Raises ``UndecidedError`` where one stays open.
    """
    questions = BoxQuestions(ensemble, inside, allowance or UNLIMITED, decider)
    cells = ensemble.cells
    held = {i: 1 << cell_index(cells[i], v) for i, v in enumerate(inside) if i not in loose}
    found = {}
    for feature in loose:
        left = whole = (1 << len(cells[feature])) - 1
        while left and (point := questions.other({**held, feature: left})) is not None:
            left &= ~(1 << point[feature])
        if questions.within_rounding:
            raise UndecidedError(
                f"which values change the class stays open: {WITHIN_ROUNDING}", mend=mend_of(WITHIN_ROUNDING)
            )
        found[feature] = whole & ~left
    return found


class EnsembleQuestioner:
    """Answers for boxes of an ensemble around a point, of which all features but some are free."""

    def __init__(
        self,
        ensemble: Ensemble,
        point: Point,
        growing: Sequence[int],
        allowance: Allowance | None = None,
        decider: BoxDecider | None = None,
    ) -> None:
        """Prepare for boxes of the features *growing*."""
        self._questions = BoxQuestions(ensemble, point, allowance or UNLIMITED, decider)
        self._ensemble = ensemble
        self._growing = growing
        self._at = {i: cell_index(ensemble.cells[i], point[i]) for i in growing}

    def changed(self, box: Places) -> dict[int, int] | None:
        """Return places of *box* that no box of one class has all of, but the point's own; None where it has one class.

        Those of a point of another class, or all of the box's where rounding leaves it open.  Raises ``UndecidedError``.
        """
        found = self._questions.other(box)
        if found is None:
            if not self._questions.within_rounding:
                return None
            # No larger box is certain either.
            return {i: bits & ~(1 << self._at[i]) for i, bits in box.items()}
        places = list(found)
        for i in self._growing:
            other = places[i]
            if other != self._at[i]:
                places[i] = self._at[i]
                if not self._questions.changes(places):
                    places[i] = other
        return {i: 1 << places[i] for i in self._growing if places[i] != self._at[i]}

    def grown(self, box: Places) -> dict[int, int]:
        """Return a largest box around *box*, the first feature's set first.  Raises ``UndecidedError``."""
        largest = dict(box)
        for i in self._growing:
            growing = _Growing(self._questions, largest, i, self._ensemble.cells[i], self._at[i], box[i])
            largest[i] = growing.around()
        return largest


class _Growing:
    """One feature's set, as it grows in a box, from *own* and the places *held*, which fit."""

    def __init__(
        self,
        questions: BoxQuestions,
        box: Places,
        feature: int,
        split: tuple[ValueSet, ...],
        own: int,
        held: int = 0,
    ) -> None:
        self._held = held & ~(1 << own)
        self._own = own
        self._questions = questions
        self._box = box
        self._feature = feature
        self._split = split

    def around(self) -> int:
        """Return the cells of the largest set around the own one, as a mask."""
        split, place = self._split, self._own
        if not isinstance(split[0], IntervalSet):
            have = self._held | 1 << place
            return sum(1 << k for k in range(len(split)) if have >> k & 1 or self._fits(1 << k))
        numbers = len(split) - (not _has_numbers(split[-1]))
        kept = 0
        if place >= numbers:
            # The instance has no value: numbers are a second piece, of which the lowest run is as good as any.
            kept = 1 << place
            held = self._held or (1 << numbers) - 1
            first = next((k for k in range(numbers) if held >> k & 1 and self._fits(1 << k)), None)
            if first is None:
                return kept
            place = first
        elif numbers < len(split) and self._fits(1 << numbers):
            kept = 1 << numbers
        high = self._end(place, numbers - 1, lambda k: (1 << k + 1) - (1 << place))
        low = self._end(place, 0, lambda k: (1 << place + 1) - (1 << k))
        return (1 << high + 1) - (1 << low) | kept

    def _end(self, place: int, last: int, run: Callable[[int], int]) -> int:
        """Return how far towards *last* cells can join that at *place*: by doubling steps, then by bisection."""
        sign = 1 if last >= place else -1
        most = abs(last - place)
        good, step, bad = 0, 1, most + 1
        while good < most and bad > most:
            probe = min(good + step, most)
            if self._fits(run(place + sign * probe)):
                good, step = probe, 2 * step
            else:
                bad = probe
        while bad - good > 1:
            middle = (good + bad) // 2
            if self._fits(run(place + sign * middle)):
                good = middle
            else:
                bad = middle
        return place + sign * good

    def _fits(self, mask: int) -> bool:
        """Tell whether the box has one class where the feature has the cells *mask*, its own one besides, which fits."""
        return self._questions.constant({**self._box, self._feature: mask | 1 << self._own})


def _has_numbers(cell: ValueSet) -> bool:
    return isinstance(cell, IntervalSet) and bool(cell.cuts)
