"""Steps from an original column to an encoded one, as data: each is a function of one cell.

The arithmetic of numbers is that of IEEE 754 binary64, one operation after the other, as NumPy does it on arrays of
float64: ``X -= mean`` and ``X /= scale`` are :class:`Minus` and :class:`Over`.  Each of them is monotone, as rounding is.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from xpgcheck.errors import InstanceError, shown
from xpgcheck.model.values import MISSING, Missing

TableCell = str | float | bool | Fraction | Missing
"""The content of a table's cell: a text, a number, a Boolean or nothing.  NaN is ``MISSING``."""


@dataclass(frozen=True, slots=True)
class Minus:
    """``x - by``."""

    by: float
    decreasing: bool = False

    def of_number(self, number: float) -> float:
        """Return the difference in binary64."""
        return number - self.by


@dataclass(frozen=True, slots=True)
class Plus:
    """``x + by``."""

    by: float
    decreasing: bool = False

    def of_number(self, number: float) -> float:
        """Return the sum in binary64."""
        return number + self.by


@dataclass(frozen=True, slots=True)
class Times:
    """``x * by``; a negative factor turns the order around."""

    by: float

    @property
    def decreasing(self) -> bool:
        """Whether larger numbers become smaller ones."""
        return self.by < 0

    def of_number(self, number: float) -> float:
        """Return the product in binary64."""
        return number * self.by


@dataclass(frozen=True, slots=True)
class Over:
    """``x / by``, *by* not being 0; a negative divisor turns the order around."""

    by: float

    @property
    def decreasing(self) -> bool:
        """Whether larger numbers become smaller ones."""
        return self.by < 0

    def of_number(self, number: float) -> float:
        """Return the quotient in binary64."""
        return number / self.by


@dataclass(frozen=True, slots=True)
class Clip:
    """The nearest number from ``low`` to ``high``."""

    low: float
    high: float
    decreasing: bool = False

    def of_number(self, number: float) -> float:
        """Return *number*, or the end that it is beyond."""
        return min(max(number, self.low), self.high)


@dataclass(frozen=True, slots=True)
class Bins:
    """The number of ``edges``, which increase, that are at most x; cells without a value are refused."""

    edges: tuple[float, ...]
    decreasing: bool = False

    def of_number(self, number: float) -> float:
        """Return the number of the bin, from 0."""
        return float(bisect_right(self.edges, number))


@dataclass(frozen=True, slots=True)
class Exceeds:
    """1 where x is over ``threshold``, else 0; cells without a value are refused."""

    threshold: float
    decreasing: bool = False

    def of_number(self, number: float) -> float:
        """Return 1.0 or 0.0."""
        return float(number > self.threshold)


@dataclass(frozen=True, slots=True)
class Fill:
    """``value`` where the cell is ``mark``, which stands for a missing value; any other cell as it is."""

    mark: TableCell
    value: TableCell


@dataclass(frozen=True, slots=True)
class IsMissing:
    """1 where the cell is ``mark``, else 0."""

    mark: TableCell


@dataclass(frozen=True)
class Lookup:
    """The values that stand for some cells, and ``otherwise`` for any other; None: any other cell is refused."""

    codes: Mapping[TableCell, float | Missing]
    otherwise: float | Missing | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "codes", MappingProxyType(dict(self.codes)))

    def __hash__(self) -> int:
        return hash((tuple(self.codes.items()), self.otherwise))


Monotone = Minus | Plus | Times | Over | Clip | Bins | Exceeds
"""A step that keeps the order of numbers, or turns it around."""

Step = Monotone | Fill | IsMissing | Lookup

_ARITHMETIC = Minus | Plus | Times | Over | Clip


def applied(step: Step, cell: TableCell) -> TableCell:
    """Return what *step* makes of *cell*.  Raises ``InstanceError`` where it takes no such cell."""
    if isinstance(step, Fill):
        return step.value if same_cell(cell, step.mark) else cell
    if isinstance(step, IsMissing):
        return float(same_cell(cell, step.mark))
    if isinstance(step, Lookup):
        found = step.codes.get(cell, step.otherwise)
        if found is None:
            problem = "the value is missing" if cell is MISSING else f"{shown(cell)} is not a category"
            raise InstanceError(problem, mend="write a category that training saw")
        return found
    if cell is MISSING:
        if isinstance(step, _ARITHMETIC):
            return MISSING
        raise InstanceError("the value is missing", mend="write a number")
    if isinstance(cell, str):
        raise InstanceError(f"{shown(cell)} is not a number", mend="write a number")
    found = step.of_number(float(cell))
    return MISSING if math.isnan(found) else found


def same_cell(first: TableCell, second: TableCell) -> bool:
    """Tell whether two cells are equal: texts as texts, numbers as numbers, nothing only to nothing."""
    if isinstance(first, (str, Missing)) or isinstance(second, (str, Missing)):
        return first is second or (isinstance(first, str) and isinstance(second, str) and first == second)
    return first == second
