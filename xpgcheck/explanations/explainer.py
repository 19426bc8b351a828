"""Explainers of a case: the same questions of a decision graph and of an ensemble."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from xpgcheck.explanations.closest import ClosestPoint
from xpgcheck.explanations.families_shown import FamilyMasks
from xpgcheck.explanations.preferences import Preferred
from xpgcheck.explanations.roles import Roles
from xpgcheck.model.boxes import Box
from xpgcheck.model.values import Point
from xpgcheck.xpg.xps import Kind

if TYPE_CHECKING:
    from xpgcheck.xpg.largest_boxes import LargestBoxes


class Explainer(Protocol):
    """Finds the explanations of one prediction.  Sets of features are masks.

    ``told`` is called with how many XPs were found since the last time, where that takes long.
    """

    told: Callable[[int], None]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features."""

    def families(self, limit: int | None) -> tuple[FamilyMasks, FamilyMasks]:
        """Return the AXps and the CXps, at most *limit* of both together."""

    def preferred(self, kind: Kind, prefer: Sequence[int], never: int) -> Preferred | None:
        """Return an XP of *kind* without *never* that holds what it can of *prefer*; None where there is none."""

    def smallest(self, kind: Kind, never: int) -> Preferred | None:
        """Return an XP of *kind* without *never* that has as few features as any; None where there is none."""

    def is_weak(self, kind: Kind, mask: int) -> bool:
        """Tell whether *mask* is a weak XP of *kind*."""

    def inside(self, kind: Kind, seed: int) -> int:
        """Return an XP of *kind* inside the weak XP *seed*."""

    def is_xp(self, kind: Kind, mask: int) -> bool:
        """Tell whether *mask* is an XP of *kind*."""

    def roles(self, known: int, complete: bool) -> Roles:
        """Return the roles of the features; *known* is the union of XPs, of a whole family where *complete*."""

    def closest(self, cxp: int) -> ClosestPoint | None:
        """Return a closest point of another class for a CXp; None where the model has no values."""

    def values_of_axp(self, axp: int, order: Sequence[int] = ()) -> Box | None:
        """Return an inflated AXp: the values that would do of each feature of *axp*; None where that stays open.

        Sets grow in *order*, those not in it last.  None of a model without values, too.
        """

    def every_box(self, axp: int) -> LargestBoxes | None:
        """Return an enumeration of all inflated AXps over *axp*; None of a model without values."""

    def values_of_cxp(self, cxp: int) -> Box | None:
        """Return an inflated CXp: all values of the features of *cxp* that some change has; None as of AXps."""

    def values_of_change(self, cxp: int, changed: Point) -> Box | None:
        """Return the values around those of the point *changed* that would change the class as well, for a CXp."""

    def membership(self, feature: int) -> dict[Kind, tuple[int, str]] | None:
        """Return an AXp and a CXp that hold *feature*, each with what was done to check it; None where there are none."""
