"""The folder of data that is not part of the project: named by an option, or by the environment."""

from __future__ import annotations

import os
from pathlib import Path

DATA_VARIABLE = "XPGCHECK_DATA"


def named_folder(data: str | None) -> Path | None:
    """Return the folder that *data*, or else ``XPGCHECK_DATA``, names; None where neither does.  It need not be there."""
    named = data or os.environ.get(DATA_VARIABLE)
    return Path(named) if named else None
