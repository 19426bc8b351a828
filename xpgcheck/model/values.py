"""Values of features and points of feature space."""

from __future__ import annotations

import enum
from fractions import Fraction


class Missing(enum.Enum):
    """The one value ``MISSING``: a feature without a value (a NaN of the source), where its domain allows that."""

    MISSING = "missing"

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing.MISSING

Value = bool | int | str | Fraction | Missing
"""A Boolean is a ``bool``, a category a ``str``, an integer an ``int``, a number of any other domain a ``Fraction``."""

Point = tuple[Value, ...]
"""A point of feature space: one value for each feature, in the order of the graph's features."""
