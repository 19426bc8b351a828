"""The explanations of an ensemble at an instance, by questions, within the time that is given."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from xpgcheck.errors import InputError, UndecidedError
from xpgcheck.explanations.closest import ClosestPoint
from xpgcheck.explanations.closest_moves import closest_moves
from xpgcheck.explanations.families_shown import Doubt, FamilyMasks, in_order
from xpgcheck.explanations.preferences import Preferred
from xpgcheck.explanations.roles import Roles
from xpgcheck.explanations.smallest import smallest_xp
from xpgcheck.model.boxes import Box
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.xpg.constraints.ensembles import ConstrainedEnsemble
from xpgcheck.xpg.ensembles.choose import explained_ensemble
from xpgcheck.xpg.ensembles.deciding import seconds_from_now
from xpgcheck.xpg.ensembles.explained import ExplainedEnsemble, FoundXp, mend_of
from xpgcheck.xpg.ensembles.marco import EnsembleEnumeration
from xpgcheck.xpg.ensembles.membership import xp_holding
from xpgcheck.xpg.explanation_graph import indices
from xpgcheck.xpg.inflation import inflate_axp, inflate_change, inflate_cxp
from xpgcheck.xpg.xps import Kind

if TYPE_CHECKING:
    from xpgcheck.xpg.largest_boxes import LargestBoxes


class EnsembleExplainer:
    """Finds the explanations of *ensemble* at *point* in *seconds* from its making on (None: however long it takes)."""

    def __init__(
        self,
        ensemble: Ensemble,
        point: Point,
        seconds: float | None = None,
        constrained: ConstrainedEnsemble | None = None,
    ) -> None:
        """Prepare the questions, under a constraint those of *constrained*, whose ``ensemble`` is *ensemble*.

        Raises ``UndecidedError`` where rounding leaves the class of the instance open.
        """
        self._constrained = constrained
        self._decider = None if constrained is None else constrained.decider
        self.names = tuple(feature.name for feature in ensemble.features)
        self.told: Callable[[int], None] = lambda _: None
        self._ensemble = ensemble
        self._point = point
        self._allowance = seconds_from_now(seconds)

    @cached_property
    def explained(self) -> ExplainedEnsemble:
        """The ensemble at the instance, ready for questions."""
        if self._constrained is not None:
            return self._constrained.at(self._point)
        return explained_ensemble(self._ensemble, self._point)

    @property
    def everything(self) -> int:
        """All features."""
        return self.explained.everything

    def families(self, limit: int | None) -> tuple[FamilyMasks, FamilyMasks]:
        """Return the AXps and the CXps, at most *limit* of both together; where time ends, one of each kind at least."""
        found: dict[Kind, dict[int, FoundXp]] = {kind: {} for kind in Kind}
        enumeration = EnsembleEnumeration(self.explained, self._allowance)
        for kind, xp in enumeration:
            if limit is not None and sum(map(len, found.values())) == limit:
                break
            found[kind][xp.mask] = xp
            self.told(1)
        if not enumeration.complete:
            self._show_one_of_each(found, limit)
        families = []
        for kind in (Kind.AXP, Kind.CXP):
            masks = in_order(list(found[kind]))
            doubts = {mask: Doubt(xp.open, xp.reason) for mask, xp in found[kind].items() if xp.open}
            families.append(
                FamilyMasks(masks, len(masks) if enumeration.complete else None, enumeration.reason, doubts)
            )
        return families[0], families[1]

    def _show_one_of_each(self, found: dict[Kind, dict[int, FoundXp]], limit: int | None) -> None:
        """Find one of a kind that has not come up: the enumeration can take all of the other kind first."""
        for kind in Kind:
            if found[kind]:
                continue
            decision = self.explained.decide(self.explained.fixed_by(kind, self.everything), self._allowance)
            if decision.changed is not (kind is Kind.CXP):
                continue
            xp = self.explained.shrink(kind, self.everything, allowance=self._allowance)
            found[kind][xp.mask] = xp
            others = found[Kind.CXP if kind is Kind.AXP else Kind.AXP]
            if limit is not None and len(others) + 1 > limit and others:
                others.popitem()

    def preferred(self, kind: Kind, prefer: Sequence[int], never: int) -> Preferred | None:
        """Return an XP of *kind* without *never* that holds what it can of *prefer*; None where there is none.

        Raises ``UndecidedError`` where it stays open whether there is one.
        """
        seed = self.everything & ~never
        if not self.is_weak(kind, seed):
            return None
        wanted = [feature for feature in dict.fromkeys(prefer) if not never >> feature & 1]
        order = [f for f in range(len(self.names)) if f not in wanted] + wanted[::-1] if wanted else None
        best = self.explained.shrink(kind, seed, order, self._allowance)
        held, left_out = 0, []
        for feature in wanted:
            more = held | 1 << feature
            if best.mask & more != more:
                larger = xp_holding(self.explained, kind, more, never, self._allowance)
                if larger is None:
                    left_out.append(feature)
                    continue
                best = larger
            held = more
        return Preferred(best.mask, tuple(left_out), Doubt(best.open, best.reason) if best.open else None)

    def smallest(self, kind: Kind, never: int) -> Preferred | None:
        """Return an XP of *kind* without *never* that has as few features as any, or one that may not where time ends."""
        try:
            mask = smallest_xp(self, kind, never)
        except UndecidedError as error:
            found = self.explained.shrink(kind, self.everything & ~never, allowance=self._allowance)
            return Preferred(found.mask, (), Doubt(found.open, error.problem))
        return None if mask is None else Preferred(mask, ())

    def is_weak(self, kind: Kind, mask: int) -> bool:
        """Tell whether *mask* is a weak XP of *kind*.  Raises ``UndecidedError`` where that stays open."""
        found = self.explained.decide(self.explained.fixed_by(kind, mask), self._allowance)
        if found.changed is None:
            raise UndecidedError(
                f"whether these features decide stays open: {found.reason}", mend=mend_of(found.reason)
            )
        return found.changed is (kind is Kind.CXP)

    def inside(self, kind: Kind, seed: int) -> int:
        """Return an XP of *kind* inside the weak XP *seed*, or a weak one where it stays open whether it is minimal."""
        return self.explained.shrink(kind, seed, allowance=self._allowance).mask

    def is_xp(self, kind: Kind, mask: int) -> bool:
        """Tell whether *mask* is an XP of *kind*.  Raises ``UndecidedError`` where that stays open."""
        return self.is_weak(kind, mask) and not any(self.is_weak(kind, mask & ~(1 << i)) for i in indices(mask))

    def roles(self, known: int, complete: bool) -> Roles:
        """Return the roles of the features.  In which XPs one is stays undecided but of those known: it may take long."""
        every_axp = every_cxp = undecided = 0
        if self.explained.decide(0, self._allowance).changed is False:
            return Roles(0, 0, 0)
        for feature in range(len(self.names)):
            bit = 1 << feature
            if self._allowance.is_over():
                undecided |= bit
                continue
            alone = self.explained.decide(bit, self._allowance).changed
            without = self.explained.decide(self.everything & ~bit, self._allowance).changed
            every_cxp |= bit if alone is False else 0
            every_axp |= bit if without else 0
            undecided |= bit if alone is None or without is None else 0
        known |= every_axp | every_cxp
        return Roles(known, every_axp, every_cxp, undecided if complete else self.everything & ~known | undecided)

    def closest(self, cxp: int) -> ClosestPoint | None:
        """Return a closest point of another class for a CXp, replayed by κ."""
        found = self.explained.decide(self.everything & ~cxp, self._allowance)
        start = self.explained.point_at(found) if found.changed else None
        return closest_moves(self._ensemble, self._point, tuple(indices(cxp)), start, self.explained.other_class)

    def values_of_axp(self, axp: int, order: Sequence[int] = ()) -> Box | None:
        """Return an inflated AXp: the values that would do of each feature of *axp*; None where time does not suffice."""
        with contextlib.suppress(InputError, UndecidedError):
            return inflate_axp(
                self._ensemble, self._point, indices(axp), order, allowance=self._allowance, decider=self._decider
            )
        return None

    def every_box(self, axp: int) -> LargestBoxes | None:
        """Return an enumeration of all inflated AXps over *axp*."""
        from xpgcheck.xpg.largest_boxes import LargestBoxes

        return LargestBoxes(self._ensemble, self._point, indices(axp), allowance=self._allowance, decider=self._decider)

    def values_of_cxp(self, cxp: int) -> Box | None:
        """Return an inflated CXp: all values of the features of *cxp* that some change has; None where that stays open."""
        with contextlib.suppress(InputError, UndecidedError):
            return inflate_cxp(
                self._ensemble, self._point, indices(cxp), allowance=self._allowance, decider=self._decider
            )
        return None

    def values_of_change(self, cxp: int, changed: Point) -> Box | None:
        """Return the values around those of the point *changed* that give its class as well, for a CXp."""
        with contextlib.suppress(InputError, UndecidedError):
            return inflate_change(
                self._ensemble, self._point, indices(cxp), changed, allowance=self._allowance, decider=self._decider
            )
        return None

    def membership(self, feature: int) -> dict[Kind, tuple[int, str]] | None:
        """Return an AXp and a CXp that hold *feature*, checked by questions; None where there are none.

        Raises ``UndecidedError`` where that stays open.
        """
        explained, bit = self.explained, 1 << feature
        axp = xp_holding(explained, Kind.AXP, bit, allowance=self._allowance)
        if axp is None:
            return None
        # Fixing all but the AXp and leaving the feature free, too, is a weak CXp that holds it (Proposition 1).
        seed = self.everything & ~(axp.mask & ~bit)
        cxp = explained.shrink(Kind.CXP, seed, allowance=self._allowance)
        return {Kind.AXP: (axp.mask, _checked(axp)), Kind.CXP: (cxp.mask, _checked(cxp))}


def _checked(found: FoundXp) -> str:
    questions = found.mask.bit_count() + 1
    return f"{questions} questions" if not found.open else f"perhaps not minimal: {found.reason}"
