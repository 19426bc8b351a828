"""Is there a place for an output file?  Asked before a long run, so that its result is not lost at the end."""

from __future__ import annotations

import os
from pathlib import Path

from xpgcheck.errors import InputError


def check_writable(path: Path) -> None:
    """Raise an ``InputError`` that names *path* if no file can be written there."""
    folder = path.parent
    if path.is_dir():
        raise InputError("this is a folder", place=str(path), mend="name a file in it")
    if not folder.is_dir():
        raise InputError("its folder does not exist", place=str(path), mend=f"create {folder} first")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise InputError("the file cannot be written", place=str(path), mend="name a place that may be written to")
