"""Generated cases: every claim judged, and of each kind of wrong claim the smallest case that the search finds.

What is wrong is known by its *signature*, what was asked and the verdict: the key of the search.  A signature that has a
finding is only counted from then on, so a subject that crashes on constant classifiers is judged on all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from xpgcheck.errors import InputError
from xpgcheck.gate.plan import Cases
from xpgcheck.gate.questions import ASKED, Answers, judge_answers
from xpgcheck.gate.results import Finding, Report, Row
from xpgcheck.judging.claim import Notion
from xpgcheck.judging.judged import Judged
from xpgcheck.judging.panel import open_panel
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.model.combination import Arithmetic, Majority
from xpgcheck.model.ensemble import ensemble
from xpgcheck.properties.cases import Case, EnsembleCase
from xpgcheck.properties.constraints.strategies import constraint_cases
from xpgcheck.properties.ensembles.strategies import ensemble_cases
from xpgcheck.properties.running.engine import graph_source, is_small
from xpgcheck.properties.running.search import Source, search_cases
from xpgcheck.properties.subjects import GRAPH_KIND

SHRINK_SECONDS = 10.0
"""The time that shrinking one kind of wrong claim may take."""

ENSEMBLES = ((7, 9), (1, 5), (2, 3), (3, 3))
"""Trees of generated ensembles and nodes of each, at most; then of those among which a smaller one is looked for."""

MAX_WAYS = 6
"""Ways to fail of one ability that are told apart: a subject could fail in another way each time."""

SMALLER_EXAMPLES = 300
"""Cases tried in the search for a smaller counterexample."""

Signature = tuple[str, str, str]
"""The question, the verdict, and for a missing answer how it failed (``Judged.way``)."""


Seen = tuple[Case | EnsembleCase, Judged, str]
"""A case, the claim that shows a signature, and what the subject wrote to its standard error."""


def search(
    subject: Any,
    can: Sequence[str],
    notion: Notion,
    cases: Cases,
    seconds: float,
    *,
    solvers: Sequence[str] = ("z3",),
    shrink: bool = True,
) -> Report:
    """Ask *subject* what makes claims of *can* on generated cases; return the counts and a finding for each signature.

    Findings are on small cases unless *shrink* is False.

    Deterministic in its arguments, as long as the subject is.
    """
    asked = _Asked(subject, tuple(name for name in ASKED if name in can), notion, seconds, solvers)
    source = _source(cases) if notion is not Notion.CONSTRAINTS else _constrained(cases)
    origin = f"generated, seed {cases.seed}, size {cases.size}"
    findings = {
        found.key: asked.finding(found.key, found.payload, f"{origin}, shrunk", found.example, found.flaky)
        for found in search_cases(source, asked.examine, cases.examples, cases.seed, shrink=shrink)
    }
    for signature, seen in asked.seen.items():
        if signature not in findings and asked.has_room(signature):
            beside = _beside_another(asked, signature, findings.values(), origin)
            findings[signature] = beside or asked.finding(signature, seen, origin)
    asked.report.findings = [replace(found, times=asked.times[signature]) for signature, found in findings.items()]
    return asked.report


def _source(cases: Cases) -> Source[Any]:
    """Return where the cases come from: decision graphs, or ensembles of the kinds that are drawn."""
    if GRAPH_KIND in cases.models:
        return graph_source(cases.size, cases.kinds or None, seconds=SHRINK_SECONDS, tries=SMALLER_EXAMPLES)
    whole, *smaller = (
        ensemble_cases(trees, min(size, cases.size), cases.models).map(_exact) for trees, size in ENSEMBLES
    )
    return Source(whole, SHRINK_SECONDS, is_small, smaller, SMALLER_EXAMPLES)


def _constrained(cases: Cases) -> Source[Any]:
    """Return where cases under constraints come from."""
    whole, small = (
        constraint_cases(min(size, cases.size), cases.models, cases.kinds or None).map(_exact_of_any)
        for size in (cases.size, 6)
    )
    return Source(whole, SHRINK_SECONDS, is_small, [small], SMALLER_EXAMPLES)


def _exact_of_any(case: Case | EnsembleCase) -> Case | EnsembleCase:
    return _exact(case) if isinstance(case, EnsembleCase) else case


def _exact(case: EnsembleCase) -> EnsembleCase:
    """Return *case* with exact sums where rounding would leave verdicts open: that says nothing of the subject."""
    own = case.graph
    if not own.tally.slack or isinstance(own.rule, Majority):
        return case
    rule = replace(own.rule, arithmetic=Arithmetic.EXACT, doubt=Fraction(0))
    return replace(case, graph=ensemble(own.name, own.features, own.classes, own.trees, rule, own.outputs))


def _beside_another(asked: _Asked, signature: Signature, findings: Iterable[Finding], origin: str) -> Finding | None:
    """Return a finding of *signature*, which was met only next to others, on a small case of theirs if it is there too."""
    for other in sorted(findings, key=lambda finding: finding.size):
        for key, seen in asked.examine(other.case, signature):
            if key == signature:
                return asked.finding(signature, seen, f"{origin}, shrunk", other.example)
    return None


class _Asked:
    """The subject, asked at one case after the other, and what came of it."""

    def __init__(
        self, subject: Any, abilities: tuple[str, ...], notion: Notion, seconds: float, solvers: Sequence[str]
    ) -> None:
        self.report = Report("generated cases")
        self.times: Counter[Signature] = Counter()
        self.seen: dict[Signature, Seen] = {}
        self._ways: Counter[Row] = Counter()
        self._subject = subject
        self._abilities = abilities
        self._notion = notion
        self._seconds = seconds
        self._solvers = solvers

    def examine(self, case: Case | EnsembleCase, pinned: Signature | None) -> list[tuple[Signature, Seen]]:
        """Return what is wrong at *case*: of all abilities what may have a finding, or what is wrong of the *pinned* one."""
        answers = self._judged(case, self._abilities if pinned is None else pinned[:1])
        wrong = [
            ((about, judged.verdict.value, judged.way), (case, judged, answers.stderr.get(about, "")))
            for about, judged in answers.judged
            if judged.outcome is not Outcome.HOLDS
        ]
        if pinned is not None:
            return wrong
        self._count(answers)
        for signature, seen in wrong:
            self.times[signature] += 1
            self.seen.setdefault(signature, seen)
        return [(signature, seen) for signature, seen in wrong if self.has_room(signature)]

    def has_room(self, signature: Signature) -> bool:
        """Tell whether *signature* may have a finding next to those that there are of the same ability and verdict."""
        return self._ways[signature[:2]] < MAX_WAYS

    def finding(self, signature: Signature, seen: Seen, origin: str, example: int = 0, flaky: str = "") -> Finding[Any]:
        """Return the finding of *signature* on the case that was *seen*."""
        self._ways[signature[:2]] += 1
        case, judged, stderr = seen
        said = judged.evidence.text
        with open_panel(case.graph, self._solvers, solver_last=True, constraint=case.constraint) as judges:
            # With all the evidence, now that the case is settled.
            judged = judges.claims_at(case.instance).judge(judged.claim)
        found: Finding[Any] = Finding.of(signature[0], judged, case, origin=origin, stderr=stderr)
        text = f"not deterministic, asked again it answered otherwise: {said}" if flaky else found.text
        return replace(found, text=text, example=example)

    def _count(self, answers: Answers) -> None:
        self.report.cases["generated"] += 1
        self.report.unsupported += answers.declined
        for about, judged in answers.judged:
            self.report.counts[about, judged.verdict.value] += 1
            if judged.projected is not None:
                self.report.projected[about, judged.projected.verdict.value] += 1

    def _judged(self, case: Case | EnsembleCase, asked: Sequence[str]) -> Answers:
        with open_panel(case.graph, self._solvers, solver_last=True, constraint=case.constraint) as judges:
            try:
                return judge_answers(
                    self._subject, asked, case, judges.claims_at(case.instance), self._notion, self._seconds
                )
            except InputError:
                # A graph that has no claims of this notion.
                return Answers(declined=Counter(asked))
