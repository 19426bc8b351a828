"""What a seeded bug is, and the decorators that make one of a class."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from xpgcheck.properties.asking import DEFAULT_SECONDS

Kind = Literal["explainer", "oracle", "reduction"]
C = TypeVar("C", bound=type)


@dataclass(frozen=True, slots=True)
class SeededBug:
    """A subject that is wrong on purpose.

    ``wrong`` says in one line what is wrong with it, ``make`` returns a fresh one, whose name is ``name``.  It has
    ``seconds`` for an answer: few where the bug is that none comes.
    """

    name: str
    kind: Kind
    wrong: str
    make: Callable[[], Any]
    seconds: float = DEFAULT_SECONDS


registered: dict[str, SeededBug] = {}
"""The seeded bugs of the modules that are loaded so far, by name."""


def explainer(bug: C) -> C:
    """Register a class of wrong explainers: its name, in words, and the first line of its docstring are the bug's."""
    return _register("explainer", bug)


def oracle(bug: C) -> C:
    """Register a class of wrong oracles likewise."""
    return _register("oracle", bug)


def reduction(bug: C) -> C:
    """Register a class of wrong routes of the Σ₂ᵖ reduction likewise."""
    return _register("reduction", bug)


def _register(kind: Kind, bug: C) -> C:
    name = "-".join(re.findall("[A-Z][a-z]*", bug.__name__)).lower()
    if name in registered:
        raise ValueError(f"two seeded bugs are called {name}")
    wrong = (bug.__doc__ or "").strip().splitlines()[0]
    fields: Any = bug
    fields.name = name
    registered[name] = SeededBug(name, kind, wrong, bug, getattr(bug, "seconds", DEFAULT_SECONDS))
    return bug
