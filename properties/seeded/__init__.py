"""Seeded bugs: explainers and oracles that are wrong on purpose, and right ones of which they are small variations.

A property that has never failed says nothing, and a referee that has never caught anybody even less.  Each bug overrides
a method or two of :class:`~xpgcheck.properties.seeded.textbook.Textbook`, an explainer written for reading from the paper
alone, or of :class:`~xpgcheck.properties.seeded.honest.HonestOracle`; those of the Σ₂ᵖ reduction stand in
:mod:`xpgcheck.properties.reduction.seeded`.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from xpgcheck.errors import InputError, did_you_mean, shown
from xpgcheck.properties.seeded.bugs import SeededBug, registered

__all__ = ["SeededBug", "chosen_bugs", "reduction_bugs", "seeded_bug", "seeded_bugs"]

GRAPHS = (
    "edges",
    "domains",
    "traversals",
    "one_xp",
    "enumerations",
    "trees",
    "wrong_membership",
    "answers",
    "alone",
    "wrong_witnesses",
    "wrong_verdicts",
    "wrong_beliefs",
)
"""The modules of wrong explainers and oracles, in the order of reports."""

REDUCTION = ("reductions", "solvers", "answers")
"""The modules of :mod:`xpgcheck.properties.reduction.seeded` likewise."""


def seeded_bugs() -> tuple[SeededBug, ...]:
    """Return every wrong explainer and oracle, explainers first."""
    return _of([f"xpgcheck.properties.seeded.{name}" for name in GRAPHS])


def reduction_bugs() -> tuple[SeededBug, ...]:
    """Return every seeded bug of the Σ₂ᵖ reduction, its solvers and its checkers."""
    return _of([f"xpgcheck.properties.reduction.seeded.{name}" for name in REDUCTION])


def _of(modules: Sequence[str]) -> tuple[SeededBug, ...]:
    for module in modules:
        importlib.import_module(module)
    # Sorting is stable: within a module they stay as they stand.
    bugs = [bug for bug in registered.values() if bug.make.__module__ in modules]
    return tuple(sorted(bugs, key=lambda bug: modules.index(bug.make.__module__)))


def seeded_bug(name: str) -> SeededBug:
    """Return the seeded bug called *name*.  Raises ``InputError`` where there is none."""
    known = {bug.name: bug for bug in (*seeded_bugs(), *reduction_bugs())}
    if name not in known:
        mend = did_you_mean(name, known) or "'xpgcheck properties list --bugs' lists them"
        raise InputError(f"no seeded bug is called {shown(name)}", mend=mend)
    return known[name]


def chosen_bugs(names: Sequence[str]) -> tuple[SeededBug, ...]:
    """Return the seeded bugs called *names*; if empty, every wrong explainer and oracle.

    Raises ``InputError`` on an unknown name.
    """
    return tuple(map(seeded_bug, dict.fromkeys(names))) if names else seeded_bugs()
