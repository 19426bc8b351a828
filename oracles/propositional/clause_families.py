"""Families of sets of clauses, and what an enumeration hands back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Family = tuple[frozenset[int], ...]
"""Sets of clauses (positions from 0), by size, then by their sorted members."""


def family(sets: Iterable[Iterable[int]]) -> Family:
    """Return *sets* as a family, each once; equal families are equal tuples.  O(s log s) comparisons."""
    return tuple(sorted({frozenset(members) for members in sets}, key=lambda members: (len(members), sorted(members))))


@dataclass(frozen=True, slots=True)
class MusEnumeration:
    """The MUSes and MCSes that an enumeration of MUSes met.

    Where ``complete``, both are all.
    """

    muses: Family
    mcses: Family
    complete: bool
