"""The record of a seeded bug, and the decorators that make one of a class."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from xpgcheck.properties.asking import DEFAULT_SECONDS

C = TypeVar("C", bound=type)

ON_GRAPHS = "xpgcheck.properties.running.graph_bugs"
ON_FORMULAS = "xpgcheck.properties.reduction.formula_bugs"
ON_ENSEMBLES = "xpgcheck.properties.ensembles.exploring"
ON_CONSTRAINTS = "xpgcheck.properties.constraints.exploring"
ON_CONSTRAINT_CERTIFICATES = "xpgcheck.gate.constraint_certificate_bugs"
ASKED_OF_ENSEMBLES = "xpgcheck.gate.ensemble_explainer_bugs"


@dataclass(frozen=True, slots=True)
class SeededBug:
    """Something that is wrong on purpose: a subject, or code under test.

    ``wrong`` says in one line what is wrong with it, ``source`` what of the paper it gets wrong, ``make`` returns a fresh
    one; a subject has the name ``name``, and ``seconds`` for an answer: few where the bug is that none comes.  ``ground``
    is the module whose ``GROUND`` says where it has to be caught (:class:`xpgcheck.properties.selftest.BugGround`).
    """

    name: str
    kind: str
    wrong: str
    make: Callable[[], Any]
    ground: str = ON_GRAPHS
    source: str = ""
    seconds: float = DEFAULT_SECONDS


registered: dict[str, SeededBug] = {}
"""The seeded bugs of subjects in the modules that are loaded so far, by name."""


def _register(kind: str, ground: str, bug: C) -> C:
    name = "-".join(re.findall("[A-Z][a-z]*", bug.__name__)).lower()
    if name in registered:
        raise ValueError(f"two seeded bugs are called {name}")
    fields: Any = bug
    fields.name = name
    seconds = getattr(bug, "seconds", DEFAULT_SECONDS)
    registered[name] = SeededBug(name, kind, first_line(bug), bug, ground, seconds=seconds)
    return bug


def first_line(documented: object) -> str:
    """Return the first line of a docstring: what is wrong."""
    return (documented.__doc__ or "").strip().splitlines()[0]


explainer = functools.partial(_register, "explainer", ON_GRAPHS)
"""Registers a class of wrong explainers: its name, in words, and the first line of its docstring are the bug's."""

oracle = functools.partial(_register, "oracle", ON_GRAPHS)
"""Registers a class of wrong oracles likewise."""

reduction = functools.partial(_register, "reduction", ON_FORMULAS)
"""Registers a class of wrong routes of the Σ₂ᵖ reduction likewise."""

ensemble_explainer = functools.partial(_register, "ensemble explainer", ASKED_OF_ENSEMBLES)
"""Registers a class of wrong explainers of ensembles likewise."""

ensemble_route = functools.partial(_register, "ensemble", ON_ENSEMBLES)
"""Registers a class of wrong routes of the judges of ensembles likewise."""

constraint_route = functools.partial(_register, "constraint", ON_CONSTRAINTS)
"""Registers a class of wrong routes under constraints likewise."""

certified_constraint = functools.partial(_register, "constraint certificate", ON_CONSTRAINT_CERTIFICATES)
"""Registers a class of wrong issuers or checkers of certificates under constraints likewise."""
