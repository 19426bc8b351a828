"""Theorems on all graphs of a size, as SMT-LIB files that any solver can be asked about."""

from __future__ import annotations

from pathlib import Path

from xpgcheck.errors import InputError
from xpgcheck.paper.symbolic.plans import FULL, QUICK, Goal
from xpgcheck.paper.symbolic.smtlib import smtlib
from xpgcheck.paper.symbolic.theorems import theorem
from xpgcheck.writers.atomic import write_atomically


def export_theorems(folder: Path, *, quick: bool) -> list[Path]:
    """Write a file for each theorem, kind and size that is proved, and each part of it, into *folder*; return the files.

    Raises ``InputError`` where the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"it cannot be made ({error.strerror})", place=str(folder), mend="name another") from None
    files: list[Path] = []
    for goal in QUICK if quick else FULL:
        size = "-".join(map(str, (goal.size.nodes, goal.size.features, goal.size.values)))
        name = "_".join((goal.key, goal.kind.value, size)).replace(" ", "-")
        for part in theorem(goal.key).parts(goal.size):
            path = folder / f"{name}_{part.replace(' ', '-')}.smt2"
            if path not in files:
                _write(path, goal, part)
                files.append(path)
    return files


def export_theorem(goal: Goal, path: Path) -> list[Path]:
    """Write what is proved by *goal* to *path*, or each part of it next to that; return the files."""
    parts = theorem(goal.key).parts(goal.size)
    files = [path if len(parts) == 1 else path.with_name(f"{path.stem}-{part}{path.suffix}") for part in parts]
    for file, part in zip(files, parts, strict=True):
        _write(file, goal, part)
    return files


def _write(path: Path, goal: Goal, part: str) -> None:
    write_atomically(path, smtlib(theorem(goal.key), goal.size, goal.kind, part))
