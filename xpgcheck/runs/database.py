"""The file of a journal: a database of one schema, opened with distrust, and what SQLite says in one line."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from xpgcheck.errors import FormatError, InputError, shown

BUSY_SECONDS = 30.0
"""Seconds to wait for another process that has the file locked for a moment."""


@dataclass(frozen=True, slots=True)
class JournalKind:
    """Whose journal: *what* it is called, the number of its files, the version of its *schema*, its *table* of keys.

    ``mend`` says what to do about a file that is none.
    """

    what: str
    application_id: int
    version: int
    schema: tuple[str, ...]
    table: str
    mend: str


def write_empty(path: Path, kind: JournalKind, values: Mapping[str, str]) -> None:
    """Write a journal without units at *path*, with *values* in its table of keys.  Raises what SQLite raises."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("BEGIN")
        for statement in kind.schema:
            connection.execute(statement)
        connection.executemany(f"INSERT INTO {kind.table} VALUES (?, ?)", values.items())
        connection.execute(f"PRAGMA application_id={kind.application_id}")
        connection.execute(f"PRAGMA user_version={kind.version}")
        connection.execute("COMMIT")


def opened(path: Path, kind: JournalKind, read_only: bool) -> sqlite3.Connection:
    """Open the file.  Without the right to write next to it, a journal that nobody writes is read as it is.

    Raises ``FormatError`` where it was cut, and the errors of :func:`reading`.
    """
    uri = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}"
    in_use = Path(f"{path}-wal").exists()
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_SECONDS)
    try:
        connection.execute("PRAGMA trusted_schema=OFF")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        # SQLite takes what is missing of the last page for zeros.
        if not in_use and path.stat().st_size % connection.execute("PRAGMA page_size").fetchone()[0]:
            raise FormatError("the journal ends too early", place=str(path), mend=kind.mend)
        return connection
    except BaseException as error:
        connection.close()
        if not read_only or not isinstance(error, sqlite3.OperationalError) or in_use:
            raise
    return sqlite3.connect(f"{uri}&immutable=1", uri=True, isolation_level=None)


def require_ours(connection: sqlite3.Connection, kind: JournalKind) -> None:
    """Raise ``FormatError`` where the file is no whole journal of this schema."""
    ((application,),) = connection.execute("PRAGMA application_id").fetchall()
    ((version,),) = connection.execute("PRAGMA user_version").fetchall()
    if application != kind.application_id:
        raise FormatError(f"a database, but no {kind.what}", mend=kind.mend)
    if version != kind.version:
        problem = f"a journal of schema {version}; this version of xpgcheck knows {kind.version}"
        raise FormatError(problem, mend="use the version of xpgcheck that wrote it")
    found = {row[0] for row in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL LIMIT 100")}
    if found != set(kind.schema):
        raise FormatError("the tables are not those of a journal", mend=kind.mend)
    ((state,),) = connection.execute("PRAGMA quick_check(1)").fetchall()
    if state != "ok":
        raise FormatError(f"the journal is damaged: {shown(state)[1:-1]}", mend=kind.mend)


@contextlib.contextmanager
def reading(path: Path, kind: JournalKind) -> Iterator[None]:
    """Turn what SQLite says of a file that it cannot read into one line."""
    try:
        yield
    except UnicodeError:
        raise FormatError("no journal that can be read (damaged texts)", place=str(path), mend=kind.mend) from None
    except sqlite3.Error as error:
        raise FormatError(f"no journal that can be read ({error})", place=str(path), mend=kind.mend) from None


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn a full disk and its like into one line."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        problem = f"the journal cannot be written ({reason}); what was finished before is kept"
        raise InputError(problem, place=str(path), mend="make room, then resume it") from None
