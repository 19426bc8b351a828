"""Progress and findings of a campaign, as text and as JSON; while a driver runs, too."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import msgspec

from xpgcheck.campaign.commands import campaign_command
from xpgcheck.campaign.documents import (
    CampaignStatus,
    CauseRecord,
    DoneRecord,
    RateRecord,
    SessionRecord,
    TimesRecord,
    WorkerRecord,
)
from xpgcheck.campaign.export import FOLDER, replay_command
from xpgcheck.campaign.journal import Cause, Journal
from xpgcheck.campaign.journal_file import MEND
from xpgcheck.campaign.part import WHOLE
from xpgcheck.campaign.summary import Summary, clock, grouped, read_summary
from xpgcheck.campaign.watching import duration
from xpgcheck.errors import FormatError, shown
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.properties.subjects import passed_over_words
from xpgcheck.reports.documents import record_text
from xpgcheck.reports.lines import MAX_COMMAND, line
from xpgcheck.wording import counted

MAX_FINDINGS = 20
"""Causes that the text shows; the JSON has more."""

MAX_NAMES = 12
"""Workers that the text shows, those of the most units first."""

WIDTH = 46


def status_text(journal: Journal, folder: Path | None = None) -> str:
    """Return the status of *journal* as lines of text, without a last line break; its cases are in *folder*, if given.

    Only reads, and waits for no driver.  Raises ``FormatError`` where the journal is not what it has to be.
    """
    return "\n".join(_lines(read_summary(journal), journal, folder))


def _lines(found: Summary, journal: Journal, folder: Path | None) -> Iterator[str]:
    yield f"campaign {line(found.name, 200)}: {found.kind}, {found.state()}"
    if found.part != WHOLE:
        yield f"part     {found.part} of the plan, and what was merged"
    yield f"by       {line(found.identity, 200)}"
    yield f"units    {_of(found.units, found.of_units)}"
    yield f"cases    {_of(found.cases, found.of_cases)}"
    yield f"time     {_times(found)}"
    yield f"rate     {found.rate():,.1f} cases per second, {found.recent_rate():,.1f} lately"
    yield f"workers  {_workers(found)}"
    for text in passed_over_words(found.passed_over):
        yield f"passed over: {text}"
    if found.ends:
        yield f"last     a unit ended {clock(found.ends[-1][0])}"
    yield ""
    yield from _counts(found)
    if found.reasons and found.undecided:
        yield f"open, for example: {found.reasons[0]}"
    yield from _findings(found, journal, folder)


def _of(number: int, whole: int | None) -> str:
    if whole is None:
        return f"{number:,}"
    share = f" ({100 * number / whole:.1f} %)" if whole else ""
    return f"{number:,} of {whole:,}{share}"


def _times(found: Summary) -> str:
    left = found.left()
    parts = [f"{duration(found.spent)} so far"]
    parts += [f"of {duration(found.limit)}"] if found.limit is not None else []
    if left is not None and not found.is_finished():
        parts.append(f"about {duration(left)} left")
    return ", ".join(parts)


def _workers(found: Summary) -> str:
    most = sorted(found.workers.items(), key=lambda item: (-item[1].units, item[0]))
    shown = ", ".join(f"{name} ({counted(worker.units, 'unit')})" for name, worker in most[:MAX_NAMES])
    more = f" and {len(most) - MAX_NAMES:,} more" if len(most) > MAX_NAMES else ""
    return f"{len(most):,} seen: {shown}{more}" if most else "none seen yet"


def _counts(found: Summary) -> Iterator[str]:
    """Yield a line for each thing that was asked and did not hold whenever it said something, and one for all others."""
    held, verdicts = 0, 0
    for name, parts in grouped(found.counts):
        if Outcome.HOLDS in parts and not {Outcome.VIOLATED, Outcome.INCONCLUSIVE} & parts.keys():
            held += 1
            verdicts += sum(number for _, number in parts[Outcome.HOLDS])
            continue
        words = [
            f"{number:,} {word}"
            for outcome in (Outcome.VIOLATED, Outcome.INCONCLUSIVE, Outcome.HOLDS, None)
            for word, number in parts.get(outcome, ())
        ]
        yield f"{name:<{WIDTH}}  {', '.join(words) or 'nothing yet'}"
    if held:
        which = f"all {held:,}" if held == len(found.counts) else f"{held:,} others"
        yield f"{which} held, in all {counted(verdicts, 'case')} that they spoke of"


def _findings(found: Summary, journal: Journal, folder: Path | None) -> Iterator[str]:
    number = len(found.causes) + found.more_causes
    if not number:
        return
    yield ""
    yield f"{counted(found.findings, 'finding')} of {counted(number, 'cause')}:"
    for cause in found.causes[:MAX_FINDINGS]:
        yield from _finding(cause, journal, folder)
    if number > MAX_FINDINGS:
        yield f"  … and {number - MAX_FINDINGS:,} more, in --json and 'campaign report'"
    if folder is None and any(isinstance(cause.document.get("case"), dict) for cause in found.causes[:MAX_FINDINGS]):
        command = campaign_command("export", journal.path, journal.name, "-o", FOLDER)
        yield f"write the cases: {line(command, MAX_COMMAND)}"


def _finding(cause: Cause, journal: Journal, folder: Path | None) -> Iterator[str]:
    said = finding_fields(cause)
    times = f", {cause.times:,} times" if cause.times > 1 else ""
    size = f"{counted(said['non_terminals'], 'non-terminal')}, {counted(said['features'], 'feature')}"
    yield f"  {said['about']}: {said['verdict']} ({said['outcome']}{times}; {size}; unit {cause.unit:,})"
    if said["evidence"]:
        yield f"    {said['evidence']}"
    command = line(replay_command(cause, journal.plan, str(folder or FOLDER)), MAX_COMMAND)
    if command:
        yield f"    {command}"


def finding_fields(cause: Cause) -> dict[str, Any]:
    """Return what is shown of a finding, each text on one line and each number a number, whatever the document holds."""
    texts = {"about": 120, "verdict": 120, "outcome": 20, "way": 200, "subject": 200, "origin": 200, "evidence": 1_000}
    said: dict[str, Any] = {key: line(str(cause.document.get(key, "")), limit) for key, limit in texts.items()}
    for key in ("non_terminals", "features", "example"):
        number = cause.document.get(key)
        said[key] = number if isinstance(number, int) and not isinstance(number, bool) else 0
    return said


def status_json(journal: Journal, folder: Path | None = None) -> str:
    """Return the status of *journal* as JSON, each finding with its case.  Raises as :func:`status_text` does."""
    found = read_summary(journal)
    document = CampaignStatus(
        name=found.name,
        kind=cast("Any", found.kind),
        state=found.state(),
        finished=found.is_finished(),
        outcome=found.conclusion().outcome,
        options=journal.plan.options,
        identity=line(found.identity, 200),
        part=str(found.part),
        units=DoneRecord(done=found.units, of=found.of_units),
        cases=DoneRecord(done=found.cases, of=found.of_cases),
        seconds=TimesRecord(spent=found.spent, limit=found.limit, left=found.left(), of_units=found.worked),
        rate=RateRecord(overall=found.rate(), lately=found.recent_rate()),
        counts=found.counts,
        inconclusive=found.undecided,
        reasons=found.reasons,
        passed_over=found.passed_over,
        sizes={kind: {str(size): n for size, n in sorted(row.items())} for kind, row in found.sizes.items()},
        query_seconds={name: {str(k): n for k, n in sorted(row.items())} for name, row in found.times.items()},
        layers=dict(found.layers),
        workers={
            name: WorkerRecord(units=worker.units, cases=worker.cases, last=_moment(worker.last))
            for name, worker in found.workers.items()
        },
        sessions=[
            SessionRecord(
                started=_moment(session.started),
                ended=None if session.ended is None else _moment(session.ended),
                host=session.host,
                pid=session.pid,
                workers=session.workers,
            )
            for session in found.sessions
        ],
        last_unit=_moment(found.ends[-1][0]) if found.ends else None,
        now=_moment(time.time()),
        findings=[_cause(cause, journal, str(folder or FOLDER)) for cause in found.causes],
        more_causes=found.more_causes,
    )
    return record_text(document)


def _cause(cause: Cause, journal: Journal, folder: str) -> CauseRecord:
    more = {"cause": cause.cause, "times": cause.times, "unit": cause.unit}
    replay = replay_command(cause, journal.plan, folder)
    try:
        return msgspec.convert({**cause.document, **more, "replay": replay}, CauseRecord)
    except msgspec.ValidationError as error:
        problem = f"a finding of unit {cause.unit} is not one: {shown(error)[1:-1]}"
        raise FormatError(problem, place=str(journal.path), mend=MEND) from None


def _moment(moment: float) -> str:
    """Return a time of day as RFC 3339 has it, in UTC."""
    try:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))
    except (ValueError, OverflowError, OSError):
        return ""
