"""MUS membership by DepQBF, a QBF solver, where it is installed (Debian and Ubuntu: ``apt install depqbf``).

A route of its own: what is asked is the text of :mod:`xpgcheck.oracles.propositional.qdimacs`, and it searches and learns on
the QBF itself.  Its answer comes without evidence, and counts as one route's word.

F. Lonsing, U. Egly, "DepQBF 6.0: A search-based QBF solver beyond traditional QCDCL", CADE 2017.
"""

from __future__ import annotations

import shutil
import subprocess

from xpgcheck.oracles.propositional.formulas import Cnf
from xpgcheck.oracles.propositional.qdimacs import membership_qdimacs

TRUE, FALSE = 10, 20
"""Exit statuses of QBF solvers; any other one means that there is no answer."""


def find_depqbf() -> str | None:
    """Return the path of DepQBF, or None where it is not installed."""
    return shutil.which("depqbf")


def membership_by_depqbf(
    formula: Cnf, clause: int, seconds: float | None = None, *, program: str | None = None
) -> bool | None:
    """Tell whether *clause* (from 0) is in some MUS of *formula*; None: not known.

    Not known is what *program* (DepQBF on the path, if None) does not answer in *seconds*, or at all, and where it cannot be
    started.  What it prints is not read.  Raises ``ValueError`` where the formula has no such clause.
    """
    text = membership_qdimacs(formula, clause)
    found = find_depqbf() if program is None else program
    if found is None:
        return None
    try:
        # It is killed where the time is over.
        done = subprocess.run(
            [found],
            input=text.encode("ascii"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return {TRUE: True, FALSE: False}.get(done.returncode)
