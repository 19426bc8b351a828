"""Findings as files: each a case that ``xpgcheck replay`` judges again."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import re
from pathlib import Path

from xpgcheck.claims.documents import case_document
from xpgcheck.errors import FormatError
from xpgcheck.gate.results import Finding, Report
from xpgcheck.properties.corpus import case_json
from xpgcheck.writers.atomic import write_atomically
from xpgcheck.writers.json_model import model_json


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

    The same case always has the same name.  A case that the JSON format cannot hold is left without a file.  Raises
    ``FormatError`` where the folder cannot be made, and the errors of writing.
    """
    if report.findings:
        make_folder(folder)
    report.findings = [_saved(finding, report.subject, folder) for finding in report.findings]


def _saved(finding: Finding, subject: str, folder: Path) -> Finding:
    case = finding.case
    try:
        text = case_text(finding, subject)
    except FormatError:
        return finding
    key = (finding.about, finding.verdict, finding.way, model_json(case.graph), case.instance)
    digest = hashlib.sha256(repr(key).encode()).hexdigest()[:8]
    words = re.sub(r"[^A-Za-z0-9_]+", "-", f"{finding.about}-{finding.verdict}").strip("-")
    path = folder / f"{words}-{digest}.json"
    write_atomically(path, text)
    return dataclasses.replace(finding, file=str(path))


def case_text(finding: Finding, subject: str) -> str:
    """Return the case of *finding* as JSON that ``replay`` reads.  Raises ``FormatError`` where that cannot hold it."""
    case = finding.case
    if finding.is_property:
        return case_json(finding.about, case, f"{subject}: {finding.verdict} ({finding.origin})")
    return case_document(
        case.graph, case.instance, finding.judged, subject=subject, origin=finding.origin, stderr=finding.stderr
    )
