"""The journal of ``xpgcheck paper``: what each finished unit found, so that a run that was stopped goes on where it was.

It says which run it is: the version, and a digest of the units.  Each result has a check sum; one that is not as it was
written is left out, and its unit runs again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from xpgcheck.errors import InputError
from xpgcheck.paper.sources import SourceUnit
from xpgcheck.runs.database import JournalKind
from xpgcheck.runs.journal import JournalFile
from xpgcheck.runs.lock import DriverLock
from xpgcheck.runs.progress import progress_text
from xpgcheck.version import __version__

KIND = JournalKind(
    "journal of 'xpgcheck paper'",
    0x78706770,
    1,
    (
        "CREATE TABLE paper (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
        "CREATE TABLE units (name TEXT PRIMARY KEY, result TEXT NOT NULL, sum TEXT NOT NULL)",
    ),
    "paper",
    "name the journal of 'xpgcheck paper', or begin again",
)

BUSY = "let it end, or name another journal"


class _File(JournalFile):
    KIND = KIND


class PaperJournal:
    """A journal on file, or None at all where *path* is None.  A context manager."""

    def __init__(self, path: Path | None, units: Sequence[SourceUnit], *, resume: bool) -> None:
        """Begin a journal at *path*, or with *resume* go on with the one there.

        Raises ``InputError`` where there is one and *resume* is not said, where there is none to resume, and where it is of
        another run.
        """
        self._path = path
        self._file: _File | None = None
        self.results: dict[str, dict[str, Any]] = {}
        if path is None:
            return
        head = {"version": __version__, "units": digest(units)}
        if resume:
            self._file = self._continued(path, head, {unit.name for unit in units})
        else:
            self._file = _File.begun(path, _lock(path), head, "add --resume, or name another")

    def _continued(self, path: Path, head: dict[str, str], names: set[str]) -> _File:
        file = _File.continued(path, _lock(path))
        try:
            for key, what in (("version", "version of xpgcheck"), ("units", "set of units")):
                if file.noted(key) != head[key]:
                    problem = f"it is of another {what}"
                    raise InputError(problem, place=str(path), mend="use the same version and options, or begin again")
            for name, text, said in file.select("SELECT name, result, sum FROM units", tuple[str, str, str]):
                if name in names and said == check_sum(name, text):
                    self.results[name] = file.decoded(text, dict[str, Any], f"the unit {name}")
        except BaseException:
            file.close(tidy=True)
            raise
        return file

    def add(self, unit: SourceUnit, result: dict[str, Any]) -> None:
        """Keep what *unit* found.  Raises ``InputError`` where it cannot be written."""
        self.results[unit.name] = result
        if self._file is not None:
            text = json.dumps(result, ensure_ascii=False, separators=(",", ":"))
            with self._file.transaction() as run:
                run("INSERT OR REPLACE INTO units VALUES (?, ?, ?)", (unit.name, text, check_sum(unit.name, text)))
            self._file.sync()

    def progress(self, total: int) -> str:
        """Return how many of *total* units are finished, and how the run goes on."""
        if self._path is None:
            return progress_text(len(self.results), total, "units of evidence are finished")
        return f"{self._path}: {progress_text(len(self.results), total, 'units are kept')}; add --resume to go on"

    def __enter__(self) -> PaperJournal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close(tidy=True)


def _lock(path: Path) -> DriverLock:
    return DriverLock(path.with_name(path.name + ".lock"), "this journal", BUSY)


def check_sum(name: str, result: str) -> str:
    """Return what tells that a result is as it was written."""
    return hashlib.sha256(json.dumps([name, result]).encode()).hexdigest()[:16]


def digest(units: Iterable[SourceUnit]) -> str:
    """Return what tells a set of units from others."""
    text = json.dumps([[unit.name, unit.arguments] for unit in units], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
