"""The journal of a campaign: every finished unit once, a unit and its findings in one transaction."""

from __future__ import annotations

import json
import math
import os
import platform
import sqlite3
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from xpgcheck.campaign.journal_file import KIND, MEND, SUFFIX, hypothesis_version, journal_path, lock_path
from xpgcheck.campaign.part import WHOLE, Part, parse_part
from xpgcheck.campaign.plan import Plan, parse_plan, require_same
from xpgcheck.campaign.units import UnitResult, is_undecided
from xpgcheck.errors import FormatError, InputError, XpgcheckError, shown
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.runs.journal import Execute, JournalFile
from xpgcheck.runs.lock import DriverLock
from xpgcheck.version import __version__

__all__ = ["SUFFIX", "Cause", "Journal", "JournalRow", "Session", "journal_path", "lock_path"]

EXISTS = "go on with it by 'xpgcheck campaign resume', look at it by 'xpgcheck campaign status', or take another NAME"

OLD_OUTCOMES = {"violation": Outcome.VIOLATED}
"""Words for outcomes in the journals of version 0.1.0."""


@dataclass(frozen=True, slots=True)
class JournalRow:
    """A finished unit: its result (findings apart), who carried it out, and the time of day when it was written."""

    result: UnitResult
    worker: str
    ended: float


@dataclass(frozen=True, slots=True)
class Cause:
    """Findings of one cause: how many, the first unit with one, and its document (``documents.CampaignFindingRecord``)."""

    cause: str
    times: int
    unit: int
    document: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Session:
    """One run of a driver, by the time of day; ``ended`` is None where it runs, or was killed."""

    started: float
    ended: float | None
    host: str
    pid: int
    workers: int


def _lock(path: Path) -> DriverLock:
    return DriverLock(lock_path(path), "this campaign", "let it end, or look by 'xpgcheck campaign status'")


class Journal(JournalFile):
    """An open journal of a campaign.  A context manager; see :meth:`create`, :meth:`open`."""

    KIND = KIND

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: DriverLock | None) -> None:
        """Take an open *connection*: use :meth:`create` or :meth:`open`."""
        super().__init__(path, connection, lock)
        self._session: int | None = None
        self.name, self.plan, self.version, self.hypothesis = "", Plan("", {}), "", ""

    @classmethod
    def create(
        cls, path: Path, plan: Plan, name: str | None = None, noted: Mapping[str, str] = MappingProxyType({})
    ) -> Journal:
        """Make the journal of *plan* at *path* with what is *noted* in it, and open it for writing.

        Raises ``InputError`` where there is a file already, another driver is at work, or nothing can be written.
        """
        values = {
            "name": name or path.name.removesuffix(SUFFIX),
            "plan": plan.text(),
            "digest": plan.digest,
            "version": __version__,
            "hypothesis": hypothesis_version(),
            "created": repr(time.time()),
            "spent": "0.0",
            **noted,
        }
        return cls.begun(path, _lock(path), values, EXISTS)

    @classmethod
    def open(cls, path: Path, plan: Plan | None = None, read_only: bool = False) -> Journal:
        """Open the journal at *path*; to write into it, unless *read_only*, as its one driver.

        Raises ``InputError`` where there is none, it is damaged or not ours, of another *plan* than given or (for writing)
        another version, or where another driver is at work.
        """
        if path.is_dir():
            raise InputError("this is a folder", place=str(path), mend="name a journal in it")
        if not path.is_file():
            mend = (
                "begin it by 'xpgcheck campaign start'" if not read_only else "give its NAME, or the file by --journal"
            )
            raise InputError("there is no such journal", place=str(path), mend=mend)
        lock = None if read_only else _lock(path)
        journal = cls.continued(path, lock)
        if plan is not None:
            try:
                journal.require(plan)
            except BaseException:
                journal.close(tidy=lock is not None and lock.made)
                raise
        return journal

    def accept(self, *, read_only: bool) -> None:
        """Read what the file says of itself.  Raises ``InputError`` where it is damaged, or of another version."""
        self._read_head()
        if not read_only:
            self._require_this_version()

    def _read_head(self) -> None:
        head = {key: self.noted(key) for key in ("name", "plan", "digest", "version", "hypothesis")}
        missing = [key for key, value in head.items() if not isinstance(value, str)]
        if missing:
            raise FormatError(f"the journal lacks its {', '.join(missing)}", mend=MEND)
        self.name, self.version, self.hypothesis = str(head["name"]), str(head["version"]), str(head["hypothesis"])
        self.plan = parse_plan(str(head["plan"]))
        if self.version == __version__ and head["digest"] != self.plan.digest:
            raise FormatError("the journal's digest is not that of its plan: it was changed", mend=MEND)

    def _require_this_version(self) -> None:
        """Refuse to go on where the same seed may mean other cases."""
        for what, theirs, ours in (
            ("xpgcheck", self.version, __version__),
            ("Hypothesis", self.hypothesis, hypothesis_version()),
        ):
            if theirs != ours:
                problem = f"the campaign was begun with {what} {shown(theirs, 40)[1:-1]}, this is {ours}"
                raise InputError(problem, mend=f"go on with that version of {what}, or take another NAME")

    def require(self, plan: Plan) -> None:
        """Raise an ``InputError`` that names the options in which *plan* is not that of the journal."""
        try:
            require_same(self.plan, plan)
        except XpgcheckError as error:
            raise error.at(str(self.path)) from None

    # Writing

    def add(self, result: UnitResult, worker: str, spent: float | None = None) -> bool:
        """Write *result* with its findings, if its unit has none yet; tell whether it was written.

        *spent* is the time that the campaign took so far, over all sessions.  Where findings have one cause, the document of
        the first unit is kept, whichever unit is ready first.  Raises ``InputError`` where nothing can be written.
        """
        from xpgcheck.campaign.causes import cause_of

        caused = [(cause_of(finding), finding) for finding in result.findings]
        document = asdict(result) | {"findings": []}
        row = (result.unit, json.dumps(document), result.cases, result.seconds, worker, time.time())
        with self.transaction() as run:
            new = run("INSERT INTO units VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", row).rowcount == 1
            if new:
                for cause, finding in caused:
                    self._add_finding(run, result.unit, cause, finding)
            if spent is not None:
                run("INSERT OR REPLACE INTO campaign VALUES ('spent', ?)", (repr(spent),))
        self.sync()
        return new

    @staticmethod
    def _add_finding(run: Execute, unit: int, cause: str, finding: dict[str, Any]) -> None:
        text = json.dumps(finding, sort_keys=True)
        held = run("SELECT id, unit FROM findings WHERE cause = ? AND document <> ''", (cause,)).fetchone()
        if held is not None and held[1] > unit:
            run("UPDATE findings SET document = '' WHERE id = ?", (held[0],))
            held = None
        run("INSERT INTO findings (unit, cause, document) VALUES (?, ?, ?)", (unit, cause, "" if held else text))

    def drop_undecided(self) -> int:
        """Take out the units that could not be carried out, so that they are tried again; return their number."""
        lost = [row.result.unit for row in self.rows() if is_undecided(row.result)]
        with self.transaction() as run:
            for unit in lost:
                run("DELETE FROM units WHERE id = ?", (unit,))
        return len(lost)

    def begin_session(self, workers: int) -> None:
        """Note that a driver begins, with so many workers."""
        with self.transaction() as run:
            row = (time.time(), platform.node(), os.getpid(), workers)
            inserted = run("INSERT INTO sessions (started, host, pid, workers) VALUES (?, ?, ?, ?)", row)
            self._session = inserted.lastrowid

    def end_session(self) -> None:
        """Note that the driver ends."""
        with self.transaction() as run:
            run("UPDATE sessions SET ended = ? WHERE id = ?", (time.time(), self._session))

    # Reading

    @property
    def spent(self) -> float:
        """The seconds that the campaign took so far, over all sessions."""
        return self.seconds_noted("spent") or 0.0

    @property
    def part(self) -> Part:
        """The part of the plan that the driver of this journal carries out."""
        try:
            return parse_part(self.noted("part") or str(WHOLE))
        except XpgcheckError as error:
            raise error.at(str(self.path)) from None

    def seconds_noted(self, key: str) -> float | None:
        """Return the seconds that are kept under *key*, None where there are none."""
        text = self.noted(key)
        if text is None:
            return None
        try:
            seconds = float(text)
        except ValueError:
            seconds = math.nan
        if not 0 <= seconds < math.inf:
            raise FormatError(f"the journal's {key} is not a number of seconds", place=str(self.path), mend=MEND)
        return seconds

    def finished(self) -> set[int]:
        """Return the numbers of the finished units."""
        return {self._planned(row[0]) for row in self.select("SELECT id FROM units", tuple[int])}

    def _planned(self, unit: int) -> int:
        """Return the number of a *unit* of the plan.  Raises ``FormatError`` where it has no such unit."""
        count = self.plan.count()
        if unit < 0 or (count is not None and unit >= count):
            raise FormatError(f"the plan has no unit {unit}", place=str(self.path), mend=MEND)
        return unit

    def totals(self) -> tuple[int, int]:
        """Return the number of finished units and of their cases."""
        ((units, cases),) = self.select("SELECT count(*), coalesce(sum(cases), 0) FROM units", tuple[int, int])
        return units, cases

    def rows(self) -> Iterator[JournalRow]:
        """Yield the finished units, in the order of their numbers."""
        query = "SELECT id, result, cases, worker, ended FROM units ORDER BY id"
        for number, text, cases, worker, ended in self.select(query, tuple[int, str, int, str, float]):
            result = self.decoded(text, UnitResult, f"unit {number}")
            if (result.unit, result.cases) != (number, cases) or cases < 0:
                raise FormatError(f"unit {number} holds another unit's result", place=str(self.path), mend=MEND)
            self._planned(number)
            yield JournalRow(result, worker, ended)

    def findings(self) -> Iterator[tuple[int, str]]:
        """Yield the unit and the cause of each finding, in order."""
        yield from self.select("SELECT unit, cause FROM findings ORDER BY unit, cause, id", tuple[int, str])

    def causes(self) -> Iterator[Cause]:
        """Yield each cause with its document, in the order of the causes' texts."""
        ((lost,),) = self.select("SELECT count(*) FROM findings WHERE unit NOT IN (SELECT id FROM units)", tuple[int])
        if lost:
            raise FormatError(f"{lost} findings are of no finished unit", place=str(self.path), mend=MEND)
        query = (
            "SELECT cause, count(*), min(unit), max(document), sum(document <> '') FROM findings "
            "GROUP BY cause ORDER BY cause"
        )
        for cause, times, unit, text, documents in self.select(query, tuple[str, int, int, str, int]):
            if documents != 1:
                problem = f"a cause has {documents} cases instead of one"
                raise FormatError(problem, place=str(self.path), mend=MEND)
            document = self.decoded(text, dict[str, Any], f"a finding of unit {unit}")
            if document.get("outcome") in OLD_OUTCOMES:
                document["outcome"] = OLD_OUTCOMES[document["outcome"]].value
            yield Cause(cause, times, unit, document)

    def sessions(self) -> list[Session]:
        """Return the runs of drivers, in order."""
        query = "SELECT started, ended, host, pid, workers FROM sessions ORDER BY id"
        return [Session(*row) for row in self.select(query, tuple[float, float | None, str, int, int])]
