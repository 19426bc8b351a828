"""Parts of a plan: several drivers share its units, each with a journal of its own, to be merged in the end."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from xpgcheck.campaign.plan import Plan
from xpgcheck.errors import FormatError, shown

MOST_PARTS = 100_000


@dataclass(frozen=True, slots=True)
class Part:
    """The ``number``-th of ``of`` parts of a plan: each ``of``-th block of units (see ``Plan.block``)."""

    number: int = 1
    of: int = 1

    def has(self, unit: int, plan: Plan) -> bool:
        """Tell whether the unit of this number of *plan* belongs to it."""
        return unit // plan.block % self.of == self.number - 1

    def count(self, units: int, plan: Plan) -> int:
        """Return how many of the first *units* of *plan* belong to it."""
        rounds, rest = divmod(units, plan.block * self.of)
        return rounds * plan.block + min(max(rest - (self.number - 1) * plan.block, 0), plan.block)

    def __str__(self) -> str:
        """Return it as :func:`parse_part` reads it."""
        return f"{self.number}/{self.of}"


WHOLE = Part()


def parse_part(text: str) -> Part:
    """Return the part that *text* (K/N) names.  Raises ``FormatError``."""
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text, re.ASCII)
    number, of = map(int, found.groups()) if found else (0, 0)
    if not 1 <= number <= of <= MOST_PARTS:
        raise FormatError(f"{shown(text, 40)} is no --part of a plan", mend="write it K/N, as in 1/3, 2/3 and 3/3")
    return Part(number, of)


def goal(plan: Plan, part: Part, done: Iterable[int]) -> tuple[int, int] | None:
    """Return how many units and cases there are once *part* is finished next to what is *done*; None where there is no end.

    Linear in what is done and in the units of models.
    """
    units, cases = plan.count(), plan.cases()
    if units is None or cases is None:
        return None
    if part == WHOLE:
        return units, cases
    of_models, unit = plan.model_units(), plan.options["unit"]
    # All units of generated cases are of one size, but for the last.
    lacking = unit * (units - len(of_models)) - plan.options["examples"]

    def size(number: int) -> int:
        if number < len(of_models):
            return of_models[number]
        return int(unit - (lacking if number == units - 1 else 0))

    own, first = part.count(units, plan), part.count(len(of_models), plan)
    full = sum(size(number) for number in range(len(of_models)) if part.has(number, plan)) + unit * (own - first)
    if part.has(units - 1, plan) and units > len(of_models):
        full -= lacking
    beside = [size(number) for number in done if 0 <= number < units and not part.has(number, plan)]
    return own + len(beside), full + sum(beside)
