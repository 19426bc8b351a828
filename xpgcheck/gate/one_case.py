"""One case of a gate: the subject is asked what it can, and each claim is noted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from typing import Any

from xpgcheck.certificates.checked import CertifierPool, RefusedLineError, undecided
from xpgcheck.errors import InputError
from xpgcheck.gate.certificate_folder import CertificateNote
from xpgcheck.gate.plan import GatePlan
from xpgcheck.gate.questions import ASKED, Answers, judge_answers
from xpgcheck.gate.reports.failures import listed
from xpgcheck.gate.results import Finding, Report
from xpgcheck.judging.claim import Notion
from xpgcheck.judging.ensemble_panel import EnsemblePanel
from xpgcheck.judging.judged import Judged
from xpgcheck.judging.panel import LabelledPanel, Panel
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.properties.cases import Case, EnsembleCase
from xpgcheck.properties.subjects import abilities


def notion_of(subject: Any) -> Notion:
    """Return what the sets that *subject* answers are made of: its ``notion``, by default features."""
    named = getattr(subject, "notion", None) or Notion.FEATURES
    try:
        return Notion(named)
    except ValueError:
        mend = f"use one of {', '.join(notion.value for notion in Notion)}"
        raise InputError(f"the subject's notion is {named!r}", mend=mend) from None


Certify = Callable[[str, Case | EnsembleCase, str, Judged], Judged]
"""Notes the certificate of a claim: what was asked, the case and its origin; returns the claim as it then stands."""


def certified(
    notes: list[CertificateNote],
    pool: CertifierPool,
    about: str,
    case: Case | EnsembleCase,
    origin: str,
    judged: Judged,
) -> Judged:
    """Note in *notes* the certificate of *judged*; return it, or as inconclusive where its certificate is refused."""
    try:
        found = pool.certified(case.graph, case.instance, judged, case.constraint)
    except RefusedLineError as error:
        judged = undecided(judged, error)
        found = pool.certified(case.graph, case.instance, judged, case.constraint)
    notes.append(CertificateNote({"case": origin, "asked": about, "verdict": judged.verdict.value}, found))
    return judged


def judge_case(
    report: Report,
    plan: GatePlan,
    subject: Any,
    case: Case | EnsembleCase,
    judges: Panel | EnsemblePanel | LabelledPanel,
    origin: str,
    certify: Certify | None = None,
    asked: Collection[str] = ASKED,
) -> set[str]:
    """Ask *subject* what it can of *asked* at *case*, and note each claim; of those that do not hold the full evidence.

    Returns the abilities whose claims are wrong.
    """
    can, notion = abilities(subject).intersection(asked), notion_of(subject)
    judge = judges.claims_at(case.instance)
    try:
        answers = judge_answers(subject, can, case, judge, notion, plan.seconds)
    except InputError:
        answers = Answers(declined=Counter(name for name in ASKED if name in can))
    part = Report("", unsupported=answers.declined)
    for about, judged in answers.judged:
        doubted = False
        if certify is not None:
            sure = certify(about, case, origin, judged)
            judged, doubted = sure, sure is not judged
        row = about, judged.verdict.value
        part.counts[row] += 1
        if judged.projected is not None:
            part.projected[about, judged.projected.verdict.value] += 1
        if judged.outcome is not Outcome.HOLDS:
            if plan.all_failures:
                part.failures.append(listed(case, origin, about, judged))
            known = (*row, judged.way) in {(f.about, f.verdict, f.way) for f in part.findings}
            full = judged if known or doubted else judge.judge(judged.claim)
            stderr = answers.stderr.get(about, "")
            found: Finding[Any] = Finding.of(about, full, case, origin=origin, stderr=stderr)
            part.findings.append(found)
    report.add(part)
    return {finding.about for finding in part.findings if finding.outcome is Outcome.VIOLATED}
