"""An ensemble at an instance: what is known of its questions, and one AXp or CXp from a seed with an order.

A point of another class answers every question that leaves its features free; fixed features that suffice answer every one
that fixes them.  So both are kept, and deletion passes over what they answer: the XP is that of plain deletion in the order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from xpgcheck.errors import UndecidedError
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.xpg.ensembles.deciding import WITHIN_ROUNDING, Allowance, Decider, Decision
from xpgcheck.xpg.ensembles.places import EnsemblePlaces
from xpgcheck.xpg.explanation_graph import features_of, indices
from xpgcheck.xpg.find_one import SeedError
from xpgcheck.xpg.xps import Kind

MOST_KEPT = 2_000
"""Points, and sets that suffice, that are kept."""

Kept = TypeVar("Kept")

UNLIMITED = Allowance()


class FoundXp(NamedTuple):
    """An XP as a mask; ``open`` are features that may be needless, for a ``reason``: then it may not be minimal."""

    mask: int
    open: int = 0
    reason: str = ""

    @property
    def features(self) -> frozenset[int]:
        """The features, by their indices."""
        return features_of(self.mask)


class ExplainedEnsemble:
    """An ensemble at an instance.  ``asked`` counts the questions that had to be put to the decider."""

    def __init__(self, places: EnsemblePlaces, point: Point, decider: Decider) -> None:
        """Explain what ``places.ensemble`` answers at *point*.

        Raises ``UndecidedError`` where rounding leaves the class of the instance itself open.
        """
        ensemble = places.ensemble
        if not ensemble.is_settled(point):
            problem = f"the sums at this instance are {WITHIN_ROUNDING} of a tie, so that no explanation is certain"
            raise UndecidedError(problem, mend="explain another instance")
        self.ensemble: Ensemble = ensemble
        self.point = point
        self.prediction = ensemble.kappa(point)
        self.everything = (1 << len(ensemble.features)) - 1
        self.asked = 0
        self._own = [own.of(value) for own, value in zip(places.features, point, strict=True)]
        self._places = places
        self._decider = decider
        self._points: dict[int, tuple[int, ...]] = {}
        self._sufficient: dict[int, None] = {}

    def decide(self, fixed: int, allowance: Allowance = UNLIMITED) -> Decision:
        """Decide whether a point of another class agrees with the instance on *fixed*, by what is known or the decider."""
        known = self._known(fixed)
        if known is not None:
            return known
        self.asked += 1
        found = self._decider.decide(fixed, allowance)
        if found.changed:
            self._check(fixed, found)
            _keep(self._points, found.mask, found.places)
        elif found.changed is False:
            _keep(self._sufficient, found.mask, None)
        return found

    def _known(self, fixed: int) -> Decision | None:
        for mask in self._points:
            if not mask & fixed:
                return Decision(True, mask, self._points[mask])
        for mask in self._sufficient:
            if not mask & ~fixed:
                return Decision(False, mask)
        return None

    def _check(self, fixed: int, found: Decision) -> None:
        """Replay a point by κ.  Raises ``UndecidedError`` where it is not what it is said to be."""
        if found.mask & fixed or self._other_class(self._replayed(found)) is None:
            problem = "a point that should have another class has not, when it is evaluated"
            raise UndecidedError(problem, mend="report this")

    def _replayed(self, found: Decision) -> list[int]:
        """Return the places of a decision's point: the instance's but for the features on which it differs."""
        places = list(self._own)
        for feature in indices(found.mask):
            places[feature] = found.places[feature]
        return places

    def point_at(self, found: Decision) -> Point:
        """Return the point of a decision: the instance but for the features on which it differs."""
        values = list(self.point)
        for feature in indices(found.mask):
            values[feature] = self._places.features[feature].value(found.places[feature])
        return tuple(values)

    def other_class(self, point: Point) -> int | None:
        """Return the class of *point* where rounding leaves no doubt that it is another one than the instance's."""
        return self._other_class([own.of(value) for own, value in zip(self._places.features, point, strict=True)])

    def _other_class(self, places: Sequence[int]) -> int | None:
        """Return what :meth:`other_class` does at *places*, by κ: each tree is followed by its own literals."""
        votes = self._places.votes(places)
        reached = self.ensemble.class_of_votes(votes)
        if reached == self.prediction or not self._places.possible(places):
            return None
        tally = self.ensemble.tally
        if tally.slack:
            sums = tally.sums(votes)
            if max(sums) - sums[self.prediction] <= tally.slack:
                return None
        return reached

    def fixed_by(self, kind: Kind, mask: int) -> int:
        """Return what is fixed where an AXp is *mask*, or a CXp: all but it."""
        return mask if kind is Kind.AXP else self.everything & ~mask

    def find(
        self,
        kind: Kind,
        seed: Iterable[int] | None = None,
        order: Sequence[int] | None = None,
        allowance: Allowance = UNLIMITED,
    ) -> FoundXp:
        """Return one XP of *kind* inside *seed*, a set of feature indices (all features if None).

        *order* says which features are dropped first, those not named last (default: those first that seem to matter
        least).  Raises ``SeedError`` if the seed is no weak XP, and ``UndecidedError`` if that stays open.  At most one
        question a feature, and one.
        """
        mask = self.everything if seed is None else sum(1 << feature for feature in set(seed))
        found = self.decide(self.fixed_by(kind, mask), allowance)
        if found.changed is None:
            raise UndecidedError(
                f"it stays open whether the seed is a weak {kind.value}: {found.reason}", mend=mend_of(found.reason)
            )
        if found.changed is not (kind is Kind.CXP):
            what = "fixing these features does not suffice for" if kind is Kind.AXP else "freeing these cannot change"
            mend = "give a larger seed" + (" (a constant classifier has no CXp)" if kind is Kind.CXP else "")
            raise SeedError(f"{what} the prediction", mask, mend=mend)
        return self.shrink(kind, mask, order, allowance)

    def shrink(
        self, kind: Kind, seed: int, order: Sequence[int] | None = None, allowance: Allowance = UNLIMITED
    ) -> FoundXp:
        """Return one XP of *kind* inside the weak XP *seed*, by deletion (Algorithms 2 and 3 with questions for traversals).

        What stays open is kept, and named.
        """
        changes = kind is Kind.CXP
        first = self._known(self.fixed_by(kind, seed))
        # All features that hold the last answer up: the others can be dropped without a question.
        support = seed if first is None or first.changed is not changes else first.mask & seed
        if order is None:
            seed = support
            order = self._decider.order()
        else:
            order = list(dict.fromkeys([*order, *range(len(self.ensemble.features))]))
        left_open, reason = 0, ""
        for feature in order:
            bit = 1 << feature
            if not seed & bit:
                continue
            if not support & bit:
                seed ^= bit
                continue
            known = self._known(self.fixed_by(kind, seed ^ bit)) if allowance.is_over() else None
            if allowance.is_over() and known is None:
                left_open, reason = left_open | bit, "the time is over"
                continue
            found = known or self.decide(self.fixed_by(kind, seed ^ bit), allowance)
            if found.changed is None:
                left_open |= bit
                reason = found.reason
            elif found.changed is changes:
                seed ^= bit
                support = found.mask
        return FoundXp(seed, left_open, reason)


def mend_of(reason: str) -> str:
    """Return what to do about a question that stays open for *reason*."""
    return "explain another instance" if reason == WITHIN_ROUNDING else "give more time"


def _keep(known: dict[int, Kept], mask: int, value: Kept) -> None:
    known[mask] = value
    if len(known) > MOST_KEPT:
        del known[next(iter(known))]
