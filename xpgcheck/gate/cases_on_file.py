"""Cases on file, asked again: kept ones, and what failed in an earlier run, by its report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from xpgcheck.errors import FormatError, XpgcheckError, shown
from xpgcheck.gate.kept import asked_case, read_case
from xpgcheck.gate.one_case import judge_case, notion_of
from xpgcheck.gate.plan import FailedCase, GatePlan, LastRun
from xpgcheck.gate.questions import ASKED
from xpgcheck.gate.results import MAX_FINDINGS, Finding, Report
from xpgcheck.judging.claim import Notion
from xpgcheck.judging.panel import open_panel
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.properties.cases import Case, EnsembleCase, case_of
from xpgcheck.properties.catalogue import Property, able, chosen
from xpgcheck.properties.corpus import KeptCase
from xpgcheck.properties.running.trying import try_one
from xpgcheck.properties.subjects import abilities, model_kind, models_of
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, place_of, read_bytes
from xpgcheck.readers.instances import read_point
from xpgcheck.readers.json_constraints import parse_constraint
from xpgcheck.readers.json_ensemble import parse_classifier


def kept_cases(plan: GatePlan, files: Sequence[Path], subject: Any) -> Report:
    """Ask *subject* at the cases of *files*, and try the properties of those that came of one.  A bad file is counted."""
    report = Report("kept cases")
    takes, wanted = models_of(subject), _wanted(plan, subject)
    for path in files:
        try:
            kept = read_case(path)
        except XpgcheckError as error:
            report.bad.append(str(error))
            report.bad_count += 1
            continue
        case = asked_case(kept)
        if model_kind(case.graph) not in takes:
            report.not_asked[model_kind(case.graph)] += 1
            continue
        report.cases["kept"] += 1
        origin = f"kept in {path.name}"
        wrong = _judged(report, plan, subject, case, origin, ASKED)
        if isinstance(kept, KeptCase) and kept.property in wanted and not wanted[kept.property].needs & wrong:
            _try_property(report, plan, subject, wanted[kept.property], kept.case, origin)
    return report


def failed_cases(plan: GatePlan, cases: Sequence[FailedCase], subject: Any) -> Report:
    """Ask *subject* again what failed, at each of *cases*, and nothing else there."""
    report = Report("what failed")
    takes, wanted = models_of(subject), _wanted(plan, subject)
    by_constraint = notion_of(subject) is Notion.CONSTRAINTS
    for failed in cases:
        case = failed.case
        if model_kind(case.graph) not in takes or (case.constraint is not None) is not by_constraint:
            continue
        report.cases["that failed last time"] += 1
        if failed.about in wanted and isinstance(case, Case):
            _try_property(report, plan, subject, wanted[failed.about], case, failed.origin)
        elif failed.about in ASKED:
            _judged(report, plan, subject, case, failed.origin, (failed.about,))
    return report


def _wanted(plan: GatePlan, subject: Any) -> dict[str, Property]:
    """Return the properties of *plan* that *subject* has the methods for."""
    properties = able(chosen(()), abilities(subject)) if notion_of(subject) is Notion.FEATURES else ()
    return {p.name: p for p in properties if p.name in plan.properties}


def _judged(
    report: Report, plan: GatePlan, subject: Any, case: Case | EnsembleCase, origin: str, asked: Sequence[str]
) -> set[str]:
    solvers = plan.solvers, plan.timeout_ms
    named, constraint = plan.solvers_named, case.constraint
    with open_panel(case.graph, *solvers, solver_last=True, solvers_named=named, constraint=constraint) as judges:
        return judge_case(report, plan, subject, case, judges, origin, asked=asked)


def _try_property(report: Report, plan: GatePlan, subject: Any, item: Property, case: Case, origin: str) -> None:
    tally, violation = try_one(item, case, subject, plan.seconds)
    result = Report("", properties={item.name: tally})
    if violation is not None:
        stderr = str(getattr(subject, "last_stderr", ""))
        verdict, text = violation.verdict, violation.evidence
        result.findings.append(
            Finding(item.name, verdict, Outcome.VIOLATED, text, case, is_property=True, origin=origin, stderr=stderr)
        )
    report.add(result)


class _ReadFinding(msgspec.Struct):
    about: str
    outcome: Outcome
    instance: dict[str, Any]
    graph: msgspec.Raw
    is_property: bool = False
    dice: int = 0
    constraints: msgspec.Raw | UnsetType = UNSET


class _ReadReport(msgspec.Struct):
    """The part of a report that is read: its cases.  Its verdicts are not, as the cases are judged again."""

    format: str
    version: int
    findings: list[_ReadFinding]
    subject: str = ""


REPORT = ("xpgcheck-gate-report", 1)
"""The format of reports, and its version."""


def last_run(path: Path, *, may_be_missing: bool = False) -> LastRun:
    """Return what failed in the run whose JSON report is at *path*: wrong answers, open ones, and properties.

    Every case is read and checked as any model from a file is.  Raises ``XpgcheckError`` that names the file where it is
    absent (unless it *may be missing*), no report, of another version, or has a case that cannot be read.
    """
    if may_be_missing and not path.exists():
        return LastRun(path.name, there=False)
    place = place_of(path)
    data = read_bytes(path, DEFAULT_MAX_BYTES)
    mend = "name a report that 'xpgcheck gate --json' has written, or remove it"
    try:
        record = msgspec.json.decode(data, type=_ReadReport)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(f"no report of a gate: {shown(error)[1:-1]}", place=place, mend=mend) from None
    if (record.format, record.version) != REPORT:
        problem = f"format {shown(record.format)} version {record.version}, not {REPORT[0]} version {REPORT[1]}"
        raise FormatError(problem, place=place, mend=mend)
    cases, left_out = [], 0
    for number, found in enumerate(record.findings[:MAX_FINDINGS], start=1):
        if found.outcome is Outcome.HOLDS:
            continue
        if bytes(found.graph) == b"null":
            # Its names cannot be written; the whole run that follows has it.
            left_out += 1
            continue
        try:
            cases.append(FailedCase(found.about, _case(found), f"finding {number} of {path.name}"))
        except XpgcheckError as error:
            raise error.at(f"{place}, finding {number}") from None
    return LastRun(path.name, tuple(cases), left_out, record.subject)


def _case(found: _ReadFinding) -> Case | EnsembleCase:
    graph = parse_classifier(bytes(found.graph))
    raw = found.constraints
    constraint = None if isinstance(raw, UnsetType) else parse_constraint(bytes(raw), graph.features)
    return case_of(graph, read_point(graph.features, found.instance), found.dice, constraint)
