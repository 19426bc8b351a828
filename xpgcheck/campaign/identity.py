"""The identity that two processes must share for their results to belong together."""

from __future__ import annotations

import functools
import hashlib
import os
from importlib import metadata
from pathlib import Path

import xpgcheck
from xpgcheck.version import __version__


@functools.cache
def identity() -> str:
    """Return what decides the results of a unit, as text: version, a digest of the sources, Hypothesis.

    The version alone does not tell two checkouts apart; and of another Hypothesis the same seed is other cases.  Reads all
    sources once a process (about 2 MB).
    """
    try:
        hypothesis = metadata.version("hypothesis")
    except metadata.PackageNotFoundError:
        hypothesis = "missing"
    return f"xpgcheck {__version__}, sources {sources_digest()[:12]}, hypothesis {hypothesis}"


def sources_digest() -> str:
    """Return the SHA-256 digest of the package's sources, in order of their names; line ends do not count."""
    root = Path(str(xpgcheck.__file__)).parent
    digest = hashlib.sha256()
    # Two of the packages are links in a checkout, and folders in a wheel.
    for path in sorted(
        Path(folder, name)
        for folder, _, names in os.walk(root, followlinks=True)
        for name in names
        if name.endswith(".py")
    ):
        text = path.read_bytes().replace(b"\r\n", b"\n")
        name = path.relative_to(root).as_posix().encode()
        digest.update(b"%d %d\n%s%s" % (len(name), len(text), name, text))
    return digest.hexdigest()
