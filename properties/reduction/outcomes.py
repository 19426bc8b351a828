"""What a campaign found, as data that processes can hand on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from xpgcheck.oracles.propositional.formulas import Cnf
from xpgcheck.properties.reduction.cases import formula_size, formula_text
from xpgcheck.properties.running.outcomes import Tally


@dataclass(frozen=True, slots=True)
class FormulaFinding:
    """A property that failed: on which formula (shrunk), with what verdict and evidence.

    ``example`` is the number, from 1, of the generated formula on which it first failed, ``dice`` that of the shrunk case.
    """

    property_name: str
    verdict: str
    evidence: str
    formula: Cnf
    dice: int
    example: int

    def __str__(self) -> str:
        return f"{self.property_name}: {self.verdict}: {self.evidence}; on {formula_text(self.formula)}"


@dataclass(slots=True)
class Outcome:
    """What a campaign, or a part of one, found.

    ``tallies``: how often each property held, failed, was open, said nothing.  ``formulas`` and ``answers``: of how many
    formulas each route was asked, and how many answers it gave.  ``labels``: how many formulas were of which kind.
    """

    tallies: dict[str, Tally]
    findings: list[FormulaFinding] = field(default_factory=list)
    cases: int = 0
    formulas: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, names: Iterable[str]) -> Outcome:
        """Return the outcome of no case at all."""
        return cls({name: Tally() for name in names})

    def add(self, other: Outcome) -> None:
        """Add what another part found; of each property the smallest finding is kept, of equal ones the earliest."""
        for name, tally in other.tallies.items():
            self.tallies.setdefault(name, Tally()).add(tally)
        best: dict[str, FormulaFinding] = {}
        for finding in [*self.findings, *other.findings]:
            kept = best.get(finding.property_name)
            if kept is None or _order(finding) < _order(kept):
                best[finding.property_name] = finding
        self.findings = [best[name] for name in self.tallies if name in best]
        self.cases += other.cases
        self.formulas += other.formulas
        self.answers += other.answers
        self.labels += other.labels

    @property
    def open(self) -> int:
        """The number of questions left open."""
        return sum(tally.open for tally in self.tallies.values())

    def exit_status(self) -> int:
        """Return 1 if a property failed, else 3 if one was left open, else 0."""
        return 1 if self.findings else 3 if self.open else 0

    def comparable(self) -> object:
        """Return all that a seed determines: everything but times."""
        counts = {n: (t.held, t.failed, t.open, t.silent) for n, t in self.tallies.items()}
        return counts, self.findings, self.cases, self.formulas, self.answers, self.labels


def _order(finding: FormulaFinding) -> tuple[tuple[int, int, int], int]:
    return formula_size(finding.formula), finding.example
