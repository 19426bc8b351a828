"""The packages of other projects, imported when a subject of theirs is made."""

from __future__ import annotations

import importlib
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from xpgcheck.errors import MissingPackageError


def imported(module: str, requirement: str) -> Any:
    """Return *module*, imported without this process's arguments, which some packages take for their own.

    Raises ``MissingPackageError`` that tells to install *requirement* where it cannot be imported.
    """
    arguments = sys.argv
    sys.argv = arguments[:1]
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        raise MissingPackageError(
            f"the package of {name} cannot be imported ({error})", mend=f"run: pip install {requirement}"
        ) from error
    finally:
        sys.argv = arguments


def titled(name: str, distribution: str) -> str:
    """Return *name* with the version of *distribution* that is installed."""
    try:
        return f"{name} {version(distribution)}"
    except PackageNotFoundError:
        return name
