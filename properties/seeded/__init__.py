"""Seeded bugs: explainers and oracles that are wrong on purpose, and right ones of which they are small variations.

A property that has never failed says nothing, and a referee that has never caught anybody even less.  Each bug overrides
a method or two of :class:`~xpgcheck.properties.seeded.textbook.Textbook`, an explainer written for reading from the paper
alone, or of :class:`~xpgcheck.properties.seeded.honest.HonestOracle`.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from xpgcheck.errors import InputError, did_you_mean, shown
from xpgcheck.properties.seeded.bugs import SeededBug, registered

__all__ = ["SeededBug", "chosen_bugs", "seeded_bug", "seeded_bugs"]

MODULES = (
    "edges",
    "domains",
    "traversals",
    "one_xp",
    "enumerations",
    "trees",
    "membership",
    "answers",
    "alone",
    "wrong_witnesses",
    "wrong_verdicts",
    "wrong_beliefs",
)
"""The modules of seeded bugs, in the order of reports."""


def seeded_bugs() -> tuple[SeededBug, ...]:
    """Return every seeded bug, explainers first."""
    for name in MODULES:
        importlib.import_module(f"xpgcheck.properties.seeded.{name}")
    order = {f"xpgcheck.properties.seeded.{name}": position for position, name in enumerate(MODULES)}
    # Sorting is stable: within a module they stay as they stand.
    return tuple(sorted(registered.values(), key=lambda bug: order[bug.make.__module__]))


def seeded_bug(name: str) -> SeededBug:
    """Return the seeded bug called *name*.  Raises ``InputError`` where there is none."""
    known = {bug.name: bug for bug in seeded_bugs()}
    if name not in known:
        mend = did_you_mean(name, known) or "'xpgcheck selftest --list' lists them"
        raise InputError(f"no seeded bug is called {shown(name)}", mend=mend)
    return known[name]


def chosen_bugs(names: Sequence[str]) -> tuple[SeededBug, ...]:
    """Return the seeded bugs called *names*, all if empty.  Raises ``InputError`` on an unknown name."""
    return tuple(map(seeded_bug, dict.fromkeys(names))) if names else seeded_bugs()
