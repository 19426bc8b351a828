"""Is there a place for an output file?  Asked before a long run, so that its result is not lost at the end."""

from __future__ import annotations

import os
from pathlib import Path

from xpgcheck.errors import InputError


def check_writable(path: Path, *inputs: str | Path | None) -> None:
    """Raise an ``InputError`` that names *path* if no file can be written there, or if it is one of *inputs*."""
    folder = path.parent
    if path.is_dir():
        raise InputError("this is a folder", place=str(path), mend="name a file in it")
    if not folder.is_dir():
        raise InputError("its folder does not exist", place=str(path), mend=f"create {folder} first")
    for other in inputs:
        if other is not None and path.exists() and os.path.exists(other) and path.samefile(other):
            raise InputError("this is also an input", place=str(path), mend="write to another file")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise InputError("the file cannot be written", place=str(path), mend="name a place that may be written to")
