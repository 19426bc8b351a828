"""The AXps and CXps to show: all of them, or a stated part of them that says so."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from xpgcheck.xpg.choose import xp_masks
from xpgcheck.xpg.enumeration import Enumeration
from xpgcheck.xpg.explanation_graph import ExplanationGraph, indices, mask_of
from xpgcheck.xpg.find_one import shrink_axp
from xpgcheck.xpg.xps import Kind


class Doubt(NamedTuple):
    """A question about an XP that stays open, for a ``reason``: whether its features ``needless`` (a mask) are needed.

    Where there are none, the question is whether there is a smaller one of its kind.
    """

    needless: int
    reason: str


@dataclass(frozen=True, slots=True)
class FamilyMasks:
    """AXps or CXps as masks, the smallest first; ``total`` is how many there are in all, None where that is not known.

    ``cut`` says why a search ended early, where it was not the limit on how many to list; ``doubts`` what stays open.
    """

    masks: tuple[int, ...]
    total: int | None
    cut: str = ""
    doubts: Mapping[int, Doubt] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether every XP of the kind is here."""
        return self.total == len(self.masks)


def in_order(masks: Sequence[int]) -> tuple[int, ...]:
    """Return *masks* by size, then by the features in the model's order."""
    return tuple(sorted(masks, key=lambda mask: (mask.bit_count(), tuple(indices(mask)))))


def all_families(xpg: ExplanationGraph, limit: int | None = None) -> tuple[FamilyMasks, FamilyMasks]:
    """Return the AXps and the CXps of *xpg*, at most *limit* of both together (all if None).

    Where both families are found in one pass, a part shows the smallest of each and still knows the totals.  Otherwise
    Algorithm 4 yields XPs until the limit, and one SAT call more says whether that was all.  Raises ``ValueError`` on a
    limit below 1.  The families can be exponentially large.
    """
    if limit is not None and limit < 1:
        raise ValueError("the limit is below 1")
    masks = xp_masks(xpg)
    if masks is not None:
        axps, cxps = (in_order(family) for family in masks)
        most_axps, most_cxps = _shares(len(axps), len(cxps), limit)
        return FamilyMasks(axps[:most_axps], len(axps)), FamilyMasks(cxps[:most_cxps], len(cxps))
    stream = iter(Enumeration(xpg))
    found: dict[Kind, list[int]] = {Kind.AXP: [], Kind.CXP: []}
    for xp in itertools.islice(stream, limit):
        found[xp.kind].append(mask_of(xp.features))
    complete = limit is None or next(stream, None) is None
    if not complete and not found[Kind.AXP] and len(found[Kind.CXP]) > 1:
        # Algorithm 4 can take all CXps first; every prediction has an AXp to show.
        found = {Kind.AXP: [shrink_axp(xpg, xpg.all_variables)], Kind.CXP: found[Kind.CXP][:-1]}
    axps, cxps = (in_order(found[kind]) for kind in (Kind.AXP, Kind.CXP))
    return FamilyMasks(axps, len(axps) if complete else None), FamilyMasks(cxps, len(cxps) if complete else None)


def _shares(axps: int, cxps: int, limit: int | None) -> tuple[int, int]:
    """Return how many of each kind to show: half the limit each, and what one kind does not need to the other."""
    if limit is None or axps + cxps <= limit:
        return axps, cxps
    first = min(axps, max((limit + 1) // 2, limit - cxps))
    return first, limit - first
