"""The explanations of one prediction, as an object to look at, to ask and to store."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from xpgcheck.arguments import TEXTS, Rule, count_from, optional, takes
from xpgcheck.errors import InputError, shown
from xpgcheck.explanations.case import ExplainedInstance
from xpgcheck.explanations.closest import ClosestPoint
from xpgcheck.explanations.distances import Distance
from xpgcheck.explanations.families_shown import FamilyMasks
from xpgcheck.explanations.roles import Roles
from xpgcheck.model.boxes import Box
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Value
from xpgcheck.xpg.explanation_graph import indices
from xpgcheck.xpg.xps import Kind

NAMES = Rule(lambda names: isinstance(names, str) or TEXTS.holds(names), TEXTS.what, TEXTS.mend)
"""The rule of names of features, of one or of several."""


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
    """The outcome of the wishes for one kind of XP.

    ``never`` were to stay out.  ``left_out`` were preferred, but are in no XP together with the preferred ones before them.
    Where no XP does without ``never``, ``obstacle`` is why: an XP of the other kind made of these features alone, which
    every XP of this kind must hit (∅ where this kind has no XP at all).
    """

    never: int = 0
    left_out: int = 0
    obstacle: int | None = None


class Explanations:
    """AXps and CXps of a prediction, by the names of their features.

    ``axps`` and ``cxps`` are all of them unless ``complete`` is false.  Whatever takes time is worked out when asked for.
    """

    illustrated: ClassVar[Callable[[Explanations], Mapping[Kind, str]]] = staticmethod(lambda _: {})
    """Gives pictures of the first XPs, as SVG.  Set where both are at hand: what draws stands above what explains."""

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

    @takes(cxp=NAMES)
    def closest(self, cxp: Iterable[str]) -> Change:
        """Return a closest change of class for *cxp*, the names of a CXp's features (listed or not).

        Raises ``InputError`` where *cxp* is no CXp or the model is an `.xpg` file, which has no values.
        """
        names = [cxp] if isinstance(cxp, str) else list(cxp)
        mask = self.case.mask_of_names(names)
        if not self.case.explainer.is_xp(Kind.CXP, mask):
            text = "{" + ", ".join(map(shown, names)) + "}"
            raise InputError(f"{text} is not a CXp of this prediction", mend="name the features of one of its CXps")
        found = self.closest_point(mask)
        if found is None:
            raise InputError("an .xpg model has no values", mend="explain the model that it was made from")
        values = {self.case.names[i]: found.point[i] for i in indices(mask)}
        return Change(values, found.prediction, found.distance, found.proven)

    def closest_point(self, cxp: int) -> ClosestPoint | None:
        """Return a closest point for the CXp *cxp* (a mask); None for an `.xpg` model."""
        return self.case.explainer.closest(cxp)

    @takes(axp=NAMES, order=TEXTS)
    def inflate(self, axp: Iterable[str], order: Sequence[str] = ()) -> dict[str, ValueSet]:
        """Return of each feature of *axp*, the names of an AXp's features, a largest set of values that would do.

        Sets grow in *order*.  Raises ``InputError`` where *axp* is no weak AXp, or the model has no values.
        """
        mask = self._weak(axp)
        found = self.case.explainer.values_of_axp(mask, tuple([self.case.index(name, "order") for name in order]))
        if found is None:
            raise InputError("the sets of values stay open", mend="give more time; an .xpg model has no values")
        return self._named(found)

    @takes(axp=NAMES, limit=optional(count_from(1)))
    def inflations(self, axp: Iterable[str], limit: int | None = None) -> tuple[dict[str, ValueSet], ...]:
        """Return all inflated AXps of the features *axp*, or *limit* of them: each box that is as large as can be.

        There can be exponentially many.  Raises as :meth:`inflate`.
        """
        every = self.case.explainer.every_box(self._weak(axp))
        if every is None:
            raise InputError("the model has no values", mend="explain the model that it was made from")
        return tuple(map(self._named, itertools.islice(every, limit)))

    @takes(cxp=NAMES)
    def changing_values(self, cxp: Iterable[str]) -> dict[str, ValueSet]:
        """Return of each feature of *cxp*, the names of a CXp's features, all values that some change of the class has.

        Raises ``InputError`` where *cxp* is no weak CXp, or the model has no values.
        """
        found = self.case.values_of_cxp(self._mask(cxp))
        if found is None:
            problem = "which values change the class stays open"
            raise InputError(problem, mend="name the features of a CXp; an .xpg model has no values")
        return self._named(found)

    def _mask(self, names: Iterable[str]) -> int:
        return self.case.mask_of_names([names] if isinstance(names, str) else names)

    def _weak(self, axp: Iterable[str]) -> int:
        mask = self._mask(axp)
        if not self.case.explainer.is_weak(Kind.AXP, mask):
            raise InputError("these features do not suffice for the prediction", mend="name those of one of its AXps")
        return mask

    def _named(self, box: Box) -> dict[str, ValueSet]:
        return {self.case.names[i]: values for i, values in sorted(box.items(), key=lambda pair: pair[0])}

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

        return page(self, type(self).illustrated(self))
