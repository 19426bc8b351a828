"""The rows of the table, in the order of the paper."""

from __future__ import annotations

from collections.abc import Sequence

from xpgcheck.errors import InputError, did_you_mean, shown
from xpgcheck.paper.catalogue import algorithms, definitions, examples, experiments, membership_rows
from xpgcheck.paper.rows import Row

__all__ = ["ROWS", "chosen"]

ROWS: tuple[Row, ...] = (
    *definitions.ROWS,
    *examples.ROWS,
    *algorithms.ROWS,
    *membership_rows.ROWS,
    *experiments.ROWS,
)
"""Every row."""


def chosen(names: Sequence[str]) -> tuple[Row, ...]:
    """Return the rows called *names*, all if empty.  Raises ``InputError`` on an unknown name."""
    known = {row.id: row for row in ROWS}
    for name in names:
        if name not in known:
            mend = did_you_mean(name, known) or "'xpgcheck paper --list' lists them"
            raise InputError(f"no row is called {shown(name)}", place="--claim", mend=mend)
    return tuple(row for row in ROWS if not names or row.id in names)
