"""The list of mutants that no test can kill, ``equivalent.toml``, read."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import NamedTuple

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LIST = Path(__file__).with_name("equivalent.toml")


class Key(NamedTuple):
    """A mutant's key, which no other has: the lines that it changes, without their indentation, in which function.

    ``nth`` counts mutants for which all of that is the same.
    """

    module: str
    function: str
    original: str
    mutated: str
    nth: int = 1

    def shown(self) -> str:
        """Return the mutant in one line."""
        again = f" (number {self.nth})" if self.nth > 1 else ""
        return f"{self.function or 'module'}{again}: {self.original!r} -> {self.mutated!r}"


Reasons = dict[Key, str]


def listed(path: Path = LIST) -> Reasons:
    """Return the mutants listed in *path* with their reasons.

    Raises ``ValueError`` where one is listed twice or lacks a reason.
    """
    found: Reasons = {}
    for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("mutant", []):
        reason = entry.pop("reason")
        key = Key(**entry)
        if key in found or not reason.strip():
            raise ValueError(f"listed twice, or without a reason: {key.shown()}")
        found[key] = reason
    return found


def source_of(module: str) -> Path:
    """Return the file of a module of ``xpgcheck.xpg``, without importing the module."""
    spec = importlib.util.find_spec("xpgcheck.xpg")
    assert spec is not None
    return Path(spec.submodule_search_locations[0]) / f"{module}.py"
