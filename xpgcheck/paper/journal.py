"""The journal of a run: a line of JSON for each finished unit, so that a run that was stopped goes on where it was.

The first line says which run it is: the version, and a digest of the units.  Each other line ends with a check sum.  One
that was cut off, as when the machine went down, or that is not as it was written is left out; its unit runs again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from pathlib import Path
from types import TracebackType
from typing import Any

from xpgcheck.errors import InputError
from xpgcheck.paper.sources import Unit
from xpgcheck.runs.progress import progress_text
from xpgcheck.version import __version__

FORMAT = "xpgcheck-paper-journal"


class Journal:
    """A journal on file, or None at all where *path* is None.  A context manager."""

    def __init__(self, path: Path | None, units: Sequence[Unit], *, resume: bool) -> None:
        """Begin a journal at *path*, or with *resume* go on with the one there.

        Raises ``InputError`` where there is one and *resume* is not said, where there is none to resume, and where it is of
        another run.
        """
        self._file: TextIOWrapper | None = None
        self._path = path
        self.results: dict[str, dict[str, Any]] = {}
        if path is None:
            return
        head = {"format": FORMAT, "version": __version__, "units": digest(units)}
        place = str(path)
        try:
            if resume:
                self._read(path, head, {unit.name for unit in units})
            elif path.exists():
                raise InputError("there is a journal already", place=place, mend="add --resume, or name another")
            self._file = open(path, "a", encoding="utf-8", newline="\n")  # noqa: SIM115 - closed by __exit__
        except OSError as error:
            raise InputError(f"it cannot be used ({error.strerror})", place=place, mend="name another file") from None
        if not resume:
            self._write(head)

    def _read(self, path: Path, head: dict[str, Any], names: set[str]) -> None:
        lines = path.read_bytes().split(b"\n")
        whole, rest = lines[:-1], lines[-1]
        try:
            found = json.loads(whole[0])
            if not isinstance(found, dict) or found.get("format") != FORMAT:
                raise ValueError
        except (ValueError, IndexError, RecursionError):
            raise InputError("this is no journal of 'xpgcheck paper'", place=str(path), mend="name one") from None
        for key, what in (("version", "version of xpgcheck"), ("units", "set of units")):
            if found.get(key) != head[key]:
                problem = f"it is of another {what}"
                raise InputError(problem, place=str(path), mend="use the same version and options, or begin anew")
        for line in whole[1:]:
            try:
                record = json.loads(line)
                name, result, said = record["unit"], record["result"], record["sum"]
            except (ValueError, KeyError, TypeError, RecursionError):
                continue
            if isinstance(name, str) and name in names and said == check_sum(name, result):
                self.results[name] = result
        if rest:
            with path.open("r+b") as file:
                file.truncate(path.stat().st_size - len(rest))

    def add(self, unit: Unit, result: dict[str, Any]) -> None:
        """Keep what *unit* found."""
        self.results[unit.name] = result
        self._write({"unit": unit.name, "result": result, "sum": check_sum(unit.name, result)})

    def progress(self, total: int) -> str:
        """Return how many of *total* units are finished, and how the run goes on."""
        if self._path is None:
            return progress_text(len(self.results), total, "units of evidence are finished")
        return f"{self._path}: {progress_text(len(self.results), total, 'units are kept')}; add --resume to go on"

    def _write(self, record: dict[str, Any]) -> None:
        if self._file is not None:
            self._file.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
            self._file.flush()
            os.fsync(self._file.fileno())

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()


def check_sum(name: str, result: Any) -> str:
    """Return what tells that a line is as it was written."""
    text = json.dumps([name, result], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def digest(units: Iterable[Unit]) -> str:
    """Return what tells a set of units from others."""
    text = json.dumps([[unit.name, unit.arguments] for unit in units], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
