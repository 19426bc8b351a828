"""Sources of evidence: each source cuts its work into units, carries one out, and says what the finished ones show.

A source is a module with

``units(options, items=None) -> list[SourceUnit]``
    the units that bear on *items* (on all if None), the most important first; each takes a minute at most;
``run_unit(arguments) -> dict``
    what one unit found, as JSON; top-level, so that other processes can call it;
``look(results, item) -> Found``
    what the results of the finished units, by name, show about one item, on which some of them bear.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

NAMES = ("examples", "models", "growth", "ablations", "formulas", "random", "symbolic", "bounded", "queries", "tables")
"""The sources, in the order in which their units are carried out."""

Results = Mapping[str, dict[str, Any]]
"""Findings of finished units, by their names."""


Items = frozenset[str] | None
"""The items of a source that rows ask about; None where all rows are looked at."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options that decide the units: how much is tried, from which seed, with which data."""

    quick: bool = False
    seed: int = 0
    data: str | None = None
    bound: str | None = None


@dataclass(frozen=True, slots=True)
class SourceUnit:
    """A piece of a source's work.  ``arguments`` are JSON."""

    source: str
    name: str
    arguments: dict[str, Any]


def source_units(source: str, units: Iterable[tuple[str, dict[str, Any]]]) -> list[SourceUnit]:
    """Return units of evidence, by name with their arguments, as units of *source*."""
    return [SourceUnit(source, name, arguments) for name, arguments in units]


@dataclass(frozen=True, slots=True)
class Found:
    """The evidence about an item.

    ``holds`` is None where nothing was tried or something is open.  ``amount`` says how much was tried, ``limit`` how far
    that reaches, ``counterexample`` is what fails (JSON; "text" says it in words), ``command`` what runs this check alone.
    """

    holds: bool | None
    amount: str
    limit: str = ""
    counterexample: dict[str, Any] | None = None
    command: str = ""
    skipped: str = ""
    details: list[dict[str, Any]] = field(default_factory=list)


class EvidenceSource(Protocol):
    """The functions that the module of a source offers."""

    def units(self, options: Options, items: Items = None) -> list[SourceUnit]:
        """Return the units that bear on *items*."""

    def run_unit(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Carry out one unit."""

    def look(self, results: Results, item: str) -> Found:
        """Say what finished units show about *item*."""


def source(name: str) -> EvidenceSource:
    """Return the source called *name*."""
    return cast(EvidenceSource, importlib.import_module(f"xpgcheck.paper.sources.{name}"))


def all_units(asked: Mapping[str, Items], options: Options) -> list[SourceUnit]:
    """Return the units of the sources *asked*, by name with their items, in the order of :data:`NAMES`."""
    return [unit for name in NAMES if name in asked for unit in source(name).units(options, asked[name])]


def run_unit(unit: SourceUnit) -> dict[str, Any]:
    """Carry out *unit*; its result has the ``seconds`` that it took."""
    started = time.perf_counter()
    result = source(unit.source).run_unit(unit.arguments)
    return {"seconds": time.perf_counter() - started, **result}
