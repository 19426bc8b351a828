"""The file of a journal: where it lies, its schema, opening it with distrust, and what SQLite says in one line."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

from xpgcheck.errors import FormatError, InputError, shown

SUFFIX = ".campaign.sqlite"
LOCK_SUFFIX = ".campaign.lock"
APPLICATION_ID = 0x78706763
SCHEMA_VERSION = 1

BUSY_SECONDS = 30.0
"""Seconds to wait for whoever has the file locked for a moment."""

SCHEMA = (
    "CREATE TABLE campaign (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE units (id INTEGER PRIMARY KEY, result TEXT NOT NULL, cases INTEGER NOT NULL, seconds REAL NOT NULL, "
    "worker TEXT NOT NULL, ended REAL NOT NULL)",
    "CREATE TABLE findings (id INTEGER PRIMARY KEY, unit INTEGER NOT NULL, cause TEXT NOT NULL, document TEXT NOT NULL)",
    "CREATE TABLE sessions (id INTEGER PRIMARY KEY, started REAL NOT NULL, ended REAL, host TEXT NOT NULL, "
    "pid INTEGER NOT NULL, workers INTEGER NOT NULL)",
    "CREATE INDEX findings_by_cause ON findings (cause, unit)",
)

MAX_NAME = 200
"""Bytes of a campaign's name; file systems take 255 for a name with all endings."""

MEND = "name the journal of a campaign, or a copy that is whole"


def journal_path(name: str) -> Path:
    """Return the journal of the campaign *name*, in this folder or the one that *name* says.  Raises ``InputError``."""
    path = Path(name)
    if not path.name.strip() or path.name == ".." or not name.isprintable() or len(os.fsencode(path.name)) > MAX_NAME:
        raise InputError(f"{shown(name, 60)} is no name of a campaign", mend="name it by some letters and digits")
    return path if path.name.endswith(SUFFIX) else path.with_name(path.name + SUFFIX)


def lock_path(path: Path) -> Path:
    """Return the lock of the journal at *path*: ``NAME.campaign.lock`` for ``NAME.campaign.sqlite``, where a link leads."""
    path = _followed(path)
    return path.with_name(path.name.removesuffix(SUFFIX) + LOCK_SUFFIX)


def _followed(path: Path) -> Path:
    return path.resolve() if path.is_symlink() else path


def files_of(path: Path) -> list[Path]:
    """Return all files that belong to the journal at *path*: what is in it is in two of them, while it is written."""
    path = _followed(path)
    return [path, Path(f"{path}-wal"), Path(f"{path}-shm"), lock_path(path)]


def hypothesis_version() -> str:
    """Return the version of Hypothesis: of another the same seed is other cases."""
    from importlib import metadata

    try:
        return metadata.version("hypothesis")
    except metadata.PackageNotFoundError:
        return "missing"


def write_empty(path: Path, values: Mapping[str, str]) -> None:
    """Write a journal without units at *path*, with *values* in its table ``campaign``.  Raises what SQLite raises."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("BEGIN")
        for statement in SCHEMA:
            connection.execute(statement)
        connection.executemany("INSERT INTO campaign VALUES (?, ?)", values.items())
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        connection.execute("COMMIT")


def opened(path: Path, read_only: bool) -> sqlite3.Connection:
    """Open the file.  Without the right to write beside it, a journal that nobody writes is read as it is.

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
            raise FormatError("the journal ends too early", place=str(path), mend=MEND)
        return connection
    except BaseException as error:
        connection.close()
        if not read_only or not isinstance(error, sqlite3.OperationalError) or in_use:
            raise
    return sqlite3.connect(f"{uri}&immutable=1", uri=True, isolation_level=None)


def require_ours(connection: sqlite3.Connection) -> None:
    """Raise ``FormatError`` where the file is no whole journal of this schema."""
    ((application,),) = connection.execute("PRAGMA application_id").fetchall()
    ((version,),) = connection.execute("PRAGMA user_version").fetchall()
    if application != APPLICATION_ID:
        raise FormatError("a database, but no journal of a campaign", mend=MEND)
    if version != SCHEMA_VERSION:
        problem = f"a journal of schema {version}; this version of xpgcheck knows {SCHEMA_VERSION}"
        raise FormatError(problem, mend="use the version of xpgcheck that wrote it")
    found = {row[0] for row in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL LIMIT 100")}
    if found != set(SCHEMA):
        raise FormatError("the tables are not those of a journal", mend=MEND)
    ((state,),) = connection.execute("PRAGMA quick_check(1)").fetchall()
    if state != "ok":
        raise FormatError(f"the journal is damaged: {shown(state)[1:-1]}", mend=MEND)


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn what SQLite says of a file that it cannot read into one line."""
    try:
        yield
    except UnicodeError:
        raise FormatError("no journal that can be read (damaged texts)", place=str(path), mend=MEND) from None
    except sqlite3.Error as error:
        raise FormatError(f"no journal that can be read ({error})", place=str(path), mend=MEND) from None


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn a full disk and its like into one line."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        problem = f"the journal cannot be written ({reason}); what was finished before is kept"
        raise InputError(problem, place=str(path), mend="make room, then go on by 'xpgcheck campaign resume'") from None
