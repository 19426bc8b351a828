"""Repositories that are no packages: imported from a checkout in a folder that an environment variable names."""

from __future__ import annotations

import collections
import contextlib
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from xpgcheck.errors import InputError
from xpgcheck.subjects.adapters.packages import imported


def imported_from(variable: str, name: str, address: str, below: str, modules: dict[str, str], needs: str) -> list[Any]:
    """Return of each of *modules* its attribute, imported from the folder *below* the checkout of *name*.

    *variable* names the folder, *address* is where the repository is, *needs* what has to be installed.  Raises
    ``InputError`` where no folder is named or it holds something else, ``MissingPackageError`` where an import fails.
    """
    folder = Path(os.environ.get(variable, "")) / below
    first = next(iter(modules)).replace(".", "/")
    if not os.environ.get(variable) or not (folder / f"{first}.py").is_file():
        problem = f"{name} is not there: {variable} names no folder with its checkout"
        raise InputError(problem, mend=f"clone {address} and set the variable to the folder")
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    with _old_collections(), contextlib.redirect_stdout(sys.stderr), warnings.catch_warnings():
        # The warnings are about escapes that Python may not have for ever.
        warnings.simplefilter("ignore")
        return [getattr(imported(module, needs), attribute) for module, attribute in modules.items()]


@contextlib.contextmanager
def _old_collections() -> Iterator[None]:
    """Let ``collections`` have names that ``namedlist`` looks for there, and Python has no longer since 3.10."""
    names = [name for name in ("Mapping", "Sequence", "Iterable") if not hasattr(collections, name)]
    for name in names:
        setattr(collections, name, getattr(collections.abc, name))
    try:
        yield
    finally:
        for name in names:
            delattr(collections, name)
