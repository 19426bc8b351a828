"""Units of work and what comes of them: plain data that passes between processes and lies in journals.

A unit is decided by its plan and its number alone, so it may be carried out anywhere, and again after it was lost.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

KINDS = ("properties", "gate", "check")
"""The kinds of campaigns, and so of units."""

Counts = dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of a campaign: ``id`` is its number from 0, ``arguments`` (JSON) say which cases.

    Arguments of generated cases: ``seed``, ``examples``, ``before`` (cases that go before) and ``smt`` (whether SMT
    properties are tried too).  Arguments of instances of models: ``model`` (its number in the plan's), ``start``, ``stop``.
    """

    id: int
    kind: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class UnitResult:
    """The result of a unit.  All but the three fields of seconds is decided by plan and unit.

    ``counts`` has of each property, or of what was asked (claims), or of each check, how often what came of it: of
    properties "held", "failed", "open" and "silent"; of claims verdicts; of checks "holds", "violated", "inconclusive".
    ``sizes`` counts cases by size, under labels like "non-terminals: 12", "features: 5", "AXps: 3", "CXps: 2".
    ``query_seconds`` counts the subject's answers by time: of each ability, how many took from 2^k up to 2^(k+1)
    microseconds, under the key "k" (see :func:`note_seconds`).
    ``reasons`` are some reasons of open questions, ``open`` counts them all.
    ``findings`` are what failed (``documents.CampaignFindingRecord``).  ``seconds`` is the whole time, ``layers`` its parts.
    ``passed_over`` has of each method that has the name of an ability and is not judged why.
    """

    unit: int
    cases: int
    counts: Counts = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    query_seconds: Counts = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)
    open: int = 0
    findings: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0
    layers: dict[str, float] = field(default_factory=dict)
    passed_over: dict[str, str] = field(default_factory=dict)

    def lasting(self) -> dict[str, Any]:
        """Return what is the same whenever and wherever the unit is carried out, findings apart."""
        return {
            "unit": self.unit,
            "cases": self.cases,
            "counts": self.counts,
            "sizes": self.sizes,
            "reasons": self.reasons,
            "open": self.open,
        }


def is_undecided(result: UnitResult) -> bool:
    """Tell whether *result* is of a unit that could not be carried out, as :func:`undecided` makes them."""
    return result.cases == 0 and result.counts == {"unit": {"open": 1}}


def undecided(unit: Unit, reason: str) -> UnitResult:
    """Return the result of a *unit* that cannot be carried out: one open question."""
    return UnitResult(unit.id, 0, {"unit": {"open": 1}}, reasons=[f"unit {unit.id}: {reason}"], open=1)


def note_seconds(times: Counts, ability: str, seconds: float) -> None:
    """Count in *times* one answer of *ability* that took *seconds*."""
    micro = max(int(seconds * 1e6), 1)
    bucket = str(micro.bit_length() - 1)
    row = times.setdefault(ability, {})
    row[bucket] = row.get(bucket, 0) + 1


def bucket_seconds(bucket: str) -> float:
    """Return the least seconds of *bucket*, as :func:`note_seconds` names it."""
    return math.ldexp(1e-6, int(bucket))


def add_counts(into: Counts, more: Mapping[str, Mapping[str, int]]) -> None:
    """Add the counts *more* to *into*."""
    for name, row in more.items():
        own = into.setdefault(name, {})
        for key, count in row.items():
            own[key] = own.get(key, 0) + count


def add_numbers(into: dict[str, int], more: Mapping[str, int]) -> None:
    """Add the numbers *more* to *into*."""
    for key, count in more.items():
        into[key] = into.get(key, 0) + count
