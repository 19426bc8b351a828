"""The result that the finished units of some evidence show together, whatever the evidence is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class EvidenceSummary:
    """The merged findings of units.

    ``holds`` is None where something is open or has not run; ``counts`` says how much was tried, ``limits`` how far that
    reaches, ``counterexample`` (JSON) is what fails, ``details`` are rows of tables, ``faults`` what keeps it open.
    """

    holds: bool | None
    counts: dict[str, int]
    limits: str
    counterexample: dict[str, Any] | None
    details: list[dict[str, Any]]
    faults: list[str] = field(default_factory=list)
