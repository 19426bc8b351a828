"""Results of a run, as data that processes can hand on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol

from xpgcheck.properties.cases import Case


class Sized(Protocol):
    """Any case: of a decision graph, or of a formula."""

    @property
    def size(self) -> tuple[int, ...]:
        """The measures of a small case; compared from the first number on."""


if TYPE_CHECKING:
    from typing_extensions import TypeVar

    # Findings and results are about decision graphs unless their type says otherwise.
    C = TypeVar("C", bound=Sized, default=Case)
else:
    from typing import TypeVar

    C = TypeVar("C")

MAX_REASONS = 5
"""Reasons kept of a property's open cases; the count goes on."""


@dataclass(frozen=True, slots=True)
class Failure(Generic[C]):
    """A property that failed: on which case (shrunk), of which subject, with what verdict and evidence.

    ``example`` is the number, from 1, of the generated case on which it first failed, 0 for a kept case; ``origin`` says
    where the case comes from.
    """

    property_name: str
    subject: str
    verdict: str
    evidence: str
    case: C
    example: int
    origin: str

    @property
    def size(self) -> tuple[int, ...]:
        """The measures of the case."""
        return self.case.size

    @property
    def nodes(self: Failure) -> int:
        """The non-terminals of the case's graph."""
        return self.case.size[0]

    @property
    def features(self: Failure) -> int:
        """The features of the case's graph."""
        return self.case.size[1]


@dataclass(slots=True)
class PropertyTally:
    """Counts of the times that a property held, was open, failed, or said nothing."""

    held: int = 0
    failed: int = 0
    open: int = 0
    silent: int = 0
    seconds: float = 0.0
    reasons: list[str] = field(default_factory=list)

    def add(self, other: PropertyTally) -> None:
        """Add what *other* counted."""
        self.held += other.held
        self.failed += other.failed
        self.open += other.open
        self.silent += other.silent
        self.seconds += other.seconds
        self.reasons = [*self.reasons, *other.reasons][:MAX_REASONS]


@dataclass(slots=True)
class Result(Generic[C]):
    """The result of a run, or a part of one: a tally for each property, the findings, and how many cases there were."""

    tallies: dict[str, PropertyTally]
    findings: list[Failure[C]] = field(default_factory=list)
    cases: int = 0
    labels: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, names: Iterable[str]) -> Result[C]:
        """Return the result of no case at all."""
        return cls({name: PropertyTally() for name in names})

    def add(self, other: Result[C]) -> None:
        """Add what another part found; of each property and subject the smallest finding is kept."""
        for name, tally in other.tallies.items():
            self.tallies.setdefault(name, PropertyTally()).add(tally)
        self.findings = smallest([*self.findings, *other.findings])
        self.cases += other.cases
        for label, count in other.labels.items():
            self.labels[label] = self.labels.get(label, 0) + count

    @property
    def open(self) -> int:
        """The number of questions left open."""
        return sum(tally.open for tally in self.tallies.values())

    def unasked(self, asked_for: Iterable[Iterable[str]] = ()) -> bool:
        """Tell whether nothing was checked: no property had a case, or none of some group of those *asked_for* had one."""
        failed = {finding.property_name for finding in self.findings}
        asked = {name for name, tally in self.tallies.items() if tally.held or tally.open or tally.failed} | failed
        return not asked or any(asked.isdisjoint(group) for group in asked_for)

    def exit_status(self, asked_for: Iterable[Iterable[str]] = ()) -> int:
        """Return 1 if a property failed, else 3 if one was left open or nothing was checked (:meth:`unasked`), else 0."""
        return 1 if self.findings else 3 if self.open or self.unasked(asked_for) else 0


def smallest(findings: Sequence[Failure[C]]) -> list[Failure[C]]:
    """Return one finding for each property and subject, the one on the smallest case."""
    best: dict[tuple[str, str], Failure[C]] = {}
    for finding in findings:
        key = finding.property_name, finding.subject
        if key not in best or finding.size < best[key].size:
            best[key] = finding
    return list(best.values())
