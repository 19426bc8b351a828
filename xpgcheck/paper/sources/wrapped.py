"""What sources have in common: units of packages taken over, their outcome merged once, counts of properties."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from xpgcheck.paper.sources import Results, SourceUnit
from xpgcheck.properties.running.outcomes import Tally


def wrapped(source: str, units: Iterable[tuple[str, dict[str, Any]]]) -> list[SourceUnit]:
    """Return the units of an evidence package as units of *source*."""
    return [SourceUnit(source, name, arguments) for name, arguments in units]


def tallies_json(tallies: Mapping[str, Tally]) -> dict[str, dict[str, int]]:
    """Return the counts of properties as JSON, without the time, which differs from run to run."""
    return {
        name: {"held": t.held, "failed": t.failed, "open": t.open, "silent": t.silent} for name, t in tallies.items()
    }


class Merged:
    """An outcome kept until other results are merged: many rows look at the same ones."""

    def __init__(self, outcome: Callable[[Mapping[str, dict[str, Any]]], Any]) -> None:
        self._outcome = outcome
        self._last: tuple[Results, int, Any] | None = None

    def __call__(self, results: Results) -> Any:
        """Return the outcome of *results*."""
        if self._last is None or self._last[0] is not results or self._last[1] != len(results):
            self._last = results, len(results), self._outcome(results)
        return self._last[2]
