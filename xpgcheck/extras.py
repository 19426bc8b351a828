"""Extras: what to install for what is missing, in words that are true of a clone and of any other install."""

from __future__ import annotations

import importlib.metadata
import re
import shlex

_EXTRA = re.compile(r"""\bextra\s*==\s*["']([\w.-]+)["']""")


def install(extra: str) -> str:
    """Return the command that installs the requirements of *extra*, as this installed package's metadata lists them.

    The package's own name is of no use to an install from a clone, so the requirements are named.  A package that is used
    without being installed has no metadata: then it is the extra that is named.
    """
    try:
        lines = importlib.metadata.requires("xpgcheck") or []
    except importlib.metadata.PackageNotFoundError:
        lines = []
    needed = [line.partition(";")[0].strip() for line in lines if extra in _EXTRA.findall(line)]
    if not needed:
        return f"install xpgcheck with its extra {extra}"
    return f"run: pip install {shlex.join(needed)}"
