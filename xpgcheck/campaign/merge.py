"""Joining the journals of one campaign that ran on several machines: every finished unit once, in one transaction."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from xpgcheck.campaign.causes import cause_of
from xpgcheck.campaign.journal import Journal, JournalRow
from xpgcheck.campaign.plan import require_same
from xpgcheck.campaign.units import UnitResult, is_undecided
from xpgcheck.errors import FormatError, InputError, XpgcheckError, shown

Run = Callable[..., Any]

_MEND = "merge journals of one campaign: the same options, on every machine"


def merge(into: Path, others: Iterable[Path]) -> int:
    """Add the units of the journals *others* to the journal *into*, which is made where there is none; return how many.

    The journals must have one plan.  A unit that several have is taken once, and must have come out the same, by whomever
    and however long it took; but one that could not be carried out gives way to what another journal has of it.  Of
    findings of one cause the document of the first unit is kept.  *into* is as it was before, or has all, even if this
    process or the machine dies on the way.

    Raises ``InputError`` where a journal is missing, damaged, not ours, at work (*into*), of other options or versions, or
    where a unit came out differently, naming it.  Linear in the units, besides the forms of the causes.
    """
    paths = list(others)
    for path in paths:
        if path.exists() and into.exists() and path.samefile(into):
            raise InputError("a journal cannot be merged into itself", place=str(path), mend="name the other journals")
    # Looked at before anything is made or written.
    for path in paths:
        Journal.open(path, read_only=True).close()
    if not paths:
        return 0
    new = not into.exists()
    with _opened(into, paths[0]) as journal:
        try:
            with journal.transaction() as run:
                return sum(_add(run, journal, path) for path in paths)
        except BaseException:
            if new:
                journal.discard()
            raise


def _opened(into: Path, first: Path) -> Journal:
    """Open the journal that is added to, or make one of the plan of the *first* other."""
    if into.exists():
        return Journal.open(into)
    with Journal.open(first, read_only=True) as other:
        _require_version(other, None)
        values = {key: other.noted(key) for key in ("asked", "identity")}
        noted = {key: value for key, value in values.items() if value is not None}
        journal = Journal.create(into, other.plan, noted=noted)
    return journal


def _add(run: Run, journal: Journal, path: Path) -> int:
    """Add the units of the journal at *path*, as they are at this moment; return how many were new."""
    with Journal.open(path, read_only=True) as other, other.snapshot():
        _require_version(other, journal)
        if not other.totals()[0]:
            # A copy without what SQLite keeps next to it, most likely.
            mend = f"copy {path.name}-wal with it, or merge the journal where it lies"
            raise InputError("no unit is finished in it", place=str(path), mend=mend)
        try:
            require_same(journal.plan, other.plan)
        except XpgcheckError as error:
            raise InputError(error.problem, place=str(path), mend=_MEND) from None
        found = _caused(other)
        known = _caused(journal)
        new, all_units = 0, 0
        for row in other.rows():
            all_units += 1
            number = row.result.unit
            if _insert(run, row) or _replace(run, row):
                new += 1
                for cause in found.get(number, ()):
                    run("INSERT INTO findings (unit, cause, document) VALUES (?, ?, '')", (number, cause))
            elif not is_undecided(row.result):
                _require_equal(run, row, (known.get(number, []), found.get(number, [])), path)
        _add_documents(run, other)
        if (identity := other.noted("identity")) != journal.noted("identity"):
            run(
                "INSERT OR REPLACE INTO campaign VALUES ('identity', ?)",
                (f"several, one of them {identity or 'unknown'}",),
            )
        if new:
            _add_session(run, journal, other, new / all_units)
    return new


def _require_version(other: Journal, journal: Journal | None) -> None:
    from xpgcheck.campaign.journal_file import hypothesis_version
    from xpgcheck.version import __version__

    ours = (journal.version, journal.hypothesis) if journal else (__version__, hypothesis_version())
    for what, theirs, own in zip(("xpgcheck", "Hypothesis"), (other.version, other.hypothesis), ours, strict=True):
        if theirs != own:
            problem = f"it was written with {what} {shown(theirs, 40)[1:-1]}, not {shown(own, 40)[1:-1]}"
            raise InputError(problem, place=str(other.path), mend="merge journals of the same versions")


def _caused(journal: Journal) -> dict[int, list[str]]:
    """Return the causes of each unit's findings, in order."""
    return {unit: [cause for _, cause in rows] for unit, rows in groupby(journal.findings(), lambda row: row[0])}


def _insert(run: Run, row: JournalRow) -> bool:
    result = row.result
    text = msgspec.json.encode(replace(result, findings=[])).decode()
    values = (result.unit, text, result.cases, result.seconds, row.worker, row.ended)
    done = run("INSERT INTO units VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", values)
    return bool(done.rowcount == 1)


def _replace(run: Run, row: JournalRow) -> bool:
    """Put *row* in the place of a result of the same unit that could not be carried out; tell whether that was so."""
    if is_undecided(row.result):
        return False
    number = row.result.unit
    (text,) = run("SELECT result FROM units WHERE id = ?", (number,)).fetchone()
    if not is_undecided(msgspec.json.decode(text, type=UnitResult)):
        return False
    run("DELETE FROM units WHERE id = ?", (number,))
    return _insert(run, row)


def _require_equal(run: Run, row: JournalRow, causes: tuple[list[str], list[str]], path: Path) -> None:
    """Refuse a unit that came out differently in two journals."""
    number = row.result.unit
    (text,) = run("SELECT result FROM units WHERE id = ?", (number,)).fetchone()
    own = json.loads(text)
    other = [key for key, value in row.result.lasting().items() if own.get(key) != value]
    if causes[0] != causes[1]:
        other.append("findings")
    if other:
        problem = f"unit {number} came out differently in two journals ({', '.join(other)})"
        mend = "find out why: a unit is decided by its plan, so a subject may not be deterministic, or out of time"
        raise InputError(problem, place=str(path), mend=mend)


def _add_documents(run: Run, other: Journal) -> None:
    """Give each cause the document of the first unit that has it."""
    for cause in other.causes():
        if cause_of(cause.document) != cause.cause:
            problem = f"a finding of unit {cause.unit} has a case of another cause than it says"
            raise FormatError(problem, place=str(other.path), mend="name the journal as it was written")
        query = "SELECT id, unit FROM findings WHERE cause = ? AND document <> ''"
        held = run(query, (cause.cause,)).fetchone()
        if held is not None and held[1] <= cause.unit:
            continue
        query = (
            "UPDATE findings SET document = ? WHERE id = (SELECT min(id) FROM findings WHERE cause = ? AND unit = ?)"
        )
        added = run(query, (json.dumps(cause.document, sort_keys=True), cause.cause, cause.unit)).rowcount
        if held is not None and added:
            run("UPDATE findings SET document = '' WHERE id = ?", (held[0],))


def _add_session(run: Run, journal: Journal, other: Journal, share: float) -> None:
    """Add the sessions of *other*, and the time that it took and may take: the *share* of it that its new units have."""
    known = {(session.started, session.host, session.pid) for session in journal.sessions()}
    for session in other.sessions():
        if (session.started, session.host, session.pid) not in known:
            row = (session.started, session.ended, session.host, session.pid, session.workers)
            run("INSERT INTO sessions (started, ended, host, pid, workers) VALUES (?, ?, ?, ?, ?)", row)
    limit, more = journal.seconds_noted("limit"), other.seconds_noted("limit")
    if limit is not None or (more is not None and not known):
        # Who had no limit may take no more than it did.
        more = other.spent if more is None else more
        run("INSERT OR REPLACE INTO campaign VALUES ('limit', ?)", (repr((limit or 0.0) + share * more),))
    run("INSERT OR REPLACE INTO campaign VALUES ('spent', ?)", (repr(journal.spent + share * other.spent),))
