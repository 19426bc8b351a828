"""Claims on file, from beginning to end: batches of lines in, one report out, and a line for each claim if wanted."""

from __future__ import annotations

import itertools
import shlex
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from xpgcheck.certificates.checked import CertifierPool, RefusedLineError, undecided
from xpgcheck.claims.documents import BadLineRecord, JudgedLineRecord, JudgedRecord, judged_document
from xpgcheck.claims.models import NamedModels
from xpgcheck.claims.stream import STANDARD_INPUT, RawLine, decode_line, header_of, raw_lines
from xpgcheck.claims.verification import VERDICTS, JudgedLine, LastUsed, LineJudge
from xpgcheck.errors import FormatError, InputError, MissingPackageError, NothingCheckedError, XpgcheckError, shown
from xpgcheck.gate.certificate_folder import CertificateFolder, CertificateNote
from xpgcheck.gate.results import MAX_FINDINGS, Finding, Report, Row
from xpgcheck.judging.claim import Notion
from xpgcheck.judging.judged import Judged
from xpgcheck.judging.second_opinions import judge_names
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.oracles.certificates import Certificate
from xpgcheck.oracles.pysmt_backend import Backend
from xpgcheck.properties.cases import case_of
from xpgcheck.runs.pool import pooled_in_order
from xpgcheck.runs.progress import progress_text, telling

BATCH_LINES = 250
"""Lines that are judged at once."""

CERTIFIED_LINES = 25
"""Lines that are judged at once where each brings a line of a certificate, which may be much longer."""

BATCH_BYTES = 4 * 1024 * 1024
"""Bytes of lines that are judged at once."""

MAX_LISTED = 20
"""Wrong claims that are listed by their lines."""

MAX_SUBJECTS = 5
"""Subjects, named by lines, that a report tells apart."""


@dataclass(frozen=True, slots=True)
class Verification:
    """Settings for the verification of claims: plain data, which processes hand on.

    *source* is what messages call the claims file, *folder* where paths of models in it begin.  With *keep_going*, bad
    lines are left out and counted; without, the first one ends it.  With *full*, each line is written out.  With *certify*,
    each comes with a line of a certificate where there can be one.  *evidence* are files of certificates that the claims
    come with, whose proofs count as a route.  *solvers_first* says that the user named the
    solvers: of ensembles, these are then asked before the other oracles.  *constraints* is the file of the constraint of
    claims under one.
    """

    source: str
    models: tuple[str, ...] = ()
    folder: Path = Path()
    options: Mapping[str, Any] = field(default_factory=dict)
    solvers: tuple[str, ...] = ("z3",)
    timeout_ms: int = 30_000
    keep_going: bool = False
    full: bool = False
    certify: bool = False
    evidence: tuple[str, ...] = ()
    solvers_first: bool = False
    constraints: str | None = None

    def graphs_for(self) -> str:
        """Return the option that takes decision graphs alone, if there is one."""
        return "--evidence" if self.evidence else ""


Batch = tuple[RawLine, ...]


@dataclass(slots=True)
class VerifiedPart:
    """The result of a batch of lines.

    ``listed`` has its first wrong claims, one per line, ``written`` the lines about all of it.  ``error`` is the first bad
    line, where that ends the verification.  ``notes`` say what became of each claim's certificate, ``used`` which files of
    evidence were about some model, ``models_used`` which of the models that were given some line is about.
    """

    report: Report
    lines: int = 0
    listed: list[str] = field(default_factory=list)
    written: bytes = b""
    notions: set[str] = field(default_factory=set)
    subjects: set[str] = field(default_factory=set)
    error: XpgcheckError | None = None
    notes: list[CertificateNote] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    models_used: set[str] = field(default_factory=set)


def verify(
    plan: Verification,
    file: BinaryIO,
    *,
    jobs: int = 1,
    write: Callable[[bytes], None] | None = None,
    certificates: CertificateFolder | None = None,
    advance: Callable[[int], None] = lambda _: None,
) -> tuple[Report, list[str]]:
    """Judge every claim in *file*; return the report, and the first wrong claims with their lines.

    *write* is given a line about each claim, in order, and *certificates* the lines that show the verdicts, where the plan
    says so; *advance* is told how many lines were read.  Lines go to *jobs*
    processes in batches; the verdicts do not depend on how many.  Memory does not grow with the number of lines.

    Raises ``InputError`` on the first bad line, unless *plan* keeps going, where there is no claim at all, and of evidence
    that its checker refuses or that is about none of the models, and of a model that was given and no claim is about;
    ``MissingPackageError`` where a solver, or the reader of a model, is not installed; ``UndecidedError`` if a process dies.
    """
    started = time.monotonic()
    for solver in plan.solvers:
        Backend(solver).close()
    total = VerifiedPart(Report("xpgcheck verify"))
    report = total.report
    lines = iter(raw_lines(file))
    header, lines = _header(plan, lines)
    batches = _batches(lines, CERTIFIED_LINES if plan.certify else BATCH_LINES)

    def so_far() -> str:
        return progress_text(total.lines, None, "lines are judged", report.outcome().name)

    with telling(so_far):
        for part in _parts(plan, batches, jobs):
            report.add(part.report)
            if part.error is not None:
                raise part.error
            total.listed += part.listed[: MAX_LISTED - len(total.listed)]
            total.notions |= part.notions
            total.subjects = set(sorted(total.subjects | part.subjects)[: MAX_SUBJECTS + 1])
            total.used |= part.used
            total.models_used |= part.models_used
            if write is not None:
                write(part.written)
            if certificates is not None:
                certificates.add_all(part.notes)
            total.lines += part.lines
            advance(part.lines)
    _refuse_unused(plan, total)
    if certificates is not None:
        report.certified, report.without = certificates.lines, certificates.without
    report.judges = judge_names()
    report.subject = _subject(header, total.subjects)
    report.notion = next(iter(total.notions)) if len(total.notions) == 1 else ""
    report.seconds = time.monotonic() - started
    return report, total.listed


def _refuse_unused(plan: Verification, total: VerifiedPart) -> None:
    """Raise ``InputError`` where there was no claim, or none is about a certificate or a model that was given."""
    if not total.report.claims and not total.report.bad_count:
        raise NothingCheckedError("there are no claims", place=plan.source, mend="write one JSON object a line")
    for path in plan.evidence:
        if path not in total.used:
            mend = "leave it out, or give the one that belongs to the claims"
            raise InputError("the certificate is about none of the models of the claims", place=path, mend=mend)
    for path in plan.models:
        if path not in total.models_used:
            problem = "no claim is about this model"
            raise InputError(problem, place=f"--model {path}", mend="leave it out, or give the one of the claims")
    if plan.constraints is not None and Notion.CONSTRAINTS.value not in total.notions and not total.report.bad_count:
        mend = 'leave it out, or add "notion": "constraints" to the claims'
        raise InputError("no claim is made under constraints", place=f"--constraints {plan.constraints}", mend=mend)


def _header(plan: Verification, lines: Iterator[RawLine]) -> tuple[str, Iterator[RawLine]]:
    """Return the subject that the header names, and the lines without the header."""
    first = next(lines, None)
    if first is None:
        return "", lines
    number, data = first
    if number == 1 and isinstance(data, bytes):
        _refuse_table(plan, data)
        try:
            header = header_of(data)
        except FormatError as error:
            raise error.at(f"line {number}").at(plan.source) from None
        if header is not None:
            return header.subject, lines
    return "", itertools.chain([first], lines)


def _refuse_table(plan: Verification, first: bytes) -> None:
    """Raise ``FormatError`` where the *first* line is the header of a table: cells, and not the beginning of JSON."""
    if first.lstrip().startswith((b"{", b"[")):
        return
    if b"\0" in first:
        mend = "a model is given by --model, next to a file of claims"
        raise FormatError("this is no text, and so not a file of claims", place=plan.source, mend=mend)
    if any(mark in first for mark in (b",", b";", b"\t")) or plan.source.lower().endswith((".csv", ".tsv")):
        commas = (
            "" if b"," in first or not any(mark in first for mark in (b";", b"\t")) else "save it with commas, and "
        )
        log = "-" if plan.source == STANDARD_INPUT else shlex.quote(plan.source)
        mend = (
            f"{commas}turn it into claims: xpgcheck convert-claims {log} --model MODEL --set-column NAME "
            "--kind AXp -o claims.jsonl"
        )
        raise FormatError("this is a table (CSV), not a file of claims", place=plan.source, mend=mend)


def _subject(header: str, subjects: set[str]) -> str:
    if header or not subjects:
        return header
    known = sorted(subjects)
    return ", ".join(known[:MAX_SUBJECTS]) + (" and others" if len(known) > MAX_SUBJECTS else "")


def _batches(lines: Iterable[RawLine], most: int) -> Iterator[Batch]:
    batch: list[RawLine] = []
    size = 0
    for line in lines:
        batch.append(line)
        size += len(line[1]) if isinstance(line[1], bytes) else 0
        if len(batch) == most or size >= BATCH_BYTES:
            yield tuple(batch)
            batch, size = [], 0
    if batch:
        yield tuple(batch)


class _Judging:
    """Judges batches, by a judge of its own; sent to a process, it makes another one there.

    A context manager, which closes what was made.  Raises what reading the models raises.
    """

    def __init__(self, plan: Verification) -> None:
        self._plan = plan
        models = NamedModels(plan.models, plan.folder, plan.options, graphs_for=plan.graphs_for())
        evidence = [Certificate.of_file(path) for path in plan.evidence]
        self._judge = LineJudge(
            models,
            plan.solvers,
            plan.timeout_ms,
            evidence=plan.full,
            certificates=evidence,
            solvers_first=plan.solvers_first,
            constraints=plan.constraints,
        )
        self._certifiers = CertifierPool()
        self._documents: Documents = LastUsed(VERDICTS)

    def __reduce__(self) -> tuple[type[_Judging], tuple[Verification]]:
        return _Judging, (self._plan,)

    def __call__(self, batch: Batch) -> VerifiedPart:
        return judge_batch(self._plan, self._judge, batch, self._certifiers, self._documents)

    def name(self, batch: Batch) -> str:
        """Return what tells *batch* from others."""
        return f"{self._plan.source}, lines {batch[0][0]} to {batch[-1][0]}"

    def __enter__(self) -> _Judging:
        return self

    def __exit__(self, *_: object) -> None:
        self._judge.__exit__(None, None, None)


def _parts(plan: Verification, batches: Iterable[Batch], jobs: int) -> Iterator[VerifiedPart]:
    """Yield the parts in the order of their batches, of which only a few are under way at a time."""
    # Wrong models are refused here, where it is seen which.
    with _Judging(plan) as judging:
        yield from pooled_in_order(judging, batches, jobs, judging.name)


Documents = LastUsed[int, tuple[Judged, JudgedRecord]]
"""Verdicts by their ids, with their documents; the verdicts are kept too, so that an id stays its own."""


def judge_batch(
    plan: Verification, judge: LineJudge, batch: Batch, certifiers: CertifierPool, documents: Documents
) -> VerifiedPart:
    """Judge the lines of *batch*.  Raises ``MissingPackageError``; a bad line is noted in the part."""
    part = VerifiedPart(Report(""), lines=len(batch))
    findings: dict[tuple[Row, int], Finding[Any]] = {}
    written: list[bytes] = []
    for number, data in batch:
        try:
            if not isinstance(data, bytes):
                raise data
            line = judge.judge(decode_line(data))
        except InputError as error:
            text = str(error)
            error.at(f"line {number}").at(plan.source)
            if not plan.keep_going:
                part.error = error
                break
            part.report.bad_count += 1
            if len(part.report.bad) < MAX_FINDINGS:
                part.report.bad.append(str(error))
            if plan.full:
                written.append(msgspec.json.encode(BadLineRecord(line=number, bad=text)))
            continue
        except MissingPackageError as error:
            raise error.at(f"line {number}").at(plan.source) from None
        if plan.certify:
            line = _certified(part, certifiers, number, line)
        _note(plan, part, findings, number, line)
        if plan.full:
            written.append(msgspec.json.encode(_document(number, line, documents)))
    part.report.findings = list(findings.values())
    part.used = set(judge.used)
    part.models_used = set(judge.models_used)
    part.written = b"".join(document + b"\n" for document in written)
    return part


def _certified(part: VerifiedPart, certifiers: CertifierPool, number: int, line: JudgedLine) -> JudgedLine:
    """Note the line that shows the verdict on *line*; return *line*, undecided if what was to show it does not."""
    graph = line.graph
    try:
        found = certifiers.certified(graph, line.instance, line.judged, line.constraint)
    except RefusedLineError as error:
        line = replace(line, judged=undecided(line.judged, error))
        found = certifiers.certified(graph, line.instance, line.judged, line.constraint)
    part.notes.append(CertificateNote({**_named(number, line), "verdict": line.judged.verdict.value}, found))
    return line


def about(line: JudgedLine) -> str:
    """Return what a claim is about: its kind, and its notion where that is not the paper's."""
    claim = line.judged.claim
    if claim.notion is Notion.FEATURES:
        return claim.kind.value
    return f"{claim.kind.value} {'under' if claim.notion.of_features else 'over'} {claim.notion.value}"


def _note(
    plan: Verification, part: VerifiedPart, findings: dict[tuple[Row, int], Finding[Any]], number: int, line: JudgedLine
) -> None:
    judged, report = line.judged, part.report
    row = about(line), judged.verdict.value
    report.counts[row] += 1
    report.cases[f"on {line.graph.name}"] += 1
    report.repeated[row] += line.repeated
    if line.witness is not None:
        report.witnesses[line.witness] += 1
    part.notions.add(judged.claim.notion.value)
    if line.record.subject and len(part.subjects) <= MAX_SUBJECTS:
        part.subjects.add(line.record.subject)
    if judged.projected is not None:
        report.projected[row[0], judged.projected.verdict.value] += 1
    if judged.outcome is Outcome.HOLDS:
        return
    if judged.outcome is Outcome.VIOLATED and len(part.listed) < MAX_LISTED:
        part.listed.append(_listed(plan.source, number, line))
    # One a graph is enough: of each kind the report keeps the one on the smallest graph.
    key = row, id(line.graph)
    known = findings.get(key)
    if known is not None:
        findings[key] = replace(known, times=known.times + 1)
        return
    by = f", by {line.record.subject}" if line.record.subject else ""
    findings[key] = Finding(
        row[0],
        row[1],
        judged.outcome,
        judged.evidence.text,
        case_of(line.graph, line.instance, constraint=line.constraint),
        (judged,),
        origin=f"{plan.source}{by}",
        line=number,
    )


def _listed(source: str, number: int, line: JudgedLine) -> str:
    said = "" if line.record.id is None else f" ({shown(line.record.id, 40)[1:-1]})"
    return f"{source}:{number}:{said} {line.judged.verdict.value}: {shown(line.judged.evidence.text, 400)[1:-1]}"


def _named(number: int, line: JudgedLine) -> dict[str, Any]:
    """Return which claim it is."""
    document: dict[str, Any] = {"line": number}
    if line.record.id is not None:
        document["id"] = line.record.id
    if line.record.subject:
        document["subject"] = line.record.subject
    document["model"] = line.graph.name
    return document


def _document(number: int, line: JudgedLine, documents: Documents) -> JudgedLineRecord:
    kept = documents.get(id(line.judged)) if line.repeated else None
    if kept is None:
        kept = line.judged, judged_document(line.judged, line.graph, line.instance)
        documents.put(id(line.judged), kept)
    judged = kept[1]
    own = {field: getattr(judged, field) for field in judged.__struct_fields__}
    given = msgspec.UNSET if line.witness is None else line.witness
    return JudgedLineRecord(**_named(number, line), **own, given_witness=given)
