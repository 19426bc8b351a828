"""The explanations of one prediction, as an object to look at, to ask and to store."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from xpgcheck.arguments import TEXTS, Rule, takes
from xpgcheck.errors import InputError, shown
from xpgcheck.explanations.case import ExplainedInstance
from xpgcheck.explanations.closest import ClosestPoint
from xpgcheck.explanations.distances import Distance
from xpgcheck.explanations.families_shown import FamilyMasks
from xpgcheck.explanations.roles import Roles
from xpgcheck.model.values import Value
from xpgcheck.xpg.explanation_graph import indices
from xpgcheck.xpg.xps import Kind


class Mode(enum.Enum):
    """Which explanations were asked for."""

    ALL = "all"
    ONE = "one"
    SMALLEST = "smallest"


@dataclass(frozen=True, slots=True)
class Change:
    """A closest change of class: the new ``values`` of a CXp's features and the class that they give.

    ``distance`` is explained in :mod:`xpgcheck.explanations.distances`; ``proven`` is false where a closer point may exist.
    """

    values: Mapping[str, Value]
    prediction: str
    distance: Distance
    proven: bool


@dataclass(frozen=True, slots=True)
class Wish:
    """What became of the wishes for one kind of XP.

    ``never`` were to stay out.  ``left_out`` were preferred, but are in no XP together with the preferred ones before them.
    Where no XP does without ``never``, ``obstacle`` is why: an XP of the other kind made of these features alone, which
    every XP of this kind must hit (∅ where there is no XP of this kind at all).
    """

    never: int = 0
    left_out: int = 0
    obstacle: int | None = None


class Explanations:
    """AXps and CXps of a prediction, by the names of their features.

    ``axps`` and ``cxps`` are all of them unless ``complete`` is false.  What takes time is worked out when asked for.
    """

    def __init__(
        self,
        case: ExplainedInstance,
        families: Mapping[Kind, FamilyMasks],
        mode: Mode = Mode.ALL,
        wishes: Mapping[Kind, Wish] | None = None,
    ) -> None:
        """Hold *families* of XPs of *case*, found in *mode* under *wishes*."""
        self.case = case
        self.families = families
        self.mode = mode
        self.wishes = wishes or {}

    @property
    def prediction(self) -> str | None:
        """The predicted class; None for an `.xpg` model, which does not know it."""
        return self.case.prediction

    @property
    def axps(self) -> tuple[tuple[str, ...], ...]:
        """The AXps as names of features in the model's order; the smallest first."""
        return tuple(map(self.case.names_in, self.families[Kind.AXP].masks))

    @property
    def cxps(self) -> tuple[tuple[str, ...], ...]:
        """The CXps as names of features in the model's order; the smallest first."""
        return tuple(map(self.case.names_in, self.families[Kind.CXP].masks))

    @property
    def complete(self) -> bool:
        """Whether ``axps`` and ``cxps`` are all that there are."""
        return all(family.complete for family in self.families.values())

    @cached_property
    def roles(self) -> Roles:
        """The roles of the features, as masks."""
        known = 0
        for family in self.families.values():
            for mask in family.masks:
                doubt = family.doubts.get(mask)
                # A feature that an XP may not need is perhaps in none.
                known |= mask & ~(0 if doubt is None else doubt.needless)
        sure = any(family.complete and not family.doubts for family in self.families.values())
        return self.case.explainer.roles(known, sure)

    @property
    def relevant(self) -> tuple[str, ...]:
        """The features in some AXp, which are those in some CXp (Proposition 1); exact in every mode."""
        return self.case.names_in(self.roles.relevant)

    @property
    def necessary(self) -> tuple[str, ...]:
        """The features in every AXp; exact in every mode."""
        return self.case.names_in(self.roles.in_every_axp)

    @takes(cxp=Rule(lambda cxp: isinstance(cxp, str) or TEXTS.holds(cxp), TEXTS.what, TEXTS.mend))
    def closest(self, cxp: Iterable[str]) -> Change:
        """Return a closest change of class for *cxp*, the names of a CXp's features (listed or not).

        Raises ``InputError`` where *cxp* is no CXp or the model is an `.xpg` file, which has no values.
        """
        names = [cxp] if isinstance(cxp, str) else list(cxp)
        mask = self.case.mask_of_names(names)
        if not self.case.explainer.is_xp(Kind.CXP, mask):
            text = "{" + ", ".join(map(shown, names)) + "}"
            raise InputError(f"{text} is no CXp of this prediction", mend="name the features of one of its CXps")
        found = self.closest_point(mask)
        if found is None:
            raise InputError("an .xpg model has no values", mend="explain the model that it was made from")
        values = {self.case.names[i]: found.point[i] for i in indices(mask)}
        return Change(values, found.prediction, found.distance, found.proven)

    def closest_point(self, cxp: int) -> ClosestPoint | None:
        """Return a closest point for the CXp *cxp* (a mask); None for an `.xpg` model."""
        return self.case.explainer.closest(cxp)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-ready values (the schema: ``xpgcheck schema explanations``)."""
        import msgspec

        from xpgcheck.explanations.record import record

        values: dict[str, Any] = msgspec.to_builtins(record(self))
        return values

    def __str__(self) -> str:
        from xpgcheck.explanations.words import text

        return text(self)

    def __repr__(self) -> str:
        from xpgcheck.explanations.words import heading

        return f"<Explanations: {heading(self)}>"

    def _repr_html_(self) -> str:
        from xpgcheck.explanations.html import page

        return page(self)
