"""What sources have in common: units of packages taken over, counts of properties."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from xpgcheck.paper.sources import SourceUnit
from xpgcheck.properties.running.outcomes import Tally


def wrapped(source: str, units: Iterable[tuple[str, dict[str, Any]]]) -> list[SourceUnit]:
    """Return the units of an evidence package as units of *source*."""
    return [SourceUnit(source, name, arguments) for name, arguments in units]


def tallies_json(tallies: Mapping[str, Tally]) -> dict[str, dict[str, int]]:
    """Return the counts of properties as JSON, without the time, which differs from run to run."""
    return {
        name: {"held": t.held, "failed": t.failed, "open": t.open, "silent": t.silent} for name, t in tallies.items()
    }
