"""Packages that the properties need and that are an extra."""

from __future__ import annotations

import importlib.util

from xpgcheck.errors import MissingPackageError
from xpgcheck.extras import install


def require_hypothesis() -> None:
    """See that Hypothesis, which generates cases, is installed.  Raises ``MissingPackageError``."""
    if importlib.util.find_spec("hypothesis") is None:
        raise MissingPackageError("generated cases need Hypothesis, which is not installed", mend=install("properties"))
