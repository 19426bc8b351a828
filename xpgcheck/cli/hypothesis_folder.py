"""Hypothesis keeps tables of characters and constants in a folder: not where the user works, when a command runs it."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "HYPOTHESIS_STORAGE_DIRECTORY"


def keep_out_of_the_working_folder() -> None:
    """Have Hypothesis use the user's cache folder, unless the environment says where; child processes are told so, too.

    Only what it would work out again is kept there: the commands have their own ways to keep cases.
    """
    if os.environ.get(VARIABLE):
        return
    cache = os.environ.get("XDG_CACHE_HOME")
    try:
        folder = Path(cache) if cache and os.path.isabs(cache) else Path.home() / ".cache"
    except RuntimeError:
        # There is no home: then the folder stays what it was.
        return
    os.environ[VARIABLE] = str(folder / "xpgcheck" / "hypothesis")
