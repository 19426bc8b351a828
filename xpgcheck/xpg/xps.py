"""Explanations of one kind or the other, as enumeration yields them."""

from __future__ import annotations

import enum
from functools import lru_cache
from typing import NamedTuple

from xpgcheck.xpg.explanation_graph import indices


class Kind(enum.Enum):
    """The kind of an XP."""

    AXP = "AXp"
    CXP = "CXp"


class XP(NamedTuple):
    """An explanation: its kind and its features (0-based indices)."""

    kind: Kind
    features: frozenset[int]


@lru_cache(maxsize=10_000)
def axp_of(mask: int) -> XP:
    """Return the AXp of the features in *mask*.  The instances of a model share many XPs."""
    return XP(Kind.AXP, frozenset(indices(mask)))


@lru_cache(maxsize=10_000)
def cxp_of(mask: int) -> XP:
    """Return the CXp of the features in *mask*."""
    return XP(Kind.CXP, frozenset(indices(mask)))
