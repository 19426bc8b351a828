"""The checkout, its files and its declarations, for the tests of the project itself."""

from __future__ import annotations

import configparser
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]

LEFT_OUT = {"__pycache__", "build", "dist"}
"""Folders that are not the project's own; those whose names start with a dot are left out too, but for ``.ci``."""


def files(*endings: str) -> Iterator[Path]:
    """Yield the project's files with one of *endings* (all files if none); links to folders are not followed."""
    folders = [ROOT]
    while folders:
        for path in sorted(folders.pop().iterdir()):
            hidden = path.name.startswith(".") and path.name not in (".ci", ".gitignore")
            if hidden or path.is_symlink() or path.name in LEFT_OUT or path.name.endswith(".egg-info"):
                continue
            if path.is_dir():
                folders.append(path)
            elif not endings or path.suffix in endings:
                yield path


def documents() -> list[Path]:
    """Return the Markdown files."""
    return list(files(".md"))


def pyproject() -> dict[str, Any]:
    """Return the content of ``pyproject.toml``."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def tox_ini() -> configparser.ConfigParser:
    """Return the content of ``tox.ini``."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(ROOT / "tox.ini", encoding="utf-8")
    return parser
