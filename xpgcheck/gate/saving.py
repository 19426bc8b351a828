"""Findings as files: a case that ``xpgcheck replay`` judges again, and next to it a certificate that anyone can check."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import re
from pathlib import Path
from typing import Any

from xpgcheck.certificates.canonical_texts import end_text
from xpgcheck.certificates.checked import CertifiedLine, CertifierPool, RefusedLineError, undecided
from xpgcheck.claims.documents import case_document
from xpgcheck.errors import FormatError
from xpgcheck.gate.results import Finding, Report
from xpgcheck.judging.verdicts import Outcome, Verdict
from xpgcheck.properties.cases import LabelledCase
from xpgcheck.properties.corpus import case_json
from xpgcheck.writers.atomic import write_atomically
from xpgcheck.writers.json_model import classifier_json


def make_folder(folder: Path) -> None:
    """Make *folder* if it is not there.  Raises ``FormatError`` where that cannot be, or nothing can be written there."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        problem = f"the folder cannot be made ({error.strerror})"
        raise FormatError(problem, mend="name another").at(str(folder)) from None
    if not os.access(folder, os.W_OK):
        raise FormatError("nothing can be written into the folder", mend="name another").at(str(folder))


def save_findings(report: Report, folder: Path) -> None:
    """Write each finding of *report* into *folder*, which is made if need be, and note the files in the report.

    The same case always has the same name, and next to it lies the certificate of the verdict, where there can be one.  A
    verdict whose certificate is refused becomes inconclusive.  A case that the JSON format cannot hold is left without a
    file.  Raises ``FormatError`` where the folder cannot be made, and the errors of writing.
    """
    if report.findings:
        make_folder(folder)
    saved: list[Finding] = []
    for finding in report.findings:
        try:
            text = certificate_text(finding)
        except RefusedLineError as error:
            finding, text = _undecided(report, finding, error), ""
        saved.append(_saved(finding, report.subject, folder, text))
    report.findings = saved


def certificate_text(finding: Finding) -> str:
    """Return a certificate of what *finding* found, or "" where there can be none.

    Raises ``RefusedLineError`` where it is refused by its checker, and the verdict so in doubt.
    """
    case, pool = finding.case, CertifierPool()
    found = [pool.certified(case.graph, case.instance, judged, case.constraint) for judged in finding.judged]
    lines = [line for line in found if isinstance(line, CertifiedLine)]
    if not lines:
        return ""
    # The lines of one notion, and so of one model: a file has one.
    own = [line.text for line in lines if line.digest == lines[0].digest]
    return lines[0].header + "".join(own) + end_text(len(own))


def _undecided(report: Report, finding: Finding, error: RefusedLineError) -> Finding:
    """Return *finding* as inconclusive, and count it so: every claim that it stands for, as none of them was shown."""
    judged = tuple(undecided(judged, error) for judged in finding.judged)
    wrong, open_ = (finding.about, finding.verdict), (finding.about, Verdict.INCONCLUSIVE.value)
    number = min(finding.times, report.counts[wrong])
    report.counts[wrong] -= number
    report.counts[open_] += number
    return dataclasses.replace(finding, verdict=open_[1], outcome=Outcome.INCONCLUSIVE, judged=judged)


def _saved(finding: Finding, subject: str, folder: Path, certificate: str) -> Finding:
    case = finding.case
    try:
        text = case_text(finding, subject)
    except FormatError:
        return finding
    key: tuple[object, ...] = (finding.about, finding.verdict, finding.way, classifier_json(case.graph), case.instance)
    if case.constraint is not None:
        key = (*key, case.constraint.digest)
    digest = hashlib.sha256(repr(key).encode()).hexdigest()[:8]
    words = re.sub(r"[^A-Za-z0-9_]+", "-", f"{finding.about}-{finding.verdict}").strip("-")
    path = folder / f"{words}-{digest}.json"
    write_atomically(path, text)
    beside = path.with_suffix(".certificate.jsonl")
    if certificate:
        write_atomically(beside, certificate)
    return dataclasses.replace(finding, file=str(path), certificate=str(beside) if certificate else "")


def case_text(finding: Finding[Any], subject: str) -> str:
    """Return the case of *finding* as JSON that ``replay`` reads.  Raises ``FormatError`` where that cannot hold it."""
    case = finding.case
    if isinstance(case, LabelledCase):
        raise FormatError("a graph without domains is no case to judge again", mend="read the .xpg file again")
    if finding.is_property:
        return case_json(finding.about, case, f"{subject}: {finding.verdict} ({finding.origin})")
    return case_document(
        case.graph,
        case.instance,
        finding.judged,
        subject=subject,
        origin=finding.origin,
        stderr=finding.stderr,
        constraint=case.constraint,
    )
