"""Results of a gate or a verification: plain data that processes hand on and reports show."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Generic

from xpgcheck.judging.judged import Judged
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.properties.running.outcomes import C, Failure, PropertyTally

MAX_FINDINGS = 1_000
"""Findings that are kept with their graphs; the counts are always of all."""


DECK_FLOOR = 0.1
"""The share of the deck's cases that have to be judged before a run holds."""


@dataclass(frozen=True, slots=True)
class Finding(Generic[C]):
    """Something that does not hold, or stayed open.

    ``about`` is what was asked: an ability of the subject ("axp", "enumerate"), a kind of claim on file ("AXp"), a check, or
    the name of a property, and then ``is_property``.  ``verdict`` and ``text`` say what is wrong in a word and in a line;
    what was claimed is in that line, or is ``claim``.
    ``judged`` are the claims at the case's instance that show it, with their evidence (none of a property).  ``way`` tells
    failures to answer apart (``Judged.way``).  ``times`` counts how often the same was found about the same thing.
    ``origin`` says where the case comes from, ``example`` is the number of the generated case on which it first happened
    (else 0).  ``stderr`` is the end of what the subject wrote there.  ``file`` is the saved case, ``line`` the line of a
    claims file, or 0.  ``certificate`` is the file next to the saved case that shows the verdict to anyone, or "".
    """

    about: str
    verdict: str
    outcome: Outcome
    text: str
    case: C
    judged: tuple[Judged, ...] = ()
    way: str = ""
    is_property: bool = False
    times: int = 1
    origin: str = ""
    example: int = 0
    stderr: str = ""
    file: str = ""
    line: int = 0
    certificate: str = ""
    claim: str = ""

    @classmethod
    def of(cls, about: str, judged: Judged, case: C, *, origin: str, stderr: str = "") -> Finding[C]:
        """Return the finding that *judged* is, a claim that does not hold or stayed open."""
        text = judged.evidence.text
        return cls(
            about, judged.verdict.value, judged.outcome, text, case, (judged,), judged.way, origin=origin, stderr=stderr
        )

    @classmethod
    def of_property(cls, failure: Failure[C], *, stderr: str = "") -> Finding[C]:
        """Return the finding that *failure* is, a property that does not hold."""
        return cls(
            failure.property_name,
            failure.verdict,
            Outcome.VIOLATED,
            failure.evidence,
            failure.case,
            is_property=True,
            origin=failure.origin,
            example=failure.example,
            stderr=stderr,
        )

    @property
    def size(self) -> tuple[int, ...]:
        """The measures of a small case: non-terminals, features, nodes."""
        return self.case.size


MAX_LISTED = 100_000
"""Failures that are listed one by one."""


@dataclass(frozen=True, slots=True)
class ListedFailure:
    """A claim that is wrong or stayed open, as a row of a table: where, what was asked, the verdict, and what was said."""

    origin: str
    instance: str
    about: str
    verdict: str
    text: str


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """A file of the user's, and a line in it from 1 (0: the whole file)."""

    file: str
    line: int = 0


Row = tuple[str, str]
"""The question and the verdict."""


@dataclass(slots=True)
class Report:
    """All that reports show of one subject, or of one file of claims.

    ``abilities`` are the methods that are judged, ``passed_over`` those that have the name of an ability and are not, with
    why.  ``models`` are the kinds of models that the subject takes, and ``not_asked`` counts the cases of others, by their
    kind, at which it was not asked.  ``counts`` has how often each verdict was given about what (right ones too),
    ``projected`` the same of claims over
    conditions taken over features: a separate question without influence on the outcome.  ``unsupported`` counts what the
    subject declined to answer.  ``properties`` are the tallies of the properties tried.  ``cases`` counts the cases by
    where they come from.  ``bad`` are input lines that were left out, in one line each (at most ``MAX_FINDINGS``;
    ``bad_count`` counts all).  ``witnesses`` counts the witnesses that came with claimed CXps by what is wrong with them, ""
    is nothing; ``repeated`` the claims that had been made and judged shortly before.  ``again`` is the command line that
    repeats the run.  Where certificates of all claims were asked for, ``certified`` counts their lines and ``without`` the
    claims without one.  ``deck`` has how many cases of the deck were judged, of how many, and ``late`` counts by ability
    the answers that did not come in time where that is not judged.  ``coverage`` counts the instances that were judged by
    what they are aimed at and where they come from, ``by_model`` the verdicts of each model, and ``failures`` are listed
    where that was asked for.  ``last_run`` says what came of the failures of the last run, where those were asked first.
    ``source`` is where the subject, or the claims, stand; ``model_files`` has the files of models by their names.
    ``judges`` are those of plug-ins that were heard after the oracles.
    """

    title: str
    subject: str = ""
    version: str = ""
    notion: str = ""
    abilities: tuple[str, ...] = ()
    passed_over: dict[str, str] = field(default_factory=dict)
    models: tuple[str, ...] = ()
    not_asked: Counter[str] = field(default_factory=Counter)
    counts: Counter[Row] = field(default_factory=Counter)
    projected: Counter[Row] = field(default_factory=Counter)
    unsupported: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    properties: dict[str, PropertyTally] = field(default_factory=dict)
    cases: Counter[str] = field(default_factory=Counter)
    questions: int = 0
    restarts: int = 0
    seconds: float = 0.0
    bad: list[str] = field(default_factory=list)
    bad_count: int = 0
    again: str = ""
    certified: int = 0
    without: Counter[str] = field(default_factory=Counter)
    witnesses: Counter[str] = field(default_factory=Counter)
    repeated: Counter[Row] = field(default_factory=Counter)
    deck: tuple[int, int] = (0, 0)
    late: Counter[str] = field(default_factory=Counter)
    coverage: Counter[Row] = field(default_factory=Counter)
    by_model: Counter[Row] = field(default_factory=Counter)
    failures: list[ListedFailure] = field(default_factory=list)
    last_run: str = ""
    source: SourcePlace | None = None
    model_files: dict[str, str] = field(default_factory=dict)
    judges: tuple[str, ...] = ()

    @property
    def claims(self) -> int:
        """The number of claims that were judged."""
        return sum(self.counts.values())

    def number(self, outcome: Outcome) -> int:
        """Return how many claims, and cases of properties, have *outcome*."""
        from xpgcheck.judging.verdicts import Verdict

        claims = sum(n for (_, verdict), n in self.counts.items() if Verdict(verdict).outcome is outcome)
        for tally in self.properties.values():
            of_tally = {
                Outcome.HOLDS: tally.held,
                Outcome.VIOLATED: tally.failed,
                Outcome.INCONCLUSIVE: tally.open,
            }
            claims += of_tally[outcome]
        return claims

    def outcome(self) -> Outcome:
        """A violation if there is one, else inconclusive if something is or nothing was judged, else it holds."""
        for outcome in (Outcome.VIOLATED, Outcome.INCONCLUSIVE, Outcome.HOLDS):
            if self.number(outcome):
                return Outcome.INCONCLUSIVE if outcome is Outcome.HOLDS and self.little_of_the_deck else outcome
        return Outcome.INCONCLUSIVE

    @property
    def little_of_the_deck(self) -> bool:
        """Whether so little of the deck was judged that nothing else can hold the run up."""
        judged, cases = self.deck
        return judged < cases * DECK_FLOOR

    def exit_status(self) -> int:
        """Return 1 for a violation, else 2 for bad input, else 3 if a claim is inconclusive or none was judged, else 0."""
        outcome = self.outcome()
        if outcome is Outcome.VIOLATED:
            return 1
        if self.bad_count:
            return 2
        return 0 if outcome is Outcome.HOLDS else 3

    def add(self, other: Report) -> None:
        """Add what another part found; of each (about, verdict) the smallest case is kept."""
        self.counts += other.counts
        self.projected += other.projected
        self.unsupported += other.unsupported
        self.not_asked += other.not_asked
        self.witnesses += other.witnesses
        self.repeated += other.repeated
        self.cases += other.cases
        self.questions += other.questions
        self.restarts += other.restarts
        self.late += other.late
        self.coverage += other.coverage
        self.by_model += other.by_model
        self.failures = [*self.failures, *other.failures][:MAX_LISTED]
        self.deck = self.deck[0] + other.deck[0], self.deck[1] + other.deck[1]
        self.bad = [*self.bad, *other.bad][:MAX_FINDINGS]
        self.bad_count += other.bad_count
        for name, tally in other.properties.items():
            self.properties.setdefault(name, PropertyTally()).add(tally)
        self.findings = smallest([*self.findings, *other.findings])


def smallest(findings: list[Finding]) -> list[Finding]:
    """Return one finding for each thing asked, verdict and way to fail: that on the smallest graph, with all times."""
    from dataclasses import replace

    best: dict[tuple[str, str, str], Finding] = {}
    for finding in findings:
        key = finding.about, finding.verdict, finding.way
        known = best.get(key)
        if known is None:
            best[key] = finding
        else:
            smaller = finding if finding.size < known.size else known
            best[key] = replace(smaller, times=known.times + finding.times)
    return list(best.values())
