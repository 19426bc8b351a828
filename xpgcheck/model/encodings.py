"""The columns that a categorical feature was encoded into, and what each category has there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Encoding:
    """The columns of a group, its categories, and the numbers that each category has in the columns.

    One-hot columns have a single 1 in each code, a dropped level has none; ordinal codes are one column, binary ones
    several.
    """

    columns: tuple[str, ...]
    categories: tuple[str, ...]
    codes: tuple[tuple[Fraction, ...], ...]

    def category(self, numbers: Sequence[Fraction]) -> str | None:
        """Return the category that has *numbers* in the columns; None where none has.  Linear."""
        found = tuple(numbers)
        return next((own for own, code in zip(self.categories, self.codes, strict=True) if code == found), None)

    @property
    def is_one_hot(self) -> bool:
        """Whether every category has a 1 in a column of its own, but one at most that has none."""
        ones = [[number for number in code if number] for code in self.codes]
        return all(number == 1 for own in ones for number in own) and sorted(map(len, ones))[1:] == [1] * (
            len(ones) - 1
        )
