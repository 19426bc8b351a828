"""The folder of data that is not part of the project: named by an option, or by the environment."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from xpgcheck.errors import InputError, NothingCheckedError
from xpgcheck.paper.rows import Row

DATA_VARIABLE = "XPGCHECK_DATA"


def named_folder(data: str | None) -> Path | None:
    """Return the folder that *data*, or else ``XPGCHECK_DATA``, names; None where neither does.  It need not be there."""
    named = data or os.environ.get(DATA_VARIABLE)
    return Path(named) if named else None


def require_data(folder: Path, rows: Sequence[Row]) -> None:
    """Raise ``NothingCheckedError`` where *folder* has nothing of what the checks of *rows* are about.

    A folder that a user names is asked for: evidence without it would not say what the command line says.
    """
    checks = [check for row in rows for check in row.checks]
    files = {
        "pmlb/*.csv": any(c.source == "tables" and not c.item.startswith("text: ") for c in checks),
        "obdd/*.json": any(c.source == "queries" for c in checks),
    }
    wanted = [pattern for pattern, asked in files.items() if asked]
    if not wanted:
        raise InputError("no selected row uses data", place=str(folder), mend="leave --data out, or select other rows")
    # The tables take the files of a folder without pmlb/, too.
    if not any(any(folder.glob(pattern)) for pattern in (*wanted, *(["*.csv"] if files["pmlb/*.csv"] else []))):
        raise NothingCheckedError(
            "there is no data", place=str(folder), mend=f"name a folder with {' or '.join(wanted)}"
        )
