"""The commands about a campaign that are shown: as they can be typed in this folder."""

from __future__ import annotations

import shlex
from pathlib import Path

from xpgcheck.campaign.journal_file import SUFFIX


def campaign_command(verb: str, path: Path, name: str, *words: str) -> str:
    """Return the command line ``xpgcheck campaign`` *verb* of the journal at *path* of the campaign *name*, with *words*."""
    stem = str(path).removesuffix(SUFFIX)
    about = [stem] if stem != str(path) else [name, "--journal", str(path)]
    return shlex.join(["xpgcheck", "campaign", verb, *about, *words])
