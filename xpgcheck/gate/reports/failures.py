"""Every claim that is wrong or stayed open, a row each: CSV, to be sorted and counted by anyone who has the models."""

from __future__ import annotations

import csv
import io
from typing import Any

from xpgcheck.claims.documents import instance_document
from xpgcheck.gate.results import ListedFailure, Report
from xpgcheck.judging.judged import Judged
from xpgcheck.properties.cases import Case, EnsembleCase

COLUMNS = ("place", "instance", "asked", "verdict", "what")


def listed(case: Case | EnsembleCase, origin: str, about: str, judged: Judged) -> ListedFailure:
    """Return the row of a claim at *case*."""
    values = instance_document(case.graph, case.instance)
    instance = ", ".join(f"{name}={value}" for name, value in values.items())
    return ListedFailure(origin, instance, about, judged.verdict.value, judged.evidence.text)


def failures_text(report: Report) -> str:
    """Return the failures of *report* as CSV."""
    written: Any = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(COLUMNS)
    rows.writerows((f.origin, f.instance, f.about, f.verdict, f.text) for f in report.failures)
    text: str = written.getvalue()
    return text
