"""The file of a campaign's journal: where it lies, and its schema."""

from __future__ import annotations

import os
from pathlib import Path

from xpgcheck.errors import InputError, shown
from xpgcheck.runs.database import JournalKind

SUFFIX = ".campaign.sqlite"
LOCK_SUFFIX = ".campaign.lock"
APPLICATION_ID = 0x78706763
SCHEMA_VERSION = 1

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

KIND = JournalKind("journal of a campaign", APPLICATION_ID, SCHEMA_VERSION, SCHEMA, "campaign", MEND)


def journal_path(name: str) -> Path:
    """Return the journal of the campaign *name*, in this folder or the one that *name* says.  Raises ``InputError``."""
    path = Path(name)
    if not path.name.strip() or path.name == ".." or not name.isprintable() or len(os.fsencode(path.name)) > MAX_NAME:
        raise InputError(
            f"{shown(name, 60)} is not a valid name of a campaign", mend="name it by some letters and digits"
        )
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
