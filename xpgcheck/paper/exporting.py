"""What is proved of all graphs of a size, as SMT-LIB files that any solver can be asked about."""

from __future__ import annotations

from pathlib import Path

from xpgcheck.errors import InputError
from xpgcheck.paper.symbolic.plans import FULL, QUICK
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
    files = []
    for goal in QUICK if quick else FULL:
        found = theorem(goal.key)
        for part in found.parts(goal.size):
            size = "-".join(map(str, (goal.size.nodes, goal.size.features, goal.size.values)))
            name = "_".join((goal.key, goal.kind.value, size, part)).replace(" ", "-")
            path = folder / f"{name}.smt2"
            if path not in files:
                write_atomically(path, smtlib(found, goal.size, goal.kind, part))
                files.append(path)
    return files
