"""The journal of a run: one SQLite file that has all that is finished, once, however often the run is stopped.

What is finished is written in one transaction.  In WAL mode readers look while a driver writes.  What was written survives
the end of the process by any signal; a loss of power may take what was written in the last ``SYNC_SECONDS``, which is then
carried out again, and leaves the file whole.  It has to lie on a disk of this machine.  One driver writes at a time.

A file is read with distrust: another schema than that of its kind (so also any trigger or view) is refused.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, TypeVar

import msgspec

from xpgcheck.errors import FormatError, InputError, XpgcheckError, shown
from xpgcheck.runs.database import JournalKind, opened, reading, require_ours, write_empty, writing
from xpgcheck.runs.lock import DriverLock

Read = TypeVar("Read")
Own = TypeVar("Own", bound="JournalFile")

SYNC_SECONDS = 10.0
"""Seconds after which what was written is forced onto the disk."""

Execute = Callable[..., sqlite3.Cursor]


class JournalFile:
    """An open journal of one ``KIND``.  A context manager; see :meth:`begun`, :meth:`continued`."""

    KIND: ClassVar[JournalKind]

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: DriverLock | None) -> None:
        """Take an open *connection*: use :meth:`begun` or :meth:`continued`."""
        self.path = path
        self._connection = connection
        self._lock = lock
        self._synced = time.monotonic()

    @classmethod
    def begun(cls: type[Own], path: Path, lock: DriverLock, values: Mapping[str, str], exists: str) -> Own:
        """Make a journal at *path* with *values* as its keys, and open it for writing, under *lock*.

        Raises ``InputError`` where nothing can be written, and where there is a file already: *exists* says what to do.
        """
        try:
            if os.path.lexists(path):
                raise InputError("there is a journal of this name already", place=str(path), mend=exists)
            _require_no_rest(path)
            # Put together next to it: a driver that is killed meanwhile leaves no half of a journal.
            new = path.with_name(path.name + ".new")
            with writing(path):
                new.unlink(missing_ok=True)
                try:
                    write_empty(new, cls.KIND, values)
                    os.replace(new, path)
                finally:
                    new.unlink(missing_ok=True)
            return cls._opened(path, lock)
        except BaseException:
            lock.release(remove=lock.made)
            raise

    @classmethod
    def continued(cls: type[Own], path: Path, lock: DriverLock | None) -> Own:
        """Open the journal at *path*, to write into it where there is a *lock*.

        Raises ``InputError`` where it is damaged, not of this kind, or :meth:`accept` refuses it.
        """
        try:
            return cls._opened(path, lock)
        except BaseException:
            if lock is not None:
                lock.release(remove=lock.made)
            raise

    @classmethod
    def _opened(cls: type[Own], path: Path, lock: DriverLock | None) -> Own:
        with reading(path, cls.KIND):
            connection = opened(path, cls.KIND, read_only=lock is None)
        try:
            journal = cls(path, connection, lock)
            with reading(path, cls.KIND):
                require_ours(connection, cls.KIND)
                journal.accept(read_only=lock is None)
            if lock is not None:
                with writing(path):
                    connection.execute("PRAGMA journal_mode=WAL")
                    connection.execute("PRAGMA synchronous=NORMAL")
        except XpgcheckError as error:
            connection.close()
            raise (error if error.place.startswith(str(path)) else error.at(str(path))) from None
        except BaseException:
            connection.close()
            raise
        return journal

    def accept(self, *, read_only: bool) -> None:
        """Raise where what the file says of itself is wrong, or it cannot be gone on with."""

    def __enter__(self: Own) -> Own:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self, *, tidy: bool = False) -> None:
        """Close the file, and let other drivers in; with *tidy*, take the file of the lock away, too."""
        # On a full disk there is nothing better to do than to leave the rest in the WAL, where it is safe.
        with contextlib.suppress(sqlite3.Error):
            if self._lock is not None:
                self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()
        if self._lock is not None:
            self._lock.release(remove=tidy)

    def discard(self) -> None:
        """Remove the file, before others are let in."""
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()
        for ending in ("", "-wal", "-shm"):
            with contextlib.suppress(OSError):
                os.unlink(f"{self.path}{ending}")
        if self._lock is not None:
            self._lock.release(remove=True)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Execute]:
        """Give a function that executes statements, of which all are kept or none.  Raises ``InputError`` on a bad disk."""
        with writing(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection.execute
                self._connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    def sync(self) -> None:
        """Force what was written onto the disk, now and then."""
        if time.monotonic() - self._synced >= SYNC_SECONDS:
            with writing(self.path):
                self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
            self._synced = time.monotonic()

    def note(self, key: str, value: str) -> None:
        """Keep *value* under *key* in the table of keys."""
        with self.transaction() as run:
            run(f"INSERT OR REPLACE INTO {self.KIND.table} VALUES (?, ?)", (key, value))

    def noted(self, key: str) -> str | None:
        """Return what is kept under *key*."""
        with reading(self.path, self.KIND):
            row = self._connection.execute(f"SELECT value FROM {self.KIND.table} WHERE key = ?", (key,)).fetchone()
        return None if row is None else self.typed(row, tuple[str])[0]

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let all that is read in the body be of one moment, while a driver may be at work."""
        with reading(self.path, self.KIND):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")

    def select(self, query: str, kind: type[Read]) -> Iterator[Read]:
        """Yield the rows of *query*, each of them a tuple of type *kind*."""
        with reading(self.path, self.KIND):
            for row in self._connection.execute(query):
                yield self.typed(row, kind)

    def typed(self, row: tuple[Any, ...], kind: type[Read]) -> Read:
        """Return *row* as the tuple that it has to be."""
        try:
            return msgspec.convert(row, kind)
        except msgspec.ValidationError as error:
            problem = f"a row is not what it has to be: {shown(error)[1:-1]}"
            raise FormatError(problem, place=str(self.path), mend=self.KIND.mend) from None

    def decoded(self, text: str, kind: type[Read], what: str) -> Read:
        """Return the JSON *text* as what it has to be."""
        try:
            return msgspec.json.decode(text, type=kind)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            problem = f"{what} is no document: {shown(error)[1:-1]}"
            raise FormatError(problem, place=str(self.path), mend=self.KIND.mend) from None


def _require_no_rest(path: Path) -> None:
    """Refuse to begin where a journal was removed, but not what SQLite keeps next to it: it would count for the new one."""
    followed = path.resolve() if path.is_symlink() else path
    for file in (Path(f"{followed}-wal"), Path(f"{followed}-shm")):
        if os.path.lexists(file):
            problem = "this is left of a journal that is gone"
            raise InputError(problem, place=str(file), mend="put the journal back next to it, or remove this, too")
