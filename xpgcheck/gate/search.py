"""Generated cases: every claim judged, and of each kind of wrong claim the smallest case that shrinking finds.

What is wrong is known by its *signature*, what was asked and the verdict.  The first case of a new one is shrunk, with that
signature pinned; from then on it is only counted, so a subject that crashes on constant classifiers is judged on all others.
"""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import hypothesis
from hypothesis import Phase
from hypothesis.errors import Flaky

from xpgcheck.errors import InputError
from xpgcheck.gate.plan import Cases
from xpgcheck.gate.questions import ASKED, Answers, judge_answers
from xpgcheck.gate.results import Finding, Report, Row
from xpgcheck.judging.claim import Notion
from xpgcheck.judging.judged import Judged
from xpgcheck.judging.panel import Panel
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.properties.cases import Case
from xpgcheck.properties.running.engine import TimeIsUp, search_settings
from xpgcheck.properties.running.hypothesis_internals import without_local_constants
from xpgcheck.properties.strategies import property_cases

SHRINK_SECONDS = 10.0
"""The time that shrinking one kind of wrong claim may take."""

SMALL = (3, 3)
"""Non-terminals and features that a counterexample should not exceed; a larger one is searched for a smaller."""

MAX_WAYS = 6
"""Ways to fail of one ability that are told apart: a subject could fail in another way each time."""

SMALLER_EXAMPLES = 300
"""Cases tried in the search for a smaller counterexample."""

Signature = tuple[str, str, str]
"""What was asked, the verdict, and of no answer how it failed (``Judged.way``)."""

Seen = tuple[Case, Judged, str]
"""A case, the claim that shows a signature, and what the subject wrote to its standard error."""


class WrongClaimError(AssertionError):
    """A claim is wrong: what Hypothesis sees and shrinks."""


def search(
    subject: Any,
    can: Sequence[str],
    notion: Notion,
    cases: Cases,
    seconds: float,
    *,
    solvers: Sequence[str] = ("z3",),
    on_case: Callable[[int], None] = lambda _: None,
) -> Report:
    """Ask *subject* what makes claims of *can* on generated cases; return the counts and a finding for each signature.

    *on_case* is told of every case.  Deterministic in its arguments, as long as the subject is.
    """
    report = Report("generated cases")
    known: set[Signature] = set()
    asked = tuple(name for name in ASKED if name in can)
    unshrunk: dict[Signature, Seen] = {}
    times: Counter[Signature] = Counter()
    one = _Search(subject, asked, notion, seconds, solvers, known, on_case)
    part = 0
    while report.cases["generated"] < cases.examples:
        left = cases.examples - report.cases["generated"]
        one = _Search(subject, asked, notion, seconds, solvers, known, on_case)
        one.run(dataclasses.replace(cases, examples=left, seed=cases.seed + (part << 32)))
        before = report.cases["generated"]
        one.into(report)
        times += one.times
        unshrunk = {**one.seen, **unshrunk}
        finding = one.finding(before, cases)
        if finding is None:
            break
        known.add(signature_of(finding))
        report.findings.append(_smaller(one, finding, cases))
        part += 1
    for signature, seen in unshrunk.items():
        if signature not in known and sum(1 for way in known if way[:2] == signature[:2]) < MAX_WAYS:
            known.add(signature)
            report.findings.append(_unshrunk(one, signature, seen, report.findings, cases))
    report.findings = [
        dataclasses.replace(finding, times=max(times[signature_of(finding)], 1)) for finding in report.findings
    ]
    return report


def _unshrunk(
    search_before: _Search, signature: Signature, seen: Seen, findings: Sequence[Finding], cases: Cases
) -> Finding:
    """Return a finding of a signature that was met only beside another: on the other's small case if it is there too."""
    for finding in sorted(findings, key=lambda finding: finding.size):
        one = search_before.again(signature)
        if one.fails_on(finding.case):
            found = one.finding(0, cases)
            if found is not None:
                return dataclasses.replace(found, example=finding.example)
    one = search_before.again(signature)
    one.found(*seen)
    found = one.finding(0, cases)
    assert found is not None
    return dataclasses.replace(found, origin=f"generated, seed {cases.seed}, size {cases.size}")


def signature_of(finding: Finding) -> Signature:
    """Return what tells *finding* from others."""
    return finding.about, finding.verdict, finding.way


def _smaller(search_before: _Search, finding: Finding, cases: Cases) -> Finding:
    """Look among small cases for one with the same signature: shrinking finds a local minimum only."""
    if finding.size[0] <= SMALL[0] and finding.size[1] <= SMALL[1]:
        return finding
    for size in (5, 7, 9):
        one = search_before.again(signature_of(finding))
        one.run(dataclasses.replace(cases, examples=SMALLER_EXAMPLES, size=size))
        found = one.finding(0, cases)
        if found is not None and found.size < finding.size:
            return dataclasses.replace(found, example=finding.example, origin=finding.origin)
    return finding


class _Search:
    """One call of Hypothesis: until a claim of a new signature is wrong all is asked, from then on that ability alone."""

    def __init__(
        self,
        subject: Any,
        asked: tuple[str, ...],
        notion: Notion,
        seconds: float,
        solvers: Sequence[str],
        known: set[Signature],
        on_case: Callable[[int], None],
        pinned: Signature | None = None,
    ) -> None:
        self._subject = subject
        self._asked = asked
        self._notion = notion
        self._seconds = seconds
        self._solvers = solvers
        self._known = known
        self._on_case = on_case
        self.times: Counter[Signature] = Counter()
        self._counts: Counter[Row] = Counter()
        self._projected: Counter[Row] = Counter()
        self._declined: Counter[str] = Counter()
        self._cases = 0
        self._pinned = pinned
        self._confined = pinned is not None
        self.seen: dict[Signature, Seen] = {}
        self._last: Seen | None = None
        self._failing: list[Seen] = []
        self._flaky = False
        self._until = float("inf")
        self._origin = ""

    def again(self, pinned: Signature) -> _Search:
        """Return a search for *pinned* alone, by the same subject."""
        return _Search(
            self._subject, self._asked, self._notion, self._seconds, self._solvers, set(), lambda _: None, pinned
        )

    def run(self, cases: Cases) -> None:
        """Generate cases, and shrink the first new kind of wrong claim."""
        if self._confined:
            self._until = time.monotonic() + SHRINK_SECONDS
        settings = search_settings(cases.examples, [Phase.generate, Phase.shrink])
        strategy = property_cases(size=cases.size, kinds=cases.kinds or None)
        test = hypothesis.seed(cases.seed)(settings(hypothesis.given(strategy)(self._try)))
        try:
            with without_local_constants():
                test()
        except WrongClaimError:
            pass
        except TimeIsUp:
            # Hypothesis would end with the smallest; what it tried last need not be that.
            self._last = min(self._failing, key=lambda seen: seen[0].size, default=None)
        except Flaky:
            self._flaky = True

    def fails_on(self, case: Case) -> bool:
        """Tell whether the pinned signature is met on *case*, and remember it."""
        try:
            self._try(case)
        except WrongClaimError:
            return True
        return False

    def found(self, case: Case, judged: Judged, stderr: str) -> None:
        """Take *case* as the one on which the pinned signature is met."""
        self._last = case, judged, stderr

    def into(self, report: Report) -> None:
        """Add what was counted to *report*."""
        report.counts += self._counts
        report.projected += self._projected
        report.unsupported += self._declined
        report.cases["generated"] += self._cases

    def finding(self, before: int, cases: Cases) -> Finding | None:
        """Return the finding, if there is one; *before* cases went before this search."""
        if self._last is None or self._pinned is None:
            return None
        case, judged, stderr = self._last
        said = judged.evidence.text
        with Panel(case.graph, self._solvers, solver_last=True) as judges:
            # With all the evidence, now that the case is settled.
            judged = judges.claims_at(case.instance).judge(judged.claim)
        origin = f"generated, seed {cases.seed}, size {cases.size}, shrunk"
        finding = Finding.of(self._pinned[0], judged, case, origin=origin, stderr=stderr)
        text = f"not deterministic, asked again it answered otherwise: {said}" if self._flaky else finding.text
        return dataclasses.replace(finding, text=text, example=before + self._cases)

    def _try(self, case: Case) -> None:
        searching = self._pinned is None
        if searching:
            self._cases += 1
            self._on_case(1)
        elif time.monotonic() > self._until:
            raise TimeIsUp
        asked = self._asked if self._pinned is None else (self._pinned[0],)
        answers = self._judged(case, asked)
        if searching:
            self._declined += answers.declined
        for about, judged in answers.judged:
            if searching:
                self._count(about, judged)
                if judged.outcome is not Outcome.HOLDS:
                    signature = about, judged.verdict.value, judged.way
                    self.times[signature] += 1
                    self.seen.setdefault(signature, (case, judged, answers.stderr.get(about, "")))
        for about, judged in answers.judged:
            signature = about, judged.verdict.value, judged.way
            if judged.outcome is Outcome.HOLDS or (
                self._is_known(signature) if self._pinned is None else signature != self._pinned
            ):
                continue
            if self._pinned is None:
                self._pinned = signature
                self._until = time.monotonic() + SHRINK_SECONDS
            self._last = case, judged, answers.stderr.get(about, "")
            self._failing.append(self._last)
            raise WrongClaimError(f"{about}: {judged.verdict.value}")

    def _is_known(self, signature: Signature) -> bool:
        ways = sum(1 for known in self._known if known[:2] == signature[:2])
        return signature in self._known or ways >= MAX_WAYS

    def _count(self, about: str, judged: Judged) -> None:
        self._counts[about, judged.verdict.value] += 1
        if judged.projected is not None:
            self._projected[about, judged.projected.verdict.value] += 1

    def _judged(self, case: Case, asked: Sequence[str]) -> Answers:
        with Panel(case.graph, self._solvers, solver_last=True) as judges:
            try:
                return judge_answers(
                    self._subject, asked, case, judges.claims_at(case.instance), self._notion, self._seconds
                )
            except InputError:
                # A graph that has no claims of this notion.
                return Answers(declined=Counter(asked))
