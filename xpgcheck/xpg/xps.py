"""What enumeration yields: explanations, of one kind or the other."""

from __future__ import annotations

import enum
from typing import NamedTuple


class Kind(enum.Enum):
    """The kind of an XP."""

    AXP = "AXp"
    CXP = "CXp"


class XP(NamedTuple):
    """An explanation: its kind and its features (0-based indices)."""

    kind: Kind
    features: frozenset[int]
